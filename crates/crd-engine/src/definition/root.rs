//! Checks the keywords at the root of a schema with the status subresource: the server validates a status by the schema
//! of the status alone, without the keywords of the root.

use super::options::Options;
use super::{defaults, dump};
use crate::field::{Path, Sink};
use crate::model::JsonSchemaProps;

/// Reports the first keyword that the root of a schema with the status subresource cannot have.
///
/// Source: `validateCustomResourceDefinitionValidation`.
pub(super) fn check_with_status(
    props: &JsonSchemaProps,
    options: &Options,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    for (keyword, present) in keywords(props) {
        if !present {
            continue;
        }
        match keyword {
            Keyword::Type if props.type_ == "object" => {}
            Keyword::Type => {
                let detail = "only \"object\" is allowed as the type at the root of the schema if \
                              the status subresource is enabled";
                errors.invalid(&path.field("type"), props.type_.as_str(), detail);
                return;
            }
            Keyword::Forbidden => {
                let detail = format!(
                    "only [{ALLOWED}] fields are allowed at the root of the schema if the status \
                     subresource is enabled"
                );
                errors.invalid(path, dump::schema(&defaults::shown(props, options)), detail);
                return;
            }
        }
    }
}

/// The names of the allowed keywords, as the error lists them.
///
/// Source: `allowedFieldsAtRootSchema`.
const ALLOWED: &str = "Description Type Format Title Maximum ExclusiveMaximum Minimum \
    ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required \
    Items Properties ExternalDocs Example XPreserveUnknownFields XValidations";

#[derive(Debug, Clone, Copy)]
enum Keyword {
    Type,
    Forbidden,
}

/// The keywords of a schema in the order of the Go struct, because the first error ends the check. The allowed keywords
/// other than `type` are left out, because they have no effect.
fn keywords(props: &JsonSchemaProps) -> [(Keyword, bool); 23] {
    use Keyword::{Forbidden, Type};
    let JsonSchemaProps { pattern_properties, dependencies, definitions, .. } = props;
    [
        (Forbidden, !props.id.is_empty()),
        (Forbidden, !props.schema.is_empty()),
        (Forbidden, props.ref_.is_some()),
        (Type, !props.type_.is_empty()),
        (Forbidden, props.nullable),
        (Forbidden, super::search::has_default(props)),
        (Forbidden, props.enum_.is_some()),
        (Forbidden, props.max_properties.is_some()),
        (Forbidden, props.min_properties.is_some()),
        (Forbidden, props.all_of.is_some()),
        (Forbidden, props.one_of.is_some()),
        (Forbidden, props.any_of.is_some()),
        (Forbidden, props.not.is_some()),
        (Forbidden, props.additional_properties.is_some()),
        (Forbidden, pattern_properties.is_some()),
        (Forbidden, dependencies.is_some()),
        (Forbidden, props.additional_items.is_some()),
        (Forbidden, definitions.is_some()),
        (Forbidden, props.x_embedded_resource),
        (Forbidden, props.x_int_or_string),
        (Forbidden, props.x_list_map_keys.is_some()),
        (Forbidden, props.x_list_type.is_some()),
        (Forbidden, props.x_map_type.is_some()),
    ]
}
