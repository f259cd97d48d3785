//! Unified diffs.

use std::io::{self, Write};

use similar::{ChangeTag, TextDiff};

use super::style;

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// Writes the unified diff of two texts; nothing if they are equal.
pub(super) fn write(out: &mut dyn Write, from: (&str, &str), to: (&str, &str)) -> io::Result<()> {
    let diff = TextDiff::from_lines(from.1, to.1);
    let mut headed = false;
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        if !headed {
            writeln!(out, "{}", style::bad(format_args!("--- {}", from.0)))?;
            writeln!(out, "{}", style::good(format_args!("+++ {}", to.0)))?;
            headed = true;
        }
        writeln!(out, "{}", style::place(hunk.header()))?;
        for change in hunk.iter_changes() {
            let line = change.value().trim_end_matches('\n');
            // Shows a carriage return as `^M`, because lines that differ only in it would look the
            // same.
            let (line, end) = line.strip_suffix('\r').map_or((line, ""), |line| (line, "^M"));
            match change.tag() {
                ChangeTag::Equal => writeln!(out, " {}{end}", style::text(line))?,
                ChangeTag::Delete => writeln!(out, "{}", style::bad(format_args!("-{line}{end}")))?,
                ChangeTag::Insert => {
                    writeln!(out, "{}", style::good(format_args!("+{line}{end}")))?;
                }
            }
            if change.missing_newline() {
                writeln!(out, "\\ No newline at end of file")?;
            }
        }
    }
    Ok(())
}
