//! Tokens of service accounts: signed claims, as JSON web tokens.
//!
//! Source: `pkg/serviceaccount` of kubernetes/kubernetes; RFC 7515 and RFC 7519.

use std::time::{SystemTime, UNIX_EPOCH};

use crd_cel::base64::URL_SAFE_UNPADDED;
use ring::hmac;
use serde_json::{Value, json};

/// The issuer of tokens.
pub(super) const ISSUER: &str = "https://kubernetes.default.svc.cluster.local";
/// The audience of tokens whose request names none.
pub(super) const AUDIENCE: &str = "https://kubernetes.default.svc.cluster.local";
/// The key of the signatures. It is no secret: the server is a test's.
const KEY: &[u8] = b"crd-apiserver";

/// Returns a token with these claims.
pub(super) fn sign(claims: &Value) -> String {
    let header = json!({"alg": "HS256", "typ": "JWT"});
    let encoded = |value: &Value| URL_SAFE_UNPADDED.encode(value.to_string().as_bytes());
    let text = format!("{}.{}", encoded(&header), encoded(claims));
    let signature = hmac::sign(&key(), text.as_bytes());
    format!("{text}.{}", URL_SAFE_UNPADDED.encode(signature.as_ref()))
}

/// Returns the claims of a token that this server has issued and that is valid; `None` for any other text.
pub(super) fn verify(token: &str, now: SystemTime) -> Option<Value> {
    let (text, signature) = token.rsplit_once('.')?;
    hmac::verify(&key(), text.as_bytes(), &URL_SAFE_UNPADDED.decode(signature.as_bytes()).ok()?)
        .ok()?;
    let (_, claims) = text.split_once('.')?;
    let claims: Value =
        serde_json::from_slice(&URL_SAFE_UNPADDED.decode(claims.as_bytes()).ok()?).ok()?;
    let now = now.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    (claims.get("exp")?.as_u64()? > now).then_some(claims)
}

fn key() -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, KEY)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn base64_of_urls() {
        for (text, want) in
            [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("~~~?", "fn5-Pw")]
        {
            assert_eq!(URL_SAFE_UNPADDED.encode(text.as_bytes()), want);
            assert_eq!(URL_SAFE_UNPADDED.decode(want.as_bytes()).as_deref(), Ok(text.as_bytes()));
        }
        assert!(URL_SAFE_UNPADDED.decode(b"a b").is_err());
    }

    #[test]
    fn only_valid_tokens_have_claims() {
        let claims = json!({"sub": "a", "exp": 100});
        let token = sign(&claims);
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(seconds);
        assert_eq!(verify(&token, at(99)), Some(claims));
        assert_eq!(verify(&token, at(100)), None);
        assert_eq!(verify(&format!("{token}x"), at(99)), None);
        assert_eq!(verify(&token.replace('.', ".e"), at(99)), None);
        assert_eq!(verify("abc", at(99)), None);
    }
}
