//! Types of other crates.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::ops::{Bound, Range, RangeFrom, RangeInclusive, RangeTo};
use std::time::Duration;

use arbitrary::Arbitrary;
use crd_runtime::__private::k8s_openapi::api::core::v1::{ObjectReference, PodTemplateSpec};
use crd_runtime::__private::k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use crd_runtime::__private::k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use crd_runtime::__private::k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use crd_runtime::__private::k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::plain::specimen;
use super::values;

specimen! {
    pub(crate) struct Raw { #[arbitrary(with = values::raw_extension)] a: RawExtension }

    pub(crate) struct Ports { #[arbitrary(with = values::int_or_string)] a: IntOrString }

    pub(crate) struct Resources { #[arbitrary(with = values::quantity)] a: Quantity }

    pub(crate) struct Times { #[arbitrary(with = values::time)] a: Time }

    pub(crate) struct Conditions { #[crd(list_type = "map", list_map_keys("type"))] #[arbitrary(with = values::conditions)] a: Vec<Condition> }

    pub(crate) struct References { #[arbitrary(with = values::object_reference)] a: ObjectReference }

    pub(crate) struct Template { #[arbitrary(with = values::pod_template)] template: PodTemplateSpec }

    pub(crate) struct Durations { #[arbitrary(with = values::duration)] a: Duration }

    pub(crate) struct PreservedValue { #[crd(preserve_unknown_fields = true)] #[arbitrary(with = values::json_object)] a: Value }

    pub(crate) struct Addresses { a: IpAddr, b: Ipv4Addr, c: Ipv6Addr }

    pub(crate) struct Sockets { a: SocketAddr, b: SocketAddrV4, c: SocketAddrV6 }

    pub(crate) struct Ranges { a: Range<i32>, b: RangeInclusive<u8>, c: RangeFrom<String>, d: RangeTo<Option<bool>> }

    pub(crate) struct Bounds { a: Bound<u8>, b: Bound<String>, c: Option<Bound<bool>> }

    pub(crate) struct Results { a: Result<u8, String>, b: Result<Range<u8>, IpAddr>, c: Option<Result<(), bool>> }

    pub(crate) struct IntOrText { #[crd(int_or_string = true)] #[arbitrary(with = int_or_text)] a: Value }
}

fn int_or_text(u: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Value> {
    Ok(if u.arbitrary()? { u.arbitrary::<i32>()?.into() } else { values::word(u)?.into() })
}
