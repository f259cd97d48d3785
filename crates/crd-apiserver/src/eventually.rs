//! Waits for what a controller does.

use std::time::Duration;

use tokio::time::{Instant, timeout};

use super::ApiServer;

/// How often a check runs although nothing has been stored, by tokio's clock.
const INTERVAL: Duration = Duration::from_secs(1);

impl ApiServer {
    /// Waits until a check returns a value, and returns the value. The check runs at once, whenever an object has changed,
    /// and every second of tokio's clock, so a test whose clock is paused (`#[tokio::test(start_paused = true)]`) does not
    /// wait.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use crd_apiserver::ApiServer;
    /// use k8s_openapi::api::core::v1::ConfigMap;
    /// use kube::api::{Api, PostParams};
    /// use serde_json::json;
    ///
    /// # tokio_test(async {
    /// let server = ApiServer::new();
    /// let api = Api::<ConfigMap>::namespaced(server.client(), "default");
    /// tokio::spawn(async move {
    ///     let map = serde_json::from_value(json!({"metadata": {"name": "a"}})).unwrap();
    ///     api.create(&PostParams::default(), &map).await
    /// });
    /// let within = Duration::from_secs(10);
    /// let map = server.eventually(within, || server.get::<ConfigMap>("default", "a").ok()).await;
    /// assert_eq!(map.metadata.name.as_deref(), Some("a"));
    /// # });
    /// # fn tokio_test(test: impl Future<Output = ()>) {
    /// #     tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
    /// # }
    /// ```
    ///
    /// # Panics
    /// Panics if the time passes first, with the requests that were made in the meantime.
    pub async fn eventually<T>(&self, within: Duration, mut check: impl FnMut() -> Option<T>) -> T {
        let recording = self.record();
        let end = Instant::now() + within;
        let mut changes = self.shared.changes();
        loop {
            if let Some(found) = check() {
                return found;
            }
            assert!(
                Instant::now() < end,
                "this did not happen within {within:?}; the requests in the meantime:\n{}",
                recording.transcript()
            );
            // There is no change any more only if there is no server any more.
            let _ = timeout(INTERVAL, changes.changed()).await;
        }
    }
}
