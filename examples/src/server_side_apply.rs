//! Server-side apply of a `CronTab`: an operator sends only the fields that it wants to own.
//!
//! With the feature `client`, `api.apply("nightly", &config, MANAGER).await` sends a configuration.

use crd_runtime::managed_fields;

use crate::crontab::{CronTab, CronTabApply, CronTabSpecApply};

/// The manager of the fields.
pub const MANAGER: &str = "nightly-operator";

/// Returns the operator's configuration of a new `CronTab`. Other managers may set the image.
#[must_use]
pub fn nightly() -> CronTabApply {
    CronTabApply::new()
        .label("app.kubernetes.io/managed-by", MANAGER)
        .spec(CronTabSpecApply::new().cron_spec("0 2 * * *").replicas(1))
}

/// Returns the configuration that the operator has applied, with one replica more.
///
/// The server deletes fields that a manager applied before and omits now, so the next configuration starts from the
/// last one.
///
/// # Errors
/// If the operator owns fields of the object that the type does not have.
pub fn grown(object: &CronTab) -> Result<CronTabApply, managed_fields::Error> {
    let mut config = CronTabApply::extract(object, MANAGER)?;
    let spec = config.spec.get_or_insert_default();
    spec.replicas = Some(spec.replicas.unwrap_or(0) + 1);
    Ok(config)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_of_other_managers_are_not_extracted() {
        let object = serde_json::from_value(json!({
            "apiVersion": "stable.example.com/v1",
            "kind": "CronTab",
            "metadata": {
                "name": "nightly",
                "namespace": "default",
                "labels": {"app.kubernetes.io/managed-by": MANAGER, "team": "a"},
                "managedFields": [{
                    "manager": MANAGER,
                    "operation": "Apply",
                    "fieldsV1": {
                        "f:metadata": {"f:labels": {"f:app.kubernetes.io/managed-by": {}}},
                        "f:spec": {"f:cronSpec": {}, "f:replicas": {}},
                    },
                }],
            },
            "spec": {"cronSpec": "0 2 * * *", "replicas": 1, "image": "busybox"},
        }));
        let config = grown(&object.unwrap()).unwrap();
        let mut want = nightly().name("nightly").namespace("default");
        want.spec.get_or_insert_default().replicas = Some(2);
        let json = |config| serde_json::to_value(config).unwrap();
        assert_eq!(json(config), json(want));
    }
}
