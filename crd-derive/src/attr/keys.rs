//! The table of all keys: the error for a misplaced key names the item that it belongs on, and a test writes the table
//! and the headings of `attributes.md`.

/// A key of `#[crd(..)]`.
#[derive(Debug)]
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "the page of attributes is made of the others, by a test")
)]
pub(crate) struct Key {
    /// The key.
    pub name: &'static str,
    /// The items that it can be on.
    pub on: &'static str,
    /// Its forms, separated by semicolons.
    pub forms: &'static str,
    /// What it sets in the manifest; empty if nothing.
    pub sets: &'static str,
    /// What it does, beginning with a verb.
    pub does: &'static str,
}

/// A struct with `#[derive(CustomResource)]`.
pub(crate) const KIND: &str = "kind";

const fn key(
    name: &'static str,
    on: &'static str,
    forms: &'static str,
    sets: &'static str,
    does: &'static str,
) -> Key {
    Key { name, on, forms, sets, does }
}

/// The keys, by name.
#[rustfmt::skip]
pub(crate) const KEYS: &[Key] = &[
    key("allow", "kind, type, field", r#"allow(LINT, reason = "WHY")"#, "", "Keeps `crd lint` from reporting it (repeatable)"),
    key("annotation", KIND, r#"annotation("KEY", "VALUE")"#, "metadata.annotations", "Adds an annotation to the CRD (repeatable)"),
    key("apply", "kind, type", r#"apply; apply(keys(".."), derive(..)); apply(whole)"#, "", "Generates an apply configuration for server-side apply"),
    key("at_least_one_of", "type, field, variant, element", r#"at_least_one_of("FIELD", ..)"#, "x-kubernetes-validations", "Requires at least one of these fields (repeatable)"),
    key("at_most_one_of", "type, field, variant, element", r#"at_most_one_of("FIELD", ..)"#, "x-kubernetes-validations", "Allows at most one of these fields (repeatable)"),
    key("attr", KIND, "attr(ATTRIBUTE)", "", "Adds an attribute to the generated root type (repeatable)"),
    key("bound", "generic type", r#"bound = "T: BOUND, ..""#, "", "Replaces the bounds of the generated impls"),
    key("category", KIND, r#"category = "NAME""#, "spec.names.categories", "Adds the kind to a category such as `all` (repeatable)"),
    key("cluster", KIND, "cluster", "spec.scope", "Makes objects cluster-scoped"),
    key("conversion", KIND, r#"conversion(webhook(service(..) or url = "..", ..))"#, "spec.conversion", "Converts between versions with a webhook"),
    key("crate", "kind, type", "crate = PATH", "", "Sets the path of crd-runtime in the generated code"),
    key("default", "type, field", "default = VALUE; default", "default", "Sets the value that the server fills in"),
    key("defaults", "kind, type", "defaults = MODULE", "", "Takes `crate`, `group` and `kubernetes` from a module"),
    key("deprecated", KIND, r#"deprecated; deprecated = "WARNING""#, "deprecated, deprecationWarning", "Warns clients of this version"),
    key("derive", KIND, "derive(TRAIT, ..)", "", "Adds derives to the generated root type"),
    key("description", "type, field, variant, element", r#"description = "TEXT""#, "description", "Replaces the doc comment"),
    key("embedded_resource", "type, field, variant, element", "embedded_resource", "x-kubernetes-embedded-resource", "Holds a whole Kubernetes object"),
    key("enum_values", "type, field, variant, element", "enum_values(VALUE, ..)", "enum", "Allows only these values"),
    key("exactly_one_of", "type, field, variant, element", r#"exactly_one_of("FIELD", ..)"#, "x-kubernetes-validations", "Requires exactly one of these fields (repeatable)"),
    key("example", "type, field, variant, element", "example = VALUE", "example", "Shows a value in the documentation"),
    key("exclusive_maximum", "type, field, variant, element", "exclusive_maximum", "exclusiveMaximum", "Excludes `maximum` itself"),
    key("exclusive_minimum", "type, field, variant, element", "exclusive_minimum", "exclusiveMinimum", "Excludes `minimum` itself"),
    key("external_docs", "type, field, variant, element", r#"external_docs(url = "URL", description = "TEXT")"#, "externalDocs", "Links to a page about the value"),
    key("fields", KIND, "fields = false", "", "Omits the function `fields()` of the root type"),
    key("format", "type, field, variant, element", r#"format = "NAME""#, "format", "Checks a format such as `uuid`"),
    key("group", KIND, r#"group = "GROUP"; group = CONSTANT"#, "spec.group", "Sets the API group (required)"),
    key("immutable", "type, field, variant, element", "immutable", "x-kubernetes-validations", "Forbids changes after creation"),
    key("int_or_string", "type, field, variant, element", "int_or_string", "x-kubernetes-int-or-string", "Accepts integers and strings"),
    key("items", "type, field, variant, element", "items(KEY, ..)", "items", "Constrains the elements of a list"),
    key("json_schema", "kind, type", "json_schema = false", "", "Omits the impl of schemars' `JsonSchema`"),
    key("kind", KIND, r#"kind = "KIND""#, "spec.names.kind", "Sets the kind (required)"),
    key("kubernetes", KIND, r#"kubernetes = "1.MINOR"; kubernetes = CONSTANT"#, "", "Sets the oldest Kubernetes version to support"),
    key("label", KIND, r#"label("KEY", "VALUE")"#, "metadata.labels", "Adds a label to the CRD (repeatable)"),
    key("list_kind", KIND, r#"list_kind = "KIND""#, "spec.names.listKind", "Sets the kind of lists"),
    key("list_map_keys", "type, field, variant, element", r#"list_map_keys("FIELD", ..)"#, "x-kubernetes-list-map-keys", "Names the fields that identify an item"),
    key("list_type", "type, field, variant, element", r#"list_type = "atomic", "set" or "map""#, "x-kubernetes-list-type", "Chooses how server-side apply merges the list"),
    key("map_type", "type, field, variant, element", r#"map_type = "atomic" or "granular""#, "x-kubernetes-map-type", "Chooses whether server-side apply replaces the object"),
    key("max_items", "type, field, variant, element", "max_items = N", "maxItems", "Limits the number of elements"),
    key("max_length", "type, field, variant, element", "max_length = N", "maxLength", "Limits the length of a string"),
    key("max_properties", "type, field, variant, element", "max_properties = N", "maxProperties", "Limits the number of entries of a map"),
    key("maximum", "type, field, variant, element", "maximum = NUMBER", "maximum", "Limits a number from above"),
    key("min_items", "type, field, variant, element", "min_items = N", "minItems", "Requires a number of elements"),
    key("min_length", "type, field, variant, element", "min_length = N", "minLength", "Requires a length of a string"),
    key("min_properties", "type, field, variant, element", "min_properties = N", "minProperties", "Requires a number of entries of a map"),
    key("minimum", "type, field, variant, element", "minimum = NUMBER", "minimum", "Limits a number from below"),
    key("multiple_of", "type, field, variant, element", "multiple_of = NUMBER", "multipleOf", "Allows only multiples of a number"),
    key("namespaced", KIND, "namespaced", "spec.scope", "Makes objects namespaced"),
    key("nullable", "type, field, variant, element", "nullable; nullable = false", "nullable", "Stores `null`"),
    key("optional", "field", "optional", "required", "Admits objects without the field"),
    key("patch", "type, field, variant, element", "patch = json!({..})", "", "Merges JSON into the schema, where no key says it"),
    key("pattern", "type, field, variant, element", r#"pattern = "REGEX""#, "pattern", "Requires a match of a regular expression"),
    key("plural", KIND, r#"plural = "NAME""#, "spec.names.plural", "Sets the name of the resource"),
    key("preserve_unknown_fields", "type, field, variant, element", "preserve_unknown_fields", "x-kubernetes-preserve-unknown-fields", "Keeps fields that the schema does not have"),
    key("print_column", "kind, field", r#"print_column; print_column(name = "..", type = "..", path = "..", ..)"#, "additionalPrinterColumns", "Adds a column to `kubectl get` (repeatable)"),
    key("recursive", "field", "recursive", "x-kubernetes-preserve-unknown-fields", "Ends the schema of a recursive type"),
    key("required", "field", "required", "required", "Rejects objects without the field"),
    key("root", KIND, "root = NAME", "", "Names the generated root type"),
    key("root_description", KIND, r#"root_description = "TEXT""#, "description", "Describes the whole object"),
    key("root_rule", KIND, r#"root_rule("EXPRESSION", ..)"#, "x-kubernetes-validations", "Adds a CEL rule for the whole object (repeatable)"),
    key("rule", "type, field, variant, element", r#"rule("EXPRESSION", message = "..", ..)"#, "x-kubernetes-validations", "Adds a CEL rule (repeatable)"),
    key("scale", KIND, r#"scale(spec = "PATH", status = "PATH", selector = "PATH", ..)"#, "subresources.scale", "Adds the scale subresource"),
    key("schema", KIND, r#"schema = "disabled""#, "", "Omits schema and definition of a kind that is not yours"),
    key("schema_as", "type, field", "schema_as = TYPE", "", "Takes the schema of another type"),
    key("schema_with", "type, field, variant", "schema_with = FUNCTION; schema_with", "", "Takes the schema from a function"),
    key("selectable", "kind, field", r#"selectable; selectable("PATH")"#, "selectableFields", "Allows field selectors (repeatable)"),
    key("served", KIND, "served = false", "versions[].served", "Stops serving this version"),
    key("short_name", KIND, r#"short_name = "NAME""#, "spec.names.shortNames", "Adds a short name for `kubectl` (repeatable)"),
    key("singular", KIND, r#"singular = "NAME""#, "spec.names.singular", "Sets the singular name"),
    key("status", KIND, "status = TYPE; status; status(TYPE, schema_with = FUNCTION)", "subresources.status", "Adds a status and its subresource"),
    key("storage", KIND, "storage = false", "versions[].storage", "Makes another version the stored one"),
    key("test", KIND, "test = false", "", "Omits the test of the definition"),
    key("title", "type, field, variant, element", r#"title = "TEXT""#, "title", "Sets a title for documentation tools"),
    key("unchecked", "type, field, variant, element", r#"unchecked("WHY")"#, "", "Keeps what the derive rejects by judgement"),
    key("unique_items", "type, field, variant, element", "unique_items", "", r#"Is a compile error, use `list_type = "set"`"#),
    key("values", "type, field, variant, element", "values(KEY, ..)", "additionalProperties", "Constrains the values of a map"),
    key("version", KIND, r#"version = "VERSION""#, "versions[].name", "Sets the API version (required)"),
];

/// Returns the items that a key can be on; `None` if there is no such key.
pub(crate) fn place(name: &str) -> Option<&'static str> {
    KEYS.iter().find(|key| key.name == name).map(|key| key.on)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fmt::Write as _;
    use std::path::Path;

    use super::*;

    /// The structs of the grammar, and the items that have their keys. The keys of `Constraints` are on parts of
    /// schemas, some of them not on all.
    const STRUCTS: [(&str, &[&str]); 5] = [
        ("KindAttrs", &["kind"]),
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
                        "constraints" | "function" | "schema_of_module" => continue,
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
        assert!(KEYS.is_sorted_by(|one, next| one.name < next.name));
        let names: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
        assert_eq!(names, grammar.keys().map(String::as_str).collect::<Vec<_>>());
        for key in KEYS {
            for item in key.on.split(", ") {
                assert!(grammar[key.name].contains(item), "{} is not on a {item}", key.name);
            }
        }
    }

    fn code(text: &str) -> String {
        format!("`{text}`")
    }

    /// Returns the line below the heading of a key: its forms, where it can be, and what it sets.
    fn summary(key: &Key) -> String {
        let forms: Vec<String> =
            key.forms.split("; ").map(|form| code(&format!("#[crd({form})]"))).collect();
        let mut line = format!("{} on a {}", forms.join(", "), key.on);
        if let Some((before, last)) = key.on.rsplit_once(", ") {
            line = format!("{} on a {before} or {last}", forms.join(", "));
        }
        match key.sets {
            "" => {}
            sets => {
                let sets = sets.split(", ").map(code).collect::<Vec<_>>().join(" and ");
                write!(line, ", for {sets}").expect("a text");
            }
        }
        format!("{line}. {}.", key.does)
    }

    /// Returns the page with the generated lines: the table of keys, and a line below each key's heading.
    fn with_generated_lines(page: &str) -> String {
        let mut out = String::new();
        let mut lines = page.lines().peekable();
        while let Some(line) = lines.next() {
            let _ = writeln!(out, "{line}");
            if line == "<!-- keys -->" {
                while lines.next_if(|line| *line != "<!-- /keys -->").is_some() {}
                out += "\n| key | on | sets | what it does |\n|---|---|---|---|\n";
                for Key { name, on, sets, does, .. } in KEYS {
                    let sets = if sets.is_empty() { String::new() } else { code(sets) };
                    let _ = writeln!(out, "| [`{name}`](#{name}) | {on} | {sets} | {does} |");
                }
                out.push('\n');
            } else if let Some(key) = line.strip_prefix("### `").and_then(|it| it.strip_suffix('`'))
            {
                let key = KEYS.iter().find(|it| it.name == key);
                let key = key.unwrap_or_else(|| panic!("{line} is not a key"));
                while lines.next_if(|line| line.is_empty() || line.starts_with("`#[crd(")).is_some()
                {
                }
                let _ = writeln!(out, "\n{}\n", summary(key));
            }
        }
        out
    }

    #[test]
    fn the_page_has_the_table_and_a_heading_for_each_key() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("attributes.md");
        // Git may have checked the file out with CRLF.
        let page = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
        let want = with_generated_lines(&page);
        if std::env::var_os("BLESS").is_some_and(|what| what == "attributes") {
            return std::fs::write(&path, want).unwrap();
        }
        assert!(page == want, "`BLESS=attributes cargo test -p crd-derive --lib` writes it anew");
        let headings =
            page.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'));
        let headings: BTreeSet<&str> = headings.collect();
        assert_eq!(headings, KEYS.iter().map(|key| key.name).collect());
    }
}
