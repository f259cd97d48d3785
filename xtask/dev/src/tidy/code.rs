//! Source files as text and as code, which is the text without comments and without literals of strings and characters.

use std::path::Path;
use std::{fs, io};

/// The directory of the pages on the design.
const PAGES: &str = "docs/design";

/// The files that the rules apply to.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) files: Vec<File>,
    /// ARCHITECTURE.md.
    pub(super) architecture: String,
    /// The pages of `docs/design`, with their paths.
    pub(super) pages: Vec<(String, String)>,
}

/// A Rust source file.
#[derive(Debug)]
pub(super) struct File {
    /// The path from the root of the workspace, with slashes: `crates/crd-cel/src/re2/mod.rs`.
    pub(super) path: String,
    pub(super) text: String,
    /// The text with blanks in place of comments, literals of strings and characters, and test modules. Lines keep
    /// their numbers.
    pub(super) code: String,
}

impl Tree {
    /// Reads the sources of packages below the root of the workspace.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub(super) fn read(root: &Path, packages: &[&str]) -> io::Result<Self> {
        let mut tree = Self {
            architecture: fs::read_to_string(root.join("ARCHITECTURE.md"))?,
            ..Self::default()
        };
        for entry in fs::read_dir(root.join(PAGES))? {
            let entry = entry?;
            let path = format!("{PAGES}/{}", entry.file_name().to_string_lossy());
            tree.pages.push((path, fs::read_to_string(entry.path())?));
        }
        for package in packages {
            tree.read_directory(root, &format!("{package}/src"))?;
        }
        tree.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(tree)
    }

    fn read_directory(&mut self, root: &Path, directory: &str) -> io::Result<()> {
        for entry in fs::read_dir(root.join(directory))? {
            let entry = entry?;
            let path = format!("{directory}/{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                self.read_directory(root, &path)?;
            } else if Path::new(&path).extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(entry.path())?;
                self.add(path, text);
            }
        }
        Ok(())
    }

    pub(super) fn add(&mut self, path: String, text: String) {
        let code = without_tests(&blank(&text));
        self.files.push(File { path, text, code });
    }
}

impl File {
    /// The package's directory, from the root of the workspace.
    pub(super) fn package(&self) -> &str {
        self.path.split_once("/src/").map_or("", |(package, _)| package)
    }

    /// Whether the file has only tests.
    pub(super) fn is_test(&self) -> bool {
        let (_, path) = self.path.split_once("/src/").unwrap_or_default();
        path.split('/').any(|part| matches!(part, "tests" | "tests.rs" | "golden" | "golden.rs"))
    }

    /// The path of the file's module in the crate: `["re2", "machine"]`; empty for the root.
    pub(super) fn module(&self) -> Vec<&str> {
        let path = self.path.split_once("/src/").map_or("", |(_, path)| path);
        let mut names: Vec<&str> = path.trim_end_matches(".rs").split('/').collect();
        if matches!(names.last(), Some(&("mod" | "lib" | "main"))) {
            names.pop();
        }
        names
    }
}

/// Returns the number of the line at an offset, from 1.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
}

/// Replaces comments and literals of strings and characters by blanks, also the quotes of the literals.
pub(super) fn blank(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match &bytes[at..] {
            [b'/', b'/', ..] => end_of_line(bytes, at),
            [b'/', b'*', ..] => end_of_comment(bytes, at),
            [b'"', ..] => end_of_string(bytes, at),
            [b'r', b'"' | b'#', ..] if begins_literal(bytes, at) => match end_of_raw(bytes, at) {
                Some(end) => end,
                None => at + 1,
            },
            [b'\'', b'\\', ..] => end_of_character(bytes, at),
            [b'\'', rest @ ..] if is_character(rest) => end_of_character(bytes, at),
            _ => at + 1,
        };
        if end > at + 1 {
            for byte in &mut out[at..end.min(bytes.len())] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
        }
        at = end;
    }
    // The bytes are still UTF-8: whole characters were replaced, byte by byte.
    String::from_utf8_lossy(&out).into_owned()
}

/// Whether an `r` begins a raw string, also as `br` or `cr`, and is not the end of a name.
fn begins_literal(bytes: &[u8], at: usize) -> bool {
    let before = at.wrapping_sub(1);
    let is_prefix = matches!(bytes.get(before), Some(b'b' | b'c'));
    !is_word(bytes, before) || (is_prefix && !is_word(bytes, before.wrapping_sub(1)))
}

fn is_word(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Whether the rest begins with a character and a quote, such as `a'`, and not with the name of a lifetime.
fn is_character(rest: &[u8]) -> bool {
    let length = match rest.first() {
        None | Some(b'\'') => return false,
        Some(0..0x80) => 1,
        Some(0x80..0xe0) => 2,
        Some(0xe0..0xf0) => 3,
        Some(_) => 4,
    };
    rest.get(length) == Some(&b'\'')
}

fn end_of_line(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| at + length)
}

fn end_of_comment(bytes: &[u8], at: usize) -> usize {
    let mut depth = 0usize;
    let mut at = at;
    while at < bytes.len() {
        match &bytes[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] if depth == 1 => return at + 2,
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    at
}

fn end_of_string(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    at
}

fn end_of_raw(bytes: &[u8], at: usize) -> Option<usize> {
    let hashes = bytes[at + 1..].iter().take_while(|byte| **byte == b'#').count();
    let begin = at + 1 + hashes;
    if bytes.get(begin) != Some(&b'"') {
        return None;
    }
    let mut close = vec![b'"'];
    close.resize(1 + hashes, b'#');
    let found = bytes[begin + 1..].windows(close.len()).position(|window| window == close);
    Some(found.map_or(bytes.len(), |length| begin + 1 + length + close.len()))
}

fn end_of_character(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'\'' => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// Replaces `#[cfg(test)] mod name { .. }` and `#[cfg(test)] mod name;` by blanks.
fn without_tests(code: &str) -> String {
    let mut out = code.to_owned();
    let mut from = 0;
    while let Some(found) = out[from..].find("#[cfg(test)]") {
        let begin = from + found;
        from = begin + 1;
        let Some(end) = end_of_module(&out, begin) else { continue };
        let blanks: String =
            out[begin..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        out.replace_range(begin..end, &blanks);
    }
    out
}

/// Returns the end of the module whose attribute is at `begin`; `None` if the item is not a module.
fn end_of_module(code: &str, begin: usize) -> Option<usize> {
    let open = begin + code[begin..].find(['{', ';'])?;
    if !code[begin..open].split_whitespace().any(|word| word == "mod") {
        return None;
    }
    if code[open..].starts_with(';') {
        return Some(open + 1);
    }
    Some(end_of_block(code, open))
}

/// Returns the end of the block whose brace is at `open`.
fn end_of_block(code: &str, open: usize) -> usize {
    let mut depth = 0usize;
    for (offset, byte) in code[open..].bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth <= 1 => return open + offset + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}
