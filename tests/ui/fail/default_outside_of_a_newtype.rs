//! Defaults that the types of their fields do not hold.
use std::num::{NonZeroI16, NonZeroU8};

use crd_runtime::CrdSchema;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;

#[derive(CrdSchema)]
struct Small(u8);

#[derive(CrdSchema)]
#[crd(minimum = 10, maximum = 20)]
struct Ten(i32);

#[derive(CrdSchema)]
struct Code(#[crd(max_length = 3)] String);

#[derive(CrdSchema)]
#[crd(max_items = 2)]
struct Two(Vec<i32>);

#[derive(CrdSchema)]
struct Spec {
    #[crd(default = 300)]
    small: Small,
    #[crd(default = 9)]
    ten: Ten,
    #[crd(minimum = 1, default = 9)]
    any: Ten,
    #[crd(default = 0)]
    positive: NonZeroU8,
    #[crd(default = 0)]
    other: NonZeroI16,
    #[crd(default = "long")]
    code: Code,
    #[crd(default = [1, 2, 3])]
    two: Two,
    #[crd(default = "1 Gi")]
    memory: Quantity,
    #[crd(default = "1Gi")]
    disk: Quantity,
}

fn main() {}
