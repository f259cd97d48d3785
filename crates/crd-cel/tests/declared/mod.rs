//! Declarations from a short notation: a word is a scalar (`nullable` is a string that may be null),
//! `[x]` a list of x, `{"*": x}` a map of x, `{"set": x}` a list that is a set,
//! `{"by": key, "of": x}` a list that is a map, any other object an object of those properties.

use std::sync::Arc;

use crd_cel::decl::{Decl, DeclKind, FieldDecl, ListType, ObjectDecl};
use crd_cel::escape::escape;
use serde_json::Value as Json;

/// The declaration that a notation stands for.
pub(crate) fn decl(notation: &Json) -> Arc<Decl> {
    let kind = match notation {
        Json::String(word) => scalar(word),
        Json::Array(items) => list(&items[0], ListType::Atomic),
        Json::Object(members) => match members.iter().next() {
            Some((key, value)) if key == "*" => DeclKind::Map { value: decl(value), fields: None },
            Some((key, of)) if key == "set" => list(of, ListType::Set),
            Some((key, Json::String(by))) if key == "by" && members.contains_key("of") => {
                let keys = [Arc::from(by.as_str())];
                list(&members["of"], ListType::Map(keys.into()))
            }
            _ => object(members),
        },
        other => panic!("no notation: {other}"),
    };
    let nullable = notation == "nullable";
    Arc::new(Decl { kind, nullable, max_elements: 100, min_serialized_size: 2 })
}

fn scalar(word: &str) -> DeclKind {
    match word {
        "int" => DeclKind::Int,
        "double" => DeclKind::Double,
        "string" | "nullable" => DeclKind::String,
        "bool" => DeclKind::Bool,
        "byte" => DeclKind::Bytes,
        "date" => DeclKind::Date,
        "date-time" => DeclKind::DateTime,
        "duration" => DeclKind::Duration,
        "int-or-string" => DeclKind::IntOrString,
        "opaque" => DeclKind::Opaque,
        other => panic!("no scalar: {other}"),
    }
}

fn list(of: &Json, list_type: ListType) -> DeclKind {
    DeclKind::List { element: decl(of), list_type }
}

fn object(members: &serde_json::Map<String, Json>) -> DeclKind {
    let (mut fields, mut hidden) = (Vec::new(), Vec::new());
    for (key, notation) in members {
        let ident = escape(key).filter(|_| notation != "opaque");
        let decl = decl(notation);
        let into = if ident.is_some() { &mut fields } else { &mut hidden };
        let ident = ident.as_deref().unwrap_or(key).into();
        into.push(FieldDecl { ident, key: key.as_str().into(), decl });
    }
    fields.sort_by(|a: &FieldDecl, b: &FieldDecl| a.ident.cmp(&b.ident));
    hidden.sort_by(|a: &FieldDecl, b: &FieldDecl| a.key.cmp(&b.key));
    DeclKind::Object(Arc::new(ObjectDecl { fields, hidden }))
}
