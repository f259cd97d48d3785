//! The versions of a kind, and the steps between them.

use std::collections::VecDeque;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::preserve;
use crate::cause::Chain;
use crate::compiled::CompiledSchema;
use crate::field::ErrorList;
use crate::model::Manifest;

/// The error of a step: any error or a text. `?` converts an error, and `"..".into()` a text.
pub type StepError = Box<dyn Error + Send + Sync>;

/// A step from one version to another.
type Step = Arc<dyn Fn(Value) -> Result<Value, StepError> + Send + Sync>;

/// Deserializes an object into a type and serializes it again; `None` if it does not fit.
type Reread = Arc<dyn Fn(&Value) -> Option<Value> + Send + Sync>;

/// Converts objects of one kind between its versions.
///
/// For derived types implement [`ConvertTo`](super::ConvertTo), which has an example. Without types, a step is a
/// closure from object to object:
///
/// ```
/// use crd_runtime::convert::Converter;
/// use serde_json::json;
///
/// let converter = Converter::new("example.com", "Job")
///     .without_annotation()
///     .step("v1", "v2", |mut job| {
///         job["spec"]["command"] = job["spec"]["cmd"].take();
///         Ok(job)
///     })
///     .step("v2", "v3", |job| Ok(job));
///
/// let job = json!({
///     "apiVersion": "example.com/v1", "kind": "Job", "metadata": {"name": "j"}, "spec": {"cmd": "true"},
/// });
/// // No step leads from v1 to v3, so the converter goes through v2. It always takes the fewest steps.
/// let job = converter.convert(job, "example.com/v3")?;
/// assert_eq!((&job["apiVersion"], &job["spec"]["command"]), (&json!("example.com/v3"), &json!("true")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Converter {
    group: String,
    kind: String,
    steps: Vec<(String, String, Step)>,
    /// The schemas of versions, as far as they have been given.
    schemas: Vec<(String, Arc<CompiledSchema>)>,
    /// What the types of versions read and write of an object, as far as the versions have types.
    types: Vec<(String, Reread)>,
    /// Whether fields that a version does not have are preserved in an annotation.
    preserves: bool,
}

impl fmt::Debug for Converter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps: Vec<String> =
            self.steps.iter().map(|(from, to, _)| format!("{from} -> {to}")).collect();
        f.debug_struct("Converter")
            .field("group", &self.group)
            .field("kind", &self.kind)
            .field("steps", &steps)
            .field("preserves", &self.preserves)
            .finish_non_exhaustive()
    }
}

/// The reason why an object could not be converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConvertError {
    object: String,
    reason: String,
}

impl ConvertError {
    /// Returns the object, as `example.com/v1, Kind=Job default/name`.
    pub fn object(&self) -> &str {
        &self.object
    }

    /// Returns the reason why the object could not be converted.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.object, self.reason)
    }
}

impl Error for ConvertError {}

impl Converter {
    /// Creates a converter of one group and kind, without steps.
    ///
    /// Steps between derived types ([`Converter::both_ways`]) add the schemas of their versions. For steps that are
    /// closures, call [`Converter::definition`] to give the schemas, or [`Converter::without_annotation`]: otherwise,
    /// a conversion that loses fields fails.
    pub fn new(group: impl Into<String>, kind: impl Into<String>) -> Self {
        let (group, kind) = (group.into(), kind.into());
        Self {
            group,
            kind,
            steps: Vec::new(),
            schemas: Vec::new(),
            types: Vec::new(),
            preserves: true,
        }
    }

    /// Returns the group and the kind of the objects.
    #[must_use]
    pub fn group_and_kind(&self) -> (&str, &str) {
        (&self.group, &self.kind)
    }

    /// Takes the schemas of all versions from the kind's definition.
    ///
    /// Fields that a version does not have are preserved in the annotation `conversion.<group>/<version>`, which users
    /// can write too. Its content is therefore validated against the schema of its version before it is merged back,
    /// and dropped if it is invalid or does not convert. If an object has been changed in the other version, objects
    /// get their fields back one by one, and lists as follows:
    ///
    /// - items of a list of type `map` that are still there, by their keys as the other version shows them; new items have
    ///   nothing to restore;
    /// - of any other list, items that are unchanged, wherever they are. If the list has as many items as before, a
    ///   changed item gets the fields of the item at its index; otherwise, they are lost.
    ///
    /// # Errors
    /// If the schema of a version is not structural.
    pub fn definition(mut self, crd: &impl Manifest) -> Result<Self, ErrorList> {
        let crd = crd.manifest()?;
        for version in &crd.spec.versions {
            let schema = CompiledSchema::for_version(&*crd, &version.name)?;
            self.add_schema(&version.name, schema);
        }
        Ok(self)
    }

    pub(super) fn add_schema(&mut self, version: &str, schema: CompiledSchema) {
        self.schemas.retain(|(known, _)| known != version);
        self.schemas.push((version.to_owned(), Arc::new(schema)));
    }

    pub(super) fn schema(&self, version: &str) -> Option<&CompiledSchema> {
        self.schemas.iter().find(|(known, _)| known == version).map(|(_, schema)| &**schema)
    }

    pub(super) fn add_type(&mut self, version: &str, reread: Reread) {
        self.types.push((version.to_owned(), reread));
    }

    /// Drops fields that a version does not have, instead of preserving them in the annotation
    /// `conversion.<group>/<version>`.
    #[must_use]
    pub fn without_annotation(mut self) -> Self {
        self.preserves = false;
        self
    }

    /// Adds a step from one version to another. The closure takes and returns a whole object; the converter sets
    /// `apiVersion` and `kind`, and restores all metadata except labels and annotations.
    ///
    /// ```
    /// # use crd_runtime::convert::Converter;
    /// # use serde_json::json;
    /// let converter = Converter::new("example.com", "Job").without_annotation().step("v1", "v2", |mut job| {
    ///     let spec = job["spec"].as_object_mut().ok_or("`spec` is missing")?;
    ///     let seconds: u64 = spec.remove("timeout").unwrap_or_default().as_str().unwrap_or("0").parse()?;
    ///     spec.insert("timeoutSeconds".to_owned(), seconds.into());
    ///     Ok(job)
    /// });
    /// let job = |spec| json!({"apiVersion": "example.com/v1", "kind": "Job", "spec": spec});
    /// let converted = converter.convert(job(json!({"timeout": "30"})), "example.com/v2")?;
    /// assert_eq!(converted["spec"], json!({"timeoutSeconds": 30}));
    ///
    /// let error = converter.convert(job(json!({"timeout": "soon"})), "example.com/v2").unwrap_err();
    /// assert_eq!(error.reason(), "to `v2`: invalid digit found in string");
    /// # Ok::<(), crd_runtime::convert::ConvertError>(())
    /// ```
    #[must_use]
    pub fn step(
        mut self,
        from: impl Into<String>,
        to: impl Into<String>,
        convert: impl Fn(Value) -> Result<Value, StepError> + Send + Sync + 'static,
    ) -> Self {
        self.steps.push((from.into(), to.into(), Arc::new(convert)));
        self
    }

    /// Converts an object to a version of its group, such as `example.com/v1`.
    ///
    /// Metadata is unchanged, except for labels and annotations, which the steps can change.
    ///
    /// # Errors
    /// If the object is not of this kind, no steps lead to the version, a step fails, or fields would be lost and the
    /// converter has no schema of their version or the annotations would become too large.
    pub fn convert(&self, object: Value, desired_api_version: &str) -> Result<Value, ConvertError> {
        let name = describe(&object);
        self.try_convert(object, desired_api_version)
            .map_err(|reason| ConvertError { object: name, reason })
    }

    fn try_convert(&self, object: Value, desired: &str) -> Result<Value, String> {
        let Value::Object(map) = &object else { return Err("is not an object".to_owned()) };
        let text = |key: &str| map.get(key).and_then(Value::as_str).unwrap_or_default();
        if text("kind") != self.kind {
            return Err(format!("kind must be `{}`, is `{}`", self.kind, text("kind")));
        }
        let from = self.version(text("apiVersion"))?.to_owned();
        let to = self.version(desired)?.to_owned();
        if from == to {
            return Ok(object);
        }
        let converted = self.run_steps(object.clone(), &from, &to)?;
        if !self.preserves {
            return Ok(converted);
        }
        let pair = preserve::Pair {
            group: &self.group,
            from: &from,
            to: &to,
            from_schema: self.schema(&from),
            to_schema: self.schema(&to),
            forward: &|object| self.run_steps(object, &from, &to),
            backward: &|object| self.run_steps(object, &to, &from),
            lost: &|object, returned| self.lost(&from, object, returned),
        };
        pair.complete(&object, converted)
    }

    /// Returns the top-level fields that differ between an object of a version and the object that comes back from
    /// another version.
    ///
    /// Objects are compared as the server stores them, with defaults and without unknown fields and nulls, and then as
    /// the type of the version reads them: a type may write `1.0` for `1`, and `[]` for an absent list.
    pub(super) fn lost(&self, version: &str, object: &Value, returned: &Value) -> Vec<String> {
        let schema = self.schema(version);
        let settled = |object: &Value| {
            schema.map_or_else(|| object.clone(), |schema| preserve::settled(schema, object, None))
        };
        let (before, after) = (settled(object), settled(returned));
        let lost = preserve::differing(&before, &after);
        let Some((_, reread)) = self.types.iter().find(|(known, _)| known == version) else {
            return lost;
        };
        if lost.is_empty() {
            return lost;
        }
        match (reread(&before), reread(&after)) {
            // What the type does not read, it does not compare.
            (Some(read), Some(returned)) if preserve::has_all_of(&read, &before) => {
                preserve::differing(&read, &returned)
            }
            _ => lost,
        }
    }

    fn version<'a>(&self, api_version: &'a str) -> Result<&'a str, String> {
        match api_version.split_once('/') {
            Some((group, version)) if group == self.group && !version.is_empty() => Ok(version),
            _ => Err(format!("`{api_version}` is not a version of group `{}`", self.group)),
        }
    }

    /// Converts an object by the fewest steps.
    fn run_steps(&self, mut object: Value, from: &str, to: &str) -> Result<Value, String> {
        for (version, step) in self.shortest_path(from, to)? {
            let original = metadata(&object);
            let mut converted =
                step(object).map_err(|error| format!("to `{version}`: {}", Chain(&*error)))?;
            let Value::Object(map) = &mut converted else {
                return Err(format!("to `{version}`: the step returned no object"));
            };
            map.insert("apiVersion".into(), format!("{}/{version}", self.group).into());
            map.insert("kind".into(), self.kind.clone().into());
            restore(map, original);
            object = converted;
        }
        Ok(object)
    }

    /// Finds the fewest steps between two versions, by breadth-first search.
    fn shortest_path(&self, from: &str, to: &str) -> Result<Vec<(&str, &Step)>, String> {
        let mut queue = VecDeque::from([(from, Vec::new())]);
        let mut seen = vec![from];
        while let Some((at, path)) = queue.pop_front() {
            if at == to {
                return Ok(path);
            }
            for (start, end, step) in &self.steps {
                if start == at && !seen.contains(&&**end) {
                    seen.push(end);
                    let mut longer: Vec<(&str, &Step)> = path.clone();
                    longer.push((end, step));
                    queue.push_back((end, longer));
                }
            }
        }
        Err(format!("no conversion leads from `{from}` to `{to}`"))
    }
}

fn metadata(object: &Value) -> Map<String, Value> {
    object.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default()
}

/// Restores the original metadata except labels and annotations, as the server does with a webhook's response.
fn restore(converted: &mut Map<String, Value>, mut original: Map<String, Value>) {
    let mut new = match converted.remove("metadata") {
        Some(Value::Object(new)) => new,
        _ => Map::new(),
    };
    for key in ["labels", "annotations"] {
        match new.remove(key) {
            Some(value) => original.insert(key.to_owned(), value),
            None => original.remove(key),
        };
    }
    converted.insert("metadata".to_owned(), original.into());
}

pub(super) fn describe(object: &Value) -> String {
    let text = |pointer: &str| object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
    let (namespace, name) = (text("/metadata/namespace"), text("/metadata/name"));
    let separator = if namespace.is_empty() { "" } else { "/" };
    format!("{}, Kind={} {namespace}{separator}{name}", text("/apiVersion"), text("/kind"))
}
