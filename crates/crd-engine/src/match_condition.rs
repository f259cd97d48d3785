//! Compiles CEL expressions of webhooks and policies, and declares their variables.
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
use crd_cel::value::constructed::{JSON_PATCH, OBJECT};

/// The variable with which a condition checks what the user of the request may do.
pub const AUTHORIZER: &str = "authorizer";
/// The variable with which a condition checks what this user may do with the request's resource. CEL reads it as one
/// name, not as a field of `authorizer`.
pub const REQUEST_RESOURCE: &str = "authorizer.requestResource";
/// The variable of the object's namespace. Webhooks do not set it, so there it is always null.
pub const NAMESPACE_OBJECT: &str = "namespaceObject";
/// The variable of the parameters of a policy.
pub const PARAMS: &str = "params";
/// The type of the variable `request`.
static REQUEST: LazyLock<Named> =
    LazyLock::new(|| Named::new("kubernetes.AdmissionRequest", request()));
/// The type of the variable `namespaceObject`.
static NAMESPACE: LazyLock<Named> =
    LazyLock::new(|| Named::new("kubernetes.Namespace", namespace()));

/// The variables that not every expression may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Declares {
    /// Whether the expression may use [`PARAMS`].
    pub params: bool,
    /// Whether the expression may use [`AUTHORIZER`] and [`REQUEST_RESOURCE`].
    pub authorizer: bool,
}

impl Declares {
    /// The variables of match conditions of webhooks.
    pub const OF_WEBHOOKS: Self = Self { params: false, authorizer: true };
}

/// Returns the environment of expressions. Source: `createEnvForOpts`.
#[must_use]
pub fn environment(environment: Environment, declares: Declares) -> Env {
    let mut env = ["object", "oldObject"]
        .into_iter()
        .fold(Env::of(environment), |env, name| env.with_variable(name, Type::Dyn, None))
        .with_variable("request", REQUEST.type_(), Some(REQUEST.clone()))
        .with_variable(NAMESPACE_OBJECT, NAMESPACE.type_(), Some(NAMESPACE.clone()));
    if declares.params {
        env = env.with_variable(PARAMS, Type::Dyn, None);
    }
    if !declares.authorizer {
        return env;
    }
    env.with_variable(AUTHORIZER, Type::object("kubernetes.authorization.Authorizer"), None)
        .with_variable(
            REQUEST_RESOURCE,
            Type::object("kubernetes.authorization.ResourceCheck"),
            None,
        )
}

/// Returns the declaration of namespaces.
#[must_use]
pub fn declared_namespace() -> &'static Decl {
    &NAMESPACE.decl
}

/// The types that an expression may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Any type.
    Any,
    /// `bool`.
    Bool,
    /// `string`.
    String,
    /// `string` or `null_type`.
    StringOrNull,
    /// `Object`: the configuration that a policy applies to an object.
    Object,
    /// `list(JSONPatch)`: the operations by which a policy changes an object.
    JsonPatch,
}

impl Wanted {
    /// Returns whether the expression makes a patch.
    #[must_use]
    pub(crate) fn is_patch(self) -> bool {
        matches!(self, Self::Object | Self::JsonPatch)
    }

    /// Returns the problem of an expression of another type. Source: `CompileCELExpression`.
    fn problem(self, found: &Type) -> Option<String> {
        let (is_it, wanted) = match self {
            Self::Any => return None,
            Self::Bool => (*found == Type::Bool, "bool"),
            Self::String => (*found == Type::String, "string"),
            Self::StringOrNull => {
                (matches!(found, Type::String | Type::Null), "one of [string null_type]")
            }
            Self::Object => (*found == Type::object(OBJECT), OBJECT),
            Self::JsonPatch => (*found == Type::list(Type::object(JSON_PATCH)), "list(JSONPatch)"),
        };
        (!is_it).then(|| format!("must evaluate to {wanted} but got {found}"))
    }
}

/// Compiles an expression. Source: `CompileCELExpression`.
///
/// # Errors
/// The issues of the expression, or that it has another type.
pub fn compile(env: &Env, expression: &str, wanted: Wanted) -> Result<Checked, String> {
    let checked =
        env.compile(expression).map_err(|issues| format!("compilation failed: {issues}"))?;
    match wanted.problem(checked.result_type()) {
        None => Ok(checked),
        Some(problem) => Err(problem),
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

fn object<const N: usize>(fields: [(&str, Arc<Decl>); N]) -> Arc<Decl> {
    let fields =
        fields.map(|(name, decl)| FieldDecl { ident: name.into(), key: name.into(), decl });
    of_fields(fields.into())
}

fn of_fields(mut fields: Vec<FieldDecl>) -> Arc<Decl> {
    fields.sort_by(|a, b| a.ident.cmp(&b.ident));
    decl(DeclKind::Object(Arc::new(ObjectDecl { fields, hidden: Vec::new() })))
}

/// Returns the declaration of an object whose fields are checked at run time.
pub(crate) fn dynamic_object<'n>(names: impl Iterator<Item = &'n str>) -> Arc<Decl> {
    let dynamic = || decl(DeclKind::IntOrString);
    let fields =
        names.map(|name| FieldDecl { ident: name.into(), key: name.into(), decl: dynamic() });
    of_fields(fields.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(expression: &str, want: &str) {
        let env = environment(Environment::default(), Declares::OF_WEBHOOKS);
        let why = compile(&env, expression, Wanted::Bool).err().unwrap_or_default();
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
