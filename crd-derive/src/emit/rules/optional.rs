//! Makes rustc warn about rules that fail for objects without an optional field.
//!
//! A derive does not know the fields of other types: whether one may be absent is a constant that rustc evaluates, and
//! only the answer `true` selects an item that is deprecated.

use crd_cel::lint::{ELEMENT, Unguarded};
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::emit::warnings::warning;
use crate::model::{Field, Kind, Model, Object, Presence, Rule};
use crate::serde_view::SerdeDefault;

/// A field that an object may be without, as far as the derive knows.
enum Optional<'a> {
    /// A field of the type; `None` for the status of a root.
    Own(Option<&'a Field>),
    /// A field of another type, which only rustc knows. The path to it begins in the type after so many steps.
    Inside(usize),
    /// A field of the type of the status, after one step.
    InsideStatus,
}

/// Returns the optional field at the end of a path.
type Find<'a, 'f> = &'f dyn Fn(&[&str]) -> Option<Optional<'a>>;

/// The warnings about rules of an object, which read its fields.
pub(super) fn of_object(rules: &[Rule], object: &Object, model: &Model) -> TokenStream {
    of_rules(rules, &|path| find(object, path, 0), model)
}

/// The warnings about rules of a generated root, which read the fields of `spec`, and `status`.
pub(super) fn of_root(kind: &Kind, model: &Model) -> TokenStream {
    let find = |path: &[&str]| match path {
        ["status"] => kind.status().is_some().then_some(Optional::Own(None)),
        ["status", _, ..] => kind.type_of_status().map(|_| Optional::InsideStatus),
        ["spec", rest @ ..] => find(model.body.object()?, rest, 1),
        _ => None,
    };
    of_rules(&kind.root_rule, &find, model)
}

/// Finds the field at the end of a path in an object, which follows `skipped` steps.
fn find<'a>(object: &'a Object, path: &[&str], skipped: usize) -> Option<Optional<'a>> {
    match path {
        [name] => absent_field(object, name).map(|field| Optional::Own(Some(field))),
        _ => is_inside_field(object, path).then_some(Optional::Inside(skipped)),
    }
}

/// Whether a path leads into the type of a field.
fn is_inside_field(object: &Object, path: &[&str]) -> bool {
    let [name, _, ..] = path else { return false };
    field_of(object, name).is_some_and(|field| !field.has_replaced_schema())
}

/// The field of this name. `escaped` is the name as CEL rules write it.
fn field_of<'a>(object: &'a Object, escaped: &str) -> Option<&'a Field> {
    let mut fields = object.fields.iter().filter(|field| !field.flatten);
    fields.find(|field| field.cel_name.as_deref() == Some(escaped))
}

/// The field of this name, if the schema allows objects without it.
fn absent_field<'a>(object: &'a Object, escaped: &str) -> Option<&'a Field> {
    field_of(object, escaped).filter(|field| {
        // The schema of a function or module may have a default.
        !field.has_replaced_schema()
            && field.constraints.default.is_none()
            && field.presence() == Presence::Optional
    })
}

fn of_rules(rules: &[Rule], find: Find<'_, '_>, model: &Model) -> TokenStream {
    rules.iter().filter_map(|rule| of_rule(rule, find, model)).flatten().collect()
}

/// The warnings about a rule.
fn of_rule(rule: &Rule, find: Find<'_, '_>, model: &Model) -> Option<Vec<TokenStream>> {
    let ast = rule.expression.ast().filter(|_| !rule.options.unchecked)?;
    let reads = crd_cel::lint::unguarded(&ast.root, &|path| find(path).is_some());
    let warnings = reads.iter().filter_map(|read| {
        let path: Vec<_> = read.path.iter().map(String::as_str).collect();
        let span = rule.expression.span_of(ast, read.at);
        let ident = &model.ident;
        match find(&path)? {
            Optional::Own(field) => {
                // The server could set what serde gives an absent field.
                let has_default = |field: &Field| {
                    field.default.is_some()
                        && (!field.is_option || matches!(field.default, SerdeDefault::Path(_)))
                };
                let default = match field {
                    Some(field) if has_default(field) => {
                        ", or add `#[crd(default)]` to the field, so that the server sets serde's default"
                    }
                    _ => "",
                };
                Some(warning("READ_WITHOUT_HAS", &note(read, default), span, model))
            }
            // The shape of a type with parameters is known only where it is used.
            Optional::Inside(_) | Optional::InsideStatus if !model.generics.params.is_empty() => None,
            Optional::Inside(skipped) => {
                let shape = quote!(<#ident as __CrdSchema>::SHAPE);
                of_other_type(read, &path[skipped..], &shape, span)
            }
            Optional::InsideStatus => {
                let status = model.kind.as_ref()?.type_of_status()?;
                of_other_type(read, &path[1..], &quote!(__Of::<#status>::SHAPE), span)
            }
        }
    });
    Some(warnings.collect())
}

/// The warning about a read.
fn note(read: &Unguarded, default: &str) -> String {
    let path: Vec<_> = read.path.iter().map(String::as_str).collect();
    let name = path.last().copied().unwrap_or_default();
    let (operand, path) = (&read.operand, path.join(".").replace(".[]", "[]"));
    let fails = if read.always { "fails" } else { "may fail" };
    format!(
        "the rule {fails} if `{path}` is absent, which the type allows; test the field first, as in \
         `!has({operand}.{name}) || ..`, or read it with `{operand}.?{name}`{default}; to keep the rule, add \
         `unchecked(\"why\")` after it"
    )
}

/// The warning about a read of a field of another type, at the end of a path in a shape.
///
/// ```ignore
/// const _: () = {
///     trait _Rule { #[deprecated(note = "..")] const READ_WITHOUT_HAS: () = (); }
///     impl _Rule for __ReadOf<true> {}
///     __ReadOf::<{ may_be_absent(&SHAPE, &["template", "replicas"]) }>::READ_WITHOUT_HAS
/// };
/// ```
///
/// `__ReadOf<false>` has a constant of its own.
fn of_other_type(
    read: &Unguarded,
    path: &[&str],
    shape: &TokenStream,
    span: Span,
) -> Option<TokenStream> {
    let steps: Option<Vec<_>> = path
        .iter()
        .map(|step| match *step {
            ELEMENT => Some(ELEMENT.to_owned()),
            name => crd_cel::escape::unescape(name).map(std::borrow::Cow::into_owned),
        })
        .collect();
    let (steps, note) = (steps?, note(read, ""));
    let declared = Ident::new("READ_WITHOUT_HAS", Span::call_site());
    // rustc warns of no path that begins with a token of a derive.
    let (of, used) = (Ident::new("__ReadOf", span), Ident::new("READ_WITHOUT_HAS", span));
    Some(quote! {
        const _: () = {
            trait _Rule {
                #[deprecated(note = #note)]
                const #declared: () = ();
            }
            impl _Rule for __ReadOf<true> {}
            #of::<{ __check::may_be_absent(&#shape, &[#(#steps),*]) }>::#used
        };
    })
}
