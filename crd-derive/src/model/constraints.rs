//! The constraints of a type, field, variant or element.

use std::cell::Cell;

use darling::util::{Override, SpannedValue};
use proc_macro2::Span;
use syn::ExprPath;

use crate::attr;
use crate::literal::{Bound, Count, Exprs, StringExpr, Strings, Text, Value};

/// The keys that change a schema, joined from all attributes of an item. An `Option<Span>` is a
/// flag, `None` if it is off.
#[derive(Debug, Default)]
pub(crate) struct Constraints {
    pub title: Option<StringExpr>,
    pub description: Option<StringExpr>,
    pub example: Option<Value>,
    pub external_docs: Option<ExternalDocs>,
    pub default: Option<DefaultValue>,
    pub nullable: Option<SpannedValue<bool>>,
    pub minimum: Option<Bound>,
    pub maximum: Option<Bound>,
    pub exclusive_minimum: Option<SpannedValue<bool>>,
    pub exclusive_maximum: Option<SpannedValue<bool>>,
    pub multiple_of: Option<Bound>,
    pub min_length: Option<Count>,
    pub max_length: Option<Count>,
    pub pattern: Option<StringExpr>,
    pub format: Option<Text>,
    pub min_items: Option<Count>,
    pub max_items: Option<Count>,
    /// Set even if the flag is off, and always reported: the server rejects `uniqueItems: true`.
    pub unique_items: Option<Span>,
    pub min_properties: Option<Count>,
    pub max_properties: Option<Count>,
    pub enum_values: Option<SpannedValue<Exprs>>,
    pub int_or_string: Option<Span>,
    pub preserve_unknown_fields: Option<Span>,
    pub embedded_resource: Option<Span>,
    pub list_type: Option<Text>,
    pub list_map_keys: Option<SpannedValue<Strings>>,
    pub map_type: Option<Text>,
    pub rules: Vec<Rule>,
    pub immutable: Option<Span>,
    pub at_most_one_of: Vec<SpannedValue<Strings>>,
    pub exactly_one_of: Vec<SpannedValue<Strings>>,
    pub at_least_one_of: Vec<SpannedValue<Strings>>,
    pub schema_with: Option<ExprPath>,
    /// A `schema_with` without a function, unless it is that of the field's module.
    pub schema_of_module: Option<Span>,
    pub unchecked: Option<Unchecked>,
    pub patch: Option<Value>,
    pub items: Option<Box<SpannedValue<Constraints>>>,
    pub values: Option<Box<SpannedValue<Constraints>>>,
}

/// `unchecked`
#[derive(Debug)]
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

/// `external_docs(..)`
#[derive(Debug)]
pub(crate) struct ExternalDocs {
    pub url: Text,
    pub description: Option<Text>,
}

/// `default`
#[derive(Debug)]
pub(crate) struct DefaultValue {
    pub span: Span,
    /// The given value. `None` means the value that serde gives an absent field.
    pub value: Option<Value>,
}

/// A CEL rule.
#[derive(Debug)]
pub(crate) struct Rule {
    pub expression: StringExpr,
    pub message: Option<StringExpr>,
    pub message_expression: Option<StringExpr>,
    pub reason: Option<Text>,
    pub field_path: Option<Text>,
    pub optional_old_self: Option<SpannedValue<bool>>,
    /// Whether lints are off.
    pub unchecked: bool,
}

impl Rule {
    /// A rule without options.
    pub(crate) fn plain(expression: StringExpr) -> Self {
        Self {
            expression,
            message: None,
            message_expression: None,
            reason: None,
            field_path: None,
            optional_old_self: None,
            unchecked: false,
        }
    }

    /// Whether `oldSelf` is an optional.
    pub(crate) fn has_optional_old_self(&self) -> bool {
        self.optional_old_self.as_deref() == Some(&true)
    }
}

/// The span of a flag that is on.
pub(super) fn on(flag: Option<&SpannedValue<bool>>) -> Option<Span> {
    flag.filter(|flag| ***flag).map(SpannedValue::span)
}

impl Constraints {
    /// The given default.
    pub(crate) fn default_value(&self) -> Option<&Value> {
        self.default.as_ref()?.value.as_ref()
    }

    /// The span of a `default` without a value.
    pub(crate) fn inherited_default(&self) -> Option<Span> {
        let default = self.default.as_ref()?;
        default.value.is_none().then_some(default.span)
    }

    /// Whether `null` is allowed by `nullable`.
    pub(crate) fn is_nullable(&self) -> bool {
        self.nullable.as_deref() == Some(&true)
    }

    /// Whether `minimum` itself is not allowed.
    pub(crate) fn excludes_minimum(&self) -> bool {
        self.exclusive_minimum.as_deref() == Some(&true)
    }

    /// Whether `maximum` itself is not allowed.
    pub(crate) fn excludes_maximum(&self) -> bool {
        self.exclusive_maximum.as_deref() == Some(&true)
    }

    /// Whether the server keeps fields that the schema does not name.
    pub(crate) fn keeps_unknown_fields(&self) -> bool {
        self.preserve_unknown_fields.is_some() || self.embedded_resource.is_some()
    }

    /// Whether `map_type` is `atomic`.
    pub(crate) fn is_atomic_map(&self) -> bool {
        self.map_type.as_ref().is_some_and(|map_type| map_type.value == "atomic")
    }

    /// Whether `unchecked` keeps what a check would reject.
    pub(crate) fn keeps_unchecked(&self) -> bool {
        self.unchecked.as_ref().inspect(|unchecked| unchecked.is_used.set(true)).is_some()
    }

    /// Whether a bound is a constant of Rust.
    pub(crate) fn has_constant_bound(&self) -> bool {
        let bounds = [&self.minimum, &self.maximum, &self.multiple_of];
        let counts = [
            &self.min_length,
            &self.max_length,
            &self.min_items,
            &self.max_items,
            &self.min_properties,
            &self.max_properties,
        ];
        bounds.into_iter().flatten().any(|bound| bound.literal().is_none())
            || counts.into_iter().flatten().any(|count| count.literal().is_none())
            || self.nested().any(Self::has_constant_bound)
    }

    /// `items(..)` and `values(..)`.
    pub(crate) fn nested(&self) -> impl Iterator<Item = &Self> + Clone {
        [&self.items, &self.values].into_iter().flatten().map(|nested| &***nested)
    }

    /// Whether the constraints change the declaration of the value, its CEL type or its sizes, at
    /// any depth.
    pub(crate) fn change_declaration(&self) -> bool {
        self.int_or_string.is_some()
            || self.embedded_resource.is_some()
            || self.format.is_some()
            || self.enum_values.is_some()
            || self.nested().any(Self::change_declaration)
    }

    /// Whether the constraints change the shape, which the checks of other types use, at any depth.
    pub(crate) fn change_shape(&self) -> bool {
        self.int_or_string.is_some()
            || self.keeps_unknown_fields()
            || self.nullable.is_some()
            || self.list_type.is_some()
            || self.map_type.is_some()
            || self.nested().any(Self::change_shape)
    }

    /// Whether none of the keys is given, except for `schema_with`, `unchecked`, `unique_items` and a `default`
    /// without a value. Destructures without `..`, so that a new key must be added here.
    pub(crate) fn is_empty(&self) -> bool {
        let Self {
            title,
            description,
            example,
            external_docs,
            default: _,
            nullable,
            minimum,
            maximum,
            exclusive_minimum,
            exclusive_maximum,
            multiple_of,
            min_length,
            max_length,
            pattern,
            format,
            min_items,
            max_items,
            unique_items: _,
            min_properties,
            max_properties,
            enum_values,
            int_or_string,
            preserve_unknown_fields,
            embedded_resource,
            list_type,
            list_map_keys,
            map_type,
            rules,
            immutable,
            at_most_one_of,
            exactly_one_of,
            at_least_one_of,
            schema_with: _,
            schema_of_module: _,
            unchecked: _,
            patch,
            items,
            values,
        } = self;
        let string = [title, description, pattern];
        let bounds = [minimum, maximum, multiple_of];
        let counts = [min_length, max_length, min_items, max_items, min_properties, max_properties];
        let switches = [nullable, exclusive_minimum, exclusive_maximum];
        let flags = [int_or_string, preserve_unknown_fields, embedded_resource, immutable];
        let texts = [format, list_type, map_type];
        let groups = [at_most_one_of, exactly_one_of, at_least_one_of];
        string.iter().all(|key| key.is_none())
            && bounds.iter().all(|key| key.is_none())
            && counts.iter().all(|key| key.is_none())
            && switches.iter().all(|key| key.is_none())
            && flags.iter().all(|key| key.is_none())
            && texts.iter().all(|key| key.is_none())
            && groups.iter().all(|key| key.is_empty())
            && example.is_none()
            && patch.is_none()
            && external_docs.is_none()
            && self.default_value().is_none()
            && enum_values.is_none()
            && list_map_keys.is_none()
            && rules.is_empty()
            && items.is_none()
            && values.is_none()
    }
}

impl From<attr::Constraints> for Constraints {
    fn from(attrs: attr::Constraints) -> Self {
        let nested = |nested: Option<Box<SpannedValue<attr::Constraints>>>| {
            nested.map(|nested| {
                let span = nested.span();
                Box::new(SpannedValue::new(nested.into_inner().into(), span))
            })
        };
        let (schema_with, schema_of_module) = match attrs.schema_with {
            Some(function) => match (function.span(), function.into_inner()) {
                (_, Override::Explicit(path)) => (Some(path), None),
                (span, Override::Inherit) => (None, Some(span)),
            },
            None => (None, None),
        };
        Self {
            title: attrs.title,
            description: attrs.description,
            example: attrs.example,
            external_docs: attrs.external_docs.map(|docs| {
                let attr::ExternalDocs { url, description } = docs.into_inner();
                ExternalDocs { url, description }
            }),
            default: attrs.default.map(|default| {
                let span = default.span();
                let value = match default.into_inner() {
                    Override::Explicit(value) => Some(value),
                    Override::Inherit => None,
                };
                DefaultValue { span, value }
            }),
            nullable: attrs.nullable,
            minimum: attrs.minimum,
            maximum: attrs.maximum,
            exclusive_minimum: attrs.exclusive_minimum,
            exclusive_maximum: attrs.exclusive_maximum,
            multiple_of: attrs.multiple_of,
            min_length: attrs.min_length,
            max_length: attrs.max_length,
            pattern: attrs.pattern,
            format: attrs.format,
            min_items: attrs.min_items,
            max_items: attrs.max_items,
            unique_items: attrs.unique_items.as_ref().map(SpannedValue::span),
            min_properties: attrs.min_properties,
            max_properties: attrs.max_properties,
            enum_values: attrs.enum_values,
            int_or_string: on(attrs.int_or_string.as_ref()),
            preserve_unknown_fields: on(attrs.preserve_unknown_fields.as_ref()),
            embedded_resource: on(attrs.embedded_resource.as_ref()),
            list_type: attrs.list_type,
            list_map_keys: attrs.list_map_keys,
            map_type: attrs.map_type,
            rules: attrs.rule.into_iter().map(Rule::from).collect(),
            immutable: on(attrs.immutable.as_ref()),
            at_most_one_of: attrs.at_most_one_of,
            exactly_one_of: attrs.exactly_one_of,
            at_least_one_of: attrs.at_least_one_of,
            schema_with,
            schema_of_module,
            unchecked: on(attrs.unchecked.as_ref())
                .map(|span| Unchecked { span, is_used: Cell::new(false) }),
            patch: attrs.patch,
            items: nested(attrs.items),
            values: nested(attrs.values),
        }
    }
}

impl From<attr::RuleAttr> for Rule {
    fn from(attr::RuleAttr { rule, options }: attr::RuleAttr) -> Self {
        Self {
            expression: rule,
            message: options.message,
            message_expression: options.message_expression,
            reason: options.reason,
            field_path: options.field_path,
            optional_old_self: options.optional_old_self,
            unchecked: on(options.unchecked.as_ref()).is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use darling::FromMeta as _;
    use darling::ast::NestedMeta;

    use super::*;

    /// Returns which facts hold for constraints with these keys.
    fn facts(keys: &str) -> String {
        let list = NestedMeta::parse_meta_list(keys.parse().expect(keys)).expect(keys);
        let constraints = Constraints::from(attr::Constraints::from_list(&list).expect(keys));
        let facts = [
            (constraints.is_empty(), "empty"),
            (constraints.change_declaration(), "declaration"),
            (constraints.change_shape(), "shape"),
            (constraints.keeps_unknown_fields(), "unknown"),
            (constraints.has_constant_bound(), "constant"),
        ];
        facts
            .into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, name)| name)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn keys_have_facts() {
        for (keys, want) in [
            ("", "empty"),
            ("default", "empty"),
            ("unchecked(\"why\")", "empty"),
            ("title = \"t\"", ""),
            ("example = 1", ""),
            ("default = 1", ""),
            ("pattern = \"p\"", ""),
            ("minimum = 1", ""),
            ("minimum = MIN", "constant"),
            ("max_items = 1", ""),
            ("max_items = MAX", "constant"),
            ("exclusive_minimum", ""),
            ("format = \"date\"", "declaration"),
            ("enum_values(1)", "declaration"),
            ("nullable", "shape"),
            ("list_type = \"set\"", "shape"),
            ("list_map_keys(\"a\")", ""),
            ("map_type = \"atomic\"", "shape"),
            ("preserve_unknown_fields", "shape unknown"),
            ("embedded_resource", "declaration shape unknown"),
            ("int_or_string", "declaration shape"),
            ("immutable", ""),
            ("rule(\"self\")", ""),
            ("at_most_one_of(\"a\", \"b\")", ""),
            ("patch = json!({})", ""),
            ("items(int_or_string)", "declaration shape"),
            ("values(max_length = MAX)", "constant"),
        ] {
            assert_eq!(facts(keys), want, "{keys}");
        }
    }
}
