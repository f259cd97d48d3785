//! A webhook over TLS that answers as a test says, also wrongly.

use std::future;
use std::sync::{Arc, Mutex, PoisonError};

use crd_runtime::model::Conversion;
use crd_tests::https::{self, Reply, Served};
use serde_json::Value;

/// Returns the answer to a review; if its head is empty, the connection is closed instead.
type Respond = Box<dyn Fn(&Value) -> Reply + Send>;

struct State {
    respond: Mutex<Respond>,
    /// The paths that were called, with the reviews.
    calls: Mutex<Vec<(String, Value)>>,
}

/// A webhook that is served for as long as the runtime exists.
#[derive(Clone)]
pub(crate) struct Webhook {
    state: Arc<State>,
    served: Served,
}

impl State {
    fn answer(&self, path: String, body: &[u8]) -> Option<Reply> {
        let review = serde_json::from_slice(body).unwrap_or_default();
        let reply = (self.respond.lock().unwrap_or_else(PoisonError::into_inner))(&review);
        self.calls.lock().unwrap_or_else(PoisonError::into_inner).push((path, review));
        Some(reply).filter(|reply| !reply.head.is_empty())
    }
}

impl Webhook {
    pub(crate) async fn serve(respond: impl Fn(&Value) -> Reply + Send + 'static) -> Self {
        let state = State { respond: Mutex::new(Box::new(respond)), calls: Mutex::default() };
        let state = Arc::new(state);
        let called = Arc::clone(&state);
        let served = https::serve(move |path, body| future::ready(called.answer(path, &body)));
        Self { state, served: served.await.expect("a server") }
    }

    /// Returns the `conversion` of a CRD that calls the webhook at a path.
    pub(crate) fn conversion(&self, path: &str) -> Conversion {
        let Served { address, pem } = &self.served;
        Conversion::url(format!("https://{address}{path}")).ca_bundle(pem)
    }

    pub(crate) fn answer_with(&self, respond: impl Fn(&Value) -> Reply + Send + 'static) {
        *self.state.respond.lock().unwrap_or_else(PoisonError::into_inner) = Box::new(respond);
    }

    /// Returns the calls since the last time.
    pub(crate) fn take_calls(&self) -> Vec<(String, Value)> {
        std::mem::take(&mut *self.state.calls.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
