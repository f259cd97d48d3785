//! The steps of a path, as the derives write it down.

/// A part of a path.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// A field, or the key of a map.
    Field(&'static str),
    /// An element of a list, or some of them, as it is written.
    Item(&'static str),
    /// The elements of a list for which something holds, as it is written, and paths that are looked for
    /// in them.
    Filter(&'static str, &'static [&'static [Step]]),
    /// Every value.
    Every,
    /// What leads further cannot be told, as it is written.
    Stop(&'static str),
}

/// A path, and how a message about it speaks.
#[derive(Clone, Copy)]
pub(super) struct Path<'a> {
    pub(super) steps: &'a [Step],
    /// What it starts from.
    pub(super) from: &'a str,
    /// What stands before the message.
    pub(super) prefix: &'a str,
}

impl<'a> Path<'a> {
    /// A path from the root of an object, or of the value of a rule.
    pub(super) const fn new(steps: &'a [Step]) -> Self {
        Self { steps, from: "the object", prefix: "" }
    }
}
