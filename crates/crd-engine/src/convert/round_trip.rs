//! Tests that conversion loses nothing: an object that is converted to another version and back is unchanged.
//!
//! Objects are generated from the schemas. Samples cover what a schema does not express: the test converts the samples,
//! copies of them with one part replaced, and generated objects that contain their strings.

use std::fmt;

use serde_json::{Value, json};

use super::Converter;
use crate::admit;
use crate::compiled::CompiledSchema;
use crate::generate::{self, Options, Random, content};
use crate::json;
use crate::model::CustomResourceDefinition;

/// The default number of objects tried for each version, most of which are valid.
const CASES: u64 = 250;
/// The smallest number of objects per version that must come back unchanged for the test to be meaningful.
const LEAST: u64 = 50;

/// A round-trip test of the versions of a kind, which `crd_runtime::conversions_lose_nothing!`
/// wraps in a test function.
#[derive(Debug, Clone)]
pub struct RoundTrip {
    converter: Converter,
    definition: CustomResourceDefinition,
    hub: String,
    samples: Vec<Value>,
    cases: u64,
}

/// The number of objects with each result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Objects that came back unchanged.
    pub kept: u64,
    /// Generated objects that are invalid.
    pub invalid: u64,
    /// Objects that the conversion rejected.
    pub rejected: u64,
}

/// The reason why the test failed or could not run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum RoundTripError {
    /// An object came back changed, or not at all.
    Lost {
        /// The version of the object, and the version it was converted to.
        versions: (String, String),
        /// The object, without the parts that the failure does not need.
        object: Box<Value>,
        /// The object in the other version; `null` if it cannot be read in that version.
        between: Box<Value>,
        /// The object that came back, or the error of reading it in the other version or of converting it back.
        back: Result<Box<Value>, String>,
    },
    /// An object without some of its fields, as server-side apply converts it, does not convert.
    Partial {
        /// The version of the object, and the version to convert it to.
        versions: (String, String),
        /// The object.
        object: Box<Value>,
        /// The error.
        reason: String,
    },
    /// Too few objects came back unchanged, because the others were invalid or rejected.
    TooFew {
        /// The version of the objects, and the version to convert them to.
        versions: (String, String),
        /// The number of objects with each result.
        kept: Counts,
        /// Why the last of the other objects was invalid or rejected.
        reason: String,
    },
    /// The definition cannot be used, or a sample is invalid.
    Definition(String),
}

impl fmt::Display for RoundTripError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost { versions: (from, to), object, between, back } => {
                write!(
                    f,
                    "{from} -> {to} -> {from} changes\n  {object}\nwhich is in {to}\n  {between}\n"
                )?;
                match back {
                    Ok(back) => write!(f, "and comes back as\n  {back}"),
                    Err(reason) => write!(f, "and does not come back: {reason}"),
                }
            }
            Self::Partial { versions: (from, to), object, reason } => write!(
                f,
                "{from} -> {to} fails for a part of an object, which server-side apply converts:\n  {object}\n{reason}"
            ),
            Self::TooFew { versions: (from, to), kept, reason } => {
                let Counts { kept, invalid, rejected } = kept;
                write!(
                    f,
                    "{from} -> {to} -> {from}: only {kept} objects went there and back, {invalid} were \
                     invalid, {rejected} were rejected: give samples of valid objects. One of them: {reason}"
                )
            }
            Self::Definition(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for RoundTripError {}

/// The result for one object.
enum Trip {
    Kept,
    Rejected(String),
    Lost { between: Value, back: Result<Value, String> },
}

impl RoundTrip {
    /// Creates a test of all versions of a CRD: it converts objects of each version to the hub and back, and objects of
    /// the hub to each version and back.
    pub fn new(
        converter: Converter,
        definition: CustomResourceDefinition,
        hub: impl Into<String>,
    ) -> Self {
        Self { converter, definition, hub: hub.into(), samples: Vec::new(), cases: CASES }
    }

    /// Adds a sample: an object of any version that is valid and that the conversion accepts. Its metadata can be
    /// omitted. Like the generated objects, it must come back unchanged.
    #[must_use]
    pub fn sample(mut self, object: Value) -> Self {
        self.samples.push(object);
        self
    }

    /// Sets the number of objects to try for each version. Default: 250.
    #[must_use]
    pub fn cases(mut self, cases: u64) -> Self {
        self.cases = cases;
        self
    }

    /// Runs the test for all versions. The generated objects are the same in each run.
    ///
    /// # Errors
    /// If the definition does not have the hub version or a usable schema, a sample is invalid, an object does not come
    /// back unchanged, or too few objects do.
    pub fn check(&self) -> Result<Counts, RoundTripError> {
        let mut all = Counts::default();
        let others: Vec<&str> = self
            .definition
            .spec
            .versions
            .iter()
            .map(|version| version.name.as_str())
            .filter(|name| *name != self.hub)
            .collect();
        if others.len() == self.definition.spec.versions.len() {
            let hub = &self.hub;
            return Err(RoundTripError::Definition(format!(
                "the definition has no version `{hub}`"
            )));
        }
        for other in others {
            for (from, to) in [(other, &*self.hub), (&*self.hub, other)] {
                let Counts { kept, invalid, rejected } = self.check_pair(from, to)?;
                all.kept += kept;
                all.invalid += invalid;
                all.rejected += rejected;
            }
        }
        Ok(all)
    }

    fn check_pair(&self, from: &str, to: &str) -> Result<Counts, RoundTripError> {
        let (start, end) = (self.compile(from)?, self.compile(to)?);
        let api_version = |version: &str| format!("{}/{version}", self.definition.spec.group);
        let (source, target) = (api_version(from), api_version(to));
        let samples: Vec<Value> =
            self.samples.iter().filter_map(|sample| self.in_version(sample, &source)).collect();
        let mut options = Options::default();
        for sample in &samples {
            generate::texts(&content(sample), &mut options.texts);
        }
        let root = self.root_schema(from)?;
        let mut random = Random::new(0);
        let mut counts = Counts::default();
        let mut reason = String::new();
        for number in 0..self.cases {
            let sample = usize::try_from(number).ok().and_then(|number| samples.get(number));
            let generated = match sample {
                Some(sample) => sample.clone(),
                None if !samples.is_empty() && random.one_in(2) => {
                    let sample = content(&samples[random.below(samples.len())]);
                    generate::edited(&mut random, root, &options, &sample, 0)
                }
                None => generate::value(&mut random, root, &options, 0),
            };
            let object = match admit::create(&start, self.whole_object(generated, &source)) {
                Ok(admitted) => json::stored(admitted.object),
                Err(rejection) => {
                    if sample.is_some() {
                        return Err(RoundTripError::Definition(format!(
                            "a sample is invalid: {rejection}"
                        )));
                    }
                    counts.invalid += 1;
                    reason = rejection.to_string();
                    continue;
                }
            };
            let trip = |object: &Value| self.trip(object, (&source, &target), &start, &end);
            match trip(&object) {
                Trip::Kept => {
                    counts.kept += 1;
                    self.check_part(&object, &mut random, &target).map_err(|(part, reason)| {
                        RoundTripError::Partial {
                            versions: (from.to_owned(), to.to_owned()),
                            object: part.into(),
                            reason,
                        }
                    })?;
                }
                Trip::Rejected(message) => {
                    counts.rejected += 1;
                    reason = message;
                }
                Trip::Lost { .. } => {
                    let object = generate::shrink(object, |smaller| {
                        admit::create(&start, smaller.clone())
                            .is_ok_and(|admitted| json::stored(admitted.object) == *smaller)
                            && matches!(trip(smaller), Trip::Lost { .. })
                    });
                    if let Trip::Lost { between, back } = trip(&object) {
                        return Err(RoundTripError::Lost {
                            versions: (from.to_owned(), to.to_owned()),
                            object: object.into(),
                            between: between.into(),
                            back: back.map(Box::new),
                        });
                    }
                }
            }
        }
        if counts.kept < LEAST.min(self.cases) {
            return Err(RoundTripError::TooFew {
                versions: (from.to_owned(), to.to_owned()),
                kept: counts,
                reason,
            });
        }
        Ok(counts)
    }

    /// Converts an object without one of its parts, chosen at random.
    ///
    /// # Errors
    /// Returns the part of the object that does not convert, and the error.
    fn check_part(
        &self,
        object: &Value,
        random: &mut Random,
        target: &str,
    ) -> Result<(), (Value, String)> {
        let mut pointers = Vec::new();
        generate::parts(&content(object), &mut String::new(), &mut pointers);
        let mut part = object.clone();
        if let Some(pointer) = random.choose(&pointers) {
            generate::remove(&mut part, pointer);
        }
        match self.converter.convert_or_catch(&part, target) {
            Ok(_) => Ok(()),
            Err(reason) => Err((part, reason)),
        }
    }

    /// Converts an object to the other version, stores and reads it as the server does, and converts it back.
    fn trip(
        &self,
        object: &Value,
        (source, target): (&str, &str),
        start: &CompiledSchema,
        end: &CompiledSchema,
    ) -> Trip {
        let there = match self.converter.convert(object.clone(), target) {
            Ok(there) => there,
            Err(error) => return Trip::Rejected(error.to_string()),
        };
        let between = match admit::read(end, there) {
            Ok(between) => between,
            Err(rejection) => {
                return Trip::Lost { between: Value::Null, back: Err(rejection.to_string()) };
            }
        };
        let back = self.converter.convert(between.clone(), source).map(|mut back| {
            start.prune(&mut back);
            json::stored(back)
        });
        match back {
            Ok(back) if self.is_same(object, &back) => Trip::Kept,
            back => Trip::Lost { between, back: back.map_err(|error| error.to_string()) },
        }
    }

    /// Returns whether the object that came back has the same metadata, and fields that do not differ for the converter.
    fn is_same(&self, object: &Value, back: &Value) -> bool {
        let version = object.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
        let version = version.rsplit('/').next().unwrap_or_default();
        ["apiVersion", "kind", "metadata"].iter().all(|key| object.get(key) == back.get(key))
            && self.converter.lost(version, object, back).is_empty()
    }

    /// Returns a sample in the given version; `None` if it cannot be converted to that version.
    fn in_version(&self, sample: &Value, api_version: &str) -> Option<Value> {
        let of = sample.get("apiVersion").and_then(Value::as_str).unwrap_or(api_version);
        let whole = self.whole_object(sample.clone(), of);
        self.converter.convert(whole, api_version).ok()
    }

    /// Adds `apiVersion`, `kind` and metadata to the content of an object.
    fn whole_object(&self, object: Value, api_version: &str) -> Value {
        let metadata =
            json!({"name": "x", "uid": "1", "labels": {"a": "b"}, "annotations": {"c": "d"}});
        let spec = &self.definition.spec;
        let is_namespaced = spec.scope == "Namespaced";
        generate::whole_object(object, (api_version, &spec.names.kind), &metadata, is_namespaced)
    }

    fn root_schema(&self, version: &str) -> Result<&crate::model::JsonSchemaProps, RoundTripError> {
        let found = self.definition.spec.versions.iter().find(|found| found.name == version);
        found
            .and_then(|found| found.schema.as_ref()?.open_api_v3_schema.as_ref())
            .ok_or_else(|| RoundTripError::Definition(format!("version `{version}` has no schema")))
    }

    fn compile(&self, version: &str) -> Result<CompiledSchema, RoundTripError> {
        let mut definition = self.definition.clone();
        // Otherwise `admit::create` would remove the status, which the test has to compare.
        definition.spec.versions.iter_mut().for_each(|version| version.subresources = None);
        CompiledSchema::for_version(&definition, version)
            .map_err(|errors| RoundTripError::Definition(errors.to_string()))
    }
}
