//! Compares the definitions before and after the edits, which a program of the user prints.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::{CommandError, CommandOutcome, Context, diff, manifests, style};

/// Where the definitions before the edits go, if there are none to compare afterwards.
pub(super) const BEFORE: &str = "crds-before.yaml";

/// Runs the edits between two runs of a program, and compares what it prints. The files stay as they are if it prints no
/// definitions. `kept` is the file for the definitions before the edits, if there are none to compare afterwards.
pub(super) fn around(
    context: &mut Context<'_>,
    kept: &Path,
    printed: &dyn Fn() -> Result<Vec<u8>, String>,
    edit: impl FnOnce(&mut Context<'_>) -> Result<CommandOutcome, CommandError>,
) -> Result<CommandOutcome, CommandError> {
    let before = printed().map_err(|error| CommandError(format!("before the edits: {error}")))?;
    let old = diff::printed("before", before.clone())?;
    let outcome = edit(context)?;
    let after = printed().map_err(CommandError).and_then(|after| diff::printed("after", after));
    let compared = match after {
        Ok(new) => diff::all_changes(context, &old, &new)?,
        Err(CommandError(error)) => {
            let shown = kept.display();
            manifests::replace(kept, &String::from_utf8_lossy(&before))
                .map_err(|error| CommandError(format!("{shown}: {error}")))?;
            writeln!(
                context.err,
                "{}: after the edits: {error}\nnext: make it compile, and compare: `crd diff {shown} NEW`",
                style::bad("error")
            )?;
            CommandOutcome::Invalid
        }
    };
    Ok(match outcome {
        CommandOutcome::Valid => compared,
        worse => worse,
    })
}

/// Runs a program, whose arguments are separated by blanks, and returns what it prints. Its errors are the user's to read.
pub(super) fn printed(program: &str) -> Result<Vec<u8>, String> {
    let mut words = program.split_whitespace();
    let name = words.next().ok_or_else(|| "`--program` names no program".to_owned())?;
    let output = Command::new(name).args(words).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("`{program}` cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("`{program}` ends with {}", output.status));
    }
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use serde_json::json;

    use super::*;
    use crate::tests::{Dir, context};

    fn definition(maximum: u32) -> Vec<u8> {
        let count = json!({"type": "integer", "format": "int32", "maximum": maximum});
        let spec = json!({"type": "object", "properties": {"count": count}});
        let root = json!({"type": "object", "properties": {"spec": spec}});
        crd_fixtures::widget(root).json().to_string().into_bytes()
    }

    /// Runs edits that do nothing between two runs of a program.
    fn compared(
        kept: &Path,
        printed: &dyn Fn(bool) -> Result<Vec<u8>, String>,
    ) -> (Result<CommandOutcome, CommandError>, String, String) {
        let is_edited = Cell::new(false);
        context(|context| {
            around(context, kept, &|| printed(is_edited.get()), |_| {
                is_edited.set(true);
                Ok(CommandOutcome::Valid)
            })
        })
    }

    #[test]
    fn what_the_edits_change_is_printed() {
        let printed = |is_edited| Ok(definition(if is_edited { 5 } else { 9 }));
        let (outcome, out, _) = compared(Path::new("unused"), &printed);
        assert!(matches!(outcome, Ok(CommandOutcome::Invalid)));
        assert!(out.contains("spec.count") && out.contains("maximum"), "{out}");
        let (outcome, out, _) = compared(Path::new("unused"), &|_| Ok(definition(9)));
        assert!(matches!(outcome, Ok(CommandOutcome::Valid)), "{out}");
    }

    #[test]
    fn definitions_are_kept_if_the_program_fails_afterwards() {
        let dir = Dir::new("migrate");
        let kept = dir.path().join("kept.yaml");
        let printed =
            |is_edited| if is_edited { Err("broken".to_owned()) } else { Ok(definition(9)) };
        let (outcome, _, err) = compared(&kept, &printed);
        assert!(matches!(outcome, Ok(CommandOutcome::Invalid)));
        assert!(err.contains("after the edits: broken"), "{err}");
        assert_eq!(dir.read("kept.yaml").as_bytes(), definition(9));
    }

    #[test]
    fn nothing_is_edited_without_definitions_before() {
        let failing = |_| -> Result<Vec<u8>, String> { Err("broken".to_owned()) };
        let none = |_| -> Result<Vec<u8>, String> { Ok(b"{}".to_vec()) };
        for printed in [&failing as &dyn Fn(bool) -> _, &none] {
            let edited = |is_edited: bool| {
                assert!(!is_edited);
                printed(is_edited)
            };
            assert!(compared(Path::new("unused"), &edited).0.is_err());
        }
    }
}
