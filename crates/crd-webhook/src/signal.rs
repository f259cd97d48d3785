//! The shutdown signal.

use std::future;

/// Waits for SIGTERM, which the kubelet sends to end a container, or for an interrupt from the keyboard.
///
/// If the handler of one signal cannot be installed, the function waits for the other one alone.
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
