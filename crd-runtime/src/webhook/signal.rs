//! When to end.

use std::future;

/// Waits for SIGTERM, which Kubernetes sends to a pod that has to go, or for an interrupt from the keyboard.
///
/// Where a signal cannot be listened to, it never comes.
pub async fn shutdown_signal() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = interrupt => {}
        () = terminate() => {}
    }
}

#[cfg(unix)]
async fn terminate() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signal) => drop(signal.recv().await),
        Err(_) => future::pending().await,
    }
}

#[cfg(not(unix))]
async fn terminate() {
    future::pending().await
}
