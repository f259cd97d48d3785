//! `instructions CASE N` does a case N times, for a tool that counts instructions; `instructions` alone prints the
//! names of the cases. `instructions --series` prints the series of `crd_bench::series`, each with two sizes, and
//! `instructions --series NAME SIZE` does one of them twice at a size, the second time in the function `counted`.
//! `cargo dev instructions` runs it under callgrind.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "another program reads the output")]

use std::env;
use std::hint::black_box;
use std::process::ExitCode;

use crd_bench::corpus::{Case, Corpus, compile};
use crd_bench::{made, series};
use crd_runtime::admit;
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::model::CustomResourceDefinition;
use serde_json::{Value, json};

/// Each case, and whether it needs the recorded definitions.
const CASES: [(&str, bool); 9] = [
    ("floor-crontab", false),
    ("admit-crontab", false),
    ("admit-crontab-invalid", false),
    ("floor-records", false),
    ("admit-records", false),
    ("admit-largest-recorded", true),
    ("compile-cluster-profile", false),
    ("rule-over-1000-items", false),
    ("rule-over-three-numbers", false),
];
/// The number of records of the large object, of some 170 bytes each.
const RECORDS: usize = 400;

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.iter().map(|arg| &**arg).collect::<Vec<_>>()[..] {
        [] => {
            let recorded = crd_bench::corpus::vectors().is_dir();
            for (name, _) in CASES.iter().filter(|(_, needs)| recorded || !needs) {
                println!("{name}");
            }
            ExitCode::SUCCESS
        }
        ["--series"] => {
            for series in series::all() {
                let [small, large] = series.two_sizes();
                println!("{}\t{small}\t{large}", series.name);
            }
            ExitCode::SUCCESS
        }
        ["--series", name, size] => {
            let series = series::all().into_iter().find(|series| series.name == name);
            let (Some(series), Ok(size)) = (series, size.parse()) else {
                eprintln!("no series {name:?} of size {size:?}");
                return ExitCode::FAILURE;
            };
            let mut call = (series.make)(size);
            // The first call also builds the tables that a process builds once; they are not counted.
            call();
            counted(&mut *call);
            ExitCode::SUCCESS
        }
        [name, count] if count.parse::<u32>().is_ok() => match prepare(name) {
            Ok(mut case) => {
                for _ in 0..count.parse().unwrap_or(0) {
                    case();
                }
                ExitCode::SUCCESS
            }
            Err(message) => {
                eprintln!("{message}");
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("usage: instructions [CASE N | --series [NAME SIZE]]");
            ExitCode::FAILURE
        }
    }
}

/// Does what is to be counted. Callgrind finds this function by its name.
#[inline(never)]
fn counted(call: &mut dyn FnMut()) {
    call();
    // Without this the compiler could jump to the call in place of returning here.
    black_box(());
}

fn prepare(name: &str) -> Result<Box<dyn FnMut()>, String> {
    match name {
        "floor-crontab" => floor(&example("CronTab valid")?.0.body),
        "admit-crontab" => admission(example("CronTab valid")?),
        "admit-crontab-invalid" => admission(example("CronTab invalid")?),
        "floor-records" => floor(records().to_string().as_bytes()),
        "admit-records" => {
            let schema = compile(&made::definition(&made::record_schema(&json!({}))), "v1")?;
            let body = records().to_string().into_bytes();
            Ok(Box::new(move || {
                assert!(black_box(admit::create_from_slice(&schema, black_box(&body))).is_ok());
            }))
        }
        "admit-largest-recorded" => {
            let (corpus, _) = Corpus::whole()?;
            let case = corpus.cases.iter().filter(|case| case.valid);
            let case = case.max_by_key(|case| case.body.len()).ok_or("no case")?.name.clone();
            admission(pick(corpus, &case)?)
        }
        "compile-cluster-profile" => {
            let text = {
                let corpus = Corpus::examples()?;
                let mut all = corpus.definitions.iter();
                let found = all.find(|definition| definition.name == "ClusterProfile");
                found.ok_or("no ClusterProfile")?.json.to_string()
            };
            Ok(Box::new(move || {
                let crd: CustomResourceDefinition =
                    serde_json::from_str(black_box(&text)).expect("a definition");
                let schema = CompiledSchema::for_version(&crd, "v1beta1").expect("it compiles");
                // Rules are compiled when they are first evaluated.
                let _ = schema.evaluate_rules(&Value::Null, None);
                black_box(schema);
            }))
        }
        "rule-over-1000-items" => {
            let [_, rule] = made::rules();
            evaluation(rule)
        }
        "rule-over-three-numbers" => {
            let [rule, _] = made::rules();
            evaluation(rule)
        }
        _ => Err(format!("no case {name}")),
    }
}

fn records() -> Value {
    made::object(&made::records(RECORDS))
}

fn example(name: &str) -> Result<(Case, CompiledSchema), String> {
    pick(Corpus::examples()?, name)
}

fn pick(corpus: Corpus, name: &str) -> Result<(Case, CompiledSchema), String> {
    let Corpus { definitions, cases } = corpus;
    let case = cases.into_iter().find(|case| case.name == name).ok_or(format!("no case {name}"))?;
    let definition = definitions.into_iter().nth(case.definition).ok_or("no definition")?;
    Ok((case, definition.schema))
}

fn floor(body: &[u8]) -> Result<Box<dyn FnMut()>, String> {
    let body = body.to_vec();
    Ok(Box::new(move || {
        black_box(serde_json::from_slice::<Value>(black_box(&body)).ok());
    }))
}

fn evaluation(rule: made::Rule) -> Result<Box<dyn FnMut()>, String> {
    let schema = compile(&rule.definition, "v1")?;
    Ok(Box::new(move || {
        let evaluation = schema.evaluate_rules(black_box(&rule.object), None);
        assert!(evaluation.errors.is_empty());
    }))
}

fn admission((case, schema): (Case, CompiledSchema)) -> Result<Box<dyn FnMut()>, String> {
    Ok(Box::new(move || {
        let result = admit::create_from_slice(&schema, black_box(&case.body));
        assert_eq!(black_box(&result).is_ok(), case.valid);
    }))
}
