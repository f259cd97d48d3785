use std::collections::BTreeSet;

use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Spec {
    #[crd(default = ["Delete", "Scna"])]
    actions: Vec<Action>,
    #[crd(default = [["Scan"], ["Sacn", 1]])]
    plans: Vec<BTreeSet<Action>>,
    #[crd(default = ["Keep"])]
    alias: Actions,
    #[crd(default = [1])]
    ports: Ports,
    #[crd(default = ["Scan"])]
    one: Action,
    // What elements are may be said beside.
    #[crd(default = [1], items(int_or_string))]
    any: Vec<Percent>,
}

type Actions = Option<Vec<Action>>;

#[derive(CrdSchema, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
enum Action {
    Delete,
    Scan,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Ports(Vec<String>);

#[derive(CrdSchema, Serialize, Deserialize)]
struct Percent(String);

fn main() {}
