//! Server-side apply of apply configurations.

use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;
use std::sync::Arc;

use crd_cel::kubernetes::KubernetesVersion;
use futures::FutureExt;
use futures::future::BoxFuture;
use kube::Client;
use kube::api::{GetParams, Patch, PatchParams, ValidationDirective};
use kube::core::Request;
use serde_json::Value;

use super::api::Api;
use super::error::{Error, ErrorKind, RequestContext};
use super::kind::{Kind, schema_of};
use super::preflight::{self, ApplyCheck};
use super::transport::{self, found};
use crate::HasStatus;
use crate::admit::Admitted;
use crate::apply::ApplyConfiguration;
use crate::compiled::CompiledSchema;

/// A server-side apply, sent when it is awaited.
///
/// ```no_run
/// # use crd_runtime::{CustomResource, client};
/// # use serde::{Deserialize, Serialize};
/// #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
/// #[crd(group = "example.com", version = "v1", kind = "Cache", namespaced, apply)]
/// struct CacheSpec {
///     size: i32,
/// }
///
/// # async fn grow(caches: client::Api<Cache>) -> Result<(), client::Error> {
/// let config = CacheApply::new().spec(CacheSpecApply::new().size(3));
/// let would_be = caches.apply("web", &config, "my-operator").dry_run().await?;
/// let cache = caches.apply("web", &config, "my-operator").force().await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is applied before it is awaited"]
pub struct Apply<'a, K, C> {
    client: Client,
    request: Request,
    context: RequestContext,
    name: &'a str,
    config: &'a C,
    params: PatchParams,
    status: bool,
    /// The minor of the server that [`Apply::check`] follows.
    kubernetes: KubernetesVersion,
    /// How to validate the apply before it is sent; `None` if it is not validated.
    check: Option<ApplyCheck>,
    kind: PhantomData<fn() -> K>,
}

impl<K: Kind> Api<K> {
    /// Applies a configuration for a field manager. The object gets the fields of the configuration, and is created if
    /// it does not exist. A field that the manager applied before is removed if the configuration no longer has it and
    /// no other manager owns it.
    ///
    /// [`Apply::force`], [`Apply::dry_run`], [`Apply::strict`] and [`Apply::status`] set options; `.await` sends the
    /// apply.
    /// The configuration needs no name. For a kind with the status subresource the server ignores `status` here, as in
    /// every write that is not of that subresource.
    ///
    /// # Errors
    /// When awaited: [`Error::manager_conflicts`] if other managers own fields with other values,
    /// [`Error::is_invalid`], [`ErrorKind::Request`] if the configuration names another object, and the errors of any
    /// call.
    pub fn apply<'a, C>(&self, name: &'a str, config: &'a C, manager: &str) -> Apply<'a, K, C>
    where
        C: ApplyConfiguration<Kind = K>,
    {
        let context = self.context("apply");
        let client = self.client().clone();
        let mut apply = Apply::new(client, self.request(), context, name, config, manager);
        apply.kubernetes = self.kubernetes();
        apply
    }
}

/// Adds `apply` to [`kube::Api`]: `use crd_runtime::client::ApplyExt as _`.
pub trait ApplyExt<K> {
    /// Applies a configuration for a manager. See [`Api::apply`].
    fn apply<'a, C>(&self, name: &'a str, config: &'a C, manager: &str) -> Apply<'a, K, C>
    where
        C: ApplyConfiguration<Kind = K>;
}

impl<K: Kind> ApplyExt<K> for kube::Api<K> {
    fn apply<'a, C>(&self, name: &'a str, config: &'a C, manager: &str) -> Apply<'a, K, C>
    where
        C: ApplyConfiguration<Kind = K>,
    {
        let context = RequestContext::of::<K>("apply").namespace(self.namespace());
        let request = Request::new(self.resource_url());
        Apply::new(self.clone().into_client(), request, context, name, config, manager)
    }
}

impl<'a, K: Kind, C> Apply<'a, K, C> {
    fn new(
        client: Client,
        request: Request,
        context: RequestContext,
        name: &'a str,
        config: &'a C,
        manager: &str,
    ) -> Self {
        let params = PatchParams::apply(manager);
        let (context, kind) = (context.name(name), PhantomData);
        Self {
            client,
            request,
            context,
            name,
            config,
            params,
            status: false,
            kubernetes: KubernetesVersion::REFERENCE,
            check: None,
            kind,
        }
    }

    /// Validates the apply before it is sent.
    pub(super) fn checked(
        mut self,
        schema: Arc<CompiledSchema>,
        equivalent_versions: &[String],
    ) -> Self {
        self.check = Some(ApplyCheck { schema, equivalent_versions: equivalent_versions.to_vec() });
        self
    }

    /// Takes over fields that other managers own with other values, instead of failing with a conflict.
    pub fn force(mut self) -> Self {
        self.params.force = true;
        self
    }

    /// Makes a dry run: the server returns the object as it would be, and stores nothing.
    pub fn dry_run(mut self) -> Self {
        self.params.dry_run = true;
        self
    }

    /// Makes the server reject fields that the definition does not have, instead of dropping them.
    pub fn strict(mut self) -> Self {
        self.params.field_validation = Some(ValidationDirective::Strict);
        self
    }

    /// Applies only the status of the configuration.
    pub fn status(mut self) -> Self
    where
        K: HasStatus,
    {
        self.status = true;
        self.context.verb = "apply status";
        self
    }
}

impl<K: Kind, C: ApplyConfiguration<Kind = K>> Apply<'_, K, C> {
    /// Computes what the server would answer, without a request. `live` is the object as the server returned it
    /// ([`Api::get_raw`]), or `None` if there is none. Conflicts with other managers are errors.
    ///
    /// Returns `None` if only the server can decide: a manager has written in another version of the kind (unless
    /// [`Checked::with_versions`](super::Checked::with_versions) says that the schemas are equal), the stored object or
    /// the configuration does not fit the schema or has the same item twice in a list, or a status is applied to an
    /// object that does not exist.
    ///
    /// # Errors
    /// If the server would reject the result.
    pub fn check(&self, live: Option<&Value>) -> Result<Option<Admitted>, Error> {
        let error = |kind| self.context.error(kind);
        let derived;
        let check = if let Some(check) = &self.check {
            check
        } else {
            let schema = schema_of::<K>(self.kubernetes).map_err(error)?;
            derived = ApplyCheck { schema, equivalent_versions: Vec::new() };
            &derived
        };
        let config = with_name(self.config, self.name).map_err(error)?;
        let Self { context, params, status, .. } = self;
        preflight::apply(context, check, C::schema(), &config, params, *status, live)
    }
}

impl<'a, K: Kind, C: ApplyConfiguration<Kind = K>> IntoFuture for Apply<'a, K, C> {
    type Output = Result<K, Error>;
    type IntoFuture = BoxFuture<'a, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        // The body is built here instead of in the future, because a future that holds `&C` is `Send` only if `C` is
        // `Sync`.
        let config = with_name(self.config, self.name);
        let Self { client, request, context, name, params, status, check, .. } = self;
        async move {
            let config = config.map_err(|kind| context.error(kind))?;
            if let Some(check) = check {
                let get = RequestContext { verb: "get", ..context.clone() };
                let live = request.get(name, &GetParams::default());
                let live: Option<Value> = found(transport::json(&client, &get, live).await)?;
                let live = live.as_ref();
                preflight::apply(&context, &check, C::schema(), &config, &params, status, live)?;
            }
            let patch = Patch::Apply(config);
            let request = if status {
                request.patch_subresource("status", name, &params, &patch)
            } else {
                request.patch(name, &params, &patch)
            };
            transport::object(&client, &context, request).await
        }
        .boxed()
    }
}

/// Returns the body of an apply: the configuration with the object's name, which the server requires.
fn with_name<C: ApplyConfiguration>(config: &C, name: &str) -> Result<Value, ErrorKind> {
    let mut body = serde_json::to_value(config).map_err(ErrorKind::request)?;
    match config.metadata().name.as_deref() {
        Some(own) if own != name => {
            return Err(ErrorKind::request(format!(
                "the configuration has the name {own:?}: apply it to that, or leave the name out"
            )));
        }
        Some(_) => {}
        None => body["metadata"]["name"] = name.into(),
    }
    Ok(body)
}

impl<K, C: fmt::Debug> fmt::Debug for Apply<'_, K, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { context, config, params, .. } = self;
        let mut debug = f.debug_struct("Apply");
        debug.field("context", context).field("config", config).field("params", params).finish()
    }
}
