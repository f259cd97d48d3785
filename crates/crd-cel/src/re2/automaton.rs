//! A parsed pattern as automata over bytes that find matches in time linear in the text.

use std::sync::OnceLock;

use regex_automata::hybrid::{dfa, regex};
use regex_automata::nfa::thompson::{Compiler, Config, NFA, WhichCaptures};
use regex_automata::util::pool::Pool;
use regex_automata::{Input, Match, MatchKind};

use super::ast::PatternNode;
use super::memory::Reservation;
use super::size::most_bytes;
use super::translate;

/// An automaton is built only if it takes at most this many bytes by its upper bound,
/// [`most_bytes`].
///
/// For each instruction of a pattern, Go takes 40 bytes, however large its classes are; an automaton
/// over bytes takes up to 128 KiB. A definition of 15 KB can hold 300 patterns such as `\pL{1000}`.
const LARGEST: u64 = 16 << 20;

/// The deepest nesting of nodes: building an automaton takes up to 4 KiB of the caller's stack for
/// each level.
const DEEPEST: usize = 50;

/// The most memory, in bytes, for the states that one search at a time computes, in each direction.
///
/// PERF: with 2 MiB, a pattern that repeats `\p{L}` a hundred times is left to a machine that keeps
/// no states. A match then takes 147,000 instructions, where a lazy DFA takes some hundred.
const CACHE_LIMIT: usize = 16 << 20;

/// The number of times that a lazy DFA fills its memory before it may give up.
const FULL_CACHES: usize = 3;

/// A lazy DFA that has filled its memory gives up if it reads less text than this number of bytes for
/// each state.
const BYTES_PER_STATE: usize = 10;

/// The automata of a pattern.
///
/// `forward` finds the end of the first match. Finding its start needs the automaton of the reversed
/// pattern, which is built when it is first needed.
#[derive(Debug)]
pub(super) struct Automaton {
    node: PatternNode,
    forward: dfa::DFA,
    search: OnceLock<Option<(regex::Regex, Reservation)>>,
    memory: Pool<Memory>,
    _reservation: Reservation,
}

/// The memory that one search at a time needs; each part is created when it is first needed.
#[derive(Debug, Default)]
struct Memory {
    forward: Option<dfa::Cache>,
    search: Option<regex::Cache>,
    reservation: Reservation,
}

/// The automaton has no result; the machine has to decide.
#[derive(Debug)]
pub(super) struct GaveUp;

impl Automaton {
    /// The automaton of a pattern; `None` if the pattern is too large or deep for one, or there is
    /// no room.
    pub(super) fn new(node: PatternNode) -> Option<Self> {
        if !is_small(&node) {
            return None;
        }
        let mut reservation = Reservation::of(usize::try_from(most_bytes(&node)).ok()?)?;
        let nfa = nfa(&node, false)?;
        let _ = reservation.resize(nfa.memory_usage());
        let forward = lazy(nfa, MatchKind::LeftmostFirst)?;
        Some(Self {
            node,
            forward,
            search: OnceLock::new(),
            memory: Pool::new(Memory::default),
            _reservation: reservation,
        })
    }

    /// Whether the pattern matches anywhere in the text.
    pub(super) fn is_match(&self, text: &str) -> Result<bool, GaveUp> {
        let input = Input::new(text).earliest(true);
        let mut memory = self.memory.get();
        let cache = memory.forward.get_or_insert_with(|| self.forward.create_cache());
        let found = self.forward.try_search_fwd(cache, &input);
        memory.settle();
        found.map(|found| found.is_some()).map_err(|_| GaveUp)
    }

    /// The first match in the span of the input, and how many bytes were read to find it.
    pub(super) fn find(&self, input: &Input<'_>) -> Result<(Option<Match>, u64), GaveUp> {
        let search = || {
            let reservation = Reservation::of(usize::try_from(most_bytes(&self.node)).ok()?)?;
            let reverse = lazy(nfa(&self.node, true)?, MatchKind::All)?;
            let regex = regex::Builder::new().build_from_dfas(self.forward.clone(), reverse);
            Some((regex, reservation))
        };
        let (search, _) = self.search.get_or_init(search).as_ref().ok_or(GaveUp)?;
        let mut memory = self.memory.get();
        let cache = memory.search.get_or_insert_with(|| search.create_cache());
        let before = progress(cache);
        let found = search.try_search(cache, input);
        let after = progress(cache);
        memory.settle();
        let found = found.map_err(|_| GaveUp)?;
        // A cache that was cleared during the search does not count what was read before.
        let most = 2 * input.get_span().len() as u64;
        let cleared = before.0 != after.0;
        let read = if cleared { most } else { after.1.saturating_sub(before.1) as u64 };
        Ok((found, read))
    }
}

/// The number of times that the caches of a search were cleared, and of bytes searched since.
fn progress(cache: &regex::Cache) -> (usize, usize) {
    let (forward, reverse) = cache.as_parts();
    (
        forward.clear_count() + reverse.clear_count(),
        forward.search_total_len() + reverse.search_total_len(),
    )
}

impl Memory {
    /// Reserves the memory that the caches take now, or drops the caches if there is no room.
    #[inline]
    fn settle(&mut self) {
        let forward = self.forward.as_ref().map_or(0, dfa::Cache::memory_usage);
        let search = self.search.as_ref().map_or(0, regex::Cache::memory_usage);
        if !self.reservation.resize(forward + search) {
            *self = Self::default();
        }
    }
}

/// Whether a pattern is small enough for an automaton.
pub(super) fn is_small(node: &PatternNode) -> bool {
    most_bytes(node) <= LARGEST && !depth_exceeds(node, DEEPEST)
}

/// The pattern as a nondeterministic automaton.
fn nfa(node: &PatternNode, reverse: bool) -> Option<NFA> {
    let captures = if reverse { WhichCaptures::None } else { WhichCaptures::Implicit };
    let config = Config::new().which_captures(captures).reverse(reverse);
    Compiler::new().configure(config).build_from_hir(&translate::translate(node)).ok()
}

fn lazy(nfa: NFA, kind: MatchKind) -> Option<dfa::DFA> {
    let config = dfa::Config::new()
        .match_kind(kind)
        .cache_capacity(CACHE_LIMIT)
        .skip_cache_capacity_check(true)
        .minimum_cache_clear_count(Some(FULL_CACHES))
        .minimum_bytes_per_state(Some(BYTES_PER_STATE));
    dfa::Builder::new().configure(config).build_from_nfa(nfa).ok()
}

/// Whether a node has more than `levels` levels of nodes.
fn depth_exceeds(node: &PatternNode, levels: usize) -> bool {
    let Some(below) = levels.checked_sub(1) else {
        return true;
    };
    match node {
        PatternNode::Repeat { node, .. } => depth_exceeds(node, below),
        PatternNode::Concat(nodes) | PatternNode::Alternate(nodes) => {
            nodes.iter().any(|node| depth_exceeds(node, below))
        }
        PatternNode::Empty
        | PatternNode::Literal { .. }
        | PatternNode::Class(_)
        | PatternNode::Any { .. }
        | PatternNode::Look(_) => false,
    }
}
