//! The requests of a sequence, whose parts can refer to earlier answers.

use std::fmt;

/// The placeholder for the namespace of a run.
pub(super) const NAMESPACE: &str = "{{namespace}}";

/// A request. A placeholder `{{..}}` in its path or body is replaced by a value of [`super::memory::Memory`].
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Step {
    /// The user agent, from which the server derives the field manager.
    pub(super) agent: &'static str,
    pub(super) method: &'static str,
    /// The path with its query.
    pub(super) path: String,
    pub(super) content_type: &'static str,
    pub(super) accept: &'static str,
    pub(super) body: String,
    pub(super) reads: Reads,
    /// The domain of the group of the run.
    pub(super) domain: &'static str,
    /// Whether [`super::lifecycle::settled`] is read after it.
    pub(super) settles: bool,
    /// Whether a real server has time to see the earlier writes in its caches before it is sent.
    pub(super) waits: bool,
    /// The number of its round: the requests of a round are sent at once. 0 if it is sent alone.
    pub(super) together: u32,
}

/// How an answer is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reads {
    /// The whole body.
    Whole,
    /// The events of a watch, one per line, up to that of the object with this name.
    EventsUntil(&'static str),
    /// As `EventsUntil`, but only the last event of each object, without versions.
    LastEventsUntil(&'static str),
    /// The whole body without versions, which depend on the order of concurrent writes.
    State,
    /// The part of a discovery document, such as `/apis`, about the groups of these tests.
    Group,
    /// The whole body. Nothing in it is masked.
    Document,
    /// Nothing. The request must succeed.
    Configured,
    /// Nothing. If the sequence has a request with this path, this one is repeated until it is denied.
    DeniedAfter(&'static str),
    /// Nothing is compared; the answer is only remembered.
    Uncompared,
}

impl Step {
    pub(super) fn new(method: &'static str, path: impl Into<String>) -> Self {
        Self {
            agent: "kubectl/v1.37.2",
            method,
            path: path.into(),
            content_type: "application/json",
            accept: "application/json",
            body: String::new(),
            reads: Reads::Whole,
            domain: "example.com",
            settles: false,
            waits: false,
            together: 0,
        }
    }

    pub(super) fn body(mut self, body: impl fmt::Display) -> Self {
        self.body = body.to_string();
        self
    }

    /// Adds a parameter to the query.
    pub(super) fn with(mut self, key: &str, value: &str) -> Self {
        self.path.push(if self.path.contains('?') { '&' } else { '?' });
        self.path.push_str(key);
        self.path.push('=');
        self.path.push_str(value);
        self
    }

    /// Returns the path without its query.
    pub(super) fn path_without_query(&self) -> &str {
        self.path.split('?').next().unwrap_or_default()
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agent, method, path, content_type, accept, body, .. } = self;
        write!(f, "{method} {path} as {agent}")?;
        if self.together > 0 {
            write!(f, ", at once with all of round {}", self.together)?;
        }
        if accept != &"application/json" {
            write!(f, "\n    accept: {accept}")?;
        }
        if !body.is_empty() {
            write!(f, "\n    {content_type}: {body}")?;
        }
        Ok(())
    }
}
