//! Which version the server prefers.

use std::cmp::Ordering;

/// The parts of a version such as `v1`, `v1beta2` or `v1alpha3` that decide its priority, the most important
/// first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct KubeLike {
    stability: Stability,
    major: i64,
    minor: i64,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Stability {
    Alpha,
    Beta,
    Stable,
}

/// Orders two versions, the preferred one first: `v2`, `v1`, `v1beta1`, `v1alpha1`, then all others by name.
///
/// `v1` and `v01` are equal in priority.
///
/// Source: `k8s.io/apimachinery/pkg/version/helpers.go`, `CompareKubeAwareVersionStrings`, reversed.
pub fn priority(a: &str, b: &str) -> Ordering {
    match (parse(a), parse(b)) {
        (Some(a), Some(b)) => b.cmp(&a),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => a.cmp(b),
    }
}

fn parse(version: &str) -> Option<KubeLike> {
    let rest = version.strip_prefix('v')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (major, rest) = rest.split_at(digits);
    // A number that overflows is not a version, as with Go's Atoi.
    let major = major.parse().ok()?;
    if rest.is_empty() {
        return Some(KubeLike { stability: Stability::Stable, major, minor: 0 });
    }
    let (stability, minor) = match rest.strip_prefix("beta") {
        Some(minor) => (Stability::Beta, minor),
        None => (Stability::Alpha, rest.strip_prefix("alpha")?),
    };
    if !minor.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(KubeLike { stability, major, minor: minor.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_sort_as_the_server_sorts_them() {
        let want = [
            "v10",
            "v2",
            "v1",
            "v0",
            "v11beta2",
            "v1beta1",
            "v12alpha1",
            "v2alpha1",
            "v1alpha0",
            "V1",
            "abc",
            "foo1",
            "foo10",
            "v1beta",
            "v99999999999999999999",
        ];
        let mut got = want;
        got.reverse();
        got.sort_by(|a, b| priority(a, b));
        assert_eq!(got, want);
        assert_eq!(priority("v1", "v01"), Ordering::Equal);
        assert_eq!(priority("v1", "v1"), Ordering::Equal);
    }
}
