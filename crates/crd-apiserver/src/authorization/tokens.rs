//! Users who send a token of a service account, and reviews of tokens.
//!
//! Divergence: other bearer tokens are ignored, because a client without a user may do everything.
//!
//! Source: `pkg/serviceaccount/claims.go` and `pkg/registry/authentication/tokenreview` of kubernetes/kubernetes.

use http::{Request, header};
use serde_json::{Value, json};

use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::fields;
use super::super::token::{self, AUDIENCE};
use super::super::user::User;

/// The user of a token, and the audiences that the token is for.
type Authenticated = (User, Vec<String>);

/// Returns the service account whose token a request carries; `None` if it carries no token of this server.
pub(super) fn token_user(core: &Core, request: &Request<Vec<u8>>) -> Option<User> {
    let header = request.headers().get(header::AUTHORIZATION)?.to_str().ok()?;
    let (user, audiences) = authenticated(core, header.strip_prefix("Bearer ")?)?;
    audiences.iter().any(|audience| audience == AUDIENCE).then_some(user)
}

/// Returns the user of a token whose service account and bound object exist; `None` for any other text.
fn authenticated(core: &Core, text: &str) -> Option<Authenticated> {
    let claims = token::verify(text, core.clock.now())?;
    let of = claims.get("kubernetes.io")?;
    let namespace = fields::text(of, "namespace");
    let exists = |resource: &str, key: &str, claim: &Value| {
        let stored = core.store.get(resource, key).map(|stored| stored.object());
        stored.is_some_and(|it| it.pointer("/metadata/uid") == claim.get("uid"))
    };
    let account = of.get("serviceaccount")?;
    let name = fields::text(account, "name");
    let mut is_valid = exists("/serviceaccounts", &format!("{namespace}/{name}"), account);
    let mut user = User::service_account(namespace, name);
    for (claim, resource) in [("pod", "/pods"), ("secret", "/secrets"), ("node", "/nodes")] {
        let Some(bound) = fields::object(of, claim) else { continue };
        let bound_name = fields::text(bound, "name");
        let key = match claim {
            "node" => bound_name.to_owned(),
            _ => format!("{namespace}/{bound_name}"),
        };
        is_valid &= exists(resource, &key, bound);
        if claim == "pod" {
            for (key, of) in [("pod-name", "name"), ("pod-uid", "uid")] {
                let key = format!("authentication.kubernetes.io/{key}");
                user.extra.insert(key, vec![fields::text(bound, of).to_owned()]);
            }
        }
    }
    fields::text(account, "uid").clone_into(&mut user.uid);
    let id = format!("JTI={}", fields::text(&claims, "jti"));
    user.extra.insert("authentication.kubernetes.io/credential-id".to_owned(), vec![id]);
    is_valid.then(|| (user, fields::texts(&claims, "aud")))
}

/// Returns the status of a `TokenReview`.
///
/// # Errors
/// Status 400 if the review has no token.
pub(super) fn token_status(core: &Core, spec: &Value) -> Answer<Value> {
    let text = fields::text(spec, "token");
    if text.is_empty() {
        let why = "token is required for TokenReview in authentication";
        return Err(Failure::bad_request(why));
    }
    let wanted = fields::texts(spec, "audiences");
    let wanted = if wanted.is_empty() { vec![AUDIENCE.to_owned()] } else { wanted };
    let found = authenticated(core, text).and_then(|(user, audiences)| {
        let shared: Vec<String> =
            wanted.into_iter().filter(|wanted| audiences.contains(wanted)).collect();
        (!shared.is_empty()).then_some((user, shared))
    });
    Ok(match found {
        Some((user, audiences)) => {
            json!({"authenticated": true, "user": user.to_value(), "audiences": audiences})
        }
        None => json!({"user": {}, "error": "invalid bearer token"}),
    })
}
