//! Converts doc comments to descriptions.

/// Returns the description of a type or field with these doc comments. The lines of a paragraph are joined, because
/// programs such as `kubectl explain` wrap text themselves; blank lines, lists and code blocks stay as they are.
pub(super) fn description(texts: &[&str]) -> String {
    let lines: Vec<String> =
        texts.iter().flat_map(|text| text.split('\n')).map(str::to_owned).collect();
    join(&unindent(&lines))
}

/// Removes the indentation that all lines share, such as the space after `///`.
fn unindent(lines: &[String]) -> Vec<&str> {
    // The text of a block comment may begin on its first line, which has no `*` of its own.
    let star = |line: &str| line.trim_start().starts_with('*');
    let starred = lines.len() > 1 && lines.iter().skip(1).all(|l| star(l) || l.trim().is_empty());
    let lines = lines.iter().map(|line| {
        let line = if starred { line.trim_start().trim_start_matches('*') } else { line.as_str() };
        line.trim_end()
    });
    let lines: Vec<&str> = lines.collect();
    let width = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let common = lines.iter().filter(|line| !line.is_empty()).map(width).min().unwrap_or(0);
    lines.iter().map(|line| line.get(common..).unwrap_or_default()).collect()
}

fn join(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut fence: Option<&str> = None;
    let mut glue = false;
    for line in lines {
        let opens = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        let verbatim = fence.is_some() || opens.is_some() || line.starts_with("    ");
        if text.is_empty() {
            // Blank lines at the start are dropped.
            if line.is_empty() {
                continue;
            }
        } else if glue && !verbatim && !line.is_empty() && !starts_block(line) {
            text.push(' ');
            text.push_str(line.trim_start());
            continue;
        } else {
            text.push('\n');
        }
        text.push_str(line);
        glue = !verbatim && !line.is_empty() && !line.starts_with('#');
        match (fence, opens) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// Returns whether a line begins a new block: a list item, a heading, a quote or a table row.
fn starts_block(line: &str) -> bool {
    let line = line.trim_start();
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    ["- ", "* ", "+ ", "#", ">", "|"].iter().any(|mark| line.starts_with(mark))
        || (number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(lines: &[&str], want: &str) {
        let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        assert_eq!(join(&unindent(&lines)), want);
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
    fn block_comments_lose_their_stars() {
        check(&["", " * One", " * line.", " "], "One line.");
    }
}
