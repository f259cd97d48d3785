//! Measuring a call in CPU time of its thread, which other processes disturb less than the clock on the wall.

use std::time::Duration;

use cpu_time::ThreadTime;

/// How many calls make a window, found once and kept, so that all rounds are alike.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    calls: u32,
}

impl Window {
    /// Finds how many calls take at least `at_least`.
    pub fn of(at_least: Duration, call: &mut dyn FnMut()) -> Self {
        let mut window = Self { calls: 1 };
        while window.elapsed(call) < at_least && window.calls < u32::MAX / 2 {
            window.calls *= 2;
        }
        window
    }

    /// The time of one call, in nanoseconds.
    pub fn once(call: &mut dyn FnMut()) -> f64 {
        Self { calls: 1 }.nanos(call)
    }

    /// The mean time of a call, in nanoseconds.
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
