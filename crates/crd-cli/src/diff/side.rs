//! One version of one definition, by which objects are admitted.

use serde_json::{Value, json};

use super::change::Step;
use crate::admit::{FieldValidation, Operation, Rejection, Write};
use crate::compiled::CompiledSchema;
use crate::field::ErrorKind;
use crate::generate;
use crate::model::{CustomResourceDefinition, JsonSchemaProps};
use crate::{admit, json as numbers, schemas};

/// A version of OLD or NEW.
pub(crate) struct Side {
    pub(crate) root: JsonSchemaProps,
    pub(super) compiled: CompiledSchema,
    /// The rules of the whole schema.
    pub(crate) rules: Vec<String>,
    api_version: String,
    kind: String,
    is_namespaced: bool,
}

/// A reason for which an object is refused.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Problem {
    pub(crate) text: String,
    /// The path of the field, as the server prints it.
    pub(super) field: String,
    /// `None` if the field is unknown, or the object cannot be decoded.
    pub(super) kind: Option<ErrorKind>,
    pub(super) detail: String,
}

/// A place in an object.
pub(super) struct Located<'s> {
    /// The keys and indices from the root.
    pub(super) pointer: Vec<String>,
    pub(super) steps: Vec<Step>,
    /// The schema of the place, and that of what holds it.
    pub(super) schema: Option<&'s JsonSchemaProps>,
    pub(super) parent: Option<&'s JsonSchemaProps>,
}

impl Side {
    /// Compiles a version, without its subresources: objects are admitted with their status.
    ///
    /// # Errors
    /// If the version has no schema, or the schema does not compile.
    pub(super) fn of(crd: &CustomResourceDefinition, version: &str) -> Result<Self, String> {
        let mut crd = crd.clone();
        crd.spec.versions.iter_mut().for_each(|version| version.subresources = None);
        Self::as_served(&crd, version)
    }

    /// Compiles a version as it is served.
    ///
    /// # Errors
    /// If the version has no schema, or the schema does not compile.
    pub(crate) fn as_served(crd: &CustomResourceDefinition, version: &str) -> Result<Self, String> {
        let found = crd.spec.versions.iter().find(|found| found.name == version);
        let root = found.and_then(schemas::of_version).cloned();
        let root = root.ok_or_else(|| format!("version {version} has no schema"))?;
        let compiled =
            CompiledSchema::for_version(crd, version).map_err(|errors| errors.to_string())?;
        let mut rules = Vec::new();
        schemas::of_root(&root, "", &mut |visited| {
            let all = visited.schema.x_validations.iter().flatten();
            rules.extend(all.map(|rule| rule.rule.clone()));
        });
        Ok(Self {
            root,
            compiled,
            rules,
            api_version: format!("{}/{version}", crd.spec.group),
            kind: crd.spec.names.kind.clone(),
            is_namespaced: crd.spec.scope == "Namespaced",
        })
    }

    /// Returns an object of this version with some content.
    pub(crate) fn object(&self, content: &Value) -> Value {
        let metadata = json!({"name": "example"});
        let kind = (self.api_version.as_str(), self.kind.as_str());
        generate::whole_object(content.clone(), kind, &metadata, self.is_namespaced)
    }

    /// Admits an object as new, with strict field validation. Returns it as it is stored.
    pub(crate) fn create(&self, content: &Value) -> Result<Value, Vec<Problem>> {
        self.write(Operation::Create, content)
    }

    /// Admits an object in place of a stored one.
    pub(super) fn update(&self, content: &Value, old: &Value) -> Result<Value, Vec<Problem>> {
        let stored = |content: &Value| {
            let mut object = self.object(content);
            // An update has to name the version that it replaces.
            object["metadata"]["resourceVersion"] = "1".into();
            object
        };
        self.write(Operation::Update(&stored(old)), &stored(content))
    }

    fn write(&self, operation: Operation<'_>, content: &Value) -> Result<Value, Vec<Problem>> {
        let admit = |validation| {
            let write = Write::new(operation).field_validation(validation);
            write.admit(&self.compiled, self.object(content))
        };
        match admit(FieldValidation::Strict) {
            Ok(admitted) => Ok(numbers::stored(admitted.object)),
            Err(rejection) => {
                let mut found = problems(&rejection);
                // The server does not validate an object with unknown fields any further.
                if let (Rejection::Strict(_), Err(other)) =
                    (&rejection, admit(FieldValidation::Ignore))
                {
                    found.extend(problems(&other));
                }
                Err(found)
            }
        }
    }

    /// Returns a stored object as this version reads it.
    pub(super) fn read(&self, stored: &Value) -> Option<Value> {
        admit::read(&self.compiled, self.object(stored)).ok().map(numbers::stored)
    }

    /// Finds the place of a field in an object. A last step that the object does not have is included.
    pub(super) fn locate(&self, content: &Value, field: &str) -> Located<'_> {
        let mut found = Located {
            pointer: Vec::new(),
            steps: Vec::new(),
            schema: Some(&self.root),
            parent: None,
        };
        let (mut value, mut rest) = (Some(content), field);
        while let Some((key, is_index, after)) = next_key(value, rest) {
            let schema = found.schema;
            let listed = schema.and_then(|schema| schemas::property(schema, &key));
            let values = schema.and_then(schemas::values);
            let (step, below) = match (listed, values) {
                _ if is_index => (Step::Items, schema.and_then(schemas::items)),
                (Some(property), _) => (Step::Property(key.clone()), Some(property)),
                (None, Some(values)) => (Step::Values, Some(values)),
                (None, None) => (Step::Property(key.clone()), None),
            };
            value = value.and_then(|value| match value {
                Value::Array(items) => items.get(key.parse::<usize>().ok()?),
                other => other.get(&key),
            });
            found.parent = schema;
            found.schema = below;
            found.steps.push(step);
            found.pointer.push(key);
            rest = after;
        }
        found
    }
}

impl Located<'_> {
    /// Whether it is at a place or below it. The steps may differ: what is a property for one schema is a value of a map
    /// for another one.
    pub(super) fn is_in(&self, site: &[Step]) -> bool {
        self.steps.len() >= site.len()
            && site.iter().zip(&self.steps).zip(&self.pointer).all(
                |((step, found), key)| match step {
                    Step::Property(name) => name == key && *found != Step::Items,
                    Step::Values => *found != Step::Items,
                    Step::Items => *found == Step::Items,
                },
            )
    }

    /// Whether what holds the place requires it.
    pub(super) fn is_required(&self) -> bool {
        let name = self.pointer.last();
        self.parent.is_some_and(|parent| {
            parent.required.iter().flatten().any(|required| Some(required) == name)
        })
    }
}

/// Splits the first key or index from a path such as `spec.a[0].b` or `spec.labels[k.8s]`. Keys may contain dots, so the
/// longest key of the value is taken that fits.
fn next_key<'p>(value: Option<&Value>, path: &'p str) -> Option<(String, bool, &'p str)> {
    if let Some(rest) = path.strip_prefix('[') {
        let (key, after) = rest.match_indices(']').find_map(|(at, _)| {
            let (key, after) = (rest.get(..at)?, rest.get(at + 1..)?);
            (after.is_empty() || after.starts_with(['.', '['])).then_some((key, after))
        })?;
        let is_index = value.is_some_and(Value::is_array) && key.parse::<usize>().is_ok();
        return Some((key.to_owned(), is_index, after));
    }
    let path = path.strip_prefix('.').unwrap_or(path);
    let keys = value.and_then(Value::as_object).into_iter().flat_map(|map| map.keys());
    let fits = |key: &&String| {
        let after = path.strip_prefix(key.as_str());
        after.is_some_and(|after| after.is_empty() || after.starts_with(['.', '[']))
    };
    let known = keys.filter(|key| !key.is_empty()).filter(fits).max_by_key(|key| key.len());
    let end = known.map_or_else(|| path.find(['.', '[']).unwrap_or(path.len()), String::len);
    let (key, after) = path.split_at_checked(end)?;
    (!key.is_empty()).then(|| (key.to_owned(), false, after))
}

/// Returns the path in the text of an error that the server reports for the whole object:
/// `"spec.a" must validate one and only one schema`, or `.. must be of type integer with format int32 in spec.a`.
fn named(detail: &str) -> &str {
    let quoted = detail.strip_prefix('"').and_then(|rest| rest.split_once('"'));
    let path = quoted.map(|(path, _)| path);
    path.or_else(|| detail.rsplit_once(" in ").map(|(_, path)| path)).unwrap_or_default()
}

fn problems(rejection: &Rejection) -> Vec<Problem> {
    let bare = |text: &str, field: &str| Problem {
        text: text.to_owned(),
        field: field.to_owned(),
        kind: None,
        detail: text.to_owned(),
    };
    match rejection {
        Rejection::Invalid(invalid) => {
            let errors = invalid.errors.iter().map(|error| Problem {
                text: error.to_string(),
                field: match error.field.trim_start_matches("<nil>") {
                    "" => named(&error.detail).to_owned(),
                    field => field.to_owned(),
                },
                kind: Some(error.kind),
                detail: error.detail.clone(),
            });
            errors.collect()
        }
        Rejection::Strict(messages) => {
            let quoted = |text: &str| text.split('"').nth(1).unwrap_or_default().to_owned();
            messages.iter().map(|text| bare(text, &quoted(text))).collect()
        }
        Rejection::TooLarge | Rejection::Decode(_) => vec![bare(&rejection.to_string(), "")],
    }
}
