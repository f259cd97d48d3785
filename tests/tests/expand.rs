//! The files of `tests/expand` compile, with a derive and as the derive expands, and both have the same schemas.
//!
//! A test of `crd-derive` compares the expansions with what the derives emit.
#![allow(warnings, reason = "the expansions are shown as the derives emit them")]

use crd_runtime::{CrdSchema, CustomResource};

macro_rules! features {
    ($($feature:ident)*) => {$(
        mod $feature {
            pub mod written {
                include!(concat!("../expand/", stringify!($feature), ".rs"));
            }
            pub mod expanded {
                include!(concat!("../expand/", stringify!($feature), ".expanded.rs"));
            }
        }
    )*};
}

features! {
    apply bounds column default flatten generic immutable internally_tagged kind list_map recursive rule selectors
}

macro_rules! same_schemas {
    ($($feature:ident::$name:ident $(<$parameter:ty>)?,)*) => {
        #[test]
        fn schemas_are_those_of_the_derives() {
            $(assert_eq!(
                <$feature::written::$name$(<$parameter>)? as CrdSchema>::schema(),
                <$feature::expanded::$name$(<$parameter>)? as CrdSchema>::schema(),
            );)*
        }
    };
}

same_schemas! {
    apply::Container,
    bounds::Replicas,
    column::Status,
    default::Limits,
    flatten::Job,
    generic::Page<String>,
    immutable::Volume,
    internally_tagged::Action,
    kind::Site,
    list_map::Service,
    recursive::Folder,
    rule::Range,
    selectors::Paint,
}

#[test]
fn definitions_are_those_of_the_derives() {
    assert_eq!(kind::written::Site::crd(), kind::expanded::Site::crd());
}
