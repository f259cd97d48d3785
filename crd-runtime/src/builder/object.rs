//! Builds schemas of objects: fields, flattened parts and required fields.

use std::collections::BTreeMap;

use crd_cel::compile_time::uses_old_self;

use super::{null, typed};
use crate::model::{JsonSchemaProps, SchemaOrBool, ValidationRule};

/// Whether a field must be present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// serde fails without the field.
    Required,
    /// The field can be absent.
    Optional,
}

/// The schema of an object under construction.
#[derive(Debug, Clone)]
pub(crate) struct Object(JsonSchemaProps);

impl From<JsonSchemaProps> for Object {
    fn from(schema: JsonSchemaProps) -> Self {
        Self(schema)
    }
}

impl Object {
    /// Starts with an object without fields.
    #[must_use]
    pub(crate) fn new() -> Self {
        Self(typed("object"))
    }

    /// Adds a field. A field with a default is never required: the server fills it in.
    #[must_use]
    pub(crate) fn field(mut self, name: &str, presence: Presence, schema: JsonSchemaProps) -> Self {
        if presence == Presence::Required && schema.default.is_none() {
            self.require(name);
        }
        self.0.properties.get_or_insert_default().insert(name.to_owned(), schema.into());
        self
    }

    /// Adds the fields of another object to this one's.
    ///
    /// If the other object is a map, unknown fields are kept. serde reads an incomplete `Option` as `None`: the
    /// required fields of an optional part become optional, its junctors are left out, and its rules apply only if all
    /// of these fields are present; if none is required, only if one of its fields is.
    #[must_use]
    pub(crate) fn flatten(mut self, presence: Presence, part: JsonSchemaProps) -> Self {
        let part = names_as_fields(part);
        let absence = match presence {
            Presence::Required => None,
            Presence::Optional => Some(Absence::of(&part)),
        };
        let properties = part.properties.into_iter().flatten();
        self.0.properties.get_or_insert_with(BTreeMap::new).extend(properties);
        if presence == Presence::Required {
            for name in part.required.into_iter().flatten() {
                self.require(&name);
            }
            let junctors = JsonSchemaProps {
                any_of: part.any_of,
                one_of: part.one_of,
                not: part.not,
                all_of: part.all_of,
                ..JsonSchemaProps::default()
            };
            if junctors != JsonSchemaProps::default() {
                self.0.all_of.get_or_insert_default().push(junctors);
            }
        }
        let open = part.x_preserve_unknown_fields == Some(true)
            || matches!(part.additional_properties, Some(SchemaOrBool::Schema(_)));
        if open {
            self.0.x_preserve_unknown_fields = Some(true);
        }
        if let Some(rules) = part.x_validations {
            let rules = rules.into_iter().map(|rule| match &absence {
                Some(absence) => absence.or(rule),
                None => rule,
            });
            self.0.x_validations.get_or_insert_default().extend(rules);
        }
        self
    }

    /// Adds a rule that a field, once set, cannot be removed. It is a rule of the object, because a rule of the field
    /// is not evaluated when the field is absent. A required field gets no such rule.
    #[must_use]
    pub(crate) fn immutable_once_set(mut self, name: &str) -> Self {
        if self.0.required.as_ref().is_some_and(|names| names.iter().any(|there| there == name)) {
            return self;
        }
        let field = super::cel_field(name);
        self.0.x_validations.get_or_insert_default().push(ValidationRule {
            rule: format!("!has(oldSelf.{field}) || has(self.{field})"),
            message: format!("field {name} is immutable once set"),
            ..ValidationRule::default()
        });
        self
    }

    /// Returns the schema.
    #[must_use]
    pub(crate) fn done(mut self) -> JsonSchemaProps {
        if let Some(required) = &mut self.0.required {
            required.sort();
        }
        if self.0.properties.as_ref().is_some_and(BTreeMap::is_empty) {
            self.0.properties = None;
        }
        self.0
    }

    fn require(&mut self, name: &str) {
        let required = self.0.required.get_or_insert_default();
        if !required.iter().any(|there| there == name) {
            required.push(name.to_owned());
        }
    }
}

/// Returns the schema of a part as it is flattened. A variant without content becomes a field with the name of the
/// variant and the value `null`:
///
/// ```json
/// {"Always": null}
/// ```
pub(super) fn names_as_fields(part: JsonSchemaProps) -> JsonSchemaProps {
    let names: Option<Vec<&str>> = match (part.type_.as_str(), &part.enum_) {
        ("string", Some(names)) => names.iter().map(serde_json::Value::as_str).collect(),
        _ => None,
    };
    let Some(names) = names else { return part };
    let required = |name: &&str| JsonSchemaProps {
        required: Some(vec![(*name).to_owned()]),
        ..JsonSchemaProps::default()
    };
    let mut object = typed("object");
    match names.as_slice() {
        [name] => object.required = required(name).required,
        names => object.one_of = Some(names.iter().map(required).collect()),
    }
    let fields = names.iter().map(|name| ((*name).to_owned(), null().into()));
    object.properties = Some(fields.collect());
    object
}

/// When an optional part is absent.
enum Absence {
    /// If one of its required fields is.
    OfOne(Vec<String>),
    /// If all of its fields are.
    OfAll(Vec<String>),
}

impl Absence {
    fn of(part: &JsonSchemaProps) -> Self {
        match &part.required {
            Some(required) if !required.is_empty() => Self::OfOne(required.clone()),
            _ => Self::OfAll(
                part.properties.iter().flatten().map(|(name, _)| name.clone()).collect(),
            ),
        }
    }

    /// Turns a rule of the part into a rule of the object, which holds if the part is absent.
    fn or(&self, rule: ValidationRule) -> ValidationRule {
        let (names, junctor) = match self {
            Self::OfOne(names) => (names, " || "),
            Self::OfAll(names) => (names, " && "),
        };
        let mut guard = String::new();
        for variable in ["self", "oldSelf"] {
            if names.is_empty() || (variable == "oldSelf" && !uses_old_self(&rule.rule)) {
                continue;
            }
            let absent =
                names.iter().map(|name| format!("!has({variable}.{})", super::cel_field(name)));
            let absent: Vec<_> = absent.collect();
            guard.extend([&absent.join(junctor), " || "]);
        }
        if guard.is_empty() {
            return rule;
        }
        ValidationRule { rule: format!("{guard}({})", rule.rule), ..rule }
    }
}
