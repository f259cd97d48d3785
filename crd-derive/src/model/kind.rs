//! A kind: its names, its root type, and the parts of its definition other than the schema.

use std::ops::Deref;

use crd_cel::attribute::APPROVAL;
use crd_cel::kubernetes::KubernetesVersion;
use darling::util::SpannedValue;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Member, Meta, Path};

use super::{Apply, Body, Field};
use crate::attr::{KindAttrs, Oldest, Pair, SchemaOf};
use crate::literal::{StringExpr, Text};
use crate::{names, types};

/// The oldest minor version that a kind supports without `kubernetes = ".."`: Kubernetes maintains
/// the three newest.
fn supported_since() -> Oldest {
    let [.., oldest, _, _] = KubernetesVersion::ALL;
    Oldest::Version(oldest)
}

/// A kind: its keys, and what follows from them.
#[derive(Debug)]
#[expect(clippy::struct_field_names, reason = "the API's name")]
pub(crate) struct Kind {
    pub attrs: KindAttrs,
    /// The name of the resource, derived from the singular name if none is given.
    pub plural: StringExpr,
    /// The singular name, derived from the kind if none is given.
    pub singular: String,
    /// The kind of lists, derived from the kind if none is given.
    pub list_kind: String,
    pub root: Root,
    /// The oldest minor version of Kubernetes that it supports.
    pub oldest: Oldest,
}

/// The other keys are those of the attributes.
impl Deref for Kind {
    type Target = KindAttrs;

    fn deref(&self) -> &KindAttrs {
        &self.attrs
    }
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
        let Text { value: kind, span } = &attrs.kind;
        let given = |text: &Option<Text>| text.as_ref().map(|text| text.value.clone());
        let singular = given(&attrs.singular).unwrap_or_else(|| kind.to_lowercase());
        // As kube's derive has it, of the singular name.
        let plural = || StringExpr::literal(&names::plural(&singular), *span);
        Self {
            plural: attrs.plural.clone().unwrap_or_else(plural),
            list_kind: given(&attrs.list_kind).unwrap_or_else(|| format!("{kind}List")),
            oldest: attrs.kubernetes.clone().unwrap_or_else(supported_since),
            singular,
            root,
            attrs,
        }
    }

    /// The type of `status`.
    pub(crate) fn status(&self) -> Option<&Path> {
        self.attrs.status.as_ref()?.ty.as_deref()
    }

    /// Whether the type of `status` has this name.
    pub(crate) fn is_status(&self, name: &Ident) -> bool {
        self.status().is_some_and(|status| status.is_ident(name))
    }

    /// The source of the schema of `status`, if it is not the type.
    pub(crate) fn status_schema(&self) -> Option<&SpannedValue<SchemaOf>> {
        self.attrs.status.as_ref()?.schema.as_ref()
    }

    /// The type whose schema the status has, unless a function gives it.
    pub(crate) fn type_of_status(&self) -> Option<TokenStream> {
        let status = self.status()?;
        match self.status_schema().map(|schema| &**schema) {
            None => Some(quote!(#status)),
            Some(SchemaOf::Type(ty)) => Some(quote!(#ty)),
            Some(SchemaOf::Function(_)) => None,
        }
    }

    /// Further attributes of a generated root.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = &Meta> {
        self.attrs.attr.iter().flat_map(|metas| &metas.0)
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
        self.annotation.iter().rev().find(|pair| pair.key.value == APPROVAL)
    }

    /// Whether the struct with the derive is the root.
    pub(crate) fn is_root(&self) -> bool {
        matches!(self.root, Root::Itself(_))
    }
}

/// Whether every generated root has this derive, or an impl instead of it.
pub(crate) fn is_always_derived(path: &Path) -> bool {
    Apply::always_derives(path) || names::ends_in(path, &["CrdSchema", "CustomResource"])
}
