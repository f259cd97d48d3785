//! `count valid|invalid floor|decode|admit ROUNDS [CASE]`: admits the recorded creations, for a tool that counts
//! instructions by function. `floor` is `serde_json::from_slice::<Value>` of the same bytes.
//! `count definitions compile ROUNDS`: compiles the real definitions from their text, rules included.
//!
//! `valgrind --tool=callgrind --toggle-collect='count::measured*' count valid admit 1` counts admissions alone. Each
//! object has been admitted once before, so that one-time initialization is not counted. For definitions, the name is
//! `count::compiled*`.

#![forbid(unsafe_code)]
#![allow(clippy::print_stderr, reason = "prints its results")]

use std::env;
use std::hint::black_box;
use std::process::ExitCode;

use crd_bench::recorded::{creations, definitions};
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::{admit, json};
use serde_json::Value;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let [validity, what, rounds, only @ ..] = &args[..] else {
        eprintln!("usage: count valid|invalid floor|decode|admit ROUNDS [CASE]");
        eprintln!("       count definitions compile ROUNDS");
        return ExitCode::FAILURE;
    };
    let (Ok(rounds), valid) = (rounds.parse::<u32>(), validity == "valid") else {
        return ExitCode::FAILURE;
    };
    if validity == "definitions" {
        return match definitions() {
            Ok(definitions) => {
                eprintln!("{} definitions", definitions.len());
                for definition in (0..rounds).flat_map(|_| &definitions) {
                    compiled(black_box(definition));
                }
                ExitCode::SUCCESS
            }
            Err(message) => {
                eprintln!("{message}");
                ExitCode::FAILURE
            }
        };
    }
    let (schemas, creations) = match creations(valid, only.first().map(|only| &**only)) {
        Ok(found) => found,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let bytes: usize = creations.iter().map(|creation| creation.body.len()).sum();
    eprintln!("{} objects of {} schemas, {bytes} bytes", creations.len(), schemas.len());
    let run = match &**what {
        "floor" => |_: &CompiledSchema, body: &[u8]| {
            let _ = black_box(serde_json::from_slice::<Value>(body));
        },
        "decode" => |_: &CompiledSchema, body: &[u8]| {
            let _ = black_box(json::decode(body));
        },
        _ => |schema: &CompiledSchema, body: &[u8]| {
            let _ = black_box(admit::create_from_slice(schema, body));
        },
    };
    for _ in 0..rounds {
        for creation in &creations {
            measured(run, &schemas[creation.schema], &creation.body);
        }
    }
    ExitCode::SUCCESS
}

#[inline(never)]
fn measured(run: fn(&CompiledSchema, &[u8]), schema: &CompiledSchema, body: &[u8]) {
    run(black_box(schema), black_box(body));
}

/// Compiles every version of a definition from its text, rules included.
#[inline(never)]
fn compiled(text: &str) {
    let crd: CustomResourceDefinition = serde_json::from_str(text).expect("a definition");
    for version in &crd.spec.versions {
        let schema = CompiledSchema::for_version(&crd, &version.name).expect("it compiles");
        // Rules are compiled when they are first evaluated.
        let _ = schema.evaluate_rules(&Value::Null, None);
        black_box(schema);
    }
}
