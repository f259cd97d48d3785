//! Access reviews, which answer what a user may do, and self subject reviews, which answer who the user is.
//!
//! Source: `pkg/registry/authorization` and `pkg/registry/authentication` of kubernetes/kubernetes.

use http::{Method, Request, StatusCode, header};
use serde_json::{Map, Value, json};

use super::super::core::Core;
use super::super::decoding::{ExpectedKind, RequestBody};
use super::super::failure::{Answer, Failure, GroupResource};
use super::super::reply::Reply;
use super::super::target::ResourcePath;
use super::super::user::User;
use super::super::{media, metadata, ownership};
use super::{AuthorizerAttributes, RoleRule, bindings, decide, tokens};
use crate::field::{Error, ErrorList, Path};

/// The API group of reviews of permissions.
const AUTHORIZATION: &str = "authorization.k8s.io";
/// The API group of reviews of identities.
const AUTHENTICATION: &str = "authentication.k8s.io";

/// A kind of reviews: group, resource, kind, and whether it is namespaced.
pub(in super::super) type Review = (&'static str, &'static str, &'static str, bool);

/// The kinds of reviews that are served.
pub(in super::super) const REVIEWS: [Review; 6] = [
    (AUTHORIZATION, "localsubjectaccessreviews", "LocalSubjectAccessReview", true),
    (AUTHORIZATION, "selfsubjectaccessreviews", "SelfSubjectAccessReview", false),
    (AUTHORIZATION, "selfsubjectrulesreviews", "SelfSubjectRulesReview", false),
    (AUTHORIZATION, "subjectaccessreviews", "SubjectAccessReview", false),
    (AUTHENTICATION, "selfsubjectreviews", "SelfSubjectReview", false),
    (AUTHENTICATION, "tokenreviews", "TokenReview", false),
];

/// Answers a request for a review; returns `None` if the path is of another resource.
pub(in super::super) fn review(
    core: &Core,
    path: &ResourcePath,
    request: &Request<Vec<u8>>,
    user: &User,
) -> Option<Answer<Reply>> {
    let is_it = |(group, resource, _, _): &&Review| {
        path.group == *group && path.resource == *resource && path.version == "v1"
    };
    let (_, _, kind, namespaced) = REVIEWS.iter().find(is_it)?;
    if request.method() != Method::POST || !path.name.is_empty() {
        return Some(Err(Failure::method_not_allowed()));
    }
    if *namespaced == path.namespace.is_empty() {
        return Some(Err(Failure::no_such_path()));
    }
    Some(answer_review(core, kind, path, request, user))
}

fn answer_review(
    core: &Core,
    kind: &str,
    path: &ResourcePath,
    request: &Request<Vec<u8>>,
    user: &User,
) -> Answer<Reply> {
    let header = |name| {
        let value = request.headers().get(name);
        value.and_then(|value: &http::HeaderValue| value.to_str().ok()).unwrap_or_default()
    };
    let accepted = media::negotiate(header(header::ACCEPT), media::allows_of_objects)?;
    let format = media::body_format(header(header::CONTENT_TYPE))?;
    let expected = ExpectedKind { group: &path.group, version: "v1", kind };
    let body = RequestBody::read(request.body(), format, expected, core.catalog.kubernetes)?;
    let mut review = body.decode(expected, core.catalog.kubernetes)?.value;
    // Makes the review an object with metadata, if it is none.
    metadata::of_mut(&mut review);
    let spec = review.get("spec").cloned().unwrap_or_else(|| json!({}));
    let status = match kind {
        "SelfSubjectReview" => json!({"userInfo": user.to_value()}),
        "SelfSubjectRulesReview" => rules_status(core, &spec, user)?,
        "TokenReview" => tokens::token_status(core, &spec)?,
        "SelfSubjectAccessReview" => {
            check(kind, &spec)?;
            access_status(core, &AuthorizerAttributes::of_review(&spec, user))
        }
        _ => {
            check(kind, &spec)?;
            let subject = subject(&spec);
            let attributes = AuthorizerAttributes::of_review(&spec, &subject);
            if kind == "LocalSubjectAccessReview" && attributes.namespace != path.namespace {
                return Err(Failure::bad_request(format!(
                    "spec.resourceAttributes.namespace must match namespace: {}",
                    path.namespace
                )));
            }
            access_status(core, &attributes)
        }
    };
    write_metadata(core, kind, &mut review, header(header::USER_AGENT));
    if let Value::Object(map) = &mut review {
        let version = format!("{}/v1", path.group);
        map.insert("apiVersion".to_owned(), version.into());
        map.insert("kind".to_owned(), kind.into());
        match kind {
            "SelfSubjectReview" => drop(map.remove("spec")),
            // Upstream: the answer is a new object, without the spec of the request.
            "SelfSubjectRulesReview" => drop(map.insert("spec".to_owned(), json!({}))),
            _ => drop(map.insert("spec".to_owned(), spec)),
        }
        map.insert("status".to_owned(), status);
    }
    Ok(Reply::value(StatusCode::CREATED, &accepted, review))
}

/// Sets the metadata of the answer. Only access reviews keep that of the request.
fn write_metadata(core: &Core, kind: &str, review: &mut Value, agent: &str) {
    match kind {
        "SelfSubjectReview" => {
            *metadata::of_mut(review) = Map::new();
            metadata::set_text(review, "creationTimestamp", &core.clock.text());
        }
        "SelfSubjectRulesReview" => *metadata::of_mut(review) = Map::new(),
        _ => {
            let group = if kind == "TokenReview" { AUTHENTICATION } else { AUTHORIZATION };
            let manager = agent.split('/').next().unwrap_or_default();
            ownership::track_review(core, review, &format!("{group}/v1"), manager);
        }
    }
}

fn access_status(core: &Core, attributes: &AuthorizerAttributes) -> Value {
    let decision = decide(core, attributes);
    let mut status = Map::new();
    status.insert("allowed".to_owned(), decision.allowed.into());
    if !decision.reason.is_empty() {
        status.insert("reason".to_owned(), decision.reason.into());
    }
    status.into()
}

/// Returns the status of a `SelfSubjectRulesReview`.
/// Source: `REST.Create` of `pkg/registry/authorization/selfsubjectrulesreview`.
///
/// # Errors
/// Status 400 if the spec names no namespace.
fn rules_status(core: &Core, spec: &Value, user: &User) -> Answer<Value> {
    let namespace = spec.get("namespace").and_then(Value::as_str).unwrap_or_default();
    if namespace.is_empty() {
        return Err(Failure::bad_request("no namespace on request"));
    }
    let (rules, errors) = if !core.authorizes || user.is_master() {
        (vec![RoleRule::everything(), RoleRule::every_url()], Vec::new())
    } else {
        let granted = bindings::granted(&core.store, user, namespace);
        let errors = granted.errors.clone();
        (granted.into_rules(), errors)
    };
    let rules_with = |is_it: fn(&RoleRule) -> bool, keeps: &[&str]| -> Vec<Value> {
        let values = rules.iter().filter(|rule| is_it(rule)).map(|rule| {
            let mut value = rule.to_value();
            if let Value::Object(map) = &mut value {
                map.retain(|key, _| keeps.contains(&key.as_str()));
            }
            value
        });
        values.collect()
    };
    let mut status = json!({
        "resourceRules": rules_with(
            |rule| !rule.resources.is_empty(),
            &["verbs", "apiGroups", "resources", "resourceNames"],
        ),
        "nonResourceRules": rules_with(
            |rule| !rule.urls.is_empty(),
            &["verbs", "nonResourceURLs"],
        ),
        "incomplete": false,
    });
    if !errors.is_empty() {
        status["evaluationError"] = match errors.as_slice() {
            [only] => only.clone().into(),
            many => format!("[{}]", many.join(", ")).into(),
        };
    }
    Ok(status)
}

/// Returns the user that a review is about.
fn subject(spec: &Value) -> User {
    let text = |key: &str| spec.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let groups = spec.get("groups").and_then(Value::as_array).into_iter().flatten();
    let mut user = User::new(text("user"));
    user.groups = groups.filter_map(Value::as_str).map(str::to_owned).collect();
    user.uid = text("uid");
    user
}

/// Validates the spec of an access review. Source: `ValidateSelfSubjectAccessReviewSpec` and
/// `ValidateSubjectAccessReviewSpec`.
fn check(kind: &str, spec: &Value) -> Answer<()> {
    let has = |key: &str| spec.get(key).is_some_and(Value::is_object);
    let mut errors = ErrorList::new();
    match (has("resourceAttributes"), has("nonResourceAttributes")) {
        (true, true) => {
            let shown = |key: &str| spec["nonResourceAttributes"][key].as_str().unwrap_or_default();
            // Upstream: the value is printed with the names of Go's fields.
            let shown = json!({"Path": shown("path"), "Verb": shown("verb")});
            let why = "cannot be specified in combination with resourceAttributes";
            errors.push(Error::invalid(&Path::new("spec.nonResourceAttributes"), shown, why));
        }
        (false, false) => {
            let why =
                "exactly one of nonResourceAttributes or resourceAttributes must be specified";
            errors.push(Error::invalid(&Path::new("spec.resourceAttributes"), Value::Null, why));
        }
        _ => {}
    }
    let is_empty = |key: &str| match spec.get(key) {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.is_empty(),
        Some(Value::Array(list)) => list.is_empty(),
        Some(_) => false,
    };
    if kind != "SelfSubjectAccessReview" && is_empty("user") && is_empty("groups") {
        let why = "at least one of user or group must be specified";
        errors.push(Error::invalid(&Path::new("spec.user"), "", why));
    }
    if errors.is_empty() {
        return Ok(());
    }
    // Upstream clears the kind before it makes the error, so that the error names no kind.
    Err(Failure::invalid(GroupResource { group: AUTHORIZATION, kind: "" }, "", &errors))
}
