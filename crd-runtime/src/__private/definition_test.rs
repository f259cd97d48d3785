//! The test that a derive writes for each kind: the server would accept the definition.

use std::fmt::{self, Write as _};

use crd_engine::definition::part_of_schema;
use crd_engine::ruleset::{self, Bound, RuleReport};
use crd_engine::{KubernetesVersion, Server};

use crate::crd_schema::Shape;
use crate::custom_resource::CustomResource;
use crate::field::Path;
use crate::model::CustomResourceDefinition;

/// The path of the schema of a kind with one version.
const SCHEMA: &str = "spec.validation.openAPIV3Schema";

/// The errors for which servers would reject a definition.
pub struct InvalidDefinition(String);

/// A failed test prints this.
impl fmt::Debug for InvalidDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What [`check_definition`] returns.
pub type Checked = Result<(), InvalidDefinition>;

/// Checks that all known servers from the minor `oldest` on accept the definition of a kind.
///
/// # Errors
/// The errors of the servers, each with its place in Rust and, if a rule costs too much, with the bounds that would
/// help.
pub fn check_definition<T: CustomResource>(oldest: u32) -> Checked {
    check(T::definition(), &T::SHAPE, oldest)
}

fn check(mut crd: CustomResourceDefinition, shape: &Shape, oldest: u32) -> Checked {
    // A version that is not stored is a part of a definition with another one.
    if let [version] = crd.spec.versions.as_mut_slice() {
        version.storage = true;
    }
    let servers: Vec<_> =
        KubernetesVersion::ALL.into_iter().filter(|server| server.minor() >= oldest).collect();
    let mut found: Vec<Found> = Vec::new();
    for server in &servers {
        for error in &Server::of(*server).validate(&crd) {
            let text = error.to_string();
            if let Some(found) = found.iter_mut().find(|found| found.text == text) {
                found.servers.push(*server);
            } else {
                found.push(Found { field: error.field.clone(), text, servers: vec![*server] });
            }
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    // Writing to a string does not fail.
    let places = Places { crd: serde_json::to_value(&crd).unwrap_or_default(), shape };
    let mut text = format!("the server would reject the definition `{}`", crd.metadata.name);
    for Found { field, text: error, servers: on } in &found {
        text.push_str("\n\n");
        if let (Some(first), true) = (on.first(), on.len() < servers.len()) {
            let _ = write!(text, "on Kubernetes {first}: ");
        }
        text.push_str(error);
        if let Some(place) = places.of(field) {
            let _ = write!(text, "\n  at {place}");
        }
        if let Some((_, list)) = error.split_once(" uncorrelatable portion of the schema within ") {
            let list = places.of(list).unwrap_or_else(|| list.to_owned());
            let _ = write!(
                text,
                "\n  help: the server finds the old items only of a list with `list_type = \"map\"` and `list_map_keys`; \
                 write them at {list}"
            );
        }
        if let Some(report) = on.first().and_then(|server| expensive_rule(&crd, field, *server)) {
            let _ = write!(text, "\n  rule: {}", report.rule);
            let bounds: Vec<_> = report.helpful_bounds.iter().map(|b| places.bound(b)).collect();
            if !bounds.is_empty() {
                let bounds = bounds.join("\n    and ");
                let _ = write!(text, "\n  help: it is within the limit with {bounds}");
            }
        }
    }
    Err(InvalidDefinition(text))
}

/// An error, and the servers that report it.
struct Found {
    field: String,
    text: String,
    servers: Vec<KubernetesVersion>,
}

/// Returns the report of the rule that an error about costs names.
fn expensive_rule(
    crd: &CustomResourceDefinition,
    field: &str,
    server: KubernetesVersion,
) -> Option<RuleReport> {
    let path = field.strip_suffix(".rule").filter(|path| path.starts_with(SCHEMA))?;
    let version = crd.spec.versions.first()?;
    let schema = Server::of(server).compile(crd, &version.name).ok()?;
    let reports = ruleset::report(schema.structural()?, &Path::new(SCHEMA), server);
    reports.into_iter().find(|report| report.path == path && report.error.is_none())
}

/// Finds the parts of a definition in Rust source.
struct Places<'s> {
    crd: serde_json::Value,
    shape: &'s Shape,
}

impl Places<'_> {
    fn of(&self, field: &str) -> Option<String> {
        let (_, steps) = part_of_schema(&self.crd, field)?;
        Some(self.shape.written_at(&steps)?.text)
    }

    /// Returns a bound as the attribute to write, with its place.
    fn bound(&self, bound: &Bound) -> String {
        let Bound { path, keyword, value, .. } = bound;
        let key = match *keyword {
            "maxItems" => "max_items",
            "maxProperties" => "max_properties",
            "maxLength" => "max_length",
            other => other,
        };
        let place = self.of(path).map_or_else(|| path.clone(), |place| format!("{place}: {path}"));
        format!("`{key} = {value}` at {place}")
    }
}
