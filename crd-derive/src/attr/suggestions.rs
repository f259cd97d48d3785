//! Keys of other derives, and what to write instead.

use crd_cel::compile_time::distance;

/// The largest number of edits between a misspelled key and the intended one.
const MAX_EDITS: usize = 2;
/// The shortest key for which edits are counted, in bytes; a shorter one must match exactly.
const LONG: usize = 5;

/// Keys of kube's derive, schemars, garde and Kubebuilder, each with what to write.
const SUGGESTIONS: &[(&str, &str)] = &[
    ("crates", "`crate = ::path::to::crd_runtime`"),
    ("custom", "`rule(\"..\")`"),
    ("doc", "a doc comment, or `description = \"..\"`"),
    ("email", "`format = \"email\"`"),
    ("enum", "`enum_values(\"a\", \"b\")`, or an enum of Rust"),
    (
        "extend",
        "`rule(\"..\")` for `x-kubernetes-validations`, `list_type`, `map_type` and the like for other extensions",
    ),
    ("field_path", "`rule(\"..\", field_path = \"..\")`"),
    ("ip", "`format = \"ipv4\"`, or a field of type `IpAddr`"),
    ("json_path", "`path = \"..\"`"),
    ("length", "`min_length` and `max_length` on strings, `min_items` and `max_items` on lists"),
    ("max", "`maximum = 9`"),
    ("merge_strategy", "`list_type = \"..\"` or `map_type = \"..\"`"),
    ("message", "`rule(\"..\", message = \"..\")`"),
    ("message_expression", "`rule(\"..\", message_expression = \"..\")`"),
    ("min", "`minimum = 1`"),
    ("no_spec", "fields `metadata: ObjectMeta` and `#[serde(flatten)] type_meta: TypeMeta<Self>`"),
    ("optional_old_self", "`rule(\"..\", optional_old_self)`"),
    ("printcolumn", "`print_column(..)`"),
    ("range", "`minimum = 1, maximum = 9`"),
    ("reason", "`rule(\"..\", reason = \"..\")`"),
    ("regex", "`pattern = \"..\"`"),
    ("rename", "`#[serde(rename = \"..\")]`"),
    ("rename_all", "`#[serde(rename_all = \"..\")]`"),
    (
        "schema",
        "`schema = \"disabled\"` for a kind that is not yours, `schema_with = path::to::function` on the field, or \
         `root_rule(\"..\")` for a rule of the whole object",
    ),
    ("scope", "`namespaced` or `cluster`"),
    ("shortname", "`short_name = \"..\"`"),
    ("skip", "`#[serde(skip)]`"),
    ("struct_name", "`root = Name`"),
    ("url", "`format = \"uri\"`"),
    ("validate", "`rule(\"..\")`"),
    ("validation", "`rule(\"..\")`"),
    ("with", "`schema_as = Type`"),
];

/// Returns the error for an unknown key that is a key of another derive, such as `length`.
///
/// A misspelled one, such as `lenght`, counts too unless `only_exact`, which is set if darling has
/// found a similar key of this derive, and for keys in the attribute of another derive.
pub(super) fn suggestion(key: &str, only_exact: bool) -> Option<String> {
    let near = |entry: &&(&str, &str)| {
        entry.0 == key
            || (key.len() >= LONG
                && entry.0.len() >= LONG
                && distance(key.as_bytes(), entry.0.as_bytes()) <= MAX_EDITS)
    };
    let exact = SUGGESTIONS.iter().find(|entry| entry.0 == key);
    let (_, instead) = exact.or_else(|| SUGGESTIONS.iter().find(near).filter(|_| !only_exact))?;
    Some(format!("unknown key `{key}`; write {instead}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_other_derives_and_misspellings_have_suggestions() {
        let message = suggestion("validation", false).unwrap_or_default();
        assert_eq!(message, "unknown key `validation`; write `rule(\"..\")`");
        assert!(suggestion("lenght", false).is_some_and(|text| text.contains("`max_length`")));
        assert_eq!(suggestion("colour", false), None);
        // A short word is near many.
        assert_eq!(suggestion("rang", false), None);
        // darling's `Did you mean short_name?` names the key already.
        assert_eq!(suggestion("short_nam", true), None);
    }

    #[test]
    fn suggestions_are_sorted() {
        assert!(SUGGESTIONS.is_sorted_by(|(one, _), (next, _)| one < next));
    }
}
