//! The test that the derive writes for each kind, and what it says of definitions that a server would reject.
#![expect(missing_docs, reason = "the types are tests")]

use std::collections::BTreeMap;

use crd_runtime::__private::{InvalidDefinition, check_definition};
use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

/// A kind with a test of the derive: its name would be an error if there were none.
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Tested", namespaced)]
pub struct TestedSpec {
    pub size: i32,
}

#[test]
fn a_kind_has_a_test() {
    let test: fn() -> Result<(), InvalidDefinition> = tested_is_a_valid_definition;
    assert!(test().is_ok());
}

/// Returns the text for a kind, without the numbers of lines.
fn text_of<T: CustomResource>(oldest: u32) -> String {
    let checked = check_definition::<T>(oldest);
    let text = checked.map_err(|error| format!("{error:?}")).err().unwrap_or_default();
    let place = format!("{}:", file!());
    let mut parts = text.split(&place);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + "FILE:LINE" + part.trim_start_matches(|c: char| c.is_ascii_digit())
    })
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Fleet", namespaced, test = false)]
pub struct FleetSpec {
    pub pools: Vec<Pool>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(rule("self.hosts.all(h, h.contains('a string'))"))]
pub struct Pool {
    #[crd(max_items = 8)]
    pub hosts: Vec<String>,
}

#[test]
fn a_rule_that_costs_too_much_is_named_with_the_bounds_that_help() {
    let text = text_of::<Fleet>(37);
    let want = [
        "the server would reject the definition `fleets.example.com`",
        "spec.validation.openAPIV3Schema.properties[spec].properties[pools].items.x-kubernetes-validations[0].rule: \
         Forbidden: estimated rule cost exceeds budget by factor of more than 100x",
        "at derive::kinds_are_tested::FleetSpec.pools (FILE:LINE), of type derive::kinds_are_tested::Pool (FILE:LINE)",
        "rule: self.hosts.all(h, h.contains('a string'))",
        "`max_length = 256` at derive::kinds_are_tested::Pool.hosts (FILE:LINE)",
        "`max_items = 64` at derive::kinds_are_tested::FleetSpec.pools (FILE:LINE)",
    ];
    for want in want {
        assert!(text.contains(want), "{want}\n{text}");
    }
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(
    group = "example.com",
    version = "v1",
    kind = "Route",
    namespaced,
    kubernetes = "1.31",
    test = false
)]
pub struct RouteSpec {
    #[crd(max_length = 64, rule("ip(self) == ip('::1')"))]
    pub address: String,
}

#[test]
fn a_rule_that_costs_too_much_on_the_oldest_server_is_named_with_that_server() {
    let text = text_of::<Route>(31);
    assert!(text.contains("on Kubernetes 1.31: spec.validation."), "{text}");
    assert!(text.contains("exceeds budget"), "{text}");
    assert_eq!(text_of::<Route>(32), "");
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Store", namespaced, test = false)]
pub struct StoreSpec {
    #[crd(rule("self.size() < 9"))]
    pub maps: BTreeMap<String, Few>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
pub struct Few {
    pub few: Mixed,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(untagged)]
pub enum Mixed {
    Object {
        #[crd(immutable)]
        enabled: bool,
    },
    Number(u32),
}

#[test]
fn a_rule_below_a_value_without_a_type_is_named() {
    let text = text_of::<Store>(37);
    assert!(text.contains("failed to construct type information"), "{text}");
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Pools", namespaced, test = false)]
pub struct PoolsSpec {
    #[crd(max_items = 8)]
    pub pools: Vec<Disks>,
    #[crd(list_type = "map", list_map_keys("name"), max_items = 8)]
    pub paired: Vec<Disks>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
pub struct Disks {
    pub name: String,
    #[crd(max_properties = 8)]
    pub disks: BTreeMap<String, Disk>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
pub struct Disk {
    #[crd(immutable, max_length = 8)]
    pub class: String,
}

#[test]
fn a_rule_of_an_item_that_has_no_old_one_is_named_with_the_list() {
    let text = text_of::<Pools>(37);
    let place = ".properties[pools].items.properties[disks].additionalProperties.properties[class].x-kubernetes-validations";
    for want in [
        place,
        "at derive::kinds_are_tested::Disk.class (FILE:LINE)",
        "`list_type = \"map\"` and `list_map_keys`; write them at derive::kinds_are_tested::PoolsSpec.pools (FILE:LINE)",
    ] {
        assert!(text.contains(want), "{want}\n{text}");
    }
    assert!(!text.contains("[paired]"), "{text}");
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Older", namespaced, storage = false)]
pub struct OlderSpec {}

/// A version that another one replaces as the stored one is valid.
#[test]
fn a_version_that_is_not_stored_has_a_test() {
    assert!(older_is_a_valid_definition().is_ok());
}
