//! Schema functions that are no longer needed, or that the derive calls through a bridge.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use syn::spanned::Spanned;

use super::edit::{Edits, indentation, line_start, whole_lines};
use super::plan::FunctionUse;
use super::scope::Names;
use super::source::{Source, range};

/// Returns the name of the function that calls a schema function of schemars.
pub(super) fn bridged(name: &str) -> String {
    format!("{name}_in_crd")
}

/// Edits the files with the functions that fields used.
pub(super) fn edit(
    uses: &[FunctionUse],
    names: &Names<'_>,
    sources: &[Source],
    edits: &mut [Edits],
) {
    let functions: BTreeSet<_> = uses.iter().map(|it| (it.file, &*it.name)).collect();
    for (file, name) in functions {
        let is_bridged =
            uses.iter().any(|it| it.is_bridged && (it.file, &*it.name) == (file, name));
        let found = names.functions.get(name).and_then(|it| it.iter().find(|it| it.0 == file));
        let (Some((_, function)), Some(source), Some(edits)) =
            (found, sources.get(file), edits.get_mut(file))
        else {
            continue;
        };
        let whole = range(function);
        if is_bridged {
            let indent = indentation(&source.text, line_start(&source.text, whole.start));
            let indent = indent.unwrap_or_default();
            let condition = function.attrs.iter().find(|attr| attr.path().is_ident("cfg"));
            let condition = condition.map(|attr| format!("{}\n{indent}", source.of(attr)));
            let vis = source.of(&function.vis);
            let space = if vis.is_empty() { "" } else { " " };
            edits.insert(
                whole.end,
                format!(
                    "\n\n{indent}{}{vis}{space}fn {}() -> Result<\n{indent}    crd_runtime::model::JsonSchemaProps,\n\
                     {indent}    crd_runtime::crd_schema::bridge::BridgeError,\n{indent}> {{\n\
                     {indent}    crd_runtime::crd_schema::bridge::function({name})\n{indent}}}",
                    condition.unwrap_or_default(),
                    bridged(name)
                ),
            );
        } else if sources.iter().map(|it| count(it, name)).sum::<usize>() == 1 {
            edits.replace(with_comments(source, whole), "");
        }
    }
}

/// Returns how often an identifier occurs in a file.
pub(super) fn count(source: &Source, name: &str) -> usize {
    fn of(tokens: TokenStream, name: &str) -> usize {
        let each = tokens.into_iter().map(|tree| match tree {
            TokenTree::Group(group) => of(group.stream(), name),
            TokenTree::Ident(ident) => usize::from(ident == name),
            _ => 0,
        });
        each.sum()
    }
    source.text.parse().map_or(0, |tokens| of(tokens, name))
}

/// Returns the comments in an item and right above it, without doc comments.
pub(super) fn comments(item: &impl Spanned, source: &Source) -> Vec<String> {
    let whole = range(item);
    let above = with_comments(source, whole.clone()).start;
    let lines = source.at(&(above..whole.end)).lines().map(str::trim);
    lines
        .filter(|line| line.starts_with("//") && !line.starts_with("///"))
        .map(str::to_owned)
        .collect()
}

/// Extends the range of an item over the comments right above it, its lines, and one empty line.
pub(super) fn with_comments(
    source: &Source,
    item: std::ops::Range<usize>,
) -> std::ops::Range<usize> {
    let text = &source.text;
    let mut whole = whole_lines(text, &item);
    while let Some(end) = whole.start.checked_sub(1) {
        let start = line_start(text, end);
        let line = text.get(start..end).unwrap_or_default().trim();
        if !line.starts_with("//") {
            if line.is_empty() {
                whole.start = start;
            }
            break;
        }
        whole.start = start;
    }
    whole
}
