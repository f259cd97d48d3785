//! The fields of a version as a tree.

use std::fmt::Write as _;
use std::ptr;

use glob::Pattern;

use super::constraints;
use super::model::Field;
use crate::model::JsonSchemaProps;
use crate::schemas::{self, OF_RESOURCES, Visited};

/// Which fields are wanted.
pub(super) struct Limits<'a> {
    /// Patterns of paths to leave out.
    pub(super) ignored: &'a [Pattern],
    /// The number of levels.
    pub(super) depth: usize,
}

/// A schema that is being walked, with its field if it is that of one.
struct Frame<'s> {
    schema: &'s JsonSchemaProps,
    /// `None` for the root, for items and values.
    field: Option<Field>,
    is_left_out: bool,
}

/// Builds the tree while the schemas are visited, outermost first.
struct Builder<'s, 'a> {
    limits: &'a Limits<'a>,
    anchor: &'a str,
    frames: Vec<Frame<'s>>,
    fields: Vec<Field>,
}

/// Returns the fields of whole objects. `anchor` is that of the version.
pub(super) fn of(root: &JsonSchemaProps, anchor: &str, limits: &Limits<'_>) -> Vec<Field> {
    let mut builder = Builder { limits, anchor, frames: Vec::new(), fields: Vec::new() };
    schemas::of_root(root, "", &mut |visited| builder.visit(&visited));
    builder.close(0);
    builder.fields
}

/// Returns parts as an anchor that is the same in HTML, Markdown and `AsciiDoc`: other characters are written as `_` and
/// their code.
pub(super) fn anchor(parts: &[&str]) -> String {
    let mut out = String::new();
    for char in parts.iter().flat_map(|part| part.chars()) {
        match char {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '.' | '_' => out.push(char),
            other => {
                let _ = write!(out, "_{:x}", u32::from(other));
            }
        }
    }
    out
}

impl<'s> Builder<'s, '_> {
    fn visit(&mut self, visited: &Visited<'s, '_>) {
        let Visited { schema, parent, name, value, .. } = *visited;
        let Some(parent) = parent else {
            self.frames.push(Frame { schema, field: None, is_left_out: false });
            return;
        };
        let is_parent = |frame: &Frame<'_>| ptr::eq(frame.schema, parent);
        let depth = self.frames.iter().rposition(is_parent).map_or(0, |index| index + 1);
        self.close(depth);
        let level = self.frames.iter().filter(|frame| frame.field.is_some()).count();
        let is_left_out = self.frames.last().is_some_and(|frame| frame.is_left_out);
        let mut frame = Frame { schema, field: None, is_left_out };
        let enclosing = self.frames.iter_mut().rev().find_map(|frame| frame.field.as_mut());
        match name {
            _ if is_left_out => {}
            Some(name) if self.limits.ignores(value) || level == 0 && is_bare(name, schema) => {
                frame.is_left_out = true;
            }
            Some(_) if level >= self.limits.depth => {
                frame.is_left_out = true;
                if let Some(enclosing) = enclosing {
                    enclosing.is_cut = true;
                }
            }
            Some(name) => frame.field = Some(field(self.anchor, name, value, (schema, parent))),
            None => {
                let of = if value.ends_with("[]") { "each item" } else { "each value" };
                if let Some(enclosing) = enclosing {
                    add_part(enclosing, schema, of);
                }
            }
        }
        self.frames.push(frame);
    }

    /// Ends all schemas from a depth on.
    fn close(&mut self, depth: usize) {
        while self.frames.len() > depth {
            let Some(field) = self.frames.pop().and_then(|frame| frame.field) else { continue };
            let enclosing = self.frames.iter_mut().rev().find_map(|frame| frame.field.as_mut());
            enclosing.map_or(&mut self.fields, |enclosing| &mut enclosing.fields).push(field);
        }
    }
}

impl Limits<'_> {
    fn ignores(&self, path: &str) -> bool {
        let plain = plain(path);
        self.ignored.iter().any(|pattern| pattern.matches(&plain) || pattern.matches(path))
    }
}

/// Returns a path in which lists and maps are written as their fields.
fn plain(path: &str) -> String {
    path.replace("[]", "").replace("{}", "")
}

/// Whether a field is one that every object has, and its schema says nothing of it.
fn is_bare(name: &str, schema: &JsonSchemaProps) -> bool {
    OF_RESOURCES.contains(&name) && schema.properties.is_none()
}

fn field(
    version: &str,
    name: &str,
    path: &str,
    (schema, parent): (&JsonSchemaProps, &JsonSchemaProps),
) -> Field {
    Field {
        anchor: anchor(&[version, "-", &plain(path)]),
        name: name.to_owned(),
        path: path.to_owned(),
        type_: type_of(schema),
        description: schema.description.clone(),
        is_required: parent.required.iter().flatten().any(|required| required == name),
        is_nullable: schema.nullable,
        default: schema.default.clone(),
        values: schema.enum_.clone().unwrap_or_default(),
        examples: schema.example.iter().cloned().collect(),
        constraints: constraints::of(schema, None),
        rules: constraints::rules(schema.x_validations.as_deref(), None),
        ..Field::default()
    }
}

/// Adds what the schema of items or values says to their field.
fn add_part(field: &mut Field, schema: &JsonSchemaProps, of: &'static str) {
    field.constraints.extend(constraints::of(schema, Some(of)));
    field.rules.extend(constraints::rules(schema.x_validations.as_deref(), Some(of)));
    if field.values.is_empty() {
        field.values = schema.enum_.clone().unwrap_or_default();
    }
    if field.description.is_empty() {
        field.description.clone_from(&schema.description);
    }
}

/// Returns the type of a value, as `kubectl explain` writes it. Recurses as deep as the schema, which is limited.
fn type_of(schema: &JsonSchemaProps) -> String {
    if let Some(items) = schemas::items(schema) {
        return format!("[]{}", type_of(items));
    }
    if let Some(values) = schemas::values(schema) {
        return format!("map[string]{}", type_of(values));
    }
    match schema.type_.as_str() {
        _ if schema.x_int_or_string => "integer or string".to_owned(),
        "" => "any".to_owned(),
        type_ => type_.to_owned(),
    }
}
