//! What is known of kinds, for templates. `docs --format json` prints it.

use serde::Serialize;
use serde_json::Value;

use crate::yaml;

/// The kinds of a page.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Reference {
    pub(super) title: String,
    /// By group and kind.
    pub(super) kinds: Vec<Kind>,
}

/// A kind.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "they are the keys of the model")]
pub(super) struct Kind {
    /// `crontab.stable.example.com`
    pub(super) anchor: String,
    /// The name of the definition: `crontabs.stable.example.com`.
    pub(super) name: String,
    pub(super) group: String,
    pub(super) kind: String,
    pub(super) plural: String,
    pub(super) short_names: Vec<String>,
    pub(super) categories: Vec<String>,
    /// `Namespaced` or `Cluster`.
    pub(super) scope: String,
    /// The most stable one first.
    pub(super) versions: Vec<Version>,
}

/// A version of a kind.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
#[expect(clippy::struct_field_names, reason = "they are the keys of the model")]
#[serde(rename_all = "camelCase")]
pub(super) struct Version {
    /// `crontab.stable.example.com-v1`
    pub(super) anchor: String,
    pub(super) name: String,
    /// `stable.example.com/v1`
    pub(super) api_version: String,
    pub(super) is_served: bool,
    pub(super) is_stored: bool,
    pub(super) is_deprecated: bool,
    /// The warning of the server, if it is deprecated.
    pub(super) deprecation: Option<String>,
    /// Markdown.
    pub(super) description: String,
    pub(super) has_status: bool,
    /// The path of the replicas, if the subresource scale is there.
    pub(super) scale: Option<String>,
    pub(super) columns: Vec<Column>,
    pub(super) selectable_fields: Vec<String>,
    /// Rules and constraints of whole objects.
    pub(super) rules: Vec<Rule>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) fields: Vec<Field>,
    pub(super) examples: Vec<Example>,
    /// Why there is no example.
    pub(super) no_example: Option<String>,
}

/// A field, with those below it.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Field {
    /// `crontab.stable.example.com-v1-spec.ports.name`
    pub(super) anchor: String,
    pub(super) name: String,
    /// `spec.ports[].name`
    pub(super) path: String,
    /// `string`, `[]object`, `map[string]integer`
    #[serde(rename = "type")]
    pub(super) type_: String,
    /// Markdown.
    pub(super) description: String,
    pub(super) is_required: bool,
    pub(super) is_nullable: bool,
    pub(super) default: Option<Value>,
    #[serde(rename = "enum")]
    pub(super) values: Vec<Value>,
    pub(super) examples: Vec<Value>,
    pub(super) constraints: Vec<Constraint>,
    pub(super) rules: Vec<Rule>,
    /// The fields of the object, or of each item or value.
    pub(super) fields: Vec<Field>,
    /// Whether there are fields below that were left out because of their depth.
    pub(super) is_cut: bool,
}

/// What a value has to satisfy: the label, the value and the unit in this order are a phrase.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Constraint {
    pub(super) keyword: &'static str,
    /// `at least`
    pub(super) label: String,
    pub(super) value: Option<Value>,
    /// `characters`
    pub(super) unit: &'static str,
}

/// A rule in CEL.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "they are the keys of the model")]
pub(super) struct Rule {
    pub(super) rule: String,
    pub(super) message: Option<String>,
    /// An expression for the message.
    pub(super) message_expression: Option<String>,
    /// Whether it compares with the old value, in updates.
    pub(super) is_transition: bool,
    /// `each item` or `each value`, if it is not about the field itself.
    pub(super) of: Option<&'static str>,
}

/// A column of `kubectl get`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Column {
    pub(super) name: String,
    #[serde(rename = "type")]
    pub(super) type_: String,
    pub(super) json_path: String,
    pub(super) description: String,
    /// Whether only `kubectl get -o wide` shows it.
    pub(super) is_wide: bool,
}

/// An object that the server admits.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Example {
    pub(super) title: &'static str,
    pub(super) object: Value,
    pub(super) yaml: String,
}

impl Example {
    pub(super) fn of(title: &'static str, object: Value) -> Self {
        let yaml = yaml::to_string(&object);
        Self { title, object, yaml }
    }
}
