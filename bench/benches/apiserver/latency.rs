//! Measures the time from the answer to a creation until the store of a reflector has the object.

use std::time::{Duration, Instant};

use futures::StreamExt as _;
use kube::Client;
use kube::runtime::{WatchStreamExt as _, reflector, watcher};
use tokio::sync::mpsc;

use crate::digits;
use crate::sides::{Real, crontab, crontabs, params, server};

/// The number of objects that are created in the API server of tests.
const OBJECTS: usize = 2_000;
/// The number of objects that are created in a real server, which takes longer.
const REAL_OBJECTS: usize = 500;
/// The timeout for the event of one object.
const PATIENCE: Duration = Duration::from_secs(10);

pub(crate) async fn report(real: Option<&Real>) -> Result<(), String> {
    let here = delays(server().client(), OBJECTS).await?;
    say("here", &here);
    let Some(real) = real else { return Ok(()) };
    let there = delays(real.client.clone(), REAL_OBJECTS).await?;
    real.empty().await?;
    say("kube-apiserver", &there);
    Ok(())
}

fn say(whose: &str, sorted: &[f64]) {
    let at = |share: usize| sorted.get(sorted.len() * share / 100).copied().unwrap_or(f64::NAN);
    println!(
        "| from the answer to a reflector's store, {whose}, in ms | **{}** | p99 {} |",
        digits(at(50)),
        digits(at(99))
    );
}

/// Returns the delays in milliseconds, sorted. The delay of an event that arrives before the answer
/// is 0.
async fn delays(client: Client, objects: usize) -> Result<Vec<f64>, String> {
    let api = crontabs(&client);
    let (store, writer) = reflector::store();
    let (arrived, mut arrivals) = mpsc::unbounded_channel();
    let events = watcher(api.clone(), watcher::Config::default()).reflect(writer);
    let follower = tokio::spawn(events.for_each(move |event| {
        // `reflector` puts the object into the store before it passes the event on.
        if let Ok(watcher::Event::Apply(object)) = event {
            let _ = arrived.send((object.metadata.name, Instant::now()));
        }
        std::future::ready(())
    }));
    store.wait_until_ready().await.map_err(|error| error.to_string())?;
    let mut delays = Vec::with_capacity(objects);
    for number in 0..objects {
        let name = format!("followed-{number:06}");
        let created = api.create(&params(), &crontab(&name)).await;
        let returned = Instant::now();
        created.map_err(|error| error.to_string())?;
        let arrival = tokio::time::timeout(PATIENCE, arrivals.recv()).await;
        let (arrived, at) = arrival.ok().flatten().ok_or("no event arrives")?;
        if arrived.as_deref() != Some(&*name) {
            return Err(format!("the event of {arrived:?} arrives in place of {name}"));
        }
        delays.push(at.saturating_duration_since(returned).as_secs_f64() * 1e3);
    }
    follower.abort();
    delays.sort_by(f64::total_cmp);
    Ok(delays)
}
