//! Converts a schema to one that `OpenAPI` v2 and its clients support.
//!
//! Source: `pkg/controller/openapi/v2/conversion.go` of apiextensions-apiserver (`ToStructuralOpenAPIV2`).

use crate::schema::{AdditionalProperties, Structural};

/// Removes the keywords that v2 does not have, and those that break its clients.
pub(super) fn downgrade(schema: &mut Structural) {
    let validation = &mut schema.validation;
    validation.all_of.clear();
    validation.any_of.clear();
    validation.one_of.clear();
    validation.not = None;
    if schema.generic.nullable {
        // A schema without a type, but with items or properties, breaks clients.
        schema.generic.type_.clear();
        schema.generic.nullable = false;
        schema.items = None;
        schema.properties.clear();
    }
    if schema.extensions.preserve_unknown_fields {
        schema.items = None;
        schema.properties.clear();
    }
    if schema.items.is_none() && schema.generic.type_ == "array" {
        schema.generic.type_.clear();
    }
    if schema.extensions.preserve_unknown_fields && schema.generic.type_ == "object" {
        schema.generic.type_.clear();
    }
    if let Some(required) = &mut validation.required {
        required.retain(|name| {
            !schema.properties.get(name).is_some_and(|property| property.generic.nullable)
        });
    }
    if let Some(AdditionalProperties::Schema(values)) = &schema.additional_properties
        && values.generic.nullable
    {
        validation.required = None;
    }
    // Nested schemas are converted last, because their conversion removes `nullable`, which the checks above read.
    if let Some(items) = &mut schema.items {
        downgrade(items);
    }
    schema.properties.values_mut().for_each(downgrade);
    if let Some(AdditionalProperties::Schema(values)) = &mut schema.additional_properties {
        downgrade(values);
    }
}
