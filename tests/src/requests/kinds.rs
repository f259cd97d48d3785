//! The definitions whose objects are written: one with most keywords of schemas, and one without restrictions.

use crd_fixtures::crd;
use serde_json::{Value, json};

use super::step::Step;

/// The group of both definitions.
pub(super) const GROUP: &str = "demo.example.com";

/// The beginning of the paths of old widgets.
const OLD: &str = "/apis/demo.example.com/v1beta1/";

/// The resources whose objects are written.
pub(super) const PLURALS: [&str; 3] = ["widgets", "gadgets", "configmaps"];

/// A kind whose objects are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Widgets,
    /// The objects of `Widgets` in another version.
    OldWidgets,
    Gadgets,
    ConfigMaps,
}

impl Target {
    /// Returns the path of its objects in the namespace of the run.
    pub(super) fn path(self) -> String {
        self.place("namespaces/{{namespace}}/")
    }

    /// Returns the path of its objects in all namespaces.
    pub(super) fn everywhere(self) -> String {
        self.place("")
    }

    fn place(self, namespace: &str) -> String {
        match self {
            Self::Widgets => format!("/apis/{GROUP}/v1/{namespace}widgets"),
            Self::OldWidgets => format!("/apis/{GROUP}/v1beta1/{namespace}widgets"),
            Self::Gadgets => format!("/apis/{GROUP}/v1/gadgets"),
            Self::ConfigMaps => format!("/api/v1/{namespace}configmaps"),
        }
    }

    pub(super) fn api_version(self) -> String {
        match self {
            Self::Widgets | Self::Gadgets => format!("{GROUP}/v1"),
            Self::OldWidgets => format!("{GROUP}/v1beta1"),
            Self::ConfigMaps => "v1".to_owned(),
        }
    }

    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Widgets | Self::OldWidgets => "Widget",
            Self::Gadgets => "Gadget",
            Self::ConfigMaps => "ConfigMap",
        }
    }

    pub(super) fn is_widget(self) -> bool {
        matches!(self, Self::Widgets | Self::OldWidgets)
    }

    pub(super) fn is_custom(self) -> bool {
        self != Self::ConfigMaps
    }
}

/// The definitions. With a conversion, the fields of widgets have other names in the old version ([`renamed`]).
pub(super) fn definitions(conversion: Option<&Value>) -> [Value; 2] {
    let mut widgets = widgets();
    if let Some(conversion) = conversion {
        widgets["spec"]["conversion"] = conversion.clone();
        let old = &mut widgets["spec"]["versions"][1];
        if let Ok(other) = serde_json::from_str(&renamed(&old.to_string())) {
            *old = other;
        }
    }
    [widgets, gadgets()]
}

/// The names of fields in `v1` and in the old version, if a webhook converts. They are fields of the spec; `replicas`
/// is also one of the status.
pub(super) const RENAMED: [(&str, &str); 4] =
    [("note", "remark"), ("replicas", "count"), ("tags", "marks"), ("weight", "mass")];

/// Replaces the names of fields in JSON by those of the old version: keys, paths and what rules select.
pub(super) fn renamed(json: &str) -> String {
    let mut out = json.to_owned();
    for (new, old) in RENAMED {
        out = out.replace(&format!("\"{new}\":"), &format!("\"{old}\":"));
        // `elf.` ends both `self.` and `oldSelf.`.
        for before in ["/spec/", "/status/", ".spec.", ".status.", "elf.", "\"."] {
            out = out.replace(&format!("{before}{new}"), &format!("{before}{old}"));
        }
    }
    out
}

/// Replaces the names of fields in the body of a request for old widgets.
pub(super) fn rename_in(step: &mut Step) {
    let path = step.path_without_query();
    if path.starts_with(OLD) && !path.ends_with("/scale") {
        step.body = renamed(&step.body);
    }
}

fn widgets() -> Value {
    let spec = json!({
        "type": "object",
        "required": ["color"],
        "properties": {
            "color": {"type": "string", "enum": ["red", "green", "blue"], "default": "red"},
            "replicas": {"type": "integer", "format": "int32", "minimum": 0, "maximum": 9, "default": 1},
            "size": {"x-kubernetes-int-or-string": true},
            "weight": {"type": "number"},
            "note": {"type": "string", "maxLength": 12, "nullable": true},
            "tags": {"type": "array", "x-kubernetes-list-type": "set", "maxItems": 4, "items": {"type": "string"}},
            "ports": {
                "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
                "items": {
                    "type": "object", "required": ["name"],
                    "properties": {
                        "name": {"type": "string"}, "port": {"type": "integer", "default": 80},
                        "hosts": {"type": "array", "items": {"type": "string"}},
                    },
                },
            },
            "limits": {"type": "object", "additionalProperties": {"type": "integer"}},
            "place": {
                "type": "object", "x-kubernetes-map-type": "atomic",
                "properties": {"x": {"type": "integer"}, "y": {"type": "integer", "default": 0}},
            },
            "extra": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
        },
        "x-kubernetes-validations": [
            {"rule": "self.replicas < 6 || self.color != 'blue'", "message": "blue ones are few"},
            {"rule": "!has(oldSelf.weight) || has(self.weight)", "message": "weight stays", "fieldPath": ".weight"},
        ],
    });
    let status = json!({
        "type": "object",
        "properties": {
            "replicas": {"type": "integer", "minimum": 0}, "selector": {"type": "string"},
            "conditions": {
                "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"],
                "items": {
                    "type": "object", "required": ["type"],
                    "properties": {"type": {"type": "string"}, "status": {"type": "string"}},
                },
            },
        },
    });
    let version = |name: &str, is_storage: bool| {
        json!({
            "name": name, "served": true, "storage": is_storage,
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec, "status": status}}},
            "subresources": {"status": {}, "scale": {
                "specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas",
                "labelSelectorPath": ".status.selector",
            }},
            "selectableFields": [{"jsonPath": ".spec.color"}, {"jsonPath": ".spec.replicas"}],
        })
    };
    let (mut new, mut old) = (version("v1", true), version("v1beta1", false));
    new["additionalPrinterColumns"] = json!([
        {"name": "Color", "type": "string", "jsonPath": ".spec.color", "description": "Its color"},
        {"name": "Replicas", "type": "integer", "format": "int32", "jsonPath": ".spec.replicas"},
        {"name": "Weight", "type": "number", "jsonPath": ".spec.weight", "priority": 1},
        {"name": "Hosts", "type": "string", "jsonPath": ".spec.ports[*].hosts"},
        {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
    ]);
    old["deprecated"] = true.into();
    // The server rejects equal `selectableFields` in all versions if the schemas differ.
    old["selectableFields"] = json!([{"jsonPath": ".spec.color"}]);
    old["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"]["replicas"]["default"] =
        2.into();
    crd(GROUP, "Widget")
        .set("/spec/names/shortNames", ["wd"])
        .set("/spec/names/categories", ["all"])
        .set("/spec/versions", [new, old])
        .json()
}

fn gadgets() -> Value {
    let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    crd(GROUP, "Gadget").cluster().version("v1", any).json()
}
