//! Colours of output; streams that are not terminals drop them.

use std::fmt;

use anstyle::{AnsiColor, Style};

/// Text in a style.
pub(super) struct Styled<T>(Style, T);

impl<T: fmt::Display> fmt::Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.0.render(), self.1, self.0.render_reset())
    }
}

/// Errors and removed lines.
pub(super) fn bad<T: fmt::Display>(text: T) -> Styled<T> {
    Styled(AnsiColor::Red.on_default(), text)
}

/// Successes and added lines.
pub(super) fn good<T: fmt::Display>(text: T) -> Styled<T> {
    Styled(AnsiColor::Green.on_default(), text)
}

/// Warnings.
pub(super) fn warning<T: fmt::Display>(text: T) -> Styled<T> {
    Styled(AnsiColor::Yellow.on_default(), text)
}

/// Places in files and in diffs.
pub(super) fn place<T: fmt::Display>(text: T) -> Styled<T> {
    Styled(AnsiColor::Cyan.on_default(), text)
}
