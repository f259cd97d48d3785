//! Paths of printer columns, of the scale subresource, of selectable fields and of rules.

use std::marker::PhantomData;

use super::message::{Message, Path, kind};
use super::walk::{Reached, walk};
use super::{equal, types};
use crate::builder::{ColumnPath, Step};
use crate::crd_schema::{COMMON, CrdSchema, FieldShape, Shape, ShapeKind};

/// How many selectable fields a version may have. Source: `validation.go`, `MaxSelectableFields`.
const MAX_SELECTABLE: usize = 8;

/// A whole object of the kind `T`.
struct Whole<T>(PhantomData<T>);

impl<T: CrdSchema> Whole<T> {
    const SHAPE: &'static Shape = &Shape {
        fields: &[
            FieldShape { shape: &COMMON, ..FieldShape::FLATTENED },
            FieldShape { shape: &T::SHAPE, ..FieldShape::FLATTENED },
        ],
        ..Shape::of(ShapeKind::Object)
    };
}

/// Checks that the path of a column leads to a value that the type of the column shows.
///
/// The server accepts any path; without such a value the column stays empty.
///
/// # Panics
/// If a check fails.
#[track_caller]
pub const fn column<T: CrdSchema>(steps: &[Step], type_: &str) {
    column_of(Whole::<T>::SHAPE, &Path::new(steps), type_);
}

#[track_caller]
const fn column_of(root: &'static Shape, path: &Path<'_>, type_: &str) {
    if let Reached::Shape(shape) = walk(root, path)
        && !shows(type_, shape)
    {
        Message::about(path, path.steps.len()).fail_type(type_, shape);
    }
}

/// Checks that the type of a field's column shows the field.
///
/// # Panics
/// If the check fails.
#[track_caller]
pub const fn column_type(shape: &Shape, type_: &str) {
    if !shows(type_, shape) {
        Message::new().push("the field").fail_type(type_, shape);
    }
}

impl Message {
    #[track_caller]
    const fn fail_type(self, type_: &str, shape: &Shape) -> ! {
        if equal(type_.as_bytes(), b"date") && shape.formatless {
            self.push(
                " is a string without a format, but a `date` column shows only RFC 3339 times; add `format = \"date-time\"`, \
                 or use `string`",
            )
            .fail();
        }
        let right = match shape.kind {
            ShapeKind::Integer => "integer",
            ShapeKind::Number => "number",
            ShapeKind::Boolean => "boolean",
            _ => "string",
        };
        self.text(
            " is {}, so a column of type `{}` would always be empty; use `{}`",
            &[kind(shape), type_, right],
        )
        .fail()
    }
}

/// Whether a column of this type shows a value of this shape.
///
/// Source: apiextensions `pkg/registry/customresource/tableconvertor/tableconvertor.go`,
/// `cellForJSONValue`: a column of type `string` prints any JSON.
const fn shows(type_: &str, shape: &Shape) -> bool {
    let kind = shape.kind;
    if matches!(
        kind,
        ShapeKind::Any | ShapeKind::Opaque | ShapeKind::Union | ShapeKind::IntOrString
    ) {
        return true;
    }
    match type_.as_bytes() {
        b"integer" | b"number" => matches!(kind, ShapeKind::Integer | ShapeKind::Number),
        b"boolean" => matches!(kind, ShapeKind::Boolean),
        b"date" => matches!(kind, ShapeKind::String | ShapeKind::Enum) && !shape.formatless,
        _ => true,
    }
}

/// Fails because a path leads to a value of the wrong type; `but` says what it must be.
#[track_caller]
const fn fail_end(steps: &[Step], shape: &Shape, but: &str) -> ! {
    let path = Path::new(steps);
    Message::about(&path, steps.len()).text(" is {}, but {}", &[kind(shape), but]).fail()
}

/// Checks that the path of replicas of the scale subresource leads to an integer.
///
/// The server accepts any path; if it leads to a value of another type, requests of the scale subresource fail.
///
/// # Panics
/// If the check fails.
#[track_caller]
pub const fn scale<T: CrdSchema>(steps: &[Step]) {
    if let Reached::Shape(shape) = walk(const { &T::SHAPE }, &Path::new(steps))
        && !types::has(shape, types::INTEGER)
        && !matches!(shape.kind, ShapeKind::Union)
    {
        fail_end(steps, shape, "replicas must be an integer");
    }
}

/// Checks that the path of the selector of the scale subresource leads to a string.
///
/// # Panics
/// If the check fails.
#[track_caller]
pub const fn selector<T: CrdSchema>(steps: &[Step]) {
    if let Reached::Shape(shape) = walk(const { &T::SHAPE }, &Path::new(steps))
        && !super::is_text(*shape)
    {
        fail_end(steps, shape, "a label selector must be a string, such as `app=web`");
    }
}

/// Checks that a selectable path leads to a scalar.
///
/// # Panics
/// If the check fails.
#[track_caller]
pub const fn selectable<T: CrdSchema>(steps: &[Step]) {
    let root = const { &T::SHAPE };
    through_known(root, &Path::new(steps));
    if let Reached::Shape(shape) = walk(root, &Path::new(steps))
        && !super::is_selectable(*shape)
    {
        fail_end(steps, shape, "only strings, booleans and integers can be selectable");
    }
}

/// Checks that the `fieldPath` of a rule leads to a field.
///
/// # Panics
/// If the check fails.
#[track_caller]
pub const fn field_path(shape: &Shape, steps: &[Step]) {
    let path = Path::new(steps);
    through_known(shape, &path);
    walk(shape, &path);
}

/// Checks that a path does not lead into a value that can be any JSON, because the server knows no fields there.
#[track_caller]
const fn through_known(shape: &Shape, path: &Path<'_>) {
    let mut length = 0;
    while length < path.steps.len() {
        if let Reached::Shape(of) =
            walk(shape, &Path { steps: path.steps.split_at(length).0, ..*path })
        {
            let open = match of.kind {
                ShapeKind::Any => true,
                ShapeKind::Map => matches!(of.items, Some(Shape { kind: ShapeKind::Any, .. })),
                _ => false,
            };
            if open {
                Message::about(path, length)
                    .push(" holds any JSON, so the server knows no fields inside it; end the path there")
                    .fail();
            }
        }
        length += 1;
    }
}

/// Checks what attributes of nested types add to a kind: that the paths of columns exist, and that there are not
/// too many selectable fields. `known` is the number of selectable fields that the derive has counted: those of the
/// kind and those of the derived struct itself.
///
/// `own` is the field with the derived struct: `"spec"`, `""` if the struct is the root, or `None` for an enum. The
/// derive itself checks the columns of the struct's fields, at their tokens.
///
/// # Panics
/// If a check fails.
#[track_caller]
pub const fn collected<T: CrdSchema>(known: usize, own: Option<&str>) {
    let mut found = Selectable { count: 0, names: Message::new() };
    found.collect(Whole::<T>::SHAPE, const { &T::SHAPE }, own);
    let count = known + found.count;
    if found.count > 0 && count > MAX_SELECTABLE {
        Message::of("a version has at most 8 selectable fields, and this kind has ", &[])
            .int(count as i128)
            .text(", with those of the types in it: {}", &[found.names.as_str()])
            .fail();
    }
}

/// The selectable fields of types in a kind.
struct Selectable {
    count: usize,
    names: Message,
}

impl Selectable {
    /// Adds the selectable fields below a shape and checks the columns there, both without those of `own`, as
    /// [`collected`] has it.
    #[track_caller]
    const fn collect(&mut self, root: &'static Shape, shape: &Shape, own: Option<&str>) {
        let skips = matches!(own, Some(own) if own.is_empty());
        each!(shape.fields, |field| {
            if field.selectable && !skips {
                self.names.add(if self.count == 0 { "`" } else { ", `" });
                self.names.add(field.name);
                self.names.add("`");
                self.count += 1;
            }
            if !skips {
                each!(field.columns, |column| {
                    let ColumnPath { steps, type_, of, place } = *column;
                    column_of(root, &Path { of, place, ..Path::new(steps) }, type_);
                });
            }
            if matches!(field.shape.kind, ShapeKind::Object) {
                let is_own = !skips
                    && matches!(own, Some(own) if equal(field.name.as_bytes(), own.as_bytes()));
                self.collect(root, field.shape, if is_own { Some("") } else { None });
            }
        });
    }
}
