//! The webhook calls that a request waits for.
//!
//! Requests are handled under one lock, and nothing may wait while it is held. If a request depends on a webhook, it is
//! aborted before it has changed anything, the webhook is called without the lock, and the request is tried again with
//! the response. Therefore, a webhook may itself be a client of the server.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use super::super::failure::{Answer, Failure};
use super::super::source::Ids;
use super::Address;
use crate::convert::Converter;
use crate::json;

/// A call of a webhook.
#[derive(Debug, Clone)]
pub(in super::super) struct WebhookCall {
    /// The UID of the review, which the response must repeat.
    pub(super) uid: String,
    /// The name of the webhook; empty for a conversion webhook.
    pub(super) name: String,
    pub(super) address: Address,
    /// The review, without its UID.
    pub(super) review: Value,
    pub(super) timeout: Duration,
}

impl WebhookCall {
    /// Returns the body to send.
    pub(super) fn body(&self) -> Value {
        let mut review = self.review.clone();
        if let Some(Value::Object(request)) = review.get_mut("request") {
            request.insert("uid".to_owned(), self.uid.clone().into());
        }
        review
    }
}

/// The result of a call: the review in the response, or an error in Go's words.
pub(in super::super) type CallResult = Result<Value, String>;

/// The maximum number of tries of a request. A try may need a review that has not been sent yet, for example because a
/// webhook itself has changed an object that the request depends on.
const MAX_TRIES: usize = 100;

/// The object that is converted, as JSON, and the version that it is converted to.
type ConversionKey = (String, String);

/// The calls that one request needs, with the responses so far.
#[derive(Debug, Default)]
pub(in super::super) struct Memo {
    /// Whether only converters in the process are run, and no webhook is called.
    is_in_process: bool,
    tries: usize,
    /// The results of converters in the process.
    converted: BTreeMap<ConversionKey, Result<Value, String>>,
    /// The conversions that have not been made yet.
    unconverted: Vec<(ConversionKey, Arc<Converter>)>,
    answers: Vec<(WebhookCall, CallResult)>,
    /// The calls that have not been answered yet.
    pub(super) pending: Vec<WebhookCall>,
    /// The generator of the request's UIDs, which are the same in each try.
    pub(in super::super) ids: Option<Ids>,
    /// The time at which the request arrived.
    pub(in super::super) now: Option<SystemTime>,
}

impl Memo {
    /// Returns whether the request has been aborted and waits for webhooks.
    pub(in super::super) fn is_waiting(&self) -> bool {
        !(self.pending.is_empty() && self.unconverted.is_empty())
    }

    /// Returns a memo for what is done without a request, as by [`with_object`](super::super::ApiServerBuilder::with_object).
    pub(in super::super) fn in_process() -> Self {
        Self { is_in_process: true, ..Self::default() }
    }

    pub(in super::super) fn can_be_tried_again(&self) -> bool {
        self.tries < MAX_TRIES
    }

    /// Makes the conversions that the request waits for. The lock must not be held, because converters are a user's.
    pub(in super::super) fn convert(&mut self) {
        self.tries += 1;
        for (key, converter) in std::mem::take(&mut self.unconverted) {
            let object = json::decode_own(&key.0);
            let converted = converter.convert_or_catch(&object, &key.1);
            self.converted.insert(key, converted);
        }
    }

    /// Adds the results of the pending calls, in their order.
    pub(super) fn add_results(&mut self, results: Vec<CallResult>) {
        self.answers.extend(std::mem::take(&mut self.pending).into_iter().zip(results));
    }
}

/// The memo of the current request, by which code under the lock consults webhooks.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct WebhookCalls(Arc<Mutex<Option<Memo>>>);

impl WebhookCalls {
    fn lock(&self) -> MutexGuard<'_, Option<Memo>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a try of a request that can wait for webhooks. Takes its memo.
    pub(in super::super) fn begin(&self, memo: &mut Memo) {
        *self.lock() = Some(std::mem::take(memo));
    }

    /// Ends the try, and returns the memo.
    pub(in super::super) fn end(&self, memo: &mut Memo) {
        *memo = self.lock().take().unwrap_or_default();
    }

    /// Returns whether the current request can wait for webhooks; [`with_object`](super::super::ApiServerBuilder::with_object)
    /// cannot.
    pub(in super::super) fn can_wait(&self) -> bool {
        self.lock().as_ref().is_some_and(|memo| !memo.is_in_process)
    }

    pub(in super::super) fn is_waiting(&self) -> bool {
        self.lock().as_ref().is_some_and(Memo::is_waiting)
    }

    /// Forgets the calls that have not been made yet: the current try gives up what depends on them.
    pub(in super::super) fn withdraw(&self) {
        if let Some(memo) = self.lock().as_mut() {
            memo.pending.clear();
            memo.unconverted.clear();
        }
    }

    /// Checks that no call is pending. Only then may the request change the store.
    ///
    /// # Errors
    /// Returns an error that no client sees, because the request is tried again.
    pub(in super::super) fn check(&self) -> Answer<()> {
        if self.is_waiting() { Err(waits()) } else { Ok(()) }
    }

    /// Returns the UID of the call of a webhook, and the result of the call.
    ///
    /// # Errors
    /// Returns an error as long as the webhook has not been called, or if the request cannot wait for it.
    pub(in super::super) fn ask(
        &self,
        name: &str,
        address: &Address,
        review: &Value,
        timeout: Duration,
    ) -> Answer<(String, CallResult)> {
        let mut memo = self.lock();
        let Some(memo) = memo.as_mut().filter(|memo| !memo.is_in_process) else {
            return Err(Failure::bare(
                "webhooks are called only for requests of clients, not for `ApiServerBuilder::with_object`",
            ));
        };
        let is_it = |call: &WebhookCall| {
            call.name == name && call.address == *address && call.review == *review
        };
        if let Some((call, result)) = memo.answers.iter().find(|(call, _)| is_it(call)) {
            return Ok((call.uid.clone(), result.clone()));
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

impl WebhookCalls {
    /// Returns the result of a converter in the process.
    ///
    /// # Errors
    /// Returns an error as long as the object has not been converted.
    pub(in super::super) fn convert(
        &self,
        converter: &Arc<Converter>,
        object: &Value,
        to: &str,
    ) -> Answer<Result<Value, String>> {
        let mut memo = self.lock();
        let Some(memo) = memo.as_mut() else {
            return Err(Failure::bare("objects are converted only for requests"));
        };
        let key = (object.to_string(), to.to_owned());
        if let Some(converted) = memo.converted.get(&key) {
            return Ok(converted.clone());
        }
        if !memo.unconverted.iter().any(|(other, _)| *other == key) {
            memo.unconverted.push((key, Arc::clone(converter)));
        }
        Err(waits())
    }
}

fn waits() -> Failure {
    Failure::bare("the request waits for a webhook")
}
