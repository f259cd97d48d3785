//! A kind: its names, its root type, and the parts of its definition other than the schema.

use crd_cel::attribute::APPROVAL;
use crd_cel::kubernetes::KubernetesVersion;
use darling::util::{Flag, Override, SpannedValue};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Member, Meta, Path};

use super::{Body, Field};
use crate::attr::{Column, KindAttrs, Oldest, Pair, Rule, Scale, SchemaOf, Status, Webhook, on};
use crate::literal::{StringExpr, Text};
use crate::{names, types};

/// The oldest minor version that a kind supports without `kubernetes = ".."`: Kubernetes maintains
/// the three newest.
fn supported_since() -> Oldest {
    let [.., oldest, _, _] = KubernetesVersion::ALL;
    Oldest::Version(oldest)
}

/// A kind.
#[derive(Debug)]
#[expect(clippy::struct_field_names, reason = "the API's names")]
#[expect(clippy::struct_excessive_bools, reason = "each is a key")]
pub(crate) struct Kind {
    pub group: StringExpr,
    pub version: StringExpr,
    pub kind: Text,
    pub plural: StringExpr,
    /// Whether `plural` is given, and not derived from the singular name.
    pub has_plural: bool,
    pub singular: Name,
    pub list_kind: Name,
    pub short_names: Vec<Text>,
    pub categories: Vec<Text>,
    /// `namespaced` and `cluster`, of which a kind needs exactly one.
    pub namespaced: Flag,
    pub cluster: Flag,
    pub root: Root,
    /// The span of the name in `root = ..`.
    pub named_root: Option<Span>,
    /// Whether the status subresource is on.
    pub has_status: bool,
    /// The type of `status`.
    pub status: Option<SpannedValue<Path>>,
    /// The source of the schema of `status`, if it is not the type.
    pub status_schema: Option<SpannedValue<SchemaOf>>,
    /// Whether the version is served, if given.
    pub served: Option<bool>,
    /// Whether the version is stored, if given.
    pub storage: Option<bool>,
    /// Whether the version is deprecated, with a warning in place of the server's.
    pub deprecated: Option<Override<Text>>,
    pub scale: Option<Scale>,
    /// The columns of the kind; those of fields are at the fields.
    pub columns: Vec<SpannedValue<Column>>,
    /// The selectable paths of the kind; those of fields are at the fields.
    pub selectable: Vec<Text>,
    pub annotations: Vec<Pair>,
    pub labels: Vec<Pair>,
    pub conversion: Option<SpannedValue<Webhook>>,
    /// The description of a generated root.
    pub root_description: Option<StringExpr>,
    /// Rules of a generated root.
    pub root_rules: Vec<Rule>,
    /// The oldest minor version of Kubernetes that it supports.
    pub oldest: Oldest,
    /// Further derives of a generated root.
    pub derives: Option<SpannedValue<Vec<Path>>>,
    /// Further attributes of a generated root.
    pub attributes: Vec<Meta>,
    /// Whether the root has a function `fields`.
    pub has_fields: bool,
    /// Whether a test checks the definition.
    pub has_test: bool,
    /// Whether it has a definition and a schema.
    pub has_schema: bool,
}

impl Oldest {
    /// An expression for the number after `1.`.
    pub(crate) fn minor(&self, krate: &impl ToTokens) -> TokenStream {
        match self {
            Self::Version(version) => {
                let minor = version.minor();
                quote!(#minor)
            }
            Self::Constant(text) => {
                quote_spanned!(text.span()=> #krate::__private::check::constant_minor(#text))
            }
        }
    }
}

/// A name of a kind.
#[derive(Debug)]
pub(crate) struct Name {
    /// The name, derived from the kind if none is given.
    pub value: String,
    /// The name in the attribute.
    pub given: Option<Text>,
}

impl Name {
    fn of(given: Option<Text>, derive: impl FnOnce() -> String) -> Self {
        let value = given.as_ref().map_or_else(derive, |text| text.value.clone());
        Self { value, given }
    }
}

/// The root type: generated or written by hand.
#[derive(Debug)]
pub(crate) enum Root {
    /// The struct is the spec; the root is generated.
    Generated(Ident),
    /// The struct is the root, and this field is its metadata.
    Itself(Member),
}

impl Root {
    /// A struct with a field `metadata` is the root if that field is an `ObjectMeta` or another
    /// field is a `TypeMeta`. A spec with a field `metadata: ObjectMeta` needs `root = Name`.
    fn of(attrs: &KindAttrs, body: &Body) -> Self {
        let fields = body.fields();
        let metadata = fields.iter().find(|field| field.wire == "metadata");
        let has_types = fields.iter().any(|field| types::is_type_meta(&field.ty));
        let is_root = |field: &&Field| {
            has_types || (types::is_object_meta(&field.ty) && attrs.root.is_none())
        };
        match metadata.filter(is_root) {
            Some(field) => Self::Itself(field.member.clone()),
            None => Self::generated(attrs),
        }
    }

    /// The generated root, with the name of `root = ..` or else that of the kind.
    pub(crate) fn generated(attrs: &KindAttrs) -> Self {
        Self::Generated(attrs.root.as_ref().map_or_else(
            || names::identifier(&attrs.kind.value, attrs.kind.span),
            |root| Ident::clone(root),
        ))
    }
}

impl Kind {
    /// The kind of a struct.
    pub(super) fn of(attrs: KindAttrs, body: &Body) -> Self {
        let root = Root::of(&attrs, body);
        Self::with_root(attrs, root)
    }

    /// The kind with the given root.
    pub(crate) fn with_root(attrs: KindAttrs, root: Root) -> Self {
        let kind = attrs.kind.value.clone();
        let status = attrs.status;
        let singular = Name::of(attrs.singular, || kind.to_lowercase());
        Self {
            // As kube's derive has it, of the singular name.
            has_plural: attrs.plural.is_some(),
            plural: attrs.plural.unwrap_or_else(|| {
                StringExpr::literal(&names::plural(&singular.value), attrs.kind.span)
            }),
            singular,
            list_kind: Name::of(attrs.list_kind, || format!("{kind}List")),
            group: attrs.group,
            version: attrs.version,
            kind: attrs.kind,
            short_names: attrs.short_name,
            categories: attrs.category,
            namespaced: attrs.namespaced,
            cluster: attrs.cluster,
            root,
            named_root: attrs.root.as_ref().map(SpannedValue::span),
            has_status: status.is_some(),
            status: status.as_ref().and_then(|status| status.ty.clone()),
            status_schema: status.and_then(status_schema),
            served: attrs.served.map(SpannedValue::into_inner),
            storage: attrs.storage.map(SpannedValue::into_inner),
            deprecated: attrs.deprecated.map(SpannedValue::into_inner),
            scale: attrs.scale.map(SpannedValue::into_inner),
            columns: attrs.print_column,
            selectable: attrs.selectable.into_iter().map(|path| path.0).collect(),
            annotations: attrs.annotation,
            labels: attrs.label,
            conversion: attrs.conversion.map(|conversion| conversion.into_inner().webhook),
            root_description: attrs.root_description,
            root_rules: attrs.root_rule,
            oldest: attrs.kubernetes.unwrap_or_else(supported_since),
            derives: attrs.derive.map(|list| {
                let span = list.span();
                SpannedValue::new(list.iter().cloned().collect(), span)
            }),
            attributes: attrs.attr.into_iter().flat_map(|metas| metas.0).collect(),
            has_fields: attrs.fields.is_none() || on(attrs.fields.as_ref()).is_some(),
            has_schema: attrs.schema.is_none(),
            has_test: attrs.test.is_none() || on(attrs.test.as_ref()).is_some(),
        }
    }

    /// The type of whole objects. `itself` is the struct with the derive.
    pub(crate) fn root_type<'a>(&'a self, itself: &'a Ident) -> &'a Ident {
        match &self.root {
            Root::Generated(root) => root,
            Root::Itself(_) => itself,
        }
    }

    /// The annotation with the approval that some groups need.
    pub(crate) fn approval(&self) -> Option<&Pair> {
        self.annotations.iter().rev().find(|pair| pair.key.value == APPROVAL)
    }

    /// Whether the struct with the derive is the root.
    pub(crate) fn is_root(&self) -> bool {
        matches!(self.root, Root::Itself(_))
    }
}

/// The source of the schema of a status, in which `_` is its type.
fn status_schema(status: Status) -> Option<SpannedValue<SchemaOf>> {
    let (ty, schema) = (status.ty?, status.schema?);
    let span = schema.span();
    let schema = match schema.into_inner() {
        SchemaOf::Function(path) => SchemaOf::Function(types::inferred(&path, &*ty)),
        of_type @ SchemaOf::Type(_) => of_type,
    };
    Some(SpannedValue::new(schema, span))
}

/// Whether every generated root has this derive, or an impl instead of it.
pub(crate) fn is_always_derived(path: &Path) -> bool {
    const DERIVED: [&str; 5] = ["Clone", "CrdSchema", "Debug", "Deserialize", "Serialize"];
    path.segments.last().is_some_and(|last| DERIVED.iter().any(|name| last.ident == name))
}
