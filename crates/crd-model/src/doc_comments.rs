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
        line.get(start..).unwrap_or_default()
    })
}

/// Removes the indentation that all lines share, such as the space after `///`.
fn unindent<'a>(texts: &[&'a str]) -> Vec<&'a str> {
    let lines: Vec<&str> = texts.iter().flat_map(|text| lines(text)).collect();
    let width = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let common = lines.iter().filter(|line| !line.trim().is_empty()).map(width).min().unwrap_or(0);
    lines.iter().map(|line| line.get(common..).unwrap_or_default()).collect()
}

/// What is known of the lines since the last blank one.
#[derive(Default)]
struct Run {
    /// The next line is joined to the last one, unless it begins a block.
    is_paragraph: bool,
    /// One of them begins with a number, so that the next line may begin with any.
    is_numbered: bool,
    /// They are rows of a table.
    is_table: bool,
}

fn join(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut fences = Fences::default();
    let mut run = Run::default();
    let mut is_broken = false;
    for (at, &raw) in lines.iter().enumerate() {
        let line = raw.trim_end();
        let next = lines.get(at + 1).copied().unwrap_or_default();
        if text.is_empty() && line.is_empty() {
            continue;
        }
        let is_code = fences.read(line) != Line::Text
            || (!run.is_paragraph && (line.starts_with("    ") || line.starts_with('\t')));
        let is_row =
            run.is_table || is_table_rule(line) || (line.contains('|') && is_table_rule(next));
        if line.is_empty() || is_code {
            run = Run::default();
        } else if run.is_paragraph && !is_row && !begins_block(line, run.is_numbered) {
            // Two spaces or a backslash at the end of a line break it.
            let backslashes = text.len() - text.trim_end_matches('\\').len();
            if backslashes % 2 == 1 {
                text.pop();
                is_broken = true;
            }
            text.push(if is_broken { '\n' } else { ' ' });
            text.push_str(line.trim_start());
            is_broken = raw.ends_with("  ");
            continue;
        } else {
            run.is_table = run.is_table || is_table_rule(line);
            run.is_numbered = run.is_numbered || numbered(line).is_some();
            run.is_paragraph =
                !is_row && !is_heading(line) && !is_rule(line) && !is_link_definition(line);
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(line);
        is_broken = raw.ends_with("  ");
    }
    text.truncate(text.trim_end().len());
    text
}

/// What a line of Markdown is, as far as blocks of code are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// It is not in a block of code.
    Text,
    /// It begins or ends a block.
    Fence,
    /// It is in a block.
    Code,
}

/// Finds the fenced blocks of code in Markdown that is read line by line.
///
/// Source: section 4.5 of the `CommonMark` specification, version 0.31.2.
#[derive(Debug, Clone, Default)]
pub struct Fences {
    open: Option<Fence>,
}

impl Fences {
    /// Returns what the next line is.
    pub fn read(&mut self, line: &str) -> Line {
        let Some(opened) = self.open else {
            self.open = Fence::of(without_list_marks(line));
            return if self.open.is_some() { Line::Fence } else { Line::Text };
        };
        if !Fence::of(line).is_some_and(|fence| fence.closes(opened)) {
            return Line::Code;
        }
        self.open = None;
        Line::Fence
    }

    /// Returns the line that ends the block which is open; `None` if none is.
    #[must_use]
    pub fn closing(&self) -> Option<String> {
        self.open.map(|fence| fence.mark.to_string().repeat(fence.length))
    }
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
        let line = line.trim();
        let mark = ['`', '~'].into_iter().find(|mark| line.starts_with(*mark))?;
        let rest = line.trim_start_matches(mark);
        let length = line.len() - rest.len();
        // "```a``` is" is code within a line.
        let is_fence = length >= 3 && (mark == '~' || !rest.contains('`'));
        is_fence.then_some(Self { mark, length, is_bare: rest.is_empty() })
    }

    /// Returns whether the line ends a block that another one has begun: it is at least as long.
    fn closes(self, opened: Self) -> bool {
        self.mark == opened.mark && self.length >= opened.length && self.is_bare
    }
}

/// Returns the content of a line that begins an item of a list, or of one in another.
fn without_list_marks(line: &str) -> &str {
    let mut line = line.trim_start();
    loop {
        let bullet = ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark));
        let number = || {
            numbered(line)?;
            line.trim_start_matches(|c: char| c.is_ascii_digit()).get(1..)
        };
        match bullet.or_else(number) {
            Some(rest) => line = rest.trim_start(),
            None => return line,
        }
    }
}

/// Returns whether a line is the underline of a heading, or a line across the page.
fn is_rule(line: &str) -> bool {
    let of = |mark: char| {
        line.chars().all(|c| c == mark || c == ' ').then(|| line.matches(mark).count())
    };
    let is_underline = ['=', '-'].iter().any(|mark| {
        let line = line.trim();
        !line.is_empty() && line.trim_matches(*mark).is_empty()
    });
    is_underline || ['*', '-', '_'].iter().any(|mark| of(*mark) >= Some(3))
}

fn is_heading(line: &str) -> bool {
    let line = line.trim_start();
    let rest = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - rest.len())) && (rest.is_empty() || rest.starts_with(' '))
}

/// Returns whether a line is the one between the head and the rows of a table: `|---|:-:|`.
fn is_table_rule(line: &str) -> bool {
    let line = line.trim();
    let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches(':'));
    line.contains('|')
        && cells.into_iter().all(|cell| !cell.is_empty() && cell.trim_matches('-').is_empty())
}

/// Returns whether a line is the definition of a link, `[text]: https://example.com "title"`.
fn is_link_definition(line: &str) -> bool {
    let line = line.trim_start();
    let Some((label, rest)) = line.strip_prefix('[').and_then(|rest| rest.split_once("]:")) else {
        return false;
    };
    let rest = rest.trim();
    let (target, title) = match rest.strip_prefix('<') {
        Some(rest) => rest.split_once('>').unwrap_or_default(),
        None => rest.split_once(' ').unwrap_or((rest, "")),
    };
    let title = title.trim();
    let is_title = title.is_empty()
        || [('"', '"'), ('\'', '\''), ('(', ')')].iter().any(|(start, end)| {
            title.len() > 1 && title.starts_with(*start) && title.ends_with(*end)
        });
    !label.is_empty()
        && !label.starts_with('^')
        && !label.contains(['[', ']'])
        && !target.is_empty()
        && is_title
}

/// Returns the number of a line that begins an item of a numbered list.
fn numbered(line: &str) -> Option<u32> {
    let line = line.trim_start();
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest_of_mark = rest.strip_prefix(['.', ')'])?;
    let digits = line.get(..line.len() - rest.len()).filter(|digits| digits.len() < 10)?;
    if rest_of_mark.is_empty() || rest_of_mark.starts_with(' ') {
        digits.parse().ok()
    } else {
        None
    }
}

/// Returns whether a line begins a new block, with a number other than 1 only in a numbered list.
fn begins_block(line: &str, in_numbered: bool) -> bool {
    let line = line.trim_start();
    is_rule(line)
        || is_heading(line)
        || is_link_definition(line)
        || (line.starts_with("[^") && line.contains("]:"))
        || numbered(line).is_some_and(|number| in_numbered || number == 1)
        || ["- ", "* ", "+ ", ">", "|"].iter().any(|mark| line.starts_with(mark))
}

/// Returns whether a line begins a new block anywhere: a list item, a heading or its underline, a quote, a table row, or
/// the definition of a link or a note. [`description`] does not join it to the line before.
#[must_use]
pub fn starts_block(line: &str) -> bool {
    begins_block(line, true)
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
    fn a_fence_may_begin_an_item_of_a_list() {
        check(
            &[" - ```yaml", "   a:", "     b: 1", "   ```", " - so", "   on"],
            "- ```yaml\n  a:\n    b: 1\n  ```\n- so on",
        );
        check(
            &[" 1. - ~~~", "      a", "      b", "      ~~~", " so"],
            "1. - ~~~\n     a\n     b\n     ~~~\nso",
        );
        check(&[" ```", " - ```", " a", " ```", " b"], "```\n- ```\na\n```\nb");
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
    fn two_spaces_break_a_line() {
        check(&[" one  ", " two ", " three  "], "one\ntwo three");
        check(&["\n * one  \n * two\n "], "one\ntwo");
        check(&[" a\\\\\\", " b"], "a\\\\\nb");
    }

    #[test]
    fn code_within_a_line_begins_no_block() {
        check(&[" ```a``` is", " code."], "```a``` is code.");
        check(&[" ~~~ `a", " b", " ~~~"], "~~~ `a\nb\n~~~");
        check(&[" - a", "   ```", "   b", "   ```  ", "   c"], "- a\n  ```\n  b\n  ```\n  c");
    }

    #[test]
    fn indented_lines_of_a_paragraph_are_joined() {
        check(&[" - a", "       b", "     - c", "       d"], "- a b\n    - c d");
        check(&[" # A", "     b", "     c"], "# A\n    b\n    c");
    }

    #[test]
    fn marks_within_a_paragraph_begin_no_block() {
        check(&[" since", " 2019. Then", " 3) more"], "since 2019. Then 3) more");
        check(&[" so:", " 1. a", " 2. b", " 10) c"], "so:\n1. a\n2. b\n10) c");
        check(&[" see", " #12 and", " 5.5 or", " -1"], "see #12 and 5.5 or -1");
    }

    #[test]
    fn lines_across_the_page_and_tables_are_kept() {
        check(&[" a", " ***", " b", " _ _ _", " c"], "a\n***\nb\n_ _ _\nc");
        check(
            &[" Either", " a | b", " --- | :-:", " 1 | 2", " 3", "", " so", " on"],
            "Either\na | b\n--- | :-:\n1 | 2\n3\n\nso on",
        );
        check(&[" a | b", " c | d"], "a | b c | d");
    }

    #[test]
    fn definitions_of_links_may_have_titles() {
        check(
            &[" a", " [b]: <https://b c> 'T'", " [c]:https://c", " d", " e"],
            "a\n[b]: <https://b c> 'T'\n[c]:https://c\nd e",
        );
        check(&[" a[^1]", " [^1]: see", " there."], "a[^1]\n[^1]: see there.");
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
