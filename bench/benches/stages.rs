//! Measures each stage of admission alone and all together, the compilation of definitions, and rules,
//! each with its allocations.
//!
//! `cargo bench --manifest-path bench/Cargo.toml --bench stages [-- FILTER]`

#![forbid(unsafe_code)]

use std::hint::black_box;
use std::sync::{Arc, OnceLock};

use crd_bench::corpus::{Case, Corpus, Definition};
use crd_bench::made;
use crd_cel::decl::Named;
use crd_cel::env::Env;
use crd_cel::plan::Program;
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::{admit, json};
use divan::{AllocProfiler, Bencher};
use serde_json::Value;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

/// The API server's limit for one evaluation of a rule, in cost units.
const RULE_LIMIT: u64 = 1_000_000;

fn main() {
    divan::main();
}

fn corpus() -> &'static Corpus {
    static CORPUS: OnceLock<Corpus> = OnceLock::new();
    CORPUS.get_or_init(|| Corpus::whole().expect("the corpus can be measured").0)
}

/// Returns the names of the examples' cases and, if there are recorded objects, of the largest valid
/// one.
fn cases() -> impl Iterator<Item = &'static str> {
    let own = Corpus::examples().expect("the examples can be measured").cases.len();
    let (own, recorded) = corpus().cases.split_at(own);
    let largest = recorded.iter().filter(|case| case.valid).max_by_key(|case| case.body.len());
    own.iter().chain(largest).map(|case| &*case.name)
}

fn case(name: &str) -> (&'static Case, &'static Definition) {
    let corpus = corpus();
    let case = corpus.cases.iter().find(|case| case.name == name).expect("a case of the corpus");
    (case, &corpus.definitions[case.definition])
}

#[divan::bench(args = cases())]
fn floor(bencher: Bencher<'_, '_>, name: &str) {
    let (case, _) = case(name);
    bencher.bench(|| serde_json::from_slice::<Value>(black_box(&case.body)));
}

mod stage {
    use super::*;

    #[divan::bench(args = cases())]
    fn a_decode(bencher: Bencher<'_, '_>, name: &str) {
        let (case, _) = case(name);
        bencher.bench(|| json::decode(black_box(&case.body)));
    }

    fn changing(
        bencher: Bencher<'_, '_>,
        name: &str,
        change: impl Fn(&CompiledSchema, &mut Value) + Sync,
    ) {
        let (case, definition) = case(name);
        bencher.with_inputs(|| case.object.clone()).bench_values(|mut object| {
            change(&definition.schema, &mut object);
            object
        });
    }

    #[divan::bench(args = cases())]
    fn b_prune(bencher: Bencher<'_, '_>, name: &str) {
        changing(bencher, name, |schema, object| drop(schema.prune(object)));
    }

    #[divan::bench(args = cases())]
    fn c_nulls(bencher: Bencher<'_, '_>, name: &str) {
        changing(bencher, name, CompiledSchema::prune_nulls);
    }

    #[divan::bench(args = cases())]
    fn d_default(bencher: Bencher<'_, '_>, name: &str) {
        changing(bencher, name, CompiledSchema::apply_defaults);
    }

    #[divan::bench(args = cases())]
    fn e_keywords(bencher: Bencher<'_, '_>, name: &str) {
        let (case, definition) = case(name);
        bencher.bench(|| definition.schema.validate(black_box(&case.conformed)));
    }

    #[divan::bench(args = cases())]
    fn f_list_types(bencher: Bencher<'_, '_>, name: &str) {
        let (case, definition) = case(name);
        bencher.bench(|| definition.schema.validate_list_types(black_box(&case.conformed)));
    }

    #[divan::bench(args = cases())]
    fn g_rules(bencher: Bencher<'_, '_>, name: &str) {
        let (case, definition) = case(name);
        bencher.bench(|| definition.schema.evaluate_rules(black_box(&case.conformed), None));
    }
}

mod whole {
    use super::*;

    #[divan::bench(args = cases())]
    fn from_bytes(bencher: Bencher<'_, '_>, name: &str) {
        let (case, definition) = case(name);
        bencher.bench(|| admit::create_from_slice(&definition.schema, black_box(&case.body)));
    }

    #[divan::bench(args = cases())]
    fn from_tree(bencher: Bencher<'_, '_>, name: &str) {
        let (case, definition) = case(name);
        bencher
            .with_inputs(|| case.object.clone())
            .bench_values(|object| admit::create(&definition.schema, object));
    }

    /// From bytes to the verdict alone. Dropping the object is measured too.
    #[divan::bench(args = cases())]
    fn verdict(bencher: Bencher<'_, '_>, name: &str) {
        let (case, definition) = case(name);
        bencher
            .bench(|| admit::create_from_slice(&definition.schema, black_box(&case.body)).is_ok());
    }

    /// Updates an object by itself, so that nothing changes.
    #[divan::bench(args = cases())]
    fn update(bencher: Bencher<'_, '_>, name: &str) {
        let (case, definition) = case(name);
        bencher
            .with_inputs(|| case.object.clone())
            .bench_values(|object| admit::update(&definition.schema, object, &case.conformed));
    }
}

mod compile {
    use super::*;

    #[divan::bench(args = cases())]
    fn cold(bencher: Bencher<'_, '_>, name: &str) {
        let (_, definition) = case(name);
        let text = definition.json.to_string();
        bencher.bench(|| {
            let crd: CustomResourceDefinition =
                serde_json::from_str(black_box(&text)).expect("a definition");
            let schema =
                CompiledSchema::for_version(&crd, &definition.version).expect("it compiles");
            // Rules are compiled when they are first needed.
            let _ = schema.evaluate_rules(&Value::Null, None);
            schema
        });
    }
}

mod rule {
    use super::*;

    fn names() -> Vec<&'static str> {
        made::rules().iter().map(|rule| rule.name).collect()
    }

    fn rule(name: &str) -> made::Rule {
        made::rules().into_iter().find(|rule| rule.name == name).expect("a rule")
    }

    #[divan::bench(args = names())]
    fn evaluate(bencher: Bencher<'_, '_>, name: &str) {
        let rule = rule(name);
        let decl = rule.decl();
        let named = Named::new("self", Arc::clone(&decl));
        let env = Env::kubernetes().with_variable("self", named.type_(), Some(named));
        let checked = env.compile(rule.rule).expect("it compiles");
        let program = Program::plan(&checked, &env).expect("it can be planned");
        bencher.bench_local(|| {
            let value = crd_cel::value::Value::declared(black_box(&rule.object), &decl);
            let value = value.expect("an object");
            assert!(program.eval(&[("self", value)], RULE_LIMIT).result.is_ok());
        });
    }

    #[divan::bench(args = names())]
    fn compile(bencher: Bencher<'_, '_>, name: &str) {
        let rule = rule(name);
        let decl = rule.decl();
        let named = Named::new("self", Arc::clone(&decl));
        let env = Env::kubernetes().with_variable("self", named.type_(), Some(named));
        bencher.bench_local(|| {
            let checked = env.compile(black_box(rule.rule)).expect("it compiles");
            assert!(Program::plan(&checked, &env).is_ok());
        });
    }
}
