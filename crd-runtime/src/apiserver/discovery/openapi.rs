//! Serves the `OpenAPI` documents: those of version 3, and the document of version 2, which is merged here from all
//! definitions.
//!
//! Source: `pkg/controller/openapi` of apiextensions-apiserver.

use serde_json::{Map, Value, json};

use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::reply::Reply;
use super::built_in::documents;
use super::{etag, release};
use crate::openapi;

impl Core {
    /// Returns the list of the documents of version 3.
    ///
    /// Source: `handleDiscovery` of kube-aggregator `pkg/controllers/openapiv3/aggregator`. It leaves the media type to
    /// `http.ServeContent`, which takes the document for plain text.
    pub(super) fn openapi_index(&self) -> Reply {
        let url = |path: &str, hash: &str| json!({"serverRelativeURL": format!("/openapi/v3/{path}?hash={hash}")});
        let built_in = documents(self.kubernetes.minor())
            .iter()
            .map(|(path, it)| (path.clone(), url(path, &it.etag)));
        let mut paths: Map<String, Value> = built_in.collect();
        paths.extend(self.published.documents(self.kubernetes).map(|(path, document)| {
            let url = url(&path, &etag(document.to_string().as_bytes()));
            (path, url)
        }));
        Reply::Document {
            media_type: "text/plain; charset=utf-8",
            body: json!({"paths": paths}).to_string().into_bytes(),
            etag: None,
        }
    }

    pub(super) fn openapi_v3(&self, path: &str) -> Answer<Reply> {
        let (body, etag) = if let Some(built_in) = documents(self.kubernetes.minor()).get(path) {
            (built_in.body.clone(), built_in.etag.clone())
        } else {
            let document = self.published.document(path, self.kubernetes);
            // Source: `HandleGroupVersion` of kube-openapi `pkg/handler3/handler.go`: the answer has no body.
            let document = document.ok_or_else(Failure::empty_not_found)?;
            let body = document.to_string().into_bytes();
            let etag = etag(&body);
            (body, etag)
        };
        Ok(Reply::Document { media_type: "application/json", body, etag: Some(etag) })
    }

    pub(super) fn openapi_v2(&self) -> Value {
        let version = release(self.kubernetes);
        let mut all = json!({
            "swagger": "2.0", "info": {"title": "Kubernetes", "version": version},
            "paths": {}, "definitions": {}, "parameters": {},
        });
        for crd in self.definitions() {
            for version in crd.spec.versions.iter().filter(|version| version.served) {
                if let Ok(document) = openapi::v2_on(&crd, &version.name, self.kubernetes) {
                    add(&mut all, document);
                }
            }
        }
        all
    }
}

/// Adds the paths and the schemas of a document to another.
fn add(known: &mut Value, other: Value) {
    let (Value::Object(known), Value::Object(other)) = (known, other) else { return };
    for (key, value) in other {
        match (known.get_mut(&key), value) {
            (Some(Value::Object(known)), Value::Object(more)) if key != "info" => {
                known.extend(more);
            }
            (Some(_), _) => {}
            (None, value) => {
                known.insert(key, value);
            }
        }
    }
}
