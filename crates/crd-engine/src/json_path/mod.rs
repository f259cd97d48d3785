//! JSON paths in the syntax of client-go's templates, as in printer columns and selectable fields.
//!
//! Divergence: a wildcard over an object visits its keys in sorted order; Go's order is random.
//!
//! Source: `k8s.io/client-go/util/jsonpath` (`parser.go`, `jsonpath.go`).

mod compare;
mod eval;
mod parse;
mod quote;

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

/// A parsed template: text, and actions in braces.
///
/// # Examples
///
/// ```
/// use crd_runtime::json_path::Template;
/// use serde_json::json;
///
/// let object = json!({"status": {"conditions": [
///     {"type": "Ready", "status": "True"},
///     {"type": "Synced", "status": "False"},
/// ]}});
/// let template = Template::parse(r#"{.status.conditions[?(@.type=="Ready")].status}"#)?;
/// let found = template.find(&object)?;
/// assert_eq!(*found[0][0], "True");
///
/// // A printer column's path is the inside of one action.
/// let path = Template::parse_path(".status.conditions[*].type")?;
/// assert_eq!(path.find(&object)?[0].len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    nodes: Vec<TemplateNode>,
}

/// A top-level node of a template.
#[derive(Debug, Clone, PartialEq)]
enum TemplateNode {
    Text(String),
    Action(Vec<ActionNode>),
}

/// A step of an action.
#[derive(Debug, Clone, PartialEq)]
enum ActionNode {
    Text(String),
    Int(i64),
    Float(f64),
    Bool(bool),
    Field(String),
    Wildcard,
    Recursive,
    Array([Param; 3]),
    Union(Vec<Vec<ActionNode>>),
    Filter { left: Vec<ActionNode>, operator: String, right: Vec<ActionNode> },
    Identifier(String),
}

/// A part of `[begin:end:step]`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Param {
    value: i64,
    /// Whether it has a value; `false` if the text leaves it out.
    known: bool,
    /// Whether this is the end `n + 1` of an index `[n]`, which the text does not contain.
    derived: bool,
}

/// The values that one action selects. A text of the template is a group with this text as its only value.
pub type Group<'a> = Vec<Cow<'a, Value>>;

/// An error of parsing or evaluating a template, with the text of client-go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error(String);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

impl Template {
    /// Parses a template, such as `{.spec.replicas}`.
    ///
    /// # Errors
    /// If the template is malformed, with the text of client-go.
    pub fn parse(text: &str) -> Result<Self, Error> {
        parse::template(text).map(|nodes| Self { nodes }).map_err(Error)
    }

    /// Parses a JSON path of the API, such as `.spec.replicas`, which is the inside of one action.
    ///
    /// # Errors
    /// If the path is malformed, with the text of client-go.
    pub fn parse_path(path: &str) -> Result<Self, Error> {
        Self::parse(&format!("{{{path}}}"))
    }

    /// Returns the field names of a path such as `.spec.replicas`; `None` if the path has other steps than fields.
    pub fn field_names(&self) -> Option<Vec<&str>> {
        match &self.nodes[..] {
            [TemplateNode::Action(nodes)] => {
                let names = nodes.iter().map(|node| match node {
                    ActionNode::Field(name) => Some(name.as_str()),
                    _ => None,
                });
                names.collect()
            }
            _ => None,
        }
    }

    /// Returns the values that the template selects; a missing key selects nothing.
    ///
    /// # Errors
    /// With the text of client-go, for example if an indexed value is not a list, an index is out of range, or values
    /// cannot be compared.
    pub fn find<'a>(&'a self, value: &'a Value) -> Result<Vec<Group<'a>>, Error> {
        eval::find(&self.nodes, value).map_err(Error)
    }
}
