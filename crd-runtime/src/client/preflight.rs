//! Validates a write before it is sent.

use std::sync::Arc;

use kube::api::PatchParams;
use serde_json::Value;

use super::api::Api;
use super::error::{Error, ErrorKind, RequestContext};
use super::kind::{Kind, name_of, to_json};
use crate::admit::{self, Admitted, Operation};
use crate::compiled::CompiledSchema;
use crate::managed_fields::apply::{ApplyRequest, SimulatedApply, reset_by_status, simulate};
use crate::model::JsonSchemaProps;
use crate::names::generated_name;

/// Validates a new object.
pub(super) fn create<K: Kind>(
    api: &Api<K>,
    schema: &CompiledSchema,
    object: &K,
) -> Result<Admitted, Error> {
    let name = name_of(object);
    let context = api.context("create").name(&name);
    let mut value = to_json(&context, object)?;
    fill_in(&mut value, api.namespace());
    admit::create(schema, value)
        .map_err(|rejection| context.error(ErrorKind::rejected(schema, &name, rejection)))
}

/// The settings for the validation of an apply.
#[derive(Debug, Clone)]
pub(super) struct ApplyCheck {
    pub(super) schema: Arc<CompiledSchema>,
    /// The versions with an equal schema, as `apiVersion`s such as `example.com/v1`.
    pub(super) equivalent_versions: Vec<String>,
}

/// Validates an apply to `live` or, without it, a creation by apply. Returns `None` if only the server can
/// decide.
pub(super) fn apply(
    context: &RequestContext,
    check: &ApplyCheck,
    declared: &JsonSchemaProps,
    config: &Value,
    params: &PatchParams,
    status: bool,
    live: Option<&Value>,
) -> Result<Option<Admitted>, Error> {
    let ApplyCheck { schema, equivalent_versions } = check;
    let reset: &[&str] = match (status, schema.resource().has_status) {
        (true, _) => reset_by_status(schema.kubernetes()),
        (false, true) => &["status"],
        (false, false) => &[],
    };
    let request = ApplyRequest {
        schema: declared,
        kubernetes: schema.kubernetes(),
        config,
        manager: params.field_manager.as_deref().unwrap_or_default(),
        force: params.force,
        subresource: if status { "status" } else { "" },
        equivalent_versions,
        reset,
    };
    let applied = match simulate(&request, live) {
        SimulatedApply::Applied(object) => object,
        SimulatedApply::Conflicts(conflicts) => {
            return Err(context.error(ErrorKind::conflicts(&conflicts)));
        }
        SimulatedApply::Unknown => return Ok(None),
    };
    let admitted = match live {
        None if status => return Ok(None),
        None => {
            let mut new = applied;
            fill_in(&mut new, context.namespace.as_deref());
            admit::coerce_merged(schema, new)
                .and_then(|coerced| admit::decide(schema, coerced, Operation::Create))
        }
        Some(live) => admit::coerce_merged(schema, applied).and_then(|coerced| {
            let live = &admit::read(schema, live.clone())?;
            let operation =
                if status { Operation::UpdateStatus(live) } else { Operation::Update(live) };
            admit::decide(schema, coerced, operation)
        }),
    };
    let name = context.name.as_deref().unwrap_or_default();
    let rejected = |rejection| context.error(ErrorKind::rejected(schema, name, rejection));
    admitted.map(Some).map_err(rejected)
}

/// Sets the namespace and the generated name, which the server sets before it validates.
fn fill_in(object: &mut Value, namespace: Option<&str>) {
    if let Some(Value::Object(metadata)) = object.get_mut("metadata") {
        if let Some(namespace) = namespace {
            metadata.entry("namespace").or_insert_with(|| namespace.into());
        }
        if !metadata.contains_key("name")
            && let Some(Value::String(prefix)) = metadata.get("generateName")
        {
            let name = generated_name(prefix);
            metadata.insert("name".to_owned(), name.into());
        }
    }
}
