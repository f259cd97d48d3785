//! What stands out on a terminal; the streams drop it everywhere else.

use std::fmt;

use anstyle::{AnsiColor, Style};

/// Text in a style.
pub(super) struct Styled<T>(Style, T);

impl<T: fmt::Display> fmt::Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.0.render(), self.1, self.0.render_reset())
    }
}

/// What went wrong, or goes away.
pub(super) fn bad<T: fmt::Display>(text: T) -> Styled<T> {
    Styled(AnsiColor::Red.on_default(), text)
}

/// What is well, or comes in.
pub(super) fn good<T: fmt::Display>(text: T) -> Styled<T> {
    Styled(AnsiColor::Green.on_default(), text)
}

/// What deserves a look.
pub(super) fn warning<T: fmt::Display>(text: T) -> Styled<T> {
    Styled(AnsiColor::Yellow.on_default(), text)
}

/// Where one is.
pub(super) fn place<T: fmt::Display>(text: T) -> Styled<T> {
    Styled(AnsiColor::Cyan.on_default(), text)
}
