//! The constant declaration of a type, which rustc checks rules with, agrees with its schema wherever it is known.

use std::collections::BTreeMap;

use crd_cel::compile_time::{Field, Want};
use crd_cel::decl::{Decl, DeclKind, ObjectDecl};
use crd_cel::escape::escape;
use crd_runtime::__private::k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use crd_runtime::CrdSchema;
use crd_runtime::crd_schema::Declared;
use crd_runtime::model::JsonSchemaProps;
use crd_runtime::ruleset;
use crd_runtime::schema::Structural;
use crd_tests::agreement::error_of;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::enums::{Internal, UntaggedLists};
use super::plain::{Item, Text};
use super::zoo;

/// Compares the declaration of a type with its schema. Returns the number of places that the declaration knows.
fn known_places(cel: &'static Declared, schema: &JsonSchemaProps) -> Result<usize, String> {
    let structural = Structural::try_from(schema).map_err(|error| error.to_string())?;
    let mut comparison = Comparison { of: cel, known: 0 };
    comparison.compare(&[cel], ruleset::declared(&structural, false).as_deref(), "self")?;
    Ok(comparison.known)
}

/// A comparison of the declaration of a type, by the errors of expressions that read its places, with that of its schema.
struct Comparison {
    of: &'static Declared,
    known: usize,
}

impl Comparison {
    /// Compares the place of an expression. `alternatives` are its declarations, which variants may have; `exact` is that
    /// of the schema, `None` if rules cannot see the place.
    fn compare(
        &mut self,
        alternatives: &[&'static Declared],
        exact: Option<&Decl>,
        place: &str,
    ) -> Result<(), String> {
        let mut errors = [Want::Rule, Want::Message].into_iter();
        // A place of unknown type has either type.
        let Some(error) = errors.find_map(|want| error_of(self.of, place, want)) else {
            return Ok(());
        };
        let Some((_, found)) = error.split_once(", not to ") else {
            self.known += 1;
            let exists = error.contains("the field exists") || error.starts_with("this holds any");
            return match exact {
                _ if !exists => Err(format!("{place}: {error}")),
                Some(_) => Err(format!("{place}: not visible, but rules can see it")),
                None => Ok(()),
            };
        };
        self.known += 1;
        let Some(exact) = exact else {
            return Err(format!("{place}: {found}, which rules cannot see"));
        };
        let inner = || alternatives.iter().flat_map(|of| elements(of)).collect::<Vec<_>>();
        match &exact.kind {
            DeclKind::List { element, .. } if found.starts_with("list(") => {
                self.compare(&inner(), Some(element), &format!("{place}[0]"))
            }
            DeclKind::Map { value, .. } if found.starts_with("map(") => {
                self.compare(&inner(), Some(value), &format!("{place}['a']"))
            }
            DeclKind::Object(object) if !found.contains('(') && !SCALARS.contains(&found) => {
                self.compare_fields(alternatives, object, place)
            }
            _ if found == exact.type_named("self").to_string() => Ok(()),
            _ => {
                let want = exact.type_named("self");
                Err(format!("{place}: {found}, and the schema declares {want}"))
            }
        }
    }

    fn compare_fields(
        &mut self,
        alternatives: &[&'static Declared],
        object: &ObjectDecl,
        place: &str,
    ) -> Result<(), String> {
        let declared: Vec<_> = alternatives.iter().flat_map(|of| fields(of)).collect();
        let visible = object.fields.iter().map(|field| (field, Some(&*field.decl)));
        for (field, exact) in visible.chain(object.hidden.iter().map(|field| (field, None))) {
            // Rules cannot use a name without an identifier.
            let Some(ident) = escape(&field.key) else { continue };
            let of = declared.iter().filter(|(name, _)| *name == ident).map(|(_, of)| *of);
            self.compare(&of.collect::<Vec<_>>(), exact, &format!("{place}.{ident}"))?;
        }
        let known: Vec<_> =
            object.fields.iter().chain(&object.hidden).map(|field| &*field.ident).collect();
        match declared.iter().find(|(name, _)| !known.contains(name)) {
            Some((name, _)) if !alternatives.iter().any(|of| is_open(of)) => {
                Err(format!("{place}.{name}: not in the schema"))
            }
            _ => Ok(()),
        }
    }
}

/// The names of the types without parts.
const SCALARS: [&str; 8] =
    ["bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp"];

/// Whether an object may have fields that are not declared.
fn is_open(declared: &Declared) -> bool {
    match declared {
        Declared::Unknown => true,
        Declared::Object(object) => {
            object.fields.iter().any(|field| field.name.is_empty() && is_open(field.of))
        }
        Declared::OneOf(parts) => parts.iter().any(is_open),
        _ => false,
    }
}

/// The fields of an object, or of all alternatives.
fn fields(declared: &'static Declared) -> Vec<(&'static str, &'static Declared)> {
    match declared {
        Declared::Object(object) => {
            let of_field = |field: &'static Field| match field.name {
                "" => fields(field.of),
                name => vec![(name, field.of)],
            };
            object.fields.iter().flat_map(of_field).collect()
        }
        Declared::Keyed(names, of) => names.iter().map(|name| (*name, *of)).collect(),
        Declared::OneOf(parts) => parts.iter().flat_map(fields).collect(),
        _ => Vec::new(),
    }
}

/// The elements of a list or the values of a map, or those of all alternatives.
fn elements(declared: &'static Declared) -> Vec<&'static Declared> {
    match declared {
        Declared::List(inner) | Declared::Map(inner) => vec![inner],
        Declared::OneOf(parts) => parts.iter().flat_map(elements).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn constants_declare_what_schemas_do() {
    let (mut broken, mut places, mut unknown) = (Vec::new(), 0, Vec::new());
    for specimen in zoo() {
        match known_places(specimen.cel, &(specimen.schema)()) {
            Ok(0) => unknown.push(specimen.name),
            Ok(count) => places += count,
            Err(difference) => broken.push(format!("{}: {difference}", specimen.name)),
        }
    }
    assert!(broken.is_empty(), "different:\n{}", broken.join("\n"));
    assert_eq!(
        unknown,
        ["Converted", "PartsOfVariants", "UntaggedOrAny", "InternalMap", "TaggedNames"],
        "nothing is known of these"
    );
    assert!(places > 300, "{places} places");
}

/// Checks that the declaration of a type agrees with its schema and knows this number of places.
#[track_caller]
fn check<T: CrdSchema>(places: usize) {
    assert_eq!(known_places(&T::AS_FIELD.cel, &T::schema()), Ok(places));
}

macro_rules! derived {
    ($($item:item)*) => {$(
        #[derive(CrdSchema, Serialize, Deserialize)]
        $item
    )*};
}

derived! {
    #[serde(untagged)]
    enum TextOfAFormat {
        Bytes(#[crd(format = "byte")] String),
        #[crd(unchecked("the declaration is what is tested"))]
        Time(#[crd(format = "date-time")] String),
    }

    #[serde(untagged)]
    enum TimeOfAFormat {
        Day(#[crd(format = "date")] String),
        #[crd(unchecked("the declaration is what is tested"))]
        Time(#[crd(format = "date-time")] String),
    }

    #[serde(untagged)]
    #[crd(format = "duration")]
    enum TextOfAnotherFormat {
        Bytes(#[crd(format = "byte")] String),
        #[crd(unchecked("the declaration is what is tested"))]
        Name(String),
    }

    #[serde(untagged)]
    enum Maps { Numbers(BTreeMap<String, i32>), Words(BTreeMap<String, String>) }

    #[serde(untagged)]
    enum MapOrStruct { Numbers(BTreeMap<String, i32>), Item(Item) }

    #[serde(untagged)]
    enum Numbers { Int(i32), Float(f64) }

    #[serde(untagged)]
    enum ListOfStructs { Items(Vec<Item>), Texts(Vec<Text>) }

    #[serde(tag = "kind")]
    enum StructsOfOneName { First { it: Item, n: u8 }, Second { it: Text, n: f64 }, Third { it: Internal }, Fourth { n: Numbers } }

    #[serde(tag = "outer")]
    enum TaggedTwice { Inner(Internal), Plain { a: String, list: UntaggedLists } }

    #[serde(tag = "type")]
    enum TagOfAnyJson { Any(Value), Plain { a: String } }

    #[serde(tag = "type")]
    enum Resources { Whole { #[crd(embedded_resource)] of: Open }, Part { of: Open } }

    #[serde(rename_all = "camelCase")]
    struct Open { api_version: String, kind: String, spec: BTreeMap<String, String> }

    #[serde(tag = "t", content = "c")]
    enum ContentOfParameters<A, B> { First(A), Second(B), Third }

    struct FlattensAlternatives { own: u8, #[serde(flatten)] tagged: TaggedTwice, #[serde(flatten)] maps: StructsOfOneName }

    #[serde(rename_all = "kebab-case")]
    enum NamesToEscape { InTheMiddle(u8), #[serde(rename = "1st")] First(u8), Namespace { a: u8 } }
}

#[test]
fn conditions_are_known_to_rules() {
    check::<Condition>(7);
}

#[test]
fn fields_that_variants_share_are_widened() {
    check::<TextOfAFormat>(1);
    check::<TimeOfAFormat>(0);
    check::<TextOfAnotherFormat>(1);
    check::<Maps>(2);
    check::<MapOrStruct>(0);
    check::<Numbers>(1);
    check::<ListOfStructs>(9);
    check::<StructsOfOneName>(12);
    check::<TaggedTwice>(8);
    check::<TagOfAnyJson>(0);
    check::<Resources>(2);
    check::<ContentOfParameters<Item, Text>>(10);
    check::<ContentOfParameters<u8, String>>(3);
    check::<FlattensAlternatives>(20);
    check::<NamesToEscape>(4);
}
