//! A version of a kind, as the server serves it.

use std::collections::BTreeMap;
use std::sync::Arc;

use crd_engine::definition;
use serde_json::Value;

use super::builtin::{BuiltIn, api_version};
use super::failure::{Answer, Failure, GroupResource};
use super::store::StoredObject;
use super::webhooks::{WebhookCalls, WebhookConversion};
use crate::admit;
use crate::compiled::CompiledSchema;
use crate::convert::{Converter, WebhookRequest};
use crate::model::{JsonSchemaProps, Names};

/// A version of a kind.
#[derive(Debug)]
pub(super) struct ServedKind {
    pub(super) group: String,
    pub(super) version: String,
    /// The accepted names.
    pub(super) names: Names,
    pub(super) namespaced: bool,
    pub(super) has_status: bool,
    pub(super) has_scale: bool,
    /// The resource in the store, such as `example.com/widgets`.
    pub(super) storage: Arc<str>,
    /// The storage version, such as `example.com/v1`.
    pub(super) stored_as: String,
    pub(super) strategy: Strategy,
    /// The warnings that the response to each request carries.
    pub(super) warnings: Vec<String>,
    /// A number that no other kind has. When a definition is changed, its kinds get new numbers.
    pub(super) id: u64,
}

/// How objects are decoded, prepared, validated and converted.
#[derive(Debug)]
pub(super) enum Strategy {
    Custom {
        compiled: Arc<CompiledSchema>,
        /// The schemas of all versions of the definition.
        schemas: Arc<Schemas>,
        /// The schema of whole objects, which determines how the ownership of fields is tracked.
        schema: Arc<JsonSchemaProps>,
        conversion: ConversionStrategy,
    },
    Definition,
    BuiltIn(&'static BuiltIn),
}

/// The schemas of a definition, keyed by version: also those of versions that are not served, because objects may be
/// stored in them.
pub(super) type Schemas = BTreeMap<String, Arc<CompiledSchema>>;

/// How objects are converted from one version to another.
#[derive(Debug, Clone)]
pub(super) enum ConversionStrategy {
    /// Only `apiVersion` changes.
    None,
    InProcess(Arc<Converter>, WebhookCalls),
    Webhook(Box<WebhookConversion>),
}

impl ServedKind {
    /// Returns the `apiVersion`: `example.com/v1`, or `v1` for the core group.
    pub(super) fn api_version(&self) -> String {
        api_version(&self.group, &self.version)
    }

    /// Returns the resource as error messages name it.
    pub(super) fn resource(&self) -> GroupResource<'_> {
        GroupResource { group: &self.group, kind: &self.names.plural }
    }

    /// Returns the kind as error messages name it.
    pub(super) fn kind(&self) -> GroupResource<'_> {
        GroupResource { group: &self.group, kind: &self.names.kind }
    }

    pub(super) fn compiled(&self) -> Option<&CompiledSchema> {
        match &self.strategy {
            Strategy::Custom { compiled, .. } => Some(compiled),
            Strategy::Definition | Strategy::BuiltIn(_) => None,
        }
    }

    /// Returns whether servers of a minor count changes in the generation of objects.
    pub(super) fn has_generation(&self, minor: u32) -> bool {
        match &self.strategy {
            Strategy::BuiltIn(built_in) => built_in.has_generation(minor),
            Strategy::Custom { .. } | Strategy::Definition => true,
        }
    }

    /// Returns the schema of whole objects, which determines how the ownership of fields is tracked.
    pub(super) fn schema(&self) -> Arc<JsonSchemaProps> {
        match &self.strategy {
            Strategy::Custom { schema, .. } => Arc::clone(schema),
            Strategy::Definition => definition::published_schema(),
            Strategy::BuiltIn(built_in) => Arc::clone(&built_in.schema),
        }
    }

    /// Returns the first minor of the server that serves the kind.
    pub(super) fn since(&self) -> u32 {
        match &self.strategy {
            Strategy::BuiltIn(built_in) => built_in.traits.since,
            Strategy::Definition | Strategy::Custom { .. } => 0,
        }
    }

    /// Returns whether its objects can only be read, and not watched.
    pub(super) fn is_read_only(&self) -> bool {
        matches!(&self.strategy, Strategy::BuiltIn(built_in) if built_in.traits.read_only)
    }

    /// Returns the key of an object in the store.
    pub(super) fn key(&self, namespace: &str, name: &str) -> String {
        if self.namespaced { format!("{namespace}/{name}") } else { name.to_owned() }
    }

    /// Returns the prefix of the keys of all objects in a namespace, or in all namespaces if `namespace` is empty.
    pub(super) fn prefix(&self, namespace: &str) -> String {
        if self.namespaced && !namespace.is_empty() {
            format!("{namespace}/")
        } else {
            String::new()
        }
    }

    /// Returns a stored object in this version.
    ///
    /// # Errors
    /// Returns an error if the object cannot be converted or decoded.
    pub(super) fn read(&self, stored: &StoredObject) -> Answer<Value> {
        if self.reads_as_stored(stored) {
            return Ok(stored.object());
        }
        self.read_value(stored.object())
    }

    /// Returns whether [`ServedKind::read`] returns an object as it is stored.
    pub(super) fn reads_as_stored(&self, stored: &StoredObject) -> bool {
        stored.reads_as_stored_in == self.id
    }

    /// Returns whether this is the storage version.
    fn is_stored_version(&self) -> bool {
        let (group, version) = self.stored_as.rsplit_once('/').unwrap_or(("", &self.stored_as));
        group == self.group && version == self.version
    }

    /// Returns the result of [`ServedKind::read`] for an object that is about to be stored; `None` if reading does not
    /// change the object.
    ///
    /// Reading may change what has just been admitted: it sets the defaults of a status that a creation drops, and
    /// those beside the replicas that a scale adds, and drops nulls that come from a default or an apply.
    ///
    /// # Errors
    /// Returns the errors of [`ServedKind::read`].
    pub(super) fn read_back(&self, object: &Value) -> Answer<Option<Value>> {
        if self.compiled().is_none() && self.is_stored_version() {
            return Ok(None);
        }
        let read = self.read_value(object.clone())?;
        Ok((read != *object).then_some(read))
    }

    /// Removes nulls that defaults have set from an object that is returned without being stored.
    ///
    /// Source: `schemaCoercingConverter` of `pkg/apiserver/customresource_handler.go`, which encodes each response.
    pub(super) fn without_default_nulls(&self, mut object: Value) -> Value {
        if let Some(compiled) = self.compiled() {
            compiled.prune_nulls_of_defaults(&mut object);
        }
        object
    }

    /// Simulates a write: returns the result of [`ServedKind::read`] as if the object had been stored.
    ///
    /// Source: `DryRunnableStorage.copyInto` of `pkg/registry/generic/registry/dryrun.go`.
    ///
    /// # Errors
    /// Returns the errors of [`ServedKind::to_stored`] and [`ServedKind::read`].
    pub(super) fn dry_run(&self, object: Value) -> Answer<Value> {
        self.read_value(self.to_stored(object)?)
    }

    /// Decodes a stored object and converts it to this version.
    ///
    /// The schema of the stored version prunes the object and sets defaults. After the conversion, the schema of this
    /// version prunes the object again, but sets no defaults.
    ///
    /// Source: `Decode` of `pkg/runtime/serializer/versioning/versioning.go` in apimachinery, with the decoders that
    /// `crdConversionRESTOptionsGetter.GetRESTOptions` in `pkg/apiserver/customresource_handler.go` gives to it.
    fn read_value(&self, object: Value) -> Answer<Value> {
        let to = self.api_version();
        let Strategy::Custom { compiled, schemas, .. } = &self.strategy else {
            return self.convert(object, &to);
        };
        let from = object.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
        let failed = |rejection: admit::Rejection| Failure::internal(&rejection.to_string());
        if from == to {
            return admit::read(compiled, object).map_err(failed);
        }
        let version = from.rsplit('/').next().unwrap_or_default();
        let Some(stored) = schemas.get(version) else {
            let why = format!("request to convert CR from an invalid group/version: {from}");
            return Err(Failure::bare(why));
        };
        let read = admit::read_unconverted(stored, object).map_err(failed)?;
        Self::coerced(compiled, self.convert(read, &to)?)
    }

    /// Converts an object to the storage version, and prunes it by the schema of that version.
    ///
    /// # Errors
    /// Returns an error if the object cannot be converted.
    pub(super) fn to_stored(&self, object: Value) -> Answer<Value> {
        let converted = self.convert(object, &self.stored_as)?;
        let Strategy::Custom { schemas, .. } = &self.strategy else { return Ok(converted) };
        if self.stored_as == self.api_version() {
            return Ok(converted);
        }
        let version = self.stored_as.rsplit('/').next().unwrap_or_default();
        match schemas.get(version) {
            Some(stored) => Self::coerced(stored, converted),
            None => Ok(converted),
        }
    }

    /// Converts the current object back to the storage version, as the server does at the start of each write; `None`
    /// if the request uses the storage version.
    ///
    /// Upstream takes the current object from the watch cache, in the version of the request, and encodes it to
    /// get the stored bytes. An object that cannot be converted to the storage version can therefore be neither
    /// changed nor deleted through another version. A dry run skips this conversion.
    ///
    /// Source: `CacheDelegator.Delete` and `GuaranteedUpdate` of `pkg/storage/cacher/delegator.go`, and
    /// `getStateFromObject` of `pkg/storage/etcd3/store.go`.
    ///
    /// # Errors
    /// Returns the errors of [`ServedKind::to_stored`].
    pub(super) fn converted_back(&self, live: &Value) -> Answer<Option<Value>> {
        if self.compiled().is_none() || self.is_stored_version() {
            return Ok(None);
        }
        self.to_stored(live.clone()).map(Some)
    }

    /// Prunes a converted object by the schema of its new version.
    /// Source: `schemaCoercingConverter` of `pkg/apiserver/customresource_handler.go`.
    fn coerced(schema: &CompiledSchema, mut object: Value) -> Answer<Value> {
        admit::coerce(schema, &mut object).map_err(Failure::bare)?;
        Ok(object)
    }

    /// Converts an object to another version.
    ///
    /// # Errors
    /// Returns an error if the conversion fails.
    pub(super) fn convert(&self, mut object: Value, to: &str) -> Answer<Value> {
        if object.get("apiVersion").and_then(Value::as_str) == Some(to) {
            return Ok(object);
        }
        match &self.strategy {
            Strategy::Custom { conversion: ConversionStrategy::None, .. }
            | Strategy::Definition => {
                if let Value::Object(map) = &mut object {
                    map.insert("apiVersion".to_owned(), to.into());
                }
                Ok(object)
            }
            Strategy::Custom { conversion, .. } => {
                // Upstream: stored objects contain no resource version, so the webhook gets none. It is set afterwards.
                let version = object
                    .get_mut("metadata")
                    .and_then(|metadata| metadata.as_object_mut()?.remove("resourceVersion"));
                let mut converted = match conversion {
                    ConversionStrategy::None => Ok(object),
                    ConversionStrategy::InProcess(converter, calls) => {
                        let converted = calls.convert(converter, &object, to)?;
                        let request = WebhookRequest { review: "v1", uid: "", object: &object, to };
                        request.verified(converted).map_err(Failure::bare)
                    }
                    ConversionStrategy::Webhook(webhook) => webhook.convert(&object, to),
                }?;
                if let Some(version) = version {
                    super::metadata::of_mut(&mut converted)
                        .insert("resourceVersion".to_owned(), version);
                }
                Ok(converted)
            }
            Strategy::BuiltIn(built_in) => Ok(built_in.convert(object, to)),
        }
    }
}

/// Returns the key of an object in etcd, which error messages contain: `/registry/services/specs/default/web`.
/// Upstream: in a dry run, the key lacks `/registry`.
///
/// Source: `SpecialDefaultResourcePrefixes` of `pkg/kubeapiserver/default_storage_factory_builder.go`.
pub(super) fn storage_key(kind: &ServedKind, key: &str, dry_run: bool) -> String {
    let registry = if dry_run { "" } else { "/registry" };
    let resource = match &kind.strategy {
        Strategy::BuiltIn(_) => match kind.names.plural.as_str() {
            "nodes" => "minions",
            "services" => "services/specs",
            "ingresses" => "ingress",
            plural => plural,
        },
        Strategy::Custom { .. } | Strategy::Definition => &kind.storage,
    };
    format!("{registry}/{resource}/{key}")
}
