//! Builds the structural schemas of enums.
//!
//! A structural schema has one type and one set of properties for a value, which junctors can only narrow. The schema
//! of an enum is therefore widened until it accepts the values of all variants and prunes nothing of them. What is
//! special to a variant becomes a branch of `oneOf` or `anyOf`.

mod hoist;
mod narrow;
mod widen;

use std::collections::BTreeSet;

use hoist::hoist;
use narrow::narrow;
use widen::widen;

use super::object::names_as_fields;
use super::{Object, Presence, any, null, open_object, typed, unit_enum};
use crate::model::{JsonSchemaProps, ValidationRule};

/// The schema of an enum under construction.
#[derive(Debug, Clone)]
pub struct Union {
    tagging: Tagging,
    units: Vec<&'static str>,
    /// `#[serde(other)]`: serde reads any name.
    open: bool,
    data: Vec<(Vec<&'static str>, Option<JsonSchemaProps>)>,
    /// The indices in `data` of the variants whose objects serde reads only without the fields of others.
    alone: Vec<usize>,
    untagged: Vec<JsonSchemaProps>,
}

#[derive(Debug, Clone, Copy)]
enum Tagging {
    External,
    Internal(&'static str),
    Adjacent(&'static str, &'static str),
    Untagged,
}

impl Union {
    /// Variants are written as `{"Variant": ..}`, and units as `"Variant"`.
    #[must_use]
    pub fn external() -> Self {
        Self::new(Tagging::External)
    }

    /// Variants are written as `{"tag": "Variant", ..}`.
    #[must_use]
    pub fn internal(tag: &'static str) -> Self {
        Self::new(Tagging::Internal(tag))
    }

    /// Variants are written as `{"tag": "Variant", "content": ..}`.
    #[must_use]
    pub fn adjacent(tag: &'static str, content: &'static str) -> Self {
        Self::new(Tagging::Adjacent(tag, content))
    }

    /// Variants are written as their content alone.
    #[must_use]
    pub fn untagged() -> Self {
        Self::new(Tagging::Untagged)
    }

    fn new(tagging: Tagging) -> Self {
        Self {
            tagging,
            units: Vec::new(),
            open: false,
            data: Vec::new(),
            alone: Vec::new(),
            untagged: Vec::new(),
        }
    }

    /// Adds a variant without content, with its name and aliases. `other` means that serde reads any name as it.
    #[must_use]
    pub fn unit(mut self, names: &[&'static str], other: bool) -> Self {
        match self.tagging {
            Tagging::External => self.units.extend(names),
            Tagging::Internal(_) | Tagging::Adjacent(..) => {
                self.data.push((names.to_vec(), None));
            }
            Tagging::Untagged => self.untagged.push(null()),
        }
        self.open |= other;
        self
    }

    /// Adds a variant with content, with its name and aliases.
    #[must_use]
    pub fn data(mut self, names: &[&'static str], schema: JsonSchemaProps) -> Self {
        match self.tagging {
            Tagging::Untagged => self.untagged.push(schema),
            _ => self.data.push((names.to_vec(), Some(schema))),
        }
        self
    }

    /// Makes the variant that was added last reject the fields of others, if `denies`: serde's `deny_unknown_fields`.
    #[must_use]
    pub fn alone(mut self, denies: bool) -> Self {
        if let (Tagging::Internal(_), true) = (self.tagging, denies) {
            self.alone.extend(self.data.len().checked_sub(1));
        }
        self
    }

    /// Adds a variant with `#[serde(untagged)]`.
    #[must_use]
    pub fn untagged_variant(mut self, schema: JsonSchemaProps) -> Self {
        self.untagged.push(schema);
        self
    }

    /// Returns the schema.
    #[must_use]
    pub fn done(mut self) -> JsonSchemaProps {
        let untagged = std::mem::take(&mut self.untagged);
        match self.tagging {
            Tagging::External => any_of(self.external_alternatives(untagged)),
            Tagging::Untagged => any_of(untagged),
            Tagging::Internal(tag) => self.tagged(tag, untagged, |_, content| match content {
                // serde can add a tag only to an object, so other JSON is excluded.
                Some(content) if content == any() => open_object(),
                Some(content) => names_as_fields(content),
                None => typed("object"),
            }),
            Tagging::Adjacent(tag, content_name) => {
                self.tagged(tag, untagged, |_, content| adjacent_content(content_name, content))
            }
        }
    }

    fn external_alternatives(self, untagged: Vec<JsonSchemaProps>) -> Vec<JsonSchemaProps> {
        let mut alternatives = Vec::new();
        if self.open {
            alternatives.push(typed("string"));
        } else if !self.units.is_empty() {
            alternatives.push(unit_enum(&self.units));
        }
        let mixed = !alternatives.is_empty() || !untagged.is_empty();
        if !self.data.is_empty() {
            let names: Vec<_> = self.data.iter().flat_map(|(names, _)| names.clone()).collect();
            let mut schema = typed("object");
            for (names, content) in self.data {
                for name in names {
                    let content = content.clone().unwrap_or_default();
                    schema
                        .properties
                        .get_or_insert_default()
                        .insert(name.to_owned(), content.into());
                }
            }
            match names.as_slice() {
                [name] => schema.required = requires(name).required,
                names => schema.one_of = Some(names.iter().map(|name| requires(name)).collect()),
            }
            // With strings or untagged variants beside it, the schema may keep unknown fields, but serde reads only
            // objects with one field.
            schema.max_properties = mixed.then_some(1);
            alternatives.push(schema);
        }
        alternatives.extend(untagged);
        alternatives
    }

    /// Returns the schema of objects that the property `tag` distinguishes.
    fn tagged(
        self,
        tag: &str,
        untagged: Vec<JsonSchemaProps>,
        content_of: impl Fn(&[&str], Option<JsonSchemaProps>) -> JsonSchemaProps,
    ) -> JsonSchemaProps {
        let known: Vec<&str> = self.data.iter().flat_map(|(names, _)| names.clone()).collect();
        let mut rules = Vec::new();
        let mut guards = Vec::new();
        let mut alternatives = Vec::new();
        let last = self.data.len();
        for (index, (names, content)) in self.data.into_iter().enumerate() {
            let mut schema = content_of(&names, content);
            let open = self.open && index + 1 == last;
            let guard = (!open).then(|| guard(tag, &names));
            let own = schema.x_validations.take().into_iter().flatten();
            rules.extend(own.map(|rule| guarded(rule, guard.as_deref())));
            guards.push(guard);
            let mut tag_schema = unit_enum(&names);
            if open {
                let others: Vec<_> =
                    known.iter().filter(|name| !names.contains(name)).copied().collect();
                tag_schema = typed("string");
                if !others.is_empty() {
                    let enum_ = unit_enum(&others).enum_;
                    let others = JsonSchemaProps { enum_, ..JsonSchemaProps::default() };
                    tag_schema.not = Some(Box::new(others));
                }
            }
            schema.properties.get_or_insert_default().insert(tag.to_owned(), tag_schema.into());
            let required = schema.required.get_or_insert_default();
            required.push(tag.to_owned());
            required.sort();
            alternatives.push(schema);
        }
        reject_others(&mut alternatives, &self.alone);
        let hoisted = hoist(&mut alternatives).into_iter();
        rules.extend(hoisted.map(|(index, rule)| guarded(rule, guards[index].as_deref())));
        let mut schema = if untagged.is_empty() {
            one_of(alternatives)
        } else {
            alternatives.extend(untagged);
            any_of(alternatives)
        };
        if !rules.is_empty() {
            schema.x_validations.get_or_insert_default().extend(rules);
        }
        schema
    }
}

/// Rejects objects with fields of other alternatives, where serde would not read them.
fn reject_others(alternatives: &mut [JsonSchemaProps], alone: &[usize]) {
    let names_of = |schema: &JsonSchemaProps| -> BTreeSet<String> {
        schema.properties.iter().flatten().map(|(name, _)| name.clone()).collect()
    };
    let all: BTreeSet<_> = alternatives.iter().flat_map(names_of).collect();
    for at in alone {
        let Some(schema) = alternatives.get_mut(*at) else { continue };
        let own = names_of(schema);
        let others: Vec<_> = all.difference(&own).map(|name| requires(name)).collect();
        if !others.is_empty() {
            let any = JsonSchemaProps { any_of: Some(others), ..JsonSchemaProps::default() };
            let not = JsonSchemaProps { not: Some(Box::new(any)), ..JsonSchemaProps::default() };
            schema.all_of.get_or_insert_default().push(not);
        }
    }
}

/// Returns the schema of an adjacently tagged variant without its tag. A unit must not have content.
fn adjacent_content(name: &str, content: Option<JsonSchemaProps>) -> JsonSchemaProps {
    match content {
        Some(content) => Object::new().field(name, Presence::Required, content).done(),
        None => JsonSchemaProps { not: Some(Box::new(requires(name))), ..typed("object") },
    }
}

/// Returns a schema of objects with this property.
fn requires(name: &str) -> JsonSchemaProps {
    JsonSchemaProps { required: Some(vec![name.to_owned()]), ..JsonSchemaProps::default() }
}

/// Returns a CEL expression that is true for objects of other variants than the one with these names.
fn guard(tag: &str, names: &[&str]) -> String {
    let tag = super::cel_field(tag);
    let names: Vec<_> = names.iter().map(|name| super::cel_string(name)).collect();
    match names.as_slice() {
        [name] => format!("self.{tag} != {name}"),
        names => format!("!(self.{tag} in [{}])", names.join(", ")),
    }
}

/// Turns a rule of one variant into a rule of the enum.
fn guarded(rule: ValidationRule, guard: Option<&str>) -> ValidationRule {
    match guard {
        Some(guard) => ValidationRule { rule: format!("{guard} || ({})", rule.rule), ..rule },
        None => rule,
    }
}

/// Returns a schema that accepts what at least one of the alternatives accepts.
pub(crate) fn any_of(alternatives: Vec<JsonSchemaProps>) -> JsonSchemaProps {
    widened(alternatives, |schema, narrowed| {
        // An alternative that narrows nothing makes the others redundant.
        if narrowed.iter().all(|schema| *schema != JsonSchemaProps::default()) {
            attach(schema, |schema| &mut schema.any_of, narrowed);
        }
    })
}

/// Returns a schema that accepts what exactly one of the alternatives accepts.
pub(crate) fn one_of(alternatives: Vec<JsonSchemaProps>) -> JsonSchemaProps {
    widened(alternatives, |schema, narrowed| {
        attach(schema, |schema| &mut schema.one_of, narrowed);
    })
}

/// Returns a schema that accepts the values of all alternatives. `attach` adds what each alternative narrows.
fn widened(
    mut alternatives: Vec<JsonSchemaProps>,
    attach: impl FnOnce(&mut JsonSchemaProps, Vec<JsonSchemaProps>),
) -> JsonSchemaProps {
    if alternatives.len() <= 1 {
        return alternatives.pop().unwrap_or_else(|| typed("object"));
    }
    let mut schema = widen(&alternatives.iter().collect::<Vec<_>>());
    let narrowed = alternatives.iter().map(|part| narrow(part, &schema)).collect();
    attach(&mut schema, narrowed);
    schema
}

/// Adds narrowed alternatives as a junctor. If the schema has that junctor already, adds them under `allOf`.
fn attach(
    schema: &mut JsonSchemaProps,
    slot: impl Fn(&mut JsonSchemaProps) -> &mut Option<Vec<JsonSchemaProps>>,
    narrowed: Vec<JsonSchemaProps>,
) {
    if slot(schema).is_none() {
        *slot(schema) = Some(narrowed);
    } else {
        let mut beside = JsonSchemaProps::default();
        *slot(&mut beside) = Some(narrowed);
        schema.all_of.get_or_insert_default().push(beside);
    }
}
