//! Pauses between attempts.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::Duration;

/// Pauses that double up to a limit, each shortened by up to a half at random.
///
/// Without the random part, two writers that conflict once would retry at the same time and conflict again.
#[derive(Debug, Clone)]
pub(crate) struct Backoff {
    next: Duration,
    longest: Duration,
}

impl Backoff {
    pub(crate) fn new(first: Duration, longest: Duration) -> Self {
        Self { next: first, longest }
    }

    /// Sleeps for the next pause, or for `requested` if the server asks for a longer one, but never longer than
    /// the limit.
    pub(crate) async fn pause(&mut self, requested: Option<Duration>) {
        tokio::time::sleep(self.next_pause(requested)).await;
    }

    pub(crate) fn next_pause(&mut self, requested: Option<Duration>) -> Duration {
        let pause = self.next.mul_f64(1.0 - random() / 2.0);
        self.next = (self.next * 2).min(self.longest);
        pause.max(requested.unwrap_or_default()).min(self.longest)
    }
}

/// Returns a number from 0 to 1. The hasher's random keys are the only source of randomness in the standard library.
fn random() -> f64 {
    let bits = RandomState::new().build_hasher().finish() >> 32;
    f64::from(u32::try_from(bits).unwrap_or_default()) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_to_the_limit_and_vary() {
        let seconds = |range: std::ops::RangeInclusive<u64>| {
            Duration::from_secs(*range.start())..=Duration::from_secs(*range.end())
        };
        let mut first_pauses = Vec::new();
        for _ in 0..32 {
            let mut backoff = Backoff::new(Duration::from_secs(2), Duration::from_secs(8));
            first_pauses.push(backoff.next_pause(None));
            assert!(seconds(1..=2).contains(&first_pauses[0]));
            assert!(seconds(2..=4).contains(&backoff.next_pause(None)));
            assert!(seconds(4..=8).contains(&backoff.next_pause(None)));
            assert!(seconds(4..=8).contains(&backoff.next_pause(None)));
            let requested = Some(Duration::from_secs(7));
            assert!(seconds(7..=8).contains(&backoff.next_pause(requested)));
            let too_long = Some(Duration::from_secs(60));
            assert_eq!(backoff.next_pause(too_long), Duration::from_secs(8));
        }
        first_pauses.dedup();
        assert!(first_pauses.len() > 16, "{first_pauses:?}");
    }
}
