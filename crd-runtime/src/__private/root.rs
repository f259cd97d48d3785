//! Generated root types: their schema, and their deserialization and serialization.

use std::marker::PhantomData;

use crd_cel::compile_time::{Examined, Field, Needs, Object};
use k8s_openapi::Resource;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::de::{Error, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::builder::Schema;
use crate::crd_schema::{CrdSchema, Declared, FieldShape, FieldType, Fields, Shape};

/// A root type that a derive generates from a spec.
pub trait Root: Resource {
    /// The type of the field `spec`.
    type Spec: CrdSchema;
    /// The field `status`, and what its type needs of servers.
    const STATUS: Option<(FieldShape, &'static Needs)> = None;
    /// [`Shape::allows`].
    const ALLOWS: &'static [&'static str] = &[];
    /// The rules of the root itself.
    const RULES: &'static [&'static [Examined]] = &[];
}

/// The implementation of [`CrdSchema`] for a root.
#[derive(Debug)]
pub struct RootOf<T>(PhantomData<T>);

impl<T: Root + CrdSchema> RootOf<T> {
    const SPEC: FieldShape = FieldShape::new("spec", T::Spec::AS_FIELD).must_be_present();
    const STATUS: (FieldShape, &'static Needs) = match T::STATUS {
        Some((field, needs)) => (field.may_be_absent(), needs),
        None => (Self::SPEC, &Needs::NONE),
    };
    // rustc evaluates both branches of an `if` with constants, so the status is always there and may be cut off.
    const BOTH: Fields = Fields { list: &[Self::SPEC, Self::STATUS.0], ..Fields::PLAIN };
    const FIELDS: Fields = Fields { list: Self::without_status(Self::BOTH.list), ..Fields::PLAIN };
    const DECLARED: &'static [Field; 3] = &Self::BOTH.declared_in_root();
    const PARTS: &'static [(&'static str, &'static Needs); 2] =
        &[("spec", T::Spec::NEEDS), ("status", Self::STATUS.1)];
    /// `CrdSchema::SHAPE`.
    pub const SHAPE: Shape =
        Shape { allows: T::ALLOWS, ..Shape::of_fields(const { &Self::FIELDS }) };
    /// `CrdSchema::AS_FIELD`.
    pub const AS_FIELD: &'static FieldType = &FieldType {
        cel: Declared::Object(
            const { &Object { name: T::KIND, fields: Self::without_status(Self::DECLARED) } },
        ),
        ..FieldType::of::<T>()
    };
    /// `CrdSchema::NEEDS`.
    pub const NEEDS: &'static Needs = &Needs {
        of: T::KIND,
        rules: T::RULES,
        parts: Self::without_status(Self::PARTS),
        ..Needs::NONE
    };

    /// Returns a list without its last entry, unless the root has a status.
    const fn without_status<E>(list: &'static [E]) -> &'static [E] {
        match list {
            [others @ .., _] if T::STATUS.is_none() => others,
            _ => list,
        }
    }

    /// Returns the schema, without what attributes of the root add to it.
    #[must_use]
    pub fn schema() -> Schema {
        Schema::from(Self::FIELDS.schema())
    }
}

/// A root as it is deserialized.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Read<Spec, Status> {
    api_version: Option<String>,
    kind: Option<String>,
    #[serde(default)]
    metadata: ObjectMeta,
    spec: Spec,
    status: Option<Status>,
}

/// A root as it is serialized.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written<'a, Spec, Status> {
    api_version: &'a str,
    kind: &'a str,
    metadata: &'a ObjectMeta,
    spec: &'a Spec,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'a Status>,
}

/// The status of a kind that has none, in an object that is read.
pub type NoStatus = Option<IgnoredAny>;

/// The status of a kind that has none, in an object that is written.
pub const NO_STATUS: Option<&()> = None;

/// Returns metadata with a name and no other field.
#[must_use]
pub fn named(name: impl Into<String>) -> ObjectMeta {
    ObjectMeta { name: Some(name.into()), ..ObjectMeta::default() }
}

/// Serializes a root that has these fields.
///
/// # Errors
/// If serde cannot serialize a field.
pub fn serialize_root<T: Resource, Spec: Serialize, Status: Serialize, S: Serializer>(
    _: &T,
    metadata: &ObjectMeta,
    spec: &Spec,
    status: Option<&Status>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    Written { api_version: T::API_VERSION, kind: T::KIND, metadata, spec, status }
        .serialize(serializer)
}

/// Deserializes a root.
///
/// `apiVersion` and `kind` may be absent, as in items of a list; if present, they must be those of the kind.
///
/// # Errors
/// If serde cannot deserialize a field, or the object has another `apiVersion` or `kind`.
pub fn deserialize_root<'de, T, Spec, Status, D>(
    deserializer: D,
    root: impl FnOnce(ObjectMeta, Spec, Option<Status>) -> T,
) -> Result<T, D::Error>
where
    T: Resource,
    Spec: Deserialize<'de>,
    Status: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let read = Read::<Spec, Status>::deserialize(deserializer)?;
    for (name, there, want) in
        [("apiVersion", read.api_version, T::API_VERSION), ("kind", read.kind, T::KIND)]
    {
        if let Some(there) = there.filter(|there| *there != want) {
            return Err(D::Error::custom(format_args!("{name} is `{there}`, want `{want}`")));
        }
    }
    Ok(root(read.metadata, read.spec, read.status))
}

/// Joins an API group and a version, with a slash between them. `N` is the length of the text.
#[must_use]
pub const fn joined<const N: usize>(group: &str, version: &str) -> [u8; N] {
    let (group, version) = (group.as_bytes(), version.as_bytes());
    let mut text = [b'/'; N];
    let mut at = 0;
    while at < N {
        if at < group.len() {
            text[at] = group[at];
        } else if at > group.len() {
            text[at] = version[at - group.len() - 1];
        }
        at += 1;
    }
    text
}

/// Returns bytes as the text that they are.
///
/// # Panics
/// If they are not UTF-8.
#[must_use]
pub const fn text(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("not a text"),
    }
}
