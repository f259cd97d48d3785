//! Shapes of the types of meta/v1.

use crd_cel::compile_time::{Declared, Field, Object};

use super::{FieldShape, ListType, Shape, ShapeKind};

const TEXT: &Shape = &Shape::of(ShapeKind::String);
const NUMBER: &Shape = &Shape::of(ShapeKind::Integer);
const FLAG: &Shape = &Shape::of(ShapeKind::Boolean);
const TEXTS: &Shape = &Shape::container(ShapeKind::List, TEXT);
const UNIQUE_TEXTS: &Shape = &TEXTS.listed(ListType::Set, &[]);
const STATUS: &Shape = &TEXT.of_values(&["True", "False", "Unknown"]);
const OWNER_REFERENCES: &Shape =
    &Shape::container(ShapeKind::List, &OWNER_REFERENCE).listed(ListType::Map, &["uid"]);
const TEXT_BY_NAME: &Shape = &Shape::container(ShapeKind::Map, TEXT);

/// Source: apimachinery `pkg/apis/meta/v1/types.go`, `OwnerReference`.
pub(super) const OWNER_REFERENCE: Shape = Shape::object(&[
    FieldShape::required("apiVersion", TEXT),
    FieldShape::optional("blockOwnerDeletion", FLAG),
    FieldShape::optional("controller", FLAG),
    FieldShape::required("kind", TEXT),
    FieldShape::required("name", TEXT),
    FieldShape::required("uid", TEXT),
])
.atomic();

/// Source: apimachinery `pkg/apis/meta/v1/types.go`, `ManagedFieldsEntry`.
pub(super) const MANAGED_FIELDS_ENTRY: Shape = Shape::object(&[
    FieldShape::optional("apiVersion", TEXT),
    FieldShape::optional("fieldsType", TEXT),
    FieldShape::optional("fieldsV1", &Shape::of(ShapeKind::Any)),
    FieldShape::optional("manager", TEXT),
    FieldShape::optional("operation", TEXT),
    FieldShape::optional("subresource", TEXT),
    FieldShape::optional("time", TEXT),
]);

/// Source: apimachinery `pkg/apis/meta/v1/types.go`, `ObjectMeta`.
pub(super) const OBJECT_META: Shape = Shape::object(&[
    FieldShape::optional("annotations", TEXT_BY_NAME),
    FieldShape::optional("creationTimestamp", TEXT),
    FieldShape::optional("deletionGracePeriodSeconds", NUMBER),
    FieldShape::optional("deletionTimestamp", TEXT),
    FieldShape::optional("finalizers", UNIQUE_TEXTS),
    FieldShape::optional("generateName", TEXT),
    FieldShape::optional("generation", NUMBER),
    FieldShape::optional("labels", TEXT_BY_NAME),
    FieldShape::optional(
        "managedFields",
        &Shape::container(ShapeKind::List, &MANAGED_FIELDS_ENTRY),
    ),
    FieldShape::optional("name", TEXT),
    FieldShape::optional("namespace", TEXT),
    FieldShape::optional("ownerReferences", OWNER_REFERENCES),
    FieldShape::optional("resourceVersion", TEXT),
    FieldShape::optional("selfLink", TEXT),
    FieldShape::optional("uid", TEXT),
]);

/// Source: apimachinery `pkg/apis/meta/v1/types.go`, `Condition`.
pub(super) const CONDITION: Shape = Shape::object(&[
    FieldShape::required("lastTransitionTime", TEXT),
    FieldShape::required("message", TEXT),
    FieldShape::optional("observedGeneration", NUMBER),
    FieldShape::required("reason", TEXT),
    FieldShape::required("status", STATUS),
    FieldShape::required("type", TEXT),
]);

/// The declaration of a condition, as rules see it.
pub(super) const CONDITION_DECLARATION: Declared = Declared::Object(&Object {
    name: "Condition",
    fields: &[
        Field { name: "lastTransitionTime", of: &Declared::Timestamp },
        Field { name: "message", of: &Declared::String },
        Field { name: "observedGeneration", of: &Declared::Int },
        Field { name: "reason", of: &Declared::String },
        Field { name: "status", of: &Declared::String },
        Field { name: "type", of: &Declared::String },
    ],
});

/// The fields of every object in addition to those of its kind.
pub(crate) const COMMON: Shape = Shape::object(&[
    FieldShape::required("apiVersion", TEXT),
    FieldShape::required("kind", TEXT),
    FieldShape::required("metadata", &OBJECT_META),
]);
