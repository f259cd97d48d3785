//! The model of a type: its `#[crd(..)]` and `#[serde(..)]` attributes joined, one node per type,
//! variant and field, with every fact that `check` and `emit` need. It does not depend on how
//! attributes are written.

mod constraints;
mod field;
mod kind;
mod read;

use darling::util::{Override, SpannedValue};
use proc_macro2::{Ident, Span, TokenStream};
use syn::{Attribute, Generics, Path, Type, Visibility, WherePredicate};

use crate::attr::ApplyAttrs;
use crate::doc::Doc;
use crate::literal::Text;
use crate::names;
use crate::serde_view::Tagging;

pub(crate) use crate::attr::{
    Column, Constraints, ExternalDocs, KindAttrs, Oldest, Pair, Rule, RuleOptions, Scale, Service,
    Webhook,
};
pub(crate) use constraints::Limit;
pub(crate) use field::{
    Cut, Field, IMMUTABLE_IF_SET, NULL_FOR_NONE, NULL_FOR_NULLABLE_NONE, NULL_FOR_SOME_NONE,
    Presence, Source,
};
pub(crate) use kind::{Kind, Root, is_always_derived};

/// A type with one of the derives.
#[derive(Debug)]
pub(crate) struct Model {
    pub ident: Ident,
    pub vis: Visibility,
    pub generics: Generics,
    /// `bound = ".."`
    pub bound: Option<Vec<WherePredicate>>,
    /// `#[serde(bound = "..")]`: the bounds of `Serialize`.
    pub serde_bound: Option<TokenStream>,
    /// Whether serde reads or writes another type in place of this one.
    pub is_converted: bool,
    /// Whether serde writes it as a newtype, which is not `transparent`.
    pub is_newtype: bool,
    /// The path of `crd_runtime`.
    pub krate: Path,
    /// Whether `schemars::JsonSchema` is implemented.
    pub json_schema: bool,
    /// Lint attributes of generated items.
    pub lints: TokenStream,
    pub doc: Doc,
    pub constraints: Constraints,
    pub body: Body,
    /// The lints of `crd lint` that do not report the type.
    pub allows: Vec<String>,
    /// The apply configuration of `apply`.
    pub apply: Option<Apply>,
    /// The kind of `CustomResource`.
    pub kind: Option<Kind>,
}

/// A requested apply configuration.
#[derive(Debug)]
pub(crate) struct Apply {
    /// The JSON names of the required fields.
    pub keys: Vec<Text>,
    /// Further derives.
    pub derives: Vec<Path>,
    /// Whether the type is its own apply configuration.
    pub whole: bool,
}

impl Apply {
    fn of(attr: Option<SpannedValue<Override<ApplyAttrs>>>) -> Option<Self> {
        let attrs = attr?.into_inner().explicit().unwrap_or_default();
        let derives = attrs.derive.iter().flat_map(|list| list.iter().cloned()).collect();
        let keys = attrs.keys.map(|keys| keys.into_inner().0).unwrap_or_default();
        Some(Self { keys, derives, whole: attrs.whole.is_present() })
    }

    /// Whether every apply configuration has this derive.
    pub(crate) fn always_derives(path: &Path) -> bool {
        names::ends_in(path, &["Clone", "Debug", "Deserialize", "Serialize"])
    }
}

impl Model {
    /// Whether the struct is a kind's root type.
    pub(crate) fn is_root(&self) -> bool {
        self.kind.as_ref().is_some_and(Kind::is_root)
    }
}

/// The form of a type in JSON.
#[derive(Debug)]
pub(crate) enum Body {
    /// An object: a struct with named fields.
    Object(Object),
    /// The form of the type's only field.
    Transparent(Box<Field>),
    /// A list of fixed length.
    Tuple(Vec<Field>),
    /// `null`
    Unit,
    /// The form of another type, by `from`, `try_from` and `into`.
    Delegate(Box<Type>),
    /// One of several variants.
    Enum(Enum),
}

impl Model {
    /// The constraints of the type and of its fields and variants, without those inside of others.
    pub(crate) fn all_constraints(&self) -> Vec<&Constraints> {
        let of_variants = match &self.body {
            Body::Enum(data) => &data.variants[..],
            _ => &[],
        };
        let of_fields = self.all_fields().into_iter().map(|field| &field.constraints);
        let of_variants = of_variants.iter().map(|variant| &variant.constraints);
        std::iter::once(&self.constraints).chain(of_variants).chain(of_fields).collect()
    }

    /// The fields of the type and of its variants, with names or without.
    pub(crate) fn all_fields(&self) -> Vec<&Field> {
        self.body.all_fields()
    }
}

impl Body {
    pub(crate) fn all_fields(&self) -> Vec<&Field> {
        match self {
            Self::Object(Object { fields, .. }) | Self::Tuple(fields) => fields.iter().collect(),
            Self::Transparent(field) => vec![field],
            Self::Enum(data) => data.variants.iter().flat_map(|it| it.body.all_fields()).collect(),
            Self::Unit | Self::Delegate(_) => Vec::new(),
        }
    }

    /// The fields whose schemas are in that of the type: all but those of variants with a schema of their own. Of a
    /// tuple, at most so many `members`.
    pub(crate) fn fields_of_schema(&self, members: usize) -> Vec<&Field> {
        match self {
            Self::Enum(data) => {
                let variants = data.variants.iter().filter(|variant| !variant.has_own_schema());
                variants.flat_map(|variant| variant.body.fields_of_schema(members)).collect()
            }
            Self::Tuple(fields) => fields.iter().take(members).collect(),
            body => body.all_fields(),
        }
    }

    /// The object of a struct with named fields.
    pub(crate) fn object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The fields of an object; empty for other forms.
    pub(crate) fn fields(&self) -> &[Field] {
        self.object().map_or(&[], |object| object.fields.as_slice())
    }
}

/// An object's fields.
#[derive(Debug)]
pub(crate) struct Object {
    pub fields: Vec<Field>,
    /// `#[serde(tag = "..")]` on a struct: the tag and the name.
    pub tag: Option<(String, String)>,
    pub deny_unknown_fields: bool,
}

impl Object {
    /// Whether serde may leave fields of the type unread if it is flattened: a tag, a field that is only written, or
    /// the fields of a type flattened into it.
    pub(crate) fn leaves_fields_unread(&self) -> bool {
        let may_be_unread =
            |field: &Field| field.flatten || (field.skip_deserializing && !field.skip_serializing);
        self.tag.is_some() || self.fields.iter().any(may_be_unread)
    }
}

/// An enum.
#[derive(Debug)]
pub(crate) struct Enum {
    pub tagging: Tagging,
    pub variants: Vec<Variant>,
    /// Whether serde skips a variant or an unnamed part of one, in one direction or both.
    pub hides: bool,
}

impl Enum {
    /// Whether serde writes every variant as a string: none has content, and the enum has no tag.
    pub(crate) fn is_units(&self) -> bool {
        matches!(self.tagging, Tagging::External)
            && self.variants.iter().all(|v| matches!(v.body, Body::Unit) && !v.untagged)
    }

    /// Whether a variant is written without its name.
    pub(crate) fn is_untagged(&self, variant: &Variant) -> bool {
        variant.untagged || matches!(self.tagging, Tagging::Untagged)
    }

    /// Whether serde keeps an object or its content until it knows the variant.
    pub(crate) fn keeps_content(&self) -> bool {
        let is_external = matches!(self.tagging, Tagging::External);
        !is_external || self.variants.iter().any(|variant| variant.untagged)
    }

    /// Whether it is applied as a whole, because a partial value would not show its variant, or
    /// because serde skips a variant.
    pub(crate) fn is_applied_whole(&self) -> bool {
        self.is_units()
            || self.hides
            || matches!(self.tagging, Tagging::Untagged)
            || self.variants.iter().any(|variant| variant.untagged)
    }
}

/// A variant that serde reads or writes.
#[derive(Debug)]
pub(crate) struct Variant {
    pub span: Span,
    /// The name in Rust.
    pub ident: Ident,
    pub wire: String,
    pub aliases: Vec<String>,
    pub doc: Doc,
    pub constraints: Constraints,
    /// The attributes `#[crd(..)]`.
    pub attrs: Vec<Attribute>,
    pub body: Body,
    /// `#[serde(other)]`
    pub other: bool,
    /// `#[serde(untagged)]` on the variant.
    pub untagged: bool,
}

impl Variant {
    /// Whether a function gives the schema of its content.
    pub(crate) fn has_own_schema(&self) -> bool {
        self.constraints.schema_with.is_some()
    }

    /// Whether it has no content.
    pub(crate) fn is_unit(&self) -> bool {
        matches!(self.body, Body::Unit) && !self.has_own_schema()
    }

    /// Whether the declaration of its content for rules follows from the types of its fields.
    pub(crate) fn is_declared_by_fields(&self) -> bool {
        !self.has_own_schema() && !self.constraints.change_declaration()
    }

    /// The names by which serde reads it.
    pub(crate) fn names(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.wire).chain(&self.aliases)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attr::Derive;

    /// Calls a function with the model of a type. Its errors are not looked at.
    fn of<T>(text: &str, see: impl FnOnce(&Model) -> T) -> T {
        let input = syn::parse_str(text).expect(text);
        let mut errors = darling::Error::accumulator();
        let (model, is_read) = Model::read(&input, Derive::Schema, &mut errors);
        drop(errors.into_inner());
        assert!(is_read, "{text}");
        see(&model)
    }

    /// Returns the names of the facts that hold.
    fn names(facts: &[(bool, &str)]) -> String {
        facts
            .iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, name)| *name)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn enums_have_facts() {
        for (serde, variants, want) in [
            ("", "B, C", "units whole"),
            ("", "B", "units whole"),
            ("", "B(i32), C(i32)", ""),
            ("", "B(i32), C(u8)", ""),
            ("", "B { b: i32 }, C { c: i32 }", ""),
            ("", "B { b: i32 }, C(i32)", ""),
            ("", "B, #[serde(untagged)] C", "whole"),
            ("", "B(u8), #[serde(untagged)] C(i32)", "whole"),
            ("", "#[serde(skip_serializing)] B(i32), C(u8)", "whole"),
            ("#[serde(untagged)]", "B(i32), C(i32)", "whole"),
            ("#[serde(tag = \"t\")]", "B, C", ""),
        ] {
            let got = of(&format!("{serde} enum A {{ {variants} }}"), |model| match &model.body {
                Body::Enum(data) => {
                    names(&[(data.is_units(), "units"), (data.is_applied_whole(), "whole")])
                }
                _ => "no enum".to_owned(),
            });
            assert_eq!(got, want, "{serde} {variants}");
        }
    }

    #[test]
    fn variants_have_facts() {
        for (variant, want) in [
            ("B", "unit declared"),
            ("#[crd(schema_with = f)] B", ""),
            ("B { b: i32 }", "declared"),
            ("#[crd(int_or_string)] B { b: i32 }", ""),
            ("#[crd(schema_with = f)] B { b: i32 }", ""),
            ("B(#[serde(skip)] i32)", "unit declared"),
            ("B()", "declared"),
        ] {
            let got = of(&format!("enum A {{ {variant}, C {{ c: i32 }} }}"), |model| {
                let Body::Enum(data) = &model.body else { return "no enum".to_owned() };
                let variant = &data.variants[0];
                names(&[(variant.is_unit(), "unit"), (variant.is_declared_by_fields(), "declared")])
            });
            assert_eq!(got, want, "{variant}");
        }
    }

    #[test]
    fn fields_have_facts() {
        for (field, want) in [
            ("a: i32", "required"),
            ("a: Foreign", ""),
            (
                "#[serde(with = \"m\")] #[crd(schema_with = f)] a: i32",
                "replaced converted required",
            ),
            ("#[crd(schema_with = f)] a: Foreign", "replaced converted required"),
            ("#[crd(schema_as = B)] a: i32", "converted"),
            ("#[crd(schema_as = i32)] a: Option<B>", "converted option"),
            ("#[crd(schema_as = Option::<i32>)] a: Option<B>", "converted option"),
            ("#[crd(recursive)] a: Vec<A>", "replaced required"),
            ("#[serde(skip_deserializing)] a: i32", "unread"),
            ("#[serde(flatten)] a: Foreign", "unread"),
            (
                "#[serde(skip_serializing_if = \"Option::is_none\")] a: Option<Option<i32>>",
                "option some",
            ),
            ("#[serde(skip_serializing_if = \"Other::is_none\")] a: Option<Option<i32>>", "option"),
            ("#[serde(skip_serializing_if = \"Option::other\")] a: Option<Option<i32>>", "option"),
            (
                "#[serde(skip_serializing_if = \"Option::is_none\", skip_serializing)] a: Option<i32>",
                "option",
            ),
        ] {
            let got = of(&format!("struct A {{ {field} }}"), |model| {
                let Body::Object(object) = &model.body else { return "no object".to_owned() };
                let field = &object.fields[0];
                names(&[
                    (field.has_replaced_schema(), "replaced"),
                    (field.is_converted(), "converted"),
                    (field.presence() == Presence::Required, "required"),
                    (object.leaves_fields_unread(), "unread"),
                    (crate::types::option(&field.ty).is_some(), "option"),
                    (field.type_of_some().is_some(), "some"),
                ])
            });
            assert_eq!(got, want, "{field}");
        }
    }

    #[test]
    fn types_in_json_and_cuts_depend_on_the_type_around() {
        let field =
            |text: &str, see: fn(&Field) -> bool| of(text, |model| see(&model.body.fields()[0]));
        let is_any = |field: &Field| matches!(field.source, Source::Cut(Cut::Any));
        assert!(field("struct A<T> { #[crd(recursive)] a: Box<B>, b: T }", is_any));
        assert!(!field("struct A { #[crd(recursive)] a: Box<B> }", is_any));
        let is_twice = |field: &Field| {
            crate::types::option(&field.ty).and_then(crate::types::option).is_some()
        };
        assert!(!field("struct A { #[crd(schema_as = Option::<i32>)] a: Option<B> }", is_twice));
    }

    #[test]
    fn a_struct_with_a_flattened_map_alone_has_its_form() {
        let map = "BTreeMap<String, i32>";
        for (fields, is_map) in [
            (format!("#[serde(flatten)] a: {map}"), true),
            (format!("a: {map}"), false),
            (format!("#[serde(flatten)] a: {map}, b: i32"), false),
            (format!("#[serde(flatten)] a: Option<{map}>"), false),
            (format!("#[serde(flatten, with = \"m\")] a: {map}"), false),
            ("#[serde(flatten)] a: Foreign".to_owned(), false),
        ] {
            let got = of(&format!("struct A {{ {fields} }}"), |model| match &model.body {
                Body::Transparent(field) => !field.flatten,
                _ => false,
            });
            assert_eq!(got, is_map, "{fields}");
        }
    }
}
