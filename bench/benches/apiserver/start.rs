//! Measures how long a server takes to start, with a kind and a client.

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use crd_apiserver::ApiServer;
use stats_alloc::Region;

use crate::sides::server;
use crate::{ALLOCATOR, digits};

/// The number of servers that are started.
const SERVERS: usize = 1_000;

pub(crate) fn report() {
    let region = Region::new(ALLOCATOR);
    let (wall, cpu) = (Instant::now(), ThreadTime::now());
    let servers = many(SERVERS);
    let (wall, cpu) = (wall.elapsed(), cpu.elapsed());
    let change = region.change();
    let held = (change.bytes_allocated - change.bytes_deallocated) / SERVERS;
    drop(servers);
    println!(
        "| {SERVERS} servers with a kind and a client, each in ms of CPU time | **{}** | {} on the wall, {} KiB held |",
        digits(each(cpu)),
        digits(each(wall)),
        held / 1024
    );
}

/// The milliseconds that one server takes if all [`SERVERS`] take `time`.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn each(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3 / SERVERS as f64
}

/// Starts `count` servers, each with a kind and a client.
pub(crate) fn many(count: usize) -> Vec<ApiServer> {
    (0..count)
        .map(|_| {
            let server = server();
            black_box(server.client());
            server
        })
        .collect()
}
