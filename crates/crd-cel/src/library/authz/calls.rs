//! Evaluation of authorization checks.

use std::sync::Arc;

use crate::budget::Budget;
use crate::domain::authorization::{Action, Decision, Resource, Target};
use crate::domain::names::{dns1123_label, dns1123_subdomain};
use crate::error::EvalError;
use crate::library::costs::{Operand, size, traversed};
pub(super) use crate::value::Value;
use crate::value::{Authorization, Opaque, Principal, Str};

type Result<'a> = std::result::Result<Value<'a>, EvalError>;

/// The cost of a check, in cost units. Source: `k8s.io/apiserver/pkg/cel/library/cost.go`, `CallCost`.
pub(super) const CHECK: u64 = 350_000;

/// The cost of reading a selector: a list, the text once, and one requirement for every two characters.
pub(super) fn selector_cost(operands: &[Operand<'_, '_>], _: Operand<'_, '_>) -> u64 {
    const LIST: u64 = 10;
    const REQUIREMENT: u64 = 50;
    let length = size(operands.get(1).copied().flatten());
    LIST + traversed(length) + length.div_ceil(2) * REQUIREMENT
}

/// The receiver of a method.
fn receiver<'v, 'a>(
    args: &'v [Value<'a>],
) -> std::result::Result<&'v Authorization<'a>, EvalError> {
    match args {
        [Value::Opaque(Opaque::Authorization(receiver)), ..] => Ok(receiver),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

/// The argument at an index, as a text that values can share.
fn text(
    budget: &mut Budget,
    args: &[Value<'_>],
    index: usize,
) -> std::result::Result<Arc<str>, EvalError> {
    match args.get(index) {
        Some(Value::String(Str::Shared(text))) => Ok(Arc::clone(text)),
        Some(Value::String(Str::Borrowed(text))) => {
            budget.steps.take_bytes(text.len())?;
            Ok((*text).into())
        }
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}

/// As [`text`], for a text that must not be blank.
fn not_blank(
    budget: &mut Budget,
    args: &[Value<'_>],
    if_blank: &'static str,
) -> std::result::Result<Arc<str>, EvalError> {
    let text = text(budget, args, 1)?;
    budget.steps.take_bytes(text.len())?;
    if text.trim().is_empty() { Err(EvalError::fixed(if_blank)) } else { Ok(text) }
}

pub(super) fn path<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let Authorization::Authorizer(principal) = receiver(args)? else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    let path = not_blank(budget, args, "path must not be empty")?;
    Ok(Authorization::Path(principal.clone(), path).into())
}

pub(super) fn group<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let Authorization::Authorizer(principal) = receiver(args)? else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    Ok(Authorization::Group(principal.clone(), text(budget, args, 1)?).into())
}

pub(super) fn service_account<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let Authorization::Authorizer(principal) = receiver(args)? else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    let (namespace, name) = (text(budget, args, 1)?, text(budget, args, 2)?);
    budget.steps.take_bytes(namespace.len() + name.len())?;
    if !dns1123_subdomain(&name).is_empty() {
        return Err(EvalError::fixed("Invalid service account name"));
    }
    if !dns1123_label(&namespace).is_empty() {
        return Err(EvalError::fixed("Invalid service account namespace"));
    }
    let authorizer = principal.authorizer;
    let service_account = Some((namespace, name));
    Ok(Authorization::Authorizer(Principal { authorizer, service_account }).into())
}

pub(super) fn resource<'a>(budget: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let Authorization::Group(principal, group) = receiver(args)? else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    let resource = not_blank(budget, args, "resource must not be empty")?;
    let resource = Resource { group: Arc::clone(group), resource, ..Resource::default() };
    Ok(Authorization::Resource(principal.clone(), resource).into())
}

/// The receiver, a resource, with one field set to the argument.
pub(super) fn with<'a>(
    budget: &mut Budget,
    args: &[Value<'a>],
    field: fn(&mut Resource) -> &mut Arc<str>,
) -> Result<'a> {
    let Authorization::Resource(principal, resource) = receiver(args)? else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    let mut resource = resource.clone();
    *field(&mut resource) = text(budget, args, 1)?;
    Ok(Authorization::Resource(principal.clone(), resource).into())
}

pub(super) fn check<'a>(_: &mut Budget, args: &[Value<'a>]) -> Result<'a> {
    let [_, Value::String(verb)] = args else {
        return Err(EvalError::NO_SUCH_OVERLOAD);
    };
    let (principal, target) = match receiver(args)? {
        Authorization::Path(principal, path) => (principal, Target::Path(path)),
        Authorization::Resource(principal, resource) => (principal, Target::Resource(resource)),
        _ => return Err(EvalError::NO_SUCH_OVERLOAD),
    };
    let account = principal.service_account.as_ref();
    let service_account = account.map(|(namespace, name)| (&**namespace, &**name));
    let decision = principal.authorizer.authorize(&Action { service_account, verb, target });
    Ok(Authorization::Decision(decision).into())
}

/// A property of the receiver, a decision.
pub(super) fn decided<'a>(args: &[Value<'a>], property: fn(&Decision) -> Value<'a>) -> Result<'a> {
    match receiver(args)? {
        Authorization::Decision(decision) => Ok(property(decision)),
        _ => Err(EvalError::NO_SUCH_OVERLOAD),
    }
}
