//! Workflow commands of GitHub Actions.
//!
//! Source: <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>; the escapes are those of
//! `packages/core/src/command.ts` in `actions/toolkit`.

use std::io::{self, Write};

use super::finding::{Finding, Severity};
use crate::style;

/// Writes a command for each finding.
pub(super) fn write(out: &mut dyn Write, findings: &[Finding]) -> io::Result<()> {
    for finding in findings {
        let title = property(&style::word(&finding.subject).to_string());
        let level = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let (file, line) = (property(&finding.place.file), finding.place.line.max(1));
        let message = data(&style::text(finding.whole_message()).to_string());
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
