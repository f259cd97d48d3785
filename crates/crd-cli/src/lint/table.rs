//! The table of lints.

use super::kind::Lint;
use super::{bounds, lists, names, rules, status, values};

/// The lints, by what they are about.
pub(super) static LINTS: [Lint; 35] = [
    status::MISSING_STATUS_SUBRESOURCE,
    status::MISSING_STATUS_SCHEMA,
    status::REQUIRED_STATUS,
    status::REQUIRED_STATUS_FIELD,
    status::CONDITIONS_SHAPE,
    status::CLOSED_STATUS_ENUM,
    lists::MISSING_LIST_TYPE,
    lists::SET_OF_OBJECTS,
    lists::EMPTY_ITEM,
    rules::OPTIONAL_FIELD_IN_RULE,
    rules::NULL_ELEMENT_IN_RULE,
    rules::INT_OR_STRING_IN_RULE,
    bounds::UNBOUNDED_IN_RULE,
    bounds::MISSING_MAX_LENGTH,
    bounds::MISSING_MAX_ITEMS,
    bounds::MISSING_MAX_PROPERTIES,
    bounds::MISSING_MIN_LENGTH,
    bounds::MISSING_MIN_ITEMS,
    bounds::MISSING_MIN_PROPERTIES,
    values::REQUIRED_DEFAULT,
    values::NULLABLE_FIELD,
    values::MISSING_DESCRIPTION,
    values::INTEGER_FORMAT,
    values::FLOAT_FIELD,
    values::BOOLEAN_FIELD,
    values::DURATION_FORMAT,
    values::MAP_OF_OBJECTS,
    names::FIELD_NAME,
    names::PHASE_NAME,
    names::REFERENCE_NAME,
    names::TIMESTAMP_NAME,
    names::FORBIDDEN_NAME,
    names::KIND_NAME,
    names::VERSION_NAME,
    names::TAKEN_SHORT_NAME,
];

/// Returns a lint by its name.
pub(super) fn named(id: &str) -> Option<&'static Lint> {
    LINTS.iter().find(|lint| lint.id == id)
}
