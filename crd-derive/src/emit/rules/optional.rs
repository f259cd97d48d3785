//! Makes rustc warn about rules that fail for every object without an optional field.
//!
//! A derive does not know the fields of other types; `crd check` reports rules that read those.

use proc_macro2::TokenStream;

use crate::emit::warnings::warning;
use crate::model::{Kind, Model, Object, Presence, Rule};

/// The warnings about rules of an object, which read its fields.
pub(super) fn of_object(rules: &[Rule], object: &Object, model: &Model) -> TokenStream {
    let is_optional = |path: &[&str]| matches!(path, [name] if may_be_absent(object, name));
    rules.iter().map(|rule| of_rule(rule, &is_optional, model)).collect()
}

/// The warnings about rules of a generated root, which read the fields of `spec`, and `status`.
pub(super) fn of_root(kind: &Kind, model: &Model) -> TokenStream {
    let spec = model.body.object();
    let is_optional = |path: &[&str]| match path {
        ["status"] => kind.status.is_some(),
        ["spec", name] => spec.is_some_and(|spec| may_be_absent(spec, name)),
        _ => false,
    };
    kind.root_rules.iter().map(|rule| of_rule(rule, &is_optional, model)).collect()
}

/// Whether the schema allows objects without a field. `escaped` is the field's name as CEL rules write it.
fn may_be_absent(object: &Object, escaped: &str) -> bool {
    let mut fields = object.fields.iter().filter(|field| !field.flatten);
    let field = fields.find(|field| field.cel_name.as_deref() == Some(escaped));
    field.is_some_and(|field| {
        // The schema of a function or module may have a default.
        !field.has_replaced_schema()
            && field.constraints.default.is_none()
            && field.presence() == Presence::Optional
    })
}

fn of_rule(rule: &Rule, is_optional: &dyn Fn(&[&str]) -> bool, model: &Model) -> TokenStream {
    if rule.unchecked {
        return TokenStream::new();
    }
    let Some(text) = rule.expression.text() else { return TokenStream::new() };
    let Ok(ast) = crd_cel::syntax::parse(&text.value) else { return TokenStream::new() };
    let required = crd_cel::lint::requires(&ast.root, is_optional);
    let warnings = required.iter().filter_map(|required| {
        let (last, above) = required.path.split_last()?;
        let path = required.path.join(".");
        let optional = [above, &[format!("?{last}")]].concat().join(".");
        let note = format!(
            "the rule fails if `{path}` is absent, which the type allows; test the field first, as in \
             `!has(self.{path}) || ..`, or read it with `self.{optional}`; to keep the rule, add \
             `unchecked(\"why\")` after it"
        );
        let position = ast.positions.get(required.at as usize).copied().flatten().unwrap_or(0);
        let offset = text.value.char_indices().nth(position as usize).map_or(0, |(at, _)| at);
        Some(warning("READ_WITHOUT_HAS", &note, rule.expression.span_at(offset), model))
    });
    warnings.collect()
}
