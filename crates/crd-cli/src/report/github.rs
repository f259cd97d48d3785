//! Workflow commands of GitHub Actions.
//!
//! Source: <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>; the escapes are those of
//! `packages/core/src/command.ts` in `actions/toolkit`.

use std::io::{self, Write};

use super::finding::{Finding, findings, title};
use crate::style;
use crate::verdict::Verdict;

/// Writes a command for each error and warning.
pub(super) fn write(out: &mut dyn Write, verdict: &Verdict) -> io::Result<()> {
    let title = property(&style::word(title(verdict)).to_string());
    for Finding { place, is_error, message, .. } in findings(verdict) {
        let level = if is_error { "error" } else { "warning" };
        let (file, line) = (property(&place.file), place.line.max(1));
        let message = data(&style::text(message).to_string());
        writeln!(out, "::{level} file={file},line={line},title={title}::{message}")?;
    }
    Ok(())
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
