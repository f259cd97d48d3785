//! Scenarios: commands of `kubectl`, one on each line of a file.
//!
//! ```text
//! # A comment.
//! kubectl apply -f crontab.yaml
//! KUBE_EDITOR="sed -i s/a/b/" kubectl edit crontab one
//! eventually kubectl get crontabs
//! watch 2 kubectl get crontabs -w
//! watched 5
//! kubectl get configmaps
//!   differs: the cause of the difference
//!   -a line that is printed only with kube-apiserver
//!   +a line that is printed only with the API server of tests
//! ```
//!
//! `eventually` repeats a command until it succeeds. `watch N` starts one in the background and continues when it has
//! printed N lines; `watched N` ends it when it has printed N lines in all. Words are quoted as in a shell.

use std::fmt;

/// A named sequence of steps.
#[derive(Debug)]
pub(super) struct Scenario {
    pub(super) name: String,
    pub(super) steps: Vec<Step>,
}

/// One line, with the known difference of its outputs.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) line: usize,
    pub(super) action: Action,
    pub(super) differs: Option<Differs>,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Action {
    Run(Command),
    Eventually(Command),
    Watch { lines: usize, command: Command },
    Watched { lines: usize },
}

/// A command of `kubectl`, and the variables that are set for it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) variables: Vec<(String, String)>,
    pub(super) arguments: Vec<String>,
}

/// A known difference.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Differs {
    pub(super) reason: String,
    /// The lines that differ, each after `-` or `+`.
    pub(super) lines: Vec<String>,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run(command) | Self::Eventually(command) | Self::Watch { command, .. } => {
                write!(f, "kubectl {}", command.arguments.join(" "))
            }
            Self::Watched { lines } => write!(f, "{lines} lines of the watch"),
        }
    }
}

impl Scenario {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// The number of the first malformed line, and what is wrong with it.
    pub(super) fn parse(name: &str, text: &str) -> Result<Self, String> {
        let mut steps: Vec<Step> = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            let within = |why: String| format!("{name}, line {number}: {why}");
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let Some(known) = line.strip_prefix("  ") else {
                let action = Action::parse(line).map_err(within)?;
                steps.push(Step { line: number, action, differs: None });
                continue;
            };
            let last = steps.last_mut().ok_or_else(|| within("no command before it".to_owned()))?;
            match (known.strip_prefix("differs: "), &mut last.differs) {
                (Some(reason), known) => {
                    *known = Some(Differs { reason: reason.to_owned(), lines: Vec::new() });
                }
                (None, Some(differs)) if known.starts_with(['-', '+']) => {
                    differs.lines.push(known.to_owned());
                }
                _ => {
                    return Err(within(
                        "write `  differs: REASON` first, then lines with - or +".to_owned(),
                    ));
                }
            }
        }
        Ok(Self { name: name.to_owned(), steps })
    }
}

impl Action {
    fn parse(line: &str) -> Result<Self, String> {
        let mut words = words(line)?.into_iter().peekable();
        let first = words.peek().cloned().unwrap_or_default();
        if !matches!(&*first, "eventually" | "watch" | "watched") {
            return Command::parse(words).map(Self::Run);
        }
        words.next();
        if first == "eventually" {
            return Command::parse(words).map(Self::Eventually);
        }
        let count = words.next().unwrap_or_default();
        let lines =
            count.parse().map_err(|_| format!("`{first} {count}`: not a number of lines"))?;
        if first == "watched" {
            return Ok(Self::Watched { lines });
        }
        Ok(Self::Watch { lines, command: Command::parse(words)? })
    }
}

impl Command {
    fn parse(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut variables = Vec::new();
        let mut words = words;
        for word in words.by_ref() {
            if word == "kubectl" {
                return Ok(Self { variables, arguments: words.collect() });
            }
            match word.split_once('=') {
                Some((name, value)) => variables.push((name.to_owned(), value.to_owned())),
                None => return Err(format!("`{word}`: a command begins with `kubectl`")),
            }
        }
        Err("a command begins with `kubectl`".to_owned())
    }
}

/// Splits a line at its blanks. Quotation marks keep blanks; nothing is expanded.
fn words(line: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            None if matches!(c, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c == ' ' => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if let Some(quote) = quote {
        return Err(format!("{quote} is not closed"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(variables: &[(&str, &str)], arguments: &[&str]) -> Command {
        let pairs = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Command {
            variables: pairs.collect(),
            arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
        }
    }

    #[test]
    fn lines_are_read() {
        let text = "# first\nkubectl get a\n\nE=\"x 'y'\" kubectl patch a -p '{\"b\": 1}'\neventually kubectl get b\n\
                    watch 2 kubectl get c -w\nwatched 3\n  differs: because\n  -real\n  +ours\n";
        let scenario = Scenario::parse("s", text).expect("well-formed");
        let actions: Vec<&Action> = scenario.steps.iter().map(|step| &step.action).collect();
        let patch = command(&[("E", "x 'y'")], &["patch", "a", "-p", "{\"b\": 1}"]);
        assert_eq!(
            actions,
            [
                &Action::Run(command(&[], &["get", "a"])),
                &Action::Run(patch),
                &Action::Eventually(command(&[], &["get", "b"])),
                &Action::Watch { lines: 2, command: command(&[], &["get", "c", "-w"]) },
                &Action::Watched { lines: 3 },
            ]
        );
        let differs = scenario.steps[4].differs.as_ref().expect("a difference");
        assert_eq!(
            (&*differs.reason, &*differs.lines),
            ("because", &["-real".to_owned(), "+ours".to_owned()][..])
        );
        assert_eq!(scenario.steps[4].line, 7);
    }

    #[test]
    fn a_wrong_line_is_named() {
        let error = |text| Scenario::parse("s", text).expect_err("malformed");
        assert_eq!(
            error("kubectl get a\nget b"),
            "s, line 2: `get`: a command begins with `kubectl`"
        );
        assert_eq!(
            error("watch two kubectl get a"),
            "s, line 1: `watch two`: not a number of lines"
        );
        assert_eq!(error("kubectl get 'a"), "s, line 1: ' is not closed");
        assert_eq!(error("  -a"), "s, line 1: no command before it");
    }
}
