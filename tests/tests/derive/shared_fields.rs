//! Variants of an enum share one schema. What it cannot say of all of them makes it invalid, and the error says what to
//! write.

use std::collections::BTreeMap;

use crd_runtime::model::CustomResourceDefinition;
use crd_runtime::{CrdSchema, definition};
use crd_tests::zoo::definition_of;
use serde::{Deserialize, Serialize};
use serde_json::Value;

const DEFAULT: &str = "the default cannot be kept: variants of the enum differ here";
const RULE: &str = "cannot be kept: variants of the enum differ here, and the rules of a schema apply to all of them";
const METADATA: &str = "the types of `metadata` in two variants differ";

/// Checks that the schema of a type is lost at these places, each a path below the type, and in no other way.
#[track_caller]
fn check<T: CrdSchema>(want: &[(&str, &str)]) {
    let json = definition_of(&serde_json::to_value(T::schema()).expect("a schema"));
    let crd: CustomResourceDefinition = serde_json::from_value(json).expect("a definition");
    let errors = definition::validate(&crd);
    let found: Vec<_> = errors
        .iter()
        .filter(|error| error.field.rsplit('.').next() == Some("type"))
        .map(|error| {
            let place = error.field.rsplit_once(".properties[value]").expect("a path").1;
            let texts = [DEFAULT, RULE, METADATA];
            let text = error.to_string();
            let text =
                texts.into_iter().find(|it| text.contains(it)).unwrap_or_else(|| panic!("{text}"));
            (place.to_owned(), text)
        })
        .collect();
    let found: Vec<_> = found.iter().map(|(place, text)| (place.as_str(), *text)).collect();
    assert_eq!(found, want, "{errors}");
    assert_eq!(errors.is_empty(), want.is_empty(), "{errors}");
}

mod defaults {
    use super::*;

    #[derive(CrdSchema, Serialize, Deserialize)]
    struct Size {
        #[crd(default = 1)]
        size: i32,
        unit: String,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    struct Plain {
        size: i32,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    struct Large {
        #[crd(default = 100)]
        size: i32,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(untagged)]
    enum BesideOpenFields {
        Sized {
            of: Size,
            name: String,
        },
        Other {
            host: String,
            #[serde(flatten)]
            rest: BTreeMap<String, Value>,
        },
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum BesideAnything {
        Sized {
            of: Size,
        },
        Other {
            /// Of any type.
            of: Value,
        },
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Without {
        Sized { of: Size },
        Plain { of: Plain },
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum InLists {
        Sized { of: Vec<Size> },
        Plain { of: Vec<Plain> },
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Two {
        Sized { of: Size },
        Large { of: Large },
    }

    /// Both have the same default, or one has no such field.
    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Same {
        Sized { of: Size },
        Named { of: Size, name: String },
        Other { name: String, rest: Plain },
    }

    #[test]
    fn are_those_of_all_variants() {
        let size = [(".properties[of].properties[size].type", DEFAULT)];
        check::<BesideOpenFields>(&size);
        check::<BesideAnything>(&size);
        check::<Without>(&size);
        check::<InLists>(&[(".properties[of].items.properties[size].type", DEFAULT)]);
        check::<Two>(&size);
        check::<Same>(&[]);
    }
}

mod rules {
    use super::*;

    #[derive(CrdSchema, Serialize, Deserialize)]
    struct Plain {
        size: i32,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    struct Positive {
        #[crd(rule("self > 0"))]
        size: i32,
        unit: String,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    struct Even {
        #[crd(rule("self % 2 == 0"))]
        size: i32,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    struct Warned {
        #[crd(rule("self > 0", message = "must be positive"))]
        size: i32,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    struct Sizes {
        size: Vec<i32>,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    struct AlsoPositive {
        #[crd(rule("self > 0"))]
        size: i32,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(untagged)]
    enum TwoRules {
        Positive(Positive),
        Even(Even),
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(untagged)]
    enum TwoMessages {
        Positive(Positive),
        Warned(Warned),
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(untagged)]
    enum TwoTypes {
        Positive(Positive),
        Sizes(Sizes),
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum OneOfSeveralTagged {
        Positive(Positive),
        Named {
            name: String,
        },
        #[serde(untagged)]
        Plain(Plain),
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum BesideAnything {
        Positive { of: Positive },
        Other { of: Value },
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum BesideAMap {
        Positive { of: Positive },
        Other(BTreeMap<String, Value>),
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum BesideAnyContent {
        Positive(AlsoPositive),
        Other(Value),
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum InLists {
        Positive { of: Vec<Positive> },
        Plain { of: Vec<Plain> },
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum OnItems {
        Positive {
            #[crd(items(rule("self > 0")))]
            of: Vec<i32>,
        },
        Plain {
            of: Vec<i32>,
        },
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    struct Growing {
        #[crd(rule("!oldSelf.hasValue() || self >= oldSelf.value()", optional_old_self))]
        size: i32,
    }

    /// A rule of an optional old value cannot move to the enum.
    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Fixed {
        Growing(Growing),
        Plain(Plain),
    }

    /// The rules of the variants with a tag move to the enum.
    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Moved {
        Positive(Positive),
        Even(Even),
        Plain(Plain),
    }

    /// Rules that were moved to `Moved` are rules of that enum.
    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(untagged)]
    enum WithMoved {
        Moved(Moved),
        Named { name: String },
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Same {
        Positive(Positive),
        AlsoPositive(AlsoPositive),
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[crd(rule("self.least <= self.most"))]
    struct Range {
        least: i32,
        most: i32,
    }

    /// The rules of a flattened type are those of the variant.
    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Untagged {
        Text(String),
        Range {
            #[serde(flatten)]
            range: Range,
        },
    }

    #[test]
    fn are_those_of_all_variants() {
        let size = [(".properties[size].type", RULE)];
        check::<TwoRules>(&size);
        check::<TwoMessages>(&size);
        check::<TwoTypes>(&size);
        check::<OneOfSeveralTagged>(&size);
        check::<BesideAnyContent>(&size);
        check::<Fixed>(&size);
        check::<BesideAnything>(&[(".properties[of].properties[size].type", RULE)]);
        check::<BesideAMap>(&[(".properties[of].properties[size].type", RULE)]);
        check::<InLists>(&[(".properties[of].items.properties[size].type", RULE)]);
        check::<OnItems>(&[(".properties[of].items.type", RULE)]);
        check::<WithMoved>(&[(".type", RULE)]);
        check::<Untagged>(&[(".type", RULE)]);
        check::<Moved>(&[]);
        check::<Same>(&[]);
    }
}

mod metadata {
    use super::*;

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(untagged)]
    enum TwoTypes {
        Pair { metadata: Vec<i64>, name: String },
        Number { metadata: f64 },
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    struct Labelled {
        metadata: String,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    struct Counted {
        metadata: Option<String>,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum BelowAField {
        Labelled { of: Labelled },
        Counted { of: Counted },
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum BesideAnything {
        Labelled(Labelled),
        Other(Value),
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Same {
        Labelled(Labelled),
        Other { metadata: String, name: String },
        Named { name: String },
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Anything {
        Labelled(Labelled),
        Other(Value),
    }

    #[test]
    fn is_the_same_in_all_variants() {
        check::<TwoTypes>(&[(".properties[metadata].type", METADATA)]);
        check::<BelowAField>(&[(".properties[of].properties[metadata].type", METADATA)]);
        check::<BesideAnything>(&[(".properties[metadata].type", METADATA)]);
        check::<Same>(&[]);
        check::<Anything>(&[]);
    }
}
