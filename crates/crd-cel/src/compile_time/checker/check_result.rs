//! The result of a check: the error for which the server would reject an expression.

use super::Checker;
use crate::compile_time::basic;
use crate::compile_time::code::flag;
use crate::compile_time::fuel::Fuel;
use crate::compile_time::memory::{LARGE, Memory, SMALL};
use crate::compile_time::message::Text;
use crate::compile_time::rule::{Rule, Want};
use crate::compile_time::types::Type;

/// The error for a rule on a value without a type.
///
/// Source: apiextensions-apiserver `pkg/apiserver/schema/cel/compilation.go`, `prepareEnvSet`.
const UNTYPED: &str = "this holds any JSON, or values of several types, and rules need to know the type of `self`; put \
    the rule on a field that has one";

/// The result of a check.
pub(in crate::compile_time) struct CheckResult {
    /// The error for which the server would reject the expression.
    pub(in crate::compile_time) error: Option<Text>,
    /// Where the first error is in the expression, in code points.
    pub(in crate::compile_time) at: u16,
    /// As in [`Examined`](crate::compile_time::Examined).
    pub(in crate::compile_time) since: u32,
    /// The fuel that the check spent, at most twice its limit.
    pub(in crate::compile_time) spent: usize,
    memory_is_full: bool,
}

/// Checks an expression with an amount of fuel.
pub(in crate::compile_time) const fn check_expression(rule: &Rule, limit: usize) -> CheckResult {
    let result = check_within::<SMALL>(rule, limit);
    if !result.memory_is_full {
        return result;
    }
    let again = check_within::<LARGE>(rule, limit);
    CheckResult { spent: result.spent + again.spent, ..again }
}

/// As [`check_expression`], with memory of a size.
const fn check_within<const N: usize>(rule: &Rule, limit: usize) -> CheckResult {
    let mut memory = Memory::<N>::NEW;
    let mut checker = Checker::new(rule, Fuel::new(limit), memory.lend());
    CheckResult {
        error: checker.error(rule),
        at: checker.issues.first(),
        since: checker.since,
        spent: checker.types.fuel.spent,
        memory_is_full: checker.types.memory_is_full,
    }
}

impl Checker<'_> {
    /// The first error of the expression in the server's order.
    const fn error(&mut self, rule: &Rule) -> Option<Text> {
        if self.untyped {
            let mut text = Text::new();
            text.push(UNTYPED);
            return Some(text);
        }
        let result = self.result();
        let count = self.issues.count;
        if count == 0 && !self.types.full && rule.program[0] & flag::LITERALS != 0 {
            self.start();
            self.value_count = 2;
            while self.step_over() && self.types.step(0) {}
            if self.types.full {
                self.issues.keep(0);
            }
        }
        if self.types.full && self.issues.count == 0 {
            return None;
        }
        if self.issues.count > 0 {
            let mut text = Text::new();
            self.issues.print(rule.source, &mut text);
            return Some(text);
        }
        let (want, wrong) = match rule.want {
            Want::Rule => (basic::BOOL, "the rule must evaluate to a bool, not to "),
            Want::Message => {
                (basic::STRING, "`message_expression` must evaluate to a string, not to ")
            }
        };
        let result = self.types.apply(result);
        match result {
            Type::Basic(basic::UNKNOWN) => {}
            Type::Basic(code) if code == want => {}
            _ => {
                let mut text = Text::new();
                text.push(wrong);
                text.push_type(&self.types, result, 0);
                return Some(text);
            }
        }
        if let Some(why) = self.cannot_be_planned {
            let mut text = Text::new();
            text.push(why);
            return Some(text);
        }
        if self.non_member_count > 0 && !rule.unchecked {
            self.report_non_members();
            let mut text = Text::new();
            text.push("comparison with a value that never occurs: ");
            self.issues.print(rule.source, &mut text);
            text.push(
                "\nhelp: the server accepts this rule; add `unchecked(\"why\")` after the expression to keep it",
            );
            return Some(text);
        }
        None
    }
}
