//! RBAC authorization by the stored roles and bindings.
//!
//! Source: `plugin/pkg/auth/authorizer/rbac` of kubernetes/kubernetes, and `pkg/endpoints/filters` of k8s.io/apiserver.

mod aggregation;
mod attributes;
mod bindings;
mod escalation;
mod impersonation;
mod policy;
mod reviews;
mod rules;

use super::ApiServer;
use super::call::Call;
use super::core::Core;
use super::failure::{Answer, Failure, Of};
use super::user::User;

pub(super) use attributes::Asked;
pub(super) use reviews::{REVIEWS, Review};
use rules::Rule;

/// The API group of roles and bindings.
const GROUP: &str = "rbac.authorization.k8s.io";

/// Whether an action is allowed, and for what reason.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Decision {
    allowed: bool,
    reason: String,
}

impl ApiServer {
    /// Enables authorization by roles and bindings. Without it, every user may do everything.
    ///
    /// The server then has the cluster roles `cluster-admin`, bound to `system:masters`; `system:discovery` and
    /// `system:basic-user`, bound to all authenticated users; `system:public-info-viewer`, bound to all users; and
    /// `admin`, `edit` and `view`, which aggregate the rules of cluster roles that are labelled for them.
    /// [`ApiServer::client`] keeps all permissions; [`ApiServer::client_as`] returns clients of other users.
    ///
    /// ```
    /// use crd_runtime::apiserver::{ApiServer, User};
    /// use k8s_openapi::api::core::v1::ConfigMap;
    /// use kube::api::{Api, ListParams};
    /// use serde_json::json;
    ///
    /// # tokio_test(async {
    /// let server = ApiServer::new().authorize().with_object(&json!({
    ///     "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
    ///     "metadata": {"name": "reader", "namespace": "default"},
    ///     "rules": [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["list"]}],
    /// })).with_object(&json!({
    ///     "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
    ///     "metadata": {"name": "reader", "namespace": "default"},
    ///     "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "reader"},
    ///     "subjects": [{"kind": "ServiceAccount", "name": "operator", "namespace": "prod"}],
    /// }));
    /// let client = server.client_as(User::service_account("prod", "operator"));
    /// let here: Api<ConfigMap> = Api::namespaced(client.clone(), "default");
    /// here.list(&ListParams::default()).await?;
    /// let elsewhere: Api<ConfigMap> = Api::namespaced(client, "prod");
    /// let refused = elsewhere.list(&ListParams::default()).await.unwrap_err().to_string();
    /// assert!(refused.contains(
    ///     "User \"system:serviceaccount:prod:operator\" cannot list resource \"configmaps\" in API group \"\" in the \
    ///      namespace \"prod\""
    /// ));
    /// # Ok::<(), kube::Error>(())
    /// # });
    /// # fn tokio_test(test: impl Future<Output = Result<(), kube::Error>>) {
    /// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test).unwrap();
    /// # }
    /// ```
    #[must_use]
    pub fn authorize(self) -> Self {
        self.shared.lock().authorizes = true;
        self.make_roles();
        self
    }

    /// Creates the default roles if authorization is enabled.
    pub(super) fn make_roles(&self) {
        if self.shared.lock().authorizes {
            for object in policy::objects() {
                // A role or binding that already exists is left unchanged.
                let _ = self.create(&object);
            }
        }
    }
}

impl Core {
    /// Decides whether a user may perform an action. Source: `RBACAuthorizer.Authorize`.
    fn decide(&self, asked: &Asked) -> Decision {
        if !self.authorizes || asked.user.is_master() {
            return Decision { allowed: true, reason: String::new() };
        }
        let found = self.granted(&asked.user, &asked.namespace);
        let allows = |(_, rule): &&(String, Rule)| rule.allows(asked);
        if let Some((source, _)) = found.rules.iter().find(allows) {
            return Decision { allowed: true, reason: format!("RBAC: allowed by {source}") };
        }
        let reason = match found.errors.as_slice() {
            [] => String::new(),
            [only] => format!("RBAC: {only}"),
            many => format!("RBAC: [{}]", many.join(", ")),
        };
        Decision { allowed: false, reason }
    }

    /// Checks that the user of an update may create the object, which does not exist yet.
    ///
    /// # Errors
    /// Status 403 if the user may not create it.
    pub(super) fn authorize_creation(&self, call: &Call<'_>) -> Answer<()> {
        let mut asked = Asked::of(call.path, call.request, &call.user);
        "create".clone_into(&mut asked.verb);
        self.authorized(&asked)
    }

    /// Checks that a user may perform an action.
    ///
    /// # Errors
    /// Status 403 if the user may not perform it.
    pub(super) fn authorized(&self, asked: &Asked) -> Answer<()> {
        let Decision { allowed, reason } = self.decide(asked);
        if allowed {
            return Ok(());
        }
        let mut why = asked.refusal();
        if !reason.is_empty() {
            why = format!("{why}: {reason}");
        }
        let of = Of { group: &asked.group, kind: &asked.resource };
        Err(Failure::forbidden(of, &asked.name, &why))
    }
}
