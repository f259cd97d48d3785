//! Rounds of measurements: each round measures every side once on each of its inputs.

use std::collections::BTreeMap;
use std::time::Duration;

use crd_bench::clock::Window;
use crd_bench::stats::{geometric_mean, quartiles};

/// The shortest CPU time of a turn.
const TURN: Duration = Duration::from_millis(3);

/// A measurement that is repeated each round. It returns nanoseconds, or an error.
type Turn<'a> = Box<dyn FnMut() -> Result<f64, String> + 'a>;

/// One side of a ratio on one input.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    who: &'static str,
    input: String,
}

/// The turns of a round, and their results so far.
#[derive(Default)]
pub(crate) struct Rounds<'a> {
    turns: Vec<(Key, Turn<'a>)>,
    /// Nanoseconds by round.
    taken: BTreeMap<Key, Vec<f64>>,
}

/// A ratio over all inputs that both sides have.
#[derive(Debug, Clone)]
pub(crate) struct Ratio {
    /// First quartile, median and third quartile over the rounds of the geometric mean over the inputs.
    pub(crate) quartiles: [f64; 3],
    /// The median over the rounds for each input, the lowest first.
    pub(crate) inputs: Vec<(f64, String)>,
}

impl<'a> Rounds<'a> {
    /// Adds a call that is measured here.
    pub(crate) fn add_call(&mut self, who: &'static str, input: &str, mut call: impl FnMut() + 'a) {
        let mut window = None;
        self.add_turn(who, input, move || {
            let window = *window.get_or_insert_with(|| Window::of(TURN, &mut call));
            Ok(window.nanos(&mut call))
        });
    }

    /// Adds a measurement that another process makes.
    pub(crate) fn add_turn(
        &mut self,
        who: &'static str,
        input: &str,
        turn: impl FnMut() -> Result<f64, String> + 'a,
    ) {
        self.turns.push((Key { who, input: input.to_owned() }, Box::new(turn)));
    }

    /// Runs one round to warm up, and then `rounds` counted ones. Calls `after` with the number of
    /// each, from 0.
    pub(crate) fn run(&mut self, rounds: u32, mut after: impl FnMut(u32)) -> Result<(), String> {
        // All turns on an input follow each other, so that other work disturbs them alike.
        self.turns.sort_by(|(a, _), (b, _)| a.input.cmp(&b.input));
        for round in 0..=rounds {
            for (key, turn) in &mut self.turns {
                let nanos =
                    turn().map_err(|error| format!("{} on {}: {error}", key.who, key.input))?;
                if round > 0 {
                    self.taken.entry(key.clone()).or_default().push(nanos);
                }
            }
            after(round);
        }
        Ok(())
    }

    /// Returns how many times longer `slow` takes than `fast`, over all inputs or on the one named
    /// `only`. `None` if no input has both.
    pub(crate) fn ratio(&self, slow: &str, fast: &str, only: Option<&str>) -> Option<Ratio> {
        let pairs: Vec<(&String, Vec<f64>)> = self
            .taken
            .iter()
            .filter(|(key, _)| key.who == slow && only.is_none_or(|only| key.input == only))
            .filter_map(|(key, slow)| {
                let other = self.taken.iter().find(|(k, _)| k.who == fast && k.input == key.input);
                let ratios = slow.iter().zip(other?.1).map(|(slow, fast)| slow / fast).collect();
                Some((&key.input, ratios))
            })
            .collect();
        let rounds = pairs.first()?.1.len();
        let means = (0..rounds).map(|round| {
            geometric_mean(pairs.iter().filter_map(|(_, all)| all.get(round).copied()))
        });
        let means = means.collect();
        let mut inputs: Vec<(f64, String)> = pairs
            .into_iter()
            .map(|(input, ratios)| (quartiles(ratios)[1], input.clone()))
            .collect();
        inputs.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        Some(Ratio { quartiles: quartiles(means), inputs })
    }
}
