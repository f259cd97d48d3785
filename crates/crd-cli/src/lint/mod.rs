//! `lint`: what the server accepts, and what people should know about it.
//!
//! A lint is a row of [`table`] with its texts, its examples and a function that finds it in a definition. `check`
//! reports what the server says; nothing is in both.

mod bounds;
mod command;
mod definition;
mod kind;
mod levels;
mod lists;
mod names;
mod page;
mod rules;
mod status;
mod table;
mod values;

#[cfg(test)]
mod tests;

pub(super) use command::{LintArgs, run};

use definition::Definition;
use kind::{Findings, Found, Lint};

/// Returns what some lints find in a definition.
fn find(definition: &Definition<'_>, lints: impl Iterator<Item = &'static Lint>) -> Vec<Found> {
    let found = lints.flat_map(|lint| {
        let mut findings = Findings::of(lint);
        (lint.find)(definition, &mut findings);
        findings.found
    });
    found.collect()
}
