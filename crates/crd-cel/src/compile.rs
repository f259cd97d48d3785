//! Compiles a text to a checked expression.

use crate::checked::Checked;
use crate::env::Env;
use crate::syntax::{self, Issues};
use crate::{check, validate};

impl Env {
    /// Parses an expression, checks its types and validates its literals.
    ///
    /// # Errors
    ///
    /// The issues as cel-go reports them. Compilation has three stages; the first stage that finds issues ends it.
    pub fn compile(&self, source: &str) -> Result<Checked, Issues> {
        let checked = check::check(syntax::parse_in(source, self.environment())?, self)?;
        let issues = validate::validate(&checked, self.version());
        if issues.is_empty() { Ok(checked) } else { Err(issues) }
    }
}
