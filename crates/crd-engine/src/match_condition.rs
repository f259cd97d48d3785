//! Compiles match conditions, which are CEL expressions of webhooks, and declares their variables.
//!
//! Divergence: the type of an object in `request` is named after its field here: `kubernetes.AdmissionRequest.userInfo`
//! instead of the server's `kubernetes.UserInfo`. Errors about operands contain these names.
//!
//! Source: `pkg/admission/plugin/cel/compile.go` of k8s.io/apiserver.

use std::sync::{Arc, LazyLock};

use crd_cel::checked::Checked;
use crd_cel::decl::{Decl, DeclKind, FieldDecl, ListType, Named, ObjectDecl};
use crd_cel::env::Env;
use crd_cel::kubernetes::Environment;
use crd_cel::types::Type;

/// The variable with which a condition checks what the user of the request may do.
pub const AUTHORIZER: &str = "authorizer";
/// The variable with which a condition checks what this user may do with the request's resource. CEL reads it as one
/// name, not as a field of `authorizer`.
pub const REQUEST_RESOURCE: &str = "authorizer.requestResource";
/// The variable of the object's namespace. Webhooks do not set it, so it is always null.
pub const NAMESPACE_OBJECT: &str = "namespaceObject";
/// The type of the variable `request`.
static REQUEST: LazyLock<Named> =
    LazyLock::new(|| Named::new("kubernetes.AdmissionRequest", request()));
/// The type of the variable `namespaceObject`.
static NAMESPACE: LazyLock<Named> =
    LazyLock::new(|| Named::new("kubernetes.Namespace", namespace()));

/// Returns the environment of conditions. Source: `mustBuildEnvs`.
#[must_use]
pub fn environment(environment: Environment) -> Env {
    ["object", "oldObject"]
        .into_iter()
        .fold(Env::of(environment), |env, name| env.with_variable(name, Type::Dyn, None))
        .with_variable("request", REQUEST.type_(), Some(REQUEST.clone()))
        .with_variable(NAMESPACE_OBJECT, NAMESPACE.type_(), Some(NAMESPACE.clone()))
        .with_variable(AUTHORIZER, Type::object("kubernetes.authorization.Authorizer"), None)
        .with_variable(
            REQUEST_RESOURCE,
            Type::object("kubernetes.authorization.ResourceCheck"),
            None,
        )
}

/// Compiles a condition. Source: `CompileCELExpression`.
///
/// # Errors
/// The issues of the expression, or that its type is not `bool`.
pub fn compile(env: &Env, expression: &str) -> Result<Checked, String> {
    let checked =
        env.compile(expression).map_err(|issues| format!("compilation failed: {issues}"))?;
    match checked.result_type() {
        Type::Bool => Ok(checked),
        other => Err(format!("must evaluate to bool but got {other}")),
    }
}

/// Source: `BuildRequestType`.
fn request() -> Arc<Decl> {
    let text = || decl(DeclKind::String);
    let texts = || list(text());
    let kind =
        |last: &'static str| object([("group", text()), ("version", text()), (last, text())]);
    let user = object([
        ("username", text()),
        ("uid", text()),
        ("groups", texts()),
        ("extra", decl(DeclKind::Map { value: texts(), fields: None })),
    ]);
    object([
        ("kind", kind("kind")),
        ("resource", kind("resource")),
        ("subResource", text()),
        ("requestKind", kind("kind")),
        ("requestResource", kind("resource")),
        ("requestSubResource", text()),
        ("name", text()),
        ("namespace", text()),
        ("operation", text()),
        ("userInfo", user),
        ("dryRun", decl(DeclKind::Bool)),
        // The CEL type of this declaration is `dyn`.
        ("options", decl(DeclKind::IntOrString)),
    ])
}

/// Source: `BuildNamespaceType`.
fn namespace() -> Arc<Decl> {
    let text = || decl(DeclKind::String);
    let time = || decl(DeclKind::DateTime);
    let map = || decl(DeclKind::Map { value: text(), fields: None });
    let condition = object([
        ("status", text()),
        ("type", text()),
        ("lastTransitionTime", time()),
        ("message", text()),
        ("reason", text()),
    ]);
    let metadata = object([
        ("name", text()),
        ("generateName", text()),
        ("namespace", text()),
        ("labels", map()),
        ("annotations", map()),
        // Upstream spells this field in capitals, so `metadata.uid` is an undeclared field.
        ("UID", text()),
        ("creationTimestamp", time()),
        ("deletionGracePeriodSeconds", decl(DeclKind::Int)),
        ("deletionTimestamp", time()),
        ("generation", decl(DeclKind::Int)),
        ("resourceVersion", text()),
        ("finalizers", list(text())),
    ]);
    object([
        ("metadata", metadata),
        ("spec", object([("finalizers", list(text()))])),
        ("status", object([("conditions", list(condition)), ("phase", text())])),
    ])
}

fn list(element: Arc<Decl>) -> Arc<Decl> {
    decl(DeclKind::List { element, list_type: ListType::Atomic })
}

fn decl(kind: DeclKind) -> Arc<Decl> {
    Arc::new(Decl { kind, nullable: false, max_elements: 0, min_serialized_size: 0 })
}

fn object<const N: usize>(mut fields: [(&str, Arc<Decl>); N]) -> Arc<Decl> {
    fields.sort_by_key(|(name, _)| *name);
    let fields =
        fields.map(|(name, decl)| FieldDecl { ident: name.into(), key: name.into(), decl });
    decl(DeclKind::Object(Arc::new(ObjectDecl { fields: fields.into(), hidden: Vec::new() })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expression: &str, want: &str) {
        let env = environment(Environment::default());
        let why = compile(&env, expression).err().unwrap_or_default();
        assert!(if want.is_empty() { why.is_empty() } else { why.contains(want) }, "{why}");
    }

    #[test]
    fn conditions_see_the_declared_fields_and_must_be_bools() {
        check("request.userInfo.groups.exists(group, group == 'a')", "");
        check("request.userInfo.extra['a'][0] == 'b' && request.resource.resource == 'pods'", "");
        check("request.options.fieldManager == 'a' && object.spec.a == oldObject.spec.a", "");
        check("authorizer.group('').resource('pods').check('get').allowed()", "");
        check("authorizer.requestResource.check('delete').allowed()", "");
        check(
            "authorizer.requestResource.check('delete')",
            "got kubernetes.authorization.Decision",
        );
        check("namespaceObject == null || namespaceObject.metadata.labels['a'] == 'b'", "");
        check("namespaceObject.metadata.uid == 'a'", "undefined field 'uid'");
        check("request.user == 'a'", "undefined field 'user'");
        check("request.name", "must evaluate to bool but got string");
        check("object.spec", "must evaluate to bool but got dyn");
    }
}
