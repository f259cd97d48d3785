//! Converts doc comments to descriptions.

/// Returns the description of a type or field with these doc comments. The lines of a paragraph are joined, because
/// programs such as `kubectl explain` wrap text themselves; blank lines, lists and code blocks stay as they are.
#[must_use]
pub fn description(texts: &[&str]) -> String {
    join(&unindent(texts))
}

/// Returns the lines of one comment. Those of a block comment lose the column of stars before them.
///
/// Source: `beautify_doc_string` of rustc's `rustc_ast/src/util/comments.rs`.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    // The text may begin on the first line, which has no `*` of its own, and the last one is the end of the comment.
    let column = |line: &str| line.trim_start().starts_with('*').then(|| line.find('*')).flatten();
    let stars = || text.split('\n').skip(1).filter(|line| !line.trim().is_empty()).map(column);
    let first = stars().next().flatten();
    let is_starred = first.is_some() && stars().all(|star| star == first);
    text.split('\n').enumerate().map(move |(at, line)| {
        let start = first.filter(|_| is_starred && at > 0).map_or(0, |star| star + 1);
        line.get(start..).unwrap_or_default().trim_end()
    })
}

/// Removes the indentation that all lines share, such as the space after `///`.
fn unindent<'a>(texts: &[&'a str]) -> Vec<&'a str> {
    let lines: Vec<&str> = texts.iter().flat_map(|text| lines(text)).collect();
    let width = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let common = lines.iter().filter(|line| !line.is_empty()).map(width).min().unwrap_or(0);
    lines.iter().map(|line| line.get(common..).unwrap_or_default()).collect()
}

fn join(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut open: Option<Fence> = None;
    let mut glue = false;
    for line in lines {
        let fence = Fence::of(line);
        let verbatim = open.is_some() || fence.is_some() || line.starts_with("    ");
        if text.is_empty() {
            // Blank lines at the start are dropped.
            if line.is_empty() {
                continue;
            }
        } else if glue && !verbatim && !line.is_empty() && !starts_block(line) {
            // A backslash at the end of a line is a line break.
            if text.ends_with('\\') && !text.ends_with("\\\\") {
                text.pop();
                text.push('\n');
            } else {
                text.push(' ');
            }
            text.push_str(line.trim_start());
            continue;
        } else {
            text.push('\n');
        }
        text.push_str(line);
        glue = !verbatim && !line.is_empty() && !line.starts_with('#') && !is_underline(line);
        match (open, fence) {
            (None, Some(fence)) => open = Some(fence),
            (Some(opened), Some(fence)) if fence.closes(opened) => open = None,
            _ => {}
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// A line that begins or ends a block of code: three or more of one mark.
#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    /// Whether the line has nothing else, such as a language.
    is_bare: bool,
}

impl Fence {
    fn of(line: &str) -> Option<Self> {
        let line = line.trim_start();
        let mark = ['`', '~'].into_iter().find(|mark| line.starts_with(*mark))?;
        let rest = line.trim_start_matches(mark);
        let length = line.len() - rest.len();
        (length >= 3).then_some(Self { mark, length, is_bare: rest.is_empty() })
    }

    /// Returns whether the line ends a block that another one has begun: it is at least as long.
    fn closes(self, opened: Self) -> bool {
        self.mark == opened.mark && self.length >= opened.length && self.is_bare
    }
}

/// Returns whether a line is the underline of a heading.
fn is_underline(line: &str) -> bool {
    let line = line.trim();
    ['=', '-'].iter().any(|mark| !line.is_empty() && line.trim_matches(*mark).is_empty())
}

/// Returns whether a line is the definition of a link: `[text]: https://example.com`.
fn is_link_definition(line: &str) -> bool {
    line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).is_some_and(|(label, target)| {
        !label.is_empty() && !label.contains(['[', ']']) && !target.trim().contains(' ')
    })
}

/// Returns whether a line begins a new block: a list item, a heading or its underline, a quote, a table row, or the
/// definition of a link. [`description`] does not join it to the line before.
#[must_use]
pub fn starts_block(line: &str) -> bool {
    let line = line.trim_start();
    if is_underline(line) || is_link_definition(line) {
        return true;
    }
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ ", "#", ">", "|"].iter().any(|mark| line.starts_with(mark))
        || (number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &[&str], want: &str) {
        assert_eq!(description(lines), want);
    }

    #[test]
    fn lines_of_a_paragraph_are_joined() {
        check(&[" One", " line."], "One line.");
        check(&[" First.", "", " Second", " part."], "First.\n\nSecond part.");
        check(&["", " Text.", "", ""], "Text.");
    }

    #[test]
    fn lists_and_code_are_kept() {
        check(&[" Either:", " - a", "   or so", " - b"], "Either:\n- a or so\n- b");
        check(
            &[" Like", " ```yaml", " a: 1", "   b: 2", " ```", " so."],
            "Like\n```yaml\na: 1\n  b: 2\n```\nso.",
        );
        check(&[" Like", "", "     indented", " code"], "Like\n\n    indented\ncode");
        check(&[" 1. one", " 2. two"], "1. one\n2. two");
    }

    #[test]
    fn a_longer_fence_holds_a_shorter_one() {
        let inner =
            [" ````md", " ```yaml", " spec:", "   query: up", " ```", " ````", " so", " on."];
        check(&inner, "````md\n```yaml\nspec:\n  query: up\n```\n````\nso on.");
        check(&[" ```", " a", " ```rust", " b", " ```"], "```\na\n```rust\nb\n```");
    }

    #[test]
    fn breaks_links_and_underlined_headings_are_kept() {
        check(&[" one\\", " two", " three"], "one\ntwo three");
        check(&[" a C:\\\\", " b"], "a C:\\\\ b");
        check(
            &[" See [a].", " [a]: https://a", " [b]: https://b"],
            "See [a].\n[a]: https://a\n[b]: https://b",
        );
        check(&[" [a]: or not", " a link."], "[a]: or not a link.");
        check(&[" Heading", " =======", " text", " more"], "Heading\n=======\ntext more");
    }

    #[test]
    fn block_comments_lose_their_stars() {
        check(&["\n * One\n * line.\n "], "One line.");
        check(&[" One\n * line.\n *\n * * a\n * * b\n "], "One line.\n\n* a\n* b");
        check(&["\n    * One\n      line.\n "], "* One line.");
    }

    #[test]
    fn line_comments_keep_their_stars() {
        check(&[" Kinds:", " * a", " * b"], "Kinds:\n* a\n* b");
        check(&[" The size.", " **Required** unless so."], "The size. **Required** unless so.");
        check(&[" *a*", " *b*"], "*a* *b*");
    }
}
