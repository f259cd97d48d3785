//! A kind that another project installs: the types in it have no schema.

use std::collections::BTreeMap;

use crd_runtime::CustomResource;
use k8s_openapi::{Metadata as _, Resource as _};
use serde::{Deserialize, Serialize};

const GROUP: &str = "other.example.com";

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq)]
struct Foreign(BTreeMap<String, (u8, String)>);

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(
    group = GROUP,
    version = "v1alpha1",
    kind = "Widget",
    plural = "widgetry",
    namespaced,
    schema = "disabled",
    status = Foreign,
    derive(PartialEq)
)]
#[serde(rename_all = "camelCase")]
struct WidgetSpec {
    any_form: Foreign,
    #[serde(alias = "old", with = "text")]
    number: u8,
}

mod text {
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &u8, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "other.example.com", version = "v1", kind = "Gadget", cluster, schema = "disabled")]
enum GadgetSpec {
    One,
    Other(Foreign),
}

fn main() {
    assert_eq!(Widget::API_VERSION, "other.example.com/v1alpha1");
    assert_eq!(Widget::URL_PATH_SEGMENT, "widgetry");
    let spec = WidgetSpec { any_form: Foreign(BTreeMap::new()), number: 5 };
    let widget = Widget::new("a", spec);
    assert_eq!(widget.metadata().name.as_deref(), Some("a"));
    let json = serde_json::to_value(&widget).expect("JSON");
    assert_eq!(json["kind"], "Widget");
    assert_eq!(json["spec"]["number"], "5");
    assert_eq!(serde_json::from_value::<Widget>(json).expect("a widget"), widget);
    assert!(matches!(Gadget::new("b", GadgetSpec::One).spec, GadgetSpec::One));
    let _ = GadgetSpec::Other;
}
