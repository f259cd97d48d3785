//! Fits the exponents by which the time and memory of the engine grow with the size of its input.
//!
//! `cargo bench --manifest-path bench/Cargo.toml --bench scaling [-- FILTER]`; the exit status is 1 if one
//! grows faster than linearly. Time is CPU time, the shortest of several windows; allocations are counted.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "prints its results")]

use std::alloc::System;
use std::process::ExitCode;
use std::time::Duration;

use crd_bench::clock::Window;
use crd_bench::series::all;
use crd_bench::stats::exponent;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The largest exponent of time that counts as linear. Sorting and trees add a logarithm, and inputs that do
/// not fit into the processor's caches take longer for each byte: exponents stay below this limit with both,
/// but not with a quadratic part.
const TIME_LIMIT: f64 = 1.3;
/// The largest exponent of allocated bytes and of numbers of allocations, which do not depend on caches.
const MEMORY_LIMIT: f64 = 1.06;
/// The number of windows, of which the shortest counts.
const WINDOWS: u32 = 5;
/// The shortest time of a window.
const WINDOW: Duration = Duration::from_millis(8);

/// The cost of one size.
struct Point {
    size: f64,
    nanos: f64,
    allocations: f64,
    bytes: f64,
}

fn main() -> ExitCode {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    println!("{:<44}{:>10}{:>10}{:>8}{:>8}{:>8}", "", "from", "to", "time", "allocs", "bytes");
    let mut bad = 0;
    for series in all() {
        if filter.as_ref().is_some_and(|filter| !series.name.contains(&**filter)) {
            continue;
        }
        let points: Vec<Point> =
            series.sizes.iter().map(|size| point(*size, (series.make)(*size))).collect();
        let fit = |of: fn(&Point) -> f64| {
            let pairs: Vec<_> =
                points.iter().map(|point| (point.size, of(point).max(1.0))).collect();
            exponent(&pairs)
        };
        let (time, allocations, bytes) =
            (fit(|point| point.nanos), fit(|point| point.allocations), fit(|point| point.bytes));
        let is_bad = time > TIME_LIMIT || allocations > MEMORY_LIMIT || bytes > MEMORY_LIMIT;
        bad += usize::from(is_bad);
        println!(
            "{:<44}{:>10}{:>10}{time:>8.2}{allocations:>8.2}{bytes:>8.2}{}",
            series.name,
            series.sizes.first().unwrap_or(&0),
            series.sizes.last().unwrap_or(&0),
            if is_bad { "  FASTER THAN LINEAR" } else { "" }
        );
        if is_bad {
            for Point { size, nanos, allocations, bytes } in &points {
                println!("    {size:>10}: {nanos:.0} ns, {allocations} allocations, {bytes} bytes");
            }
        }
    }
    println!("exponents above {TIME_LIMIT} (time) or {MEMORY_LIMIT} (memory): {bad}");
    if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn point(size: usize, mut call: Box<dyn FnMut()>) -> Point {
    // The first call does the work of one-time initialization.
    call();
    let region = Region::new(ALLOCATOR);
    call();
    let stats = region.change();
    let window = Window::of(WINDOW, &mut call);
    let nanos =
        (0..WINDOWS).map(|_| window.nanos(&mut call)).min_by(f64::total_cmp).unwrap_or(f64::NAN);
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
    let (size, allocations, bytes) = (
        size as f64,
        (stats.allocations + stats.reallocations) as f64,
        stats.bytes_allocated as f64,
    );
    Point { size, nanos, allocations, bytes }
}
