//! Compares the errors that the derives write for the files of both directories `tests/ui/fail` with those of rustc, which
//! are beside each file. rustc takes minutes for the files, and this seconds; errors of constants, which rustc
//! evaluates, are not seen here.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use syn::{DeriveInput, Item};

use crate::attr::Derive;

/// The directories, and the least number of files in each that have errors of the derives.
const DIRECTORIES: [(&str, usize); 2] = [("tests/ui/fail", 25), ("../tests/ui/fail", 130)];

/// Returns the derives of an item.
fn derives(item: &DeriveInput) -> Vec<Derive> {
    let mut found = Vec::new();
    for attr in item.attrs.iter().filter(|attr| attr.path().is_ident("derive")) {
        // Errors of the list itself are rustc's.
        let _ = attr.parse_nested_meta(|meta| {
            match meta.path.segments.last() {
                Some(last) if last.ident == "CustomResource" => found.push(Derive::Kind),
                Some(last) if last.ident == "CrdSchema" => found.push(Derive::Schema),
                _ => {}
            }
            Ok(())
        });
    }
    found
}

/// Adds the texts of `compile_error!`, with single blanks.
fn collect(tokens: TokenStream, errors: &mut BTreeSet<String>) {
    let mut after = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => after = ident == "compile_error",
            TokenTree::Group(group) if after => {
                after = false;
                let text: syn::LitStr = syn::parse2(group.stream()).expect("a text");
                errors.insert(single_blanks(&text.value()));
            }
            TokenTree::Group(group) => collect(group.stream(), errors),
            _ => {}
        }
    }
}

fn single_blanks(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the errors that the derives write for the items of a file.
fn written(items: &[Item]) -> BTreeSet<String> {
    let mut errors = BTreeSet::new();
    for item in items {
        let inner = match item {
            Item::Mod(module) => module.content.as_ref().map_or(&[][..], |(_, items)| items),
            _ => &[],
        };
        errors.extend(written(inner));
        let Ok(input) = syn::parse2::<DeriveInput>(quote::quote!(#item)) else { continue };
        for derive in derives(&input) {
            collect(crate::expand(input.clone(), derive), &mut errors);
        }
    }
    errors
}

/// Returns the errors without a code in the output of rustc.
fn shown(output: &str) -> BTreeSet<String> {
    let (mut errors, mut text) = (BTreeSet::new(), None::<String>);
    for line in output.lines() {
        if let Some(rest) = line.strip_prefix("error: ") {
            text = Some(rest.to_owned());
        } else if line.trim_start().starts_with("--> ") {
            // A file may make errors of warnings, which the derives cause by deprecated constants.
            let text = text.take().filter(|text| !text.starts_with("use of deprecated"));
            errors.extend(text.map(|text| single_blanks(&text)));
        } else if let Some(text) = &mut text {
            text.push(' ');
            text.push_str(line);
        }
    }
    errors
}

#[test]
fn errors_are_as_shown() {
    let mut wrong = Vec::new();
    for (directory, least) in DIRECTORIES {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join(directory);
        let mut with_errors = 0;
        for entry in fs::read_dir(&directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let source = fs::read_to_string(&path).expect("a file");
            let Ok(file) = syn::parse_file(&source) else { continue };
            // Only rustc can tell where a file is that a rule includes.
            if source.contains("include_str!") {
                continue;
            }
            let output = fs::read_to_string(path.with_extension("stderr")).unwrap_or_default();
            let (written, shown) = (written(&file.items), shown(&output));
            with_errors += usize::from(!written.is_empty());
            for error in written.symmetric_difference(&shown) {
                let by = if written.contains(error) { "derive" } else { "rustc" };
                wrong.push(format!("{}: only {by}: {error}", path.display()));
            }
        }
        assert!(with_errors >= least, "{with_errors} in {}", directory.display());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the items that a text has, and what the derives make of them.
fn expansion(source: &str) -> String {
    let file = syn::parse_file(source).expect(source);
    let expanded = file.items.iter().map(|item| {
        let input: DeriveInput = syn::parse_quote!(#item);
        let derive = derives(&input)[0];
        crate::expand(input, derive).to_string()
    });
    expanded.collect()
}

/// Checks the errors of a type against parts of them.
#[track_caller]
fn check(source: &str, want: &[&str]) {
    let got = written(&syn::parse_file(source).expect(source).items);
    let fits = got.iter().all(|error| want.iter().any(|part| error.contains(part)));
    assert!(fits && got.len() == want.len(), "{source}\n{got:#?}");
}

#[track_caller]
fn check_field(field: &str, want: &[&str]) {
    check(&format!("#[derive(CrdSchema)] struct A {{ {field} }}"), want);
}

#[track_caller]
fn check_kind(keys: &str, want: &[&str]) {
    let names = r#"group = "example.com", version = "v1", kind = "A", namespaced"#;
    check(
        &format!("#[derive(CustomResource)] #[crd({names}, {keys})] struct ASpec {{ a: String }}"),
        want,
    );
}

#[test]
fn selectable_paths_may_be_named_and_need_a_minor_version() {
    check_kind(r#"selectable(path = ".spec.a")"#, &[]);
    check_kind(r#"kubernetes = "1.31", selectable(".spec.a")"#, &[]);
    check_kind(r#"kubernetes = "1.30", selectable(".spec.a")"#, &["needs Kubernetes 1.31"]);
}

#[test]
fn urls_of_webhooks_have_no_user_query_or_fragment() {
    let check = |url: &str, want: &[&str]| {
        check_kind(&format!("conversion(webhook(url = {url:?}))"), want);
    };
    check("https://a/b", &[]);
    for url in ["https://a?b", "https://a/b#c", "https://a@b/c"] {
        check(url, &["cannot have a user, query or fragment"]);
    }
    check("https://", &["`url` must be"]);
    check("http://a", &["`url` must be"]);
}

#[test]
fn keys_apply_to_types() {
    check_field("#[crd(preserve_unknown_fields)] a: Vec<String>", &["applies only to objects"]);
    check_field("#[crd(preserve_unknown_fields)] a: Vec<Vec<B>>", &[]);
    check_field(r#"#[crd(format = "double")] a: i32"#, &[]);
    check_field(r#"#[crd(format = "double")] a: String"#, &["applies only to numbers"]);
    check_field(r#"#[crd(format = "date")] a: i32"#, &["applies only to strings"]);
}

#[test]
fn keys_beside_a_schema_of_a_function_are_not_about_the_type_in_rust() {
    let variant = |keys| {
        format!(
            "#[derive(CrdSchema)] enum A {{ #[crd(list_type = \"atomic\"{keys})] A(i32), B(String) }}"
        )
    };
    check(&variant(""), &["`list_type` applies only to lists"]);
    check(&variant(", schema_with = list"), &[]);
}

#[test]
fn defaults_of_skipped_fields_are_what_serde_reads() {
    let replaced = "the server would replace a value that `skip_serializing_if` omits";
    let skipped = |serde: &str, default: &str, ty: &str, want: &[&str]| {
        check_field(&format!("#[serde({serde})] #[crd(default = {default})] a: {ty}"), want);
    };
    skipped(r#"default, skip_serializing_if = "is_zero""#, "5", "i32", &[replaced]);
    skipped(r#"default, skip_serializing_if = "is_zero""#, "0", "i32", &[]);
    skipped(r#"default, skip_serializing_if = "Option::is_none""#, "5", "Option<i32>", &[]);
    skipped(r#"default, skip_serializing_if = "Vec::is_empty""#, "[]", "Vec<i32>", &[]);
    skipped(r#"default, skip_serializing_if = "Vec::is_empty""#, "[1]", "Vec<i32>", &[replaced]);
    let function = r#"default = "five", skip_serializing_if = "is_five""#;
    skipped(function, "five()", "i32", &[]);
    skipped(function, "six()", "i32", &["serde omits the value of `five`"]);
    skipped(function, "five(1)", "i32", &["serde omits the value of `five`"]);
}

#[test]
fn an_apply_configuration_is_there_in_spite_of_errors() {
    let apply = |name: &str, generics: &str, keys: &str| {
        let names = r#"group = "example.com", version = "v1", namespaced, plural = "A""#;
        let text = format!(
            "#[derive(CustomResource)] #[crd({names}, kind = \"{name}\"{keys})]
             struct ASpec{generics} {{ a: u8 }}"
        );
        let text = expansion(&text);
        assert!(text.contains("compile_error"), "{text}");
        // Without `apply`, the type is applied as a whole.
        assert_eq!(text.matches("IntoApply for").count(), 1, "{text}");
        text.contains("struct ASpecApply")
    };
    assert!(apply("A", "", ", apply"));
    assert!(!apply("A", "", ""));
    assert!(!apply("ASpec", "", ", apply"));
    assert!(!apply("A", "<'a>", ", apply"));
}

/// Checks the errors of each item of a table.
#[track_caller]
fn check_all(cases: &[(&str, &[&str])]) {
    for (source, want) in cases {
        check(source, want);
    }
}

/// Checks the errors of each field of a table.
#[track_caller]
fn check_fields(cases: &[(&str, &[&str])]) {
    for (field, want) in cases {
        check_field(field, want);
    }
}

/// Checks the errors of a kind with all of these keys.
#[track_caller]
fn check_names(keys: &str, want: &[&str]) {
    check(&format!("#[derive(CustomResource)] #[crd({keys})] struct ASpec {{ a: String }}"), want);
}

/// Checks that the first error of an item is at a text.
#[track_caller]
fn check_place(source: &str, text: &str) {
    let item: DeriveInput = syn::parse_str(source).expect(source);
    let derive = derives(&item)[0];
    let tokens = crate::expand(item, derive);
    let place = tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) if ident == "compile_error" => Some(ident.span().start()),
        _ => None,
    });
    let place = place.expect("an error");
    let line = source.lines().nth(place.line - 1).unwrap_or_default();
    let at = &line[place.column..];
    assert!(at.starts_with(text), "{source}\nat {at}");
}

#[test]
fn bounds_of_integers_leave_a_value() {
    check_fields(&[
        (
            "#[crd(minimum = 1, maximum = 2, exclusive_minimum, exclusive_maximum)] a: i32",
            &["there is no integer between"],
        ),
        ("#[crd(minimum = 1, maximum = 2, exclusive_minimum, exclusive_maximum)] a: f64", &[]),
        ("#[crd(minimum = 1, maximum = 3, exclusive_minimum, exclusive_maximum)] a: i32", &[]),
        ("#[crd(minimum = 1, maximum = 2, exclusive_minimum)] a: i32", &[]),
        ("#[crd(minimum = 1, maximum = 2, exclusive_maximum)] a: i32", &[]),
        ("#[crd(nullable)] a: i32", &["make it an `Option`"]),
        ("#[crd(nullable = false)] a: i32", &[]),
    ]);
}

#[test]
fn objects_of_kubernetes_are_embedded_where_objects_are() {
    let needs = "`embedded_resource` needs an object";
    check_fields(&[
        ("#[crd(embedded_resource)] a: BTreeMap<String, Foreign>", &[]),
        ("#[crd(embedded_resource)] a: BTreeMap<String, String>", &[needs]),
    ]);
    let names = r#"#[serde(rename = "apiVersion")] version: String, kind: String, metadata: M"#;
    let of_struct = |fields: &str, want: &[&str]| {
        check(
            &format!("#[derive(CrdSchema)] #[crd(embedded_resource)] struct A {{ {fields} }}"),
            want,
        );
    };
    of_struct(names, &[]);
    of_struct("a: i32", &["this type has no field `apiVersion`"]);
    of_struct(r#"#[serde(rename = "apiVersion")] a: String"#, &["this type has no field `kind`"]);
    of_struct("#[serde(flatten)] a: Foreign", &[]);
    let of_variant = |fields: &str, want: &[&str]| {
        check(
            &format!(
                "#[derive(CrdSchema)] enum A {{ #[crd(embedded_resource)] B {{ {fields} }}, C }}"
            ),
            want,
        );
    };
    of_variant(names, &[]);
    of_variant("a: i32", &["this variant has no field `apiVersion`"]);
    of_variant(
        r#"#[serde(rename = "apiVersion")] a: String"#,
        &["this variant has no field `kind`"],
    );
}

#[test]
fn a_struct_with_metadata_is_a_root() {
    let root = |keys: &str, fields: &str, want: &[&str]| {
        let names = r#"group = "example.com", version = "v1", kind = "A", namespaced"#;
        check(
            &format!(
                "#[derive(CustomResource)] #[crd({names}{keys})] struct A {{ metadata: ObjectMeta, {fields} }}"
            ),
            want,
        );
    };
    let no_type = "but no `apiVersion` and `kind`";
    let type_meta = "#[serde(flatten)] type_meta: TypeMeta<Self>";
    root("", "a: Foreign", &[no_type]);
    root("", r#"#[serde(rename = "apiVersion")] a: String"#, &[no_type]);
    root("", type_meta, &[]);
    root("", "#[serde(flatten)] a: Foreign", &[]);
    root("", &format!("{type_meta}, a: Vec<String>"), &[]);
    root("", &format!("{type_meta}, items: Foreign"), &[]);
    let own = r#"#[serde(rename = "apiVersion")] version: String, kind: String"#;
    root(r#", rule("self.metadata.name == 'a'")"#, own, &[]);
    root("", &format!("{type_meta}, items: Vec<String>"), &["`items` of a root type"]);
    check(
        r#"#[derive(CustomResource)]
           #[crd(group = "example.com", version = "v1", kind = "A", namespaced, root = B)]
           struct A { metadata: ObjectMeta }"#,
        &[],
    );
    let status = |ty: &str, want: &[&str]| {
        root(", status = Status", &format!("{type_meta}, status: {ty}"), want);
    };
    status("Option<Status>", &[]);
    status("Status", &["`status` cannot be required"]);
    status("String", &["`status` cannot be required"]);
    status("Foreign", &[]);
}

#[test]
fn warnings_of_versions_are_short() {
    let warning = |length| format!("deprecated = {:?}", "a".repeat(length));
    check_kind(&warning(256), &[]);
    check_kind(&warning(257), &["longer than 256 bytes"]);
    check_kind(r#"deprecated = "a\nb""#, &["control character"]);
}

#[test]
fn labels_and_annotations_have_names() {
    let (key, value) = ("a key must be at most", "a label value must be at most");
    for (keys, want) in [
        (r#"label("example.com/a", "b")"#, &[][..]),
        (r#"label("Example.com/a", "b")"#, &[key]),
        (r#"label("example.com/-", "b")"#, &[key]),
        (r#"label("a", "")"#, &[]),
        (r#"label("a", "-")"#, &[value]),
        (r#"annotation("Example.com/a", "-")"#, &[]),
    ] {
        check_kind(keys, want);
    }
    let approved = |value: &str, want: &[&str]| {
        check_names(
            &format!(
                "group = \"a.k8s.io\", version = \"v1\", kind = \"A\", namespaced, \
                 annotation(\"api-approved.kubernetes.io\", {value:?})"
            ),
            want,
        );
    };
    let must = "must be the URL of the approval";
    approved("https://a/b", &[]);
    approved("unapproved, for a test", &[]);
    approved("yes", &[must]);
    approved("https:///b", &[must]);
    approved("/b", &[must]);
}

#[test]
fn derived_names_are_short() {
    let kind = |length: usize, more: &str, want: &[&str]| {
        let kind = format!("A{}", "a".repeat(length - 1));
        let names = format!("group = \"example.com\", version = \"v1\", kind = {kind:?}");
        check_names(&format!("{names}, namespaced{more}"), want);
    };
    kind(59, "", &[]);
    kind(60, "", &["`list_kind` would be"]);
    kind(60, r#", list_kind = "L""#, &[]);
    kind(63, r#", list_kind = "L""#, &["`plural` would be"]);
    kind(63, r#", list_kind = "L", plural = "as""#, &[]);
}

#[test]
fn constraints_apply_to_the_content_of_tuples_and_variants() {
    check_all(&[
        (
            "#[derive(CrdSchema)] #[crd(min_length = 1)] struct A(i32, i32);",
            &["`min_length` applies only to strings; this is a list"],
        ),
        (
            "#[derive(CrdSchema)] enum A { #[crd(min_length = 1)] B(i32, i32), C }",
            &["`min_length` applies only to strings; this is a list"],
        ),
        (
            "#[derive(CrdSchema)] enum A { #[crd(min_length = 1)] B(i32), C }",
            &["`min_length` applies only to strings; this is an integer"],
        ),
        (
            "#[derive(CrdSchema)] enum A { #[crd(min_length = 1)] B(#[serde(with = \"m\")] \
             #[crd(schema_with = f)] i32), C }",
            &[],
        ),
        (
            "#[derive(CrdSchema)] struct A(#[crd(minimum = 1)] i32, #[crd(minimum = 2)] i32);",
            &["put `minimum` on each of them"],
        ),
        ("#[derive(CrdSchema)] struct A(#[crd(minimum = 1)] i32, #[crd(minimum = 1)] i32);", &[]),
        (
            "#[derive(CrdSchema)] struct A(#[serde(with = \"m\")] #[crd(schema_as = u8)] i32, \
             #[serde(with = \"m\")] #[crd(schema_as = u8)] i32);",
            &[],
        ),
        (
            "#[derive(CrdSchema)] struct A(#[serde(with = \"m\")] #[crd(schema_as = u8)] i32, \
             #[serde(with = \"n\")] #[crd(schema_as = u8)] i32);",
            &["convert each of them `with` the same functions"],
        ),
    ]);
    check_fields(&[
        ("#[crd(items(default = 1))] a: Vec<i32>", &["`default` applies only to fields"]),
        ("a: (i32, String)", &["serde writes a tuple as a list"]),
        ("#[crd(schema_with = f)] a: (i32, String)", &[]),
        ("a: Option<Box<A>>", &["`A` contains itself"]),
        ("#[crd(recursive)] a: Option<Box<A>>", &[]),
        ("#[crd(schema_with = f)] a: Option<Box<A>>", &[]),
        (r#"#[serde(rename = "b")] a: i32, b: i32"#, &["duplicate field `b`"]),
    ]);
}

#[test]
fn defaults_and_rules_of_variants_do_not_meet_other_variants() {
    let set = "`immutable` needs a rule on the variant";
    let of_others = "the server adds this default to objects of the other variants too";
    let of_tagged = "the server adds this default to objects of the tagged variants too";
    let untagged = |variants: &str, want: &[&str]| {
        check(&format!("#[derive(CrdSchema)] #[serde(untagged)] enum A {{ {variants} }}"), want);
    };
    untagged(r#"#[crd(rule("self.a > 0"))] B { a: i32 }"#, &[]);
    untagged(r#"#[crd(rule("self.a > 0"))] B { a: i32 }, C { c: i32 }"#, &["a rule cannot tell"]);
    untagged("B { #[crd(immutable)] b: Option<i32> }, C { c: i32 }", &[set]);
    untagged("B { #[crd(immutable)] b: Option<i32>, a: i32 }", &[]);
    untagged("B { #[crd(default = 1)] a: i32, b: Option<i32> }, C { c: i32 }", &[of_others]);
    untagged("B { #[crd(default = 1)] a: i32, b: i32 }, C { c: i32 }", &[]);
    let last = "#[serde(untagged)] C { #[serde(default)] #[crd(default = 1)] c: i32 }";
    check_all(&[
        (&format!("#[derive(CrdSchema)] enum A {{ B, {last} }}"), &[]),
        (&format!("#[derive(CrdSchema)] enum A {{ B {{ b: i32 }}, {last} }}"), &[of_tagged]),
        (
            &format!(
                "#[derive(CrdSchema)] #[serde(tag = \"t\")] enum A {{ B {{ b: i32 }}, {last} }}"
            ),
            &[],
        ),
        ("#[derive(CrdSchema)] enum A { #[crd(default = f())] B { b: i32 } }", &[]),
        (
            "#[derive(CrdSchema)] enum A { #[crd(default = f())] B { b: i32 }, C }",
            &["a variant cannot have a default"],
        ),
        (
            "#[derive(CrdSchema)] #[crd(int_or_string)] enum A { B(i32), C(String) }",
            &["only an untagged enum"],
        ),
        (
            "#[derive(CrdSchema)] #[serde(untagged)] #[crd(int_or_string)] enum A { B(i32), C(String) }",
            &[],
        ),
        (
            "#[derive(CrdSchema)] enum A { #[serde(alias = \"x\")] B { b: i32 }, C }",
            &["the server prunes an `alias`"],
        ),
        ("#[derive(CrdSchema)] enum A { #[serde(alias = \"x\")] B, C { c: i32 } }", &[]),
        (
            "#[derive(CrdSchema)] enum A { #[serde(alias = \"x\")] #[crd(unchecked(\"why\"))] \
             B { b: i32 }, C }",
            &[],
        ),
    ]);
}

#[test]
fn expressions_are_linted() {
    let rule = |expression: &str, want: &[&str]| {
        check_field(&format!("#[crd(rule({expression}))] a: i32"), want);
    };
    rule(r#""self / 0 > 1""#, &["help: the server accepts this rule"]);
    rule(r#""self / 0 > 1", unchecked("why")"#, &[]);
    rule(r#""self > 0", unchecked(" ")"#, &["must be `unchecked(\"..\")`"]);
    rule("unchecked", &["`rule` needs an expression"]);
    let clock = "rules have no clock";
    for asks in
        ["self < now", "now == now", "now() == now()", "self < now()", "[1].all(x, x < now)"]
    {
        rule(&format!("{asks:?}"), &[clock]);
    }
    rule(r#""[1].all(now, now > 0)""#, &[]);
    rule(r#""[1].all(now, now > 0) && [1].all(now, now > 0)""#, &[]);
    rule(r#"concat!("self > 0 ", "// more")"#, &[]);
    rule(r#"concat!("self > 0 // ", "more")"#, &["part of a `//` comment"]);
    let names = |rule: &str, want: &[&str]| {
        check(
            &format!(
                "#[derive(CrdSchema)] #[crd(rule({rule:?}))] struct A {{ namespace: String }}"
            ),
            want,
        );
    };
    names("self.namespace == 'a'", &[]);
    names("self.__namespace__ == 'a'", &[]);
    names("self.name == 'a'", &["the rule reads `name`"]);
}

#[test]
fn errors_are_at_the_piece_of_a_text() {
    let field = |rule: &str| {
        format!("#[derive(CrdSchema)] struct A {{ #[crd(rule({rule}, message = \"m\"))] a: i32 }}")
    };
    check_place(&field(r#"concat!("self > 0 &&\n", "&& true")"#), r#""&& true""#);
    check_place(&field(r#"concat!("self > 0 ", "&& (")"#), r#""&& (""#);
    let of_struct = r#"#[derive(CrdSchema)] #[crd(rule(concat!("self.a > 0 && ", "self.b > 0")))] struct A { a: i32 }"#;
    check_place(of_struct, r#""self.b > 0""#);
    check_place("#[derive(CrdSchema)] struct A { #[crd(nullable = 5)] a: Option<i32> }", "5)");
}

#[test]
fn defaults_of_types_are_checked() {
    let trait_default = |keys: &str, ty: &str, want: &[&str]| {
        check_field(&format!("#[serde(default)] #[crd(default, {keys})] a: {ty}"), want);
    };
    trait_default("minimum = 1", "i32", &["the default `0` is"]);
    trait_default("minimum = 1", "f64", &["the default `0.0` is"]);
    trait_default("min_length = 1", "String", &["the default `\"\"` is"]);
    trait_default("enum_values(true)", "bool", &["the default `false` is not one of"]);
    trait_default("min_items = 1", "Vec<i32>", &["the default `[]`"]);
    trait_default("min_items = 1", "[i32; 3]", &[]);
    trait_default("min_length = 1", "char", &[]);
    check_field(r#"#[serde(default = "f")] #[crd(default, minimum = 1)] a: i32"#, &[]);
    check_fields(&[
        ("#[crd(default = json!(null))] a: Foreign", &["is `null`, which is not a value"]),
        ("#[crd(default = json!({}))] a: Foreign", &[]),
        ("#[crd(default = f(), enum_values(1, 2))] a: i32", &[]),
        (r#"#[crd(default = "2020-01-01", format = "date", rule("self == 'x'"))] a: String"#, &[]),
        ("#[crd(default = 6, multiple_of = 3)] a: i32", &[]),
        ("#[crd(default = 7, multiple_of = 3)] a: i32", &["is not a multiple"]),
        ("#[crd(default = true)] a: String", &["is a boolean, but the field is a string"]),
        ("#[crd(default = [1])] a: i32", &["is a list, but the field is an integer"]),
        ("#[crd(default = 0)] a: u8", &[]),
        ("#[crd(default = 255)] a: u8", &[]),
        ("#[crd(default = 256)] a: u8", &["outside the range of the type"]),
        ("#[crd(default = -1)] a: u8", &["outside the range of the type"]),
        (
            r#"#[serde(skip_serializing_if = "Vec::is_empty")] #[crd(default = [1])] a: Vec<i32>"#,
            &["the server would replace"],
        ),
        (
            r#"#[serde(default, skip_serializing_if = "String::is_empty")] #[crd(default = "")] a: String"#,
            &[],
        ),
        (
            r#"#[serde(default, skip_serializing_if = "String::is_empty")] #[crd(default = "a")] a: String"#,
            &["the server would replace"],
        ),
    ]);
}

#[test]
fn the_schema_of_base64_is_known() {
    let with = |krate: &str, module: &str, want: &[&str]| {
        check(
            &format!(
                "#[derive(CrdSchema)] #[crd(crate = {krate})] struct A {{ #[serde(with = {module:?})] a: Vec<u8> }}"
            ),
            want,
        );
    };
    let unknown = "`with` changes what serde writes";
    with("crd_runtime", "base64", &[]);
    with("crd_runtime", "crd_runtime::base64", &[]);
    with("my::runtime", "my::runtime::base64", &[]);
    with("my::runtime", "crd_runtime::base64", &[]);
    with("my::runtime", "my::other::base64", &[unknown]);
    with("crd_runtime", "crd_runtime::hex", &[unknown]);
}

#[test]
fn serde_reads_what_it_writes() {
    let conversion = "the schema of both with `#[crd(schema_as = ";
    let with = "`with` changes what serde writes";
    check_all(&[
        (
            r#"#[derive(CrdSchema)] #[serde(tag = "t", deny_unknown_fields)] struct A { a: i32 }"#,
            &["rejects the tag `t`"],
        ),
        ("#[derive(CrdSchema)] struct A<'a> { #[serde(borrow)] a: Cow<'a, str> }", &[]),
        (
            r#"#[derive(CrdSchema)] #[serde(from = "B", into = "C")] struct A { a: i32 }"#,
            &[conversion],
        ),
        (r#"#[derive(CrdSchema)] #[serde(from = "B", into = "B")] struct A { a: i32 }"#, &[]),
        (r#"#[derive(CrdSchema)] #[serde(from = "String")] struct A(String);"#, &[]),
        (r#"#[derive(CrdSchema)] #[serde(from = "String")] struct A(i32);"#, &[conversion]),
        (r#"#[derive(CrdSchema)] #[serde(from = "String")] struct A(String, i32);"#, &[conversion]),
        (
            r#"#[derive(CrdSchema)] #[serde(from = "String")]
               struct A(#[serde(serialize_with = "f")] #[crd(schema_with = f)] String);"#,
            &[conversion],
        ),
        (
            "#[derive(CrdSchema)] struct A(#[serde(skip_serializing)] i32);",
            &[
                "serde ignores `skip` on the content of a newtype struct",
                "serde never writes this field",
            ],
        ),
        (
            "#[derive(CrdSchema)] enum A { B { #[serde(skip_serializing, default)] b: i32 }, C }",
            &[],
        ),
        (
            "#[derive(CrdSchema)] enum A { B(#[serde(skip_serializing)] i32, i32), C }",
            &["serde would read another form", "serde never writes this field"],
        ),
        (
            r#"#[derive(CrdSchema)] #[serde(from = "B", into = "B")] #[crd(schema_as = C)] struct A { a: i32 }"#,
            &[],
        ),
        (
            r#"#[derive(CrdSchema)] enum A { #[serde(serialize_with = "f")] B(i32), C }"#,
            &["`with` on a variant is not supported"],
        ),
    ]);
    check_fields(&[
        (r#"#[serde(deserialize_with = "f")] a: i32"#, &[with]),
        (r#"#[serde(serialize_with = "f")] a: i32"#, &[with]),
        (r#"#[serde(skip_serializing, default, rename(serialize = "b"))] a: i32"#, &[]),
        (r#"#[serde(skip_deserializing, alias = "b")] a: i32"#, &[]),
    ]);
    check(
        "#[derive(CrdSchema)] #[serde(field_identifier)] enum A { B, C }",
        &["types have no schema"],
    );
    let of_denying = |serde: &str| {
        expansion(&format!("#[derive(CrdSchema)] {serde} enum A {{ B {{ b: Foreign }}, C }}"))
    };
    assert_ne!(of_denying(""), of_denying("#[serde(deny_unknown_fields)]"));
    let alias = r#"#[derive(CrdSchema)] struct A { #[serde(alias = "b")] a: i32 }"#;
    check_place(alias, "alias");
}

#[test]
fn schemas_say_which_fields_may_be_absent() {
    let may_be = |field: &str| {
        let source = format!("#[derive(CrdSchema)] struct A {{ {field} }}");
        expansion(&source).contains("may_be_absent")
    };
    for absent in [
        "#[crd(schema_with = f)] a: Option<i32>",
        "#[serde(default)] a: Option<i32>",
        "#[serde(default)] a: i32",
        "#[serde(skip_deserializing)] a: i32",
        "#[crd(optional)] a: Foreign",
    ] {
        assert!(may_be(absent), "{absent}");
    }
    for present in [
        // The table takes this from the type, which need not be the `Option` of std.
        "a: Option<i32>",
        "a: i32",
        "a: Foreign",
        "#[serde(flatten, default)] a: Foreign",
        r#"#[serde(with = "m")] #[crd(schema_as = i32)] a: Option<i32>"#,
        "#[crd(required)] a: Option<i32>",
    ] {
        assert!(!may_be(present), "{present}");
    }
}

#[test]
fn the_default_of_a_type_gives_its_fields_those_of_serde() {
    let has_default = |field: &str| {
        let source = format!("#[derive(CrdSchema)] #[crd(default)] struct A {{ {field} }}");
        expansion(&source).contains("defaulted")
    };
    for field in [
        "#[serde(default)] a: i32",
        r#"#[serde(default = "f")] a: i32"#,
        r#"#[serde(default = "f", skip_serializing_if = "Option::is_none")] a: Option<i32>"#,
    ] {
        assert!(has_default(field), "{field}");
    }
    for field in [
        "a: i32",
        r#"#[serde(default, skip_serializing_if = "Option::is_none")] a: Option<i32>"#,
        r#"#[serde(default = "f")] a: Option<i32>"#,
        "#[serde(default, skip_deserializing)] a: i32",
        "#[serde(default)] #[crd(required)] a: i32",
        "#[serde(flatten, default)] a: Foreign",
    ] {
        assert!(!has_default(field), "{field}");
    }
}

#[test]
fn attributes_beside_those_of_the_derive_are_seen() {
    let has =
        |item: &str, part: &str| expansion(&format!("#[derive(CrdSchema)] {item}")).contains(part);
    assert!(has("struct A { #[crd(minimum = MIN)] a: i32 }", "constant_bound"));
    assert!(!has("struct A { #[crd(minimum = 1)] a: i32 }", "constant_bound"));
    for item in ["/// Words.\n struct A { a: i32 }", "struct A { #[doc = \"Words.\"] a: i32 }"] {
        assert!(has(item, "Words."), "{item}");
    }
    for item in [
        "struct A { #[deprecated] a: i32 }",
        "enum A { #[deprecated] B, C }",
        "enum A { B { #[deprecated] b: i32 }, C }",
    ] {
        assert!(has(item, "deprecated"), "{item}");
    }
    assert!(!has("enum A { B { b: i32 }, C }", "deprecated"));
    assert!(has("struct A { #[crd(format = \"k8s-short-name\")] a: String }", "Feature"));
    assert!(!has("struct A { #[crd(format = \"date\")] a: String }", "Feature"));
    assert!(has("enum A { #[allow(non_camel_case_types)] b, C }", "non_camel_case_types"));
    let words = |keys: &str| {
        let item = format!("#[derive(CrdSchema)] {keys} struct A {{ /// Words.\n a: i32 }}");
        expansion(&item).matches("Words.").count()
    };
    assert_eq!([words(""), words("#[crd(apply)]")], [1, 2]);
    assert!(has("#[crd(map_type = \"atomic\")] struct A { a: i32 }", "atomic : true"));
    assert!(!has("#[crd(map_type = \"granular\")] struct A { a: i32 }", "atomic : true"));
    let changes = |key: &str| {
        let rule = format!("#[serde(default)] #[crd(rule(\"self == oldSelf\"{key}))] a: i32");
        has(&format!("struct A {{ {rule} }}"), "CHANGES_ONCE")
    };
    assert_eq!([changes(""), changes(", optional_old_self")], [true, false]);
    let kind = |keys: &str| {
        let names = r#"group = "example.com", version = "v1", kind = "A", namespaced"#;
        expansion(&format!(
            "#[derive(CustomResource)] #[crd({names}{keys})] struct ASpec {{ a: i32 }}"
        ))
    };
    let selects = |keys: &str| kind(keys).contains("The selectable fields.");
    assert_eq!(
        [selects(""), selects(", fields"), selects(", fields = false")],
        [true, true, false]
    );
    assert!(kind(", status(Status, schema_with = f)").contains("replaced (\"status\""));
    let generic = "struct A<T> { a: Vec<T> }";
    let bounded = |bound: &str| {
        expansion(&format!("#[derive(CrdSchema)] #[serde(bound = {bound:?})] {generic}"))
    };
    assert_ne!(bounded(""), bounded("T: Serialize"));
}

#[test]
fn enums_of_names_are_compared_by_them() {
    let are_compared = |serde: &str, variants: &str| {
        let source = format!("#[derive(CrdSchema)] {serde} enum A {{ {variants} }}");
        expansion(&source).contains("Matches")
    };
    assert!(are_compared("", "B, C"));
    assert!(!are_compared("", "B, C { c: i32 }"));
    assert!(!are_compared("", "B, #[serde(untagged)] C"));
    assert!(!are_compared(r#"#[serde(tag = "t")]"#, "B, C"));
}

#[test]
fn webhooks_have_one_address() {
    let webhook =
        |keys: &str, want: &[&str]| check_kind(&format!("conversion(webhook({keys}))"), want);
    let service = r#"service(namespace = "a", name = "b""#;
    webhook(&format!("{service})"), &[]);
    webhook(&format!("{service}), url = \"https://a\""), &["`url` conflicts with `service`"]);
    webhook(&format!("{service}, port = 65535)"), &[]);
    webhook(&format!("{service}, port = 65536)"), &["`port` must be"]);
    webhook(&format!("{service}, port = 0)"), &["`port` must be"]);
}

#[test]
fn keys_have_one_form() {
    check_kind(r#"allow(phase_name, reason = "why")"#, &[]);
    check_kind(r#"allow(phase_name, because = "why")"#, &["must be the name of a lint"]);
    check_kind("status = <A as B>::C", &["expected a path"]);
    check_field(r#"#[crd(schema_with = "a::b")] a: Foreign"#, &[]);
    check_field(r#"#[crd(rule = Rule::new("self > 0"))] a: i32"#, &["write `rule(\"self > 0\")`"]);
    check_field(r#"#[crd(rule = Other::new("self > 0"))] a: i32"#, &["expected"]);
    check_field("#[crd(minimum = )] a: i32", &["expected"]);
    check("#[derive(CustomResource)] struct ASpec { a: i32 }", &["a kind needs `#[crd("]);
    check_names(r#"group = , version = "v1", kind = "A", namespaced"#, &["expected"]);
    check_names(
        r#"defaults = crate::api, group = "example.com", version = "v1", kind = "A", namespaced"#,
        &[],
    );
}

/// In edition 2015, a path with the span of a user's token begins in the user's crate.
#[test]
fn errors_have_no_path() {
    for source in [
        "#[derive(CrdSchema)] struct A { #[crd(minimun = 1)] a: i32 }",
        r#"#[derive(CrdSchema)] #[crd(kind = "A")] struct A { a: i32 }"#,
    ] {
        assert!(expansion(source).starts_with("compile_error ! {"), "{source}");
    }
}

#[test]
fn a_mistake_is_one_error() {
    check_names(
        r#"group = "example.com", version = "v1", kind = "A" namespaced"#,
        &["expected `,`"],
    );
    check_kind("status = Status titel = \"x\"", &["expected `,`", "Unknown field: `titel`"]);
    check_kind("derive(CustomResource)", &["always derives `CustomResource`"]);
    check_kind("status = A", &["`A` is the generated root type"]);
    check_kind(
        "apply(derive(PartialEq, ::core::clone::Clone))",
        &["every apply configuration has this derive"],
    );
    let webhook = r#"conversion(webhook(url = "https://a", review_versions("example.com")))"#;
    check_kind(webhook, &["`review_versions` takes versions"]);
    check_fields(&[
        (r#"#[crd(group = "x")] a: i32"#, &["is not allowed here; put it on a kind"]),
        (r#"#[crd(version = "x")] a: i32"#, &["put it on a kind, next to `group`"]),
        (r#"#[crd(default = {"a": 1})] a: Foreign"#, &["such as `default = json!({..})`"]),
        (r#"#[crd(patch = {"a": 1}, minimum = 1)] a: i32"#, &["such as `patch = json!({..})`"]),
        ("#[crd(enum_values(1, 1.0))] a: i32", &["the value is a number"]),
        ("#[crd(enum_values(1, 1))] a: i32", &["duplicate value"]),
        ("#[crd(maximum = 1e400)] a: f64", &["the number is too large"]),
        (
            "#[crd(minimum = 99999999999999999999999999999999999999999)] a: f64",
            &["the number is too large"],
        ),
        ("#[crd(maximum = !\"a\")] a: f64", &["expected a number literal or a constant"]),
    ]);
}
