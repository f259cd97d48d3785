//! Keys of `#[schemars(..)]`, of `#[validate(..)]` that schemars reads too, and of `#[x_kube(..)]`.

use proc_macro2::TokenTree;
use syn::{Expr, Meta, Type};

use super::keys::Key;
use super::keywords::{self, Keyword};
use super::kind::Outcome;
use super::scope::{Json, Names};
use super::source::{Source, metas, name_of};
use super::{json, rule, serde};

/// What the keys are on.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    /// The type of a field or of an element; `None` for a type or a variant.
    pub ty: Option<&'a Type>,
    pub names: &'a Names<'a>,
    pub source: &'a Source,
}

/// What a key becomes, with a remark.
pub(super) type Converted = (Outcome, Option<String>);

fn keys(key: Key) -> Converted {
    (Outcome::Keys(vec![key]), None)
}

fn dropped(why: &str) -> Converted {
    (Outcome::Keys(Vec::new()), Some(why.to_owned()))
}

fn nothing() -> Converted {
    (Outcome::Keys(Vec::new()), None)
}

fn unknown(text: impl Into<String>) -> Converted {
    (Outcome::Unknown(text.into()), None)
}

impl Target<'_> {
    /// Converts a key of `#[schemars(..)]` or `#[validate(..)]`. `default`, `schema_with` and `with` are left to the
    /// caller.
    pub(super) fn schemars(&self, meta: &Meta) -> Converted {
        let name = name_of(meta);
        match &*name {
            "title" | "description" | "bound" => match meta {
                Meta::NameValue(_) => (Outcome::Keep, None),
                _ => self.not_understood(meta),
            },
            "example" => (Outcome::Keep, None),
            "required" => keys(Key::word("required")),
            "range" => self.bounds(meta, ["minimum", "maximum"]),
            "length" => match self.length_names() {
                Some(names) => self.bounds(meta, names),
                None => unknown(format!(
                    "`{}` is on a type that is no string, list or map here; write `min_length`, `min_items` or \
                     `min_properties`, or their maxima, in `#[crd(..)]`",
                    self.source.of(meta)
                )),
            },
            "regex" | "pattern" => self.pattern(meta),
            "email" => keys(Key::value("format", "\"email\"")),
            "url" => keys(Key::value("format", "\"uri\"")),
            "ipv4" | "ipv6" => keys(Key::value("format", format_args!("\"{name}\""))),
            "inner" => self.inner(meta),
            "extend" => self.extend(meta),
            "deprecated" => {
                dropped("`deprecated` is no keyword of the server; say it in the doc comment")
            }
            "crate" | "inline" | "deny_unknown_fields" => nothing(),
            // The name of a type is not in a CRD.
            "rename" if self.ty.is_none() => nothing(),
            "rename" | "rename_all" | "skip" | "skip_serializing" | "skip_deserializing"
            | "flatten" | "tag" | "untagged" | "content" | "transparent" => unknown(format!(
                "`{}` makes the schema of kube's derive differ from what serde does; write it in `#[serde(..)]`",
                self.source.of(meta)
            )),
            "transform" => unknown(format!(
                "`{}` changes the schema with a function; write the keys of `#[crd(..)]` that say what it does, or \
                 `patch = json!({{..}})`",
                self.source.of(meta)
            )),
            _ => self.not_understood(meta),
        }
    }

    /// Converts a key of `#[x_kube(..)]`.
    pub(super) fn x_kube(&self, meta: &Meta) -> Converted {
        match (&*name_of(meta), meta) {
            ("validation", Meta::NameValue(pair)) => {
                (rule::of_expr("rule", &pair.value, self.source).into(), None)
            }
            ("merge_strategy", Meta::NameValue(pair)) => self.merge_strategy(&pair.value),
            ("crates" | "cel", _) => nothing(),
            _ => self.not_understood(meta),
        }
    }

    fn not_understood(&self, meta: &Meta) -> Converted {
        unknown(format!(
            "`{}` is not understood; write the keys of `#[crd(..)]` that say the same (`crd attributes` lists them)",
            self.source.of(meta)
        ))
    }

    fn merge_strategy(&self, strategy: &Expr) -> Converted {
        let text: String =
            self.source.of(strategy).chars().filter(|c| !c.is_whitespace()).collect();
        let tail = text.rsplit_once("Merge::").map_or(&*text, |(_, tail)| tail);
        let is_list = text.contains("ListMerge::");
        match tail {
            "Atomic" if is_list => keys(Key::value("list_type", "\"atomic\"")),
            "Set" if is_list => keys(Key::value("list_type", "\"set\"")),
            "Atomic" => keys(Key::value("map_type", "\"atomic\"")),
            "Granular" => keys(Key::value("map_type", "\"granular\"")),
            map => {
                let names = map.split('"').skip(1).step_by(2);
                let names: Vec<_> = names.map(|name| format!("{name:?}")).collect();
                if !map.starts_with("Map(") || names.is_empty() {
                    return unknown(format!(
                        "`{}` is not understood; write `#[crd(list_type = \"map\", list_map_keys(\"..\"))]`",
                        self.source.of(strategy)
                    ));
                }
                let keys =
                    vec![Key::value("list_type", "\"map\""), Key::List("list_map_keys", names)];
                (Outcome::Keys(keys), None)
            }
        }
    }

    /// Returns the keys of the least and the greatest length.
    fn length_names(&self) -> Option<[&'static str; 2]> {
        let json = self.ty.map(|ty| self.names.json(ty))?;
        match json {
            Json::Text => Some(["min_length", "max_length"]),
            Json::List(_) => Some(["min_items", "max_items"]),
            Json::Map(_) => Some(["min_properties", "max_properties"]),
            _ => None,
        }
    }

    /// Converts `range(min = .., max = ..)` and `length(..)`.
    fn bounds(&self, meta: &Meta, [least, greatest]: [&str; 2]) -> Converted {
        let Meta::List(list) = meta else { return self.not_understood(meta) };
        let Some(given) = metas(list.tokens.clone()) else { return self.not_understood(meta) };
        let mut found = Vec::new();
        for key in &given {
            let Meta::NameValue(pair) = key else { return self.not_understood(key) };
            let value = match serde::string(&pair.value) {
                Some(path) => path,
                None => self.source.of(&pair.value).to_owned(),
            };
            match &*name_of(key) {
                "min" => found.push(Key::value(least, value)),
                "max" => found.push(Key::value(greatest, value)),
                "equal" => {
                    found.push(Key::value(least, &value));
                    found.push(Key::value(greatest, value));
                }
                "exclusive_min" => {
                    found.push(Key::value(least, value));
                    found.push(Key::word("exclusive_minimum"));
                }
                "exclusive_max" => {
                    found.push(Key::value(greatest, value));
                    found.push(Key::word("exclusive_maximum"));
                }
                // Messages of the crate `validator`.
                "message" | "code" => {}
                _ => return self.not_understood(key),
            }
        }
        (Outcome::Keys(found), None)
    }

    /// Converts `regex(pattern = ..)` and `pattern(..)`. The older `regex = ".."` names a static `Regex`, whose text is not
    /// known here.
    fn pattern(&self, meta: &Meta) -> Converted {
        let by_hand = || {
            unknown(format!(
                "`{}` has a regular expression that is no text here; write `#[crd(pattern = \"..\")]`",
                self.source.of(meta)
            ))
        };
        let value = match meta {
            Meta::List(list) => {
                let given = metas(list.tokens.clone()).unwrap_or_default();
                let pair = given.iter().find_map(|key| match key {
                    Meta::NameValue(pair) if matches!(&*name_of(key), "pattern") => {
                        Some(pair.value.clone())
                    }
                    _ => None,
                });
                pair.or_else(|| syn::parse2::<Expr>(list.tokens.clone()).ok())
            }
            Meta::NameValue(pair) if name_of(meta) == "pattern" => Some(pair.value.clone()),
            Meta::NameValue(_) | Meta::Path(_) => None,
        };
        match value {
            Some(value @ (Expr::Lit(_) | Expr::Path(_))) => {
                keys(Key::value("pattern", self.source.of(&value)))
            }
            _ => by_hand(),
        }
    }

    /// Converts `inner(..)`, which is about elements.
    fn inner(&self, meta: &Meta) -> Converted {
        let Some(Json::List(element)) = self.ty.map(|ty| self.names.json(ty)) else {
            return self.not_understood(meta);
        };
        let Meta::List(list) = meta else { return self.not_understood(meta) };
        let Some(given) = metas(list.tokens.clone()) else { return self.not_understood(meta) };
        let target = Target { ty: Some(element), ..*self };
        let mut values = Vec::new();
        for key in &given {
            match target.schemars(key).0 {
                Outcome::Keep => values.push(self.source.of(key).to_owned()),
                Outcome::Keys(keys) => values.extend(keys.iter().map(Key::on_one_line)),
                unknown @ Outcome::Unknown(_) => return (unknown, None),
            }
        }
        keys(Key::List("items", values))
    }

    /// Converts `extend("keyword" = .., ..)`.
    fn extend(&self, meta: &Meta) -> Converted {
        let Meta::List(list) = meta else { return self.not_understood(meta) };
        let (mut found, mut patched, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
        for entry in json::split(list.tokens.clone()) {
            let equals = entry
                .iter()
                .position(|it| matches!(it, TokenTree::Punct(it) if it.as_char() == '='));
            let read = equals.and_then(|at| {
                let name = json::read(&entry[..at].iter().cloned().collect(), &|_| None)?;
                let value = json::read(&entry[at + 1..].iter().cloned().collect(), &|_| None)?;
                Some((name.as_str()?.to_owned(), value))
            });
            let Some((name, value)) = read else { return self.not_understood(meta) };
            match keywords::convert(&name, &value) {
                Keyword::Keys(keys) => found.extend(keys),
                Keyword::Patch => patched.push((name, value)),
                Keyword::Unknown => unknown.push(format!("`{name}`")),
            }
        }
        if !patched.is_empty() {
            let patched: Vec<_> = patched.iter().map(|(name, value)| (&**name, value)).collect();
            found.push(keywords::patch(&patched));
        }
        let note =
            (!unknown.is_empty()).then(|| format!("the server drops {}", unknown.join(", ")));
        (Outcome::Keys(found), note)
    }
}
