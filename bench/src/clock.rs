//! Measures a call in CPU time of its thread, which other processes disturb less than wall time.

use std::time::Duration;

use cpu_time::ThreadTime;

/// The number of tries in which a window must be long enough.
const TRIES: u32 = 5;

/// A number of calls that are measured together. It is found once, so that all rounds make the same number of
/// calls.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    calls: u32,
}

impl Window {
    /// Finds how many calls take at least `at_least`.
    pub fn of(at_least: Duration, call: &mut dyn FnMut()) -> Self {
        Self::such_that(at_least, |window| window.elapsed(call))
    }

    /// Returns the first of 1, 2, 4 and so on calls that take `at_least` in each of [`TRIES`]: other work on the
    /// machine makes one try long, but not all of them.
    fn such_that(at_least: Duration, mut elapsed: impl FnMut(Self) -> Duration) -> Self {
        let mut window = Self { calls: 1 };
        while window.calls < u32::MAX / 2 && (0..TRIES).any(|_| elapsed(window) < at_least) {
            window.calls *= 2;
        }
        window
    }

    /// Makes one call, and returns its time in nanoseconds.
    pub fn once(call: &mut dyn FnMut()) -> f64 {
        Self { calls: 1 }.nanos(call)
    }

    /// Makes the calls of the window, and returns the mean time of a call in nanoseconds.
    pub fn nanos(self, call: &mut dyn FnMut()) -> f64 {
        self.elapsed(call).as_secs_f64() * 1e9 / f64::from(self.calls)
    }

    fn elapsed(self, call: &mut dyn FnMut()) -> Duration {
        let start = ThreadTime::now();
        for _ in 0..self.calls {
            call();
        }
        start.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_long_call_does_not_make_the_window() {
        let micros = |calls: u32| Duration::from_micros(u64::from(calls));
        let mut tries = 0;
        let window = Window::such_that(micros(3_000), |window| {
            tries += 1;
            let hiccup = if matches!(tries, 1 | 4) { micros(5_000) } else { Duration::ZERO };
            micros(window.calls) + hiccup
        });
        assert_eq!(window.calls, 4_096);
    }
}
