use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
struct Limits {
    #[crd(default = 300)]
    seconds: i32,
    note: Option<String>,
}

type Maybe<T> = Option<T>;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Job {
    image: String,
    #[serde(flatten)]
    limits: Option<Limits>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
enum Step {
    Run {
        image: String,
        #[serde(flatten)]
        limits: Maybe<Limits>,
    },
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Named {
    // Without `name`, serde reads `None`.
    name: String,
    #[serde(flatten)]
    limits: Limits,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Task {
    image: String,
    #[serde(flatten)]
    named: Option<Named>,
}

fn main() {}
