//! What [`kubernetes`](crate::kubernetes) publishes: the known minor versions, and what differs between them.
//!
//! Source: `k8s.io/apiserver/pkg/cel/environment`, `EnvSet`.

mod change;
mod definitions;
pub(crate) mod libraries;
mod version;

pub use change::Change;
pub use definitions::{SELECTABLE_FIELDS_SINCE, format_since};
pub use version::{KubernetesVersion, ParseVersionError};

/// The server that an expression is compiled for, and whether it has already stored the expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Environment {
    /// The server.
    pub version: KubernetesVersion,
    /// Whether the server has stored the expression, which can then use all functions that the
    /// server was built with.
    pub stored: bool,
    /// Whether the expression makes a patch in a mutating admission policy. Such an expression can
    /// construct objects and operations: `Object{..}`, `JSONPatch{..}`.
    pub patches: bool,
}

impl Environment {
    /// A new expression.
    pub const fn new(version: KubernetesVersion) -> Self {
        Self { version, stored: false, patches: false }
    }

    /// An expression that the server has stored.
    pub const fn stored(version: KubernetesVersion) -> Self {
        Self { version, stored: true, patches: false }
    }

    /// The same server, for an expression that makes a patch.
    #[must_use]
    pub const fn patching(self) -> Self {
        Self { patches: true, ..self }
    }

    /// The minor whose functions the expression may use: for a new expression, the minor before the
    /// server's.
    pub const fn compatibility_minor(self) -> u32 {
        if self.stored { self.version.minor() } else { self.version.minor() - 1 }
    }

    /// Whether the environment has a function, macro or name of this presence.
    pub const fn has(self, presence: Presence) -> bool {
        let minor = self.version.minor();
        self.compatibility_minor() >= presence.introduced
            && (self.patches || !presence.only_in_patches)
            && minor >= presence.built_since
            && minor < presence.built_until
    }
}

impl Default for Environment {
    /// A new expression on the reference version.
    fn default() -> Self {
        Self::new(KubernetesVersion::REFERENCE)
    }
}

/// The environments that have a function, a macro or the name of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Presence {
    /// The minor that introduced it: new expressions have it one minor later. 0 if no minor of
    /// Kubernetes introduced it.
    introduced: u32,
    /// The minor that was first built with it, if it comes with cel-go and not with a version of
    /// Kubernetes; 0 otherwise.
    built_since: u32,
    /// The minor that was first built without it; `u32::MAX` if there is none.
    built_until: u32,
    /// Whether only expressions that make a patch have it.
    only_in_patches: bool,
}

impl Presence {
    /// In every environment.
    pub const ALWAYS: Self =
        Self { introduced: 0, built_since: 0, built_until: u32::MAX, only_in_patches: false };
    /// In every expression that makes a patch.
    pub const PATCHES: Self = Self { only_in_patches: true, ..Self::ALWAYS };

    /// Introduced by a minor: `IntroducedVersion` of the options.
    pub const fn introduced_in(minor: u32) -> Self {
        Self { introduced: minor, ..Self::ALWAYS }
    }

    /// On servers from this minor on, in new and in stored expressions.
    pub const fn built_since(minor: u32) -> Self {
        Self { built_since: minor, ..Self::ALWAYS }
    }

    /// On servers before this minor, in new and in stored expressions.
    pub const fn built_until(minor: u32) -> Self {
        Self { built_until: minor, ..Self::ALWAYS }
    }

    /// The first minor that accepts it in a new expression, known or not; 0 if all do.
    #[cfg(feature = "compile-time")]
    pub(crate) const fn first_minor(self) -> u32 {
        let introduced = if self.introduced == 0 { 0 } else { self.introduced + 1 };
        if introduced > self.built_since { introduced } else { self.built_since }
    }

    /// The first known version that accepts it in a new expression; `None` if no known version
    /// does.
    pub fn since(self) -> Option<KubernetesVersion> {
        KubernetesVersion::ALL.into_iter().find(|version| Environment::new(*version).has(self))
    }

    /// The last known version that accepts it in a new expression, if a later known one does not.
    pub fn until(self) -> Option<KubernetesVersion> {
        let has = |version: &KubernetesVersion| Environment::new(*version).has(self);
        KubernetesVersion::ALL
            .into_iter()
            .rev()
            .find(has)
            .filter(|last| *last < KubernetesVersion::NEWEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn version(minor: u32) -> KubernetesVersion {
        KubernetesVersion::of_minor(minor).expect("known")
    }

    #[test]
    fn new_expressions_have_what_the_minor_before_had() {
        let ip = Presence::introduced_in(30);
        assert!(!Environment::new(version(30)).has(ip));
        assert!(Environment::stored(version(30)).has(ip));
        assert!(Environment::new(version(31)).has(ip));
        assert_eq!(ip.since(), Some(version(31)));
        let next = Presence::introduced_in(37);
        assert_eq!(next.since(), None);
        assert!(Environment::stored(version(37)).has(next));
    }

    #[test]
    fn functions_of_the_build_are_in_new_expressions_at_once() {
        let first = Presence::built_since(33);
        assert!(!Environment::stored(version(32)).has(first));
        assert!(Environment::new(version(33)).has(first));
        let gone = Presence::built_until(37);
        assert!(Environment::new(version(36)).has(gone));
        assert!(!Environment::stored(version(37)).has(gone));
        assert_eq!(gone.until(), Some(version(36)));
        assert_eq!(Presence::ALWAYS.until(), None);
    }
}
