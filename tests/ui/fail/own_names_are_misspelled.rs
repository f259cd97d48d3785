use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Job", namespaced, status = Status)]
#[crd(rule("self.minReplica <= self.max_replicas", field_path = ".maxreplicas"))]
#[crd(rule("self.list.all(self, self.anything)", message_expression = "'at most ' + string(oldSelf.lists)"))]
#[crd(root_rule("self.spec.nmae != self.metadata.name && has(self.status)"))]
#[crd(print_column(name = "Name", type = "string", path = ".spec.naem"))]
#[crd(scale(spec = ".spec.replica", status = ".status.replicas"), selectable(".spec.nome"))]
struct JobSpec {
    name: String,
    #[serde(rename = "maxReplicas")]
    max_replicas: i32,
    #[serde(rename = "minReplicas")]
    min_replicas: i32,
    list: Vec<Status>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Status {
    replicas: i32,
}

fn main() {}
