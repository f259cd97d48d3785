//! Files of probes: programs, written by hand or generated, each with the recorded outcome of a run.
//!
//! ```text
//! # Bounds of numbers
//!
//! ## minimum_above_u8
//! #[crd(minimum = 300)] a: u8,
//! > meant: {"type": "object", "properties": {"a": {"type": "integer", "minimum": 300}}}
//! > why: no value of the type
//! = rustc: at minimum = 300
//! = server: accepted
//! ```
//!
//! Lines with `>` are part of the probe, lines with `=` are recorded.

use std::fmt::Write as _;

use serde_json::Value;

/// Probes about one subject.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Family {
    /// The subject.
    pub title: String,
    /// The probes, in the order of the file.
    pub probes: Vec<Probe>,
}

/// A small program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Probe {
    /// Its name, unique in the family.
    pub name: String,
    /// The fields of a struct `Root`, or items that include a `Root` or a kind `Widget`.
    pub source: String,
    /// The schema that the author intends; the program itself may not compile.
    pub meant: Option<Value>,
    /// The reason to reject the program although the server accepts the intended schema.
    pub why: Option<String>,
    /// Marks a known gap: how the outcome should be different, or that its author asks for it.
    pub gap: Option<String>,
    /// Values of `Root`, or objects of the kind.
    pub objects: Vec<Value>,
    /// The recorded outcome of a run.
    pub outcome: Option<ProbeOutcome>,
}

/// The outcome of a probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeOutcome {
    /// rustc's verdict.
    pub rustc: RustcVerdict,
    /// The server's verdict on the definition.
    pub server: ServerVerdict,
    /// Whether a law of derived types does not hold for some object; `judge` states the laws.
    pub broken: bool,
    /// The outcome of each object.
    pub objects: Vec<String>,
}

/// rustc's verdict on a probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RustcVerdict {
    /// It compiles.
    Compiles,
    /// An error of the derives, with the text that it marks.
    At(String),
    /// An error that is not of the derives, or that marks only the name of the derive.
    Elsewhere(String),
}

/// The server's verdict on a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerVerdict {
    /// There are no errors.
    Accepted,
    /// The sorted texts of its errors, each cut after `MAX_ERROR_LENGTH` characters.
    Rejected(Vec<String>),
    /// There is no definition.
    NotAsked,
}

/// The most characters kept of an error's text.
const MAX_ERROR_LENGTH: usize = 160;

impl Family {
    /// Reads a file.
    ///
    /// # Errors
    /// If a line does not belong in a file of probes.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut family = Self::default();
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("## ") {
                family.probes.push(Probe { name: name.to_owned(), ..Probe::default() });
            } else if let Some(probe) = family.probes.last_mut() {
                probe.read(line).ok_or_else(|| format!("{}: what is `{line}`?", probe.name))?;
            } else if let Some(title) = line.strip_prefix("# ") {
                title.clone_into(&mut family.title);
            } else if !line.is_empty() {
                return Err(format!("a line before the first probe: {line}"));
            }
        }
        for probe in &mut family.probes {
            probe.source.truncate(probe.source.trim_end().len());
        }
        Ok(family)
    }

    /// Writes the file.
    #[must_use]
    pub fn render(&self) -> String {
        let mut out = format!("# {}\n", self.title);
        for probe in &self.probes {
            probe.write(&mut out);
        }
        out
    }
}

impl Probe {
    fn read(&mut self, line: &str) -> Option<()> {
        if let Some((key, value)) = line.strip_prefix("> ").and_then(|it| it.split_once(": ")) {
            match key {
                "meant" => self.meant = Some(serde_json::from_str(value).ok()?),
                "why" => self.why = Some(value.to_owned()),
                "gap" => self.gap = Some(value.to_owned()),
                "object" => self.objects.push(serde_json::from_str(value).ok()?),
                _ => return None,
            }
        } else if let Some((key, value)) =
            line.strip_prefix("= ").and_then(|it| it.split_once(": "))
        {
            let outcome = self.outcome.get_or_insert_with(|| ProbeOutcome {
                rustc: RustcVerdict::Compiles,
                server: ServerVerdict::NotAsked,
                broken: false,
                objects: Vec::new(),
            });
            match key {
                "rustc" => outcome.rustc = RustcVerdict::parse(value)?,
                "server" => outcome.server = ServerVerdict::parse(value)?,
                "laws" => outcome.broken = value == "broken",
                "object" => outcome.objects.push(value.to_owned()),
                _ => return None,
            }
        } else {
            self.source.push_str(line);
            self.source.push('\n');
        }
        Some(())
    }

    // Writing to a string does not fail.
    fn write(&self, out: &mut String) {
        let _ = writeln!(out, "\n## {}\n{}", self.name, self.source);
        for (key, text) in [
            ("meant", self.meant.as_ref().map(Value::to_string)),
            ("why", self.why.clone()),
            ("gap", self.gap.clone()),
        ] {
            if let Some(text) = text {
                let _ = writeln!(out, "> {key}: {text}");
            }
        }
        for object in &self.objects {
            let _ = writeln!(out, "> object: {object}");
        }
        let Some(outcome) = &self.outcome else { return };
        let _ = writeln!(out, "= rustc: {}", outcome.rustc.text());
        let _ = writeln!(out, "= server: {}", outcome.server.text());
        if outcome.broken {
            let _ = writeln!(out, "= laws: broken");
        }
        for object in &outcome.objects {
            let _ = writeln!(out, "= object: {object}");
        }
    }
}

impl RustcVerdict {
    fn parse(text: &str) -> Option<Self> {
        Some(match text.split_once(' ') {
            None if text == "compiles" => Self::Compiles,
            Some(("at", marked)) => Self::At(marked.to_owned()),
            Some(("elsewhere,", marked)) => Self::Elsewhere(marked.to_owned()),
            _ => return None,
        })
    }

    /// Returns the text of the verdict in a file.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Compiles => "compiles".to_owned(),
            Self::At(marked) => format!("at {marked}"),
            Self::Elsewhere(marked) => format!("elsewhere, {marked}"),
        }
    }
}

impl ServerVerdict {
    /// Returns the verdict that consists of these errors.
    #[must_use]
    pub fn of(errors: Vec<String>) -> Self {
        if errors.is_empty() {
            return Self::Accepted;
        }
        let cut = |text: String| text.chars().take(MAX_ERROR_LENGTH).collect::<String>();
        let mut errors: Vec<_> = errors.into_iter().map(cut).collect();
        errors.sort_unstable();
        Self::Rejected(errors)
    }

    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "accepted" => Self::Accepted,
            "not asked" => Self::NotAsked,
            errors => Self::Rejected(serde_json::from_str(errors).ok()?),
        })
    }

    fn text(&self) -> String {
        match self {
            Self::Accepted => "accepted".to_owned(),
            Self::NotAsked => "not asked".to_owned(),
            Self::Rejected(errors) => Value::from(errors.as_slice()).to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let text = "# Bounds\n\n## one\n#[crd(minimum = 300)] a: u8,\n> meant: {\"type\":\"object\"}\n> why: none\n\
                    > object: {\"a\":1}\n= rustc: at minimum = 300\n= server: [\"a: b\"]\n= laws: broken\n\
                    = object: admitted, read\n\n## two\nstruct A;\n\nstruct Root;\n= rustc: compiles\n= server: accepted\n";
        let family = Family::parse(text).expect("a file of probes");
        assert_eq!(family.probes.len(), 2);
        assert_eq!(family.probes[1].source, "struct A;\n\nstruct Root;");
        assert_eq!(family.render(), text);
        assert!(Family::parse("# A\n\n## b\n> what: 1\n").is_err());
    }
}
