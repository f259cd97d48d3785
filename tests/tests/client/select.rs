//! Selectors: the fields that a kind has, the values that a field has.

use crd_runtime::client::Selector;
use crd_runtime::{CrdSchema, CustomResource};
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
