//! The chores of this workspace: `cargo dev <chore>`.

mod api;
mod apiserver;
mod compare;
mod conformance;
mod differential;
mod e2e;
mod features;
mod instructions;
mod kubectl;
mod licences;
mod metadata;
mod mutants;
mod oracle;
mod requests;
mod rust_version;
mod speed;
mod tidy;
mod times;
mod types;
mod yaml;
mod zoo;

use std::env;
use std::io::{self, Write as _};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo dev <chore>

chores:
  api [--write]
      compare the public items of the published crates with docs/api, or write them there
  apiserver [--kubernetes 1.33]
      run a real kube-apiserver with its own etcd on loopback (needs Go) until interrupted
  compare [--rounds N] [--dry]
      measure beside the API server's own code (needs Go) and other crates, and write BENCHMARKS.md
  conformance DIR [--show N] [--only SOURCE|ID|SOURCE:ID]
      compare with the recorded verdicts of the real API server in DIR
  differential [--cases N] [--seed S] [--kubernetes 1.33|all] [--depth texts|verdicts] [--recorded DIR]
               [--only NUMBER] [--save DIR]
      decide generated cases, or changes of those recorded in DIR, here and with the API server's own code
      (needs Go), and compare
  features
      compile the published packages without features, with each block of features, and with each two blocks
  instructions [--bless]
      count the instructions of a few cases (needs valgrind), and compare them with bench/instructions.json
  e2e [--kubernetes 1.33] [WORD..] [--skip WORD] [--test-threads N]
      run the end-to-end tests (those whose names have one of the words) against a real kube-apiserver (needs Go)
  kubectl [SCENARIO]
      run the scenarios of tests/kubectl, or one of them, with kubectl, a real kube-apiserver (both need Go) and
      the in-process API server, and compare what it prints
  licences
      check the licences and sources of all dependencies against deny.toml
  mutants PACKAGE [--shard K/N] [--in-place] ..
      run cargo-mutants (which must be installed) over the modules of .cargo/mutants.toml, and name the changes
      that no test detects and docs/design/mutants.md does not explain
  requests [--requests N] [--seed S] [--only NUMBER] [--show N] [--webhook]
      send generated sequences of requests to a real kube-apiserver (needs Go) and to the
      in-process API server, and compare the answers
  rust-version
      fail if a dependency of the published crates says that it needs a newer Rust than they do
  speed [--kubernetes 1.33]
      measure the in-process API server and a real kube-apiserver (needs Go): creations, watches, memory, start
  oracle [--kubernetes 1.33]
      build the API server's own code (needs Go) and answer JSON lines on standard input
  tidy
      check the sources against the rules of ARCHITECTURE.md: layers, circles, and the upstream files that
      `Source:` notes name (needs Go)
  times [WORD..]
      measure the commands of a contributor in a fresh clone, and write their times to CONTRIBUTING.md
  types [--check]
      write the Go types of built-in kinds of all minors (needs Go) to crates/crd-engine/src/go_types/types.txt, or
      compare those of the reference version with it
  yaml [--texts N] [--seed S] [--show N] [FILE|DIR..]
      compare what is read in recorded, generated and given YAML with go-yaml (needs Go)
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
    let chore = args.next();
    if env::args().any(|arg| matches!(&*arg, "--help" | "-h")) {
        return help();
    }
    match chore.as_deref() {
        Some("api") => api::main(args),
        Some("apiserver") => apiserver::main(args),
        Some("compare") => compare::main(args),
        Some("conformance") => conformance::main(args),
        Some("differential") => differential::main(args),
        Some("e2e") => e2e::main(args),
        Some("features") => features::main(),
        Some("instructions") => instructions::main(args),
        Some("kubectl") => kubectl::main(args),
        Some("licences") => licences::main(),
        Some("mutants") => mutants::main(args),
        Some("oracle") => oracle::main(args),
        Some("requests") => requests::main(args),
        Some("rust-version") => rust_version::main(),
        Some("speed") => speed::main(args),
        Some("tidy") => tidy::main(),
        Some("times") => times::main(args),
        Some("types") => types::main(args),
        Some("yaml") => yaml::main(args),
        Some("zoo") => zoo::main(args),
        Some("help") => help(),
        _ => {
            let _ = io::stderr().write_all(USAGE.as_bytes());
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn help() -> ExitCode {
    let _ = io::stdout().write_all(USAGE.as_bytes());
    ExitCode::SUCCESS
}
