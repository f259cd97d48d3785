//! `cargo dev agreement DIR`: compares rustc's verdicts on rules with those of the checks of definitions.

use std::env;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crd_tests::agreement::{
    Account, corpus, documented, error_besides_costs, generated, is_over_budget_in_a_list, mutants,
    rustc,
};

use crate::EXIT_USAGE;

/// The arguments. By default there are 2,000 mutants and 500 generated rules of seed 1, and three errors of each kind
/// are shown.
struct Options {
    dir: PathBuf,
    mutants: usize,
    generated: usize,
    seed: u64,
    show: usize,
}

/// Runs the chore. The exit status is 1 if rustc rejects a rule that the checks of definitions accept, alone or in a
/// list, or does not compile the types; 2 if the rules cannot be compared.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    match parse(args).and_then(|options| compare(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            let _ = writeln!(io::stderr(), "cargo dev agreement: {message}");
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options =
        Options { dir: PathBuf::new(), mutants: 2_000, generated: 500, seed: 1, show: 3 };
    while let Some(arg) = args.next() {
        let mut number = || {
            let value = args.next().ok_or_else(|| format!("{arg} needs a value"))?;
            value.parse::<u64>().map_err(|_| format!("{arg} needs a number"))
        };
        let small = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        match arg.as_str() {
            "--mutants" => options.mutants = small(number()?),
            "--generated" => options.generated = small(number()?),
            "--seed" => options.seed = number()?,
            "--show" => options.show = small(number()?),
            flag if flag.starts_with('-') => return Err(format!("no option {flag}")),
            path => options.dir = PathBuf::from(path),
        }
    }
    Ok(options)
}

fn compare(options: &Options) -> Result<bool, String> {
    let mut cases = corpus(&options.dir);
    if cases.is_empty() {
        return Err(format!("no recorded rules in {}", options.dir.display()));
    }
    cases.extend(documented());
    let recorded = cases.len();
    cases.extend(mutants(&cases, options.mutants, options.seed));
    cases.extend(generated(options.generated, options.seed));
    // Leaves out rules that do not parse: the macro reports them and emits nothing else for the type.
    let parses = |text: &str| crd_cel::syntax::parse(text).is_ok();
    cases.retain(|case| parses(&case.rule) && case.message.as_deref().is_none_or(parses));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let results = rustc::verdicts(&cases, &target.join("agreement"), &root.join("crd-runtime"))
        .map_err(|error| error.to_string())?;
    let mut account = Account::default();
    let mut compiled = 0;
    for (i, case) in cases.iter().enumerate() {
        let error = results.errors.get(&i).map(String::as_str);
        if case.change.is_empty() && error.is_none() && error_besides_costs(case).is_none() {
            compiled += 1;
        }
        account.add(case, error);
    }
    let mut text = format!(
        "{recorded} recorded and documented rules, of which {compiled} compile; {} in all with mutants and generated ones\n",
        cases.len()
    );
    text += &account.render(options.show);
    let (mut found, mut over, mut wrong) = (0, 0, Vec::new());
    for (members, error) in &results.lists {
        // A rule that the definition's checks reject for another reason is not counted.
        let rejected = members.iter().any(|i| {
            error_besides_costs(&cases[*i]).is_none() && is_over_budget_in_a_list(&cases[*i])
        });
        over += usize::from(rejected);
        found += usize::from(rejected && error.is_some());
        wrong.extend(error.iter().filter(|_| !rejected));
    }
    let _ = writeln!(
        text,
        "{} types in lists without a bound, of which {over} have a rule that costs too much there; rustc finds \
         {found} of these, and rejects {} others",
        results.lists.len(),
        wrong.len()
    );
    for error in wrong.iter().take(options.show) {
        let _ = writeln!(text, "false error in a list: {error}");
    }
    for error in results.elsewhere.iter().take(options.show.max(1)) {
        let _ = writeln!(text, "not of a rule: {error}");
    }
    let _ = writeln!(text, "{} errors that are not of a rule", results.elsewhere.len());
    io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    Ok(account.false_errors.is_empty() && wrong.is_empty() && results.elsewhere.is_empty())
}
