//! Pages of documentation: their Rust code is compiled, their tests are run, and the output that they show is compared
//! with the library's. `build/main.rs` turns the pages into modules.
#![allow(
    clippy::pedantic,
    clippy::allow_attributes_without_reason,
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::str_to_string,
    dead_code,
    missing_docs,
    unreachable_pub,
    unused_qualifications,
    reason = "pages show the shortest code"
)]

mod attributes;
mod generated;
mod guide;
mod links;
mod pictures;
mod questions;
mod readme;
mod walk;
mod words;

use crd_tests::shown;

/// Returns the code blocks of a language in a page.
fn fenced<'a>(page: &'a str, language: &str) -> impl Iterator<Item = &'a str> {
    let fence = format!("\n```{language}\n");
    let blocks: Vec<&str> = page.split(&fence).skip(1).collect();
    blocks.into_iter().map(|rest| rest.split("```").next().unwrap_or_default())
}

/// Returns a text without the colors of a terminal.
fn plain(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or(part, |(_, rest)| rest))
}
