//! A pattern as a machine over code points, with one instruction for each that Go's compiler emits.
//! It matches patterns that are large, deep or used once.
//!
//! An automaton over bytes takes some hundred KiB for each `\pL` of `\pL{1000}`. Here a class is
//! one instruction, however large it is, so that Go's limits of a pattern bound the size of its
//! machine and the time to make it. Matching takes at most one step for each pair of an instruction
//! and a code point.
//!
//! Source: Go `regexp/syntax/compile.go` and `regexp/exec.go`.

use std::collections::HashMap;
use std::ops::Range;

use regex_syntax::hir::ClassUnicode;

use super::ast::{Class, Look, PatternNode};
use super::translate;
use crate::error::EvalError;
use crate::steps::Steps;

/// The index of an instruction.
type Index = u32;

#[derive(Debug, Clone, Copy)]
enum Instruction {
    /// The pattern matches.
    Match,
    /// One code point.
    Rune(u32),
    /// One code point of a class, by the index of the class.
    Class(u32),
    Any,
    AnyButLineFeed,
    /// Continues if the position between two code points is of this kind.
    Look(Look),
    /// Continues at both instructions, and prefers the first.
    Split(Index, Index),
    Jump(Index),
}

/// The machine of a pattern.
#[derive(Debug)]
pub(super) struct Machine {
    instructions: Vec<Instruction>,
    classes: Vec<RuneSet>,
}

/// A set of code points.
#[derive(Debug, Clone)]
pub(super) struct RuneSet {
    class: ClassUnicode,
    /// A bit for each ASCII code point of the class.
    ascii: [u32; 8],
}

impl RuneSet {
    pub(super) fn new(class: ClassUnicode) -> Self {
        let ascii = class.ranges().iter().flat_map(|range| range.start()..=range.end().min('\x7F'));
        let ascii = ascii.fold([0; 8], |mut bits, c| {
            if let Some(bits) = bits.get_mut(c as usize >> 5) {
                *bits |= 1 << (u32::from(c) & 31);
            }
            bits
        });
        Self { class, ascii }
    }

    pub(super) fn class(&self) -> &ClassUnicode {
        &self.class
    }

    #[inline]
    pub(super) fn holds_ascii(&self, byte: u8) -> bool {
        self.ascii[usize::from(byte >> 5)] >> (byte & 31) & 1 != 0
    }

    pub(super) fn holds(&self, c: char) -> bool {
        if let Ok(byte) = u8::try_from(c)
            && byte.is_ascii()
        {
            return self.holds_ascii(byte);
        }
        let ranges = self.class.ranges();
        let index = ranges.partition_point(|range| range.end() < c);
        ranges.get(index).is_some_and(|range| range.start() <= c)
    }
}

/// Compiles a pattern to a machine.
struct Compiler<'n> {
    machine: Machine,
    /// The indices of the classes so far, which the copies of a repeated class share.
    classes: HashMap<&'n Class, u32>,
    /// The indices of the classes of a code point and its other cases, by the code point.
    letters: HashMap<u32, u32>,
}

impl Machine {
    /// The machine of a pattern. Recursion is bounded by the parser's limit of height, and
    /// instructions by its limit of size.
    pub(super) fn new(node: &PatternNode) -> Self {
        let machine = Self { instructions: Vec::new(), classes: Vec::new() };
        let mut compiler = Compiler { machine, classes: HashMap::new(), letters: HashMap::new() };
        compiler.node(node);
        compiler.emit(Instruction::Match);
        compiler.machine
    }

    /// The bytes that it takes.
    pub(super) fn bytes(&self) -> usize {
        let ranges: usize = self.classes.iter().map(|set| set.class.ranges().len()).sum();
        self.instructions.len() * size_of::<Instruction>()
            + self.classes.len() * size_of::<RuneSet>()
            + ranges * 8
    }

    /// The first match that begins at `from` or after it. With `any`, the search stops as soon as there
    /// is a match, which need not be the first one.
    ///
    /// # Errors
    /// If that takes too many steps.
    pub(super) fn find(
        &self,
        text: &str,
        from: usize,
        any: bool,
        steps: &mut Steps,
    ) -> Result<Option<Range<usize>>, EvalError> {
        let size = self.instructions.len();
        steps.take(size as u64 / INSTRUCTIONS_OF_STEP)?;
        let (mut now, mut then) = (Threads::new(size), Threads::new(size));
        let mut stack = Vec::new();
        let mut found: Option<Range<usize>> = None;
        let mut at = from;
        let mut before = text.get(..from).and_then(|head| head.chars().next_back());
        let mut rest = text.get(from..).unwrap_or_default().chars();
        loop {
            let next = rest.next();
            if found.is_none() {
                let here = Position { at, before, next };
                self.add(&mut now, &mut stack, 0, at, &here);
            }
            if now.list.is_empty() && found.is_some() {
                break;
            }
            steps.take(now.added)?;
            let behind = at + next.map_or(0, char::len_utf8);
            let after = rest.clone().next();
            let there = Position { at: behind, before: next, next: after };
            for (index, begin) in now.list.drain(..) {
                let Some(instruction) = self.instructions.get(index as usize) else { continue };
                let goes_on = match (instruction, next) {
                    (Instruction::Match, _) => {
                        found = Some(begin..at);
                        // The remaining threads have lower priority.
                        break;
                    }
                    (Instruction::Rune(rune), Some(c)) => *rune == u32::from(c),
                    (Instruction::Class(set), Some(c)) => {
                        self.classes.get(*set as usize).is_some_and(|set| set.holds(c))
                    }
                    (Instruction::Any, Some(_)) => true,
                    (Instruction::AnyButLineFeed, Some(c)) => c != '\n',
                    // The end of the text. The other instructions read nothing, and are never in
                    // the list.
                    _ => false,
                };
                if goes_on {
                    self.add(&mut then, &mut stack, index + 1, begin, &there);
                }
            }
            if next.is_none() || (any && found.is_some()) {
                break;
            }
            now.clear();
            std::mem::swap(&mut now, &mut then);
            (at, before) = (behind, next);
        }
        Ok(found)
    }

    /// Adds the thread of an instruction. If the instruction reads nothing, adds the threads of
    /// those that it leads to, in the order of preference.
    fn add(
        &self,
        threads: &mut Threads,
        stack: &mut Vec<Index>,
        index: Index,
        begin: usize,
        here: &Position,
    ) {
        stack.push(index);
        while let Some(index) = stack.pop() {
            if !threads.visit(index) {
                continue;
            }
            match self.instructions.get(index as usize) {
                Some(Instruction::Jump(to)) => stack.push(*to),
                Some(Instruction::Split(first, second)) => stack.extend([*second, *first]),
                Some(Instruction::Look(look)) => stack.extend(here.is(*look).then_some(index + 1)),
                Some(_) => threads.list.push((index, begin)),
                None => {}
            }
        }
    }
}

/// The number of instructions for which a search prepares its memory in one step.
const INSTRUCTIONS_OF_STEP: u64 = 4;

/// The threads at one position in the text.
struct Threads {
    /// The instructions that read next, in the order of preference, each with the start of its
    /// match.
    list: Vec<(Index, usize)>,
    /// By instruction, the generation in which it was visited.
    visited: Vec<u32>,
    generation: u32,
    /// The number of instructions that were visited.
    added: u64,
}

impl Threads {
    fn new(size: usize) -> Self {
        Self { list: Vec::new(), visited: vec![0; size], generation: 1, added: 0 }
    }

    /// Marks an instruction as visited, and returns whether it was not yet.
    fn visit(&mut self, index: Index) -> bool {
        match self.visited.get_mut(index as usize) {
            Some(generation) if *generation != self.generation => {
                *generation = self.generation;
                self.added += 1;
                true
            }
            _ => false,
        }
    }

    fn clear(&mut self) {
        self.list.clear();
        self.added = 0;
        self.generation = self.generation.checked_add(1).unwrap_or_else(|| {
            self.visited.fill(0);
            1
        });
    }
}

/// A position between two code points.
struct Position {
    at: usize,
    before: Option<char>,
    next: Option<char>,
}

impl Position {
    fn is(&self, look: Look) -> bool {
        let word = |c: Option<char>| c.is_some_and(|c| c == '_' || c.is_ascii_alphanumeric());
        match look {
            Look::BeginText => self.at == 0,
            Look::EndText => self.next.is_none(),
            Look::BeginLine => self.at == 0 || self.before == Some('\n'),
            Look::EndLine => self.next.is_none_or(|c| c == '\n'),
            Look::WordBoundary => word(self.before) != word(self.next),
            Look::NoWordBoundary => word(self.before) == word(self.next),
        }
    }
}

impl<'n> Compiler<'n> {
    /// Appends an instruction, and returns its index. A split or jump whose target is not known yet is
    /// emitted as a `Match`, which [`Compiler::set`] replaces.
    fn emit(&mut self, instruction: Instruction) -> usize {
        self.machine.instructions.push(instruction);
        self.machine.instructions.len() - 1
    }

    /// The index of the next instruction that is emitted.
    fn next(&self) -> Index {
        Index::try_from(self.machine.instructions.len()).unwrap_or(Index::MAX)
    }

    fn set(&mut self, index: usize, instruction: Instruction) {
        if let Some(slot) = self.machine.instructions.get_mut(index) {
            *slot = instruction;
        }
    }

    fn node(&mut self, node: &'n PatternNode) {
        match node {
            PatternNode::Empty => {}
            PatternNode::Literal { runes, fold_case } => {
                for rune in runes {
                    let instruction = match fold_case {
                        true => Instruction::Class(self.letter(*rune)),
                        false => Instruction::Rune(*rune),
                    };
                    self.emit(instruction);
                }
            }
            PatternNode::Class(class) => {
                let set = self.class(class);
                self.emit(Instruction::Class(set));
            }
            PatternNode::Any { line_feed: true } => drop(self.emit(Instruction::Any)),
            PatternNode::Any { line_feed: false } => drop(self.emit(Instruction::AnyButLineFeed)),
            PatternNode::Look(look) => drop(self.emit(Instruction::Look(*look))),
            PatternNode::Concat(nodes) => nodes.iter().for_each(|node| self.node(node)),
            PatternNode::Alternate(nodes) => self.alternate(nodes),
            PatternNode::Repeat { min, max, greedy, node } => {
                self.repeat(*min, *max, *greedy, node);
            }
        }
    }

    fn new_set(&mut self, class: ClassUnicode) -> u32 {
        self.machine.classes.push(RuneSet::new(class));
        u32::try_from(self.machine.classes.len() - 1).unwrap_or(u32::MAX)
    }

    fn class(&mut self, class: &'n Class) -> u32 {
        if let Some(set) = self.classes.get(class) {
            return *set;
        }
        let set = self.new_set(translate::resolve(class));
        self.classes.insert(class, set);
        set
    }

    /// The class of a code point and its other cases.
    fn letter(&mut self, rune: u32) -> u32 {
        if let Some(set) = self.letters.get(&rune) {
            return *set;
        }
        let set = self.new_set(translate::letter(rune, true));
        self.letters.insert(rune, set);
        set
    }

    fn alternate(&mut self, nodes: &'n [PatternNode]) {
        let Some((last, others)) = nodes.split_last() else { return };
        let mut ends = Vec::with_capacity(others.len());
        for node in others {
            let split = self.emit(Instruction::Match);
            let first = self.next();
            self.node(node);
            ends.push(self.emit(Instruction::Match));
            self.set(split, Instruction::Split(first, self.next()));
        }
        self.node(last);
        let end = self.next();
        for index in ends {
            self.set(index, Instruction::Jump(end));
        }
    }

    fn repeat(&mut self, min: u32, max: Option<u32>, greedy: bool, node: &'n PatternNode) {
        let Some(max) = max else {
            for _ in 1..min {
                self.node(node);
            }
            return match min {
                // Upstream: `x*` is compiled as `(x+)?` if `x` may match the empty text.
                0 if is_nullable(node) => self.optional(greedy, |c| c.plus(greedy, node)),
                0 => {
                    let split = self.emit(Instruction::Match);
                    let first = self.next();
                    self.node(node);
                    let back = Index::try_from(split).unwrap_or(Index::MAX);
                    self.emit(Instruction::Jump(back));
                    self.split(split, greedy, first);
                }
                _ => self.plus(greedy, node),
            };
        };
        for _ in 0..min {
            self.node(node);
        }
        // The optional copies, each of which is reached through the one before.
        let mut splits = Vec::new();
        for _ in min..max {
            let split = self.emit(Instruction::Match);
            splits.push((split, self.next()));
            self.node(node);
        }
        for (split, first) in splits {
            self.split(split, greedy, first);
        }
    }

    /// Replaces the instruction at `index` by a choice between `first` and the next instruction that is
    /// emitted.
    fn split(&mut self, index: usize, greedy: bool, first: Index) {
        let next = self.next();
        let (a, b) = if greedy { (first, next) } else { (next, first) };
        self.set(index, Instruction::Split(a, b));
    }

    fn optional(&mut self, greedy: bool, emit: impl FnOnce(&mut Self)) {
        let split = self.emit(Instruction::Match);
        let first = self.next();
        emit(self);
        self.split(split, greedy, first);
    }

    fn plus(&mut self, greedy: bool, node: &'n PatternNode) {
        let first = self.next();
        self.node(node);
        let split = self.emit(Instruction::Match);
        self.split(split, greedy, first);
    }
}

/// Whether a node may match the empty text.
fn is_nullable(node: &PatternNode) -> bool {
    match node {
        PatternNode::Empty | PatternNode::Look(_) => true,
        PatternNode::Literal { runes, .. } => runes.is_empty(),
        PatternNode::Class(_) | PatternNode::Any { .. } => false,
        PatternNode::Repeat { min, node, .. } => *min == 0 || is_nullable(node),
        PatternNode::Concat(nodes) => nodes.iter().all(is_nullable),
        PatternNode::Alternate(nodes) => nodes.iter().any(is_nullable),
    }
}
