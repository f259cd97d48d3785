//! Finds paths within a crate, such as `use crate::a::{b, c::d};` and `super::e::f()`.

use super::code::{File, line_of};

/// A path in code, from the crate down.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CodePath {
    pub(super) line: usize,
    pub(super) path: Vec<String>,
}

/// Returns the paths that begin at the crate, at the module itself or at one above it.
pub(super) fn code_paths(file: &File) -> Vec<CodePath> {
    let code = &file.code;
    let here: Vec<String> = file.module().into_iter().map(str::to_owned).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((word, end)) = next_word(code, &mut at) {
        let starts_path = code[..at].trim_end().strip_suffix("::").is_none_or(|before| {
            !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '>' | ')' | ']'))
        });
        let mut base = match word {
            "crate" => Vec::new(),
            "super" if starts_path => here[..here.len().saturating_sub(1)].to_vec(),
            "self" if starts_path => here.clone(),
            _ => {
                at = end;
                continue;
            }
        };
        let line = line_of(code, at);
        at = end;
        let Some(next) = after_colons(code, end) else { continue };
        let mut next = next;
        while let Some(rest) = code[next..].trim_start().strip_prefix("super") {
            let Some(after) = after_colons(code, code.len() - rest.len()) else { break };
            base.pop();
            next = after;
        }
        let mut paths = Vec::new();
        add_use_tree(code, next, base, &mut paths);
        found.extend(paths.into_iter().map(|path| CodePath { line, path }));
    }
    found
}

/// Returns the next word at or after `at` and the offset of its end, and sets `at` to its beginning.
fn next_word<'c>(code: &'c str, at: &mut usize) -> Option<(&'c str, usize)> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let begin = *at + code[*at..].find(is_word)?;
    let end = begin + code[begin..].find(|c| !is_word(c)).unwrap_or(code.len() - begin);
    *at = begin;
    Some((&code[begin..end], end))
}

/// Returns the offset after `::` and the blanks around it; `None` if there is no `::`.
fn after_colons(code: &str, at: usize) -> Option<usize> {
    let rest = code[at..].trim_start().strip_prefix("::")?;
    Some(code.len() - rest.trim_start().len())
}

/// Adds the paths of a `use` tree, or a single path, to `paths`, and returns the offset of its end.
fn add_use_tree(
    code: &str,
    at: usize,
    mut path: Vec<String>,
    paths: &mut Vec<Vec<String>>,
) -> usize {
    let mut at = code.len() - code[at..].trim_start().len();
    if code[at..].starts_with('{') {
        at += 1;
        loop {
            at = code.len() - code[at..].trim_start_matches([' ', '\n', ',']).len();
            match code[at..].chars().next() {
                None => return at,
                Some('}') => return at + 1,
                Some(_) => {}
            }
            let end = add_use_tree(code, at, path.clone(), paths);
            let rest = code[end..].trim_start();
            at = match rest.strip_prefix("as ") {
                Some(rest) => {
                    let mut at = code.len() - rest.len();
                    next_word(code, &mut at).map_or(code.len(), |(_, end)| end)
                }
                None => end.max(at + 1),
            };
        }
    }
    let mut begin = at;
    match next_word(code, &mut begin) {
        Some((word, end)) if begin == at => {
            path.push(word.to_owned());
            match after_colons(code, end) {
                Some(next)
                    if code[next..]
                        .starts_with(|c: char| c == '{' || c.is_alphabetic() || c == '_') =>
                {
                    add_use_tree(code, next, path, paths)
                }
                _ => {
                    paths.push(path);
                    end
                }
            }
        }
        _ => {
            paths.push(path);
            at + 1
        }
    }
}
