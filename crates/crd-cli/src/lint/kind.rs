//! A lint: what the server accepts, and what people should know about it.

use super::definition::{Definition, Node};
use crate::model::CustomResourceDefinitionVersion;

/// A lint.
pub(super) struct Lint {
    /// Its name, as in `#[crd(allow(..))]` and in the output.
    pub(super) id: &'static str,
    /// The level without options.
    pub(super) level: Level,
    /// What it finds, in a few words.
    pub(super) finds: &'static str,
    /// Why it matters.
    pub(super) why: &'static str,
    /// How to mend it in Rust.
    pub(super) in_rust: &'static str,
    /// How to mend it in YAML.
    pub(super) in_yaml: &'static str,
    /// A part of a definition in which it finds something.
    pub(super) bad: Example,
    /// The same part, mended.
    pub(super) good: Example,
    /// Finds it.
    pub(super) find: fn(&Definition<'_>, &mut Findings),
}

impl std::fmt::Debug for Lint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.id)
    }
}

/// Lints are constants: two with one name are the same.
impl PartialEq for Lint {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// What is done with the findings of a lint, as rustc does it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Nothing.
    Allow,
    /// They are reported.
    Warn,
    /// They are reported, and the command fails.
    Deny,
}

impl Level {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Warn => "warn",
            Self::Deny => "deny",
        }
    }
}

/// A part of a definition, in YAML.
#[derive(Debug, Clone, Copy)]
pub(super) enum Example {
    /// The properties of `spec`.
    Spec(&'static str),
    /// The properties of `status`, with the subresource.
    Status(&'static str),
    /// Keys of a version.
    Version(&'static str),
    /// Keys of the `spec` of the definition.
    Definition(&'static str),
}

impl Example {
    /// Returns the text, and where it is in a definition.
    pub(super) fn parts(self) -> (&'static str, &'static str) {
        match self {
            Self::Spec(text) => (text, "the properties of `spec`"),
            Self::Status(text) => (text, "the properties of `status`, with the subresource on"),
            Self::Version(text) => (text, "a version of the definition"),
            Self::Definition(text) => (text, "the `spec` of the definition"),
        }
    }
}

/// A place in a definition.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Place {
    /// The version; `None` if the finding is about the definition as a whole.
    pub(super) version: Option<String>,
    /// The field path.
    pub(super) field: String,
}

/// Something that a lint has found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub(super) lint: &'static Lint,
    /// Where it is in the definition: in several versions if they have the same finding.
    pub(super) places: Vec<Place>,
    /// The path in objects, such as `spec.ports[]`; empty if it is not about a value.
    pub(super) value: String,
    pub(super) message: String,
}

/// Collects what one lint finds.
pub(super) struct Findings {
    lint: &'static Lint,
    pub(super) found: Vec<Found>,
}

impl Findings {
    pub(super) fn of(lint: &'static Lint) -> Self {
        Self { lint, found: Vec::new() }
    }

    /// Adds a finding about a schema.
    pub(super) fn at(&mut self, node: &Node<'_>, message: impl Into<String>) {
        self.keyword(node, "", message);
    }

    /// Adds a finding about a keyword of a schema.
    pub(super) fn keyword(&mut self, node: &Node<'_>, keyword: &str, message: impl Into<String>) {
        let field = match keyword {
            "" => node.field.clone(),
            keyword => format!("{}.{keyword}", node.field),
        };
        self.add(Some(node.version), field, node.value.clone(), message.into());
    }

    /// Adds a finding about a part of a version other than its schema.
    pub(super) fn version(
        &mut self,
        version: &CustomResourceDefinitionVersion,
        field: String,
        message: impl Into<String>,
    ) {
        self.add(Some(version), field, String::new(), message.into());
    }

    /// Adds a finding about the definition as a whole.
    pub(super) fn definition(&mut self, field: &str, message: impl Into<String>) {
        self.add(None, field.to_owned(), String::new(), message.into());
    }

    /// Adds a finding, or its version to the same one in another version.
    fn add(
        &mut self,
        version: Option<&CustomResourceDefinitionVersion>,
        field: String,
        value: String,
        message: String,
    ) {
        let place = Place { version: version.map(|version| version.name.clone()), field };
        let same =
            self.found.iter_mut().find(|found| found.value == value && found.message == message);
        match same {
            Some(same) => same.places.push(place),
            None => self.found.push(Found { lint: self.lint, places: vec![place], value, message }),
        }
    }
}

impl Found {
    /// Returns the first field path.
    pub(super) fn field(&self) -> &str {
        self.places.first().map_or("", |place| &place.field)
    }

    /// Returns the versions in which it is, each once.
    pub(super) fn versions(&self) -> Vec<&str> {
        let mut versions: Vec<&str> =
            self.places.iter().filter_map(|place| place.version.as_deref()).collect();
        versions.dedup();
        versions
    }
}
