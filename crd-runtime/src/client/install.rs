//! Installs definitions, and waits until they are served.

use std::fmt;
use std::time::Duration;

use crd_cel::kubernetes::KubernetesVersion;
use http::Request;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Client;
use kube::api::{GetParams, ListParams, Patch, PatchParams};
use serde::Serialize;
use serde_json::Value;
use tokio::time::Instant;

use super::backoff::Backoff;
use super::error::{Error, ErrorKind, RequestContext};
use super::modify::Outcome;
use super::transport::{self, found};
use crate::Server;
use crate::model::{self, Manifest};

/// The path of definitions on the server.
const PATH: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
/// The first pause between two requests while waiting; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// The longest pause between two requests while waiting.
const MAX_PAUSE: Duration = Duration::from_secs(1);

/// The options of [`install`], such as `InstallOptions::default().force()`.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct InstallOptions {
    /// The field manager of server-side apply. Default: `crd-runtime`.
    pub manager: String,
    /// Whether to take over fields of other managers. Default: no.
    pub force: bool,
    /// The timeout of each wait: until a definition that is being deleted is gone, until the new one is established,
    /// and, for each version, until it is served. Default: 30 seconds.
    pub timeout: Duration,
    /// The minor of the server, by whose rules the definition is validated. Default: the server is asked.
    pub kubernetes: Option<KubernetesVersion>,
}

impl InstallOptions {
    /// Sets the minor of the server, so that the server is not asked for it.
    #[must_use]
    pub fn on(mut self, kubernetes: KubernetesVersion) -> Self {
        self.kubernetes = Some(kubernetes);
        self
    }

    /// Sets the field manager of server-side apply, which will own the fields of the definition.
    #[must_use]
    pub fn manager(mut self, manager: impl Into<String>) -> Self {
        self.manager = manager.into();
        self
    }

    /// Takes over fields that other managers own.
    #[must_use]
    pub fn force(mut self) -> Self {
        self.force = true;
        self
    }

    /// Sets the timeout of each wait, which the field `timeout` describes.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }
}

impl Default for InstallOptions {
    fn default() -> Self {
        Self {
            manager: "crd-runtime".to_owned(),
            force: false,
            timeout: Duration::from_secs(30),
            kubernetes: None,
        }
    }
}

/// A definition that is served.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Installed {
    /// The definition as it is now.
    pub definition: CustomResourceDefinition,
    /// The effect of the call.
    pub outcome: Outcome,
    /// The warnings that a server gives for the definition.
    pub warnings: Vec<String>,
}

/// Installs a definition, or updates the installed one, and waits until it is served. If the installed definition is
/// being deleted, it first waits until that is gone.
///
/// The definition is `Foo::crd()`, or that of several types from `Versions::merged`.
///
/// It is validated first, as the server does, against the installed definition if there is one. A change that the
/// server would reject is not sent. The minor of the server is that of [`InstallOptions::on`], or else what the server
/// says at `/version`; if that is no known minor, the definition is validated as the reference version does.
/// Then it is applied with server-side apply, so fields of other managers, such as an injected `caBundle`, stay.
///
/// # Examples
///
/// ```no_run
/// use crd_runtime::client::{Error, InstallOptions, install};
/// # use crd_runtime::CustomResource;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
/// # #[crd(group = "example.com", version = "v1", kind = "Shirt", namespaced)]
/// # struct ShirtSpec { color: String }
///
/// async fn set_up(client: &kube::Client) -> Result<(), Error> {
///     let installed = install(client, &Shirt::crd(), &InstallOptions::default()).await?;
///     for warning in installed.warnings {
///         eprintln!("warning: {warning}");
///     }
///     Ok(())
/// }
/// ```
///
/// # Errors
/// [`Error::is_invalid`] if the server would reject it, [`Error::manager_conflicts`] if other managers own fields,
/// [`Error::is_deadline`] if it is not established or not served in time, or a definition that is being deleted is not
/// gone in time, and the errors of any call.
pub async fn install(
    client: &Client,
    crd: &(impl Manifest + Serialize + Sync),
    options: &InstallOptions,
) -> Result<Installed, Error> {
    let manifest = crd
        .manifest()
        .map_err(|errors| context("apply", "").error(ErrorKind::Definition(errors)))?
        .into_owned();
    let name = manifest.metadata.name.clone();
    let context = context("apply", &name);
    let body =
        serde_json::to_value(crd).map_err(|error| context.error(ErrorKind::request(error)))?;
    let before = not_deleted(client, &name, options.timeout).await?;
    let kubernetes = match options.kubernetes {
        Some(kubernetes) => kubernetes,
        None => minor_of(client, &context).await.unwrap_or(KubernetesVersion::REFERENCE),
    };
    let rejected = |errors| context.error(ErrorKind::Definition(errors));
    let warnings = match &before {
        None => {
            Server::of(kubernetes).validate(&manifest).into_result().map_err(rejected)?;
            Server::of(kubernetes).warnings(&manifest)
        }
        Some(live) => {
            let live: model::CustomResourceDefinition = transport::read(&context, live)?;
            let applied = applied(manifest, &live);
            let errors = Server::of(kubernetes).validate_update(&applied, &live);
            errors.into_result().map_err(rejected)?;
            Server::of(kubernetes).update_warnings(&applied, &live)
        }
    };
    let mut params = PatchParams::apply(&options.manager);
    params.force = options.force;
    let request = requests().patch(&name, &params, &Patch::Apply(body));
    let after: Value = transport::json(client, &context, request).await?;
    let version = |crd: &Value| crd.pointer("/metadata/resourceVersion").cloned();
    let outcome = match &before {
        None => Outcome::Created,
        Some(before) if version(before) == version(&after) => Outcome::Unchanged,
        Some(_) => Outcome::Updated,
    };
    let definition = wait_established(client, &name, options.timeout).await?;
    wait_served(client, &definition, options.timeout).await?;
    Ok(Installed { definition, outcome, warnings })
}

/// Asks the server for its minor; `None` if it does not say, or if the minor is not known. An error is not reported,
/// because the next request fails with it too if it persists.
async fn minor_of(client: &Client, context: &RequestContext) -> Option<KubernetesVersion> {
    let request = Request::get("/version").body(Vec::new());
    let request = request.map_err(kube::core::request::Error::BuildRequest);
    let version: Value = transport::json(client, context, request).await.ok()?;
    version.get("gitVersion")?.as_str()?.parse().ok()
}

/// Returns the installed definition. If it is being deleted, waits until it is gone, because a change would be lost
/// with it.
async fn not_deleted(
    client: &Client,
    name: &str,
    timeout: Duration,
) -> Result<Option<Value>, Error> {
    let look = || async { Ok(found(get(client, "get", name).await)?.unwrap_or(Value::Null)) };
    let missing = |crd: &Value| is_terminating(crd).then(|| IS_TERMINATING.to_owned());
    let crd = poll(&context("wait for", name), timeout, look, missing).await?;
    Ok(Some(crd).filter(|crd| !crd.is_null()))
}

/// Returns `live` after `new` is applied to it, as far as the checks depend on it: with the spec, labels and
/// annotations of `new`. The status and other metadata stay, and so does the conversion if `new` has none.
fn applied(
    new: model::CustomResourceDefinition,
    live: &model::CustomResourceDefinition,
) -> model::CustomResourceDefinition {
    let mut applied = live.clone();
    applied.metadata.labels.extend(new.metadata.labels);
    applied.metadata.annotations.extend(new.metadata.annotations);
    let conversion = new.spec.conversion.or_else(|| live.spec.conversion.clone());
    applied.spec = model::CustomResourceDefinitionSpec { conversion, ..new.spec };
    applied
}

/// Waits until a definition is established: it exists, its names are accepted, and its condition `Established` is true.
/// The server serves its kinds a moment later; [`install`] waits for that too.
///
/// # Errors
/// [`Error::is_deadline`] after `timeout`, with the last reason to wait. Errors that waiting cannot resolve, such as
/// [`Error::is_forbidden`], are returned at once.
pub async fn wait_established(
    client: &Client,
    name: &str,
    timeout: Duration,
) -> Result<CustomResourceDefinition, Error> {
    let context = context("wait for", name);
    let look = || get(client, "get", name);
    let crd = poll(&context, timeout, look, not_established).await?;
    transport::read(&context, &crd)
}

/// Waits until the server answers requests for each served version. It starts to do so a moment after the definition is
/// established.
async fn wait_served(
    client: &Client,
    crd: &CustomResourceDefinition,
    timeout: Duration,
) -> Result<(), Error> {
    let name = crd.metadata.name.as_deref().unwrap_or_default();
    let context = context("wait for", name);
    for version in crd.spec.versions.iter().filter(|version| version.served) {
        let path = format!("/apis/{}/{}/{}", crd.spec.group, version.name, crd.spec.names.plural);
        let look = || async {
            let request = kube::core::Request::new(&path).list(&ListParams::default().limit(1));
            match transport::json::<Value>(client, &context, request).await {
                // The version is served even if the user may not list it, or its conversion webhook is not up yet.
                Err(error) if error.status().is_some() && !is_not_yet(&error) => Ok(Value::Null),
                answer => answer,
            }
        };
        poll(&context, timeout, look, |_| None).await?;
    }
    Ok(())
}

/// Calls `look` with growing pauses until `missing` returns `None` for its result, or until the timeout. Otherwise
/// `missing` returns the reason to wait.
async fn poll<F: Future<Output = Result<Value, Error>>>(
    context: &RequestContext,
    timeout: Duration,
    mut look: impl FnMut() -> F,
    missing: impl Fn(&Value) -> Option<String>,
) -> Result<Value, Error> {
    let deadline = Instant::now() + timeout;
    let mut backoff = Backoff::new(FIRST_PAUSE, MAX_PAUSE);
    let mut last = "the server has not answered".to_owned();
    loop {
        let mut asked_to_wait = None;
        match tokio::time::timeout_at(deadline, look()).await {
            Ok(Ok(value)) => match missing(&value) {
                None => return Ok(value),
                Some(why) => last = why,
            },
            Ok(Err(error)) if is_not_yet(&error) || error.is_transient() => {
                last = error.kind().to_string();
                asked_to_wait = error.retry_after();
            }
            Ok(Err(error)) => return Err(error),
            Err(_) => {}
        }
        let pause = backoff.next_pause(asked_to_wait);
        if Instant::now() + pause >= deadline {
            return Err(context.error(ErrorKind::Deadline { waited: timeout, last }));
        }
        tokio::time::sleep(pause).await;
    }
}

/// Returns whether waiting may resolve an error.
fn is_not_yet(error: &Error) -> bool {
    error.is_not_found() || error.is_too_many_requests() || error.code() == Some(503)
}

const IS_TERMINATING: &str = "it is being deleted, and is gone once its last object is: see the finalizers of its \
                              objects and its own";

/// Returns whether a definition is being deleted. It still has the condition `Established` then.
///
/// Source: `customresource_handler.go`.
fn is_terminating(crd: &Value) -> bool {
    crd.pointer("/metadata/deletionTimestamp").is_some_and(|time| !time.is_null())
}

/// Returns why a definition is not established yet.
fn not_established(crd: &Value) -> Option<String> {
    if is_terminating(crd) {
        return Some(IS_TERMINATING.to_owned());
    }
    let conditions = crd.pointer("/status/conditions").and_then(Value::as_array);
    let condition =
        |type_: &str| conditions.into_iter().flatten().find(|condition| condition["type"] == type_);
    let is = |type_: &str, status: &str| {
        condition(type_).is_some_and(|condition| condition["status"] == status)
    };
    if is("Established", "True") && !is("NamesAccepted", "False") {
        return None;
    }
    let why = ["NamesAccepted", "Established"].into_iter().find_map(|type_| {
        let condition = condition(type_)?;
        (condition["status"] == "False").then(|| {
            let text = |key: &str| condition[key].as_str().unwrap_or_default().to_owned();
            format!("{type_} is False: {} ({})", text("message"), text("reason"))
        })
    });
    Some(why.unwrap_or_else(|| "it is not established yet".to_owned()))
}

async fn get(client: &Client, verb: &'static str, name: &str) -> Result<Value, Error> {
    let request = requests().get(name, &GetParams::default());
    transport::json(client, &context(verb, name), request).await
}

fn requests() -> kube::core::Request {
    kube::core::Request::new(PATH)
}

fn context(verb: &'static str, name: &str) -> RequestContext {
    RequestContext::definition(verb, name)
}

impl fmt::Display for Installed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.definition.metadata.name.as_deref().unwrap_or_default();
        let outcome = match self.outcome {
            Outcome::Created => "created",
            Outcome::Updated => "updated",
            Outcome::Unchanged => "unchanged",
        };
        write!(f, "{name} {outcome}")
    }
}
