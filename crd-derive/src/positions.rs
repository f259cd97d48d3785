//! Every key of `#[crd(..)]` in every position: it changes what is emitted, or it is an error at its token.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::DeriveInput;

use crate::attr::Derive;

/// Keys as they are written, each with a type that it applies to.
const KEYS: &[(&str, &str)] = &[
    // Keys of any schema.
    ("title = \"t\"", "String"),
    ("description = \"d\"", "String"),
    ("example = \"e\"", "String"),
    ("external_docs(url = \"https://example.com\")", "String"),
    ("default = 1", "i32"),
    ("nullable", "Option<i32>"),
    ("minimum = 1", "i32"),
    ("maximum = 9", "i32"),
    ("exclusive_minimum, minimum = 1", "i32"),
    ("exclusive_maximum, maximum = 9", "i32"),
    ("multiple_of = 3", "i32"),
    ("min_length = 1", "String"),
    ("max_length = 9", "String"),
    ("pattern = \"p\"", "String"),
    ("format = \"date\"", "String"),
    ("min_items = 1", "Vec<String>"),
    ("max_items = 9", "Vec<String>"),
    ("unique_items", "Vec<String>"),
    ("min_properties = 1", "BTreeMap<String, String>"),
    ("max_properties = 9", "BTreeMap<String, String>"),
    ("enum_values(1, 2)", "i32"),
    ("int_or_string", "Foreign"),
    ("preserve_unknown_fields", "Foreign"),
    ("embedded_resource", "Foreign"),
    ("list_type = \"set\"", "Vec<String>"),
    ("list_map_keys(\"a\"), list_type = \"map\"", "Vec<Foreign>"),
    ("map_type = \"atomic\"", "Foreign"),
    ("rule(\"self.a == 1\")", "Foreign"),
    ("immutable", "i32"),
    ("at_most_one_of(\"a\", \"b\")", "Foreign"),
    ("exactly_one_of(\"a\", \"b\")", "Foreign"),
    ("at_least_one_of(\"a\", \"b\")", "Foreign"),
    ("schema_with = function", "Foreign"),
    ("schema_as = String", "Foreign"),
    ("unchecked(\"why\"), format = \"own\"", "String"),
    ("patch = json!({\"title\": \"t\"})", "String"),
    ("items(title = \"t\")", "Vec<String>"),
    ("values(title = \"t\")", "BTreeMap<String, String>"),
    // Keys of fields.
    ("print_column", "String"),
    ("selectable", "String"),
    ("required", "Option<String>"),
    ("optional", "Foreign"),
    ("recursive", "Vec<Foreign>"),
    // Keys of types.
    ("crate = other", "String"),
    ("defaults = crate::api", "String"),
    ("apply", "String"),
    ("bound = \"i32: Copy\"", "String"),
    ("json_schema = false", "String"),
    ("allow(phase_name, reason = \"r\")", "String"),
    // Keys of kinds.
    ("group = \"example.org\"", "String"),
    ("version = \"v2\"", "String"),
    ("kind = \"Other\"", "String"),
    ("plural = \"others\"", "String"),
    ("singular = \"other\"", "String"),
    ("list_kind = \"Others\"", "String"),
    ("short_name = \"o\"", "String"),
    ("category = \"all\"", "String"),
    ("namespaced", "String"),
    ("cluster", "String"),
    ("root = Other", "String"),
    ("status = Status", "String"),
    ("served = false", "String"),
    ("storage = false", "String"),
    ("test = false", "String"),
    ("schema = \"disabled\"", "String"),
    ("deprecated", "String"),
    ("scale(spec = \".spec.a\", status = \".status.a\")", "i32"),
    ("annotation(\"example.com/a\", \"b\")", "String"),
    ("label(\"example.com/a\", \"b\")", "String"),
    ("conversion(webhook(url = \"https://example.com\"))", "String"),
    ("root_description = \"d\"", "String"),
    ("root_rule(\"self.spec.a == '1'\")", "String"),
    ("kubernetes = \"1.30\"", "String"),
    ("derive(PartialEq)", "String"),
    ("attr(allow(dead_code))", "String"),
    ("fields = false", "String"),
];

/// The positions of a key, as items with the key `{K}` and its type `{T}`.
const POSITIONS: &[(&str, &str)] = &[
    ("a struct", "#[crd({K})] struct S { a: {T}, b: {T} }"),
    ("a newtype", "#[crd({K})] struct S({T});"),
    ("a tuple struct", "#[crd({K})] struct S({T}, {T});"),
    ("a unit struct", "#[crd({K})] struct S;"),
    ("an enum", "#[crd({K})] enum S { A { a: {T} }, B(String) }"),
    ("an enum of names", "#[crd({K})] enum S { A, B }"),
    ("a field", "struct S { #[crd({K})] a: {T}, b: {T} }"),
    ("a field that serde defaults", "struct S { #[serde(default)] #[crd({K})] a: {T} }"),
    ("a field with a function", "struct S { #[crd(schema_with = function, {K})] a: {T} }"),
    ("content of a newtype", "struct S(#[crd({K})] {T});"),
    ("a member of a tuple", "struct S({T}, #[crd({K})] {T});"),
    ("all members of a tuple", "struct S(#[crd({K})] {T}, #[crd({K})] {T});"),
    ("elements", "struct S { #[crd(items({K}))] a: Vec<{T}> }"),
    ("values", "struct S { #[crd(values({K}))] a: BTreeMap<String, {T}> }"),
    ("elements of values", "struct S { #[crd(values(items({K})))] a: BTreeMap<String, Vec<{T}>> }"),
    ("a variant without content", "enum S { #[crd({K})] A, B { b: i32 } }"),
    ("a variant with fields", "enum S { #[crd({K})] A { a: {T}, b: {T} }, B }"),
    ("a newtype variant", "enum S { #[crd({K})] A({T}), B }"),
    ("a tuple variant", "enum S { #[crd({K})] A({T}, {T}), B }"),
    ("a tagged variant", "#[serde(tag = \"t\")] enum S { #[crd({K})] A { a: {T}, b: {T} }, B }"),
    (
        "an untagged variant",
        "#[serde(untagged)] enum S { #[crd({K})] A { a: {T}, b: {T} }, B(String) }",
    ),
    ("a field of a variant", "enum S { A { #[crd({K})] a: {T} }, B }"),
    ("content of a variant", "enum S { A(#[crd({K})] {T}), B }"),
    ("a member of a variant", "enum S { A({T}, #[crd({K})] {T}), B }"),
    ("a skipped field", "struct S { #[serde(skip)] #[crd({K})] a: {T}, b: i32 }"),
    ("a skipped variant", "enum S { #[serde(skip)] #[crd({K})] A({T}), B }"),
    ("content of a skipped variant", "enum S { #[serde(skip)] A(#[crd({K})] {T}), B }"),
    ("skipped content of a variant", "enum S { A(#[serde(skip)] #[crd({K})] {T}), B }"),
    ("a variant with skipped content", "enum S { #[crd({K})] A(#[serde(skip)] {T}), B }"),
    ("a field below a function", "#[crd(schema_with = function)] struct S { #[crd({K})] a: {T} }"),
    ("content below a function", "enum S { #[crd(schema_with = function)] A(#[crd({K})] {T}), B }"),
    ("a variant with a function", "enum S { #[crd(schema_with = function, {K})] A({T}), B }"),
    ("a converted type", "#[serde(from = \"X\", into = \"X\")] #[crd({K})] struct S { a: {T} }"),
    (
        "a field of a converted type",
        "#[serde(from = \"X\", into = \"X\")] struct S { #[crd({K})] a: {T} }",
    ),
    (
        "a variant of a converted type",
        "#[serde(from = \"X\", into = \"X\")] enum S { #[crd({K})] A, B }",
    ),
    ("a flattened field", "struct S { #[serde(flatten)] #[crd({K})] a: {T}, b: i32 }"),
    ("a transparent field", "#[serde(transparent)] struct S { #[crd({K})] a: {T} }"),
    ("a field of a remote type", "#[serde(remote = \"X\")] struct S { #[crd({K})] a: {T} }"),
    (
        "a variant of a remote type",
        "#[serde(remote = \"X\")] enum S { #[crd({K})] A { a: {T}, b: {T} }, B }",
    ),
    ("a field below another type", "#[crd(schema_as = X)] struct S { #[crd({K})] a: {T} }"),
    ("a field of a generic type", "struct S<P> { #[crd({K})] a: {T}, p: P }"),
    ("a field with a raw name", "struct S { #[crd({K})] r#type: {T} }"),
    (
        "a field of an adjacent variant",
        "#[serde(tag = \"t\", content = \"c\")] enum S { A { #[crd({K})] a: {T} }, B }",
    ),
    ("a field of a tagged variant", "#[serde(tag = \"t\")] enum S { A { #[crd({K})] a: {T} }, B }"),
    ("content of a tagged variant", "#[serde(tag = \"t\")] enum S { A(#[crd({K})] {T}), B }"),
    (
        "content of an untagged variant",
        "#[serde(untagged)] enum S { A(#[crd({K})] {T}), B { b: i32 } }",
    ),
    (
        "members behind a skipped one",
        "struct S(#[serde(skip)] i32, #[crd({K})] {T}, #[crd({K})] {T});",
    ),
    ("elements of a newtype", "struct S(#[crd(items({K}))] Vec<{T}>);"),
    ("elements of a variant", "enum S { A(#[crd(items({K}))] Vec<{T}>), B }"),
    ("values of a type", "#[crd(values({K}))] struct S(BTreeMap<String, {T}>);"),
    (
        "a field of a kind of another project",
        "#[crd(group = \"example.com\", version = \"v1\", kind = \"K\", cluster, schema = \"disabled\")] \
         struct S { #[crd({K})] a: {T} }",
    ),
    (
        "a root",
        "#[crd(group = \"example.com\", version = \"v1\", kind = \"K\", {K})] \
         struct S { #[serde(flatten)] type_meta: TypeMeta<Self>, metadata: ObjectMeta, a: {T}, b: {T} }",
    ),
    (
        "a field of a root",
        "#[crd(group = \"example.com\", version = \"v1\", kind = \"K\", cluster)] \
         struct S { #[serde(flatten)] type_meta: TypeMeta<Self>, metadata: ObjectMeta, #[crd({K})] a: {T} }",
    ),
    (
        "a kind",
        "#[crd(group = \"example.com\", version = \"v1\", kind = \"K\", {K})] struct S { a: {T}, b: {T} }",
    ),
    (
        "a field of a kind",
        "#[crd(group = \"example.com\", version = \"v1\", kind = \"K\", cluster)] struct S { #[crd({K})] a: {T} }",
    ),
];

/// Returns what a derive expands to.
fn expand(item: &str, derive: Derive) -> TokenStream {
    let input: DeriveInput = syn::parse_str(item).unwrap_or_else(|error| panic!("{item}: {error}"));
    crate::expand(input, derive)
}

/// What the table of fields says of their schemas: all but their shapes and their declarations for rules.
fn without_shapes(tokens: TokenStream) -> TokenStream {
    let mut kept = TokenStream::new();
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_punct =
            |token: &TokenTree, c| matches!(token, TokenTree::Punct(it) if it.as_char() == c);
        match token {
            TokenTree::Ident(ident)
                if ident == "shape" && tokens.peek().is_some_and(|next| is_punct(next, ':')) =>
            {
                while tokens.next_if(|next| !is_punct(next, ',')).is_some() {}
            }
            TokenTree::Ident(ident) if ident == "declared" => {
                tokens.next();
            }
            TokenTree::Group(group) => {
                let inner = without_shapes(group.stream());
                kept.extend([TokenTree::Group(proc_macro2::Group::new(group.delimiter(), inner))]);
            }
            token => kept.extend([token]),
        }
    }
    kept
}

/// Collects the places of `compile_error!`, the bodies of functions with one of the names, and the table of fields.
fn walk(tokens: TokenStream, names: &[&str], errors: &mut Vec<usize>, bodies: &mut String) {
    let is_function = |ident: &Ident| names.iter().any(|name| ident == name);
    let (mut after_fn, mut after_const) = (false, false);
    let (mut inside, mut in_table) = (false, false);
    for token in tokens {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ';' => in_table = false,
            TokenTree::Ident(ident) => {
                if ident == "compile_error" {
                    errors.push(ident.span().start().column);
                }
                in_table |= after_const && (ident == "FIELDS" || ident == "__FIELDS");
                inside |= after_fn && is_function(&ident);
                after_fn = ident == "fn";
                after_const = ident == "const" || ident == "static";
            }
            TokenTree::Group(group) => {
                if inside && group.delimiter() == proc_macro2::Delimiter::Brace {
                    bodies.push_str(&group.to_string());
                    inside = false;
                } else if in_table && !names.is_empty() {
                    bodies.push_str(&without_shapes(group.stream()).to_string());
                }
                walk(group.stream(), names, errors, bodies);
            }
            _ => after_fn = false,
        }
    }
}

/// What becomes of a key.
#[derive(Debug, PartialEq)]
enum Outcome {
    /// It changes what is emitted.
    Used,
    /// It is an error at the key, or at its value.
    Rejected,
    /// It changes nothing, or the error is elsewhere.
    Lost,
}

fn outcome(key: &str, ty: &str, template: &str) -> Outcome {
    let derive = if template.contains("group = ") { Derive::Kind } else { Derive::Schema };
    // A kind has a scope, unless that is the key.
    let is_scope = ["namespaced", "cluster"].contains(&key);
    let scope = |of: &str| match template.contains("kind = \"K\", {K}") {
        true if !is_scope => format!("{of}, cluster"),
        true if of.is_empty() => if key == "cluster" { "namespaced" } else { "cluster" }.to_owned(),
        _ => of.to_owned(),
    };
    let fill = |key: &str| template.replace("{T}", ty).replace("{K}", key);
    let item = fill(&scope(key));
    // The kind has this key already.
    let name = key.split(' ').next().unwrap_or_default();
    let item = match item.find("(group = ") {
        Some(_) if ["group", "version", "kind"].contains(&name) => {
            let own = ["group = \"example.com\", ", "version = \"v1\", ", "kind = \"K\", "];
            own.iter()
                .filter(|it| it.starts_with(name))
                .fold(item.clone(), |item, own| item.replace(own, ""))
        }
        _ => item,
    };
    let without = fill(&scope("")).replace("(, ", "(").replace(", )", ")").replace(", ,", ",");
    // Keys of the schema change the schema; the others are seen in anything that is emitted.
    let of_schema =
        KEYS.iter().take_while(|(it, _)| !it.starts_with("crate")).any(|(it, _)| *it == key);
    let names: &[&str] = if of_schema { &["schema", "crd"] } else { &[] };
    let read = |item: &str| {
        let (mut errors, mut bodies) = (Vec::new(), String::new());
        let tokens = expand(item, derive);
        let all = tokens.to_string();
        walk(tokens, names, &mut errors, &mut bodies);
        (errors, if of_schema { bodies } else { all })
    };
    let (errors, emitted) = read(&item);
    let places: Vec<_> = item.match_indices(key).map(|(at, _)| at..at + key.len()).collect();
    if !errors.is_empty() {
        let is_there = errors.iter().any(|at| places.iter().any(|place| place.contains(at)));
        return if is_there { Outcome::Rejected } else { Outcome::Lost };
    }
    let (_, before) = read(&without);
    if emitted == before { Outcome::Lost } else { Outcome::Used }
}

#[test]
fn every_key_is_used_or_rejected_in_every_position() {
    let mut lost = Vec::new();
    for (key, ty) in KEYS {
        for (position, template) in POSITIONS {
            // These only confirm what holds anyway: serde has a default, and a type without parts is applied as a whole.
            let confirms = (*key == "optional" && *position == "a field that serde defaults")
                || *key == "apply";
            if !confirms && outcome(key, ty, template) == Outcome::Lost {
                lost.push(format!("{key} on {position}"));
            }
        }
    }
    assert!(lost.is_empty(), "{} keys are lost:\n{}", lost.len(), lost.join("\n"));
}

#[test]
fn every_key_has_a_position_in_which_it_is_used() {
    for (key, ty) in KEYS {
        let is_used = |(_, template): &(&str, &str)| outcome(key, ty, template) == Outcome::Used;
        // The server rejects `uniqueItems: true`.
        assert!(*key == "unique_items" || POSITIONS.iter().any(is_used), "{key}");
    }
}

#[test]
fn every_key_is_tested() {
    let tested: BTreeSet<_> =
        KEYS.iter().filter_map(|(key, _)| key.split([' ', '(', ',']).next()).collect();
    let headings = include_str!("../attributes.md").lines();
    let headings: BTreeSet<_> =
        headings.filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`')).collect();
    assert_eq!(tested, headings);
}

/// Returns the item of a position, in the words of the table of keys.
fn item_of(position: &str) -> &'static str {
    match position {
        "a kind" | "a root" => "kind",
        "a struct" | "a newtype" | "a tuple struct" | "a unit struct" | "an enum"
        | "an enum of names" | "a converted type" => "type",
        "elements"
        | "values"
        | "elements of values"
        | "elements of a newtype"
        | "elements of a variant"
        | "values of a type" => "element",
        "a variant without content"
        | "a variant with fields"
        | "a newtype variant"
        | "a tuple variant"
        | "a tagged variant"
        | "a variant of a remote type"
        | "an untagged variant" => "variant",
        _ => "field",
    }
}

/// The table names for each key the items on which it is used. The server rejects `uniqueItems: true`, and columns and
/// selectable paths have another form on a kind.
#[test]
fn the_table_has_the_items_on_which_a_key_is_used() {
    let mut off = Vec::new();
    for (written, ty) in KEYS {
        let name = written.split([' ', '(', ',']).next().unwrap_or_default();
        let on = crate::attr::place(name).expect("a key");
        let mut used: BTreeSet<_> = POSITIONS
            .iter()
            .filter(|(_, template)| outcome(written, ty, template) == Outcome::Used)
            .map(|(position, _)| item_of(position))
            .collect();
        match name {
            "unique_items" => continue,
            "print_column" | "selectable" => drop(used.insert("kind")),
            // The struct of a spec is a type too.
            _ if used.contains("type") && !on.starts_with("kind") => drop(used.remove("kind")),
            _ => {}
        }
        let table: BTreeSet<_> =
            on.split(", ").map(|item| item.trim_start_matches("generic ")).collect();
        if used != table {
            off.push(format!("{name}: used on {used:?}, in the table {table:?}"));
        }
    }
    assert!(off.is_empty(), "{}", off.join("\n"));
}
