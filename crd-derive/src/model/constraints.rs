//! Facts about the constraints of a type, field, variant or element.

use darling::util::SpannedValue;
use proc_macro2::{Span, TokenStream};
use syn::Expr;

use crate::attr::Constraints;
use crate::literal::{Bound, Count, StringExpr, Value, as_number};
use crate::types::JsonType;

/// A bound that a literal must be within.
pub(crate) struct Limit {
    /// The literal, or its number of elements or characters.
    pub value: f64,
    pub key: &'static str,
    /// The bound, unless it is a constant.
    pub known: Option<f64>,
    /// The bound as an expression.
    pub bound: TokenStream,
    pub exclusive: bool,
}

/// A key, and its value if it is given.
type Keyed<'a, T> = (&'static str, Option<&'a T>);

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

    /// The bounds of numbers, by their keys.
    pub(crate) fn bounds(&self) -> [Keyed<'_, Bound>; 3] {
        [
            ("minimum", self.minimum.as_ref()),
            ("maximum", self.maximum.as_ref()),
            ("multiple_of", self.multiple_of.as_ref()),
        ]
    }

    /// The bounds of counts, by their keys: the least and the greatest count of what values of a type have.
    pub(crate) fn counts(&self) -> [(JsonType, [Keyed<'_, Count>; 2]); 3] {
        let Self { min_length, max_length, min_items, max_items, .. } = self;
        let (least, most) = (self.min_properties.as_ref(), self.max_properties.as_ref());
        [
            (
                JsonType::Text,
                [("min_length", min_length.as_ref()), ("max_length", max_length.as_ref())],
            ),
            (
                JsonType::List,
                [("min_items", min_items.as_ref()), ("max_items", max_items.as_ref())],
            ),
            (JsonType::Object, [("min_properties", least), ("max_properties", most)]),
        ]
    }

    /// The bounds that a literal must be within.
    pub(crate) fn limits(&self, literal: &Value) -> Vec<Limit> {
        if let Some(number) = literal.as_number() {
            let [minimum, maximum, _] = self.bounds();
            let exclusive = [self.excludes_minimum(), self.excludes_maximum()];
            let bounds = [minimum, maximum].into_iter().zip(exclusive);
            let limits = bounds.filter_map(|((key, bound), exclusive)| {
                let (value, bound) = (number.as_f64(), bound?);
                let known = bound.literal().map(|bound| bound.as_f64());
                Some(Limit { value, key, known, bound: as_number(bound, "f64"), exclusive })
            });
            return limits.collect();
        }
        let [(_, of_text), (_, of_list), _] = self.counts();
        let (count, bounds) = match (&literal.0, literal.as_text()) {
            (Expr::Array(array), _) => (array.elems.len(), of_list),
            (_, Some(text)) => (text.chars().count(), of_text),
            _ => return Vec::new(),
        };
        let value = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        let limits = bounds.into_iter().filter_map(|(key, bound)| {
            let known = bound?.literal().copied().map(f64::from);
            Some(Limit { value, key, known, bound: as_number(bound?, "f64"), exclusive: false })
        });
        limits.collect()
    }

    /// The given keys that apply to values of one type, each with its place.
    pub(crate) fn typed_keys(&self) -> Vec<(&'static str, Span, JsonType)> {
        let numbers = self.bounds().map(|(key, bound)| (key, bound.map(SpannedValue::span)));
        let exclusive = [
            ("exclusive_minimum", self.exclusive_minimum.as_ref().map(SpannedValue::span)),
            ("exclusive_maximum", self.exclusive_maximum.as_ref().map(SpannedValue::span)),
        ];
        let numbers =
            numbers.into_iter().chain(exclusive).map(|(key, at)| (key, at, JsonType::Number));
        let counts = self.counts().into_iter().flat_map(|(of, pair)| {
            pair.map(|(key, count)| (key, count.map(SpannedValue::span), of))
        });
        let pattern = self.pattern.as_ref().map(StringExpr::span);
        let all = numbers.chain(counts).chain([("pattern", pattern, JsonType::Text)]);
        all.filter_map(|(key, at, of)| Some((key, at?, of))).collect()
    }

    /// Whether a bound is a constant of Rust.
    pub(crate) fn has_constant_bound(&self) -> bool {
        let is_constant =
            |(_, count): Keyed<'_, Count>| count.is_some_and(|count| count.literal().is_none());
        self.bounds().iter().any(|(_, it)| it.is_some_and(|bound| bound.literal().is_none()))
            || self.counts().into_iter().any(|(_, pair)| pair.into_iter().any(is_constant))
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
}

#[cfg(test)]
mod tests {
    use darling::FromMeta as _;
    use darling::ast::NestedMeta;

    use super::*;
    use crate::emit::is_empty;

    /// Returns which facts hold for constraints with these keys.
    fn facts(keys: &str) -> String {
        let list = NestedMeta::parse_meta_list(keys.parse().expect(keys)).expect(keys);
        let constraints = Constraints::from_list(&list).expect(keys);
        let facts = [
            (is_empty(&constraints), "empty"),
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
