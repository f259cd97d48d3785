//! The constant declaration of a type, which rustc checks rules with, agrees with its schema wherever it is known.

use std::collections::BTreeMap;

use crd_runtime::__private::k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use crd_runtime::CrdSchema;
use crd_runtime::crd_schema::Declared;
use crd_runtime::model::JsonSchemaProps;
use crd_runtime::ruleset;
use crd_runtime::schema::Structural;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::enums::{Internal, UntaggedLists};
use super::plain::{Item, Text};
use super::zoo;

/// Compares the declaration of a type with its schema. Returns the number of places that the declaration knows.
fn known_places(cel: &'static Declared, schema: &JsonSchemaProps) -> Result<usize, String> {
    let structural = Structural::try_from(schema).map_err(|error| error.to_string())?;
    cel.compare(ruleset::declared(&structural, false).as_deref())
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
    assert_eq!(known_places(const { &T::CEL }, &T::schema()), Ok(places));
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
