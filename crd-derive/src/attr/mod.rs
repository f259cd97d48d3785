//! The grammar of `#[crd(..)]`: one struct for each kind of item that can have the attribute, one
//! field for each key. Checks across keys are in `check`.

mod allow;
mod column;
mod constraints;
mod defaults;
mod form;
mod habits;
mod keys;
mod kind;
mod other_derives;
mod prepare;
mod read;
mod rule;
mod status;
mod suggestions;

use darling::util::{Flag, Override, PathList, SpannedValue};
use darling::{Error, FromAttributes, FromMeta};
use syn::{Attribute, Data, DeriveInput, Path, Type};

pub(crate) use allow::{Allow, lints};
pub(crate) use column::Column;
pub(crate) use constraints::{Constraints, DefaultValue, ExternalDocs};
pub(crate) use defaults::take_defaults;
use form::Bounds;
pub(crate) use form::on;
pub(crate) use habits::take_strings;
pub(crate) use keys::place;
pub(crate) use kind::{KindAttrs, Oldest, Pair, Scale, Service, Webhook};
pub(crate) use other_derives::{has_validate, report_other_derives};
pub(crate) use prepare::prepare;
pub(crate) use read::{Key, Keys, ours, read};
pub(crate) use rule::{Rule, RuleOptions};
pub(crate) use status::SchemaOf;

use crate::literal::Strings;

/// The derive that is expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Derive {
    /// `CrdSchema`
    Schema,
    /// `CustomResource`
    Kind,
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

/// Keys of any type.
#[derive(Debug, Default, Clone, FromMeta)]
pub(crate) struct CommonAttrs {
    /// The path of `crd_runtime`, if it is not `::crd_runtime`.
    #[darling(rename = "crate")]
    pub krate: Option<Path>,
    /// A module with values of `crate` and, for kinds, of `group` and `kubernetes`. [`take_defaults`] replaces it by
    /// these keys.
    #[darling(rename = "defaults")]
    pub _defaults: Flag,
    /// Generates an apply configuration.
    pub apply: Option<SpannedValue<Override<ApplyAttrs>>>,
    /// Whether `schemars::JsonSchema` is implemented. Default: yes.
    #[darling(with = form::switch)]
    pub json_schema: Option<SpannedValue<bool>>,
    /// Lints of `crd lint` that do not report the type.
    #[darling(multiple)]
    pub allow: Vec<Allow>,
    #[darling(flatten)]
    pub constraints: Constraints,
}

/// Keys of a struct or enum that is not a kind.
#[derive(Debug, Default, Clone, FromAttributes)]
#[darling(attributes(crd))]
pub(crate) struct TypeAttrs {
    /// The bounds of the generated impls, in place of those derived from the fields.
    pub bound: Option<Bounds>,
    /// The type whose schema the type has, because serde writes it as that type.
    #[darling(with = form::ty)]
    pub schema_as: Option<SpannedValue<Type>>,
    #[darling(flatten)]
    pub common: CommonAttrs,
}

/// `apply` or `apply(keys("name"), derive(PartialEq))`
#[derive(Debug, Default, Clone, FromMeta)]
pub(crate) struct ApplyAttrs {
    /// The required fields of the configuration: the keys of a `map` list's items.
    pub keys: Option<SpannedValue<Strings>>,
    /// Further derives of the apply configuration.
    pub derive: Option<PathList>,
    /// The type has no configuration of its own and is applied as a whole.
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
    #[darling(with = form::switch)]
    pub selectable: Option<SpannedValue<bool>>,
    /// The server rejects an object without the field, even if serde could read it.
    #[darling(with = form::switch)]
    pub required: Option<SpannedValue<bool>>,
    /// The server accepts an object without the field.
    #[darling(with = form::switch)]
    pub optional: Option<SpannedValue<bool>>,
    /// The schema of a recursive type ends here: the server accepts any value below this field.
    #[darling(with = form::switch)]
    pub recursive: Option<SpannedValue<bool>>,
    /// The type whose schema the field has, because serde writes it as that type.
    #[darling(with = form::ty)]
    pub schema_as: Option<SpannedValue<Type>>,
    /// Lints of `crd lint` that do not report the field.
    #[darling(multiple)]
    pub allow: Vec<Allow>,
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

/// The attributes of a type, of its fields and of its variants.
pub(crate) fn attributes(input: &DeriveInput) -> Vec<&[Attribute]> {
    let mut all: Vec<&[Attribute]> = vec![&input.attrs];
    match &input.data {
        Data::Struct(data) => all.extend(data.fields.iter().map(|field| &*field.attrs)),
        Data::Enum(data) => {
            let fields = data.variants.iter().flat_map(|variant| &variant.fields);
            all.extend(fields.map(|field| &*field.attrs));
            all.extend(data.variants.iter().map(|variant| &*variant.attrs));
        }
        Data::Union(_) => {}
    }
    all
}

/// Returns the error for a struct with the keys of a kind and `derive(CrdSchema)`, with `CustomResource` or without it.
pub(crate) fn keys_of_a_kind(input: &DeriveInput) -> Option<Error> {
    let keys = Key::all(&input.attrs);
    let is_of_kind = |key: &&Key| ["group", "version", "kind"].contains(&key.name.as_str());
    let key = keys.iter().find(is_of_kind)?;
    let message = format!(
        "`{}` is a key of a kind, which needs `#[derive(CustomResource)]` alone; replace `CrdSchema` by `CustomResource`, \
         or remove `CrdSchema` if both are derived",
        key.name
    );
    Some(Error::custom(message).with_span(&key.span))
}

/// Replaces darling's errors for unknown keys by ones that say on which item a misplaced key
/// belongs, or what to write instead of a key of another derive.
pub(crate) fn explain_unknown_keys(errors: Error) -> Error {
    let explained = errors.flatten().into_iter().map(|error| {
        let text = error.to_string();
        let key = text.strip_prefix("Unknown field: `").and_then(|rest| rest.split_once('`'));
        let item = match key.map(|(key, _)| (key, place(key))) {
            Some(("group", Some(_))) => "a kind",
            Some((_, Some(keys::KIND))) => "a kind, next to `group`",
            Some((_, Some("kind, type"))) => "a type",
            Some((_, Some("kind, type, field"))) => "a type or a field",
            Some((_, Some("generic type"))) => "a generic type",
            Some((_, Some("kind, field"))) => "a kind or a field of a struct",
            Some((_, Some("type, field"))) => "a type other than a kind, or a field",
            Some((_, Some("field"))) => "a field",
            Some((key, _)) => match suggestions::suggestion(key, text.contains("Did you mean")) {
                Some(message) => return Error::custom(message).with_span(&error.span()),
                None => return error,
            },
            None => return error,
        };
        let key = key.map_or("", |(key, _)| key);
        let message = format!("`{key}` is not allowed here; put it on {item}");
        Error::custom(message).with_span(&error.span())
    });
    Error::multiple(explained.collect())
}
