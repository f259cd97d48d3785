//! JSON with the keys of objects in the order of the fields of their Go types, as the server writes it. Keys of maps, and
//! those of custom resources, are sorted.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::go_types::{self, GoType, NamedType, TypeDefinition, definition};
use crate::json;
use crd_cel::kubernetes::KubernetesVersion;

/// The types without a Go type in the table, and those of metadata of lists: the fields, each with its type if that is
/// one of them too.
const TYPES: &str = "\
Status kind apiVersion metadata:ListMeta status message reason details:StatusDetails code
StatusDetails name group kind uid causes:StatusCause retryAfterSeconds
StatusCause reason message field
ListMeta selfLink resourceVersion continue remainingItemCount
Table kind apiVersion metadata:ListMeta columnDefinitions:Column rows:Row
Column name type format description priority
Row cells conditions object:Object
PartialObjectMetadata kind apiVersion metadata:ObjectMeta
PartialObjectMetadataList kind apiVersion metadata:ListMeta items:PartialObjectMetadata
APIVersions kind apiVersion versions serverAddressByClientCIDRs:ServerAddress
ServerAddress clientCIDR serverAddress
APIGroupList kind apiVersion groups:APIGroup
APIGroup kind apiVersion name versions:GroupVersion preferredVersion:GroupVersion serverAddressByClientCIDRs:ServerAddress
GroupVersion groupVersion version
APIResourceList kind apiVersion groupVersion resources:APIResource
APIResource name singularName namespaced group version kind verbs shortNames categories storageVersionHash
APIGroupDiscoveryList kind apiVersion metadata:ListMeta items:APIGroupDiscovery
APIGroupDiscovery metadata:ObjectMeta versions:APIVersionDiscovery
APIVersionDiscovery version resources:APIResourceDiscovery freshness
APIResourceDiscovery resource responseKind:Kind scope singularResource verbs shortNames categories subresources:APISubresourceDiscovery
APISubresourceDiscovery subresource responseKind:Kind acceptedTypes:Kind verbs
Kind group version kind
";

/// What is known of the order of keys at a place.
#[derive(Clone, Copy)]
enum Order {
    /// The keys are sorted, here and below.
    Sorted,
    /// A struct of the table of Go types.
    Struct(&'static NamedType),
    /// A Go type.
    Type(&'static GoType),
    /// A line of [`TYPES`].
    Known(&'static str),
    /// A whole object, whose own `kind` decides.
    Object,
    /// A list of objects of this type.
    List(&'static NamedType),
}

/// Returns an object as JSON.
pub(super) fn to_string(object: &Value) -> String {
    let mut text = String::new();
    write(object, Order::Object, &mut text);
    text
}

/// Returns a value of a type, or a list of such values, as JSON.
pub(super) fn of_type(value: &Value, type_: &'static NamedType) -> String {
    let mut text = String::new();
    write(value, Order::Struct(type_), &mut text);
    text
}

/// The recursion follows the object, whose depth is limited.
fn write(value: &Value, order: Order, text: &mut String) {
    match (value, order) {
        (Value::Object(map), Order::Object) => write(value, order_of(map), text),
        (_, Order::Sorted)
        | (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_), _) => {
            text.push_str(&json::to_go_string(value));
        }
        (Value::Array(items), order) => {
            let order = match order {
                Order::Type(type_) => match type_.plain() {
                    GoType::List(items) | GoType::SchemaOr(items, _) => Order::Type(items),
                    _ => Order::Sorted,
                },
                order => order,
            };
            enclose(text, ['[', ']'], items, |item, text| write(item, order, text));
        }
        (Value::Object(map), order) => write_map(map, order, text),
    }
}

fn enclose<T>(
    text: &mut String,
    [open, close]: [char; 2],
    items: impl IntoIterator<Item = T>,
    mut each: impl FnMut(T, &mut String),
) {
    text.push(open);
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        each(item, text);
    }
    text.push(close);
}

fn write_map(map: &Map<String, Value>, order: Order, text: &mut String) {
    let entry = |(key, value, order): (&str, &Value, Order), text: &mut String| {
        json::write_string(text, key);
        text.push(':');
        write(value, order, text);
    };
    let of_values = match order {
        Order::Type(type_) => match type_.plain() {
            GoType::Named(named) if matches!(named.definition(), TypeDefinition::Struct(_)) => {
                return write_map(map, Order::Struct(named), text);
            }
            GoType::SchemaOr(schema, _) => return write_map(map, Order::Type(schema), text),
            GoType::Map(_, values) => Order::Type(values),
            _ => Order::Sorted,
        },
        order => {
            // The keys are sorted, so those without a rank follow the others in this order.
            let mut entries: Vec<(usize, &str, &Value, Order)> = map
                .iter()
                .map(|(key, value)| {
                    let (rank, order) = field_of(order, key).unwrap_or((usize::MAX, Order::Sorted));
                    (rank, key.as_str(), value, order)
                })
                .collect();
            entries.sort_by_key(|(rank, ..)| *rank);
            let entries = entries.into_iter().map(|(_, key, value, order)| (key, value, order));
            return enclose(text, ['{', '}'], entries, entry);
        }
    };
    let entries = map.iter().map(|(key, value)| (key.as_str(), value, of_values));
    enclose(text, ['{', '}'], entries, entry);
}

/// Returns the order of the keys of an object.
fn order_of(map: &Map<String, Value>) -> Order {
    let text = |key: &str| map.get(key).and_then(Value::as_str).unwrap_or_default();
    let (kind, version) = (text("kind"), text("apiVersion"));
    let (group, version) = version.rsplit_once('/').unwrap_or(("", version));
    let of_kind = |kind: &str| match (group, kind) {
        (definition::GROUP, "CustomResourceDefinition") => go_types::named(definition::ROOT),
        _ => go_types::of_kind(group, version, kind),
    };
    if let Some(type_) = of_kind(kind) {
        return Order::Struct(type_);
    }
    if let Some(type_) = kind.strip_suffix("List").and_then(of_kind) {
        return Order::List(type_);
    }
    let known = KNOWN.get_key_value(kind).map(|(name, _)| *name);
    let is_own = matches!(group, "" | "meta.k8s.io" | "apidiscovery.k8s.io");
    known.filter(|_| is_own).map_or(Order::Sorted, Order::Known)
}

/// The fields of each line of [`TYPES`].
static KNOWN: LazyLock<HashMap<&str, Vec<(&str, Order)>>> = LazyLock::new(|| {
    let lines = TYPES.lines().map(|line| line.split(' '));
    let fields = lines.filter_map(|mut words| Some((words.next()?, words.map(of_word).collect())));
    fields.collect()
});

/// Returns the place of a field in its struct, and the order of the keys of its value.
fn field_of(order: Order, key: &str) -> Option<(usize, Order)> {
    let in_list = |items: Order| match key {
        "kind" => Some((0, Order::Sorted)),
        "apiVersion" => Some((1, Order::Sorted)),
        "metadata" => Some((2, Order::Known("ListMeta"))),
        "items" => Some((3, items)),
        _ => None,
    };
    let of = |fields: Option<&Vec<(&str, Order)>>| {
        let mut fields = fields?.iter().enumerate();
        fields.find(|(_, (name, _))| *name == key).map(|(place, (_, order))| (place, *order))
    };
    match order {
        Order::Struct(type_) => {
            let (mut place, field) = type_.place_of(key, KubernetesVersion::REFERENCE.minor())?;
            if type_.name == definition::SCHEMA {
                // The fields of schemas are listed in the order of another type.
                place = field.numbers.first().map_or(place, |number| *number as usize);
            }
            Some((place, Order::Type(&field.type_)))
        }
        Order::List(type_) => in_list(Order::Struct(type_)),
        Order::Known(name) => of(KNOWN.get(name)),
        Order::Sorted | Order::Type(_) | Order::Object => None,
    }
}

/// Returns the field of a word such as `items:PartialObjectMetadata`.
fn of_word(word: &'static str) -> (&'static str, Order) {
    let (name, type_) = word.split_once(':').unwrap_or((word, ""));
    let order = match type_ {
        "" => Order::Sorted,
        "Object" => Order::Object,
        "ObjectMeta" => object_meta(),
        known => Order::Known(known),
    };
    (name, order)
}

fn object_meta() -> Order {
    go_types::named("meta.v1.ObjectMeta").map_or(Order::Sorted, Order::Struct)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(object: &Value, want: &str) {
        assert_eq!(to_string(object), want);
    }

    #[test]
    fn built_in_kinds_have_the_order_of_go() {
        let container =
            json!({"image": "i", "name": "c", "resources": {"limits": {"cpu": "1"}, "claims": []}});
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod", "spec": {"restartPolicy": "Never", "containers": [container]},
            "metadata": {"uid": "u", "name": "p", "labels": {"b": "1", "a": "2"}}, "extra": {"b": 1, "a": 2},
        });
        let text = "{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"p\",\"uid\":\"u\",\
                    \"labels\":{\"a\":\"2\",\"b\":\"1\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\",\
                    \"resources\":{\"limits\":{\"cpu\":\"1\"},\"claims\":[]}}],\"restartPolicy\":\"Never\"},\
                    \"extra\":{\"a\":2,\"b\":1}}";
        check(&pod, text);
        let mut item = pod;
        item.as_object_mut().expect("an object").retain(|key, _| key == "metadata");
        check(
            &json!({"apiVersion": "v1", "kind": "PodList", "items": [item], "metadata": {"resourceVersion": "1"}}),
            "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"1\"},\
             \"items\":[{\"metadata\":{\"name\":\"p\",\"uid\":\"u\",\"labels\":{\"a\":\"2\",\"b\":\"1\"}}}]}",
        );
    }

    #[test]
    fn definitions_and_statuses_have_the_order_of_go() {
        check(
            &json!({
                "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                "spec": {"versions": [{"schema": {"openAPIV3Schema": {
                    "properties": {"b": {"type": "string", "description": "d"}, "a": {"type": "array", "items": {
                        "type": "object", "nullable": true, "description": "e",
                    }}}, "type": "object",
                }}, "name": "v1", "deprecated": true, "served": true}], "group": "g"},
            }),
            "{\"kind\":\"CustomResourceDefinition\",\"apiVersion\":\"apiextensions.k8s.io/v1\",\"spec\":{\"group\":\"g\",\
             \"versions\":[{\"name\":\"v1\",\"served\":true,\"deprecated\":true,\"schema\":{\"openAPIV3Schema\":{\
             \"type\":\"object\",\"properties\":{\"a\":{\"type\":\"array\",\"items\":{\"description\":\"e\",\
             \"type\":\"object\",\"nullable\":true}},\"b\":{\"description\":\"d\",\"type\":\"string\"}}}}}]}}",
        );
        check(
            &json!({
                "kind": "Status", "apiVersion": "v1", "metadata": {}, "code": 404, "message": "m", "status": "Failure",
                "reason": "NotFound", "details": {"kind": "pods", "name": "a"},
            }),
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"m\",\
             \"reason\":\"NotFound\",\"details\":{\"name\":\"a\",\"kind\":\"pods\"},\"code\":404}",
        );
    }

    #[test]
    fn custom_resources_are_sorted() {
        let text = "{\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"a\",\"uid\":\"u\"}}";
        check(
            &json!({"kind": "Widget", "apiVersion": "example.com/v1", "metadata": {"uid": "u", "name": "a"}}),
            text,
        );
    }
}
