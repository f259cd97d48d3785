use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(
    group = "example.com",
    version = "v1-",
    kind = "Abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmno",
    list_kind = "JobList-",
    namespaced
)]
struct JobSpec {
    a: i32,
}

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(
    group = "-example.com",
    version = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl",
    kind = "Task-",
    root = Task,
    namespaced
)]
struct TaskSpec {
    a: i32,
}

fn main() {}
