//! The table of all keys on the page of attributes: the error for a misplaced key names the item that it belongs on, and
//! a test writes the lines below the page's headings.

const PAGE: &str = include_str!("../../attributes.md");

/// A struct with `#[derive(CustomResource)]`.
pub(crate) const KIND: &str = "kind";

/// Returns the rows of the table, by key: the key, and what follows it in its row.
fn rows() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGE.lines().filter_map(|line| line.strip_prefix("| [`")?.split_once("`](#"))
}

/// Returns the items that a key can be on; `None` if there is no such key.
pub(crate) fn place(name: &str) -> Option<&'static str> {
    rows().find(|(key, _)| *key == name)?.1.split(" | ").nth(1)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fmt::Write as _;
    use std::path::Path;

    use super::*;

    /// The structs of the grammar, and the items that have their keys. The keys of `Constraints` are on parts of
    /// schemas, some of them not on all.
    const STRUCTS: [(&str, &[&str]); 6] = [
        ("KindAttrs", &["kind"]),
        ("CommonAttrs", &["kind", "type"]),
        ("TypeAttrs", &["type", "generic type"]),
        ("FieldAttrs", &["field"]),
        ("VariantAttrs", &["variant"]),
        ("Constraints", &["type", "field", "variant", "element"]),
    ];

    /// Returns the keys of the grammar, each with the items that its structs allow.
    fn grammar() -> BTreeMap<String, BTreeSet<&'static str>> {
        let mut keys: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
        for source in
            [include_str!("mod.rs"), include_str!("constraints.rs"), include_str!("kind.rs")]
        {
            for item in syn::parse_file(source).unwrap().items {
                let syn::Item::Struct(item) = item else { continue };
                let Some((_, on)) = STRUCTS.iter().find(|(name, _)| item.ident == name) else {
                    continue;
                };
                for field in item.fields {
                    let key = match field.ident.unwrap().to_string().as_str() {
                        // `schema_with` is read as a `function`.
                        "common" | "constraints" | "function" | "schema_of_module" => continue,
                        "rules" => "rule".to_owned(),
                        "krate" => "crate".to_owned(),
                        "_defaults" => "defaults".to_owned(),
                        key => key.to_owned(),
                    };
                    keys.entry(key).or_default().extend(*on);
                }
            }
        }
        keys
    }

    #[test]
    fn the_table_has_the_keys_of_the_grammar() {
        let grammar = grammar();
        let names: Vec<&str> = rows().map(|(name, _)| name).collect();
        assert_eq!(names, grammar.keys().map(String::as_str).collect::<Vec<_>>());
        for name in names {
            for item in place(name).unwrap().split(", ") {
                assert!(grammar[name].contains(item), "{name} is not on a {item}");
            }
        }
    }

    /// Returns the line below the heading of a key: its forms, which are those of the line before, where it can be, and
    /// what it sets.
    fn summary(name: &str, before: &str) -> String {
        let (forms, _) = before.split_once(" on a ").expect(before);
        let (_, row) = rows().find(|(key, _)| *key == name).expect(name);
        let cells: Vec<_> = row.trim_end_matches(" |").split(" | ").collect();
        let [_, on, sets, does] = cells[..] else { panic!("{row}") };
        let on = match on.rsplit_once(", ") {
            Some((before, last)) => format!("{before} or {last}"),
            None => on.to_owned(),
        };
        let mut line = format!("{forms} on a {on}");
        if !sets.is_empty() {
            write!(line, ", for {}", sets.replace(", ", "` and `")).expect("a text");
        }
        format!("{line}. {does}.")
    }

    /// Returns the page with the generated lines, one below each key's heading.
    fn with_generated_lines(page: &str) -> String {
        let mut out = String::new();
        let mut key = None;
        for line in page.lines() {
            match key {
                Some(key) if line.starts_with("`#[crd(") => out += &summary(key, line),
                _ => out += line,
            }
            out.push('\n');
            if !line.is_empty() {
                key = line.strip_prefix("### `").and_then(|it| it.strip_suffix('`'));
            }
        }
        out
    }

    #[test]
    fn the_page_has_a_heading_for_each_key() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("attributes.md");
        // Git may have checked the file out with CRLF.
        let page = PAGE.replace("\r\n", "\n");
        let want = with_generated_lines(&page);
        if std::env::var_os("BLESS").is_some_and(|what| what == "attributes") {
            return std::fs::write(&path, want).unwrap();
        }
        assert!(page == want, "`BLESS=attributes cargo test -p crd-derive --lib` writes it anew");
        let headings =
            page.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'));
        let headings: BTreeSet<&str> = headings.collect();
        assert_eq!(headings, rows().map(|(name, _)| name).collect());
    }
}
