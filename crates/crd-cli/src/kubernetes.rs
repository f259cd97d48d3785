//! Parses `--kubernetes`: the minors to compare.

use std::fmt;
use std::str::FromStr;

use crd_cel::kubernetes::KubernetesVersion;

/// A set of minors, oldest first; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Minors(Vec<KubernetesVersion>);

impl Minors {
    /// Returns all of them, oldest first.
    pub(super) fn all(&self) -> &[KubernetesVersion] {
        &self.0
    }

    /// Returns the newest of them.
    pub(super) fn newest(&self) -> KubernetesVersion {
        self.0.last().copied().unwrap_or_default()
    }
}

impl FromStr for Minors {
    type Err = String;

    /// Reads `1.33`, `1.31..1.37` with both ends, `1.33..` up to the newest and `..1.33` from the oldest minor that
    /// is known, and lists of these, separated by commas.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut minors = Vec::new();
        for part in text.split(',').map(str::trim) {
            minors.extend(range(part)?);
        }
        minors.sort_unstable();
        minors.dedup();
        Ok(Self(minors))
    }
}

fn range(text: &str) -> Result<impl Iterator<Item = KubernetesVersion>, String> {
    let version = |text: &str, otherwise| match text.trim() {
        "" => Ok(otherwise),
        text => text.parse::<KubernetesVersion>().map_err(|error| error.to_string()),
    };
    let (first, last) = if let Some((first, last)) = text.split_once("..") {
        (version(first, KubernetesVersion::OLDEST)?, version(last, KubernetesVersion::NEWEST)?)
    } else {
        let one = text.parse().map_err(|error| format!("{error}, `1.31..1.37` or `1.33..`"))?;
        (one, one)
    };
    if first > last {
        return Err(format!(
            "`{text}` holds no minor: write the older one first, `{last}..{first}`"
        ));
    }
    Ok(KubernetesVersion::ALL.into_iter().filter(move |minor| (first..=last).contains(minor)))
}

/// Displays minors, such as `1.30 to 1.32 and 1.37`.
pub(super) struct MinorRanges<'m>(pub(super) &'m [KubernetesVersion]);

impl fmt::Display for MinorRanges<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs: Vec<_> = self.0.chunk_by(|a, b| a.minor() + 1 == b.minor()).collect();
        for (nth, run) in runs.iter().enumerate() {
            match nth {
                0 => {}
                nth if nth + 1 == runs.len() => f.write_str(" and ")?,
                _ => f.write_str(", ")?,
            }
            match run {
                [] => {}
                [one] => write!(f, "{one}")?,
                [first, .., last] => write!(f, "{first} to {last}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_lists_are_read() {
        for (text, want) in [
            ("1.33", "1.33"),
            ("1.31..1.34", "1.31 to 1.34"),
            ("1.35..", "1.35 to 1.37"),
            ("..1.31", "1.30 to 1.31"),
            ("1.36, 1.31,1.36", "1.31 and 1.36"),
            ("1.30,1.32..1.33,1.36..", "1.30, 1.32 to 1.33 and 1.36 to 1.37"),
            ("v1.33.4", "1.33"),
        ] {
            let minors: Minors = text.parse().expect(text);
            assert_eq!(MinorRanges(minors.all()).to_string(), want, "{text}");
        }
    }

    #[test]
    fn other_texts_than_minors_are_rejected() {
        for (text, want) in [
            ("1.29..1.31", "`1.29` is no known minor of Kubernetes; write one of 1.30 to 1.37"),
            (
                "33",
                "`33` is no known minor of Kubernetes; write one of 1.30 to 1.37, `1.31..1.37` or `1.33..`",
            ),
            (
                "",
                "`` is no known minor of Kubernetes; write one of 1.30 to 1.37, `1.31..1.37` or `1.33..`",
            ),
            ("1.35..1.31", "`1.35..1.31` holds no minor: write the older one first, `1.31..1.35`"),
        ] {
            assert_eq!(text.parse::<Minors>(), Err(want.to_owned()), "{text}");
        }
    }
}
