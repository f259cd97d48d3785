//! Columns as `kubectl` lays them out.
//!
//! Source: `GetNewTabWriter` in `k8s.io/cli-runtime/pkg/printers`: columns at least six wide, three spaces between
//! them, and no padding after the last.

use std::fmt::Write as _;

use super::style;

/// The width of the narrowest column with its padding, in characters.
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

/// Shortens cells so that rows fit a width: first the last column, to no less than a third of the width, then the one
/// before it. Rows that fit are unchanged.
pub(super) fn fit(rows: &mut [Vec<String>], width: usize) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |rows: &[Vec<String>], column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let fixed = (0..columns.saturating_sub(2))
        .map(|column| (widest(rows, column).unwrap_or(0) + PADDING).max(NARROWEST));
    let room = width.saturating_sub(fixed.sum::<usize>() + PADDING);
    let Some(last) = columns.checked_sub(1) else { return };
    let Some(before) = last.checked_sub(1) else { return };
    let (wants_before, wants_last) =
        (widest(rows, before).unwrap_or(0), widest(rows, last).unwrap_or(0));
    let for_last = room.saturating_sub(wants_before).max((width / 3).min(room)).min(wants_last);
    let for_before = room.saturating_sub(for_last);
    for row in rows {
        if let Some(cell) = row.get_mut(before) {
            *cell = without_middle(cell, for_before);
        }
        if let Some(cell) = row.get_mut(last) {
            *cell = without_end(cell, for_last);
        }
    }
}

/// The mark of an omission.
const ELLIPSIS: &str = "...";

fn without_end(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(ELLIPSIS.len())).collect();
    format!("{kept}{ELLIPSIS}")
}

/// Shortens a path, and keeps more of its end than of its beginning, because the end identifies it.
fn without_middle(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return text.to_owned();
    }
    let kept = width.saturating_sub(ELLIPSIS.len());
    let begin = kept / 4;
    let head: String = text.chars().take(begin).collect();
    let tail: String = text.chars().skip(length - (kept - begin)).collect();
    format!("{head}{ELLIPSIS}{tail}")
}

/// Returns the first line of a cell's text, with `...` if there are more, `^[` for escape characters, and other control
/// characters escaped.
///
/// Source: `printRows` in `k8s.io/cli-runtime/pkg/printers/tableprinter.go`.
pub(super) fn one_line(text: &str) -> String {
    let first = text.split(['\n', '\r', '\u{c}']).next().unwrap_or_default();
    let more = if first.len() < text.len() { "..." } else { "" };
    style::word(format_args!("{}{more}", first.replace('\u{1b}', "^["))).to_string()
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
    fn rows_fit_the_width() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let path = "v1.properties[spec].properties[ports].items.x-kubernetes-validations[0]";
        let rule = "self.all(p, p.port > 0 && p.port < 65536 && p.name != '')";
        let rows = [row(["COST", "PATH", "RULE"]), row(["1", path, rule])];
        for width in [40, 60, 80, 120, 200] {
            let mut rows = rows.clone();
            fit(&mut rows, width);
            let text = lay_out(&rows);
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
            assert!(widest <= width, "{widest} of {width}\n{text}");
            assert_eq!(text.contains(rule) && text.contains(path), width == 200, "{text}");
        }
        let mut rows = rows;
        fit(&mut rows, 100);
        let want = "v1.properties...[ports].items.x-kubernetes-validations[0]";
        assert_eq!(rows[1][1], want);
        assert_eq!(rows[1][2], "self.all(p, p.port > 0 && p.po...");
        fit(&mut [], 10);
    }

    #[test]
    fn a_cell_is_one_line() {
        assert_eq!(one_line("a\nb"), "a...");
        assert_eq!(one_line("\u{1b}[1m"), "^[[1m");
        assert_eq!(one_line("é"), "é");
        assert_eq!(one_line("\u{9b}2J"), "\\u{9b}2J");
    }
}
