//! Merges derived types that are versions of one kind.

use super::agree::{self, Facts};
use super::{MergeError, merge};
use crate::CustomResource;
use crate::crd_schema::Shape;
use crate::model::{Conversion, CustomResourceDefinition};

/// Derived types of one group and kind: a tuple of them, in any order.
///
/// It is an error if the types differ in group, kind, plural or scope, if two have the same version, or if not exactly
/// one is the storage version. For [`versions!`](crate::versions!), `cargo check` reports the error at that line; for
/// a plain tuple only `cargo build` reports it.
///
/// If the schemas differ, declare how objects are converted (`#[crd(conversion(webhook(..)))]` or
/// [`Versions::merged_with`]). Without a conversion the server changes only the `apiVersion` of an object, and drops
/// from it what the version's schema does not name.
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
/// type Jobs = crd_runtime::versions!(v1beta1::Job, v1::Job);
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
/// // two types have the version `v1`; give each type its own `version = ".."`
/// type Jobs = crd_runtime::versions!(Job, Job);
/// let crd = Jobs::merged();
/// ```
pub trait Versions {
    /// Does not compile if the types cannot be versions of one kind. The error says what to change.
    #[doc(hidden)]
    const AGREE: ();

    /// Returns the manifest of each type.
    fn definitions() -> Vec<CustomResourceDefinition>;

    /// Returns the name of the CRD, the version and the shape of each type.
    #[doc(hidden)]
    fn shapes() -> Vec<(String, &'static str, Shape)>;

    /// Returns one CRD with all versions.
    ///
    /// # Errors
    /// Every reason why the versions do not form one CRD, each with what to change.
    fn merged() -> Result<CustomResourceDefinition, MergeError> {
        const { Self::AGREE }
        merge(&Self::definitions())
    }

    /// Returns one CRD with all versions, and with this conversion instead of those of the types.
    ///
    /// # Errors
    /// Every reason why the versions do not form one CRD, each with what to change.
    fn merged_with(conversion: Conversion) -> Result<CustomResourceDefinition, MergeError> {
        const { Self::AGREE }
        let mut definitions = Self::definitions();
        for definition in &mut definitions {
            definition.spec.conversion = Some(conversion.clone());
        }
        merge(&definitions)
    }
}

/// The type of several versions of one kind: a tuple of them that is checked where it is written.
///
/// ```ignore
/// Registry::new().crd_versions::<versions!(v1beta1::Job, v1::Job)>().run()
/// ```
///
/// Types that cannot be versions of one kind do not compile, as [`Versions`] says.
#[macro_export]
macro_rules! versions {
    ($($version:ty),+ $(,)?) => {
        <[(); {
            $crate::versions::__agree(&[$($crate::versions::Facts::of::<$version>()),+]);
            0
        }] as $crate::versions::Checked<($($version,)+)>>::Versions
    };
}

/// Names the tuple in [`versions!`](crate::versions!). The macro runs the check to compute the length of an array, and
/// only an array of length 0 implements this trait.
#[doc(hidden)]
pub trait Checked<V> {
    /// The tuple.
    type Versions;
}

impl<V> Checked<V> for [(); 0] {
    type Versions = V;
}

macro_rules! versions_of_tuples {
    ($($name:ident)+) => {
        impl<$($name: CustomResource),+> Versions for ($($name,)+) {
            const AGREE: () = agree::check(&[$(Facts::of::<$name>()),+]);

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
