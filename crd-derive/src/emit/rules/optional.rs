//! Makes rustc warn about rules that fail for objects without an optional field.
//!
//! A derive does not know the fields of other types; `crd check` reports rules that read those.

use proc_macro2::TokenStream;

use crate::emit::warnings::warning;
use crate::model::{Field, Kind, Model, Object, Presence, Rule};
use crate::serde_view::SerdeDefault;

/// The warnings about rules of an object, which read its fields.
pub(super) fn of_object(rules: &[Rule], object: &Object, model: &Model) -> TokenStream {
    let find = |path: &[&str]| match path {
        [name] => absent_field(object, name).map(Some),
        _ => None,
    };
    rules.iter().map(|rule| of_rule(rule, &find, model)).collect()
}

/// The warnings about rules of a generated root, which read the fields of `spec`, and `status`.
pub(super) fn of_root(kind: &Kind, model: &Model) -> TokenStream {
    let spec = model.body.object();
    let find = |path: &[&str]| match path {
        ["status"] => kind.status.is_some().then_some(None),
        ["spec", name] => spec.and_then(|spec| absent_field(spec, name)).map(Some),
        _ => None,
    };
    kind.root_rules.iter().map(|rule| of_rule(rule, &find, model)).collect()
}

/// The field of this name, if the schema allows objects without it. `escaped` is the name as CEL rules write it.
fn absent_field<'a>(object: &'a Object, escaped: &str) -> Option<&'a Field> {
    let mut fields = object.fields.iter().filter(|field| !field.flatten);
    let field = fields.find(|field| field.cel_name.as_deref() == Some(escaped));
    field.filter(|field| {
        // The schema of a function or module may have a default.
        !field.has_replaced_schema()
            && field.constraints.default.is_none()
            && field.presence() == Presence::Optional
    })
}

/// Finds an optional field by its path, with the field if it is one of the type.
type Find<'a, 'f> = &'f dyn Fn(&[&str]) -> Option<Option<&'a Field>>;

fn of_rule(rule: &Rule, find: Find<'_, '_>, model: &Model) -> TokenStream {
    if rule.unchecked {
        return TokenStream::new();
    }
    let Some(text) = rule.expression.text() else { return TokenStream::new() };
    let Ok(ast) = crd_cel::syntax::parse(&text.value) else { return TokenStream::new() };
    let warnings = crd_cel::lint::unguarded(&ast.root, &|path| find(path).is_some());
    let warnings = warnings.into_iter().map(|read| {
        let path: Vec<_> = read.path.iter().map(String::as_str).collect();
        let name = path.last().copied().unwrap_or_default();
        let (operand, path) = (&read.operand, path.join("."));
        let fails = if read.always { "fails" } else { "may fail" };
        // The server could set what serde gives an absent field.
        let of_path: Vec<_> = read.path.iter().map(String::as_str).collect();
        let default = find(&of_path)
            .flatten()
            .filter(|field| field.default.is_some() && (!field.is_option || matches!(field.default, SerdeDefault::Path(_))));
        let default = default.map_or("", |_| ", or add `#[crd(default)]` to the field, so that the server sets serde's default");
        let note = format!(
            "the rule {fails} if `{path}` is absent, which the type allows; test the field first, as in \
             `!has({operand}.{name}) || ..`, or read it with `{operand}.?{name}`{default}; to keep the rule, add \
             `unchecked(\"why\")` after it"
        );
        let position = ast.positions.get(read.at as usize).copied().flatten().unwrap_or(0);
        let offset = text.value.char_indices().nth(position as usize).map_or(0, |(at, _)| at);
        warning("READ_WITHOUT_HAS", &note, rule.expression.span_at(offset), model)
    });
    warnings.collect()
}
