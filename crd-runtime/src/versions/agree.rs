//! Lets rustc check that types can be versions of one kind.

use crd_cel::compile_time::{Text, equal};

use crate::CustomResource;

/// The properties of a derived type that must be equal, or must differ, among versions of one kind.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    pub(super) group: &'static str,
    pub(super) kind: &'static str,
    pub(super) plural: &'static str,
    pub(super) version: &'static str,
    pub(super) namespaced: bool,
    pub(super) storage: bool,
}

impl Facts {
    /// Returns those of `T`.
    #[must_use]
    pub const fn of<T: CustomResource>() -> Self {
        Self {
            group: T::GROUP,
            kind: T::KIND,
            plural: T::PLURAL,
            version: T::VERSION,
            namespaced: T::NAMESPACED,
            storage: T::STORAGE,
        }
    }
}

/// Panics if types cannot be versions of one kind, which is a compile error in a constant. [`super::merge()`]
/// reports all reasons, at run time and with names.
#[doc(hidden)]
#[track_caller]
pub const fn check(versions: &[Facts]) {
    let mut stored = 0;
    let mut at = 0;
    while at < versions.len() {
        let (first, this) = (&versions[0], &versions[at]);
        agree("group", first.group, this.group);
        agree("kind", first.kind, this.kind);
        agree("plural", first.plural, this.plural);
        assert!(
            first.namespaced == this.namespaced,
            "the versions of a kind differ in scope; write `namespaced` in each, or `cluster` in each"
        );
        let mut other = 0;
        while other < at {
            if same(versions[other].version, this.version) {
                let end = "`; give each type its own `version = \"..\"`";
                fail(&["two types have the version `", this.version, end]);
            }
            other += 1;
        }
        if this.storage {
            stored += 1;
        }
        at += 1;
    }
    assert!(
        stored != 0,
        "no version is the storage version: drop `storage = false` from one of the types"
    );
    assert!(
        stored == 1,
        "more than one version is the storage version: add `storage = false` to all types but one"
    );
}

/// Checks that two types have the same value of a key.
#[track_caller]
const fn agree(key: &str, first: &str, other: &str) {
    if !same(first, other) {
        let parts = [
            "the versions of a kind differ in `",
            key,
            "`: `",
            first,
            "` and `",
            other,
            "`; write one of them in each",
        ];
        fail(&parts);
    }
}

#[track_caller]
const fn fail(parts: &[&str]) -> ! {
    panic!("{}", Text::<1024>::of(parts).as_str())
}

const fn same(a: &str, b: &str) -> bool {
    equal(a.as_bytes(), b.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    const V1: Facts = Facts {
        group: "example.com",
        kind: "Job",
        plural: "jobs",
        version: "v1",
        namespaced: true,
        storage: true,
    };
    const V2: Facts = Facts { version: "v2", storage: false, ..V1 };

    #[track_caller]
    fn rejected(versions: &[Facts], start: &str) {
        let panic = catch_unwind(|| check(versions)).expect_err(start);
        let message = panic.downcast_ref::<String>().map(String::as_str);
        let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or_default();
        assert!(message.starts_with(start), "{message}");
    }

    #[test]
    fn versions_that_agree() {
        check(&[V1]);
        check(&[V2, V1]);
        check(&[V1, V2, Facts { version: "v3", ..V2 }]);
    }

    #[test]
    fn errors_of_combinations_say_what_to_change() {
        let one = "the versions of a kind differ in";
        let group = format!("{one} `group`: `example.com` and `x`; write");
        rejected(&[V1, Facts { group: "x", ..V2 }], &group);
        rejected(&[V1, Facts { kind: "x", ..V2 }], &format!("{one} `kind`: `Job` and `x`"));
        rejected(&[V1, Facts { plural: "x", ..V2 }], &format!("{one} `plural`: `jobs` and `x`"));
        rejected(
            &[V1, Facts { namespaced: false, ..V2 }],
            &format!("{one} scope; write `namespaced`"),
        );
        rejected(&[V1, V2, V2], "two types have the version `v2`; give each type its own `version");
        rejected(&[V2], "no version is the storage version: drop `storage = false`");
        rejected(
            &[V1, Facts { storage: true, ..V2 }],
            "more than one version is the storage version: add",
        );
    }
}
