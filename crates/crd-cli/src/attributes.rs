//! `crd attributes`: the keys of `#[crd(..)]`, and the section of one, from the page of attributes.

use clap::Args;

use super::columns::lay_out;
use super::{CommandError, CommandOutcome, Context};

/// The page, which the derives come with.
const PAGE: &str = crd_runtime::__private::attributes_page!();

/// Arguments of `attributes`.
#[derive(Debug, Args)]
pub(super) struct Attributes {
    /// A key, such as `print_column`.
    key: Option<String>,
}

/// Returns a row for each key of the page's table: the key, where it can be, and what it does.
fn keys() -> Vec<Vec<String>> {
    let rows = PAGE.lines().filter_map(|line| line.strip_prefix("| [`"));
    let cells = rows.map(|row| row.trim_end_matches(" |").split(" | ").collect::<Vec<_>>());
    let rows = cells.filter_map(|cells| match cells[..] {
        [name, on, _, does] => Some(vec![
            name.split('`').next().unwrap_or_default().to_owned(),
            on.to_owned(),
            does.to_owned(),
        ]),
        _ => None,
    });
    rows.collect()
}

/// Returns the section of a key, without its heading.
fn section(key: &str) -> Option<&'static str> {
    let (_, rest) = PAGE.split_once(&format!("\n### `{key}`\n"))?;
    let end = ["\n### ", "\n## "].iter().filter_map(|heading| rest.find(heading)).min();
    Some(rest[..end.unwrap_or(rest.len())].trim())
}

/// Runs the command.
pub(super) fn run(
    context: &mut Context<'_>,
    args: &Attributes,
) -> Result<CommandOutcome, CommandError> {
    let Some(key) = &args.key else {
        let heading = ["KEY", "ON A", "WHAT IT DOES"].map(str::to_owned).to_vec();
        let rows: Vec<_> = std::iter::once(heading).chain(keys()).collect();
        context.out.write_all(lay_out(&rows).as_bytes())?;
        return Ok(CommandOutcome::Valid);
    };
    let section = section(key).ok_or_else(|| {
        CommandError(format!("unknown key `{key}`; `crd attributes` lists all keys"))
    })?;
    writeln!(context.out, "{section}")?;
    Ok(CommandOutcome::Valid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_a_section() {
        let keys = keys();
        assert!(keys.len() > 60, "{keys:?}");
        for row in keys {
            let section = section(&row[0]).unwrap_or_else(|| panic!("{row:?}"));
            assert!(section.starts_with("`#[crd(") && !section.contains("\n### "), "{section}");
        }
        assert_eq!(section("no_such_key"), None);
    }
}
