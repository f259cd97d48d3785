//! Derived types as versions of one kind.

use super::{MergeError, merge};
use crate::CustomResource;
use crate::model::CustomResourceDefinition;

/// Derived types of one group and kind: a tuple of them, in any order.
pub trait Versions {
    /// The manifest of each.
    fn definitions() -> Vec<CustomResourceDefinition>;

    /// One CRD of all.
    ///
    /// # Errors
    /// All that keeps the versions from being one CRD, each with what to change.
    fn merged() -> Result<CustomResourceDefinition, MergeError> {
        merge(&Self::definitions(), false)
    }
}

macro_rules! versions_of_tuples {
    ($($name:ident)+) => {
        impl<$($name: CustomResource),+> Versions for ($($name,)+) {
            fn definitions() -> Vec<CustomResourceDefinition> {
                vec![$($name::definition()),+]
            }
        }
    };
}

versions_of_tuples!(A);
versions_of_tuples!(A B);
versions_of_tuples!(A B C);
versions_of_tuples!(A B C D);
versions_of_tuples!(A B C D E);
versions_of_tuples!(A B C D E F);
