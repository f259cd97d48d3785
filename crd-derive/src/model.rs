//! The model of a type: its `#[crd(..)]` and `#[serde(..)]` attributes joined, with all names resolved.

use crd_cel::kubernetes::KubernetesVersion;
use darling::Error;
use darling::error::Accumulator;
use darling::util::{Override, SpannedValue};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::{
    DeriveInput, ExprPath, Generics, Ident, Member, Path, Type, Visibility, WherePredicate,
    parse_quote,
};

use crate::attr::{
    self, ApplyAttrs, Column, Constraints, FieldAttrs, KindAttrs, Text, TypeAttrs, VariantAttrs,
};
use crate::doc::Doc;
use crate::serde_view::{self, SerdeDefault, Tagging};
use crate::types::Known;
use crate::{names, types};

/// Which derive is expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Derive {
    /// `CrdSchema`
    Schema,
    /// `CustomResource`
    Kind,
}

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
    /// The path of `crd_runtime`.
    pub krate: Path,
    /// Whether `schemars::JsonSchema` is implemented.
    pub json_schema: bool,
    /// Lint attributes of generated items.
    pub lints: TokenStream,
    pub doc: Doc,
    pub constraints: Constraints,
    pub body: Body,
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

/// An object's fields.
#[derive(Debug)]
pub(crate) struct Object {
    pub fields: Vec<Field>,
    /// `#[serde(tag = "..")]` on a struct: the tag and the name.
    pub tag: Option<(String, String)>,
    pub deny_unknown_fields: bool,
}

/// An enum.
#[derive(Debug)]
pub(crate) struct Enum {
    pub tagging: Tagging,
    pub variants: Vec<Variant>,
    /// Whether serde skips a variant or an unnamed part of one, in one direction or both.
    pub hides: bool,
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
    /// The keys of `#[crd(..)]` with their spans, for a variant without content.
    pub keys: Vec<(String, Span)>,
    pub body: Body,
    /// `#[serde(other)]`
    pub other: bool,
    /// `#[serde(untagged)]` on the variant.
    pub untagged: bool,
}

/// A field that serde reads or writes.
#[derive(Debug)]
pub(crate) struct Field {
    /// The field as written, for spans.
    pub span: Span,
    /// The name or index in Rust.
    pub member: Member,
    pub vis: Visibility,
    /// The name in JSON.
    pub wire: String,
    pub ty: Type,
    pub doc: Doc,
    pub constraints: Constraints,
    pub columns: Vec<SpannedValue<Override<Column>>>,
    pub selectable: Option<Span>,
    /// `#[crd(recursive)]`
    pub recursive: Option<Span>,
    /// `#[crd(required)]`
    pub required: Option<Span>,
    /// `#[crd(optional)]`
    pub optional: Option<Span>,
    /// The keys of `#[crd(..)]` with their spans, for a flattened field.
    pub keys: Vec<(String, Span)>,
    pub default: SerdeDefault,
    /// `#[serde(skip_serializing_if)]`
    pub skip_if: Option<ExprPath>,
    /// Read but never written.
    pub skip_serializing: bool,
    /// Written but never read.
    pub skip_deserializing: bool,
    pub flatten: bool,
    /// `#[serde(bound = "..")]` on the field.
    pub serde_bound: Option<TokenStream>,
    /// `#[serde(with)]` or one of its halves.
    pub with: Option<With>,
}

impl Field {
    /// Whether the schema of a recursive type ends at this field: it has `recursive`, or it mentions the type and has
    /// `preserve_unknown_fields`.
    pub(crate) fn is_cut(&self, ident: &Ident) -> bool {
        let keeps = self.constraints.preserve_unknown_fields.as_deref() == Some(&true);
        self.recursive.is_some() || (keeps && types::mentions(&self.ty, ident))
    }
}

/// `#[serde(with)]` and its halves.
#[derive(Debug, Clone)]
pub(crate) struct With {
    /// `..::base64` of `..::base64::serialize`.
    pub module: Option<Path>,
    pub serialize: Option<ExprPath>,
    pub deserialize: Option<ExprPath>,
    /// The span of the key.
    pub span: Span,
}

impl With {
    /// The schema function of `crd_runtime::base64`, if that is the module: by that path, by the path of
    /// `#[crd(crate = ..)]`, or imported as `base64`.
    pub(crate) fn schema(&self, krate: &Path) -> Option<Path> {
        let module = self.module.as_ref()?;
        let names: Vec<String> = module.segments.iter().map(|s| s.ident.to_string()).collect();
        let krate: Vec<String> = krate.segments.iter().map(|s| s.ident.to_string()).collect();
        let (last, parent) = names.split_last()?;
        let is_ours = parent.is_empty()
            || parent.last().is_some_and(|name| name == "crd_runtime")
            || parent == krate;
        (last == "base64" && is_ours).then(|| parse_quote!(#module::schema))
    }
}

/// The oldest minor that a kind is for which does not say: Kubernetes maintains the three newest ones.
const SUPPORTED_SINCE: u32 = KubernetesVersion::NEWEST.minor() - 2;

/// A kind.
#[derive(Debug)]
#[expect(clippy::struct_field_names, reason = "the API's names")]
pub(crate) struct Kind {
    pub attrs: KindAttrs,
    pub plural: String,
    pub singular: String,
    pub list_kind: String,
    pub root: Root,
    /// The oldest minor of Kubernetes that it is for.
    pub oldest: u32,
}

/// Where the root type comes from.
#[derive(Debug)]
pub(crate) enum Root {
    /// The struct is the spec; the root is generated.
    Generated(Ident),
    /// The struct is the root, and this field is its metadata.
    Itself(Member),
}

impl Root {
    /// A struct is the root if its field `metadata` is an `ObjectMeta`, or if it also has a `TypeMeta`. A spec with a
    /// field `metadata: ObjectMeta` needs `root = Name`.
    fn of(attrs: &KindAttrs, body: &Body) -> Self {
        let fields = match body {
            Body::Object(object) => object.fields.as_slice(),
            _ => &[],
        };
        let metadata = fields.iter().find(|field| field.wire == "metadata");
        let has_types = fields.iter().any(|field| types::is_type_meta(&field.ty));
        let is_root = |field: &&Field| {
            has_types || (types::is_object_meta(&field.ty) && attrs.root.is_none())
        };
        if let Some(field) = metadata.filter(is_root) {
            return Self::Itself(field.member.clone());
        }
        Self::Generated(attrs.root.as_ref().map_or_else(
            || names::identifier(&attrs.kind.value, attrs.kind.span),
            |root| Ident::clone(root),
        ))
    }
}

impl Model {
    /// Reads a type, and reports what cannot be read.
    pub(crate) fn read(
        input: &DeriveInput,
        derive: Derive,
        errors: &mut Accumulator,
    ) -> Option<Self> {
        let item = input.ident.span();
        let (TypeAttrs { constraints, krate, apply, bound, json_schema }, kind) = match derive {
            Derive::Schema => (attr::read(&input.attrs, item, errors).unwrap_or_default(), None),
            Derive::Kind => match attr::read::<KindAttrs>(&input.attrs, item, errors) {
                Some(mut attrs) => {
                    let own = TypeAttrs {
                        constraints: std::mem::take(&mut attrs.constraints),
                        krate: attrs.krate.take(),
                        apply: attrs.apply.take(),
                        bound: None,
                        json_schema: attrs.json_schema.take(),
                    };
                    (own, Some(attrs))
                }
                None => (TypeAttrs::default(), None),
            },
        };
        let serde_view::Read { mut body, bound: serde_bound } = serde_view::read(input, errors)?;
        let kind = kind.map(|attrs| Kind::of(attrs, &body));
        if let Some(Kind { root: Root::Itself(_), .. }) = &kind
            && let Body::Object(object) = &mut body
        {
            let metadata = object.fields.iter().find(|field| field.wire == "metadata");
            if let Some(field) = metadata.filter(|field| types::known(&field.ty) != Known::Unknown)
            {
                let message = "`metadata` of a root type must be an `ObjectMeta`; if this struct is a spec, remove \
                               its `TypeMeta` or add `root = Name`";
                report(errors, field.ty.span(), message);
            }
            // The server rejects a schema for a root's metadata.
            object.fields.retain(|field| field.wire != "metadata");
        }
        Some(Self {
            ident: input.ident.clone(),
            vis: input.vis.clone(),
            generics: input.generics.clone(),
            bound: bound.map(|bound| bound.0),
            serde_bound,
            krate: krate.unwrap_or_else(|| parse_quote!(::crd_runtime)),
            json_schema: json_schema.is_none_or(|flag| *flag),
            lints: lints(input),
            doc: Doc::of(&input.attrs),
            constraints,
            body,
            apply: Apply::of(apply),
            kind,
        })
    }
}

/// Lints to allow in generated code, which uses deprecated fields and full paths, and those that the type itself
/// allows.
fn lints(input: &DeriveInput) -> TokenStream {
    let allowed = input.attrs.iter().filter(|attr| attr.path().is_ident("allow"));
    let deprecated = is_deprecated(input).then(|| quote!(#[allow(deprecated)]));
    quote! {
        #[allow(unused_qualifications, clippy::absolute_paths)]
        #deprecated
        #(#allowed)*
    }
}

/// Whether a type, field or variant is deprecated. Only then is the lint allowed, because `allow` is an error in a
/// crate that forbids it.
fn is_deprecated(input: &DeriveInput) -> bool {
    let is = |attrs: &[syn::Attribute]| attrs.iter().any(|attr| attr.path().is_ident("deprecated"));
    let of_fields = |fields: &syn::Fields| fields.iter().any(|field| is(&field.attrs));
    is(&input.attrs)
        || match &input.data {
            syn::Data::Struct(data) => of_fields(&data.fields),
            syn::Data::Enum(data) => {
                data.variants.iter().any(|variant| is(&variant.attrs) || of_fields(&variant.fields))
            }
            syn::Data::Union(_) => false,
        }
}

impl Kind {
    fn of(attrs: KindAttrs, body: &Body) -> Self {
        let kind = &attrs.kind.value;
        let given = |text: &Option<Text>| text.as_ref().map(|text| text.value.clone());
        let root = Root::of(&attrs, body);
        Self {
            plural: given(&attrs.plural).unwrap_or_else(|| names::plural(kind)),
            singular: given(&attrs.singular).unwrap_or_else(|| kind.to_lowercase()),
            list_kind: given(&attrs.list_kind).unwrap_or_else(|| format!("{kind}List")),
            root,
            oldest: attrs.kubernetes.map_or(SUPPORTED_SINCE, |oldest| oldest.0.minor()),
            attrs,
        }
    }
}

/// A field's own attributes.
pub(crate) fn field_attrs(field: &syn::Field, errors: &mut Accumulator) -> FieldAttrs {
    attr::read(&field.attrs, field.span(), errors).unwrap_or_default()
}

/// A variant's own attributes.
pub(crate) fn variant_attrs(variant: &syn::Variant, errors: &mut Accumulator) -> VariantAttrs {
    attr::read(&variant.attrs, variant.ident.span(), errors).unwrap_or_default()
}

/// Adds an error at a span.
pub(crate) fn report(errors: &mut Accumulator, span: Span, message: impl std::fmt::Display) {
    errors.push(Error::custom(message).with_span(&span));
}

/// The span of anything.
pub(crate) fn span_of(tokens: &impl Spanned) -> Span {
    tokens.span()
}

impl Enum {
    /// Whether all variants are strings.
    pub(crate) fn is_units(&self) -> bool {
        matches!(self.tagging, Tagging::External)
            && self.variants.iter().all(|v| matches!(v.body, Body::Unit) && !v.untagged)
    }
}
