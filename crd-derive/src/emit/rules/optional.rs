//! Makes rustc warn about rules that fail for objects without an optional field.
//!
//! A derive does not know the fields of other types: whether one may be absent is a constant that rustc evaluates, and
//! only the answer `true` selects an item that is deprecated.

use crd_cel::lint::{ELEMENT, Unguarded};
use crd_cel::syntax::Ast;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::emit::warnings::warning;
use crate::model::{Field, Kind, Model, Object, Presence, Rule};
use crate::serde_view::SerdeDefault;

/// The warnings about rules of an object, which read its fields.
pub(super) fn of_object(rules: &[Rule], object: &Object, model: &Model) -> TokenStream {
    let find = |path: &[&str]| match path {
        [name] => absent_field(object, name).map(Some),
        _ => None,
    };
    let ident = &model.ident;
    let itself = quote!(<#ident as __CrdSchema>::SHAPE);
    let is_inside = |path: &[&str]| is_inside_field(object, path);
    let other = |path: &[&str]| is_inside(path).then(|| (itself.clone(), 0));
    of_rules(rules, &find, &other, model)
}

/// The warnings about rules of a generated root, which read the fields of `spec`, and `status`.
pub(super) fn of_root(kind: &Kind, model: &Model) -> TokenStream {
    let spec = model.body.object();
    let find = |path: &[&str]| match path {
        ["status"] => kind.status().is_some().then_some(None),
        ["spec", name] => spec.and_then(|spec| absent_field(spec, name)).map(Some),
        _ => None,
    };
    let ident = &model.ident;
    let other = |path: &[&str]| match path {
        ["spec", rest @ ..] if spec.is_some_and(|spec| is_inside_field(spec, rest)) => {
            Some((quote!(<#ident as __CrdSchema>::SHAPE), 1))
        }
        ["status", _, ..] => {
            let status = kind.type_of_status()?;
            Some((quote!(__Of::<#status>::SHAPE), 1))
        }
        _ => None,
    };
    of_rules(&kind.root_rule, &find, &other, model)
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

/// Finds an optional field by its path, with the field if it is one of the type.
type Find<'a, 'f> = &'f dyn Fn(&[&str]) -> Option<Option<&'a Field>>;

/// A rule whose reads are checked, parsed.
struct Parsed<'a> {
    rule: &'a Rule,
    ast: &'a Ast,
}

impl<'a> Parsed<'a> {
    fn of(rule: &'a Rule) -> Option<Self> {
        if rule.options.unchecked {
            return None;
        }
        Some(Self { rule, ast: rule.expression.ast()? })
    }

    /// The place of a read in the source.
    fn span_of(&self, read: &Unguarded) -> Span {
        self.rule.expression.span_of(self.ast, read.at)
    }
}

/// The warnings about rules: about reads of fields of the type, and of other types.
fn of_rules(
    rules: &[Rule],
    find: Find<'_, '_>,
    other: FindShape<'_>,
    model: &Model,
) -> TokenStream {
    let warn = |rule| {
        let own = of_rule(&rule, find, model);
        let others = of_other_types(&rule, other, model);
        quote!(#own #others)
    };
    rules.iter().filter_map(Parsed::of).map(warn).collect()
}

fn of_rule(rule: &Parsed<'_>, find: Find<'_, '_>, model: &Model) -> TokenStream {
    let warnings = crd_cel::lint::unguarded(&rule.ast.root, &|path| find(path).is_some());
    let warnings = warnings.into_iter().map(|read| {
        // The server could set what serde gives an absent field.
        let of_path: Vec<_> = read.path.iter().map(String::as_str).collect();
        let default = find(&of_path).flatten().filter(|field| {
            field.default.is_some()
                && (!field.is_option || matches!(field.default, SerdeDefault::Path(_)))
        });
        let default = default.map_or(
            "",
            |_| ", or add `#[crd(default)]` to the field, so that the server sets serde's default",
        );
        let span = rule.span_of(&read);
        warning("READ_WITHOUT_HAS", &note(&read, default), span, model)
    });
    warnings.collect()
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

/// Finds the shape in which a path into another type can be followed, and the number of steps that lead to the shape.
type FindShape<'f> = &'f dyn Fn(&[&str]) -> Option<(TokenStream, usize)>;

/// The warnings about reads of fields of other types.
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
fn of_other_types(rule: &Parsed<'_>, find: FindShape<'_>, model: &Model) -> TokenStream {
    // The shape of a type with parameters is known only where it is used.
    if !model.generics.params.is_empty() {
        return TokenStream::new();
    }
    let reads = crd_cel::lint::unguarded(&rule.ast.root, &|path| find(path).is_some());
    let warnings = reads.iter().filter_map(|read| {
        let path: Vec<_> = read.path.iter().map(String::as_str).collect();
        let (shape, skipped) = find(&path)?;
        let steps: Option<Vec<_>> = path[skipped..]
            .iter()
            .map(|step| match *step {
                ELEMENT => Some(ELEMENT.to_owned()),
                name => crd_cel::escape::unescape(name).map(std::borrow::Cow::into_owned),
            })
            .collect();
        let (steps, note) = (steps?, note(read, ""));
        let span = rule.span_of(read);
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
    });
    warnings.collect()
}
