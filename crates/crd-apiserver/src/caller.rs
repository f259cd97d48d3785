//! The clients that send requests, and limits on the number of their requests.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::HeaderValue;
use tokio::sync::Notify;

use super::user::User;

/// The client that sends requests.
#[derive(Debug, Clone, Default)]
pub(super) struct Caller {
    /// The `User-Agent` for requests without one.
    pub(super) agent: Option<HeaderValue>,
    /// The user of the requests; `None` stands for `system:admin`, who has all permissions.
    pub(super) user: Option<Arc<User>>,
    /// The limit on the number of its requests; `None` if there is none.
    pub(super) limit: Option<Arc<RequestLimit>>,
}

impl Caller {
    /// Returns a client with a name, which is the `User-Agent` of its requests.
    pub(super) fn of(name: &str) -> Self {
        Self { agent: HeaderValue::from_str(name).ok(), ..Self::default() }
    }
}

/// A limit on the requests of a client. The last request within the limit is executed but not answered; later requests
/// are not executed.
#[derive(Debug)]
pub(super) struct RequestLimit {
    allowed: usize,
    arrived: AtomicUsize,
    reached: Notify,
}

impl RequestLimit {
    pub(super) fn after(allowed: usize) -> Self {
        let reached = Notify::new();
        if allowed == 0 {
            // The limit is reached without any request.
            reached.notify_one();
        }
        Self { allowed, arrived: AtomicUsize::new(0), reached }
    }

    /// Waits until the last request within the limit has been executed. A limit of 0 is reached from the beginning.
    pub(super) async fn reached(&self) {
        self.reached.notified().await;
    }

    /// Returns the number of a request, counted from 1. The future stays pending for a request beyond the limit.
    pub(super) async fn arrive(&self) -> usize {
        let number = self.arrived.fetch_add(1, Ordering::SeqCst) + 1;
        if number > self.allowed {
            std::future::pending::<Infallible>().await;
        }
        number
    }

    /// Records that the request with this number has been executed. The future stays pending for the last request
    /// within the limit.
    pub(super) async fn stop_if_last(&self, number: usize) {
        if number == self.allowed {
            self.reached.notify_one();
            std::future::pending::<Infallible>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_limit_is_reached_after_its_last_request() {
        let late = Duration::from_secs(1);
        let limit = RequestLimit::after(0);
        timeout(late, limit.reached()).await.expect("no request is allowed");
        timeout(late, limit.arrive()).await.expect_err("it is beyond the limit");
        let limit = RequestLimit::after(1);
        timeout(late, limit.reached()).await.expect_err("no request has been executed");
        let number = limit.arrive().await;
        timeout(late, limit.stop_if_last(number)).await.expect_err("it is not answered");
        timeout(late, limit.reached()).await.expect("the request has been executed");
    }
}
