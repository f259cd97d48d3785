//! A change from OLD to NEW, as data.

use serde_json::Value;

use super::kinds::{Grades, Kind, Level};
use crate::model::JsonSchemaProps;

/// A step from a schema to one below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    Property(String),
    Items,
    Values,
}

/// The place of a part of both definitions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Site {
    /// The steps from the schema of whole objects.
    pub(super) steps: Vec<Step>,
    /// The field paths in both manifests: `spec.versions[0].schema.openAPIV3Schema.properties[spec]`.
    pub(super) old_field: String,
    pub(super) new_field: String,
}

impl Site {
    /// Returns the place of a field that both manifests have at one path.
    pub(super) fn of_field(field: impl Into<String>) -> Self {
        let field = field.into();
        Self { steps: Vec::new(), old_field: field.clone(), new_field: field }
    }

    /// Returns the place of a schema below this one. The properties of one can be the values of the other.
    pub(super) fn below(&self, step: Step, old: &str, new: &str) -> Self {
        let mut site = self.clone();
        site.old_field.push_str(old);
        site.new_field.push_str(new);
        site.steps.push(step);
        site
    }

    pub(super) fn property(&self, name: &str) -> Self {
        let keyword = format!(".properties[{name}]");
        self.below(Step::Property(name.to_owned()), &keyword, &keyword)
    }

    /// Returns the path in objects: `spec.containers[].image`, or the field of the manifest.
    pub(super) fn shown(&self) -> String {
        if self.steps.is_empty() {
            return match self.new_field.split_once(".schema.openAPIV3Schema") {
                Some(_) => "(root)".to_owned(),
                None => self.new_field.clone(),
            };
        }
        let mut out = String::new();
        for step in &self.steps {
            match step {
                Step::Property(name) if out.is_empty() => out.push_str(name),
                Step::Property(name) => {
                    out.push('.');
                    out.push_str(name);
                }
                Step::Items => out.push_str("[]"),
                Step::Values => out.push_str("[*]"),
            }
        }
        out
    }
}

/// A change.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
    pub(super) kind: &'static Kind,
    /// The version, `v1 -> v2` between two of them, or empty for the definition as a whole.
    pub(super) version: String,
    pub(super) site: Site,
    pub(super) message: String,
    pub(super) before: Option<Value>,
    pub(super) after: Option<Value>,
    /// The schema of the values at the place that would show the change.
    pub(super) probe: Option<Box<JsonSchemaProps>>,
    /// A text that the error of the change contains, such as that of a rule.
    pub(super) names: Vec<String>,
    /// The rules whose literals help to find an object.
    pub(super) rules: Vec<String>,
    /// The estimated cost of a rule, before and after.
    pub(super) cost: Option<(Option<u64>, Option<u64>)>,
    pub(super) level: Level,
    pub(super) witness: Option<Witness>,
    /// Why there is no witness.
    pub(super) unshown: Option<String>,
    /// The reason for which the change is allowed.
    pub(super) allowed: Option<String>,
}

/// What shows a change.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Witness {
    /// An object that was admitted and is refused.
    Refused {
        object: Value,
        /// The stored object, if the refused write is an update.
        old: Option<Value>,
        error: String,
        stored: StoredEffect,
    },
    /// An object that is admitted and was refused.
    Appears { object: Value, error: String },
    /// An object that comes out different.
    Differs { object: Value, before: Value, after: Value },
    /// An object that a conversion to another version and back changes.
    Converted { object: Value, between: Value, back: Result<Value, String> },
    /// The server's error for the definition.
    Definition { error: String },
}

/// What happens to a stored object that would be refused if it were new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StoredEffect {
    /// It is refused only if a write changes the value.
    WhenTouched,
    /// Every write is refused.
    Always,
    /// The value is dropped when the object is read.
    Lost,
    /// It is not affected: the rule compares with the old value.
    None,
}

impl Change {
    pub(super) fn new(kind: &'static Kind, site: &Site, message: impl Into<String>) -> Self {
        Self {
            kind,
            version: String::new(),
            site: site.clone(),
            message: message.into(),
            before: None,
            after: None,
            probe: None,
            names: Vec::new(),
            rules: Vec::new(),
            cost: None,
            level: kind.level,
            witness: None,
            unshown: None,
            allowed: None,
        }
    }

    pub(super) fn values(
        mut self,
        before: impl Into<Option<Value>>,
        after: impl Into<Option<Value>>,
    ) -> Self {
        (self.before, self.after) = (before.into(), after.into());
        self
    }

    /// Sets the schema of values that would show the change: a copy of `schema` that is edited.
    pub(super) fn probe(
        mut self,
        schema: &JsonSchemaProps,
        edit: impl FnOnce(&mut JsonSchemaProps),
    ) -> Self {
        let mut probe = schema.clone();
        edit(&mut probe);
        self.probe = Some(Box::new(probe));
        self
    }

    /// Returns the names of both sides: versions of NEW, or OLD and NEW.
    pub(super) fn sides(&self) -> (&str, &str) {
        self.between().unwrap_or(("OLD", "NEW"))
    }

    /// Returns the two versions of NEW between which it is.
    pub(super) fn between(&self) -> Option<(&str, &str)> {
        self.version.split_once(" -> ")
    }

    pub(super) fn grades(&self) -> Grades {
        self.kind.grades
    }

    /// Whether it can explain that an object is refused or comes out different.
    pub(super) fn explains_differences(&self) -> bool {
        !matches!(self.level, Level::Compatible)
    }
}
