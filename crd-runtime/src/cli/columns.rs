//! Columns as `kubectl` lays them out.
//!
//! Source: `GetNewTabWriter` in `k8s.io/cli-runtime/pkg/printers`: columns at least six wide, three spaces between, and
//! nothing behind the last.

use std::fmt::Write as _;

/// Narrowest column, in characters, its padding included.
const NARROWEST: usize = 6;
/// Spaces between columns.
const PADDING: usize = 3;

/// Lays out rows of cells, each row ended by a newline.
pub(super) fn lay_out(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        // The last cell of a row is not part of a column.
        for (index, cell) in row.iter().enumerate().take(row.len().saturating_sub(1)) {
            let width = (cell.chars().count() + PADDING).max(NARROWEST);
            match widths.get_mut(index) {
                Some(widest) => *widest = (*widest).max(width),
                None => widths.push(width),
            }
        }
    }
    let mut out = String::new();
    for row in rows {
        for (index, cell) in row.iter().enumerate() {
            let width =
                if index + 1 == row.len() { 0 } else { widths.get(index).copied().unwrap_or(0) };
            let _ = write!(out, "{cell:<width$}");
        }
        out.push('\n');
    }
    out
}

/// A cell's text on one line, without what a terminal would obey.
///
/// Source: `printRows` in `k8s.io/cli-runtime/pkg/printers/tableprinter.go`.
pub(super) fn one_line(text: &str) -> String {
    let first = text.split(['\n', '\r', '\u{c}']).next().unwrap_or_default();
    let more = if first.len() < text.len() { "..." } else { "" };
    format!("{}{more}", first.replace('\u{1b}', "^["))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_cells() {
        let rows = [&["NAME", "A", "AGE"][..], &["a-long-name", "1", ""], &["b", "123456", "2d"]];
        let rows: Vec<Vec<String>> =
            rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect();
        assert_eq!(
            lay_out(&rows),
            "NAME          A        AGE\na-long-name   1        \nb             123456   2d\n"
        );
    }

    #[test]
    fn a_cell_is_one_line() {
        assert_eq!(one_line("a\nb"), "a...");
        assert_eq!(one_line("\u{1b}[1m"), "^[[1m");
        assert_eq!(one_line("é"), "é");
    }
}
