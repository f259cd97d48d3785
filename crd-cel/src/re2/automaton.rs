//! A parsed pattern as automata that find matches in time linear in the text.

use std::sync::OnceLock;
use std::thread;

use regex_automata::hybrid::{dfa, regex};
use regex_automata::nfa::thompson::pikevm::{self, PikeVM};
use regex_automata::nfa::thompson::{Compiler, Config, NFA, WhichCaptures};
use regex_automata::util::pool::Pool;
use regex_automata::{Input, Match, MatchKind};

use super::ast::Node;
use super::translate;

/// The most memory that matching keeps for what it has worked out of a pattern, in bytes, in each direction.
///
/// PERF: with 2 MiB, a pattern that repeats `\p{L}` a hundred times is left to an engine that keeps nothing,
/// at 147,000 instructions a match where a lazy DFA takes some hundred.
const CACHE_LIMIT: usize = 16 << 20;

/// A lazy DFA that has filled its memory this often, with little to show for it, leaves the text to the NFA.
const FULL_CACHES: usize = 3;

/// How many bytes of text a state has to serve, or it counts as little to show.
const BYTES_PER_STATE: usize = 10;

/// The most nodes one below the other that are compiled on the caller's stack.
const SHALLOW: usize = 50;

/// The stack for the others, in bytes: the compiler takes up to 4 KiB a level without optimization.
const DEEP_STACK: usize = 16 << 20;

/// The automata of a pattern.
///
/// Whether there is a match, and where the first one ends, is for `forward` to say. Where it begins takes the
/// pattern read backwards too, which is made when it is first asked.
#[derive(Debug)]
pub(super) struct Automaton {
    node: Node,
    forward: dfa::DFA,
    search: OnceLock<Option<regex::Regex>>,
    slow: OnceLock<Option<PikeVM>>,
    memory: Pool<Memory>,
}

/// What one search at a time needs; each part is made when it is first needed.
#[derive(Debug, Default)]
struct Memory {
    forward: Option<dfa::Cache>,
    search: Option<regex::Cache>,
    slow: Option<pikevm::Cache>,
}

/// The pattern takes more memory than it may.
#[derive(Debug)]
pub(super) struct Large;

impl Automaton {
    /// Compiles a pattern, within `limit` bytes.
    pub(super) fn new(node: Node, limit: usize) -> Result<Self, Large> {
        let forward = lazy(nfa(&node, limit, false)?, MatchKind::LeftmostFirst)?;
        Ok(Self {
            node,
            forward,
            search: OnceLock::new(),
            slow: OnceLock::new(),
            memory: Pool::new(Memory::default),
        })
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        let input = Input::new(text).earliest(true);
        let mut memory = self.memory.get();
        let cache = memory.forward.get_or_insert_with(|| self.forward.create_cache());
        match self.forward.try_search_fwd(cache, &input) {
            Ok(found) => found.is_some(),
            Err(_) => self.find_slowly(&mut memory, &input).is_some(),
        }
    }

    /// The first match in what the input spans.
    pub(super) fn find(&self, input: &Input<'_>) -> Option<Match> {
        let mut memory = self.memory.get();
        let search = || {
            let nfa = nfa(&self.node, usize::MAX, true).ok()?;
            let reverse = lazy(nfa, MatchKind::All).ok()?;
            Some(regex::Builder::new().build_from_dfas(self.forward.clone(), reverse))
        };
        if let Some(search) = self.search.get_or_init(search) {
            let cache = memory.search.get_or_insert_with(|| search.create_cache());
            if let Ok(found) = search.try_search(cache, input) {
                return found;
            }
        }
        self.find_slowly(&mut memory, input)
    }

    fn find_slowly(&self, memory: &mut Memory, input: &Input<'_>) -> Option<Match> {
        let slow = || PikeVM::new_from_nfa(self.forward.get_nfa().clone()).ok();
        let slow = self.slow.get_or_init(slow).as_ref()?;
        let cache = memory.slow.get_or_insert_with(|| slow.create_cache());
        slow.find(cache, input.clone())
    }
}

/// The pattern as an automaton; deep ones on a stack of their own.
fn nfa(node: &Node, limit: usize, reverse: bool) -> Result<NFA, Large> {
    let compile = || {
        let captures = if reverse { WhichCaptures::None } else { WhichCaptures::Implicit };
        let config =
            Config::new().nfa_size_limit(Some(limit)).which_captures(captures).reverse(reverse);
        let hir = translate::translate(node);
        Compiler::new().configure(config).build_from_hir(&hir).map_err(|_| Large)
    };
    if !depth_exceeds(node, SHALLOW) {
        return compile();
    }
    thread::scope(|scope| {
        let handle = thread::Builder::new().stack_size(DEEP_STACK).spawn_scoped(scope, compile);
        handle.map_err(|_| Large)?.join().map_err(|_| Large)?
    })
}

fn lazy(nfa: NFA, kind: MatchKind) -> Result<dfa::DFA, Large> {
    let config = dfa::Config::new()
        .match_kind(kind)
        .cache_capacity(CACHE_LIMIT)
        .skip_cache_capacity_check(true)
        .minimum_cache_clear_count(Some(FULL_CACHES))
        .minimum_bytes_per_state(Some(BYTES_PER_STATE));
    dfa::Builder::new().configure(config).build_from_nfa(nfa).map_err(|_| Large)
}

/// Whether a node has more than `levels` levels of nodes.
fn depth_exceeds(node: &Node, levels: usize) -> bool {
    let Some(below) = levels.checked_sub(1) else {
        return true;
    };
    match node {
        Node::Repeat { node, .. } => depth_exceeds(node, below),
        Node::Concat(nodes) | Node::Alternate(nodes) => {
            nodes.iter().any(|node| depth_exceeds(node, below))
        }
        Node::Empty | Node::Literal { .. } | Node::Class(_) | Node::Any { .. } | Node::Look(_) => {
            false
        }
    }
}
