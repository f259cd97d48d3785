use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct In {
    a: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Scalar {
    Text(String),
    Number(i32),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Partly {
    In(In),
    Text(String),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    Maybe(Option<In>),
    Scalar(Scalar),
    Partly(Partly),
    Nothing(()),
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Flattened {
    #[serde(flatten)]
    scalar: Scalar,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum InOrNothing {
    In(In),
    Nothing,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct FlattenedNothing {
    #[serde(flatten)]
    part: InOrNothing,
    b: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Mode {
    On,
    Off,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum InOrMode {
    In(In),
    Mode(Mode),
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct FlattenedMode {
    #[serde(flatten)]
    part: InOrMode,
    b: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Login {
    Token(String),
    Anonymous,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct FlattenedLogin {
    #[serde(flatten)]
    login: Login,
}

fn main() {}
