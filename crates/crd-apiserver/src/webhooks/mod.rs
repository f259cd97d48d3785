//! Calls of webhooks: their addresses, the requests to them and the responses, and conversion.
//!
//! Source: `k8s.io/apiserver/pkg/util/webhook/client.go`.

mod address;
mod admission_webhook;
mod conversion;
mod send;
mod tls;
mod webhook_calls;

pub(super) use address::Address;
pub(super) use admission_webhook::AdmissionWebhook;
pub(super) use conversion::WebhookConversion;
pub(super) use send::{InProcessService, Routes};
pub(super) use webhook_calls::{Memo, WebhookCalls};
