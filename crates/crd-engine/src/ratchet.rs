//! Decides whether an error of an update is ratcheted (ignored) because its value has not changed.
//!
//! Source: `ratchetingOptions` in `pkg/apiserver/schema/cel/validation.go`, and
//! `pkg/apiserver/validation/ratcheting.go`, of apiextensions-apiserver.

use crate::correlate::Correlation;

/// The pairs of old and new values that decide whether an error is ratcheted: that of the value itself, if it has one,
/// and the closest one above it.
///
/// The caller owns the pairs: it gets that of a child from [`Ratchet::pair_at_key`] and passes a reference to it to
/// [`Ratchet::below_key`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ratchet<'c, 'v> {
    current: Option<&'c Correlation<'v>>,
    nearest: Option<&'c Correlation<'v>>,
}

impl<'c, 'v> Ratchet<'c, 'v> {
    /// Nothing is ratcheted: the object is new.
    pub(crate) const OFF: Self = Self { current: None, nearest: None };

    /// The root of an update.
    pub(crate) const fn root(pair: &'c Correlation<'v>) -> Self {
        Self { current: Some(pair), nearest: None }
    }

    /// Returns whether errors of this value are ignored, because the update does not change it.
    pub(crate) fn ignores_errors(&self) -> bool {
        self.current.or(self.nearest).is_some_and(Correlation::is_unchanged)
    }

    /// Returns the pair of a child at a key, which the caller keeps while it is below that key.
    pub(crate) fn pair_at_key(&self, key: &str) -> Option<Correlation<'v>> {
        self.current?.key(key)
    }

    /// Returns the pair of an element, which the caller keeps while it is below that element.
    pub(crate) fn pair_at_index(&self, index: usize) -> Option<Correlation<'v>> {
        self.current?.index(index)
    }

    /// Descends to a key, whose pair is the result of [`Ratchet::pair_at_key`].
    pub(crate) fn below_key<'d>(
        &self,
        key: &str,
        pair: Option<&'d Correlation<'v>>,
    ) -> Ratchet<'d, 'v>
    where
        'c: 'd,
    {
        // Upstream: `apiVersion` and `kind` of the root are not ratcheted. Both objects have been converted to one
        // version, so a change of these fields is not visible.
        if self.nearest.is_none() && self.current.is_some() && is_type_meta(key) {
            return Ratchet::OFF;
        }
        self.below(pair)
    }

    /// Descends to an element, whose pair is the result of [`Ratchet::pair_at_index`].
    pub(crate) fn below_index<'d>(&self, pair: Option<&'d Correlation<'v>>) -> Ratchet<'d, 'v>
    where
        'c: 'd,
    {
        self.below(pair)
    }

    fn below<'d>(&self, pair: Option<&'d Correlation<'v>>) -> Ratchet<'d, 'v>
    where
        'c: 'd,
    {
        match self.current {
            // Below a value without a pair, the closest pair above stays the same.
            None => Ratchet { current: None, nearest: self.nearest },
            Some(current) => Ratchet { current: pair, nearest: Some(current) },
        }
    }
}

/// Returns whether a key is `apiVersion` or `kind`, which are never ratcheted at the root.
pub(crate) fn is_type_meta(key: &str) -> bool {
    key == "apiVersion" || key == "kind"
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::compiled::CompiledSchema;
    use crate::model::CustomResourceDefinition;

    /// Checks whether an error at a path is ratcheted. Numbers in the path are indexes.
    #[track_caller]
    fn check(new: &Value, old: &Value, path: &[Value], is_ratcheted: bool) {
        fn walk(ratchet: Ratchet<'_, '_>, path: &[Value]) -> bool {
            let Some((step, rest)) = path.split_first() else { return ratchet.ignores_errors() };
            if let Some(key) = step.as_str() {
                let pair = ratchet.pair_at_key(key);
                walk(ratchet.below_key(key, pair.as_ref()), rest)
            } else {
                let index = usize::try_from(step.as_u64().unwrap()).unwrap();
                let pair = ratchet.pair_at_index(index);
                walk(ratchet.below_index(pair.as_ref()), rest)
            }
        }
        let item = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
        let root = json!({"type": "object", "properties": {
            "kind": {"type": "string"},
            "a": {"type": "array", "items": item},
            "o": {"type": "object", "properties": {"kind": {"type": "string"}, "n": {"type": "integer"}}},
        }});
        let crd: CustomResourceDefinition = crd_fixtures::widget(root).read();
        let schema = CompiledSchema::for_version(&crd, "v1").unwrap();
        let pair = Correlation::root(&schema, new, old);
        assert_eq!(walk(Ratchet::root(&pair), path), is_ratcheted, "{path:?}");
        assert!(!walk(Ratchet::OFF, path));
    }

    #[test]
    fn errors_of_unchanged_values_are_ratcheted() {
        let (new, old) = (json!({"o": {"n": 1}, "a": []}), json!({"o": {"n": 1}, "a": [{}]}));
        check(&new, &old, &[json!("o")], true);
        check(&new, &old, &[json!("o"), json!("n")], true);
        check(&new, &old, &[], false);
        check(&new, &old, &[json!("a")], false);
    }

    #[test]
    fn a_value_without_a_pair_uses_the_closest_pair_above() {
        let object = json!({"a": [{"n": 1}]});
        check(&object, &object, &[json!("a"), json!(0), json!("n")], true);
        let longer = json!({"a": [{"n": 1}, {"n": 2}]});
        check(&longer, &object, &[json!("a"), json!(0), json!("n")], false);
    }

    #[test]
    fn type_fields_of_the_root_are_never_ratcheted() {
        let object = json!({"kind": "x", "o": {"kind": "x"}});
        check(&object, &object, &[json!("kind")], false);
        check(&object, &object, &[json!("o"), json!("kind")], true);
    }
}
