//! The definitions that the derives generate from types.
#![expect(missing_docs, reason = "the types are tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::num::{NonZeroI8, NonZeroU32};
use std::time::Duration;

use crd_runtime::compiled::CompiledSchema;
use crd_runtime::model::JsonSchemaProps;
use crd_runtime::{CrdSchema, CustomResource, admit, definition};
use k8s_openapi::api::core::v1::PodTemplateSpec;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A cron-like job.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "stable.example.com", version = "v1", kind = "CronTab", namespaced,
      short_name = "ct", category = "all", status = CronTabStatus)]
#[crd(scale(
    spec = ".spec.replicas",
    status = ".status.replicas",
    selector = ".status.labelSelector"
))]
#[crd(print_column(name = "Age", type = "date", path = ".metadata.creationTimestamp"))]
#[crd(rule(
    "self.minReplicas <= self.replicas",
    message = "minReplicas must not exceed replicas",
    field_path = ".minReplicas"
))]
#[serde(rename_all = "camelCase")]
pub struct CronTabSpec {
    #[crd(pattern = r"^(\d+|\*)(/\d+)?(\s+(\d+|\*)(/\d+)?){4}$", print_column(name = "Spec"))]
    pub cron_spec: String,
    #[crd(minimum = 1, maximum = 10, default = 1, print_column, selectable)]
    pub replicas: i32,
    #[crd(minimum = 0, default = 0)]
    pub min_replicas: i32,
    #[crd(list_type = "map", list_map_keys("name"), max_items = 16)]
    pub ports: Vec<Port>,
    #[crd(immutable, max_items = 5, items(max_length = 63), rule("self.isSorted()"))]
    pub hosts: Vec<String>,
    /// How it starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
    pub action: Action,
}

/// A port.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Port {
    /// Its name.
    pub name: String,
    #[crd(minimum = 1)]
    pub number: u16,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mode {
    Fast,
    Slow,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Action {
    Run {
        command: Vec<String>,
    },
    Http {
        url: String,
        #[crd(minimum = 1)]
        timeout: Option<u32>,
    },
    None,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(rename_all = "camelCase")]
pub struct CronTabStatus {
    pub replicas: i32,
    pub label_selector: String,
}

#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "a case is one line")]
fn check<T: CrdSchema + ?Sized>(want: Value) {
    let got = serde_json::to_value(T::schema()).expect("schemas serialize");
    assert_eq!(got, want);
}

#[test]
fn numbers_have_formats_and_bounds() {
    check::<i8>(json!({"type": "integer", "format": "int32", "minimum": -128, "maximum": 127}));
    check::<u16>(json!({"type": "integer", "format": "int32", "minimum": 0, "maximum": 65535}));
    check::<i32>(json!({"type": "integer", "format": "int32"}));
    check::<u32>(
        json!({"type": "integer", "format": "int64", "minimum": 0, "maximum": 4_294_967_295_u32}),
    );
    check::<i64>(json!({"type": "integer", "format": "int64"}));
    check::<u64>(json!({"type": "integer", "format": "int64", "minimum": 0}));
    check::<NonZeroU32>(
        json!({"type": "integer", "format": "int64", "minimum": 1, "maximum": 4_294_967_295_u32}),
    );
    check::<NonZeroI8>(
        json!({"type": "integer", "format": "int32", "minimum": -128, "maximum": 127,
        "not": {"enum": [0]}}),
    );
    check::<f32>(json!({"type": "number", "format": "float"}));
    check::<f64>(json!({"type": "number", "format": "double"}));
}

#[test]
fn texts_lists_and_maps() {
    check::<char>(json!({"type": "string", "minLength": 1, "maxLength": 1}));
    check::<Option<String>>(json!({"type": "string", "nullable": true}));
    check::<Box<str>>(json!({"type": "string"}));
    check::<Vec<bool>>(json!({"type": "array", "items": {"type": "boolean"}}));
    check::<[bool; 3]>(
        json!({"type": "array", "items": {"type": "boolean"}, "minItems": 3, "maxItems": 3}),
    );
    check::<(bool, bool)>(
        json!({"type": "array", "items": {"type": "boolean"}, "minItems": 2, "maxItems": 2}),
    );
    check::<BTreeSet<String>>(
        json!({"type": "array", "items": {"type": "string"}, "x-kubernetes-list-type": "set"}),
    );
    // The server requires that objects in sets are atomic.
    let schema = <BTreeSet<Port> as CrdSchema>::schema();
    assert_eq!((schema.type_.as_str(), schema.x_list_type), ("array", None));
    check::<BTreeMap<String, bool>>(
        json!({"type": "object", "additionalProperties": {"type": "boolean"}}),
    );
    check::<BTreeMap<Mode, bool>>(json!({"type": "object", "properties": {
        "Fast": {"type": "boolean"}, "Slow": {"type": "boolean"},
    }}));
    check::<()>(
        json!({"type": "object", "nullable": true, "minProperties": 1, "maxProperties": 0}),
    );
    check::<Duration>(json!({"type": "object", "required": ["secs", "nanos"], "properties": {
        "secs": {"type": "integer", "format": "int64", "minimum": 0},
        "nanos": {"type": "integer", "format": "int32", "minimum": 0, "maximum": 999_999_999},
    }}));
}

#[test]
fn open_values_keep_their_content() {
    let any = json!({"nullable": true, "x-kubernetes-preserve-unknown-fields": true});
    check::<Value>(any.clone());
    check::<RawExtension>(any);
    let open = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
    check::<BTreeMap<String, Value>>(open.clone());
    check::<serde_json::Map<String, Value>>(open);
}

#[test]
fn types_of_kubernetes() {
    check::<Time>(json!({"type": "string", "format": "date-time"}));
    check::<IntOrString>(json!({"x-kubernetes-int-or-string": true,
        "minimum": i32::MIN, "maximum": i32::MAX}));
    assert!(Quantity::schema().x_int_or_string);
    let template = PodTemplateSpec::schema();
    let spec = &template.properties.unwrap()["spec"];
    assert_eq!(spec.required.as_deref(), Some(["containers".to_owned()].as_slice()));
}

#[test]
fn enums_are_structural() {
    check::<Mode>(json!({"type": "string", "enum": ["Fast", "Slow"]}));
    check::<Action>(json!({
        "type": "object",
        "required": ["type"],
        "properties": {
            "type": {"type": "string", "enum": ["run", "http", "none"]},
            "command": {"type": "array", "items": {"type": "string"}},
            "url": {"type": "string"},
            "timeout": {"type": "integer", "format": "int64", "minimum": 1,
                "maximum": 4_294_967_295_u32, "nullable": true},
        },
        "oneOf": [
            {"properties": {"type": {"enum": ["run"]}}, "required": ["command"]},
            {"properties": {"type": {"enum": ["http"]}}, "required": ["url"]},
            {"properties": {"type": {"enum": ["none"]}}},
        ],
    }));
    check::<Choice>(json!({
        "type": "object",
        "properties": {"Port": {"type": "string"}, "Host": {"type": "string"}},
        "oneOf": [{"required": ["Port"]}, {"required": ["Host"]}],
    }));
    check::<TextOrNumber>(json!({
        "x-kubernetes-int-or-string": true,
        "anyOf": [
            {"minimum": 1, "maximum": 0},
            {"minimum": -128, "maximum": 127, "minLength": 1, "maxLength": 0},
        ],
    }));
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub enum Choice {
    Port(String),
    Host(String),
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(untagged)]
pub enum TextOrNumber {
    Text(String),
    Number(i8),
}

/// A rule of a variant applies to that variant alone.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
pub enum Ruled {
    #[crd(rule("self.a > 1"))]
    A {
        a: i32,
    },
    B,
}

#[test]
fn rules_of_variants_are_guarded() {
    let rules = Ruled::schema().x_validations.unwrap();
    assert_eq!(rules[0].rule, r#"self.kind != "A" || (self.a > 1)"#);
}

/// The content of a variant, with a rule of its own.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(rule(
    "self.min <= self.max",
    message_expression = "self.min > 1 ? 'at least two' : 'at least one'"
))]
pub struct Range {
    min: i32,
    #[crd(rule("self >= oldSelf"))]
    max: i32,
}

/// The content of another variant, which shares a field and not its rule.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
pub struct Limit {
    max: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind", content = "the-value")]
pub enum AdjacentRules {
    Range(Range),
    Limit(Limit),
    None,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "kind")]
pub enum InternalRules {
    A {
        #[crd(rule("self > 1"))]
        value: Option<i32>,
    },
    B {
        #[crd(rule("size(self) > 1"))]
        value: String,
    },
}

#[test]
fn rules_of_fields_that_variants_share_move_to_the_enum() {
    let rules = |schema: JsonSchemaProps| -> Vec<_> {
        let rules = schema.x_validations.unwrap_or_default().into_iter();
        rules.map(|rule| (rule.rule, rule.field_path, rule.message_expression)).collect()
    };
    let value = "the__dash__value";
    assert_eq!(
        rules(AdjacentRules::schema()),
        [
            (
                format!(
                    "self.kind != \"Range\" || (!has(self.{value}) || \
                     (self.{value}.min <= self.{value}.max))"
                ),
                ".the-value".to_owned(),
                format!("self.{value}.min > 1 ? 'at least two' : 'at least one'"),
            ),
            (
                format!(
                    "self.kind != \"Range\" || (!has(self.{value}) || !has(self.{value}.max) || \
                     !has(oldSelf.{value}) || !has(oldSelf.{value}.max) || \
                     (self.{value}.max >= oldSelf.{value}.max))"
                ),
                ".the-value.max".to_owned(),
                String::new(),
            ),
        ]
    );
    let value = |rule| format!("!has(self.value) || dyn(self.value) == null || ({rule})");
    assert_eq!(
        rules(InternalRules::schema()),
        [
            (
                format!("self.kind != \"A\" || ({})", value("self.value > 1")),
                ".value".to_owned(),
                String::new()
            ),
            (
                format!("self.kind != \"B\" || ({})", value("size(self.value) > 1")),
                ".value".to_owned(),
                String::new()
            ),
        ]
    );
}

/// A kind whose fields have rules of variants.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "example.com", version = "v1", kind = "Variants", namespaced)]
pub struct VariantsSpec {
    adjacent: AdjacentRules,
    internal: InternalRules,
}

#[test]
fn moved_rules_have_the_same_verdicts() {
    let crd = Variants::definition();
    assert_eq!(definition::validate(&crd).to_string(), "[]");
    let schema = CompiledSchema::for_version(&crd, "v1").unwrap();
    let none = json!({"kind": "None"});
    let limit = json!({"kind": "Limit", "the-value": {"max": 0}});
    let range = |min, max| json!({"kind": "Range", "the-value": {"min": min, "max": max}});
    let a = |value| json!({"kind": "A", "value": value});
    let b = json!({"kind": "B", "value": "x"});
    let one = "spec.internal.value: Invalid value: failed rule: self.kind != \"A\" || \
               (!has(self.value) || dyn(self.value) == null || (self.value > 1))";
    for (adjacent, internal, want) in [
        (none.clone(), a(json!(2)), ""),
        (limit, a(Value::Null), ""),
        (range(1, 2), json!({"kind": "A"}), ""),
        (none, a(json!(1)), one),
        (range(2, 1), a(json!(2)), "spec.adjacent.the-value: Invalid value: at least two"),
        (range(1, 1), b, "size(self.value) > 1"),
    ] {
        let object = json!({
            "apiVersion": "example.com/v1",
            "kind": "Variants",
            "metadata": {"name": "a", "namespace": "default"},
            "spec": {"adjacent": adjacent, "internal": internal},
        });
        let text = object.to_string();
        match admit::create(&schema, object) {
            Ok(_) => assert_eq!(want, "", "{text}"),
            Err(rejected) => {
                let errors = rejected.to_string();
                assert!(!want.is_empty() && errors.contains(want), "{text}: {errors}");
            }
        }
    }
}

/// What the derive writes for constraints that are rules.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(exactly_one_of("http", "t-c-p"), at_least_one_of("http", "t-c-p"))]
pub struct OneOf {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[crd(immutable)]
    http: Option<String>,
    #[serde(rename = "t-c-p", skip_serializing_if = "Option::is_none")]
    tcp: Option<String>,
}

#[test]
fn one_of_and_immutable_are_rules() {
    let schema = OneOf::schema();
    let rules: Vec<_> = schema.x_validations.unwrap().into_iter().map(|rule| rule.rule).collect();
    assert_eq!(
        rules,
        [
            "!has(oldSelf.http) || has(self.http)",
            "(has(self.http) ? 1 : 0) + (has(self.t__dash__c__dash__p) ? 1 : 0) == 1",
            "has(self.http) || has(self.t__dash__c__dash__p)",
        ]
    );
}

#[test]
fn a_root_reads_and_writes_its_kind() {
    let object = json!({
        "apiVersion": "stable.example.com/v1",
        "kind": "CronTab",
        "metadata": {"name": "a"},
        "spec": {"cronSpec": "* * * * *", "replicas": 1, "minReplicas": 0, "ports": [], "hosts": [],
            "action": {"type": "none"}},
    });
    let tab: CronTab = serde_json::from_value(object.clone()).unwrap();
    assert_eq!(serde_json::to_value(&tab).unwrap(), object);
    let other = json!({"apiVersion": "v1", "metadata": {}, "spec": object["spec"]});
    let error = serde_json::from_value::<CronTab>(other).unwrap_err();
    assert_eq!(error.to_string(), "apiVersion is `v1`, want `stable.example.com/v1`");
}

#[test]
fn the_definition_has_the_attributes_of_the_kind() {
    let crd = CronTab::crd();
    assert_eq!(crd.metadata.name.as_deref(), Some("crontabs.stable.example.com"));
    assert_eq!(crd, CronTab::crd());
    let version = &crd.spec.versions[0];
    let columns = version.additional_printer_columns.as_ref().unwrap();
    let columns: Vec<_> =
        columns.iter().map(|c| (c.name.as_str(), c.type_.as_str(), c.json_path.as_str())).collect();
    assert_eq!(
        columns,
        [
            ("Spec", "string", ".spec.cronSpec"),
            ("Replicas", "integer", ".spec.replicas"),
            ("Age", "date", ".metadata.creationTimestamp"),
        ]
    );
    let selectable = version.selectable_fields.as_ref().unwrap();
    assert_eq!(selectable[0].json_path, ".spec.replicas");
}

/// Fields whose descriptions come from macros, from a file, and from a comment and an attribute.
#[derive(CrdSchema, Serialize, Deserialize, Debug)]
pub struct Documented {
    #[doc = concat!("One ", "line\n", "and another.")]
    pub joined: String,
    #[doc = include_str!("included.md")]
    pub included: String,
    /// A comment
    #[doc = " of two forms."]
    pub both: String,
}

#[test]
fn descriptions_come_from_macros_too() {
    let schema = Documented::schema();
    let properties = schema.properties.unwrap();
    let of = |name: &str| properties[name].description.as_str();
    assert_eq!(of("joined"), "One line and another.");
    assert_eq!(of("included"), "When to run.\n\nAs cron has it.");
    assert_eq!(of("both"), "A comment of two forms.");
}

/// A part with a rule.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.n > 0"), rule("self.n >= oldSelf.n"))]
pub struct Positive {
    pub n: i32,
}

/// An object that may lack the part.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Parted", namespaced)]
pub struct PartedSpec {
    #[serde(flatten)]
    pub part: Option<Positive>,
    pub more: bool,
}

#[test]
fn rules_of_an_optional_part_apply_if_it_is_present() {
    let schema = CompiledSchema::for_version(&Parted::definition(), "v1").unwrap();
    let object = |spec: Value| {
        json!({"apiVersion": "example.com/v1", "kind": "Parted",
            "metadata": {"name": "a", "namespace": "b"}, "spec": spec})
    };
    let rules = &Parted::definition().spec.versions[0].schema;
    assert!(admit::create(&schema, object(json!({"more": true}))).is_ok(), "{rules:?}");
    assert!(admit::create(&schema, object(json!({"more": true, "n": 1}))).is_ok());
    let error = admit::create(&schema, object(json!({"more": true, "n": 0}))).unwrap_err();
    assert!(error.to_string().contains("self.n > 0"), "{error}");
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Listed {
    #[crd(list_type = "map", list_map_keys("name"), default = json!([{"name": "a", "number": 1}, {"name": "a", "number": 2}]))]
    ports: Vec<Port>,
    #[crd(default = Option::<i32>::None)]
    nothing: i32,
}

#[test]
fn defaults_that_no_object_can_have_are_found_with_the_definition() {
    // The derives write the error into `type`, where the validation of the definition reports it.
    let properties = Listed::schema().properties.unwrap();
    assert!(properties["ports"].type_.contains("has a duplicate item"));
    assert!(properties["nothing"].type_.contains("is `null` in JSON"));
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[crd(group = "stable.example.com", version = "v1", kind = "Cache", namespaced)]
pub struct CacheSpec {
    #[crd(minimum = 1)]
    pub size: i32,
}

/// An update takes from the stored object what a client leaves out.
#[test]
fn typed_updates_keep_what_the_server_sets() {
    let schema = CompiledSchema::of::<Cache>().expect("a schema");
    let cache = |size| Cache::new("c", CacheSpec { size });
    let mut old = admit::create_typed(&schema, &cache(3)).expect("valid");
    assert_eq!(old.metadata.namespace.as_deref(), Some("default"));
    old.metadata.namespace = None;
    old.metadata.uid = Some("u".to_owned());
    let new = admit::update_typed(&schema, &cache(4), &old).expect("valid");
    assert_eq!(new.spec.size, 4);
    assert_eq!(new.metadata.namespace.as_deref(), Some("default"));
    assert_eq!(new.metadata.uid.as_deref(), Some("u"));
    assert_eq!(new.metadata.resource_version.as_deref(), Some("1"));

    old.metadata.resource_version = Some("7".to_owned());
    let mut named = cache(5);
    named.metadata.namespace = Some("default".to_owned());
    named.metadata.resource_version = Some("7".to_owned());
    let new = admit::update_typed(&schema, &named, &old).expect("valid");
    assert_eq!(new.metadata.resource_version.as_deref(), Some("7"));
    assert!(admit::update_typed(&schema, &cache(0), &old).is_err());
}
