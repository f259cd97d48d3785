//! Rules that the server accepts, but that fail for objects which the schema allows.

use std::borrow::Cow;

use crd_cel::syntax::{Ast, Expr, ExprKind};
use crd_cel::{escape, lint, syntax};

use super::definition::{Definition, Node};
use super::kind::{Example, Findings, Level, Lint};
use crate::model::JsonSchemaProps;
use crate::{columns, schemas};

pub(super) const OPTIONAL_FIELD_IN_RULE: Lint = Lint {
    id: "optional_field_in_rule",
    level: Level::Warn,
    finds: "a rule that reads an optional field without a test",
    why: "If the field is absent, the rule fails with `no such key`, and the server rejects the object with that text, not \
          with the message of the rule.",
    in_rust: "`#[crd(rule(\"!has(self.least) || self.least > 1\"))]`, a default, or a field that is not an `Option`",
    in_yaml: "`!has(self.least) || self.least > 1` or `self.?least.orValue(2) > 1`",
    bad: Example::Version(
        "\
schema:
  openAPIV3Schema:
    properties:
      spec:
        properties:
          least: {type: integer, format: int32, description: The smallest number.}
        x-kubernetes-validations:
        - rule: self.least > 1
",
    ),
    good: Example::Version(
        "\
schema:
  openAPIV3Schema:
    properties:
      spec:
        properties:
          least: {type: integer, format: int32, description: The smallest number.}
        x-kubernetes-validations:
        - rule: '!has(self.least) || self.least > 1'
",
    ),
    find: optional_field_in_rule,
};

fn optional_field_in_rule(definition: &Definition<'_>, findings: &mut Findings) {
    each(definition, |node, keyword, text, rule, around| {
        for found in lint::unguarded(&rule.root, &|path| around.may_be_absent(path)) {
            let lint::Unguarded { path, operand, always, .. } = found;
            let name = path.last().map_or("", String::as_str);
            let fails = if always { "fails" } else { "may fail" };
            let path = path.join(".").replace(".[]", "[]");
            let message = format!(
                "the rule `{}` {fails} if `{path}` is absent, which the schema allows; test it first, as in \
                 `!has({operand}.{name}) || ..`, or read it with `{operand}.?{name}`",
                columns::one_line(text)
            );
            findings.keyword(node, keyword, message);
        }
    });
}

pub(super) const NULL_ELEMENT_IN_RULE: Lint = Lint {
    id: "null_element_in_rule",
    level: Level::Warn,
    finds: "a rule that fails for a `null` in a list",
    why: "If the items of a list are nullable, a rule that reads them without a test fails for `null`, and the server \
          rejects the object with the text of that failure, not with the message of the rule.",
    in_rust: "a list of `T` in place of `Option<T>`, or a rule that tests first",
    in_yaml: "items without `nullable`, or a rule such as `self.all(x, dyn(x) == null || x > 0)`",
    bad: Example::Spec(
        "\
ports:
  description: The ports to open.
  type: array
  maxItems: 16
  x-kubernetes-list-type: atomic
  items: {type: integer, format: int32, nullable: true}
  x-kubernetes-validations:
  - rule: self.all(port, port > 0)
",
    ),
    good: Example::Spec(
        "\
ports:
  description: The ports to open.
  type: array
  maxItems: 16
  x-kubernetes-list-type: atomic
  items: {type: integer, format: int32}
  x-kubernetes-validations:
  - rule: self.all(port, port > 0)
",
    ),
    find: null_element_in_rule,
};

fn null_element_in_rule(definition: &Definition<'_>, findings: &mut Findings) {
    each(definition, |node, keyword, text, rule, around| {
        for found in lint::rejects_null(&rule.root, &|path| around.holds_null(path)) {
            let list = match found.path.as_slice() {
                [] => "of the list".to_owned(),
                path => format!("of `{}`", path.join(".")),
            };
            let message = format!(
                "the rule `{}` fails if an element {list} is null, which the schema allows; test it first, as in \
                 `dyn(x) == null || ..`",
                columns::one_line(text)
            );
            findings.keyword(node, keyword, message);
        }
    });
}

pub(super) const INT_OR_STRING_IN_RULE: Lint = Lint {
    id: "int_or_string_in_rule",
    level: Level::Warn,
    finds: "a rule that reads an integer or string as one of them",
    why: "A value with `x-kubernetes-int-or-string` has no type in rules. A function or comparison for one type fails with `no \
          such overload` for the other, and the server rejects the object with that text, not with the message of the \
          rule.",
    in_rust: "`#[crd(rule(\"type(self) != string || self.endsWith('%')\"))]`, or `string(self)`, which takes both",
    in_yaml: "`type(self) != string || self.endsWith('%')`, or `string(self)`, which takes both",
    bad: Example::Spec(
        "\
share:
  description: How many, or which part.
  x-kubernetes-int-or-string: true
  maxLength: 4
  x-kubernetes-validations:
  - rule: self.endsWith('%')
",
    ),
    good: Example::Spec(
        "\
share:
  description: How many, or which part.
  x-kubernetes-int-or-string: true
  maxLength: 4
  x-kubernetes-validations:
  - rule: type(self) != string || self.endsWith('%')
",
    ),
    find: int_or_string_in_rule,
};

/// The functions and operators that take both an integer and a string.
const OF_ANY_TYPE: [&str; 6] = ["dyn", "string", "_==_", "_!=_", "@in", "_?_:_"];

fn int_or_string_in_rule(definition: &Definition<'_>, findings: &mut Findings) {
    each(definition, |node, keyword, text, rule, around| {
        let (mut tested, mut read) = (Vec::new(), Vec::new());
        lint::visit(&rule.root, &mut |expr| {
            let ExprKind::Call { target, function, args } = &expr.kind else { return };
            for path in target.as_deref().into_iter().chain(args).filter_map(path_from_self) {
                let found = around.find(&path);
                if !found.is_some_and(|found| found.schema.x_int_or_string) {
                    continue;
                }
                let known = if &**function == "type" { &mut tested } else { &mut read };
                if !OF_ANY_TYPE.contains(&&**function) && !known.contains(&path) {
                    known.push(path);
                }
            }
        });
        for path in read.into_iter().filter(|path| !tested.contains(path)) {
            let operand = [&["self"][..], &path].concat().join(".");
            let message = format!(
                "the rule `{}` fails if `{operand}` is of the other type, integer or string; test it first, as in \
                 `type({operand}) != string || ..`, or read it with `string({operand})`",
                columns::one_line(text)
            );
            findings.keyword(node, keyword, message);
        }
    });
}

/// Returns the names of the fields from `self` to the one that an expression reads.
fn path_from_self(mut expr: &Expr) -> Option<Vec<&str>> {
    let mut path = Vec::new();
    loop {
        match &expr.kind {
            ExprKind::Select { operand, field, test_only: false } => {
                path.push(&**field);
                expr = operand;
            }
            ExprKind::Ident(name) if &**name == "self" => break,
            _ => return None,
        }
    }
    path.reverse();
    Some(path)
}

/// Visits the rules that parse, each with its keyword and what it is about. A syntax error is reported by `check`.
fn each(
    definition: &Definition<'_>,
    mut visit: impl FnMut(&Node<'_>, &str, &str, &Ast, RuleSchema<'_>),
) {
    for node in &definition.nodes {
        let schema = node.schema;
        let around =
            RuleSchema { schema, is_resource: node.is_root() || schema.x_embedded_resource };
        for (index, rule) in schema.x_validations.iter().flatten().enumerate() {
            if let Ok(ast) = syntax::parse(&rule.rule) {
                let keyword = format!("x-kubernetes-validations[{index}].rule");
                visit(node, &keyword, &rule.rule, &ast, around);
            }
        }
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
        list.and_then(schemas::items).is_some_and(|items| items.nullable)
    }

    /// Returns the last field of a path whose names are escaped as in rules.
    fn find(self, path: &[&str]) -> Option<LocatedField<'s>> {
        // The server requires them, whatever the schema requires.
        if self.is_resource
            && path.first().is_some_and(|first| schemas::OF_RESOURCES.contains(first))
        {
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
        let elements = schemas::items(schema).or_else(|| schemas::values(schema))?;
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
    schemas::values(schema).map(|values| LocatedField { schema: values, may_be_absent: true })
}
