//! Prints a reference with a template.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior, Value};

use super::model::Reference;
use super::{Format, text};
use crate::CommandError;

/// The templates of the command, by name.
const BUILTIN: [(&str, &str); 3] = [
    ("reference.md", include_str!("templates/reference.md")),
    ("reference.html", include_str!("templates/reference.html")),
    ("reference.adoc", include_str!("templates/reference.adoc")),
];
/// The same, by the names with which own templates extend them.
const EXTENDED: [(&str, &str); 3] = [
    ("builtin/reference.md", BUILTIN[0].1),
    ("builtin/reference.html", BUILTIN[1].1),
    ("builtin/reference.adoc", BUILTIN[2].1),
];

/// Returns the name of the template of a format; `None` if it has none.
pub(super) fn name(format: Format) -> Option<&'static str> {
    let index = match format {
        Format::Markdown => 0,
        Format::Html => 1,
        Format::Asciidoc => 2,
        Format::Json => return None,
    };
    Some(BUILTIN[index].0)
}

/// Returns the text of the template of a format.
pub(super) fn builtin(format: Format) -> &'static str {
    let found = BUILTIN.iter().find(|(known, _)| name(format) == Some(*known));
    found.map_or("", |(_, text)| text)
}

/// Prints a reference. Own templates replace those of the command.
pub(super) fn text(
    reference: &Reference,
    format: Format,
    own: &[(String, String)],
) -> Result<String, CommandError> {
    let Some(name) = name(format) else {
        let text = serde_json::to_string_pretty(reference);
        return text.map(|text| text + "\n").map_err(|error| CommandError(error.to_string()));
    };
    let print = || -> Result<String, minijinja::Error> {
        let mut environment = environment()?;
        for (name, source) in BUILTIN.iter().chain(&EXTENDED) {
            environment.add_template(name, source)?;
        }
        for (name, source) in own {
            environment.add_template(name, source)?;
        }
        environment.get_template(name)?.render(Value::from(Serde(reference)))
    };
    print().map_err(|error| CommandError(format!("template: {error}")))
}

/// Returns an environment with the filters that templates have.
fn environment<'t>() -> Result<Environment<'t>, minijinja::Error> {
    let mut environment = Environment::new();
    let mut syntax = SyntaxConfig::builder();
    syntax.trim_blocks(true).lstrip_blocks(true).keep_trailing_newline(true);
    environment.set_syntax(syntax.build()?);
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment
        .add_filter("html", |markdown: String| Value::from_safe_string(text::html(&markdown)));
    environment.add_filter("md", |markdown: String| text::markdown(&markdown));
    environment.add_filter("md_cell", |markdown: String| text::markdown_cell(&markdown));
    environment.add_filter("md_code", |value: Value| text::markdown_code(&plain(&value)));
    environment.add_filter("md_block", |code: String, language: String| {
        text::markdown_block(&code, &language)
    });
    environment.add_filter("adoc", |markdown: String| text::asciidoc(&markdown));
    environment.add_filter("adoc_text", |value: Value| text::asciidoc_text(&plain(&value)));
    environment.add_filter("adoc_code", |value: Value| text::asciidoc_code(&plain(&value)));
    environment.add_filter("lines", |lines: String, by: String| text::joined(&lines, &by));
    environment.add_filter("json", |value: Value| json(&value).to_string());
    environment.add_filter("plain", |value: Value| plain(&value));
    Ok(environment)
}

fn json(value: &Value) -> serde_json::Value {
    serde_json::to_value(value).unwrap_or_default()
}

fn plain(value: &Value) -> String {
    text::plain(&json(value))
}
