//! Builds the nodes of a document from its tokens.
//!
//! Source: go.yaml.in/yaml v2.4.4 `parserc.go`, `decode.go` (`parser`). Upstream goes through events and states; here,
//! a container that is being read is the state. A document ends where its root ends: what follows is not looked at.

mod step;

use std::borrow::Cow;
use std::collections::HashMap;

use super::scan::{Mark, Scanner, Token, TokenKind};
use super::{Error, MAX_DEPTH};

/// The prefix of the core tags, `!!`.
const CORE: &str = "tag:yaml.org,2002:";

/// The nodes of a document.
#[derive(Debug, Default)]
pub(super) struct Tree<'t> {
    nodes: Vec<Node<'t>>,
    /// The root, unless the text is empty.
    pub(super) root: Option<NodeId>,
}

/// The index of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct NodeId(usize);

/// A node with its place.
#[derive(Debug)]
pub(super) struct Node<'t> {
    pub(super) mark: Mark,
    pub(super) kind: NodeKind<'t>,
}

/// What a node is.
#[derive(Debug)]
pub(super) enum NodeKind<'t> {
    Scalar {
        text: Cow<'t, str>,
        /// The whole tag; empty without one.
        tag: Vec<u8>,
        /// Whether the text itself determines the type.
        is_implicit: bool,
    },
    Sequence(Vec<NodeId>),
    Mapping(Vec<(NodeId, NodeId)>),
    Alias {
        name: Cow<'t, str>,
        of: NodeId,
    },
}

impl Node<'_> {
    /// Returns whether the node is the key `<<`, whose value is merged.
    pub(super) fn is_merge_key(&self) -> bool {
        matches!(&self.kind, NodeKind::Scalar { text, tag, is_implicit }
            if text == "<<" && (*is_implicit || tag == b"tag:yaml.org,2002:merge"))
    }
}

impl<'t> Tree<'t> {
    /// Reads the first document of a text.
    ///
    /// # Errors
    /// If it is not YAML, or is nested too deep.
    pub(super) fn read(bytes: &'t [u8]) -> Result<Self, Error> {
        let mut composer = Composer {
            scanner: Scanner::new(bytes),
            tree: Self::default(),
            anchors: HashMap::new(),
            tag_directives: Vec::new(),
            open: Vec::new(),
        };
        composer.tree.root = composer.document()?;
        Ok(composer.tree)
    }

    pub(super) fn node(&self, id: NodeId) -> Option<&Node<'t>> {
        self.nodes.get(id.0)
    }

    /// Returns the node, or the node of which it is an alias.
    pub(super) fn target(&self, id: NodeId) -> Option<&Node<'t>> {
        match self.node(id) {
            Some(Node { kind: NodeKind::Alias { of, .. }, .. }) => self.node(*of),
            node => node,
        }
    }
}

/// A container that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    BlockSequence,
    /// A sequence whose dashes are not indented.
    IndentlessSequence,
    BlockMapping,
    FlowSequence,
    FlowMapping,
    /// A mapping of one entry in brackets, without braces.
    SinglePair,
}

/// A container that is being read, with what has been read of it.
struct Open {
    id: NodeId,
    style: Style,
    items: Vec<NodeId>,
    entries: Vec<(NodeId, NodeId)>,
    /// The key whose value comes next.
    key: Option<NodeId>,
    /// Whether the key has no value, because it has no `:`.
    is_lone_key: bool,
}

/// What comes next in a container.
enum Step {
    /// A node, in block style too or only in flow style.
    Node { in_block: bool, may_be_indentless: bool },
    /// This node.
    Add(NodeId),
    /// A container that has no token.
    Open(Open),
    /// Nothing: it ends.
    End,
}

impl Step {
    const BLOCK_NODE: Self = Self::Node { in_block: true, may_be_indentless: false };
    const BLOCK_ENTRY: Self = Self::Node { in_block: true, may_be_indentless: true };
    const FLOW_NODE: Self = Self::Node { in_block: false, may_be_indentless: false };
}

/// The tag and the anchor of a node.
#[derive(Default)]
struct Properties<'t> {
    start: Option<Mark>,
    anchor: Option<Cow<'t, str>>,
    tag: Vec<u8>,
}

struct Composer<'t> {
    scanner: Scanner<'t>,
    tree: Tree<'t>,
    anchors: HashMap<Cow<'t, str>, NodeId>,
    /// The handles of tags and what they stand for.
    tag_directives: Vec<(Vec<u8>, Vec<u8>)>,
    /// The containers around the next node. There is no recursion, so that no text overflows the stack.
    open: Vec<Open>,
}

impl<'t> Composer<'t> {
    fn document(&mut self) -> Result<Option<NodeId>, Error> {
        let is_explicit = matches!(
            self.scanner.peek()?.kind,
            TokenKind::VersionDirective { .. }
                | TokenKind::TagDirective { .. }
                | TokenKind::DocumentStart
        );
        if self.is(&TokenKind::StreamEnd)? {
            return Ok(None);
        }
        self.directives()?;
        let root = if is_explicit {
            if !self.is(&TokenKind::DocumentStart)? {
                return self.fail("did not find expected <document start>");
            }
            self.scanner.skip();
            let token = self.scanner.peek()?;
            let mark = token.start;
            match token.kind {
                TokenKind::VersionDirective { .. }
                | TokenKind::TagDirective { .. }
                | TokenKind::DocumentStart
                | TokenKind::DocumentEnd
                | TokenKind::StreamEnd => self.empty(mark),
                _ => self.root(Step::BLOCK_NODE)?,
            }
        } else {
            self.root(Step::BLOCK_NODE)?
        };
        // The token that ends the document has to be one.
        self.scanner.peek()?;
        Ok(Some(root))
    }

    fn is(&mut self, kind: &TokenKind<'t>) -> Result<bool, Error> {
        Ok(self.scanner.peek()?.kind == *kind)
    }

    /// Returns the error that the next token is not what was expected.
    fn fail<T>(&mut self, problem: &'static str) -> Result<T, Error> {
        Err(Error::parsing(self.scanner.peek()?.start, problem))
    }

    fn directives(&mut self) -> Result<(), Error> {
        let mut has_version = false;
        loop {
            let token = self.scanner.peek()?.clone();
            match token.kind {
                TokenKind::VersionDirective { .. } if has_version => {
                    return self.fail("found duplicate %YAML directive");
                }
                TokenKind::VersionDirective { major: 1, minor: 1 } => has_version = true,
                TokenKind::VersionDirective { .. } => {
                    return self.fail("found incompatible YAML document");
                }
                TokenKind::TagDirective { handle, prefix } => {
                    if self.tag_directives.iter().any(|(known, _)| *known == handle) {
                        return self.fail("found duplicate %TAG directive");
                    }
                    self.tag_directives.push((handle, prefix));
                }
                _ => break,
            }
            self.scanner.skip();
        }
        for (handle, prefix) in [("!", "!"), ("!!", CORE)] {
            if !self.tag_directives.iter().any(|(known, _)| known == handle.as_bytes()) {
                self.tag_directives.push((handle.into(), prefix.into()));
            }
        }
        Ok(())
    }

    fn add(&mut self, mark: Mark, kind: NodeKind<'t>) -> NodeId {
        self.tree.nodes.push(Node { mark, kind });
        NodeId(self.tree.nodes.len() - 1)
    }

    fn empty(&mut self, mark: Mark) -> NodeId {
        let (text, tag) = (Cow::Borrowed(""), Vec::new());
        self.add(mark, NodeKind::Scalar { text, tag, is_implicit: true })
    }

    /// Reads the root, and everything in it.
    fn root(&mut self, mut step: Step) -> Result<NodeId, Error> {
        loop {
            let mut done = match step {
                Step::Node { in_block, may_be_indentless } => {
                    self.begin(in_block, may_be_indentless)?
                }
                Step::Add(id) => Some(id),
                Step::Open(open) => {
                    self.open.push(open);
                    None
                }
                Step::End => self.close(),
            };
            if let Some(id) = done.take() {
                match self.open.last_mut() {
                    None => return Ok(id),
                    Some(open) => open.add(id),
                }
            }
            step = self.step()?;
        }
    }

    /// Finishes the innermost container.
    fn close(&mut self) -> Option<NodeId> {
        let open = self.open.pop()?;
        let kind = match open.style {
            Style::BlockSequence | Style::IndentlessSequence | Style::FlowSequence => {
                NodeKind::Sequence(open.items)
            }
            Style::BlockMapping | Style::FlowMapping | Style::SinglePair => {
                NodeKind::Mapping(open.entries)
            }
        };
        if let Some(node) = self.tree.nodes.get_mut(open.id.0) {
            node.kind = kind;
        }
        Some(open.id)
    }

    /// Reads a scalar or an alias, or opens a container.
    fn begin(&mut self, in_block: bool, may_be_indentless: bool) -> Result<Option<NodeId>, Error> {
        let token = self.scanner.peek()?;
        let start = token.start;
        if let TokenKind::Alias(name) = &token.kind {
            let name = name.clone();
            let Some(of) = self.anchors.get(&name).copied() else {
                return Err(Error::decoding(start, format!("unknown anchor '{name}' referenced")));
            };
            self.scanner.skip();
            return Ok(Some(self.add(start, NodeKind::Alias { name, of })));
        }
        let properties = self.properties()?;
        let mark = properties.start.unwrap_or(start);
        let style = match &self.scanner.peek()?.kind {
            TokenKind::BlockEntry if may_be_indentless => Style::IndentlessSequence,
            TokenKind::FlowSequenceStart => Style::FlowSequence,
            TokenKind::FlowMappingStart => Style::FlowMapping,
            TokenKind::BlockSequenceStart if in_block => Style::BlockSequence,
            TokenKind::BlockMappingStart if in_block => Style::BlockMapping,
            TokenKind::Scalar { .. } => return self.scalar(mark, properties).map(Some),
            _ if properties.start.is_some() => {
                let Properties { anchor, tag, .. } = properties;
                let is_implicit = tag.is_empty();
                let text = Cow::Borrowed("");
                let id = self.add(mark, NodeKind::Scalar { text, tag, is_implicit });
                self.anchors.extend(anchor.map(|anchor| (anchor, id)));
                return Ok(Some(id));
            }
            _ => return self.fail("did not find expected node content"),
        };
        if self.open.len() >= MAX_DEPTH {
            let at = self.scanner.peek()?.start;
            return Err(Error::decoding(at, format!("exceeded max depth of {MAX_DEPTH}")));
        }
        if style != Style::IndentlessSequence {
            self.scanner.skip();
        }
        let open = self.open(mark, style);
        self.anchors.extend(properties.anchor.map(|anchor| (anchor, open.id)));
        self.open.push(open);
        Ok(None)
    }

    fn open(&mut self, mark: Mark, style: Style) -> Open {
        let id = self.add(mark, NodeKind::Sequence(Vec::new()));
        let (items, entries) = (Vec::new(), Vec::new());
        Open { id, style, items, entries, key: None, is_lone_key: false }
    }

    fn scalar(&mut self, mark: Mark, properties: Properties<'t>) -> Result<NodeId, Error> {
        self.scanner.peek()?;
        let Some(Token { kind: TokenKind::Scalar { text, is_plain }, .. }) = self.scanner.skip()
        else {
            return self.fail("did not find expected node content");
        };
        let Properties { anchor, tag, .. } = properties;
        let is_implicit = is_plain && tag.is_empty() || tag == b"!";
        let id = self.add(mark, NodeKind::Scalar { text, tag, is_implicit });
        self.anchors.extend(anchor.map(|anchor| (anchor, id)));
        Ok(id)
    }

    /// Reads an anchor and a tag, in any order.
    fn properties(&mut self) -> Result<Properties<'t>, Error> {
        let mut properties = Properties::default();
        let mut tag = None;
        loop {
            let token = self.scanner.peek()?;
            let start = token.start;
            match &token.kind {
                TokenKind::Anchor(name) if properties.anchor.is_none() => {
                    properties.anchor = Some(name.clone());
                }
                TokenKind::Tag { handle, suffix } if tag.is_none() => {
                    tag = Some((handle.clone(), suffix.clone(), start));
                }
                _ => break,
            }
            properties.start.get_or_insert(start);
            self.scanner.skip();
        }
        let Some((handle, suffix, start)) = tag else { return Ok(properties) };
        if handle.is_empty() {
            properties.tag = suffix;
            return Ok(properties);
        }
        let known = self.tag_directives.iter().find(|(known, _)| *known == handle);
        let Some((_, prefix)) = known else {
            return Err(Error::parsing(start, "found undefined tag handle"));
        };
        properties.tag = [prefix.as_slice(), &suffix].concat();
        Ok(properties)
    }
}

impl Open {
    fn add(&mut self, id: NodeId) {
        match self.style {
            Style::BlockSequence | Style::IndentlessSequence | Style::FlowSequence => {
                self.items.push(id);
            }
            Style::BlockMapping | Style::FlowMapping | Style::SinglePair => match self.key.take() {
                Some(key) => self.entries.push((key, id)),
                None => self.key = Some(id),
            },
        }
    }
}
