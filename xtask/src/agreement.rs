//! `cargo xtask agreement DIR`: compares rustc's verdicts on rules with the server's.

use std::env;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crd_tests::agreement::{
    Account, corpus, documented, exact, generated, is_over_budget_in_a_list, mutants, rustc,
};

use crate::EXIT_USAGE;

/// The arguments.
struct Asked {
    dir: PathBuf,
    mutants: usize,
    generated: usize,
    seed: u64,
    show: usize,
}

/// Runs the chore; exit status 1 if rustc rejects a rule that the server accepts, or does not compile the types.
pub(crate) fn main(args: impl Iterator<Item = String>) -> ExitCode {
    match parse(args).and_then(|asked| compare(&asked)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            let _ = writeln!(io::stderr(), "cargo xtask agreement: {message}");
            ExitCode::from(EXIT_USAGE)
        }
    }
}

fn parse(mut args: impl Iterator<Item = String>) -> Result<Asked, String> {
    let mut asked = Asked { dir: PathBuf::new(), mutants: 2_000, generated: 500, seed: 1, show: 3 };
    while let Some(arg) = args.next() {
        let mut number = || {
            let value = args.next().ok_or_else(|| format!("{arg} needs a value"))?;
            value.parse::<u64>().map_err(|_| format!("{arg} needs a number"))
        };
        let small = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        match arg.as_str() {
            "--mutants" => asked.mutants = small(number()?),
            "--generated" => asked.generated = small(number()?),
            "--seed" => asked.seed = number()?,
            "--show" => asked.show = small(number()?),
            flag if flag.starts_with('-') => return Err(format!("no option {flag}")),
            path => asked.dir = PathBuf::from(path),
        }
    }
    Ok(asked)
}

fn compare(asked: &Asked) -> Result<bool, String> {
    let mut cases = corpus(&asked.dir);
    if cases.is_empty() {
        return Err(format!("no recorded rules in {}", asked.dir.display()));
    }
    cases.extend(documented());
    let recorded = cases.len();
    cases.extend(mutants(&cases, asked.mutants, asked.seed));
    cases.extend(generated(asked.generated, asked.seed));
    // Leaves out rules that do not parse: the macro reports them and emits nothing else for the type.
    let parses = |text: &str| crd_cel::syntax::parse(text).is_ok();
    cases.retain(|case| parses(&case.rule) && case.message.as_deref().is_none_or(parses));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let said = rustc::verdicts(&cases, &target.join("agreement"), &root.join("crd-runtime"))
        .map_err(|error| error.to_string())?;
    let mut account = Account::default();
    let mut compiled = 0;
    for (i, case) in cases.iter().enumerate() {
        let error = said.errors.get(&i).map(String::as_str);
        if case.change.is_empty() && error.is_none() && exact(case).is_none() {
            compiled += 1;
        }
        account.add(case, error);
    }
    let mut text = format!(
        "{recorded} recorded and documented rules, of which {compiled} compile; {} in all with mutants and generated ones\n",
        cases.len()
    );
    text += &account.render(asked.show);
    let (mut found, mut over, mut wrong) = (0, 0, Vec::new());
    for (members, error) in &said.lists {
        // Rules that do not compile have no cost.
        let refused = members
            .iter()
            .any(|i| exact(&cases[*i]).is_none() && is_over_budget_in_a_list(&cases[*i]));
        over += usize::from(refused);
        found += usize::from(refused && error.is_some());
        wrong.extend(error.iter().filter(|_| !refused));
    }
    let _ = writeln!(
        text,
        "{} types in lists without a bound, of which {over} have a rule that costs too much there; rustc finds \
         {found}, and {} that are none",
        said.lists.len(),
        wrong.len()
    );
    for error in wrong.iter().take(asked.show) {
        let _ = writeln!(text, "false error in a list: {error}");
    }
    for error in said.elsewhere.iter().take(asked.show.max(1)) {
        let _ = writeln!(text, "not of a rule: {error}");
    }
    let _ = writeln!(text, "{} errors that are not of a rule", said.elsewhere.len());
    io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    Ok(account.false_errors.is_empty() && wrong.is_empty() && said.elsewhere.is_empty())
}
