//! Checks the lengths of files and functions.

use super::code::{File, Tree, end_of_block, line_of};
use super::{Exceptions, Finding};

/// The most lines of a file, comments included.
const MAX_FILE: usize = 500;

/// The most lines of a function, from its `fn` to its last brace.
const MAX_FUNCTION: usize = 80;

pub(super) fn check(tree: &Tree, exceptions: &mut Exceptions<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| !file.is_test()) {
        let lines = file.text.lines().count();
        if lines > MAX_FILE && !exceptions.allows("file", &file.path) {
            let text = format!("{lines} lines: a file has at most {MAX_FILE}");
            findings.push(Finding::of(&file.path, 1, text));
        }
        for (name, line, lines) in functions(file) {
            let exception = format!("{} {name}", file.path);
            if lines > MAX_FUNCTION && !exceptions.allows("function", &exception) {
                let text =
                    format!("`{name}` has {lines} lines: a function has at most {MAX_FUNCTION}");
                findings.push(Finding::of(&file.path, line, text));
            }
        }
    }
    findings
}

/// Returns the functions with a body: name, line and length in lines.
fn functions(file: &File) -> Vec<(&str, usize, usize)> {
    let code = &file.code;
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if code[..at].ends_with(is_word) {
            continue;
        }
        let rest = &code[at + "fn ".len()..];
        let name = rest.split(|c| !is_word(c)).next().unwrap_or_default();
        let Some(open) = body(rest).map(|offset| at + "fn ".len() + offset) else { continue };
        let (first, last) = (line_of(code, at), line_of(code, end_of_block(code, open)));
        if !name.is_empty() {
            found.push((name, first, last + 1 - first));
        }
    }
    found
}

/// Returns the offset of a function's body in the code that begins with its name; `None` for a declaration.
fn body(rest: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (offset, byte) in rest.bytes().enumerate() {
        match byte {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth = depth.saturating_sub(1),
            b';' if depth == 0 => return None,
            b'{' if depth == 0 => return Some(offset),
            _ => {}
        }
    }
    None
}
