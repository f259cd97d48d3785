use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(rule("self.replicas > 1", message_expression = "'at least 2, not ' + string(self.replicas)"))]
#[crd(rule("self.replicas > 2", message_expression = "'at least 3, not %d'.format([self.replicas])"))]
#[crd(rule("self.host != string(self.replicas)", message_expression = "string(self.replicas)"))]
#[crd(rule("self.host.startsWith(string(self.replicas))"))]
#[crd(rule("string(self.host) + 'a' != 'b'"))]
struct Spec {
    replicas: i32,
    #[crd(max_length = 10)]
    host: String,
}

fn main() {}
