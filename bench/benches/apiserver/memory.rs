//! Measures how many bytes a server holds for each byte of its objects' JSON, with an allocator that counts.

use stats_alloc::Region;

use crate::sides::{crontab, crontabs, params, server, stored};
use crate::{ALLOCATOR, digits};

/// The numbers of objects for which a server is measured.
const OBJECTS: [usize; 3] = [1, 1_000, 20_000];

pub(crate) async fn report() -> Result<(), String> {
    for objects in OBJECTS {
        let server = server();
        let api = crontabs(&server.client());
        let params = params();
        // The first object also allocates what all objects of its kind share. It is not counted.
        let first = api.create(&params, &crontab("first")).await;
        first.map_err(|error| error.to_string())?;
        let json = stored(&api, "first").await?.len();
        let region = Region::new(ALLOCATOR);
        let mut allocations = 0;
        for number in 0..objects {
            let object = crontab(&format!("o{number:04}"));
            let before = ALLOCATOR.stats().allocations;
            let created = api.create(&params, &object).await;
            allocations += ALLOCATOR.stats().allocations - before;
            created.map_err(|error| error.to_string())?;
        }
        let change = region.change();
        let held = change.bytes_allocated - change.bytes_deallocated;
        println!(
            "| bytes held / bytes of JSON, {objects} objects of {json} bytes | **{}** | {} allocations each |",
            digits(ratio(held, objects * json)),
            allocations / objects
        );
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
fn ratio(over: usize, under: usize) -> f64 {
    over as f64 / under as f64
}
