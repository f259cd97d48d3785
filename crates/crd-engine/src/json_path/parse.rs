//! Parses templates.
//!
//! Source: `k8s.io/client-go/util/jsonpath/parser.go`. Its oddities are kept: a key in brackets is parsed again as a
//! field, so that `['a.b']` is the field `b` in `a`, and everything from a `}` in it is ignored.

use super::{ActionNode, Param, TemplateNode, quote};

/// The deepest nesting of filters and unions, in levels; upstream is bounded only by the stack.
const MAX_NESTING: usize = 64;

/// Parses a whole template.
pub(super) fn template(text: &str) -> Result<Vec<TemplateNode>, String> {
    Parser { input: text, at: 0, nesting: 0 }.text()
}

/// Parses the inside of one action.
fn action(text: &str, nesting: usize) -> Result<Vec<ActionNode>, String> {
    if nesting > MAX_NESTING {
        return Err(format!("nested deeper than {MAX_NESTING} levels"));
    }
    let wrapped = format!("{{{text}}}");
    let roots = Parser { input: &wrapped, at: 0, nesting }.text()?;
    // Upstream takes the first node, which is an action because the wrapped text begins with a brace.
    match roots.into_iter().next() {
        Some(TemplateNode::Action(nodes)) => Ok(nodes),
        Some(TemplateNode::Text(_)) | None => Ok(Vec::new()),
    }
}

struct Parser<'a> {
    input: &'a str,
    at: usize,
    nesting: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.input.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn since(&self, start: usize) -> &'a str {
        self.input.get(start..self.at).unwrap_or_default()
    }

    /// Parses text and actions in turn.
    fn text(mut self) -> Result<Vec<TemplateNode>, String> {
        let mut roots = Vec::new();
        loop {
            let rest = self.rest();
            let length = rest.find('{').unwrap_or(rest.len());
            if let Some(text) = rest.get(..length).filter(|text| !text.is_empty()) {
                roots.push(TemplateNode::Text(text.to_owned()));
            }
            self.at += length;
            if self.next().is_none() {
                return Ok(roots);
            }
            roots.push(TemplateNode::Action(self.inside()?));
        }
    }

    /// Parses the nodes up to the closing brace.
    fn inside(&mut self) -> Result<Vec<ActionNode>, String> {
        let mut nodes = Vec::new();
        loop {
            let rest = self.rest();
            if rest.starts_with('}') {
                self.at += 1;
                return Ok(nodes);
            }
            if rest.starts_with("[?(") {
                nodes.push(self.filter()?);
                continue;
            }
            if rest.starts_with("..") {
                if nodes.last() == Some(&ActionNode::Recursive) {
                    return Err("invalid multiple recursive descent".to_owned());
                }
                self.at += 2;
                nodes.push(ActionNode::Recursive);
                if self.peek().is_some_and(is_alphanumeric) {
                    nodes.push(self.field());
                }
                continue;
            }
            let start = self.at;
            match self.next() {
                None | Some('\r' | '\n') => return Err("unclosed action".to_owned()),
                Some(' ' | '@' | '$') => {}
                Some('[') => self.array(start, &mut nodes)?,
                Some(end @ ('"' | '\'')) => nodes.push(self.quoted(start, end)?),
                Some('.') => nodes.push(self.field()),
                Some(c) if c == '+' || c == '-' || c.is_numeric() => {
                    self.at = start;
                    nodes.push(self.number()?);
                }
                Some(c) if is_alphanumeric(c) => {
                    self.at = start;
                    nodes.push(self.identifier());
                }
                Some(c) => {
                    return Err(format!(
                        "unrecognized character in action: U+{:04X} '{c}'",
                        u32::from(c)
                    ));
                }
            }
        }
    }

    fn identifier(&mut self) -> ActionNode {
        let start = self.at;
        while self.peek().is_some_and(|c| !is_terminator(c)) {
            self.next();
        }
        match self.since(start) {
            "true" => ActionNode::Bool(true),
            "false" => ActionNode::Bool(false),
            name => ActionNode::Identifier(name.to_owned()),
        }
    }

    fn number(&mut self) -> Result<ActionNode, String> {
        let start = self.at;
        if matches!(self.peek(), Some('+' | '-')) {
            self.next();
        }
        while self.peek().is_some_and(|c| c == '.' || c.is_numeric()) {
            self.next();
        }
        let text = self.since(start);
        if let Ok(int) = text.parse() {
            return Ok(ActionNode::Int(int));
        }
        text.parse().map(ActionNode::Float).map_err(|_| format!("cannot parse number {text}"))
    }

    /// Parses a name up to the next unescaped terminator.
    fn field(&mut self) -> ActionNode {
        let start = self.at;
        while let Some(c) = self.peek() {
            if is_terminator(c) {
                break;
            }
            self.next();
            if c == '\\' {
                self.next();
            }
        }
        match self.since(start) {
            "*" => ActionNode::Wildcard,
            name => ActionNode::Field(name.replace('\\', "")),
        }
    }

    fn quoted(&mut self, start: usize, end: char) -> Result<ActionNode, String> {
        loop {
            match self.next() {
                None | Some('\n') => return Err("unterminated quoted string".to_owned()),
                Some(c) if c == end && !self.is_escaped() => break,
                Some(_) => {}
            }
        }
        let text = self.since(start);
        let unquoted = quote::unquote(text);
        unquoted
            .map(ActionNode::Text)
            .ok_or_else(|| format!("unquote string {text} error invalid syntax"))
    }

    /// Whether a backslash precedes the byte that was read last.
    fn is_escaped(&self) -> bool {
        self.at.checked_sub(2).and_then(|at| self.input.as_bytes().get(at)) == Some(&b'\\')
    }

    /// Parses the inside of brackets: an index, a slice, a key, or several of them.
    fn array(&mut self, start: usize, nodes: &mut Vec<ActionNode>) -> Result<(), String> {
        loop {
            match self.next() {
                None | Some('\n') => return Err("unterminated array".to_owned()),
                Some(']') => break,
                Some(_) => {}
            }
        }
        let text = self.since(start);
        let text = text.get(1..text.len().saturating_sub(1)).unwrap_or_default();
        let text = if text == "*" { ":" } else { text };
        if text.contains(',') {
            let parts = text
                .split(',')
                .map(|part| action(&format!("[{}]", part.trim_matches(' ')), self.nesting + 1));
            nodes.push(ActionNode::Union(parts.collect::<Result<_, _>>()?));
            return Ok(());
        }
        let key = text
            .strip_prefix('\'')
            .and_then(|text| text.strip_suffix('\''))
            .filter(|key| !key.contains('\''));
        if let Some(key) = key {
            nodes.extend(action(&format!(".{key}"), self.nesting + 1)?);
            return Ok(());
        }
        nodes.push(slice(text)?);
        Ok(())
    }

    fn filter(&mut self) -> Result<ActionNode, String> {
        self.at += "[?(".len();
        let start = self.at;
        let mut quote = None;
        let mut closed = false;
        loop {
            match self.next() {
                None | Some('\n') => return Err("unterminated filter".to_owned()),
                Some(c @ ('"' | '\'')) => match quote {
                    None => quote = Some(c),
                    Some(open) if c == open && !self.is_escaped() => closed = true,
                    Some(_) => {}
                },
                // A filter can contain one string, whose parentheses are ignored.
                Some(')') if quote.is_some() == closed => break,
                Some(_) => {}
            }
        }
        let text = self.since(start);
        let text = text.get(..text.len().saturating_sub(1)).unwrap_or_default();
        if self.next() != Some(']') {
            return Err("unclosed array expect ]".to_owned());
        }
        let nesting = self.nesting + 1;
        Ok(match comparison(text) {
            None => ActionNode::Filter {
                left: action(text, nesting)?,
                operator: "exists".to_owned(),
                right: Vec::new(),
            },
            Some((left, operator, right)) => ActionNode::Filter {
                left: action(left, nesting)?,
                operator: operator.to_owned(),
                right: action(right, nesting)?,
            },
        })
    }
}

/// Splits at the first run of operator characters; if nothing follows it, its last character is the right side.
///
/// Source: the pattern `^([^!<>=]+)([!<>=]+)(.+?)$`.
fn comparison(text: &str) -> Option<(&str, &str, &str)> {
    let is_operator = |c: char| matches!(c, '!' | '<' | '>' | '=');
    let begin = text.find(is_operator).filter(|begin| *begin > 0)?;
    let (left, rest) = text.split_at_checked(begin)?;
    let run = rest.find(|c| !is_operator(c)).unwrap_or_else(|| rest.len().saturating_sub(1));
    let (operator, right) = rest.split_at_checked(run)?;
    (!operator.is_empty()).then_some((left, operator, right))
}

/// Source: the pattern `^(-?[\d]*)(:-?[\d]*)?(:-?[\d]*)?$`.
fn slice(text: &str) -> Result<ActionNode, String> {
    let parts: Vec<&str> = text.split(':').collect();
    let is_part = |part: &str| {
        part.strip_prefix('-').unwrap_or(part).bytes().all(|byte| byte.is_ascii_digit())
    };
    if parts.len() > 3 || !parts.iter().copied().all(is_part) {
        return Err(format!("invalid array index {text}"));
    }
    let mut params = [Param::default(); 3];
    for (index, part) in parts.iter().enumerate() {
        let Some(param) = params.get_mut(index).filter(|_| !part.is_empty()) else { continue };
        param.known = true;
        param.value = part.parse().map_err(|_| format!("array index {part} is not a number"))?;
    }
    if parts.len() == 1 {
        let [begin, end, _] = &mut params;
        *end = Param { value: begin.value.saturating_add(1), known: true, derived: true };
    }
    Ok(ActionNode::Array(params))
}

fn is_terminator(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}')
}

fn is_alphanumeric(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}
