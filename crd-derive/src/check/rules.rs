//! Checks of CEL rules, and of `exactly_one_of`, `at_most_one_of` and `at_least_one_of`.
//!
//! These checks use only the attributes of one type. rustc (`emit/rules`) and `definition::validate`
//! type-check the rules.
//!
//! Source: `pkg/apis/apiextensions/validation/validation.go`, `x-kubernetes-validations`.

use crd_cel::attribute;
use crd_cel::compile_time::{distance, is_similar};
use crd_cel::lint;
use crd_cel::syntax::{Expr, ExprKind, Issues};
use darling::error::Accumulator;
use darling::util::SpannedValue;
use proc_macro2::Span;

use super::Target;
use super::names::pass;
use crate::literal::{StringExpr, Strings};
use crate::model::{
    Body, Constraints, Enum, Field, IMMUTABLE_IF_SET, Object, Rule, RuleOptions, Variant,
};
use crate::report::{report, report_duplicates};
use crate::serde_view::Tagging;

const REASONS: [&str; 4] =
    ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

pub(super) fn check(constraints: &Constraints, target: Target<'_>, errors: &mut Accumulator) {
    for rule in &constraints.rules {
        check_rule(rule, errors);
    }
    for (groups, at_most) in [
        (&constraints.at_most_one_of, true),
        (&constraints.exactly_one_of, true),
        (&constraints.at_least_one_of, false),
    ] {
        for group in groups {
            check_group(group, at_most, target, errors);
        }
    }
}

/// Checks one rule, without regard to the type that it belongs to.
pub(super) fn check_rule(rule: &Rule, errors: &mut Accumulator) {
    let Rule { expression, options } = rule;
    let RuleOptions {
        message,
        message_expression,
        reason,
        field_path,
        optional_old_self,
        unchecked,
        ..
    } = options;
    let lint = !*unchecked;
    if let Some(text) = expression.text() {
        pass(errors, text.span, attribute::rule(&text.value, message.is_some()));
        if !text.value.trim_ascii().is_empty() {
            syntax(expression, lint, errors);
        }
    }
    if let Some(text) = message.as_ref().and_then(StringExpr::text) {
        pass(errors, text.span, attribute::message(&text.value));
    }
    if let Some(message) = message_expression {
        let error = message.text().and_then(|text| attribute::message_expression(&text.value));
        match error {
            Some(error) => report(errors, message.span(), error.as_str()),
            None => syntax(message, lint, errors),
        }
    }
    if let Some(reason) = reason
        && !REASONS.contains(&reason.value.as_str())
    {
        let known = REASONS.map(|reason| format!("`{reason}`")).join(", ");
        report(errors, reason.span, format_args!("`reason` must be one of {known}"));
    }
    if let Some(path) = field_path {
        if path.value.trim().is_empty() {
            report(errors, path.span, "`field_path` is blank; remove it or write a path");
        } else if let Err(message) = super::paths::field_path(&path.value) {
            report(errors, path.span, message);
        }
    }
    if let Some(flag) = optional_old_self
        && expression.text().is_some_and(|text| !text.value.contains("oldSelf"))
    {
        let message = "`optional_old_self` is only for rules that use `oldSelf`";
        report(errors, flag.span(), message);
    }
}

/// Rejects `min_properties` and `max_properties` on the content of an internally tagged variant, because serde adds the
/// tag to the content's properties.
fn property_counts_beside_a_tag(tag: &str, content: &Constraints, errors: &mut Accumulator) {
    let (least, most) = (&content.min_properties, &content.max_properties);
    for (key, count) in [("min_properties", least), ("max_properties", most)] {
        if let Some(count) = count {
            let message = format_args!(
                "`{key}` would count the tag too, because serde adds `{tag}` to the content; put `{key}` on the variant, \
                 and add 1 to it"
            );
            report(errors, count.span(), message);
        }
    }
}

/// Rejects rules on variants that a rule cannot distinguish, and attributes of fields that would affect other
/// variants.
pub(super) fn variants(data: &Enum, errors: &mut Accumulator) {
    let internally_tagged = matches!(data.tagging, Tagging::Internal(_));
    for (index, variant) in data.variants.iter().enumerate() {
        let untagged = data.is_untagged(variant);
        if untagged && data.variants.len() > 1 {
            for span in rule_spans(&variant.constraints) {
                let message = "a rule cannot tell an untagged variant from the others; move the rule to the enum, \
                               such as `!has(self.x) || self.x > 0`";
                report(errors, span, message);
            }
        }
        if let (Tagging::Internal(tag), Body::Transparent(content), false) =
            (&data.tagging, &variant.body, variant.untagged)
        {
            property_counts_beside_a_tag(tag, &content.constraints, errors);
        }
        let Body::Object(object) = &variant.body else { continue };
        if !untagged && !internally_tagged {
            continue;
        }
        let after = data.variants.iter().skip(index + 1);
        if untagged && after.map(|later| &later.body).any(|body| body.object().is_some()) {
            matching_default(object, errors);
        }
        let keyed = |other: &Variant| !other.untagged && !matches!(other.body, Body::Unit);
        if variant.untagged
            && matches!(data.tagging, Tagging::External)
            && data.variants.iter().any(keyed)
        {
            default_beside_a_key(object, errors);
        }
        for field in &object.fields {
            other_defaults(data, field, errors);
            let may_be_absent = field.default.is_some() || field.is_option;
            if let Some(span) = field.constraints.immutable
                && untagged
                && may_be_absent
                && data.variants.len() > 1
            {
                report(errors, span, IMMUTABLE_IF_SET);
                continue;
            }
            let others = data.variants.iter().enumerate().filter(|(other, _)| *other != index);
            let shared = others.map(|(_, other)| &other.body).any(|other| match other {
                Body::Object(other) => other.fields.iter().any(|other| other.wire == field.wire),
                _ => false,
            });
            if !shared {
                continue;
            }
            if untagged {
                for span in rule_spans(&field.constraints) {
                    let message = format_args!(
                        "another variant has the field `{}` too, and a rule cannot tell an untagged variant from the \
                         others; move the rule to the enum",
                        field.wire
                    );
                    report(errors, span, message);
                }
                continue;
            }
            for rule in &field.constraints.rules {
                if let Some(flag) = &rule.options.optional_old_self {
                    let message = format_args!(
                        "another variant has the field `{}` too, so the rule moves to the enum, where \
                         `optional_old_self` would apply to the whole enum; move the rule to the variant",
                        field.wire
                    );
                    report(errors, flag.span(), message);
                }
            }
        }
    }
}

/// Rejects the default of a field if another variant has the same field with another default or
/// with none.
fn other_defaults(data: &Enum, field: &Field, errors: &mut Accumulator) {
    let Some(default) = &field.constraints.default else { return };
    let written = |field: &Field| Some(field.constraints.default_value()?.canonical());
    let differs = data.variants.iter().any(|variant| match &variant.body {
        Body::Object(object) => object
            .fields
            .iter()
            .any(|other| other.wire == field.wire && written(other) != written(field)),
        _ => false,
    });
    if differs {
        let message = format_args!(
            "another variant has the field `{}` with another default or none, but they share one schema; use \
             `#[serde(default = ..)]` instead",
            field.wire
        );
        report(errors, default.span, message);
    }
}

/// Rejects the defaults of an untagged variant if each of its required fields has one: the server would add them to
/// objects of later variants too, and serde would read these as this variant. Reports the first default.
fn matching_default(object: &Object, errors: &mut Accumulator) {
    let has_value = |field: &&Field| field.constraints.default_value().is_some();
    let is_required = |field: &&Field| !field.default.is_some() && !field.is_option;
    let mut required = object.fields.iter().filter(is_required).peekable();
    if required.peek().is_none() || !required.clone().all(|field| has_value(&field)) {
        return;
    }
    if let Some(default) = required.next().and_then(|field| field.constraints.default.as_ref()) {
        let message = "the server adds this default to objects of the other variants too, and serde would read them as \
                       this variant; use `#[serde(default = ..)]` on a later variant, or tag the enum";
        report(errors, default.span, message);
    }
}

/// Rejects defaults of an untagged variant beside externally tagged ones: the server would add them to the objects of
/// those too, which serde reads only if they have no other field.
fn default_beside_a_key(object: &Object, errors: &mut Accumulator) {
    for default in object.fields.iter().filter_map(|field| field.constraints.default.as_ref()) {
        let message = "the server adds this default to objects of the tagged variants too, which must have no other \
                       field; use `#[serde(default = ..)]`";
        report(errors, default.span, message);
    }
}

/// The spans of constraints that become rules.
fn rule_spans(constraints: &Constraints) -> Vec<Span> {
    let groups =
        [&constraints.at_most_one_of, &constraints.exactly_one_of, &constraints.at_least_one_of];
    let mut spans: Vec<_> = constraints.rules.iter().map(|rule| rule.expression.span()).collect();
    spans.extend(constraints.immutable);
    spans.extend(groups.into_iter().flatten().map(SpannedValue::span));
    spans
}

/// The part of a lint's message that explains how to keep the expression.
const KEEP: &str =
    "help: the server accepts this rule; add `unchecked(\"why\")` after the expression to keep it";

/// Reports syntax errors; if `is_linted`, also calls that always fail, and pieces of `concat!(..)`
/// that are part of a comment.
fn syntax(string: &StringExpr, is_linted: bool, errors: &mut Accumulator) {
    let Some(parsed) = string.cel() else { return };
    match parsed {
        Err(issues) => {
            let message = mistake_in_a_string(issues).unwrap_or_else(|| {
                format!("the expression does not parse as CEL: {}", shown(issues))
            });
            report(errors, first_span(string, issues), message);
        }
        Ok(ast) if asks_for_the_time(&ast.root) => {
            let message = "rules have no clock, so there is no `now`: their result may depend only on the object; compare \
                           two fields, or check times in the controller";
            report(errors, string.span(), message);
        }
        Ok(ast) if is_linted => {
            let issues = lint::always_fails(ast);
            if !issues.is_empty() {
                let message = format_args!("{}\n{KEEP}", shown(&issues));
                report(errors, first_span(string, &issues), message);
            }
            commented_out(string, errors);
        }
        Ok(_) => {}
    }
}

/// Prints issues for rustc, which shows the place: each with its line and a caret, and without cel-go's position and the
/// names of all tokens that could follow.
fn shown(issues: &Issues) -> String {
    let text = issues.to_string();
    let lines = text.lines().map(|line| {
        let Some((_, issue)) =
            line.strip_prefix("ERROR: <input>:").and_then(|issue| issue.split_once(": "))
        else {
            return line.to_owned();
        };
        let issue = issue.strip_prefix("Syntax error: ").unwrap_or(issue);
        let issue = issue.split(" expecting {").next().unwrap_or(issue);
        issue.replace("mismatched input '<EOF>'", "it ends too early")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Whether an expression calls `now()`, or has a name `now` that no macro declares.
fn asks_for_the_time(root: &Expr) -> bool {
    let (mut asks, mut is_declared) = (false, false);
    lint::visit(root, &mut |expr| match &expr.kind {
        ExprKind::Ident(name) => asks |= &**name == "now",
        ExprKind::Call { target: None, function, .. } => asks |= &**function == "now",
        ExprKind::Comprehension(of) => is_declared |= &*of.iter_var == "now",
        _ => {}
    });
    asks && !is_declared
}

/// Returns the error of a string that is not closed, or has an escape that CEL does not know, if that is the first
/// issue. The other issues follow from it.
fn mistake_in_a_string(issues: &Issues) -> Option<String> {
    let first = issues.iter().min_by_key(|issue| issue.location)?;
    let text = first.message.strip_prefix("Syntax error: token recognition error at: '")?;
    let text = text.strip_suffix('\'').filter(|text| text.starts_with(['\'', '"']))?;
    let line = usize::try_from(first.location.line).ok()?.checked_sub(1)?;
    if issues.source().split('\n').nth(line)?.ends_with(text) {
        return Some(format!("the string `{text}` in the expression is not closed"));
    }
    let escape = &text[text.rfind('\\')?..];
    (escape.chars().count() == 2).then(|| {
        format!(
            "`{escape}` is not an escape sequence of CEL; write `\\{escape}`, or a raw string such as `r'{escape}'`"
        )
    })
}

/// Returns the span of the first issue; in `concat!(..)`, that of the piece with the issue.
fn first_span(string: &StringExpr, issues: &Issues) -> Span {
    let source = issues.source();
    let first = issues.iter().map(|issue| issue.location).min();
    let offset = first.and_then(|location| {
        let line = usize::try_from(location.line).ok()?.checked_sub(1)?;
        let column = usize::try_from(location.column).ok()?;
        let start: usize = source.split('\n').take(line).map(|line| line.len() + 1).sum();
        let rest = source.get(start..)?;
        Some(start + rest.char_indices().nth(column).map_or(rest.len(), |(at, _)| at))
    });
    offset.map_or_else(|| string.span(), |offset| string.span_at(offset))
}

/// Reports pieces of `concat!(..)` that belong to a comment of an earlier piece, because that piece
/// has no line break.
fn commented_out(string: &StringExpr, errors: &mut Accumulator) {
    let Some(text) = string.text() else { return };
    for (start, span) in string.pieces() {
        if lint::comment_at(&text.value, *start).is_some() {
            let message = "this piece is part of a `//` comment that begins in an earlier piece; end that piece with \
                           `\\n`, or remove the comment";
            report(errors, *span, message);
        }
    }
}

fn check_group(
    group: &SpannedValue<Strings>,
    at_most: bool,
    target: Target<'_>,
    errors: &mut Accumulator,
) {
    let names = &group.0;
    if names.len() < 2 {
        report(errors, group.span(), "expected at least two fields");
    }
    report_duplicates(errors, names, "field");
    let Some(object) = target.object else { return };
    let flattened = object.fields.iter().any(|field| field.flatten);
    for name in names {
        match object.fields.iter().find(|field| field.wire == name.value) {
            None if !flattened => {
                let known = object.fields.iter().map(|field| field.wire.as_str());
                let hint = did_you_mean(&name.value, known);
                let message =
                    format_args!("there is no field `{}` in this struct{hint}", name.value);
                report(errors, name.span, message);
            }
            Some(field) if at_most && !field.may_be_skipped() => {
                let message = format_args!(
                    "serde always writes `{}`; make it an `Option` with \
                     `#[serde(skip_serializing_if = \"Option::is_none\")]`",
                    name.value
                );
                report(errors, name.span, message);
            }
            _ => {}
        }
    }
}

/// Returns the end of an error: the most similar known name, or else a list of all known names.
pub(super) fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<_> = known.collect();
    match similar(name, known.iter().copied()) {
        Some(other) => format!("; did you mean `{other}`?"),
        None if known.is_empty() => String::new(),
        None => format!("; available fields are: `{}`", known.join("`, `")),
    }
}

/// Returns the most similar known name; `None` if none is similar.
pub(super) fn similar<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, other) =
        known.map(|other| (distance(name.as_bytes(), other.as_bytes()), other)).min()?;
    is_similar(name, distance).then_some(other)
}
