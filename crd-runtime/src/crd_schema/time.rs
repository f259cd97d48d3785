//! Times and durations.

use std::time::{Duration, SystemTime};

use super::{FieldShape, Shape, ShapeKind, schema_of, typed};
use crate::GoDuration;
use crate::builder::formatted;
use crate::model::JsonSchemaProps;

/// Returns the schema of serde's form: whole seconds, and the nanoseconds beyond them.
fn seconds_and_nanos(seconds: &str, nanos: &str) -> JsonSchemaProps {
    let part = |format: &str, maximum| JsonSchemaProps {
        format: format.to_owned(),
        minimum: Some(0.0),
        maximum,
        ..typed("integer")
    };
    JsonSchemaProps {
        properties: Some(
            [
                (seconds.to_owned(), part("int64", None).into()),
                (nanos.to_owned(), part("int32", Some(999_999_999.0)).into()),
            ]
            .into(),
        ),
        required: Some(vec![seconds.to_owned(), nanos.to_owned()]),
        ..typed("object")
    }
}

/// The shape of an object with these fields alone.
const fn parts(fields: &'static [FieldShape]) -> Shape {
    Shape { denies_unknown: true, ..Shape::object(fields) }
}

/// The pattern of the durations that Go's `time.ParseDuration` reads. The schema also has `format: duration`, with
/// which rules see a duration, but which accepts more, such as `3 days`.
const GO_DURATION: &str =
    "^[-+]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|\u{b5}s|\u{3bc}s|ms|s|m|h))+)$";

fn go_duration() -> JsonSchemaProps {
    JsonSchemaProps { pattern: GO_DURATION.to_owned(), ..formatted("duration") }
}

schema_of! {
    GoDuration: ShapeKind::String, Duration => go_duration();
}

#[cfg(feature = "client")]
schema_of! {
    kube::core::Duration: ShapeKind::String, Duration => go_duration();
}

schema_of! {
    Duration: ShapeKind::Opaque as parts(&[
        FieldShape::new("secs", u64::AS_FIELD), FieldShape::new("nanos", u32::AS_FIELD),
    ]) => seconds_and_nanos("secs", "nanos");
    SystemTime: ShapeKind::Opaque as parts(&[
        FieldShape::new("secs_since_epoch", u64::AS_FIELD),
        FieldShape::new("nanos_since_epoch", u32::AS_FIELD),
    ]) => seconds_and_nanos("secs_since_epoch", "nanos_since_epoch");
}
