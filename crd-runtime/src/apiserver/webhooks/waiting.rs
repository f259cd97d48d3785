//! Calls of webhooks that a request waits for.
//!
//! Requests are answered under one lock, in which nothing can wait. Where an answer depends on a webhook, the request is
//! given up before it has changed anything, the call is made without the lock, and the request is answered anew with
//! what the webhook has said. So webhooks may themselves be clients of the server.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::super::failure::{Answer, Failure};
use super::super::source::Ids;
use super::Address;

/// A call of a webhook.
#[derive(Debug, Clone)]
pub(in super::super) struct WebhookCall {
    /// What the answer must say again; each try of a request has another.
    pub(super) uid: String,
    /// The webhook's own name, where it has one.
    pub(super) name: String,
    pub(super) address: Address,
    /// The review, without its uid.
    pub(super) review: Value,
    pub(super) timeout: Duration,
}

impl WebhookCall {
    /// The body to send.
    pub(super) fn body(&self) -> Value {
        let mut review = self.review.clone();
        if let Some(Value::Object(request)) = review.get_mut("request") {
            request.insert("uid".to_owned(), self.uid.clone().into());
        }
        review
    }
}

/// What came back: a review, or why there is none, in Go's words.
pub(in super::super) type Said = Result<Value, String>;

/// What is known of the calls that one request needs.
#[derive(Debug, Default)]
pub(in super::super) struct Memo {
    answers: Vec<(WebhookCall, Said)>,
    /// What has been asked and not answered.
    pub(super) pending: Vec<WebhookCall>,
    /// The ids that the request makes, the same ones in each try.
    pub(in super::super) ids: Option<Ids>,
    /// When the request came.
    pub(in super::super) now: Option<SystemTime>,
}

impl Memo {
    /// Whether the request has been given up until webhooks have answered.
    pub(in super::super) fn is_waiting(&self) -> bool {
        !self.pending.is_empty()
    }

    pub(super) fn answered(&mut self, said: Vec<Said>) {
        self.answers.extend(std::mem::take(&mut self.pending).into_iter().zip(said));
    }
}

/// Where code under the lock asks webhooks.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Waiting(Arc<Mutex<Option<Memo>>>);

impl Waiting {
    fn lock(&self) -> MutexGuard<'_, Option<Memo>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a try of a request that can wait.
    pub(in super::super) fn begin(&self, memo: &mut Memo) {
        *self.lock() = Some(std::mem::take(memo));
    }

    /// Ends it.
    pub(in super::super) fn end(&self, memo: &mut Memo) {
        *memo = self.lock().take().unwrap_or_default();
    }

    /// Whether whoever asks can wait: objects of [`with_object`](super::super::ApiServer::with_object) cannot.
    pub(in super::super) fn can_wait(&self) -> bool {
        self.lock().is_some()
    }

    pub(in super::super) fn is_waiting(&self) -> bool {
        self.lock().as_ref().is_some_and(Memo::is_waiting)
    }

    /// Whether nothing has been asked that is not answered: only then may anything change.
    ///
    /// # Errors
    /// What no client sees, as the request is tried again.
    pub(in super::super) fn check(&self) -> Answer<()> {
        if self.is_waiting() { Err(waits()) } else { Ok(()) }
    }

    /// What a webhook says to a review, with the uid of the call.
    ///
    /// # Errors
    /// As long as it has not been called.
    pub(in super::super) fn ask(
        &self,
        name: &str,
        address: &Address,
        review: &Value,
        timeout: Duration,
    ) -> Answer<(String, Said)> {
        let mut memo = self.lock();
        let Some(memo) = memo.as_mut() else {
            return Err(Failure::bare(
                "no webhooks are called for objects that the server is made with",
            ));
        };
        let is_it = |call: &WebhookCall| {
            call.name == name && call.address == *address && call.review == *review
        };
        if let Some((call, said)) = memo.answers.iter().find(|(call, _)| is_it(call)) {
            return Ok((call.uid.clone(), said.clone()));
        }
        if !memo.pending.iter().any(is_it) {
            let count = memo.answers.len() + memo.pending.len();
            let base = memo.ids.clone().map_or(0, |mut ids| ids.next());
            let uid = Ids::new(base.wrapping_add(u64::try_from(count).unwrap_or_default())).uid();
            let (name, address, review) = (name.to_owned(), address.clone(), review.clone());
            memo.pending.push(WebhookCall { uid, name, address, review, timeout });
        }
        Err(waits())
    }
}

fn waits() -> Failure {
    Failure::bare("the request waits for a webhook")
}
