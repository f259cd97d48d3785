//! Measures this engine, the API server's own code and other crates in one run, in turn on the same
//! inputs, and prints only ratios. `cargo dev compare` builds and runs it.
//!
//! `compare --release VERSION [--rounds N] [--oracle PROGRAM] [--out FILE]`

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "prints its results")]

// The workspace's tests talk to the oracle through the same client.
#[path = "../../../../tests/src/oracle.rs"]
#[allow(unreachable_pub, missing_docs, reason = "a library's module")]
mod oracle;

mod machine;
mod peers;
mod rounds;
mod server;
mod table;

use std::cell::RefCell;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::{env, fs};

use crd_bench::corpus::{Case, Corpus, Definition, compile};
use crd_bench::made;
use crd_cel::decl::{Decl, Named};
use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::{admit, compiled::CompiledSchema};
use serde_json::Value;

use rounds::Rounds;
use server::Server;

/// The default number of counted rounds.
const ROUNDS: u32 = 9;
/// The API server's limit for one evaluation of a rule, in cost units.
const RULE_LIMIT: u64 = 1_000_000;

struct Arguments {
    /// The version of the measured crates.
    release: String,
    rounds: u32,
    oracle: Option<PathBuf>,
    out: Option<PathBuf>,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| run(&arguments)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let mut out = Arguments { release: String::new(), rounds: ROUNDS, oracle: None, out: None };
    let mut args = env::args().skip(1);
    while let Some(flag) = args.next() {
        let value = args.next().ok_or_else(|| format!("`{flag}` takes a value"))?;
        match &*flag {
            "--release" => out.release = value,
            "--rounds" => {
                out.rounds =
                    value.parse().map_err(|_| format!("`{value}` is no number of rounds"))?;
            }
            "--oracle" => out.oracle = Some(value.into()),
            "--out" => out.out = Some(value.into()),
            _ => {
                let known = "--release, --rounds, --oracle, --out";
                return Err(format!("unknown flag `{flag}`; known are {known}"));
            }
        }
    }
    if out.release.is_empty() {
        return Err("`--release` names the version of the measured crates".to_owned());
    }
    if out.rounds == 0 {
        return Err("`--rounds` is at least 1".to_owned());
    }
    Ok(out)
}

fn run(arguments: &Arguments) -> Result<(), String> {
    let (corpus, recorded) = Corpus::whole()?;
    let made: Vec<(made::Rule, Definition)> = made::rules()
        .into_iter()
        .map(|rule| {
            let schema = compile(&rule.definition, "v1")?;
            let (name, json) = (rule.name.to_owned(), rule.definition.clone());
            Ok((rule, Definition { name, json, version: "v1".to_owned(), schema }))
        })
        .collect::<Result<_, String>>()?;
    let definitions: Vec<&Definition> =
        corpus.definitions.iter().chain(made.iter().map(|(_, definition)| definition)).collect();
    let server = match &arguments.oracle {
        Some(program) => Some(RefCell::new(Server::start(program, definitions.iter().copied())?)),
        None => None,
    };
    let mut left_out = Vec::new();
    let mut rounds = Rounds::default();
    for case in &corpus.cases {
        admission_of(&mut rounds, case, &corpus);
        keywords_of(&mut rounds, case, &corpus, &mut left_out);
        rules_of(&mut rounds, case, &corpus, &mut left_out);
        if let Some(server) = &server {
            let version = &corpus.definitions[case.definition].version;
            rounds.add_turn("server", &case.name, move || {
                server.borrow_mut().nanos("write", case.definition, version, &case.object)
            });
        }
    }
    for (number, definition) in corpus.definitions.iter().enumerate() {
        let text = definition.json.to_string();
        rounds.add_call("compile", &definition.name, move || {
            black_box(compiled(black_box(text.as_bytes()), &definition.version));
        });
        if let Some(server) = &server {
            rounds.add_turn("server compile", &definition.name, move || {
                server.borrow_mut().nanos("compile", number, &definition.version, &Value::Null)
            });
        }
    }
    for (index, (rule, definition)) in made.iter().enumerate() {
        one_rule(&mut rounds, rule, definition)?;
        if let Some(server) = &server {
            let number = corpus.definitions.len() + index;
            rounds.add_turn("server rule", rule.name, move || {
                server.borrow_mut().nanos("rules", number, "v1", &rule.object)
            });
        }
    }
    rounds.run(arguments.rounds, |round| eprintln!("round {round} of {}", arguments.rounds))?;

    let report = table::Report {
        release: &arguments.release,
        rounds: &rounds,
        count: arguments.rounds,
        with_server: server.is_some(),
        cases: corpus.cases.len(),
        definitions: corpus.definitions.len(),
        recorded,
        left_out,
    };
    let text = table::render(&report, made.iter().map(|(rule, _)| rule.name));
    println!("{text}");
    if let Some(path) = &arguments.out {
        let old = fs::read_to_string(path).unwrap_or_default();
        fs::write(path, table::replace(&old, &text))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// Adds admission from bytes and from a tree, and the floor, which is parsing the bytes.
fn admission_of<'a>(rounds: &mut Rounds<'a>, case: &'a Case, corpus: &'a Corpus) {
    let schema = &corpus.definitions[case.definition].schema;
    rounds.add_call("floor", &case.name, move || {
        black_box(serde_json::from_slice::<Value>(black_box(&case.body)).ok());
    });
    rounds.add_call("bytes", &case.name, move || {
        let result = admit::create_from_slice(schema, black_box(&case.body));
        assert_eq!(black_box(&result).is_ok(), case.valid);
    });
    rounds.add_call("tree", &case.name, move || {
        let result = admit::create(schema, black_box(&case.object).clone());
        assert_eq!(black_box(&result).is_ok(), case.valid);
    });
}

/// Adds the validation of keywords here and by the `jsonschema` crate, if both agree: `is_valid` for a
/// valid object, `iter_errors` for an invalid one.
fn keywords_of<'a>(
    rounds: &mut Rounds<'a>,
    case: &'a Case,
    corpus: &'a Corpus,
    left_out: &mut Vec<String>,
) {
    let definition = &corpus.definitions[case.definition];
    let valid = definition.schema.validate(&case.conformed).is_empty();
    let Some(validator) = peers::json_schema(definition) else {
        return left_out.push(format!("{}: the jsonschema crate rejects its schema", case.name));
    };
    if validator.is_valid(&case.conformed) != valid {
        return left_out.push(format!("{}: the jsonschema crate decides otherwise", case.name));
    }
    let (ours, theirs) = if valid {
        ("keywords", "jsonschema")
    } else {
        ("keywords, invalid", "jsonschema, invalid")
    };
    rounds.add_call(ours, &case.name, move || {
        let errors = definition.schema.validate(black_box(&case.conformed));
        assert_eq!(black_box(&errors).is_empty(), valid);
    });
    rounds.add_call(theirs, &case.name, move || {
        let object = black_box(&case.conformed);
        if valid {
            assert!(validator.is_valid(object));
        } else {
            assert!(validator.iter_errors(object).map(black_box).count() > 0);
        }
    });
}

/// Adds the evaluation of the rules here and by kube-cel, if both agree.
fn rules_of<'a>(
    rounds: &mut Rounds<'a>,
    case: &'a Case,
    corpus: &'a Corpus,
    left_out: &mut Vec<String>,
) {
    let definition = &corpus.definitions[case.definition];
    let evaluation = definition.schema.evaluate_rules(&case.conformed, None);
    if evaluation.cost.is_none_or(|cost| cost == 0) {
        return;
    }
    let Some(compiled) = peers::kube_cel(definition) else {
        return left_out.push(format!("{}: kube-cel rejects a rule", case.name));
    };
    let validator = kube_cel::Validator::new();
    let valid = evaluation.errors.is_empty();
    if validator.validate_compiled(&compiled, &case.conformed, None).is_ok() != valid {
        return left_out.push(format!("{}: kube-cel decides otherwise", case.name));
    }
    rounds.add_call("rules", &case.name, move || {
        let evaluation = definition.schema.evaluate_rules(black_box(&case.conformed), None);
        assert_eq!(black_box(&evaluation).errors.is_empty(), valid);
    });
    rounds.add_call("kube-cel", &case.name, move || {
        let result = validator.validate_compiled(&compiled, black_box(&case.conformed), None);
        assert_eq!(black_box(&result).is_ok(), valid);
    });
}

/// Adds one rule: evaluated alone by crd-cel and by the `cel` crate, and as the only rule of a
/// definition here and by kube-cel.
fn one_rule<'a>(
    rounds: &mut Rounds<'a>,
    rule: &'a made::Rule,
    definition: &'a Definition,
) -> Result<(), String> {
    let decl: Arc<Decl> = rule.decl();
    let named = Named::new("self", Arc::clone(&decl));
    let env = crd_cel::env::Env::kubernetes().with_variable("self", named.type_(), Some(named));
    let checked = env.compile(rule.rule).map_err(|_| format!("{} does not compile", rule.rule))?;
    let program = crd_cel::plan::Program::plan(&checked, &env)
        .map_err(|_| format!("{} cannot be planned", rule.rule))?;
    rounds.add_call("crd-cel", rule.name, move || {
        let value = crd_cel::value::Value::declared(black_box(&rule.object), &decl);
        let outcome = program.eval(&[("self", value.expect("an object"))], RULE_LIMIT);
        assert!(matches!(outcome.result, Ok(crd_cel::value::Value::Bool(true))));
    });
    rounds.add_call("rules", rule.name, move || {
        let evaluation = definition.schema.evaluate_rules(black_box(&rule.object), None);
        assert!(evaluation.errors.is_empty());
    });

    let env = Arc::new(cel::Env::stdlib());
    let program = env.compile(rule.rule).map_err(|error| error.to_string())?;
    let mut bound = cel::Context::with_env(Arc::clone(&env));
    bound.add_variable("self", &rule.object).map_err(|error| error.to_string())?;
    let same_program = env.compile(rule.rule).map_err(|error| error.to_string())?;
    rounds.add_call("cel, bound", rule.name, move || {
        let value = program.execute(black_box(&bound)).expect("evaluates");
        assert_eq!(value, true.into());
    });
    rounds.add_call("cel", rule.name, move || {
        let mut context = cel::Context::with_env(Arc::clone(&env));
        context.add_variable("self", black_box(&rule.object)).expect("converts");
        let value = same_program.execute(&context).expect("evaluates");
        assert_eq!(value, true.into());
    });
    let compiled = peers::kube_cel(definition).ok_or("kube-cel rejects a rule")?;
    let validator = kube_cel::Validator::new();
    rounds.add_call("kube-cel rule", rule.name, move || {
        assert!(validator.validate_compiled(&compiled, black_box(&rule.object), None).is_ok());
    });
    Ok(())
}

/// Compiles a version of a definition from its bytes, rules included.
fn compiled(text: &[u8], version: &str) -> CompiledSchema {
    let crd: CustomResourceDefinition = serde_json::from_slice(text).expect("a definition");
    let schema = CompiledSchema::for_version(&crd, version).expect("it compiles");
    // Rules are compiled when they are first needed.
    let _ = schema.evaluate_rules(&Value::Null, None);
    schema
}
