//! The role in the manifest allows exactly what the operator needs.

use std::time::Duration;

use crd_apiserver::User;
use crd_runtime::rbac::Permissions;
use crd_runtime::yaml;
use serde_json::json;
use website_operator::controller::NAME;
use website_operator::recording::{builder, create_and_delete, permissions, run_until, website};

use crate::Outcome;

const MANIFEST: &str = include_str!("../../deploy/role.yaml");

#[test]
fn the_role_allows_what_is_needed_and_no_more() {
    let needed = permissions().expect("a run");
    let granted = Permissions::from_yaml(MANIFEST).expect("a role");
    let comparison = needed.compare(&granted);
    assert!(comparison.is_exact(), "{comparison}run `cargo rbac`");
}

#[tokio::test(start_paused = true)]
async fn the_operator_waits_until_it_may_act() -> Outcome {
    let mut server = builder().with_workloads().authorize();
    for role in yaml::documents(MANIFEST) {
        server = server.with_object(&role?.value);
    }
    let server = server.start();
    let account = User::service_account("websites", NAME);
    let recording = server.record();
    run_until(server.client_as(account.clone()), async {
        tokio::time::sleep(Duration::from_secs(10)).await;
        let requests = recording.transcript().filtered(|info| info.user == account.name());
        let exchanges = requests.exchanges();
        assert!(!exchanges.is_empty(), "the operator asked for nothing");
        assert!(exchanges.iter().all(|exchange| exchange.code == Some(403)));

        server.create(&json!({
            "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
            "metadata": {"name": NAME},
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": NAME},
            "subjects": [{"kind": "ServiceAccount", "namespace": "websites", "name": NAME}],
        }))?;
        create_and_delete(server.client(), website()).await
    })
    .await?;
    Ok(())
}
