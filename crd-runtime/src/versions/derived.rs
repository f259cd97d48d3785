//! Derived types as versions of one kind.

use super::agree::{self, Said};
use super::{MergeError, merge};
use crate::CustomResource;
use crate::crd_schema::Shape;
use crate::model::{Conversion, CustomResourceDefinition};

/// Derived types of one group and kind: a tuple of them, in any order.
///
/// Types that disagree in group, kind, plural, scope or version, or of which not exactly one is the storage
/// version, do not compile where they are merged. `cargo check` finds that too, where it is told to look:
///
/// ```
/// # use crd_runtime::{CustomResource, CrdSchema};
/// # mod v1beta1 {
/// #     #[derive(crd_runtime::CustomResource, serde::Serialize, serde::Deserialize, Clone, Debug)]
/// #     #[crd(group = "example.com", version = "v1beta1", kind = "Job", namespaced, storage = false)]
/// #     pub struct JobSpec {}
/// # }
/// # mod v1 {
/// #     #[derive(crd_runtime::CustomResource, serde::Serialize, serde::Deserialize, Clone, Debug)]
/// #     #[crd(group = "example.com", version = "v1", kind = "Job", namespaced)]
/// #     pub struct JobSpec {}
/// # }
/// use crd_runtime::versions::Versions;
///
/// type Jobs = (v1beta1::Job, v1::Job);
/// const _: () = Jobs::AGREE;
///
/// let crd = Jobs::merged()?;
/// assert_eq!(crd.spec.versions[0].name, "v1");
/// # Ok::<(), crd_runtime::versions::MergeError>(())
/// ```
///
/// ```compile_fail,E0080
/// # use crd_runtime::CustomResource;
/// # #[derive(CustomResource, serde::Serialize, serde::Deserialize, Clone, Debug)]
/// # #[crd(group = "example.com", version = "v1", kind = "Job", namespaced)]
/// # pub struct JobSpec {}
/// # use crd_runtime::versions::Versions;
/// // a version is there twice: give each type its own `version = ".."`
/// const _: () = <(Job, Job)>::AGREE;
/// ```
pub trait Versions {
    /// Fails to compile where the types cannot be versions of one kind, and says what to change.
    const AGREE: ();

    /// The manifest of each.
    fn definitions() -> Vec<CustomResourceDefinition>;

    /// The name of the CRD, the version and the shape of each.
    #[doc(hidden)]
    fn shapes() -> Vec<(String, &'static str, Shape)>;

    /// One CRD of all.
    ///
    /// # Errors
    /// All that keeps the versions from being one CRD, each with what to change.
    fn merged() -> Result<CustomResourceDefinition, MergeError> {
        const { Self::AGREE }
        merge(&Self::definitions(), false)
    }

    /// One CRD of all, with this conversion in place of what the types say.
    ///
    /// # Errors
    /// All that keeps the versions from being one CRD, each with what to change.
    fn merged_with(conversion: Conversion) -> Result<CustomResourceDefinition, MergeError> {
        const { Self::AGREE }
        let mut definitions = Self::definitions();
        for definition in &mut definitions {
            definition.spec.conversion = Some(conversion.clone());
        }
        merge(&definitions, false)
    }
}

macro_rules! versions_of_tuples {
    ($($name:ident)+) => {
        impl<$($name: CustomResource),+> Versions for ($($name,)+) {
            const AGREE: () = agree::check(&[$(Said::by::<$name>()),+]);

            fn definitions() -> Vec<CustomResourceDefinition> {
                vec![$($name::definition()),+]
            }

            fn shapes() -> Vec<(String, &'static str, Shape)> {
                vec![$(($name::crd_name(), $name::VERSION, $name::SHAPE)),+]
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
