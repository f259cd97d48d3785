//! The conversion webhook that both servers call: it renames fields of widgets, and rejects some objects of the old
//! version.

use std::future;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crd_runtime::convert::Converter;
use crd_runtime::model::Conversion;
use crd_webhook::Server;
use serde_json::Value;

use super::kinds::{GROUP, RENAMED, Target};
use crate::tls::Authority;

/// Serves the webhook on loopback for as long as the runtime exists, and counts its conversions. Returns the
/// `conversion` of the definition.
///
/// # Errors
/// If the webhook cannot be served.
pub(super) async fn serve(conversions: Arc<AtomicU64>) -> Result<Value, String> {
    // The certificate is read before the directory is removed.
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let authority = Authority::new().map_err(|error| error.to_string())?;
    let files = authority.issue(directory.path()).map_err(|error| error.to_string())?;
    let server = Server::new(files)
        .listen((Ipv4Addr::LOCALHOST, 0))
        .convert("/convert", widgets(conversions));
    let bound = server.bind().await.map_err(|error| error.to_string())?;
    let url = format!("https://{}/convert", bound.address());
    tokio::spawn(bound.serve(future::pending()));
    let conversion = Conversion::url(url).ca_bundle(authority.pem());
    serde_json::to_value(conversion).map_err(|error| error.to_string())
}

/// Returns the converter of widgets. Only a conversion from the old version can fail. The servers convert an object
/// before they store it, so every stored object can be converted. Otherwise lists and watches would fail, which a real
/// server retries many times.
fn widgets(conversions: Arc<AtomicU64>) -> Converter {
    let of_old = Arc::clone(&conversions);
    Converter::new(GROUP, Target::Widgets.kind())
        .without_annotation()
        .step("v1", "v1beta1", move |mut object| {
            conversions.fetch_add(1, Ordering::Relaxed);
            for (new, old) in RENAMED {
                rename(&mut object, new, old);
            }
            Ok(object)
        })
        .step("v1beta1", "v1", move |mut object| {
            of_old.fetch_add(1, Ordering::Relaxed);
            if object.pointer("/spec/place/x").is_some_and(|x| *x == 2) {
                return Err("x is 2".into());
            }
            for (new, old) in RENAMED {
                rename(&mut object, old, new);
            }
            Ok(object)
        })
}

fn rename(object: &mut Value, from: &str, to: &str) {
    for part in ["spec", "status"] {
        if let Some(Value::Object(fields)) = object.get_mut(part)
            && let Some(value) = fields.remove(from)
        {
            fields.insert(to.to_owned(), value);
        }
    }
}
