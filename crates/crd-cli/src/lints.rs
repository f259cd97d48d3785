//! Finds rules that the server accepts, but that fail for objects which the schema allows.

use std::borrow::Cow;

use crd_cel::{escape, lint, syntax};

use super::location::FieldLocation;
use super::{columns, schemas};
use crate::model::{CustomResourceDefinition, JsonSchemaProps, SchemaOrArray, SchemaOrBool};

/// Fields that the server requires in every resource, whatever its schema requires.
const RESOURCE_FIELDS: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// A lint of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lint {
    pub(super) kind: LintKind,
    /// The field path of the rule in the CRD.
    pub(super) field: String,
    pub(super) message: String,
    pub(super) location: FieldLocation,
}

/// The kind of a lint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LintKind {
    /// The rule reads an optional field without a test.
    OptionalField,
    /// The rule reads nullable elements without a test.
    NullElement,
}

impl LintKind {
    /// Returns the name in JSON output.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::OptionalField => "OptionalFieldInRule",
            Self::NullElement => "NullElementInRule",
        }
    }
}

impl Lint {
    /// Returns the message, and below it the place in Rust.
    pub(super) fn text(&self) -> String {
        self.location.below(format!("{}: {}", self.field, self.message))
    }
}

/// Lints each rule of each version.
pub(super) fn find(crd: &CustomResourceDefinition) -> Vec<Lint> {
    let mut lints = Vec::new();
    for (index, version) in crd.spec.versions.iter().enumerate() {
        schemas::each(version, &format!("spec.versions[{index}]"), &mut |visited| {
            let schema = visited.schema;
            let is_resource = visited.is_root || schema.x_embedded_resource;
            for (index, rule) in schema.x_validations.iter().flatten().enumerate() {
                let field = format!("{}.x-kubernetes-validations[{index}].rule", visited.path);
                lint_rule(&rule.rule, RuleSchema { schema, is_resource }, &field, &mut lints);
            }
        });
    }
    lints
}

fn lint_rule(rule: &str, around: RuleSchema<'_>, field: &str, lints: &mut Vec<Lint>) {
    // A syntax error is reported with the errors of the CRD.
    let Ok(ast) = syntax::parse(rule) else { return };
    let short = columns::one_line(rule);
    let mut add = |kind, message| {
        let field = field.to_owned();
        lints.push(Lint { kind, field, message, location: FieldLocation::default() });
    };
    for lint::Unguarded { path, operand, always, .. } in
        lint::unguarded(&ast.root, &|path| around.may_be_absent(path))
    {
        let (name, fails) =
            (path.last().map_or("", String::as_str), if always { "fails" } else { "may fail" });
        let path = path.join(".").replace(".[]", "[]");
        let message = format!(
            "the rule `{short}` {fails} if `{path}` is absent, which the schema allows; test it first, as in \
             `!has({operand}.{name}) || ..`, or read it with `{operand}.?{name}`"
        );
        add(LintKind::OptionalField, message);
    }
    for found in lint::rejects_null(&ast.root, &|path| around.holds_null(path)) {
        let list = match found.path.as_slice() {
            [] => "of the list".to_owned(),
            path => format!("of `{}`", path.join(".")),
        };
        let message = format!(
            "the rule `{short}` fails if an element {list} is null, which the schema allows; test it first, as in \
             `dyn(x) == null || ..`"
        );
        add(LintKind::NullElement, message);
    }
}

/// The schema that has a rule.
#[derive(Clone, Copy)]
struct RuleSchema<'s> {
    schema: &'s JsonSchemaProps,
    is_resource: bool,
}

/// The field at the end of a path.
struct LocatedField<'s> {
    schema: &'s JsonSchemaProps,
    may_be_absent: bool,
}

impl<'s> RuleSchema<'s> {
    fn may_be_absent(self, path: &[&str]) -> bool {
        self.find(path).is_some_and(|found| found.may_be_absent)
    }

    fn holds_null(self, path: &[&str]) -> bool {
        let list = match path {
            [] => Some(self.schema),
            path => self.find(path).map(|found| found.schema),
        };
        let items = list.and_then(|list| list.items.as_ref());
        matches!(items, Some(SchemaOrArray::Schema(items)) if items.nullable)
    }

    /// Returns the last field of a path whose names are escaped as in rules.
    fn find(self, path: &[&str]) -> Option<LocatedField<'s>> {
        if self.is_resource && path.first().is_some_and(|first| RESOURCE_FIELDS.contains(first)) {
            return None;
        }
        let mut found = LocatedField { schema: self.schema, may_be_absent: false };
        for name in path {
            found = field(found.schema, name)?;
        }
        Some(found)
    }
}

fn field<'s>(schema: &'s JsonSchemaProps, ident: &str) -> Option<LocatedField<'s>> {
    if ident == lint::ELEMENT {
        let elements = match (&schema.items, &schema.additional_properties) {
            (Some(SchemaOrArray::Schema(items)), _) => items,
            (_, Some(SchemaOrBool::Schema(values))) => values,
            _ => return None,
        };
        return Some(LocatedField { schema: elements, may_be_absent: false });
    }
    let mut properties = schema.properties.iter().flatten();
    let named = |name: &str| escape::escape(name).map(Cow::into_owned).as_deref() == Some(ident);
    if let Some((name, property)) = properties.find(|(name, _)| named(name)) {
        let is_required = schema.required.iter().flatten().any(|required| required == name);
        let may_be_absent =
            !is_required && property.default.as_ref().is_none_or(serde_json::Value::is_null);
        return Some(LocatedField { schema: property, may_be_absent });
    }
    match &schema.additional_properties {
        Some(SchemaOrBool::Schema(values)) => {
            Some(LocatedField { schema: values, may_be_absent: true })
        }
        _ => None,
    }
}
