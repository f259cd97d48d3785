//! The laws of derived types, on generated values: the serde law and the admission law.
//!
//! Admission law: the definition of a type that compiles is accepted by the API server.
//! Serde law: any value of the type serializes to an object that its schema admits with nothing pruned, and
//! any object that the schema admits deserializes into the type.
#![expect(clippy::option_option, clippy::zero_sized_map_values, reason = "the zoo has all kinds")]
#![expect(dead_code, reason = "some variants are never written")]

mod apply;
mod declared;
mod enums;
mod foreign;
mod mixed;
mod plain;
mod silent;
mod values;

use std::fmt::Debug;

use arbitrary::{Arbitrary, Unstructured};
use crd_runtime::apply::IntoApply;
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::crd_schema::{CrdSchema, Declared};
use crd_runtime::model::{CustomResourceDefinition, JsonSchemaProps};
use crd_runtime::{definition, json as crd_json};
use crd_tests::cores::on_all_cores;
use crd_tests::zoo::{self, definition_of, object_of, written_is_stored};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The number of types of the zoo, so that a missing one is noticed.
const TYPES: usize = 147;
/// Types with an optional field that has a default: `None` is written as nothing, and the server fills in the default.
const FILLED: [&str; 1] = ["EnumsInside"];
/// The number of values that are generated for each type and direction.
const VALUES: u64 = 300;
/// The number of random bytes from which a value is generated.
const ENTROPY: usize = 1_024;

/// Returns the value that the server stores for a written one, or why it rejects it.
type Store<'a> = dyn Fn(&Value) -> Result<Value, String> + 'a;

/// A type of the zoo.
struct Specimen {
    name: &'static str,
    schema: fn() -> JsonSchemaProps,
    cel: &'static Declared,
    write: fn(&str, &mut Unstructured<'_>, &Store<'_>) -> Result<(), String>,
    read: fn(Value) -> Result<(), String>,
    apply: fn(&mut Unstructured<'_>) -> apply::Written,
}

impl Specimen {
    fn of<T>(name: &'static str) -> Self
    where
        T: CrdSchema + Clone + Debug + PartialEq + Serialize + DeserializeOwned,
        T: for<'a> Arbitrary<'a>,
        T: IntoApply<Apply: Serialize + DeserializeOwned>,
    {
        Self {
            name,
            schema: T::schema,
            cel: &T::AS_FIELD.cel,
            write: |name, u, store| {
                let value = T::arbitrary(u).expect("generators do not fail");
                let written = serde_json::to_value(value).expect("specimens serialize");
                let stored = store(&written)?;
                // serde alone need not restore the value, which may have skipped fields. The result after storage must
                // be that of serde alone.
                let alone = parse::<T>(crd_json::stored(written.clone()))
                    .map_err(|error| format!("{written}: serde alone: {error}"))?;
                match parse::<T>(stored.clone()) {
                    Err(error) => Err(format!("{written}: stored as {stored}: {error}")),
                    Ok(read) if read == alone || FILLED.contains(&name) => Ok(()),
                    Ok(read) => Err(format!("{alone:?}: stored as {stored}, reads as {read:?}")),
                }
            },
            read: |value| parse::<T>(value).map(drop),
            apply: |u| apply::Written::of(T::arbitrary(u).expect("generators do not fail")),
        }
    }

    fn definition(&self) -> CustomResourceDefinition {
        let schema = serde_json::to_value((self.schema)()).expect("schemas serialize");
        serde_json::from_value(definition_of(&schema)).expect("a definition")
    }
}

fn parse<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

macro_rules! zoo {
    ($($module:ident: $($ty:ident $(<$arg:ty>)?),* $(,)?;)*) => {
        fn zoo() -> Vec<Specimen> {
            vec![$($(Specimen::of::<$module::$ty$(<$arg>)?>(stringify!($ty))),*),*]
        }
    };
}

zoo! {
    plain: Integers, NonZero, Floats, Text, Flags, Unit, Empty, Name, Transparent, NewtypeOfStruct, Nested,
        Lists, Arrays, Sets, Maps, JsonValues, Renamed, Kebab, Screaming, Denying, Defaults, DefaultedStruct,
        Skipped, Bounded, Sized, SetList, MapList, AtomicMap, Documented, Nullable, DeepOption,
        EnumValues, Ruled, RuledStruct, AtMostOne, AtLeastOne, ExactlyOne, Immutable, Generic<u8>,
        Generic<plain::Item>, Tuples, SignedNonZero, Preserving, Flattened, FlattenedOption, FlattenedMap,
        Formats, Converted;
    enums: Action, Lower, External, ExternalData, Internal, InternalShared, Adjacent, AdjacentSame, Untagged,
        UntaggedStructs, WithEnums, DefaultedEnum, FlattenedEnum, FlattenedTagged, Single, SkippedVariant,
        UntaggedKinds, UntaggedNull, UntaggedOverlap, UntaggedWords, UntaggedFloats, UntaggedLists, InternalConflict,
        InternalOther, UnitOther, AdjacentKinds, ExternalUntagged, Keyed, ExternalKeyed, ExternalOption, UnionOfUnions, UnitFields,
        ListsOfUnions, FlattenedUntagged;
    mixed: Bytes, KeyedByEnum, TaggedStruct, Delegated, Halves, Pair, Wrapped, PartsOfVariants, PartsOfExternal,
        InternalUntagged, AdjacentUntagged, ManyParts, PartOrMore, NestedItems, NullableItems, DefaultsOfVariants,
        DefaultsOfExternal, UntaggedOption, UntaggedBounds, BoundsOfExternal, RenamedEverywhere, EnumsInside, SetsOfMore,
        Choice, UntaggedOrAny, InternalMap, KeyedByNewtypes, MapAlone, Members;
    silent: PartWithRules, OptionalPartWithRules, ExactBounds, PartsApart, BoundsOfNewtypes, NullsBelow, TaggedNothing,
        FlattenedNothing, OneOfSkipped, DefaultSkipped, SetDefault, DenyingParts, BoundedEnums, KnownFormats, WriteOnlyName,
        DefaultOfParts, RuleOfPort,
        NamesAsFields, TaggedNames, AlwaysThere, ConstantBounds;
    foreign: Raw, Ports, Resources, Times, Conditions, References, Template, Durations, PreservedValue,
        IntOrText, Addresses, Sockets, Ranges, Bounds, Results;
}

#[test]
fn the_zoo_has_all_types() {
    assert_eq!(zoo().len(), TYPES);
}

#[test]
fn admission_law() {
    let mut broken = Vec::new();
    for specimen in zoo() {
        let errors = definition::validate(&specimen.definition());
        if !errors.is_empty() {
            broken.push(format!("{}: {errors}", specimen.name));
        }
    }
    assert!(broken.is_empty(), "rejected:\n{}", broken.join("\n"));
}

#[test]
fn values_are_admitted_with_nothing_pruned() {
    let mut broken = Vec::new();
    for specimen in zoo() {
        if let Err(difference) = check_writes(&specimen) {
            broken.push(format!("{}: {difference}", specimen.name));
        }
    }
    assert!(broken.is_empty(), "rejected:\n{}", broken.join("\n"));
}

fn check_writes(specimen: &Specimen) -> Result<(), String> {
    let schema = compile(specimen)?;
    let store = |value: &Value| {
        written_is_stored(&schema, object_of(value)).map_err(|error| format!("{value}: {error}"))
    };
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..VALUES {
        let bytes = values::entropy::<ENTROPY>(&mut rng);
        (specimen.write)(specimen.name, &mut Unstructured::new(&bytes), &store)?;
    }
    Ok(())
}

#[test]
fn admitted_objects_deserialize() {
    let specimens = zoo();
    let read = on_all_cores(&specimens, |_, specimen| {
        check_reads(specimen).map_err(|difference| format!("{}: {difference}", specimen.name))
    });
    let broken: Vec<_> = read.into_iter().filter_map(Result::err).collect();
    assert!(broken.is_empty(), "unreadable:\n{}", broken.join("\n"));
}

fn check_reads(specimen: &Specimen) -> Result<(), String> {
    let schema = compile(specimen)?;
    let definition = serde_json::to_value(specimen.definition()).map_err(|e| e.to_string())?;
    let (mut admitted, mut number) = (0, 0);
    while admitted < VALUES {
        number += 1;
        if number > VALUES * 100 {
            return Err(format!("only {admitted} of {number} generated objects are admitted"));
        }
        let Some(value) = zoo::admitted(&schema, &definition, number) else { continue };
        admitted += 1;
        (specimen.read)(value.clone()).map_err(|error| format!("{value}: {error}"))?;
    }
    Ok(())
}

fn compile(specimen: &Specimen) -> Result<CompiledSchema, String> {
    CompiledSchema::for_version(&specimen.definition(), "v1").map_err(|errors| errors.to_string())
}
