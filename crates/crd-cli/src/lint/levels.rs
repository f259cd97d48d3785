//! Which lints are reported, and how.

use std::str::FromStr;

use clap::Args;
use crd_cel::re2::Regex;

use super::definition::is_below;
use super::kind::{Found, Level, Lint};
use super::table;

/// Options that change what is done with findings.
#[derive(Debug, Clone, Args)]
pub(in super::super) struct Levels {
    /// Report a lint as an error; `warnings` means all lints that would be warnings. Repeatable.
    #[arg(long, value_name = "LINT")]
    deny: Vec<Selector>,
    /// Report a lint as a warning; `all` means all lints that would not be reported. Repeatable.
    #[arg(long, value_name = "LINT")]
    warn: Vec<Selector>,
    /// Do not report a lint; `all` means all lints that no other option names. `LINT@CRD` is the lint in one CRD, such as
    /// `phase_name@crontabs.stable.example.com`, and `LINT@CRD:FIELD` in a field such as `spec.image` and below it.
    /// Repeatable.
    #[arg(long, value_name = "LINT[@CRD[:FIELD]]")]
    allow: Vec<Allowed>,
    /// Report fields whose names match a regular expression (`forbidden_name`). Repeatable.
    #[arg(long, value_name = "REGEX")]
    forbid_name: Vec<NamePattern>,
}

/// One or several lints.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Selector {
    All,
    Warnings,
    One(&'static Lint),
}

impl FromStr for Selector {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            "warnings" => Ok(Self::Warnings),
            id => lint(id).map(Self::One),
        }
    }
}

/// Returns a lint by its name.
pub(super) fn lint(id: &str) -> Result<&'static Lint, String> {
    table::named(id).ok_or_else(|| format!("there is no lint `{id}`; `crd lint --list` prints all"))
}

/// A lint that is not reported, everywhere or in a part of a definition.
#[derive(Debug, Clone, PartialEq)]
struct Allowed {
    lints: Selector,
    crd: Option<String>,
    /// The path in objects; empty for the whole definition.
    field: String,
}

impl FromStr for Allowed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (id, place) = match text.split_once('@') {
            Some((id, place)) => (id, Some(place)),
            None => (text, None),
        };
        let lints = id.parse()?;
        let (crd, field) = match place.map(|place| place.split_once(':').unwrap_or((place, ""))) {
            Some(("", _)) => return Err(format!("the name of a CRD is missing after `{id}@`")),
            Some((crd, field)) => (Some(crd.to_owned()), field.to_owned()),
            None => (None, String::new()),
        };
        Ok(Self { lints, crd, field })
    }
}

/// A regular expression of `--forbid-name`.
#[derive(Debug, Clone)]
struct NamePattern(Regex);

impl FromStr for NamePattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Regex::new(text).map(Self).map_err(|error| error.to_string())
    }
}

impl Levels {
    /// Returns what is done with the findings of a lint where nothing else is said. A name counts more than a group, and
    /// of options with the same lint, the most lenient.
    pub(super) fn of(&self, lint: &'static Lint) -> Level {
        let everywhere = || self.allow.iter().filter(|allowed| allowed.crd.is_none());
        let is_allowed = |by: Selector| everywhere().any(|allowed| allowed.lints == by);
        let one = Selector::One(lint);
        if is_allowed(one) {
            return Level::Allow;
        }
        if self.warn.contains(&one) {
            return Level::Warn;
        }
        if self.deny.contains(&one) {
            return Level::Deny;
        }
        if is_allowed(Selector::All)
            || (is_allowed(Selector::Warnings) && lint.level == Level::Warn)
        {
            return Level::Allow;
        }
        let mut level = lint.level;
        if self.warn.contains(&Selector::All) {
            level = level.max(Level::Warn);
        }
        let denies = |by| self.deny.contains(&by);
        if denies(Selector::All) || (denies(Selector::Warnings) && level == Level::Warn) {
            level = Level::Deny;
        }
        level
    }

    /// Returns whether a finding is not reported at its place.
    pub(super) fn allow(&self, crd: &str, found: &Found) -> bool {
        self.allow.iter().any(|allowed| {
            let is_meant = match allowed.lints {
                Selector::One(lint) => lint == found.lint,
                Selector::All => true,
                Selector::Warnings => found.lint.level == Level::Warn,
            };
            allowed.crd.as_deref() == Some(crd)
                && is_meant
                && is_at_or_below(&found.value, &allowed.field)
        })
    }

    /// Returns the patterns of names that are reported.
    pub(super) fn forbidden(&self) -> Vec<Regex> {
        self.forbid_name.iter().map(|NamePattern(regex)| regex.clone()).collect()
    }
}

/// Returns whether a path in objects is that of a field, or leads through it.
fn is_at_or_below(value: &str, field: &str) -> bool {
    field.is_empty() || value == field || is_below(value, field)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Options {
        #[command(flatten)]
        levels: Levels,
    }

    fn parse(args: &[&str]) -> Result<Levels, String> {
        let args = std::iter::once("lint").chain(args.iter().copied());
        Options::try_parse_from(args)
            .map(|options| options.levels)
            .map_err(|error| error.to_string())
    }

    fn level(args: &[&str], id: &str) -> Level {
        parse(args).unwrap().of(lint(id).unwrap())
    }

    #[test]
    fn a_name_counts_more_than_a_group() {
        let (deny, warn, allow) = (Level::Deny, Level::Warn, Level::Allow);
        for (args, phase, boolean) in [
            (&[][..], warn, allow),
            (&["--deny", "warnings"], deny, allow),
            (&["--deny", "all"], deny, deny),
            (&["--warn", "all", "--deny", "warnings"], deny, deny),
            (&["--deny", "warnings", "--allow", "phase_name"], allow, allow),
            (&["--deny", "warnings", "--warn", "phase_name"], warn, allow),
            (&["--allow", "all", "--deny", "boolean_field"], allow, deny),
            (&["--deny", "phase_name", "--allow", "phase_name"], allow, allow),
            (&["--allow", "phase_name@a.b.c"], warn, allow),
        ] {
            let got = (level(args, "phase_name"), level(args, "boolean_field"));
            assert_eq!(got, (phase, boolean), "{args:?}");
        }
    }

    #[test]
    fn unknown_names_are_usage_errors() {
        for (args, want) in [
            (["--deny", "phase"], "there is no lint `phase`; `crd lint --list` prints all"),
            (["--allow", "phase_name@"], "the name of a CRD is missing after `phase_name@`"),
            (["--forbid-name", "["], "error parsing regexp: missing closing ]: `[`"),
        ] {
            let error = parse(&args).unwrap_err();
            assert!(error.contains(want), "{error}");
        }
    }

    #[test]
    fn a_field_includes_what_is_below_it() {
        for (value, field, want) in [
            ("spec.ports[].name", "", true),
            ("spec.ports[].name", "spec.ports", true),
            ("spec.ports[].name", "spec.ports[].name", true),
            ("spec.ports[].name", "spec.port", false),
            ("", "spec", false),
        ] {
            assert_eq!(is_at_or_below(value, field), want, "{value} {field}");
        }
    }
}
