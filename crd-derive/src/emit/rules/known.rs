//! Rules that the macro checks itself, by the functions that rustc evaluates for all others: they read only values whose
//! types it knows by name. rustc makes sure that a name is that of std (`names_of_std` of `schema.rs`).
//!
//! A rule that every server accepts expands to nothing. All others are left to rustc, whose errors name what is in the
//! types.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crd_cel::compile_time::{Declared, Field, Object, Rule, examine};
use syn::Type;

use super::expression::{Expression, names_in};
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
        let of = match self {
            Self::Value(declared) => declared.to_string(),
            // Names in backticks are not escaped.
            Self::Struct { .. } if source.contains('`') => return false,
            Self::Struct { name, fields, unknown } => {
                if names_in(source).any(|name| unknown.iter().any(|it| it == name)) {
                    return false;
                }
                let fields: Vec<_> =
                    fields.iter().map(|(name, of)| format!("{name} {of}")).collect();
                format!("{name}: {}", fields.join(", "))
            }
        };
        let path_in_key = path.join(".");
        let key = format!("{want:?} {optional_old_self} {unchecked} {of}\n{path_in_key}\n{source}");
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
                let field =
                    |(name, of): &(String, usize)| Field { name: leak(name), of: &DECLARED[*of] };
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
            let [key, values] =
                *types::arguments(types::held(&field.ty), &["BTreeMap", "HashMap"])?
            else {
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

#[cfg(test)]
mod tests {
    use crd_cel::compile_time::{Program, Want};

    use super::*;

    fn accepts(known: &Known, source: &str) -> bool {
        let ast = crd_cel::syntax::parse(source).expect(source);
        let program = Program::write(&ast).expect(source).code;
        let expression = Expression {
            source,
            program: &program,
            want: Want::Rule,
            optional_old_self: false,
            unchecked: false,
            path: &[],
        };
        // The second answer is the one that was kept.
        let [first, second] = [known, known].map(|known| known.accepts(&expression));
        assert_eq!(first, second, "{source}");
        first
    }

    #[test]
    fn what_is_certain_is_accepted() {
        let known = Known::Struct {
            name: "Spec".to_owned(),
            fields: vec![
                ("least".to_owned(), 1),
                ("names".to_owned(), 4),
                ("__if__".to_owned(), 3),
            ],
            unknown: vec!["ports".to_owned()],
        };
        for source in [
            "self.least > 1",
            "self.names.all(name, name.size() < self.least)",
            "self == oldSelf && self.__if__",
        ] {
            assert!(accepts(&known, source), "{source}");
        }
        for source in [
            // They are wrong.
            "self.least > 'a'",
            "self.missing > 1",
            "self.least",
            "self.names.all(name, name > 1)",
            // Not every server has it.
            "isIP(self.names[0])",
            // The type is not known.
            "self.ports.size() > 1",
            "self.least > 1 && [self].all(it, has(it.ports))",
            // The name may be that of any field.
            "self.`least` > 1",
        ] {
            assert!(!accepts(&known, source), "{source}");
        }
        // The names and types of a struct are told apart.
        let of = |name: &str, fields: &[(&str, usize)]| Known::Struct {
            name: name.to_owned(),
            fields: fields.iter().map(|(name, of)| ((*name).to_owned(), *of)).collect(),
            unknown: Vec::new(),
        };
        assert!(accepts(&of("A", &[("b", 1)]), "self.b > 0"));
        assert!(!accepts(&of("Ab1", &[]), "self.b > 0"));
        assert!(accepts(&Known::Value(8), "self.all(key, self[key] != '')"));
        assert!(!accepts(&Known::Value(9), "self.all(key, self[key] != '')"));
    }
}
