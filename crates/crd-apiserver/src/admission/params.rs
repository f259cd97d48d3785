//! The parameters with which a binding evaluates its policy.
//!
//! Source: `CollectParams` of `pkg/admission/plugin/policy/generic/policy_dispatcher.go` of k8s.io/apiserver.

use std::sync::Arc;

use serde_json::Value;

use super::super::catalog::Catalog;
use super::super::core::Core;
use super::super::failure::Answer;
use super::super::fields;
use super::super::kind::ServedKind;
use super::{Attributes, matching};

/// The reason why a policy or binding cannot be evaluated, or a failure that ends the request.
pub(super) type Configured<T> = Answer<Result<T, String>>;

/// Returns the kind of the parameters of a policy; `None` if it has none.
///
/// # Errors
/// Returns the reason if the kind is not served.
pub(super) fn param_kind(
    catalog: &Catalog,
    spec: &Value,
) -> Result<Option<Arc<ServedKind>>, String> {
    let Some(wanted) = fields::object(spec, "paramKind") else { return Ok(None) };
    let (version, kind) = (fields::text(wanted, "apiVersion"), fields::text(wanted, "kind"));
    let found = catalog.find_kind(version, kind).cloned();
    let shown = if version.contains('/') { version.to_owned() } else { format!("/{version}") };
    found.map(Some).ok_or_else(|| {
        format!("failed to find resource referenced by paramKind: '{shown}, Kind={kind}'")
    })
}

/// Returns the parameters for a write; `None` stands for an evaluation without parameters.
///
/// # Errors
/// Returns the reason if there are none although the binding requires some, or if the reference is wrong; and the
/// failure of a parameter that cannot be read.
pub(super) fn params(
    core: &Core,
    kind: Option<&Arc<ServedKind>>,
    binding: &Value,
    attributes: &Attributes,
) -> Configured<Vec<Option<Value>>> {
    let reference = binding.get("spec").and_then(|spec| fields::object(spec, "paramRef"));
    let (Some(kind), Some(reference)) = (kind, reference) else { return Ok(Ok(vec![None])) };
    let (name, given) = (fields::text(reference, "name"), fields::text(reference, "namespace"));
    let namespace = match (kind.namespaced, given, attributes.namespace.as_str()) {
        (true, "", "") => {
            let why = "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources";
            return Ok(Err(why.to_owned()));
        }
        (true, "", own) => own,
        (true, given, _) => given,
        (false, "", _) => "",
        (false, ..) => {
            let why = "paramRef.namespace must not be provided for a cluster-scoped `paramKind`";
            return Ok(Err(why.to_owned()));
        }
    };
    let params = if name.is_empty() {
        match selected_params(core, kind, reference, namespace)? {
            Ok(params) => params,
            Err(why) => return Ok(Err(why)),
        }
    } else {
        let stored = core.store.get(&kind.storage, &kind.key(namespace, name));
        let read = stored.map(|stored| kind.read(stored)).transpose()?;
        read.into_iter().collect()
    };
    if params.is_empty() && fields::text(reference, "parameterNotFoundAction") == "Deny" {
        let why = "no params found for policy binding with `Deny` parameterNotFoundAction";
        return Ok(Err(why.to_owned()));
    }
    Ok(Ok(params.into_iter().map(Some).collect()))
}

fn selected_params(
    core: &Core,
    kind: &ServedKind,
    reference: &Value,
    namespace: &str,
) -> Configured<Vec<Value>> {
    let selector = match matching::selector(core.catalog.kubernetes, reference, "selector") {
        Some(Ok(selector)) => selector,
        Some(Err(why)) => return Ok(Err(why)),
        None => return Ok(Err("one of name or selector must be provided".to_owned())),
    };
    let mut params = Vec::new();
    for (_, stored) in core.store.list(&kind.storage, &kind.prefix(namespace)) {
        match kind.read(stored) {
            // All parameters are converted by one call.
            Err(_) if core.webhook_calls.is_waiting() => {}
            read => params.extend(Some(read?).filter(|object| selector.matches(object))),
        }
    }
    core.webhook_calls.check()?;
    Ok(Ok(params))
}

/// Returns the message of a failure as the reason of a policy, unless the request waits for a webhook.
///
/// # Errors
/// Returns the failure if the request waits.
pub(super) fn reason<T>(core: &Core, answer: Answer<T>) -> Configured<T> {
    match answer {
        Err(failure) if core.webhook_calls.is_waiting() => Err(failure),
        Err(failure) => Ok(Err(failure.message)),
        Ok(value) => Ok(Ok(value)),
    }
}
