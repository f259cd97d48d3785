//! Counts what each stage of admission allocates, over all recorded creations. Unlike times, these counts do not
//! depend on other work on the machine.
//!
//! `cargo bench --manifest-path bench/Cargo.toml --bench allocations`

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "prints its results")]

use std::alloc::System;
use std::hint::black_box;
use std::process::ExitCode;

use crd_bench::recorded::{Creation, creations};
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::{admit, json};
use serde_json::Value;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const STAGES: [&str; 9] = [
    "`serde_json::from_slice::<Value>`",
    "decode",
    "prune",
    "drop nulls",
    "default",
    "keywords",
    "list types",
    "rules",
    "whole, from bytes to verdict and object",
];

/// The allocations of a piece of work.
#[derive(Debug, Default, Clone, Copy)]
struct Allocated {
    /// The number of allocations and reallocations.
    times: usize,
    /// The allocated bytes, including those that are freed again.
    bytes: usize,
}

fn main() -> ExitCode {
    let (valid, invalid) = match (count(true), count(false)) {
        (Ok(valid), Ok(invalid)) => (valid, invalid),
        (Err(message), _) | (_, Err(message)) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let objects = [&valid, &invalid].map(|counted| counted.objects);
    println!(
        "allocations and bytes an object: {} valid, {} invalid objects",
        objects[0], objects[1]
    );
    println!("| stage | valid | bytes | invalid | bytes |");
    println!("|---|---|---|---|---|");
    for (index, stage) in STAGES.iter().enumerate() {
        let cells = [&valid, &invalid].map(|counted| counted.cells(index));
        println!("| {stage} | {} | {} |", cells[0], cells[1]);
    }
    ExitCode::SUCCESS
}

/// The sums over all counted objects.
struct Counted {
    objects: usize,
    stages: [Allocated; STAGES.len()],
}

impl Counted {
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    fn cells(&self, stage: usize) -> String {
        let Allocated { times, bytes } = self.stages[stage];
        let each = |sum: usize| sum as f64 / self.objects as f64;
        format!("{:.2} | {:.0}", each(times), each(bytes))
    }
}

fn count(valid: bool) -> Result<Counted, String> {
    let (schemas, creations) = creations(valid, None)?;
    let mut counted =
        Counted { objects: creations.len(), stages: <[Allocated; STAGES.len()]>::default() };
    for creation in &creations {
        for (sum, one) in counted.stages.iter_mut().zip(stages(&schemas[creation.schema], creation))
        {
            sum.times += one.times;
            sum.bytes += one.bytes;
        }
    }
    Ok(counted)
}

/// Returns what each of [`STAGES`] allocates for one object. If the body does not decode, the stages from pruning
/// to rules count 0.
fn stages(schema: &CompiledSchema, creation: &Creation) -> [Allocated; STAGES.len()] {
    let body = &*creation.body;
    let floor = allocated_by(|| serde_json::from_slice::<Value>(body));
    let decode = allocated_by(|| json::decode(body));
    let whole = allocated_by(|| admit::create_from_slice(schema, body));
    let object = serde_json::from_slice::<Value>(body).unwrap_or_default();
    let conformed = match admit::create_from_slice(schema, body) {
        Ok(admitted) => admitted.object,
        Err(admit::Rejection::Invalid(invalid)) => invalid.object,
        Err(_) => {
            let none = Allocated::default();
            return [floor, decode, none, none, none, none, none, none, whole];
        }
    };
    let changing = |change: &dyn Fn(&mut Value)| {
        let mut object = object.clone();
        allocated_by(|| change(&mut object))
    };
    [
        floor,
        decode,
        changing(&|object| drop(schema.prune(object))),
        changing(&|object| schema.prune_nulls(object)),
        changing(&|object| schema.apply_defaults(object)),
        allocated_by(|| schema.validate(&conformed)),
        allocated_by(|| schema.validate_list_types(&conformed)),
        allocated_by(|| schema.evaluate_rules(&conformed, None)),
        whole,
    ]
}

fn allocated_by<R>(work: impl FnOnce() -> R) -> Allocated {
    let region = Region::new(ALLOCATOR);
    let made = black_box(work());
    let change = region.change();
    drop(made);
    Allocated { times: change.allocations + change.reallocations, bytes: change.bytes_allocated }
}
