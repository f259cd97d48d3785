//! The keys that change a schema.

use std::cell::Cell;

use darling::util::{Override, SpannedValue};
use darling::{FromMeta, Result};
use proc_macro2::Span;
use syn::{ExprPath, Meta};

use super::form::{self, on};
use super::rule::{self, Rule};
use crate::literal::{Bound, Count, Exprs, StringExpr, Strings, Text, Value};

/// Keys of a type, a field or a variant, and of `items(..)` and `values(..)`, joined from all attributes of an item. An
/// `Option<Span>` is a flag, `None` if it is off.
#[derive(Debug, Default, Clone, FromMeta)]
#[darling(map = Self::with_function)]
pub(crate) struct Constraints {
    /// A short name shown by documentation tools.
    pub title: Option<StringExpr>,
    /// Replaces the doc comment.
    pub description: Option<StringExpr>,
    /// A value shown as an example.
    pub example: Option<Value>,
    /// `external_docs(url = "..", description = "..")`
    #[darling(with = form::one_group)]
    pub external_docs: Option<SpannedValue<ExternalDocs>>,
    /// The value that the server sets if the field is absent; `default` without a value is serde's
    /// default.
    pub default: Option<DefaultValue>,
    /// Whether the server accepts `null`.
    #[darling(with = form::switch)]
    pub nullable: Option<SpannedValue<bool>>,
    /// The smallest allowed number.
    pub minimum: Option<Bound>,
    /// The largest allowed number.
    pub maximum: Option<Bound>,
    /// `minimum` itself is not allowed.
    #[darling(with = form::switch)]
    pub exclusive_minimum: Option<SpannedValue<bool>>,
    /// `maximum` itself is not allowed.
    #[darling(with = form::switch)]
    pub exclusive_maximum: Option<SpannedValue<bool>>,
    /// Numbers must be multiples of this.
    pub multiple_of: Option<Bound>,
    /// The least number of code points.
    pub min_length: Option<Count>,
    /// The greatest number of code points.
    pub max_length: Option<Count>,
    /// A regular expression in Go's RE2 syntax that must match a part of the string.
    pub pattern: Option<StringExpr>,
    /// An OpenAPI format.
    pub format: Option<Text>,
    /// The least number of items.
    pub min_items: Option<Count>,
    /// The greatest number of items.
    pub max_items: Option<Count>,
    /// Always an error, which advises `list_type = "set"`: the server rejects `uniqueItems`. Set even if the flag is off.
    #[darling(default, with = form::place)]
    pub unique_items: Option<Span>,
    /// The least number of properties.
    pub min_properties: Option<Count>,
    /// The greatest number of properties.
    pub max_properties: Option<Count>,
    /// The allowed values.
    pub enum_values: Option<SpannedValue<Exprs>>,
    /// The value is an integer or a string.
    #[darling(default, with = form::flag)]
    pub int_or_string: Option<Span>,
    /// The server keeps fields that the schema does not name.
    #[darling(default, with = form::flag)]
    pub preserve_unknown_fields: Option<Span>,
    /// The value is a Kubernetes object, with `apiVersion`, `kind` and `metadata`.
    #[darling(default, with = form::flag)]
    pub embedded_resource: Option<Span>,
    /// `atomic`, `set` or `map`.
    pub list_type: Option<Text>,
    /// The fields that identify an item of a `map` list.
    pub list_map_keys: Option<SpannedValue<Strings>>,
    /// `atomic` or `granular`.
    pub map_type: Option<Text>,
    /// A CEL rule.
    #[darling(multiple, rename = "rule")]
    pub rules: Vec<Rule>,
    /// The value cannot change once it is set.
    #[darling(default, with = form::flag)]
    pub immutable: Option<Span>,
    /// At most one of these fields is set.
    #[darling(multiple)]
    pub at_most_one_of: Vec<SpannedValue<Strings>>,
    /// Exactly one of these fields is set.
    #[darling(multiple)]
    pub exactly_one_of: Vec<SpannedValue<Strings>>,
    /// At least one of these fields is set.
    #[darling(multiple)]
    pub at_least_one_of: Vec<SpannedValue<Strings>>,
    /// A function that returns the schema, for foreign types; without a value, that of the module of
    /// `#[serde(with = "module")]`.
    #[darling(rename = "schema_with", with = form::function)]
    function: Option<SpannedValue<Override<ExprPath>>>,
    #[darling(skip)]
    pub schema_with: Option<ExprPath>,
    /// A `schema_with` without a function, unless it is that of the field's module.
    #[darling(skip)]
    pub schema_of_module: Option<Span>,
    /// Keeps what a check of the derive rejects by judgement, with the reason.
    #[darling(default, with = read_unchecked)]
    pub unchecked: Option<Unchecked>,
    /// JSON that is merged into the schema.
    pub patch: Option<Value>,
    /// Constraints of a list's elements.
    #[darling(with = form::boxed_group)]
    pub items: Option<Box<SpannedValue<Constraints>>>,
    /// Constraints of a map's values.
    #[darling(with = form::boxed_group)]
    pub values: Option<Box<SpannedValue<Constraints>>>,
}

/// `external_docs(..)`
#[derive(Debug, Clone, FromMeta)]
pub(crate) struct ExternalDocs {
    /// The address.
    pub url: Text,
    /// A description of the page.
    pub description: Option<Text>,
}

/// `unchecked`
#[derive(Debug, Clone)]
pub(crate) struct Unchecked {
    pub span: Span,
    /// Whether a check has found something that it keeps.
    is_used: Cell<bool>,
}

impl Unchecked {
    /// Whether it keeps nothing, so that it has no effect.
    pub(crate) fn is_unused(&self) -> bool {
        !self.is_used.get()
    }
}

/// Reads `unchecked("why")`, or the flag.
fn read_unchecked(item: &Meta) -> Result<Option<Unchecked>> {
    let flag = rule::read_unchecked(item)?;
    Ok(on(flag.as_ref()).map(|span| Unchecked { span, is_used: Cell::new(false) }))
}

/// `default`
#[derive(Debug, Clone)]
pub(crate) struct DefaultValue {
    pub span: Span,
    /// The given value. `None` means the value that serde gives an absent field.
    pub value: Option<Value>,
}

impl FromMeta for DefaultValue {
    fn from_meta(item: &Meta) -> Result<Self> {
        let read = SpannedValue::<Override<Value>>::from_meta(item)?;
        Ok(Self { span: read.span(), value: read.into_inner().explicit() })
    }
}

impl form::Group for Constraints {
    const FORM: &'static str = "(max_length = 63)";
}

impl form::Group for ExternalDocs {
    const FORM: &'static str = "(url = \"https://..\")";
}

impl Constraints {
    /// Takes `schema_with` apart.
    fn with_function(mut self) -> Self {
        match self.function.take().map(|function| (function.span(), function.into_inner())) {
            Some((_, Override::Explicit(path))) => self.schema_with = Some(path),
            Some((span, Override::Inherit)) => self.schema_of_module = Some(span),
            None => {}
        }
        self
    }

    /// Whether `unchecked` keeps what a check would reject.
    pub(crate) fn keeps_unchecked(&self) -> bool {
        self.unchecked.as_ref().inspect(|unchecked| unchecked.is_used.set(true)).is_some()
    }
}
