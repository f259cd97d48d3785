//! The mistakes in these types are the only errors: what uses the types finds all that their derives emit otherwise.
use std::collections::BTreeMap;

use crd_runtime::{CrdSchema, CustomResource, HasScale, HasStatus};
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[crd(titel = "x")]
enum Mode {
    A,
    B,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Name(#[crd(max_lenght = 9)] String);

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(aply)]
struct Page<T> {
    #[crd(selectable)]
    item: T,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(from = "u8", into = "u16")]
struct Converted(u8);

impl From<u8> for Converted {
    fn from(number: u8) -> Self {
        Self(number)
    }
}

impl From<Converted> for u16 {
    fn from(Converted(number): Converted) -> Self {
        number.into()
    }
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[crd(apply)]
struct Part {
    mode: Mode,
    modes: BTreeMap<Mode, i32>,
    names: BTreeMap<Name, Mode>,
    page: Page<i32>,
    converted: Converted,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Disk", namespaced, status = Status, titel = "x")]
#[crd(scale(spec = ".spec.replicas", status = ".status.replicas"))]
struct DiskSpec {
    #[crd(selectable)]
    mode: Mode,
    replicas: i32,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Status {
    #[crd(minimun = 1)]
    replicas: i32,
}

fn of_kind<K: HasStatus<Status = Status> + HasScale>() {}
fn of_part<T: schemars::JsonSchema>() {}

mod schemars {
    pub use crd_runtime::schemars::*;
}

fn main() {
    of_kind::<Disk>();
    of_part::<BTreeMap<String, (Part, Mode, Page<i32>)>>();
    let _ = Disk::fields().mode();
    let _ = PartApply::default().mode(Mode::A);
}
