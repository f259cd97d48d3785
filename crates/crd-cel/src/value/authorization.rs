//! The values of the authorization library. Each is immutable: functions such as `namespace` return
//! a new value.
//!
//! Source: `k8s.io/apiserver/pkg/cel/library/authz.go`.

use std::sync::Arc;

use super::{Opaque, SHARED_TEXT, Value};
use crate::basic;
use crate::domain::authorization::{Authorizer, Decision, Resource};

/// A value of the authorization library.
#[derive(Debug, Clone)]
pub enum Authorization<'a> {
    /// The variable `authorizer`, or one for a service account.
    Authorizer(Principal<'a>),
    /// A path to check.
    Path(Principal<'a>, Arc<str>),
    /// An API group, one of whose resources is to be checked.
    Group(Principal<'a>, Arc<str>),
    /// A resource to check.
    Resource(Principal<'a>, Resource),
    /// The result of a check.
    Decision(Decision),
}

/// The authorizer, and for whom it decides.
#[derive(Debug, Clone)]
pub struct Principal<'a> {
    pub(crate) authorizer: &'a dyn Authorizer,
    /// The namespace and the name of a service account; `None` for the user of the request.
    pub(crate) service_account: Option<(Arc<str>, Arc<str>)>,
}

impl Authorization<'_> {
    /// The code of the type in [`basic`].
    fn code(&self) -> u8 {
        match self {
            Self::Authorizer(_) => basic::AUTHORIZER,
            Self::Path(..) => basic::PATH_CHECK,
            Self::Group(..) => basic::GROUP_CHECK,
            Self::Resource(..) => basic::RESOURCE_CHECK,
            Self::Decision(_) => basic::DECISION,
        }
    }

    /// The run-time type's name.
    pub(super) fn type_name(&self) -> &'static str {
        basic::name(self.code())
    }

    /// The name of the Go type, as `%T` prints it.
    pub(super) fn go_type(&self) -> &'static str {
        match self {
            Self::Authorizer(_) => "library.authorizerVal",
            Self::Path(..) => "library.pathCheckVal",
            Self::Group(..) => "library.groupCheckVal",
            Self::Resource(..) => "library.resourceCheckVal",
            Self::Decision(_) => "library.decisionVal",
        }
    }

    /// The approximate number of bytes that the value owns, without texts that other values share.
    pub(super) fn held(&self) -> u64 {
        let (principal, texts) = match self {
            Self::Authorizer(principal) => (Some(principal), 0),
            Self::Path(principal, text) | Self::Group(principal, text) => {
                (Some(principal), owned(text))
            }
            Self::Resource(principal, resource) => {
                (Some(principal), resource.texts().into_iter().map(owned).sum())
            }
            Self::Decision(decision) => {
                let error = decision.error.as_ref().map_or(0, String::len);
                (None, (decision.reason.len() + error) as u64)
            }
        };
        let account = principal.and_then(|principal| principal.service_account.as_ref());
        let account = account.map_or(0, |(namespace, name)| owned(namespace) + owned(name));
        size_of::<Self>() as u64 + SHARED_TEXT + account + texts
    }
}

/// The bytes of a text that no other value shares.
fn owned(text: &Arc<str>) -> u64 {
    if Arc::strong_count(text) == 1 { text.len() as u64 + SHARED_TEXT } else { 0 }
}

impl<'a> From<Authorization<'a>> for Value<'a> {
    fn from(value: Authorization<'a>) -> Self {
        Self::Opaque(Opaque::Authorization(Arc::new(value)))
    }
}

impl<'a> Value<'a> {
    /// An authorizer: the value of the variable `authorizer`, whose type is
    /// `kubernetes.authorization.Authorizer`.
    pub fn authorizer(authorizer: &'a dyn Authorizer) -> Self {
        Authorization::Authorizer(Principal { authorizer, service_account: None }).into()
    }

    /// A resource to check: the value of the variable `authorizer.requestResource`, whose type is
    /// `kubernetes.authorization.ResourceCheck`.
    pub fn resource_check(authorizer: &'a dyn Authorizer, resource: Resource) -> Self {
        let principal = Principal { authorizer, service_account: None };
        Authorization::Resource(principal, resource).into()
    }
}
