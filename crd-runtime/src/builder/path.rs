//! JSON paths and field paths, as the derives emit them.

/// A part of a path.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// A field, or the key of a map.
    Field(&'static str),
    /// One or several elements of a list, with the text of the step.
    Item(&'static str),
    /// The elements of a list that satisfy a condition: the text of the step, and the paths in the condition.
    Filter(&'static str, &'static [&'static [Step]]),
    /// All values: `*`.
    Every,
    /// A step that the checks cannot follow, with its text.
    Stop(&'static str),
}

/// The path of a printer column that an attribute of a field declares.
#[derive(Debug, Clone, Copy)]
pub struct ColumnPath {
    /// The path.
    pub steps: &'static [Step],
    /// The column's type; empty if it is not given.
    pub type_: &'static str,
    /// The column in messages: ``the column of `image` in `Template` ``.
    pub of: &'static str,
    /// The file and line of that type, behind a static that is read only for an error.
    pub place: &'static &'static str,
}
