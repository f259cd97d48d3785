//! The minors of Kubernetes that are known.

use std::fmt;
use std::str::FromStr;

/// A minor version of Kubernetes, such as 1.37.
///
/// ```
/// use crd_cel::kubernetes::KubernetesVersion;
///
/// let version: KubernetesVersion = "1.33".parse()?;
/// assert!(version < KubernetesVersion::REFERENCE);
/// assert_eq!(version.to_string(), "1.33");
/// # Ok::<(), crd_cel::kubernetes::ParseVersionError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KubernetesVersion {
    minor: u32,
}

/// The oldest known minor.
const FIRST_MINOR: u32 = 30;
/// The newest known minor.
const LAST_MINOR: u32 = 37;

impl KubernetesVersion {
    /// The oldest minor that is known.
    pub const OLDEST: Self = Self { minor: FIRST_MINOR };
    /// The newest minor that is known.
    pub const NEWEST: Self = Self { minor: LAST_MINOR };
    /// The minor that is used if none is named.
    pub const REFERENCE: Self = Self { minor: 37 };
    /// All that are known, oldest first.
    pub const ALL: [Self; (LAST_MINOR - FIRST_MINOR + 1) as usize] = {
        let mut all = [Self::OLDEST; (LAST_MINOR - FIRST_MINOR + 1) as usize];
        let mut minor = FIRST_MINOR;
        while minor <= LAST_MINOR {
            all[(minor - FIRST_MINOR) as usize] = Self { minor };
            minor += 1;
        }
        all
    };

    /// The version of a minor, if it is known.
    pub const fn of_minor(minor: u32) -> Option<Self> {
        if minor < FIRST_MINOR || minor > LAST_MINOR { None } else { Some(Self { minor }) }
    }

    /// The number after `1.`.
    pub const fn minor(self) -> u32 {
        self.minor
    }
}

impl Default for KubernetesVersion {
    /// The reference version.
    fn default() -> Self {
        Self::REFERENCE
    }
}

impl fmt::Display for KubernetesVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "1.{}", self.minor)
    }
}

/// A text that names no known minor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseVersionError {
    text: String,
}

impl fmt::Display for ParseVersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (KubernetesVersion::OLDEST, KubernetesVersion::NEWEST);
        write!(f, "`{}` is no known minor of Kubernetes; write one of {first} to {last}", self.text)
    }
}

impl std::error::Error for ParseVersionError {}

impl FromStr for KubernetesVersion {
    type Err = ParseVersionError;

    /// Reads `1.33`, and `v1.33.4`, `v1.33.4-gke.100` and `v1.33.4+k3s1` as servers report it.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let is_patch = |part: &str| part.split(['-', '+']).next().is_some_and(is_number);
        let mut parts = text.strip_prefix('v').unwrap_or(text).splitn(3, '.');
        let found = match (parts.next(), parts.next(), parts.next()) {
            (Some("1"), Some(minor), patch) if is_number(minor) && patch.is_none_or(is_patch) => {
                minor.parse().ok().and_then(Self::of_minor)
            }
            _ => None,
        };
        found.ok_or_else(|| ParseVersionError { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_minors_are_read() {
        for version in KubernetesVersion::ALL {
            assert_eq!(version.to_string().parse(), Ok(version));
        }
        for text in ["v1.30.14", "v1.30.14-gke.100", "v1.30.14+k3s1", "v1.30.0-rc.0"] {
            assert_eq!(text.parse(), Ok(KubernetesVersion::OLDEST), "{text}");
        }
        for text in [
            "",
            "1",
            "1.29",
            "1.38",
            "2.30",
            "1.x",
            "1.33-rc.0",
            "1.33.",
            "1.+33",
            "1.33.x",
            "1.33.-eks",
        ] {
            let error = text.parse::<KubernetesVersion>().expect_err(text).to_string();
            assert_eq!(
                error,
                format!("`{text}` is no known minor of Kubernetes; write one of 1.30 to 1.37")
            );
        }
    }
}
