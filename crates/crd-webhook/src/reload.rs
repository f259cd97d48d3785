//! Reloads the certificate when its files change.

use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::oneshot;
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_rustls::rustls::sign::CertifiedKey;

use super::certificates::{Contents, CurrentCertificate};
use super::error::Notify;
use super::{CertificateFiles, Error, Event};

/// The time limit for reading the files, because a network file system may not respond.
const PATIENCE: Duration = Duration::from_secs(10);

/// The largest number of threads that may be blocked by reading. While so many are blocked, the files are not read.
const MAX_STUCK: usize = 8;

/// Reloads the certificate files.
pub(super) struct Reload {
    pub(super) certificates: CertificateFiles,
    pub(super) contents: Contents,
    pub(super) current: Arc<CurrentCertificate>,
    pub(super) notify: Notify,
}

impl Reload {
    /// Reads the files at an interval and uses new certificates. Never returns.
    pub(super) async fn run(mut self, every: Duration) {
        // `interval` panics on zero.
        let mut ticks = interval(every.max(Duration::from_millis(1)));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut reported = None;
        let mut stuck: Vec<JoinHandle<()>> = Vec::new();
        loop {
            ticks.tick().await;
            stuck.retain(|thread| !thread.is_finished());
            let read = if stuck.len() < MAX_STUCK { self.read(&mut stuck).await } else { continue };
            match read {
                Ok(None) => reported = None,
                Ok(Some((contents, key))) => {
                    self.contents = contents;
                    self.current.replace(key);
                    reported = None;
                    (self.notify)(Event::CertificatesReloaded);
                }
                Err(reason) => {
                    if reported.as_ref() != Some(&reason) {
                        (self.notify)(Event::CertificatesRejected(reason.clone()));
                        reported = Some(reason);
                    }
                }
            }
        }
    }

    /// Returns the certificates if the files have changed. Reads on a separate thread, because reading may block
    /// forever.
    ///
    /// The two files are not replaced at the same instant. If the key does not match the certificate yet, this is an
    /// error, and both are read again at the next tick.
    async fn read(
        &self,
        stuck: &mut Vec<JoinHandle<()>>,
    ) -> Result<Option<(Contents, Arc<CertifiedKey>)>, String> {
        let (files, before) = (self.certificates.clone(), self.contents.clone());
        let (send, received) = oneshot::channel();
        let read = move || {
            let read = files.read().and_then(|contents| {
                if contents == before {
                    return Ok(None);
                }
                files.parse(&contents).map(|key| Some((contents, key)))
            });
            let _ = send.send(read.map_err(|error: Error| error.to_string()));
        };
        let thread = thread::Builder::new().name("certificates".to_owned()).spawn(read);
        let thread = thread.map_err(|error| format!("no thread can be started: {error}"))?;
        let Ok(result) = timeout(PATIENCE, received).await else {
            stuck.push(thread);
            return Err(format!("reading them takes more than {} s", PATIENCE.as_secs()));
        };
        result.unwrap_or_else(|_| Err("reading them panicked".to_owned()))
    }
}
