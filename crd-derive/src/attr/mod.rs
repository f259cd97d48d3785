//! The grammar of `#[crd(..)]`: what may be written, one key a field. No meaning, no checks across keys.

mod column;
mod constant;
mod habits;
mod kind;
mod literal;
mod others;
mod read;
mod rule;

use darling::util::{Flag, Override, PathList, SpannedValue};
use darling::{Error, FromAttributes, FromMeta};
use proc_macro2::{TokenStream, TokenTree};
use syn::{Expr, Path};

pub(crate) use column::{Column, JsonPath};
use constant::name_self;
pub(crate) use constant::{Bound, Constant, Count, Words, as_number};
pub(crate) use kind::{Conversion, KindAttrs, Pair, Scale, Service, Webhook};
pub(crate) use literal::{Bounds, Exprs, Number, Strings, Text, Value, plain};
pub(crate) use others::of_other_derives;
pub(crate) use read::{Keys, places, read};
pub(crate) use rule::{RuleAttr, RuleOptions};

/// Keys of a struct, field, variant, and of `items(..)` and `values(..)`.
#[derive(Debug, Default, Clone, FromMeta)]
pub(crate) struct Constraints {
    /// A short name shown by documentation tools.
    pub title: Option<Words>,
    /// Replaces the doc comment.
    pub description: Option<Words>,
    /// A value shown as an example.
    pub example: Option<Value>,
    /// `external_docs(url = "..", description = "..")`
    #[darling(with = literal::one_group)]
    pub external_docs: Option<SpannedValue<ExternalDocs>>,
    /// What the server writes where the field is absent; as a word, what serde's default gives.
    pub default: Option<SpannedValue<Override<Value>>>,
    /// Whether `null` is kept.
    #[darling(with = literal::switch)]
    pub nullable: Option<SpannedValue<bool>>,
    /// The least number.
    pub minimum: Option<Bound>,
    /// The greatest number.
    pub maximum: Option<Bound>,
    /// `minimum` itself is out.
    #[darling(with = literal::switch)]
    pub exclusive_minimum: Option<SpannedValue<bool>>,
    /// `maximum` itself is out.
    #[darling(with = literal::switch)]
    pub exclusive_maximum: Option<SpannedValue<bool>>,
    /// A whole multiple of this.
    pub multiple_of: Option<Bound>,
    /// The least number of code points.
    pub min_length: Option<Count>,
    /// The greatest number of code points.
    pub max_length: Option<Count>,
    /// A regular expression of Go's RE2 that must match somewhere.
    pub pattern: Option<Words>,
    /// An OpenAPI format.
    pub format: Option<Text>,
    /// The least number of items.
    pub min_items: Option<Count>,
    /// The greatest number of items.
    pub max_items: Option<Count>,
    /// Refused, with advice.
    #[darling(with = literal::switch)]
    pub unique_items: Option<SpannedValue<bool>>,
    /// The least number of properties.
    pub min_properties: Option<Count>,
    /// The greatest number of properties.
    pub max_properties: Option<Count>,
    /// The values that may occur.
    pub enum_values: Option<SpannedValue<Exprs>>,
    /// A number or a string.
    #[darling(with = literal::switch)]
    pub int_or_string: Option<SpannedValue<bool>>,
    /// Keep what the schema does not name.
    #[darling(with = literal::switch)]
    pub preserve_unknown_fields: Option<SpannedValue<bool>>,
    /// A whole Kubernetes object.
    #[darling(with = literal::switch)]
    pub embedded_resource: Option<SpannedValue<bool>>,
    /// `atomic`, `set` or `map`.
    pub list_type: Option<Text>,
    /// The fields that tell items of a `map` list apart.
    pub list_map_keys: Option<SpannedValue<Strings>>,
    /// `atomic` or `granular`.
    pub map_type: Option<Text>,
    /// A CEL rule.
    #[darling(multiple)]
    pub rule: Vec<RuleAttr>,
    /// The value never changes once written.
    #[darling(with = literal::switch)]
    pub immutable: Option<SpannedValue<bool>>,
    /// At most one of these fields is set.
    #[darling(multiple)]
    pub at_most_one_of: Vec<SpannedValue<Strings>>,
    /// Exactly one of these fields is set.
    #[darling(multiple)]
    pub exactly_one_of: Vec<SpannedValue<Strings>>,
    /// At least one of these fields is set.
    #[darling(multiple)]
    pub at_least_one_of: Vec<SpannedValue<Strings>>,
    /// A function that gives the schema, for foreign types.
    #[darling(with = literal::path)]
    pub schema_with: Option<SpannedValue<Path>>,
    /// Constraints of a list's elements.
    #[darling(with = literal::boxed_group)]
    pub items: Option<Box<SpannedValue<Constraints>>>,
    /// Constraints of a map's values.
    #[darling(with = literal::boxed_group)]
    pub values: Option<Box<SpannedValue<Constraints>>>,
}

/// `external_docs(..)`
#[derive(Debug, Clone, FromMeta)]
pub(crate) struct ExternalDocs {
    /// Where.
    pub url: Text,
    /// What is there.
    pub description: Option<Text>,
}

impl Keys for TypeAttrs {}
impl Keys for FieldAttrs {}
impl Keys for VariantAttrs {}

impl Keys for KindAttrs {
    const REQUIRED: &'static [(&'static str, &'static str, &'static str)] = &[
        ("group", "example.com", "example.com"),
        ("version", "v1", "v1"),
        ("kind", "PlaceOfAKindThatIsMissing", "CronTab"),
    ];
}

impl literal::Group for Constraints {
    const FORM: &'static str = "(max_length = 63)";
}

impl literal::Group for ExternalDocs {
    const FORM: &'static str = "(url = \"https://..\")";
}

/// Keys of a struct or enum that is not a kind.
#[derive(Debug, Default, Clone, FromAttributes)]
#[darling(attributes(crd))]
pub(crate) struct TypeAttrs {
    /// The path of `crd_runtime`, where it is not `::crd_runtime`.
    #[darling(rename = "crate")]
    pub krate: Option<Path>,
    /// An apply configuration is wanted.
    pub apply: Option<SpannedValue<Override<ApplyAttrs>>>,
    /// The bounds of the implementations, in place of those that the fields tell.
    pub bound: Option<Bounds>,
    /// Whether `schemars::JsonSchema` is implemented. Default: yes.
    #[darling(with = literal::switch)]
    pub json_schema: Option<SpannedValue<bool>>,
    #[darling(flatten)]
    pub constraints: Constraints,
}

/// `apply` or `apply(keys("name"), derive(PartialEq))`
#[derive(Debug, Default, Clone, FromMeta)]
pub(crate) struct ApplyAttrs {
    /// The fields that each configuration has: the keys of the items of a `map` list.
    pub keys: Option<SpannedValue<Strings>>,
    /// Further derives of the apply configuration.
    pub derive: Option<PathList>,
    /// The type is applied as a whole.
    pub whole: Flag,
}

/// Keys of a field.
#[derive(Debug, Default, Clone, FromAttributes)]
#[darling(attributes(crd))]
pub(crate) struct FieldAttrs {
    /// Shown by `kubectl get`; path, type and format come from the field.
    #[darling(multiple)]
    pub print_column: Vec<SpannedValue<Override<Column>>>,
    /// May be used in field selectors.
    #[darling(with = literal::switch)]
    pub selectable: Option<SpannedValue<bool>>,
    /// An object without it is refused, whatever serde reads.
    #[darling(with = literal::switch)]
    pub required: Option<SpannedValue<bool>>,
    /// An object without it is admitted.
    #[darling(with = literal::switch)]
    pub optional: Option<SpannedValue<bool>>,
    /// Types that contain each other end here.
    #[darling(with = literal::switch)]
    pub recursive: Option<SpannedValue<bool>>,
    #[darling(flatten)]
    pub constraints: Constraints,
}

/// Keys of a variant.
#[derive(Debug, Default, Clone, FromAttributes)]
#[darling(attributes(crd))]
pub(crate) struct VariantAttrs {
    #[darling(flatten)]
    pub constraints: Constraints,
}

/// Keys that stand on a kind alone.
const OF_KINDS: [&str; 24] = [
    "annotation",
    "attr",
    "category",
    "cluster",
    "conversion",
    "deprecated",
    "derive",
    "fields",
    "group",
    "kind",
    "label",
    "list_kind",
    "namespaced",
    "plural",
    "root",
    "root_description",
    "root_rule",
    "scale",
    "served",
    "short_name",
    "singular",
    "status",
    "storage",
    "version",
];

/// Says of a key that is known, but not where it stands, where it belongs.
pub(crate) fn place_of_unknown_keys(errors: Error) -> Error {
    let told = errors.flatten().into_iter().map(|error| {
        let text = error.to_string();
        let key = text.strip_prefix("Unknown field: `").and_then(|rest| rest.split_once('`'));
        let place = match key {
            Some(("crate" | "apply" | "json_schema", _)) => "a type",
            Some(("bound", _)) => "a type with parameters",
            Some((key, _)) if OF_KINDS.contains(&key) => "a kind, beside `group`",
            Some(("recursive" | "required" | "optional", _)) => "a field",
            Some(("print_column" | "selectable", _)) => "a kind or a field of a struct",
            Some((key, _)) => match habits::instead_of(key, text.contains("Did you mean")) {
                Some(message) => return Error::custom(message).with_span(&error.span()),
                None => return error,
            },
            None => return error,
        };
        let key = key.map_or("", |(key, _)| key);
        let message = format!("`{key}` is not for this place; it is for {place}");
        Error::custom(message).with_span(&error.span())
    });
    Error::multiple(told.collect())
}

/// Makes attributes readable as expressions, at a type, its fields and variants.
pub(crate) fn prepare(input: &mut syn::DeriveInput) {
    read_type_arguments(&mut input.attrs);
    // Checks of a type without parameters stand outside of its implementations.
    let ident = input.generics.params.is_empty().then(|| input.ident.clone());
    let Some(ident) = ident else { return };
    name_self(&mut input.attrs, &ident);
    let of_fields = |fields: &mut syn::Fields| {
        fields.iter_mut().for_each(|field| name_self(&mut field.attrs, &ident));
    };
    match &mut input.data {
        syn::Data::Struct(data) => of_fields(&mut data.fields),
        syn::Data::Enum(data) => {
            for variant in &mut data.variants {
                name_self(&mut variant.attrs, &ident);
                of_fields(&mut variant.fields);
            }
        }
        syn::Data::Union(_) => {}
    }
}

/// Lets `status = Status<Phase>` be read, as `Status::<Phase>`: the value of a key is an expression, in which `<` is
/// a comparison.
fn read_type_arguments(attrs: &mut [syn::Attribute]) {
    for attr in attrs.iter_mut().filter(|attr| attr.path().is_ident("crd")) {
        if let syn::Meta::List(list) = &mut attr.meta {
            list.tokens = with_turbofish(std::mem::take(&mut list.tokens));
        }
    }
}

fn with_turbofish(tokens: TokenStream) -> TokenStream {
    let is = |token: Option<&TokenTree>, c: char| matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == c);
    let mut out = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_key = matches!(&token, TokenTree::Ident(ident) if ident == "status");
        out.extend([token]);
        if !is_key || !is(tokens.peek(), '=') {
            continue;
        }
        out.extend(tokens.next());
        // The path: names and `::`.
        while let Some(TokenTree::Ident(_)) = tokens.peek() {
            out.extend(tokens.next());
            if is(tokens.peek(), '<') {
                out.extend(quote::quote!(::));
            }
            while is(tokens.peek(), ':') {
                out.extend(tokens.next());
            }
        }
    }
    out
}

/// The expression of `key = expr`, with a string literal kept as one.
pub(crate) fn value_of(meta: &syn::Meta) -> darling::Result<&Expr> {
    match meta {
        syn::Meta::NameValue(pair) => Ok(&pair.value),
        syn::Meta::Path(_) | syn::Meta::List(_) => Err(literal::wrong_form(meta, " = ..")),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{TokenStream, with_turbofish};

    #[test]
    fn a_status_may_have_type_arguments() {
        let same = |text: &str, want: &str| {
            let tokens: TokenStream = text.parse().expect("tokens");
            let want: TokenStream = want.parse().expect("tokens");
            let text = |tokens: TokenStream| tokens.to_string().replace(' ', "");
            assert_eq!(text(with_turbofish(tokens)), text(want));
        };
        same("status = S<A<B>, C>, served", "status = S::<A<B>, C>, served");
        same("a = 1, status = m::S<A>", "a = 1, status = m::S::<A>");
        same("status = S::<A>", "status = S::<A>");
        same(
            "status = ::m::S, rule(\"status = S<A>\")",
            "status = ::m::S, rule(\"status = S<A>\")",
        );
        same("scale(status = \".status.n\")", "scale(status = \".status.n\")");
    }

    /// The public fields of the structs that hold keys, by the name that is written.
    fn keys(source: &str, structs: &[&str]) -> BTreeSet<String> {
        let file = syn::parse_file(source).unwrap();
        let mut keys = BTreeSet::new();
        for item in file.items {
            let syn::Item::Struct(item) = item else { continue };
            if !structs.iter().any(|name| item.ident == name) {
                continue;
            }
            for field in item.fields {
                let name = field.ident.unwrap().to_string();
                match name.as_str() {
                    "constraints" => {}
                    "krate" => drop(keys.insert("crate".to_owned())),
                    _ => drop(keys.insert(name)),
                }
            }
        }
        keys
    }

    #[test]
    fn every_key_has_a_heading_and_every_heading_a_key() {
        let mut keys = keys(include_str!("kind.rs"), &["KindAttrs"]);
        let own = ["Constraints", "TypeAttrs", "FieldAttrs", "VariantAttrs"];
        keys.extend(self::keys(include_str!("mod.rs"), &own));
        let headings = include_str!("../../attributes.md").lines();
        let headings = headings.filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'));
        assert_eq!(headings.map(str::to_owned).collect::<BTreeSet<_>>(), keys);
        assert!(super::OF_KINDS.iter().all(|key| keys.contains(*key)));
    }
}
