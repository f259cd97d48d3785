use std::collections::BTreeMap;

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Fleet", namespaced)]
struct FleetSpec {
    /// The rule of a variant's field is at the enum, because two variants have the field.
    sources: Vec<Source>,
    /// Rules cannot see the enum, but they see what is inside it.
    pools: Pools,
    content: Vec<Content>,
    newtypes: Vec<Newtypes>,
    #[crd(max_items = 10)]
    few: Vec<Source>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(tag = "type")]
enum Source {
    Git {
        #[crd(rule("!self.contains('a reserved name')"))]
        url: String,
    },
    Http {
        url: String,
    },
    Empty,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "camelCase")]
enum Pools {
    None,
    Named(BTreeMap<String, Pool>),
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Pool {
    #[crd(rule("!self.contains('a reserved name')"))]
    name: String,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(tag = "type", content = "value", rename_all = "camelCase")]
enum Content {
    #[crd(rule("self.names.all(n, n != self.name)"))]
    Names {
        name: String,
        #[crd(max_items = 10)]
        names: Vec<String>,
    },
    Lists {
        #[crd(items(rule("!self.contains('a reserved name')")))]
        lists: Vec<String>,
    },
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(tag = "type")]
enum Newtypes {
    Pool(Pool),
    Empty,
}

fn main() {}
