//! Rules that use `oldSelf`, where the server pairs old values with new ones.

use std::collections::BTreeMap;

use crd_runtime::{CrdSchema, CustomResource, definition};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Pool", namespaced)]
struct PoolSpec {
    /// Paired by name.
    #[crd(list_type = "map", list_map_keys("name"), max_items = 4)]
    ports: Vec<Port>,
    /// The newtype is a list of type `map`.
    keyed: Keyed,
    /// The field makes one of it.
    #[crd(list_type = "map", list_map_keys("name"), max_items = 4)]
    made: Plain,
    /// Maps and objects are paired by key, also atomic ones.
    #[crd(max_properties = 4)]
    by_name: BTreeMap<String, Port>,
    #[crd(map_type = "atomic")]
    atomic: Port,
    #[crd(max_properties = 4, values(immutable))]
    labels: BTreeMap<String, String>,
    /// A rule on a list is not below it.
    #[crd(max_items = 4, rule("oldSelf.all(h, h in self)"), items(max_length = 8))]
    hosts: Vec<String>,
    /// A rule on items that asks for no old value.
    #[crd(max_items = 4, items(rule("self != 'oldSelf'"), max_length = 8))]
    names: Vec<String>,
    #[crd(rule("self.all(w, w != '')", message = "no empty words"), max_items = 4, items(max_length = 8))]
    words: Vec<String>,
    /// What is replaced has none of the rules.
    #[crd(schema_with = crd_runtime::crd_schema::open_list)]
    open: Vec<Port>,
    choice: Choice,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Port {
    #[crd(max_length = 8)]
    name: String,
    #[crd(rule("self >= oldSelf"))]
    port: u16,
    #[crd(rule("!oldSelf.hasValue() || self == oldSelf.value()", optional_old_self = true))]
    #[serde(default)]
    fixed: bool,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(list_type = "map", list_map_keys("name"), max_items = 4)]
struct Keyed(Vec<Port>);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Plain(Vec<Port>);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum Choice {
    One(Port),
    Many(#[crd(list_type = "map", list_map_keys("name"), max_items = 4)] Vec<Port>),
    #[crd(list_type = "map", list_map_keys("name"), max_items = 4)]
    More(Vec<Port>),
}

fn main() {
    let errors = definition::validate(&Pool::definition());
    assert!(errors.is_empty(), "{errors}");
}
