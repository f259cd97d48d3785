//! The kinds that are served: built-in kinds, and the kinds of established definitions.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use crd_cel::kubernetes::KubernetesVersion;

use super::builtin::{BuiltIn, TABLE, api_version};
use super::definition;
use super::kind::{ConversionStrategy, Schemas, ServedKind, Strategy};
use super::webhooks::{WebhookCalls, WebhookConversion};
use crate::Server;
use crate::compiled::CompiledSchema;
use crate::convert::Converter;
use crate::differences::Difference;
use crate::model::{
    CustomResourceDefinition, CustomResourceDefinitionSpec, CustomResourceDefinitionVersion,
    JsonSchemaProps, Names, to_lower,
};
use crate::versions::priority;

/// The scheme of the built-in kinds, as messages name it.
pub(super) const SCHEME: &str = "pkg/api/legacyscheme/scheme.go:30";

/// The built-in kinds, including `CustomResourceDefinition`.
pub(super) static KINDS: LazyLock<Vec<Arc<ServedKind>>> = LazyLock::new(|| {
    let built_in =
        TABLE.iter().zip(1..).map(|(built_in, id)| Arc::new(kind_of_built_in(built_in, id)));
    built_in.chain([Arc::new(definitions())]).collect()
});

/// Returns the built-in kinds that servers of a minor serve.
pub(super) fn kinds_on<'a>(minor: u32) -> impl Iterator<Item = &'a Arc<ServedKind>> {
    KINDS.iter().filter(move |kind| kind.since() <= minor)
}

/// A lower bound for the ids of kinds that are not built in.
const FIRST_CUSTOM_ID: u64 = 1_000;

/// The kinds that are served.
#[derive(Debug, Default)]
pub(super) struct Catalog {
    /// Keyed by the name of the definition.
    defined: BTreeMap<String, Defined>,
    ids: u64,
    /// The version of Kubernetes that the server imitates.
    pub(super) kubernetes: KubernetesVersion,
}

/// The kinds that a definition serves.
#[derive(Debug)]
struct Defined {
    spec: CustomResourceDefinitionSpec,
    /// The accepted names in its status.
    accepted: Names,
    /// Whether its condition `Terminating` is true: its objects are being deleted.
    is_terminating: bool,
    /// Whether its objects cannot be created, because it is being deleted.
    rejects_creation: bool,
    /// Its served versions.
    kinds: Vec<Arc<ServedKind>>,
}

impl Catalog {
    /// Returns the kind of a resource in a version.
    pub(super) fn find(
        &self,
        group: &str,
        version: &str,
        plural: &str,
    ) -> Option<&Arc<ServedKind>> {
        let is_wanted = |kind: &&Arc<ServedKind>| {
            kind.version == version && kind.names.plural == plural && kind.group == group
        };
        kinds_on(self.kubernetes.minor()).find(is_wanted).or_else(|| {
            let defined = self.defined.get(&format!("{plural}.{group}"))?;
            defined.kinds.iter().find(is_wanted)
        })
    }

    /// Returns the kind with the given name and `apiVersion`.
    pub(super) fn find_kind(&self, api_version: &str, kind: &str) -> Option<&Arc<ServedKind>> {
        self.all().find(|found| found.names.kind == kind && found.api_version() == api_version)
    }

    /// Returns the kind whose objects are stored under a resource, such as `example.com/widgets`: the storage version,
    /// or another version if that is not served.
    pub(super) fn stored_as(&self, resource: &str) -> Option<&Arc<ServedKind>> {
        self.all()
            .filter(|kind| &*kind.storage == resource)
            .find(|kind| kind.api_version() == kind.stored_as)
            .or_else(|| self.all().find(|kind| &*kind.storage == resource))
    }

    /// Returns the schema that a definition has for another version of its kind. The version need not be served.
    pub(super) fn schema_in(
        &self,
        kind: &ServedKind,
        api_version: &str,
    ) -> Option<Arc<JsonSchemaProps>> {
        let version = api_version.strip_prefix(&*kind.group)?.strip_prefix('/')?;
        let (group, plural) = kind.storage.split_once('/')?;
        let defined = self.defined.get(&format!("{plural}.{group}"))?;
        let found = defined.spec.versions.iter().find(|found| found.name == version)?;
        let schema = found.schema.as_ref().and_then(|schema| schema.open_api_v3_schema.clone());
        Some(Arc::new(schema.unwrap_or_default()))
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<ServedKind>> {
        kinds_on(self.kubernetes.minor())
            .chain(self.defined.values().flat_map(|defined| &defined.kinds))
    }

    /// Returns whether the objects of a resource are being deleted with its definition.
    pub(super) fn is_terminating(&self, group: &str, plural: &str) -> bool {
        let defined = self.defined.get(&format!("{plural}.{group}"));
        defined.is_some_and(|defined| defined.is_terminating)
    }

    /// Returns whether the objects of any definition are converted by a webhook or a converter.
    pub(super) fn calls_webhooks(&self) -> bool {
        self.defined.values().flat_map(|defined| &defined.kinds).any(|kind| {
            let Strategy::Custom { conversion, .. } = &kind.strategy else { return false };
            !matches!(conversion, ConversionStrategy::None)
        })
    }

    /// Returns whether objects of a resource cannot be created, because its definition is being deleted.
    pub(super) fn rejects_creation(&self, group: &str, plural: &str) -> bool {
        let defined = self.defined.get(&format!("{plural}.{group}"));
        defined.is_some_and(|defined| defined.rejects_creation)
    }

    /// Returns whether a kind is still served: its definition has been neither changed nor removed.
    pub(super) fn has(&self, kind: &ServedKind) -> bool {
        let found = self.find(&kind.group, &kind.version, &kind.names.plural);
        found.is_some_and(|found| found.id == kind.id)
    }

    /// Serves the versions of a definition if its condition `Established` is true, and stops serving them otherwise. If
    /// its spec and its accepted names have not changed, its kinds keep their ids.
    pub(super) fn define(
        &mut self,
        crd: &CustomResourceDefinition,
        is_deleting: bool,
        converter: Option<&Arc<Converter>>,
        webhook_calls: &WebhookCalls,
    ) {
        let kubernetes = self.kubernetes;
        let is_true = |type_: &str| {
            let conditions = crd.status.as_ref().map_or(&[][..], |status| &status.conditions);
            conditions.iter().any(|it| it["type"] == type_ && it["status"] == "True")
        };
        let name = &crd.metadata.name;
        if !is_true("Established") {
            self.defined.remove(name);
            return;
        }
        let is_terminating = is_true("Terminating");
        // Source: `ServeHTTP` of `pkg/apiserver/customresource_handler.go`.
        let rejects_creation =
            is_terminating || is_deleting && Difference::DeletionsRejectCreation.is_in(kubernetes);
        let accepted =
            crd.status.as_ref().map(|status| status.accepted_names.clone()).unwrap_or_default();
        if let Some(known) = self.defined.get_mut(name)
            && known.spec == crd.spec
            && known.accepted == accepted
        {
            known.is_terminating = is_terminating;
            known.rejects_creation = rejects_creation;
            return;
        }
        let compiled = |version: &CustomResourceDefinitionVersion| {
            Some((version.name.clone(), Arc::new(compile(crd, version, kubernetes)?)))
        };
        let schemas = Arc::new(crd.spec.versions.iter().filter_map(compiled).collect());
        let mut kinds = Vec::new();
        for version in crd.spec.versions.iter().filter(|version| version.served) {
            self.ids += 1;
            let conversion = conversion_of(&crd.spec, converter, webhook_calls);
            let id = FIRST_CUSTOM_ID + self.ids;
            kinds.extend(kind_of(crd, version, &accepted, &schemas, conversion, id).map(Arc::new));
        }
        let defined =
            Defined { spec: crd.spec.clone(), accepted, is_terminating, rejects_creation, kinds };
        self.defined.insert(name.clone(), defined);
    }

    /// Stops serving all definitions.
    pub(super) fn forget_all(&mut self) {
        self.defined.clear();
    }

    /// Stops serving a definition.
    pub(super) fn forget(&mut self, name: &str) {
        self.defined.remove(name);
    }
}

/// Returns a built-in kind as it is served.
fn kind_of_built_in(built_in: &'static BuiltIn, id: u64) -> ServedKind {
    let stored = built_in.stored().unwrap_or(built_in);
    ServedKind {
        group: built_in.group.to_owned(),
        version: built_in.version().to_owned(),
        names: names(built_in.kind, built_in.plural, built_in.short_names, built_in.categories),
        namespaced: built_in.traits.namespaced,
        has_status: built_in.traits.status,
        has_scale: built_in.traits.scale,
        storage: format!("{}/{}", stored.group, built_in.plural).into(),
        stored_as: stored.api_version(),
        strategy: Strategy::BuiltIn(built_in),
        warnings: Vec::new(),
        id,
    }
}

/// Returns the kind `CustomResourceDefinition`.
fn definitions() -> ServedKind {
    let kind = "CustomResourceDefinition";
    ServedKind {
        group: "apiextensions.k8s.io".to_owned(),
        version: "v1".to_owned(),
        names: names(kind, "customresourcedefinitions", &["crd", "crds"], &["api-extensions"]),
        namespaced: false,
        has_status: true,
        has_scale: false,
        storage: definition::RESOURCE.into(),
        stored_as: "apiextensions.k8s.io/v1".to_owned(),
        strategy: Strategy::Definition,
        warnings: Vec::new(),
        id: FIRST_CUSTOM_ID - 1,
    }
}

fn names(kind: &str, plural: &str, short_names: &[&str], categories: &[&str]) -> Names {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Names {
        plural: plural.to_owned(),
        singular: to_lower(kind),
        short_names: texts(short_names),
        kind: kind.to_owned(),
        list_kind: format!("{kind}List"),
        categories: texts(categories),
    }
}

/// Compiles a version with its schema, or without it if the schema cannot be compiled. Returns `None` if both fail.
fn compile(
    crd: &CustomResourceDefinition,
    version: &CustomResourceDefinitionVersion,
    kubernetes: KubernetesVersion,
) -> Option<CompiledSchema> {
    let compiled = Server::of(kubernetes).compile(crd, &version.name).or_else(|_| {
        let mut bare = crd.clone();
        for bare in bare.spec.versions.iter_mut().filter(|bare| bare.name == version.name) {
            bare.schema = None;
        }
        Server::of(kubernetes).compile(&bare, &version.name)
    });
    compiled.ok()
}

/// Returns how the objects of a definition are converted between its versions.
fn conversion_of(
    spec: &CustomResourceDefinitionSpec,
    converter: Option<&Arc<Converter>>,
    webhook_calls: &WebhookCalls,
) -> ConversionStrategy {
    match (spec.conversion.as_ref(), converter) {
        (Some(conversion), Some(converter)) if conversion.strategy == "Webhook" => {
            ConversionStrategy::InProcess(Arc::clone(converter), webhook_calls.clone())
        }
        (Some(conversion), None) if conversion.strategy == "Webhook" => {
            ConversionStrategy::Webhook(Box::new(WebhookConversion::new(conversion, webhook_calls)))
        }
        _ => ConversionStrategy::None,
    }
}

/// Returns the kind of a version; `None` if `schemas` does not have the version.
fn kind_of(
    crd: &CustomResourceDefinition,
    version: &CustomResourceDefinitionVersion,
    accepted: &Names,
    schemas: &Arc<Schemas>,
    conversion: ConversionStrategy,
    id: u64,
) -> Option<ServedKind> {
    let compiled = Arc::clone(schemas.get(&version.name)?);
    let group = &crd.spec.group;
    let storage = crd.spec.versions.iter().find(|version| version.storage);
    let stored_as = storage.map(|version| &*version.name).unwrap_or_default();
    let props = version.schema.as_ref().and_then(|schema| schema.open_api_v3_schema.clone());
    let resource = compiled.resource();
    Some(ServedKind {
        group: group.clone(),
        version: version.name.clone(),
        names: accepted.clone(),
        namespaced: resource.namespaced,
        has_status: resource.has_status,
        has_scale: resource.scale.is_some(),
        storage: format!("{group}/{}", crd.spec.names.plural).into(),
        stored_as: api_version(group, stored_as),
        strategy: Strategy::Custom {
            compiled,
            schemas: Arc::clone(schemas),
            schema: Arc::new(props.unwrap_or_default()),
            conversion,
        },
        warnings: deprecation(&crd.spec, &version.name),
        id,
    })
}

/// Returns the warning for requests that use this version; empty if the version is not deprecated.
/// Source: `defaultDeprecationWarning` in `pkg/apiserver/customresource_handler.go`.
fn deprecation(spec: &CustomResourceDefinitionSpec, name: &str) -> Vec<String> {
    let Some(version) = spec.versions.iter().find(|it| it.name == name && it.deprecated) else {
        return Vec::new();
    };
    if let Some(warning) = &version.deprecation_warning {
        return vec![warning.clone()];
    }
    let (group, kind) = (&spec.group, &spec.names.kind);
    let mut text = format!("{group}/{name} {kind} is deprecated");
    let newer = spec
        .versions
        .iter()
        .filter(|it| it.served && !it.deprecated && priority(&it.name, name) == Ordering::Less);
    if let Some(best) = newer.min_by(|a, b| priority(&a.name, &b.name)) {
        text = format!("{text}; use {group}/{} {kind}", best.name);
    }
    vec![text]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_a_schema_and_its_own_path() {
        let mut paths: Vec<String> = KINDS
            .iter()
            .map(|kind| format!("{}/{}/{}", kind.group, kind.version, kind.names.plural))
            .collect();
        let count = paths.len();
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), count);
        for kind in KINDS.iter() {
            let schema = kind.schema();
            assert!(schema.properties.is_some(), "{}", kind.names.kind);
            if let Strategy::BuiltIn(built_in) = &kind.strategy {
                assert!(built_in.go_type().is_some(), "{}", kind.names.kind);
            }
        }
    }

    #[test]
    fn containers_have_a_merge_key() {
        let kind = KINDS.iter().find(|kind| kind.names.kind == "Pod").expect("pods");
        let schema = serde_json::to_value(&*kind.schema()).expect("JSON");
        let containers = schema.pointer("/properties/spec/properties/containers").expect("there");
        assert_eq!(containers["x-kubernetes-list-map-keys"], serde_json::json!(["name"]));
    }
}
