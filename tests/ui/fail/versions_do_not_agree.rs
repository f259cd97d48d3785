use crd_runtime::CustomResource;
use crd_runtime::versions::Versions;
use serde::{Deserialize, Serialize};

macro_rules! version {
    ($name:ident, $($key:tt)*) => {
        mod $name {
            use super::*;

            #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
            #[crd($($key)*)]
            pub struct JobSpec {}
        }
    };
}

version!(v1, group = "example.com", version = "v1", kind = "Job", namespaced);
version!(v2, group = "example.com", version = "v2", kind = "Job", namespaced, storage = false);
version!(stored, group = "example.com", version = "v2", kind = "Job", namespaced);
version!(group, group = "other.com", version = "v2", kind = "Job", namespaced, storage = false);
version!(kind, group = "example.com", version = "v2", kind = "Task", namespaced, storage = false);
version!(plural, group = "example.com", version = "v2", kind = "Job", plural = "j", namespaced, storage = false);
version!(scope, group = "example.com", version = "v2", kind = "Job", cluster, storage = false);

const _: () = <(v1::Job, v2::Job)>::AGREE;
const _: () = <(v1::Job, v2::Job, v2::Job)>::AGREE;
const _: () = <(v1::Job, stored::Job)>::AGREE;
const _: () = <(v2::Job,)>::AGREE;
const _: () = <(v1::Job, group::Job)>::AGREE;
const _: () = <(v1::Job, kind::Task)>::AGREE;
const _: () = <(v1::Job, plural::Job)>::AGREE;
const _: () = <(v1::Job, scope::Job)>::AGREE;

fn main() {}
