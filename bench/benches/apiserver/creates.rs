//! Measures how long creations take: in CPU time of the thread that runs client and server, and
//! beside a real server in wall time.

use std::hint::black_box;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use crd_examples::crontab::CronTab;
use kube::Client;
use kube::api::Api;
use serde_json::Value;

use crate::sides::{Real, canned, crontab, crontabs, params, server, stored};
use crate::{digits, row};

/// The number of rounds that are counted.
const ROUNDS: usize = 9;
/// The number of objects that a round creates.
const OBJECTS: usize = 2_000;
/// The number of objects that a round creates in a real server, which takes longer.
const REAL_OBJECTS: usize = 200;
/// The number of objects that a server has at the end of [`growth`].
const MANY: usize = 20_000;
/// The number of objects in one measurement of [`growth`].
const PART: usize = 1_000;

/// Creates objects with the numbers of a range.
async fn create(api: &Api<CronTab>, numbers: std::ops::Range<usize>) -> Result<(), String> {
    let params = params();
    for number in numbers {
        let object = crontab(&format!("object-{number:06}"));
        let created = api.create(&params, &object).await.map_err(|error| error.to_string())?;
        black_box(created);
    }
    Ok(())
}

/// Creates objects, and returns the mean CPU time of a creation in microseconds.
async fn micros(api: &Api<CronTab>, numbers: std::ops::Range<usize>) -> Result<f64, String> {
    let count = numbers.len();
    let begin = ThreadTime::now();
    create(api, numbers).await?;
    Ok(each(begin.elapsed(), count))
}

/// Returns the mean time of one of `count` operations, in microseconds.
#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn each(time: Duration, count: usize) -> f64 {
    time.as_secs_f64() * 1e6 / count as f64
}

pub(crate) async fn report(real: Option<&Real>) -> Result<(), String> {
    // A creation with a canned answer takes the time of the client alone: no server can be faster.
    let floor = crontabs(&canned().await?);
    let (mut floors, mut servers, mut reals) = (Vec::new(), Vec::new(), Vec::new());
    let answer = answer_json().await?;
    let mut trees = Vec::new();
    for round in 0..=ROUNDS {
        let of_floor = micros(&floor, 0..OBJECTS).await?;
        // Each round has a new server, as each test has.
        let api = crontabs(&server().client());
        let of_server = micros(&api, 0..OBJECTS).await?;
        let begin = ThreadTime::now();
        read(&answer, OBJECTS);
        let of_tree = each(begin.elapsed(), OBJECTS);
        // The first round is not counted, because it also does the work of one-time initialization.
        if round > 0 {
            floors.push(of_floor);
            servers.push(of_server);
            trees.push(of_tree);
        }
        if let Some(real) = real {
            let begin = Instant::now();
            create(&crontabs(&real.client), 0..REAL_OBJECTS).await?;
            let took = each(begin.elapsed(), REAL_OBJECTS);
            real.empty().await?;
            let begin = Instant::now();
            create(&crontabs(&server().client()), 0..REAL_OBJECTS).await?;
            if round > 0 {
                reals.push(took / each(begin.elapsed(), REAL_OBJECTS));
            }
        }
    }
    let ratio = |over: &[f64], under: &[f64]| -> Vec<f64> {
        over.iter().zip(under).map(|(over, under)| over / under).collect()
    };
    row("create / the same request with a canned answer", ratio(&servers, &floors), "");
    row("create / reading its answer as a tree", ratio(&servers, &trees), "");
    row("a canned answer / reading it as a tree", ratio(&floors, &trees), "");
    if !reals.is_empty() {
        row("create in kube-apiserver / here, on the wall", reals, "");
    }
    let rate = |micros: &[f64]| micros.iter().map(|micros| 1e6 / micros).collect();
    row("creates a second of CPU time", rate(&servers), "");
    row("canned answers a second of CPU time", rate(&floors), "");
    growth().await
}

/// Prints how much longer the creation of an object takes in the second half of [`MANY`] than in
/// the first.
async fn growth() -> Result<(), String> {
    let api = crontabs(&server().client());
    let mut all = Vec::new();
    for part in 0..MANY / PART {
        all.push(micros(&api, part * PART..(part + 1) * PART).await?);
    }
    let half = all.len() / 2;
    let mean = |part: &[f64]| crd_bench::stats::geometric_mean(part.iter().copied());
    let growth = mean(&all[half..]) / mean(&all[..half]);
    println!("| creates 10,001 to 20,000 / 1 to 10,000 | **{}** | |", digits(growth));
    Ok(())
}

/// Returns the JSON of an object, as the server answers it.
async fn answer_json() -> Result<String, String> {
    let api = crontabs(&server().client());
    create(&api, 0..1).await?;
    stored(&api, "object-000000").await
}

/// Parses a text as JSON `times` times.
fn read(text: &str, times: usize) {
    for _ in 0..times {
        black_box(serde_json::from_str::<Value>(black_box(text)).ok());
    }
}

/// Does one thing `times` times: creates an object in the API server of tests (`server`), creates
/// one with a canned answer (`floor`), or parses such an answer (`tree`).
pub(crate) async fn counted(what: &str, times: usize) -> Result<(), String> {
    let client: Client = match what {
        "server" => server().client(),
        "floor" => canned().await?,
        "tree" => {
            read(&answer_json().await?, times);
            return Ok(());
        }
        _ => return Err(format!("`{what}` is none of server, floor, tree, start")),
    };
    create(&crontabs(&client), 0..times).await
}
