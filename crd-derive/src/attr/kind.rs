//! Keys of a kind: `#[derive(CustomResource)]`.

use crd_cel::kubernetes::KubernetesVersion;
use darling::util::{Flag, Override, PathList, SpannedValue};
use darling::{FromAttributes, FromMeta, Result};
use syn::parse::Parser;
use syn::{Expr, ExprLit, Lit, Meta, Token};

use super::{Column, CommonAttrs, Rule, column, form};
use crate::literal::{StringExpr, Strings, Text, plain, wrong_form};

/// Keys of a kind. Those of any type are in `common`.
#[derive(Debug, Clone, FromAttributes)]
#[darling(attributes(crd))]
pub(crate) struct KindAttrs {
    /// The API group, a domain.
    pub group: StringExpr,
    /// The version, such as `v1`.
    pub version: StringExpr,
    /// The kind, in `CamelCase`.
    pub kind: Text,
    /// The resource; the plural of the singular name if not given.
    pub plural: Option<StringExpr>,
    /// The singular name; the kind in lower case if not given.
    pub singular: Option<Text>,
    /// The kind of lists; the kind followed by `List` if not given.
    pub list_kind: Option<Text>,
    /// Short names for kubectl.
    #[darling(multiple)]
    pub short_name: Vec<Text>,
    /// Groups of resources, such as `all`.
    #[darling(multiple)]
    pub category: Vec<Text>,
    /// Objects are namespaced.
    #[darling(with = scope)]
    pub namespaced: Flag,
    /// Objects are cluster-scoped.
    #[darling(with = scope)]
    pub cluster: Flag,
    /// The name of the generated root type; the kind if not given.
    pub root: Option<SpannedValue<syn::Ident>>,
    /// The status subresource, and the type of `status` if it has one.
    pub status: Option<super::status::Status>,
    /// Whether the version is served. Default: yes.
    #[darling(with = form::switch)]
    pub served: Option<SpannedValue<bool>>,
    /// Whether the version is stored. Default: yes.
    #[darling(with = form::switch)]
    pub storage: Option<SpannedValue<bool>>,
    /// The version is deprecated, with this warning or the server's default.
    pub deprecated: Option<SpannedValue<Override<Text>>>,
    /// The scale subresource.
    #[darling(with = form::one_group)]
    pub scale: Option<SpannedValue<Scale>>,
    /// Columns of `kubectl get`.
    #[darling(multiple, with = form::group)]
    pub print_column: Vec<SpannedValue<Column>>,
    /// Paths for field selectors.
    #[darling(multiple, with = column::json_path)]
    pub selectable: Vec<Text>,
    /// `annotation("key", "value")` on the CRD.
    #[darling(multiple)]
    pub annotation: Vec<Pair>,
    /// `label("key", "value")` on the CRD.
    #[darling(multiple)]
    pub label: Vec<Pair>,
    /// `conversion(webhook(..))`
    #[darling(with = form::one_group)]
    pub conversion: Option<SpannedValue<Conversion>>,
    /// The description of the whole object, if the derive is on the spec.
    pub root_description: Option<StringExpr>,
    /// A CEL rule on the whole object, if the derive is on the spec.
    #[darling(multiple)]
    pub root_rule: Vec<Rule>,
    /// The oldest Kubernetes that the kind must install on; the third newest minor if not given.
    pub kubernetes: Option<Oldest>,
    /// Further derives of the generated root type.
    pub derive: Option<SpannedValue<PathList>>,
    /// Further attributes of the generated root type.
    #[darling(multiple)]
    pub attr: Vec<Metas>,
    /// Whether the root has a function `fields`. Default: yes.
    #[darling(with = form::switch)]
    pub fields: Option<SpannedValue<bool>>,
    /// Whether the kind has a definition and a schema. Default: yes.
    pub schema: Option<Disabled>,
    /// Whether a test checks the definition. Default: yes.
    #[darling(with = form::switch)]
    pub test: Option<SpannedValue<bool>>,
    #[darling(flatten)]
    pub common: CommonAttrs,
}

/// `kubernetes = "1.33"`, or a constant with such a text.
#[derive(Debug, Clone)]
pub(crate) enum Oldest {
    /// A literal.
    Version(KubernetesVersion),
    /// A constant.
    Constant(syn::ExprPath),
}

impl FromMeta for Oldest {
    fn from_meta(item: &Meta) -> Result<Self> {
        if let Meta::NameValue(pair) = item
            && let Expr::Lit(ExprLit { lit: lit @ Lit::Float(number), .. }) = plain(&pair.value)
        {
            let message = format!("write it as a text: `kubernetes = \"{number}\"`");
            return Err(darling::Error::custom(message).with_span(lit));
        }
        if let Meta::NameValue(pair) = item
            && let Expr::Path(constant) = plain(&pair.value)
        {
            return Ok(Self::Constant(constant.clone()));
        }
        let Text { value, span } = Text::from_meta(item)?;
        let version =
            value.parse().map_err(|error| darling::Error::custom(error).with_span(&span))?;
        Ok(Self::Version(version))
    }
}

/// `schema = "disabled"`
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disabled(pub proc_macro2::Span);

impl FromMeta for Disabled {
    fn from_meta(item: &Meta) -> Result<Self> {
        let Text { value, span } = Text::from_meta(item)?;
        if value == "disabled" {
            return Ok(Self(span));
        }
        let message = "`schema` can only be `\"disabled\"`; for another schema, write `schema_with = path::to::function` on \
                       a field, or `root_rule(\"..\")` for a rule of the whole object";
        Err(darling::Error::custom(message).with_span(&span))
    }
}

/// Reads `namespaced` or `cluster`, which take no value.
fn scope(item: &Meta) -> Result<Flag> {
    Flag::from_meta(item).map_err(|_| {
        let message = "`namespaced` and `cluster` take no value";
        darling::Error::custom(message).with_span(item)
    })
}

/// `scale(spec = "..", status = "..", selector = "..")`
#[derive(Debug, Clone, FromMeta)]
pub(crate) struct Scale {
    /// The path of the desired replicas, below `.spec`.
    pub spec: Text,
    /// The path of the observed replicas, below `.status`.
    pub status: Text,
    /// The path of the label selector, below `.spec` or `.status`.
    pub selector: Option<Text>,
    /// Whether the paths may lead to no value, which rustc would reject.
    #[darling(default, with = super::rule::is_unchecked)]
    pub unchecked: bool,
}

/// `conversion(webhook(..))`
#[derive(Debug, Clone, FromMeta)]
pub(crate) struct Conversion {
    /// The webhook that converts objects.
    #[darling(with = form::group)]
    pub webhook: SpannedValue<Webhook>,
}

/// `webhook(service(..) | url = "..", ca_bundle = "..", review_versions("v1"))`
#[derive(Debug, Clone, FromMeta)]
pub(crate) struct Webhook {
    /// A service in the cluster.
    #[darling(with = form::one_group)]
    pub service: Option<SpannedValue<Service>>,
    /// A URL.
    pub url: Option<Text>,
    /// The CA certificates that the server trusts, as PEM in base64.
    pub ca_bundle: Option<Text>,
    /// Versions of `ConversionReview`; `v1` if not given.
    pub review_versions: Option<SpannedValue<Strings>>,
}

/// `service(namespace = "..", name = "..", path = "..", port = 443)`
#[derive(Debug, Clone, FromMeta)]
pub(crate) struct Service {
    /// The service's namespace.
    pub namespace: Text,
    /// The service's name.
    pub name: Text,
    /// The URL's path.
    pub path: Option<Text>,
    /// The service's port; 443 if not given.
    pub port: Option<SpannedValue<i32>>,
}

macro_rules! groups {
    ($($name:ident: $form:literal;)*) => {$(
        impl form::Group for $name {
            const FORM: &'static str = $form;
        }
    )*};
}

groups! {
    Scale: "(spec = \".spec.replicas\", status = \".status.replicas\")";
    Column: "(name = \"..\", type = \"..\", path = \"..\")";
    Conversion: "(webhook(..))";
    Webhook: "(service(..))";
    Service: "(namespace = \"..\", name = \"..\")";
}

/// `annotation("key", "value")` or `label("key", "value")`
#[derive(Debug, Clone)]
pub(crate) struct Pair {
    /// The key.
    pub key: Text,
    /// The value.
    pub value: Text,
}

impl FromMeta for Pair {
    fn from_meta(item: &Meta) -> Result<Self> {
        let Meta::List(list) = item else {
            return Err(wrong_form(item, "(\"key\", \"value\")"));
        };
        let parser = |input: syn::parse::ParseStream<'_>| {
            let key: Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let value: Expr = input.parse()?;
            input.parse::<Option<Token![,]>>()?;
            Ok((key, value))
        };
        let (key, value) = parser
            .parse2(list.tokens.clone())
            .map_err(|_| wrong_form(item, "(\"key\", \"value\")"))?;
        Ok(Self { key: Text::parse(&key)?, value: Text::parse(&value)? })
    }
}

/// `attr(allow(dead_code), ..)`
#[derive(Debug, Clone)]
pub(crate) struct Metas(pub Vec<Meta>);

impl FromMeta for Metas {
    fn from_meta(item: &Meta) -> Result<Self> {
        let Meta::List(list) = item else {
            return Err(wrong_form(item, "(non_exhaustive)"));
        };
        let parser = syn::punctuated::Punctuated::<Meta, Token![,]>::parse_terminated;
        Ok(Self(list.parse_args_with(parser)?.into_iter().collect()))
    }
}
