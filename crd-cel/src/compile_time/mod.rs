//! The type checker once more, as constant functions: rustc runs it while it compiles a rule's type.
//!
//! The derive macro parses a rule and writes it down as a [`Program`]: postfix code in one byte string.
//! Beside it stands `const _: () = check(Rule { .. })`, and what [`check`](check()) finds becomes the
//! text of rustc's error: cel-go's words, with its snippet and caret below the line of the rule.
//! What the macro cannot know, the fields of other types, is in the constants that their derives
//! leave ([`Declared`]).
//!
//! The rules are those of `crate::check`, and a test holds the two together, overload by overload.
//! Where a type is not known ([`Declared::Unknown`]), or a rule is larger than the limits here, there is
//! no error: the checks of the definition, which know all, remain.
//!
//! Constant functions have no heap, no traits and a slow interpreter: types are numbers into arrays of
//! a fixed size, and names are resolved to numbers when the program is written.

mod advice;
mod budget;
mod check;
#[cfg(feature = "eval")]
mod compare;
mod declared;
mod estimate;
mod fuel;
mod literals;
mod message;
mod pieces;
mod places;
mod program;
mod signatures;
mod sites;
#[cfg(all(test, feature = "eval"))]
mod tests;
mod text;
mod types;
mod unify;

pub use budget::{Rules, costs, within_limit, within_total};
pub use check::{
    ELEMENTS, Examined, Rule, Sure, Want, check, check_at, examine, least_cost, report, report_of,
    report_within,
};
pub use declared::{Declared, Field, Most, Object};
pub use pieces::is_in_piece;
pub use program::{Program, uses_old_self};
pub use text::{Text, distance, equal, is_similar};
