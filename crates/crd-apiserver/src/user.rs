//! The user who sends a request.
//!
//! Source: `k8s.io/apiserver/pkg/authentication/user` and `pkg/endpoints/filters/impersonation`.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crd_cel::gofmt::quote;
use http::Request;
use serde_json::{Map, Value, json};

/// The group of all authenticated users.
const AUTHENTICATED: &str = "system:authenticated";
/// The group of unauthenticated users.
const UNAUTHENTICATED: &str = "system:unauthenticated";
/// The name of the user of requests without authentication.
const ANONYMOUS: &str = "system:anonymous";
/// The group whose members have full access.
pub(super) const MASTERS: &str = "system:masters";
/// The prefix of the user names of service accounts.
const SERVICE_ACCOUNT: &str = "system:serviceaccount:";

/// A user, as webhooks and authorization see it.
///
/// ```
/// use crd_apiserver::User;
///
/// let user = User::service_account("prod", "operator");
/// assert_eq!(user.name(), "system:serviceaccount:prod:operator");
/// assert_eq!(
///     user.groups(),
///     ["system:serviceaccounts", "system:serviceaccounts:prod", "system:authenticated"]
/// );
/// assert_eq!(User::new("jane").group("dev").groups(), ["dev", "system:authenticated"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub(super) name: String,
    pub(super) uid: String,
    pub(super) groups: Vec<String>,
    pub(super) extra: BTreeMap<String, Vec<String>>,
}

impl User {
    /// Creates a user with the groups that the server adds: `system:authenticated` (`system:unauthenticated` for
    /// `system:anonymous`), and the groups of service accounts for names such as `system:serviceaccount:prod:operator`.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        let name = name.into();
        let mut groups = service_account_groups(&name);
        let group = if name == ANONYMOUS { UNAUTHENTICATED } else { AUTHENTICATED };
        groups.push(group.to_owned());
        Self { name, uid: String::new(), groups, extra: BTreeMap::new() }
    }

    /// Creates the user of a service account.
    #[must_use]
    pub fn service_account(namespace: &str, name: &str) -> Self {
        Self::new(format!("{SERVICE_ACCOUNT}{namespace}:{name}"))
    }

    /// Returns the user of a service account that has not sent the request, so that it is not in the group of all
    /// authenticated users. Source: `ServiceAccountInfo.UserInfo` of `pkg/authentication/serviceaccount/util.go`.
    pub(super) fn absent_service_account(namespace: &str, name: &str) -> Self {
        let mut user = Self::service_account(namespace, name);
        user.groups.retain(|group| group != AUTHENTICATED);
        user
    }

    /// Adds the user to a group.
    #[must_use]
    pub fn group(mut self, group: impl Into<String>) -> Self {
        let group = group.into();
        if !self.groups.contains(&group) {
            self.groups.insert(self.groups.len() - 1, group);
        }
        self
    }

    /// Returns the user name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the groups of the user.
    #[must_use]
    pub fn groups(&self) -> &[String] {
        &self.groups
    }

    /// Returns the administrator, who has full access. Clients without a user of their own act as this user.
    fn admin() -> Self {
        Self::new("system:admin").group(MASTERS)
    }

    /// Returns whether the user has full access.
    pub(super) fn is_master(&self) -> bool {
        self.groups.iter().any(|group| group == MASTERS)
    }

    /// Returns the user whose client sends a request; the administrator for a client without a user.
    pub(super) fn of(request: &Request<Vec<u8>>) -> Arc<Self> {
        // PERF: most requests come from the administrator, so this user is created only once.
        static ADMIN: LazyLock<Arc<User>> = LazyLock::new(|| Arc::new(User::admin()));
        Arc::clone(request.extensions().get::<Arc<Self>>().unwrap_or(&ADMIN))
    }

    /// Returns the user as it is sent to webhooks. Source: `UserInfo` of `k8s.io/api/authentication/v1`.
    pub(super) fn to_value(&self) -> Value {
        let mut value = Map::new();
        for (key, text) in [("username", &self.name), ("uid", &self.uid)] {
            if !text.is_empty() {
                value.insert(key.to_owned(), text.clone().into());
            }
        }
        if !self.groups.is_empty() {
            value.insert("groups".to_owned(), self.groups.clone().into());
        }
        if !self.extra.is_empty() {
            value.insert("extra".to_owned(), json!(self.extra));
        }
        value.into()
    }

    /// Returns the user whom a request impersonates by its headers; `None` if it has no such headers.
    /// Source: `processImpersonationHeaders`.
    ///
    /// # Errors
    /// Returns an error if the headers name groups, a UID or extra values without a user name.
    pub(super) fn impersonated(request: &Request<Vec<u8>>) -> Result<Option<Self>, String> {
        let texts = |name: &str| -> Vec<String> {
            let values = request.headers().get_all(name).into_iter();
            values.filter_map(|value| value.to_str().ok()).map(str::to_owned).collect()
        };
        let name = texts("impersonate-user").into_iter().next().unwrap_or_default();
        let uid = texts("impersonate-uid").into_iter().next().unwrap_or_default();
        let mut groups = texts("impersonate-group");
        let mut extra: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for key in request.headers().keys() {
            if let Some(extra_key) = key.as_str().strip_prefix("impersonate-extra-") {
                let key_text = super::query::decode(extra_key, false);
                extra.insert(key_text, texts(key.as_str()));
            }
        }
        if name.is_empty() {
            if groups.is_empty() && uid.is_empty() && extra.is_empty() {
                return Ok(None);
            }
            return Err(without_name(&uid, &groups, &extra));
        }
        if groups.is_empty() {
            groups = service_account_groups(&name);
        }
        let is_known = |group: &String| group == AUTHENTICATED || group == UNAUTHENTICATED;
        if name == ANONYMOUS {
            if !groups.iter().any(|group| group == UNAUTHENTICATED) {
                groups.push(UNAUTHENTICATED.to_owned());
            }
        } else if !groups.iter().any(is_known) {
            groups.push(AUTHENTICATED.to_owned());
        }
        Ok(Some(Self { name, uid, groups, extra }))
    }

    /// Returns the namespace and name of the service account, if the user is one.
    pub(super) fn account(&self) -> Option<(&str, &str)> {
        self.name.strip_prefix(SERVICE_ACCOUNT)?.split_once(':')
    }
}

impl From<&str> for User {
    fn from(name: &str) -> Self {
        Self::new(name)
    }
}

impl From<String> for User {
    fn from(name: String) -> Self {
        Self::new(name)
    }
}

/// Returns the error message for impersonation headers without a user name, with the values in Go's `%#v` format.
fn without_name(uid: &str, groups: &[String], extra: &BTreeMap<String, Vec<String>>) -> String {
    let list = |texts: &[String]| {
        let quoted: Vec<String> = texts.iter().map(|text| quote(text)).collect();
        format!("[]string{{{}}}", quoted.join(", "))
    };
    let groups = if groups.is_empty() { "[]string(nil)".to_owned() } else { list(groups) };
    let entries: Vec<String> =
        extra.iter().map(|(key, values)| format!("{}:{}", quote(key), list(values))).collect();
    let extra = if entries.is_empty() {
        "map[string][]string(nil)".to_owned()
    } else {
        format!("map[string][]string{{{}}}", entries.join(", "))
    };
    format!(
        "requested &user.DefaultInfo{{Name:\"\", UID:{}, Groups:{groups}, Extra:{extra}}} without impersonating a user \
         name",
        quote(uid)
    )
}

fn service_account_groups(name: &str) -> Vec<String> {
    let Some((namespace, _)) = name.strip_prefix(SERVICE_ACCOUNT).and_then(|it| it.split_once(':'))
    else {
        return Vec::new();
    };
    vec!["system:serviceaccounts".to_owned(), format!("system:serviceaccounts:{namespace}")]
}
