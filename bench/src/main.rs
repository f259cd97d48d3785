//! Two rules, evaluated by crd-cel and by the `cel` crate, side by side in one run.
//!
//! `cargo run --release --manifest-path bench/Cargo.toml`

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "that is what a benchmark is for")]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crd_cel::decl::{Decl, DeclKind, FieldDecl, ListType, ObjectDecl};
use crd_cel::env::Env;
use crd_cel::plan::Program;
use crd_cel::value::Value;
use serde_json::{Value as Json, json};

/// The cost limit of a rule in the API server.
const COST_LIMIT: u64 = 1_000_000;
/// Each measurement is the best of this many.
const ROUNDS: usize = 9;
/// How long a round takes at least.
const ROUND: Duration = Duration::from_millis(60);

const COMPARE: &str = "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas";
const ALL: &str = "self.items.all(i, i.value > 0 && i.name.startsWith('a'))";

/// What the `cel` crate 0.15 and a throw-away evaluator took when this project was planned, in
/// nanoseconds: the marks to beat.
const PLANNED: [(f64, f64); 2] = [(2_055.0, 94.0), (1_567_072.0, 71_766.0)];

fn main() {
    let items: Vec<Json> =
        (0..1_000).map(|i| json!({ "name": format!("a{i}"), "value": i + 1 })).collect();
    let replicas = json!({ "minReplicas": 1, "replicas": 3, "maxReplicas": 5 });
    let list = json!({ "items": items });
    println!(
        "{:<28}{:>14}{:>14}{:>14}{:>10}{:>12}",
        "ns", "crd-cel", "cel execute", "cel + JSON", "times", "mark"
    );
    let cases = [
        ("compare three fields", COMPARE, &replicas, compared()),
        ("1,000 items", ALL, &list, listed()),
    ];
    for ((name, rule, object, decl), (_, mark)) in cases.into_iter().zip(PLANNED) {
        let ours = ours(rule, object, &decl);
        let (execute, end_to_end) = theirs(rule, object);
        let times = end_to_end / ours;
        println!(
            "{name:<28}{ours:>14.0}{execute:>14.0}{end_to_end:>14.0}{times:>10.1}{mark:>12.0}"
        );
    }
}

/// Evaluates borrowed JSON: there is nothing to convert.
fn ours(rule: &str, object: &Json, decl: &Arc<Decl>) -> f64 {
    let env = Env::kubernetes().with_variable("self", decl.type_(), Some(Arc::clone(decl)));
    let checked = env.compile(rule).expect("compiles");
    let program = Program::plan(&checked, &env).expect("plans");
    measure(|| {
        let value = Value::declared(black_box(object), decl).expect("an object");
        let outcome = program.eval(&[("self", value)], COST_LIMIT);
        assert!(matches!(outcome.result, Ok(Value::Bool(true))));
    })
}

/// Only executing with the variable bound, and everything from the JSON on.
fn theirs(rule: &str, object: &Json) -> (f64, f64) {
    let env = Arc::new(cel::Env::stdlib());
    let program = env.compile(rule).expect("compiles");
    let mut context = cel::Context::with_env(Arc::clone(&env));
    context.add_variable("self", object).expect("converts");
    let execute = measure(|| {
        let value = program.execute(black_box(&context)).expect("evaluates");
        assert_eq!(value, true.into());
    });
    let end_to_end = measure(|| {
        let mut context = cel::Context::with_env(Arc::clone(&env));
        context.add_variable("self", black_box(object)).expect("converts");
        let value = program.execute(&context).expect("evaluates");
        assert_eq!(value, true.into());
    });
    (execute, end_to_end)
}

/// The best time of a call, in nanoseconds.
fn measure(mut call: impl FnMut()) -> f64 {
    let mut calls = 1_u32;
    let mut best = f64::INFINITY;
    let mut round = 0;
    while round < ROUNDS {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        let elapsed = start.elapsed();
        if elapsed < ROUND {
            calls = calls.saturating_mul(2);
            continue;
        }
        best = best.min(elapsed.as_secs_f64() * 1e9 / f64::from(calls));
        round += 1;
    }
    best
}

fn decl(kind: DeclKind) -> Arc<Decl> {
    Arc::new(Decl { kind, nullable: false, max_elements: 1_000, min_serialized_size: 1 })
}

fn object(name: &str, fields: &[(&str, Arc<Decl>)]) -> Arc<Decl> {
    let mut fields: Vec<FieldDecl> = fields
        .iter()
        .map(|(name, decl)| FieldDecl {
            ident: (*name).into(),
            key: (*name).into(),
            decl: Arc::clone(decl),
        })
        .collect();
    fields.sort_by(|a, b| a.ident.cmp(&b.ident));
    decl(DeclKind::Object(Arc::new(ObjectDecl { name: name.into(), fields, hidden: Vec::new() })))
}

fn compared() -> Arc<Decl> {
    let int = decl(DeclKind::Int);
    let field = |name| (name, Arc::clone(&int));
    object("self", &[field("minReplicas"), field("replicas"), field("maxReplicas")])
}

fn listed() -> Arc<Decl> {
    let item =
        object("self.items", &[("name", decl(DeclKind::String)), ("value", decl(DeclKind::Int))]);
    let items = decl(DeclKind::List { element: item, list_type: ListType::Atomic });
    object("self", &[("items", items)])
}
