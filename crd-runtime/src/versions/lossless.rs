//! The test that conversions lose nothing, as a macro.

/// Defines a test that conversion between the versions of a kind loses nothing: generated objects of each version are
/// converted to the hub and back, and objects of the hub to each version and back, and must come back unchanged.
///
/// Each object is also converted without one of its parts, as server-side apply does. Fields that such an object lacks
/// are filled in with generated values; if a conversion accepts only some values, give an example that it accepts, as in
/// `#[crd(example = "localhost:80")]`. Its letters and digits are varied.
///
/// ```
/// # use crd_runtime::CustomResource;
/// # use crd_runtime::convert::{ConvertTo, Converter};
/// # use serde::{Deserialize, Serialize};
/// # use std::convert::Infallible;
/// # mod v1beta1 {
/// #     #[derive(crd_runtime::CustomResource, serde::Serialize, serde::Deserialize, Clone, Debug)]
/// #     #[crd(group = "example.com", version = "v1beta1", kind = "Job", namespaced, storage = false)]
/// #     pub struct JobSpec { pub command: String }
/// # }
/// # mod v1 {
/// #     #[derive(crd_runtime::CustomResource, serde::Serialize, serde::Deserialize, Clone, Debug)]
/// #     #[crd(group = "example.com", version = "v1", kind = "Job", namespaced)]
/// #     #[crd(conversion(webhook(url = "https://example.com/convert")))]
/// #     pub struct JobSpec { pub run: String }
/// # }
/// # impl ConvertTo<v1::Job> for v1beta1::Job {
/// #     type Error = Infallible;
/// #     fn convert_to(self) -> Result<v1::Job, Infallible> {
/// #         Ok(v1::Job { metadata: self.metadata, spec: v1::JobSpec { run: self.spec.command } })
/// #     }
/// # }
/// # impl ConvertTo<v1beta1::Job> for v1::Job {
/// #     type Error = Infallible;
/// #     fn convert_to(self) -> Result<v1beta1::Job, Infallible> {
/// #         Ok(v1beta1::Job { metadata: self.metadata, spec: v1beta1::JobSpec { command: self.spec.run } })
/// #     }
/// # }
/// # fn converter() -> Converter { Converter::of::<v1::Job>().both_ways::<v1beta1::Job, v1::Job>() }
/// crd_runtime::conversions_lose_nothing! {
///     jobs_convert: converter(), hub = v1::Job, versions = [v1beta1::Job],
///     samples = [serde_json::json!({"apiVersion": "example.com/v1beta1", "spec": {"command": "true"}})],
/// }
/// ```
///
/// Samples can be omitted if the conversion accepts all objects that are valid by the schemas.
#[macro_export]
macro_rules! conversions_lose_nothing {
    (
        $name:ident: $converter:expr, hub = $hub:ty, versions = [$($version:ty),+ $(,)?]
        $(, samples = [$($sample:expr),* $(,)?])? $(,)?
    ) => {
        #[test]
        fn $name() {
            const _: () = <($hub, $($version),+) as $crate::versions::Versions>::AGREE;
            // `merge` needs no conversion in the types, because the webhook may be configured elsewhere.
            let definitions = <($hub, $($version),+) as $crate::versions::Versions>::definitions();
            let definition = $crate::versions::merge(&definitions)
                .unwrap_or_else(|error| ::core::panic!("{error}"));
            let hub = <$hub as $crate::CustomResource>::VERSION;
            let test = $crate::convert::RoundTrip::new($converter, definition, hub)
                $($(.sample($sample))*)?;
            if let ::core::result::Result::Err(error) = test.check() {
                ::core::panic!("{error}");
            }
        }
    };
}
