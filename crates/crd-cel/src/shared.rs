//! Asserts that threads can share these types: if one of them is not `Send` and `Sync`, this module
//! does not compile.

use crate::checked::Checked;
use crate::decl::Decl;
use crate::env::Env;
use crate::error::{EvalError, ParseError};
use crate::plan::{PlanError, Program};
use crate::re2::{self, Regex};
use crate::syntax::{Ast, Issues};
use crate::types::Type;
use crate::value::Value;

const fn shared<T: Send + Sync>() {}

const _: () = {
    shared::<Ast>();
    shared::<Checked>();
    shared::<Decl>();
    shared::<Env>();
    shared::<EvalError>();
    shared::<Issues>();
    shared::<ParseError>();
    shared::<PlanError>();
    shared::<Program>();
    shared::<Regex>();
    shared::<Type>();
    shared::<Value<'_>>();
    shared::<re2::Error>();
};
