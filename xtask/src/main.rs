//! The chores of this workspace: `cargo xtask <chore>`.

mod agreement;
mod api;
mod apiserver;
mod compare;
mod conformance;
mod differential;
mod e2e;
mod features;
mod instructions;
mod kinds;
mod kubectl;
mod metadata;
mod oracle;
mod requests;
mod rust_version;
mod speed;
mod tidy;
mod types;
mod zoo;

use std::env;
use std::io::{self, Write as _};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask <chore>

chores:
  agreement DIR [--mutants N] [--generated N] [--seed S] [--show N]
      ask rustc about the rules recorded in DIR, mutants of them and generated ones, and compare with the
      checks of the definition
  api [--write]
      compare the public items of the published crates with docs/api, or write them there
  apiserver [--kubernetes 1.33]
      run a real kube-apiserver with its own etcd on loopback (needs Go) until interrupted
  compare [--rounds N] [--dry]
      measure beside the API server's own code (needs Go) and other crates, and write BENCHMARKS.md
  crds [--out DIR] [--check] ...
      write the manifests of all examples to examples/crds (`crds --help` has the rest);
      the other commands of `crd` work here too, on the kinds of the examples
  conformance DIR [--show N] [--only SOURCE|ID|SOURCE:ID]
      compare with the recorded verdicts of the real API server in DIR
  differential [--cases N] [--seed S] [--kubernetes 1.33|all] [--depth texts|verdicts] [--recorded DIR]
               [--only NUMBER] [--save DIR]
      decide generated cases, or changes of those recorded in DIR, here and with the API server's own code
      (needs Go), and compare
  features
      compile the published packages without features, with each feature, and with each pair of features
  instructions [--bless]
      count the instructions of a few cases (needs valgrind), and compare them with bench/instructions.json
  e2e [--kubernetes 1.33] [WORD]
      run the end-to-end tests (those whose names have the word) against a real kube-apiserver (needs Go)
  kubectl [SCENARIO]
      run the scenarios of tests/kubectl, or one of them, with kubectl, a real kube-apiserver (both need Go) and
      the API server of tests, and compare what it prints
  rbac [--out FILE] [--check] [--against FILE]
      write the roles that the operator of the examples needs to examples/operator/deploy/role.yaml
  requests [--requests N] [--seed S] [--only NUMBER] [--show N] [--webhook]
      send generated sequences of requests to a real kube-apiserver (needs Go) and to the API server of
      tests, and compare the answers
  rust-version
      fail if a dependency of the published crates says that it needs a newer Rust than they do
  speed [--kubernetes 1.33]
      measure the API server of tests: creations, watches, memory, start; beside a real kube-apiserver (needs Go)
  oracle [--kubernetes 1.33]
      build the API server's own code (needs Go) and answer JSON lines on standard input
  tidy
      check the sources against the rules of ARCHITECTURE.md: layers, cycles, lengths, words, limits, and the
      upstream files that `Source:` notes name (needs Go)
  types [--check]
      write the Go types of built-in kinds of all minors (needs Go) to crd-runtime/src/apiserver/go_types/types.txt, or
      compare those of the reference version with it
  zoo [--types N] [--seed S] [--batch N] [--show N] [--errors] [--only NUMBER]
      compile random types with the derives, and check the laws of derived types
";

/// Exit status of a usage error.
const EXIT_USAGE: u8 = 2;

fn main() -> ExitCode {
    if let Some(status) = api::in_place_of_rustdoc() {
        return status;
    }
    let mut args = env::args().skip(1);
    let asks_for_help = env::args().any(|arg| matches!(&*arg, "--help" | "-h"));
    match args.next().as_deref() {
        Some(
            "agreement" | "api" | "apiserver" | "compare" | "conformance" | "differential"
            | "instructions" | "e2e" | "features" | "kubectl" | "oracle" | "requests"
            | "rust-version" | "speed" | "tidy" | "types" | "zoo",
        ) if asks_for_help => help(),
        Some("agreement") => agreement::main(args),
        Some("api") => api::main(args),
        Some("apiserver") => apiserver::main(args),
        Some("compare") => compare::main(args),
        Some("conformance") => conformance::main(args),
        Some("differential") => differential::main(args),
        Some("instructions") => instructions::main(args),
        Some("e2e") => e2e::main(args),
        Some("features") => features::main(),
        Some("kubectl") => kubectl::main(args),
        Some("requests") => requests::main(args),
        Some("rust-version") => rust_version::main(),
        Some("speed") => speed::main(args),
        Some("oracle") => oracle::main(args),
        Some("tidy") => tidy::main(),
        Some("types") => types::main(args),
        Some("zoo") => zoo::main(args),
        Some("help" | "--help" | "-h") => help(),
        Some(_) => kinds::registry().run(),
        None => {
            let _ = io::stderr().write_all(USAGE.as_bytes());
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn help() -> ExitCode {
    let _ = io::stdout().write_all(USAGE.as_bytes());
    ExitCode::SUCCESS
}
