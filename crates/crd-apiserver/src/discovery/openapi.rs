//! The `OpenAPI` documents of version 3.

use serde_json::{Map, Value, json};

use super::super::core::Core;
use super::super::failure::{Answer, Failure};
use super::super::reply::Reply;
use super::built_in::documents;
use super::etag;

/// Returns the list of the documents of version 3.
///
/// Source: `handleDiscovery` of kube-aggregator `pkg/controllers/openapiv3/aggregator`, which lets
/// `http.ServeContent` guess the media type: plain text.
pub(super) fn openapi_index(core: &Core) -> Reply {
    let url = |path: &str, hash: &str| json!({"serverRelativeURL": format!("/openapi/v3/{path}?hash={hash}")});
    let built_in = documents(core.catalog.kubernetes.minor())
        .iter()
        .map(|(path, it)| (path.clone(), url(path, &it.etag)));
    let mut paths: Map<String, Value> = built_in.collect();
    paths.extend(core.published.documents(core.catalog.kubernetes).map(|(path, document)| {
        let url = url(&path, &etag(document.to_string().as_bytes()));
        (path, url)
    }));
    Reply::Document {
        media_type: "text/plain; charset=utf-8",
        body: json!({"paths": paths}).to_string().into_bytes(),
        etag: None,
    }
}

pub(super) fn openapi_v3(core: &Core, path: &str) -> Answer<Reply> {
    let (body, etag) =
        if let Some(document) = core.published.document(path, core.catalog.kubernetes) {
            let body = document.to_string().into_bytes();
            let etag = etag(&body);
            (body, etag)
        } else {
            let built_in = documents(core.catalog.kubernetes.minor()).get(path);
            // Source: `HandleGroupVersion` of kube-openapi `pkg/handler3/handler.go`: the answer has no body.
            let built_in = built_in.ok_or_else(Failure::empty_not_found)?;
            (built_in.body().to_vec(), built_in.etag.clone())
        };
    Ok(Reply::Document { media_type: "application/json", body, etag: Some(etag) })
}
