//! Removes the parts of rustc's errors that depend on the machine or change with unrelated code.

use std::iter;
use std::path::Path;

/// The number of types that are kept of a list of "other types": rustc lists every type that implements a trait.
const TYPES_OF_A_LIST: usize = 8;

/// Normalizes a message that rustc has printed in the directory of the workspace. Places outside of `tests` lose their
/// line numbers, and the workspace, the standard library and the sources of dependencies become `$WORKSPACE`, `$RUST`
/// and `$CARGO`.
pub(crate) fn text(rendered: &str, workspace: &Path) -> String {
    let workspace = workspace.to_string_lossy();
    let mut lines: Vec<String> = Vec::new();
    let mut elsewhere = false;
    let mut types = None;
    for line in rendered.lines() {
        let mut line = line.trim_end().to_owned();
        if is_left_out(&line) {
            continue;
        }
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if text.starts_with("--> ") || text.starts_with("::: ") {
            elsewhere = place(&mut line, indent + "--> ".len());
        } else if elsewhere && text.starts_with(|c: char| c.is_ascii_digit() || "|.".contains(c)) {
            hide_number(&mut line);
        } else {
            elsewhere = false;
        }
        let text = line.trim_start();
        if text.starts_with("= help: the following") && text.contains("types implement trait") {
            types = Some(0);
        } else if let Some(count) = &mut types {
            if indent < 12 {
                types = None;
            } else {
                *count += 1;
                if *count > TYPES_OF_A_LIST + 1 {
                    continue;
                }
            }
        }
        if types == Some(TYPES_OF_A_LIST + 1) {
            line = format!("{}and $N others", " ".repeat(indent));
        }
        lines.push(line.replace(&*workspace, "$WORKSPACE"));
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    unindent(&mut lines);
    lines.into_iter().flat_map(|line| [line, "\n".to_owned()]).collect()
}

/// Whether a line is about the run of rustc, not about the source.
fn is_left_out(line: &str) -> bool {
    let note = line.trim_start();
    let note = note.strip_prefix("= note: ").unwrap_or(note);
    line.starts_with("error: aborting due to ")
        || line.starts_with("For more information about ")
        || line.starts_with("Some errors have detailed explanations:")
        || note.starts_with("the full type name has been written to")
        || note.starts_with("the full name for the type has been written to")
}

/// Rewrites the place that begins at `start`. Returns whether it is outside of the files under test.
fn place(line: &mut String, start: usize) -> bool {
    let path = &line[start..];
    if let Some(path) = path.strip_prefix("tests/") {
        *line = format!("{}{path}", &line[..start]);
        return false;
    }
    if let Some(at) = path.find("/rustlib/src/rust/library") {
        line.replace_range(start..start + at + "/rustlib/src/rust/library".len(), "$RUST");
    } else if let Some(path) = path.strip_prefix("/rustc/") {
        let library = path.find("/library/").map_or(0, |at| at + "/library".len());
        line.replace_range(start..start + "/rustc/".len() + library, "$RUST");
    } else if let Some(at) = path.find("/registry/src/") {
        let below = &path[at + "/registry/src/".len()..];
        let mut parts = below.splitn(3, '/').skip(1);
        let (name, rest) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let name = name.rsplit_once('-').map_or(name, |(name, _)| name);
        let place = format!("$CARGO/{name}-$VERSION/{rest}");
        line.replace_range(start.., &place);
    } else if Path::new(path).is_relative() {
        line.insert_str(start, "$WORKSPACE/");
    }
    // Removes the line and the column, such as `:12:34`.
    for _ in 0..2 {
        if let Some((place, number)) = line.rsplit_once(':')
            && number.bytes().all(|byte| byte.is_ascii_digit())
        {
            line.truncate(place.len());
        }
    }
    true
}

/// `10 | T: Send,` becomes `   | T: Send,`.
fn hide_number(line: &mut String) {
    let end = line.find(|c: char| c != ' ' && !c.is_ascii_digit()).unwrap_or(line.len());
    line.replace_range(..end, &" ".repeat(end));
}

/// Returns the width of the column of line numbers: in `10 | x`, `  |`, `  --> x`, `  = note: x` and `... |`.
fn margin(line: &str) -> Option<usize> {
    if let Some(rest) = line.strip_prefix("... ") {
        return Some(rest.len() - rest.trim_start().len());
    }
    let spaces = |text: &str| text.len() - text.trim_start_matches(' ').len();
    let before = spaces(line);
    let number = line[before..].bytes().take_while(u8::is_ascii_digit).count();
    let after = spaces(&line[before + number..]);
    let rest = &line[before + number + after..];
    let is_code = rest == "|" || rest.starts_with("| ");
    let is_change = number > 0 && rest.chars().next().is_some_and(|c| "~+-".contains(c));
    let is_more = number == 0 && ["--> ", "::: ", "= "].iter().any(|it| rest.starts_with(it));
    let margin = before + after;
    (margin > 0 && (is_code || is_change || is_more)).then(|| margin - 1)
}

/// Narrows the column of line numbers, in which hidden numbers are blanks, to the narrowest of the lines.
fn unindent(lines: &mut [String]) {
    let Some(narrowest) = lines.iter().filter_map(|line| margin(line)).min() else { return };
    let is_heading = iter::once(true).chain(iter::repeat(false));
    for (line, is_heading) in lines.iter_mut().zip(is_heading) {
        let starts_plainly =
            ["note:", "help:", "warning:", "error"].iter().any(|it| line.starts_with(it));
        if !is_heading
            && !starts_plainly
            && line != "..."
            && let Some(at) = line.find(' ')
        {
            let end = at + narrowest;
            if line.get(at..end).is_some_and(|cut| cut.bytes().all(|byte| byte == b' ')) {
                line.replace_range(at..end, "");
            }
        }
    }
}
