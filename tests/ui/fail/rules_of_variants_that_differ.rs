use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Plain {
    size: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Positive {
    #[crd(rule("self > 0"))]
    size: i32,
    unit: String,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Even {
    #[crd(rule("self % 2 == 0"))]
    size: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum TwoRules {
    Positive(Positive),
    Even(Even),
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Warned {
    #[crd(rule("self > 0", message = "must be positive"))]
    size: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum TwoMessages {
    Positive(Positive),
    Warned(Warned),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum OneOfSeveralTagged {
    Positive(Positive),
    Named {
        name: String,
    },
    #[serde(untagged)]
    Plain(Plain),
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum BesideAnything {
    Positive { of: Positive },
    Other { of: Value },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum InLists {
    Positive { of: Vec<Positive> },
    Plain { of: Vec<Plain> },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum OnItems {
    Positive {
        #[crd(items(rule("self > 0")))]
        of: Vec<i32>,
    },
    Plain {
        of: Vec<i32>,
    },
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Growing {
    #[crd(rule("!oldSelf.hasValue() || self >= oldSelf.value()", optional_old_self))]
    size: i32,
}

// A rule of an optional old value cannot move to the enum.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Fixed {
    Growing(Growing),
    Plain(Plain),
}

// The rules of the variants with a tag move to the enum.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(tag = "type")]
enum Moved {
    Positive(Positive),
    Even(Even),
    #[serde(untagged)]
    Plain(Plain),
}

// Rules that were moved to `Moved` are rules of that enum.
#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum WithMoved {
    Moved(Moved),
    Named { name: String },
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum BelowAField {
    Moved { of: Moved },
    Named { of: Plain, name: String },
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct AlsoPositive {
    #[crd(rule("self > 0"))]
    size: i32,
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(untagged)]
enum Same {
    Positive(Positive),
    AlsoPositive(AlsoPositive),
}

fn main() {}
