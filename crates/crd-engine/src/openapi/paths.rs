//! Paths and operations of a kind.
//!
//! Source: `generateBuilder` and `buildRoute` in `builder.go`.

use serde_json::{Map, Value, json};

use super::{Edition, names, shared};
use crate::compiled::Resource;

/// Media types of objects.
const OBJECTS: [&str; 2] = ["application/json", "application/yaml"];
/// Media types of patches.
const PATCHES: [&str; 3] =
    ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"];

/// The parameters of lists, as keys for [`shared::parameter`]. A key with a hash is the server's name of a shared
/// parameter.
const LIST_OPTIONS: &[&str] = &[
    "allowWatchBookmarks-HC2hJt-J",
    "continue-QfD61s0i",
    "fieldSelector-xIcQKXFG",
    "labelSelector-5Zw57w4C",
    "limit-1NfNmdNH",
    "resourceVersion-5WAnf1kx",
    "resourceVersionMatch-t8XhRHeC",
    "sendInitialEvents-rLXlEK_k",
    "shardSelector-Kgyki_3_",
    "timeoutSeconds-yvYezaOC",
    "watch-XNNPZGbK",
];
const GET_OPTIONS: &[&str] = &["resourceVersion-5WAnf1kx"];
const WRITE_OPTIONS: &[&str] = &["dryRun", "fieldManager-Qy4HdaTW", "fieldValidation"];
const PATCH_OPTIONS: &[&str] =
    &["dryRun", "fieldManager-7c6nTn1T", "fieldValidation", "force-tOGGb0Yi"];
const DELETE_OPTIONS: &[&str] = &[
    "dryRun",
    "gracePeriodSeconds--K5HaBOS",
    "ignoreStoreReadErrorWithClusterBreakingPotential-QbNkfIqj",
    "orphanDependents-uRB25kX5",
    "propagationPolicy-6jk3prlO",
];
const NAMESPACE: &str = "namespace-vgWSWtn3";
const PRETTY: &str = "pretty-tJGM1-ng";

/// What an operation does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    List,
    Create,
    DeleteCollection,
    Read,
    Replace,
    Delete,
    Patch,
}

/// Returns the paths of a kind, with their operations.
pub(super) fn all(resource: &Resource, edition: Edition) -> Map<String, Value> {
    let base = format!("/apis/{}/{}", resource.group, resource.version);
    let plural = &resource.names.plural;
    let mut paths = Map::new();
    let mut root = format!("{base}/{plural}");
    if resource.namespaced {
        paths.insert(root, list_of_all(resource, edition));
        root = format!("{base}/namespaces/{{namespace}}/{plural}");
    }
    let kind = OperationTarget { resource, edition, subresource: "" };
    let path =
        |actions: &[Action], target: &OperationTarget<'_>, named: bool| target.path(actions, named);
    paths.insert(
        root.clone(),
        path(&[Action::List, Action::Create, Action::DeleteCollection], &kind, false),
    );
    let one = [Action::Read, Action::Replace, Action::Delete, Action::Patch];
    paths.insert(format!("{root}/{{name}}"), path(&one, &kind, true));
    let subresources = [("status", resource.has_status), ("scale", resource.scale.is_some())];
    for (subresource, _) in subresources.into_iter().filter(|(_, has)| *has) {
        let target = OperationTarget { resource, edition, subresource };
        let actions = [Action::Read, Action::Replace, Action::Patch];
        paths.insert(format!("{root}/{{name}}/{subresource}"), path(&actions, &target, true));
    }
    paths
}

/// Returns the path that lists objects of all namespaces. Its parameters are those of the path, not of the operation.
fn list_of_all(resource: &Resource, edition: Edition) -> Value {
    let target = OperationTarget { resource, edition, subresource: "" };
    let mut operation = target.operation(Action::List);
    let id =
        names::operation(resource, "list", &format!("{}ForAllNamespaces", resource.names.kind));
    if let Some(operation) = operation.as_object_mut() {
        operation.insert("operationId".to_owned(), json!(id));
        operation.remove("parameters");
    }
    let mut keys: Vec<&str> = [LIST_OPTIONS, &[PRETTY]].concat();
    keys.sort_unstable();
    let parameters: Vec<Value> =
        keys.into_iter().map(|key| shared::parameter(key, edition)).collect();
    json!({"get": operation, "parameters": parameters})
}

/// The resource or subresource that operations are on.
struct OperationTarget<'a> {
    resource: &'a Resource,
    edition: Edition,
    /// Empty for the object itself.
    subresource: &'static str,
}

impl OperationTarget<'_> {
    fn path(&self, actions: &[Action], named: bool) -> Value {
        let operations =
            actions.iter().map(|action| (action.method().to_owned(), self.operation(*action)));
        let mut path: Map<String, Value> = operations.collect();
        let mut parameters = Vec::new();
        if named {
            parameters.push(self.name_parameter());
        }
        if self.resource.namespaced {
            parameters.push(shared::parameter(NAMESPACE, self.edition));
        }
        parameters.push(shared::parameter(PRETTY, self.edition));
        path.insert("parameters".to_owned(), Value::Array(parameters));
        Value::Object(path)
    }

    fn name_parameter(&self) -> Value {
        let description = format!("name of the {}", self.resource.names.kind);
        match self.edition {
            Edition::V2 => json!({
                "name": "name", "in": "path", "required": true, "description": description,
                "type": "string", "uniqueItems": true,
            }),
            Edition::V3 => json!({
                "name": "name", "in": "path", "required": true, "description": description,
                "schema": {"type": "string", "uniqueItems": true},
            }),
        }
    }

    fn operation(&self, action: Action) -> Value {
        let resource = self.resource;
        let mut out = Map::new();
        out.insert("description".to_owned(), json!(self.description(action)));
        out.insert("operationId".to_owned(), json!(self.id(action)));
        out.insert("tags".to_owned(), json!([names::tag(resource)]));
        out.insert("x-kubernetes-action".to_owned(), json!(action.verb()));
        let gvk = json!({"group": resource.group, "version": resource.version, "kind": resource.names.kind});
        out.insert("x-kubernetes-group-version-kind".to_owned(), gvk);
        out.insert("responses".to_owned(), self.responses(action));
        let mut parameters: Vec<Value> =
            action.options().iter().map(|key| shared::parameter(key, self.edition)).collect();
        match self.edition {
            Edition::V3 => {
                if let Some(body) = self.body(action) {
                    out.insert("requestBody".to_owned(), body);
                }
            }
            Edition::V2 => {
                if let Some(body) = self.body(action) {
                    parameters.insert(0, body);
                }
                let consumes = if action == Action::Patch { &PATCHES[..] } else { &OBJECTS[..] };
                out.insert("consumes".to_owned(), json!(consumes));
                out.insert("produces".to_owned(), json!(OBJECTS));
                out.insert("schemes".to_owned(), json!(["https"]));
            }
        }
        out.insert("parameters".to_owned(), Value::Array(parameters));
        Value::Object(out)
    }

    /// Returns the name of the definition of the operation's response and body.
    fn model(&self, action: Action) -> String {
        let names = &self.resource.names;
        match action {
            Action::List => names::model(self.resource, &names.list_kind),
            Action::Delete | Action::DeleteCollection => shared::STATUS.to_owned(),
            _ if self.subresource == "scale" => shared::SCALE.to_owned(),
            _ => names::model(self.resource, &names.kind),
        }
    }

    fn content(&self, types: &[&str], model: &str) -> Value {
        let schema = json!({"schema": {"$ref": self.edition.reference(model)}});
        types
            .iter()
            .map(|type_| ((*type_).to_owned(), schema.clone()))
            .collect::<Map<_, _>>()
            .into()
    }

    fn body(&self, action: Action) -> Option<Value> {
        let (types, model, shared_as, required) = match action {
            Action::Create | Action::Replace => (&OBJECTS[..], self.model(action), None, true),
            Action::Patch => {
                (&PATCHES[..], shared::PATCH.to_owned(), Some(shared::PATCH_BODY), true)
            }
            Action::Delete => {
                (&OBJECTS[..], shared::DELETE_OPTIONS.to_owned(), Some(shared::DELETE_BODY), false)
            }
            Action::List | Action::Read | Action::DeleteCollection => return None,
        };
        Some(match (self.edition, shared_as) {
            (Edition::V3, _) if required => {
                json!({"content": self.content(types, &model), "required": true})
            }
            (Edition::V3, _) => json!({"content": self.content(types, &model)}),
            (Edition::V2, Some(name)) => json!({"$ref": format!("#/parameters/{name}")}),
            (Edition::V2, None) => json!({
                "name": "body", "in": "body", "required": true, "schema": {"$ref": self.edition.reference(&model)},
            }),
        })
    }

    fn responses(&self, action: Action) -> Value {
        let model = self.model(action);
        let codes: &[(&str, &str)] = match action {
            Action::Create => &[("200", "OK"), ("201", "Created"), ("202", "Accepted")],
            Action::Replace => &[("200", "OK"), ("201", "Created")],
            Action::Delete => &[("200", "OK"), ("202", "Accepted")],
            Action::List | Action::Read | Action::Patch | Action::DeleteCollection => {
                &[("200", "OK")]
            }
        };
        let mut responses = Map::new();
        for (code, description) in codes {
            let response = match self.edition {
                Edition::V2 => {
                    json!({"description": description, "schema": {"$ref": self.edition.reference(&model)}})
                }
                Edition::V3 => {
                    json!({"description": description, "content": self.content(&OBJECTS, &model)})
                }
            };
            responses.insert((*code).to_owned(), response);
        }
        responses.insert("401".to_owned(), json!({"description": "Unauthorized"}));
        Value::Object(responses)
    }

    fn id(&self, action: Action) -> String {
        let kind = &self.resource.names.kind;
        let namespaced = if self.resource.namespaced { "Namespaced" } else { "" };
        let collection = if action == Action::DeleteCollection { "Collection" } else { "" };
        let subresource = match self.subresource {
            "status" => "Status",
            "scale" => "Scale",
            _ => "",
        };
        names::operation(
            self.resource,
            action.prefix(),
            &format!("{collection}{namespaced}{kind}{subresource}"),
        )
    }

    fn description(&self, action: Action) -> String {
        let kind = &self.resource.names.kind;
        let of = if self.subresource.is_empty() {
            String::new()
        } else {
            format!(" {} of", self.subresource)
        };
        match action {
            Action::List => format!("list objects of kind {kind}"),
            Action::Create => format!("create{}", names::with_article(kind)),
            Action::Delete => format!("delete{}", names::with_article(kind)),
            Action::DeleteCollection => format!("delete collection of {kind}"),
            Action::Read => format!("read{of} the specified {kind}"),
            Action::Replace => format!("replace{of} the specified {kind}"),
            Action::Patch => format!("partially update{of} the specified {kind}"),
        }
    }
}

impl Action {
    fn method(self) -> &'static str {
        match self {
            Self::List | Self::Read => "get",
            Self::Create => "post",
            Self::Replace => "put",
            Self::Delete | Self::DeleteCollection => "delete",
            Self::Patch => "patch",
        }
    }

    /// Returns the prefix of the operation's id.
    fn prefix(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Create => "create",
            Self::Read => "read",
            Self::Replace => "replace",
            Self::Delete | Self::DeleteCollection => "delete",
            Self::Patch => "patch",
        }
    }

    /// Returns the value of `x-kubernetes-action`.
    fn verb(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Create => "post",
            Self::Read => "get",
            Self::Replace => "put",
            Self::Delete => "delete",
            Self::DeleteCollection => "deletecollection",
            Self::Patch => "patch",
        }
    }

    fn options(self) -> &'static [&'static str] {
        match self {
            Self::List | Self::DeleteCollection => LIST_OPTIONS,
            Self::Create | Self::Replace => WRITE_OPTIONS,
            Self::Read => GET_OPTIONS,
            Self::Delete => DELETE_OPTIONS,
            Self::Patch => PATCH_OPTIONS,
        }
    }
}
