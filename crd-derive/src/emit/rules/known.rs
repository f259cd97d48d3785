//! Rules that the macro checks itself, by the functions that rustc evaluates for all others: they read only values whose
//! types it knows by name. rustc makes sure that a name is that of std (`names_of_std` of `schema.rs`).
//!
//! A rule that every server accepts expands to nothing. All others are left to rustc, whose errors name what is in the
//! types.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crd_cel::compile_time::{Declared, Field, Object, Rule, Want, examine};
use syn::Type;

use super::names_in;
use crate::model::{self, Model};
use crate::types::{self, JsonType};

/// The declarations of scalars, of lists and of maps of them.
static DECLARED: [Declared; 12] = [
    Declared::String,
    Declared::Int,
    Declared::Double,
    Declared::Bool,
    Declared::List(&DECLARED[0]),
    Declared::List(&DECLARED[1]),
    Declared::List(&DECLARED[2]),
    Declared::List(&DECLARED[3]),
    Declared::Map(&DECLARED[0]),
    Declared::Map(&DECLARED[1]),
    Declared::Map(&DECLARED[2]),
    Declared::Map(&DECLARED[3]),
];

thread_local! {
    /// The rules that were checked, with their types. Their parts are never freed, because the checks take only what
    /// lives as long as the program; so each is kept once, also by an editor that expands a derive again and again.
    static CHECKED: RefCell<BTreeMap<String, bool>> = const { RefCell::new(BTreeMap::new()) };
}

/// The type of the value of a rule, as far as it is known by name.
pub(super) enum Known {
    /// An index into [`DECLARED`].
    Value(usize),
    Struct {
        name: String,
        /// The fields as rules write them, with indices into [`DECLARED`].
        fields: Vec<(String, usize)>,
        /// The names of the fields of other types.
        unknown: Vec<String>,
    },
}

/// An expression that is checked.
pub(super) struct Expression<'a> {
    pub(super) source: &'a str,
    pub(super) program: &'a [u8],
    pub(super) want: Want,
    pub(super) optional_old_self: bool,
    pub(super) unchecked: bool,
    /// The path from the type to the value.
    pub(super) path: &'a [String],
}

impl Known {
    /// Returns the type itself.
    pub(super) fn itself(model: &Model) -> Option<Self> {
        let object = model.body.object()?;
        let is_plain = !model.is_root() && !model.constraints.change_declaration();
        if !is_plain || object.fields.iter().any(|field| field.flatten) {
            return None;
        }
        let mut fields = Vec::new();
        let mut unknown: Vec<_> = object.tag.iter().map(|(tag, _)| tag.clone()).collect();
        for field in &object.fields {
            match (&field.cel_name, declared(field)) {
                (Some(name), Some(declared)) => fields.push((name.clone(), declared)),
                (name, _) => unknown.extend(name.iter().chain([&field.wire]).cloned()),
            }
        }
        Some(Self::Struct { name: model.ident.to_string(), fields, unknown })
    }

    /// Returns the type of a field.
    pub(super) fn field(field: &model::Field) -> Option<Self> {
        declared(field).map(Self::Value)
    }

    /// Whether every server accepts an expression.
    pub(super) fn accepts(&self, expression: &Expression<'_>) -> bool {
        let Expression { source, program, want, optional_old_self, unchecked, path } = *expression;
        let mut key = format!("{want:?} {optional_old_self} {unchecked}");
        match self {
            Self::Value(declared) => key.push_str(&declared.to_string()),
            // Names in backticks are not escaped.
            Self::Struct { .. } if source.contains('`') => return false,
            Self::Struct { name, fields, unknown } => {
                if names_in(source).any(|name| unknown.iter().any(|it| it == name)) {
                    return false;
                }
                key.push_str(name);
                for (name, declared) in fields {
                    key.push_str(name);
                    key.push_str(&declared.to_string());
                }
            }
        }
        for part in path.iter().map(String::as_str).chain([source]) {
            key.push('\n');
            key.push_str(part);
        }
        if let Some(is_accepted) = CHECKED.with_borrow(|checked| checked.get(&key).copied()) {
            return is_accepted;
        }
        let path: Vec<_> = path.iter().map(|step| leak(step)).collect();
        let (of, source, program) = (self.leak(), leak(source), program.to_vec().leak());
        let path = path.leak();
        let rule = Rule { of, optional_old_self, want, unchecked, source, program, path };
        let [examined] = examine(&[rule]);
        let is_accepted = examined.is_accepted_by_all();
        CHECKED.with_borrow_mut(|checked| checked.insert(key, is_accepted));
        is_accepted
    }

    fn leak(&self) -> &'static Declared {
        match self {
            Self::Value(declared) => &DECLARED[*declared],
            Self::Struct { name, fields, .. } => {
                let field = |(name, of): &(String, usize)| Field { name: leak(name), of: &DECLARED[*of] };
                let fields = fields.iter().map(field).collect::<Vec<_>>().leak();
                let object = Box::leak(Box::new(Object { name: leak(name), fields }));
                Box::leak(Box::new(Declared::Object(object)))
            }
        }
    }
}

fn leak(text: &str) -> &'static str {
    text.to_owned().leak()
}

/// The declaration of a field, unless it is not that of its type.
fn declared(field: &model::Field) -> Option<usize> {
    let is_of_type = !field.has_replaced_schema() && !field.constraints.change_declaration();
    if !is_of_type {
        return None;
    }
    match types::json_type(&field.ty) {
        JsonType::List => Some(4 + scalar(types::inner(&field.ty)?)?),
        JsonType::Map => {
            let [key, values] = *types::arguments(types::held(&field.ty), &["BTreeMap", "HashMap"])? else {
                return None;
            };
            let is_text = types::json_type(key) == JsonType::Text && types::option(key).is_none();
            if is_text { Some(8 + scalar(values)?) } else { None }
        }
        _ => scalar(&field.ty),
    }
}

fn scalar(ty: &Type) -> Option<usize> {
    Some(match types::json_type(ty) {
        JsonType::Text => 0,
        JsonType::Integer => 1,
        JsonType::Number => 2,
        JsonType::Boolean => 3,
        _ => return None,
    })
}
