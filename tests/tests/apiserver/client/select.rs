//! Selectors, with the fields of a kind and the values of a field.

use std::borrow::Cow;
use std::net::IpAddr;
use std::num::NonZeroU8;
use std::sync::Arc;

use crd_runtime::client::Selector;
use crd_runtime::model::JsonSchemaProps;
use crd_runtime::{CrdSchema, CustomResource};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use kube::api::{ListParams, WatchParams};
use kube::runtime::watcher;
use serde::{Deserialize, Serialize};

/// A widget.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "example.com", version = "v1", kind = "Widget", namespaced, status = WidgetStatus)]
#[crd(selectable(".spec.size"), selectable(".spec.place.rowNumber"))]
#[serde(rename_all = "camelCase")]
pub(crate) struct WidgetSpec {
    #[crd(selectable)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<Color>,
    size: i32,
    #[crd(selectable)]
    is_hidden: bool,
    #[crd(selectable)]
    label: String,
    place: Place,
    #[serde(flatten)]
    more: More,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Copy, Debug, PartialEq)]
enum Color {
    Blue,
    #[serde(rename = "dark,red")]
    DarkRed,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
struct Place {
    row_number: i64,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct More {
    #[crd(selectable)]
    owner: Name,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Name(String);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub(crate) struct WidgetStatus {
    #[crd(selectable)]
    phase: String,
}

#[track_caller]
fn check(selector: &Selector<Widget>, want: &str) {
    assert_eq!(selector.to_string(), want);
}

#[test]
fn each_field_prints_its_path_and_value() {
    let fields = Widget::fields;
    check(&fields().color().eq(Color::Blue), "spec.color=Blue");
    check(&fields().color().ne(&Color::DarkRed), r"spec.color!=dark\,red");
    check(&fields().size().eq(3), "spec.size=3");
    check(&fields().is_hidden().eq(true), "spec.isHidden=true");
    check(&fields().label().eq("a=b\\"), r"spec.label=a\=b\\");
    check(&fields().label().eq(String::from("x")), "spec.label=x");
    check(&fields().place_row_number().eq(3), "spec.place.rowNumber=3");
    check(&fields().more().owner().eq("me"), "spec.owner=me");
    check(&fields().status().phase().eq("Ready"), "status.phase=Ready");
    check(&fields().metadata_name().ne("x"), "metadata.name!=x");
    check(&fields().metadata_namespace().eq("x"), "metadata.namespace=x");
}

#[test]
fn terms_join_and_become_parameters() {
    let selector = Widget::fields().size().eq(3).and(Widget::fields().label().ne(""));
    check(&selector, "spec.size=3,spec.label!=");
    let want = Some("spec.size=3,spec.label!=".to_owned());
    assert_eq!(ListParams::from(selector.clone()).field_selector, want);
    assert_eq!(WatchParams::from(selector.clone()).field_selector, want);
    assert_eq!(watcher::Config::from(selector).field_selector, want);
}

#[test]
fn the_definition_has_the_fields() {
    let crd = Widget::definition();
    let fields = crd.spec.versions[0].selectable_fields.iter().flatten();
    let mut paths: Vec<_> = fields.map(|field| field.json_path.as_str()).collect();
    paths.sort_unstable();
    let want = [
        ".spec.color",
        ".spec.isHidden",
        ".spec.label",
        ".spec.owner",
        ".spec.place.rowNumber",
        ".spec.size",
        ".status.phase",
    ];
    assert_eq!(paths, want);
}

/// Parts behind newtypes, parameters and pointers.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Rack", namespaced)]
pub(crate) struct RackSpec {
    front: Side,
    back: Option<Arc<Side>>,
    first: Slot<i32>,
    second: Slot<Slot<Serial>>,
    #[serde(flatten)]
    wrapped: Wrapped<Slot<bool>>,
}

// The field is less visible than the newtype.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
pub(crate) struct Side(Unit);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Unit {
    #[crd(selectable)]
    label: Cow<'static, str>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Slot<F: Clone> {
    #[crd(selectable)]
    serial: Option<Serial>,
    content: Content<F>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Content<K>
where
    K: Clone,
{
    inside: Wrapped<K>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Wrapped<F>(F);

/// Text in JSON.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(try_from = "String", into = "String")]
struct Serial(u32);

impl From<Serial> for String {
    fn from(Serial(number): Serial) -> Self {
        format!("no-{number}")
    }
}

impl TryFrom<String> for Serial {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.trim_start_matches("no-").parse().map(Self)
    }
}

#[track_caller]
fn check_rack(selector: &Selector<Rack>, want: &str) {
    assert_eq!(selector.to_string(), want);
}

#[test]
fn fields_are_reached_through_newtypes_parameters_and_pointers() {
    let fields = Rack::fields;
    check_rack(&fields().front().label().eq("a"), "spec.front.label=a");
    check_rack(&fields().back().label().ne("a"), "spec.back.label!=a");
    check_rack(&fields().first().serial().eq("no-7"), "spec.first.serial=no-7");
    let inside = fields().second().content().inside();
    check_rack(&inside.serial().eq("no-7"), "spec.second.content.inside.serial=no-7");
    check_rack(&fields().wrapped().serial().eq("no-7"), "spec.serial=no-7");
    let crd = Rack::definition();
    let known = crd.spec.versions[0].selectable_fields.iter().flatten();
    let mut known: Vec<_> = known.map(|field| field.json_path.as_str()).collect();
    known.sort_unstable();
    let want = [
        ".spec.back.label",
        ".spec.first.serial",
        ".spec.front.label",
        ".spec.second.content.inside.serial",
        ".spec.second.serial",
        ".spec.serial",
    ];
    assert_eq!(known, want);
}

/// Fields with types of std and k8s-openapi, one of them with a schema that a function returns.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Parcel", namespaced)]
pub(crate) struct ParcelSpec {
    #[crd(selectable, schema_with = text)]
    address: IpAddr,
    #[crd(selectable)]
    sent: Time,
    #[crd(selectable)]
    grade: char,
    #[crd(selectable)]
    count: NonZeroU8,
    #[crd(selectable)]
    place: Box<str>,
}

fn text() -> JsonSchemaProps {
    JsonSchemaProps::of_type("string")
}

#[test]
fn values_of_other_types_print_as_they_are_written() {
    let fields = Parcel::fields;
    let print = |selector: Selector<Parcel>| selector.to_string();
    assert_eq!(print(fields().address().eq("::1")), "spec.address=::1");
    let sent = Time("2026-01-02T03:04:05Z".parse().expect("a time"));
    assert_eq!(print(fields().sent().eq(&sent)), "spec.sent=2026-01-02T03:04:05Z");
    assert_eq!(print(fields().grade().eq('=')), "spec.grade=\\=");
    assert_eq!(print(fields().count().eq(NonZeroU8::MIN)), "spec.count=1");
    assert_eq!(print(fields().place().eq("here")), "spec.place=here");
}

/// A spec that is another type.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Outer", cluster)]
pub(crate) struct OuterSpec(Unit);

#[test]
fn a_spec_may_be_a_newtype() {
    assert_eq!(Outer::fields().spec().label().eq("a").to_string(), "spec.label=a");
}
