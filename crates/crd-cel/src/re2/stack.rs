//! The parse stack: the nodes that have been read and not yet been combined, and its limits.

use super::ast::{Flags, PatternNode};
use super::error::ErrorCode;
use super::runes::{CountRunes, MAX_RUNES};

/// The most levels of a parsed pattern. Source: `regexp/syntax/parse.go`, `maxHeight`.
const MAX_HEIGHT: u32 = 1000;

/// The most instructions of a compiled pattern: 128 MiB of 40 bytes each.
/// Source: `regexp/syntax/parse.go`, `maxSize`.
const MAX_SIZE: u64 = (128 << 20) / 40;

/// A node on the stack, with the counts that the limits need.
#[derive(Debug)]
pub(super) struct CountedNode {
    node: PatternNode,
    /// Levels, counted as in upstream's tree: with groups, and with a sequence of code points as
    /// one.
    height: u32,
    /// Instructions that upstream would compile it to.
    size: u64,
    /// The product of the counts of nested `{n}`.
    repeats: u32,
    /// Code points that upstream's node itself holds.
    runes: u64,
    /// Whether it is a capturing group, which upstream keeps as a node of its own.
    capture: bool,
}

impl CountedNode {
    /// A node without child nodes.
    pub(super) fn leaf(node: PatternNode) -> Self {
        let runes = match &node {
            PatternNode::Literal { runes, .. } => runes.len() as u64,
            _ => 0,
        };
        Self { node, height: 1, size: 1, repeats: 1, runes, capture: false }
    }

    /// Whether it matches exactly one code point; alternatives of that kind become one class
    /// upstream.
    fn is_single(&self) -> bool {
        !self.capture
            && match &self.node {
                PatternNode::Literal { runes, .. } => runes.len() == 1,
                PatternNode::Class(_) | PatternNode::Any { .. } => true,
                _ => false,
            }
    }
}

/// A group that is open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    /// The flags outside.
    pub(super) flags: Flags,
    /// Whether it captures; `(?:` does not.
    pub(super) capture: bool,
}

/// One level of open parentheses.
#[derive(Debug, Default)]
struct Level {
    /// The group; the outermost level has none.
    group: Option<Group>,
    /// Alternatives that ended with a `|`.
    alternatives: Vec<CountedNode>,
    /// The nodes in sequence since then.
    row: Vec<CountedNode>,
}

/// The parse stack.
pub(super) struct Stack<'c> {
    /// The levels inside the outermost one.
    inner: Vec<Level>,
    outermost: Level,
    /// The number of nodes that upstream has allocated. A freed node that it reuses is counted once.
    nodes: u64,
    /// The number of nodes that upstream has freed, and reuses before it creates others.
    spare_nodes: u64,
    /// The product of all repetition counts, up to [`MAX_SIZE`]. Upstream computes sizes only once
    /// the number of nodes times this product could reach the limit.
    repeats: Option<u64>,
    /// Whether `nodes` times `repeats` has reached the limit, so that the size of each new node is
    /// checked.
    measuring: bool,
    /// Code points in nodes, counted each time that upstream puts a node on its stack.
    runes: u64,
    counter: &'c mut dyn CountRunes,
}

type Limited<T = ()> = Result<T, ErrorCode>;

impl<'c> Stack<'c> {
    /// An empty stack.
    pub(super) fn new(counter: &'c mut dyn CountRunes) -> Self {
        Self {
            inner: Vec::new(),
            outermost: Level::default(),
            nodes: 0,
            spare_nodes: 0,
            repeats: None,
            measuring: false,
            runes: 0,
            counter,
        }
    }

    fn level(&mut self) -> &mut Level {
        self.inner.last_mut().unwrap_or(&mut self.outermost)
    }

    /// Appends a node to the current row.
    pub(super) fn push(&mut self, mut item: CountedNode) -> Limited {
        self.new_node();
        let mut is_literal = false;
        if let PatternNode::Class(class) = &item.node {
            item.runes = self.counter.class(class);
            is_literal = self.counter.is_literal(class);
        }
        self.push_existing(item)?;
        // Upstream makes the class a literal only after its code points have been counted.
        if is_literal && let Some(item) = self.level().row.last_mut() {
            item.runes = 1;
        }
        Ok(())
    }

    /// Appends a node that has already been counted in [`Stack::nodes`].
    fn push_existing(&mut self, item: CountedNode) -> Limited {
        self.join_literals();
        self.count_and_check(&item)?;
        self.level().row.push(item);
        Ok(())
    }

    /// Counts the code points of a node that upstream puts on its stack, even if they have been counted
    /// before, and checks the limits.
    fn count_and_check(&mut self, item: &CountedNode) -> Limited {
        self.runes = self.runes.saturating_add(item.runes);
        self.check(item, None)
    }

    /// Opens a group.
    pub(super) fn open(&mut self, group: Group) {
        self.new_node();
        self.join_literals();
        self.inner.push(Level { group: Some(group), ..Level::default() });
    }

    /// Ends the current alternative, at a `|`.
    pub(super) fn bar(&mut self) -> Limited {
        let item = self.end_row()?;
        self.level().alternatives.push(item);
        Ok(())
    }

    /// Combines the current level into one node.
    pub(super) fn end_alternation(&mut self) -> Limited {
        let last = self.end_row()?;
        let mut alternatives = std::mem::take(&mut self.level().alternatives);
        alternatives.push(last);
        let item = self.alternate(alternatives);
        self.count_and_check(&item)?;
        self.level().row.push(item);
        Ok(())
    }

    /// Closes the current level, which has become one node, and returns its group; `None` if no
    /// group is open.
    pub(super) fn close(&mut self) -> Limited<Option<Group>> {
        let Some(mut level) = self.inner.pop() else {
            return Ok(None);
        };
        let (Some(group), Some(mut item)) = (level.group, level.row.pop()) else {
            return Ok(None);
        };
        if group.capture {
            item.height += 1;
            item.size += 2;
            item.runes = 0;
            item.capture = true;
        }
        self.push_existing(item)?;
        Ok(Some(group))
    }

    /// The whole pattern; `None` if a group is still open.
    pub(super) fn finish(&mut self) -> Option<PatternNode> {
        if !self.inner.is_empty() {
            return None;
        }
        self.outermost.row.pop().map(|item| item.node)
    }

    /// Repeats the node on top, and returns the product of its nested counts; `None` if there is no
    /// node.
    ///
    /// `counted` is set for `{n,m}`, and not for `*`, `+` and `?`, whose counts do not multiply.
    pub(super) fn repeat(
        &mut self,
        min: u32,
        max: Option<u32>,
        greedy: bool,
        counted: bool,
    ) -> Limited<Option<u32>> {
        let Some(inner) = self.level().row.pop() else {
            return Ok(None);
        };
        self.new_node();
        let count = max.unwrap_or(min);
        let repeats = match (counted, max) {
            (false, _) => inner.repeats,
            (true, Some(0)) => 1,
            (true, _) => inner.repeats.saturating_mul(count.max(1)),
        };
        let size = match (counted, min, max) {
            (_, 0, None) => inner.size + 2,
            (false, ..) => inner.size + 1,
            (true, min, None) => u64::from(min).saturating_mul(inner.size) + 1,
            (true, min, Some(max)) => {
                u64::from(max).saturating_mul(inner.size) + u64::from(max.saturating_sub(min))
            }
        };
        let item = CountedNode {
            height: inner.height + 1,
            size: size.max(1),
            repeats,
            runes: 0,
            capture: false,
            node: PatternNode::Repeat { min, max, greedy, node: Box::new(inner.node) },
        };
        self.check(&item, counted.then_some(count))?;
        self.level().row.push(item);
        Ok(Some(repeats))
    }

    /// Takes the current row as one node.
    fn end_row(&mut self) -> Limited<CountedNode> {
        self.join_literals();
        let mut row = std::mem::take(&mut self.level().row);
        let item = match row.len() {
            0 => {
                self.new_node();
                CountedNode::leaf(PatternNode::Empty)
            }
            1 => match row.pop() {
                Some(item) => item,
                None => CountedNode::leaf(PatternNode::Empty),
            },
            _ => {
                self.new_node();
                let hoist = |item: &CountedNode| {
                    !item.capture && matches!(item.node, PatternNode::Concat(_))
                };
                let item = combine(&row, hoist);
                let mut nodes = Vec::with_capacity(row.len());
                for part in row {
                    match part.node {
                        PatternNode::Concat(parts) => nodes.extend(parts),
                        node => nodes.push(node),
                    }
                }
                CountedNode { node: PatternNode::Concat(nodes), ..item }
            }
        };
        self.count_and_check(&item)?;
        Ok(item)
    }

    fn alternate(&mut self, mut alternatives: Vec<CountedNode>) -> CountedNode {
        if alternatives.len() < 2 {
            return alternatives.pop().unwrap_or_else(|| CountedNode::leaf(PatternNode::Empty));
        }
        let single = alternatives.iter().all(CountedNode::is_single);
        self.new_node();
        let hoist =
            |item: &CountedNode| !item.capture && matches!(item.node, PatternNode::Alternate(_));
        let mut item = combine(&alternatives, hoist);
        item.size += alternatives.len() as u64 - 1;
        if single {
            item.height = 1;
            item.size = 1;
        }
        let held = alternatives.iter().map(|alternative| alternative.runes).sum();
        let mut nodes = Vec::with_capacity(alternatives.len());
        for alternative in alternatives {
            match alternative.node {
                PatternNode::Alternate(parts) => nodes.extend(parts),
                node => nodes.push(node),
            }
        }
        if single {
            item.runes = self.counter.merged(&nodes, held);
        }
        CountedNode { node: PatternNode::Alternate(nodes), ..item }
    }

    /// Joins the two literals on top into one, if both or neither fold case. A repetition can no
    /// longer apply to the second one alone.
    fn join_literals(&mut self) {
        let row = &mut self.level().row;
        let [.., first, second] = row.as_mut_slice() else {
            return;
        };
        if first.capture || second.capture {
            return;
        }
        let (
            PatternNode::Literal { runes, fold_case },
            PatternNode::Literal { runes: more, fold_case: more_fold },
        ) = (&mut first.node, &mut second.node)
        else {
            return;
        };
        if fold_case != more_fold {
            return;
        }
        runes.append(more);
        first.size = runes.len() as u64;
        first.runes = first.size;
        row.pop();
        self.spare_nodes += 1;
    }

    fn new_node(&mut self) {
        if self.spare_nodes > 0 {
            self.spare_nodes -= 1;
        } else {
            self.nodes += 1;
        }
    }

    /// Checks a new node against the limits. `count` is the `m` of `{n,m}`, or the `n` of `{n}` and
    /// `{n,}`, if the node is such a repetition.
    fn check(&mut self, item: &CountedNode, count: Option<u32>) -> Limited {
        if self.runes > MAX_RUNES {
            return Err(ErrorCode::Large);
        }
        self.check_size(item, count)?;
        if item.height > MAX_HEIGHT {
            return Err(ErrorCode::NestingDepth);
        }
        Ok(())
    }

    fn check_size(&mut self, item: &CountedNode, count: Option<u32>) -> Limited {
        if !self.measuring {
            let repeats = self.repeats.get_or_insert(1);
            if let Some(count) = count {
                *repeats = repeats.saturating_mul(u64::from(count.max(1))).min(MAX_SIZE);
            }
            if self.nodes < MAX_SIZE / *repeats {
                return Ok(());
            }
            self.measuring = true;
            let levels = std::iter::once(&self.outermost).chain(&self.inner);
            let mut items = levels.flat_map(|level| level.alternatives.iter().chain(&level.row));
            if items.any(|item| item.size > MAX_SIZE) {
                return Err(ErrorCode::Large);
            }
        }
        if item.size > MAX_SIZE { Err(ErrorCode::Large) } else { Ok(()) }
    }
}

/// The height, size and repeats of a node with the children `items`. `hoist` returns whether upstream
/// merges a child into the node.
fn combine(items: &[CountedNode], hoist: impl Fn(&CountedNode) -> bool) -> CountedNode {
    let height = |item: &CountedNode| if hoist(item) { item.height } else { item.height + 1 };
    CountedNode {
        node: PatternNode::Empty,
        height: items.iter().map(height).max().unwrap_or(1),
        size: items.iter().map(|item| item.size).fold(0, u64::saturating_add).max(1),
        repeats: items.iter().map(|item| item.repeats).max().unwrap_or(1),
        runes: 0,
        capture: false,
    }
}
