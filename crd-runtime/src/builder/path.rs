//! Paths, as the derives write them down.

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

/// The path of a printer column that a field asks for.
#[derive(Debug, Clone, Copy)]
pub struct ColumnPath {
    /// The path.
    pub steps: &'static [Step],
    /// The column's type, where it is given.
    pub type_: &'static str,
    /// Whose it is, as the beginning of a message: ``the column of `Template::image`: ``.
    pub of: &'static str,
}
