//! Formats that older minors do not enforce.

use std::collections::BTreeMap;

use crd_cel::kubernetes::KubernetesVersion;

use crate::cli::kubernetes::Minors;
use crate::cli::verdict::Incompatibility;
use crate::compiled::is_format_of_type;
use crate::model::{CustomResourceDefinitionVersion, JsonSchemaProps, SchemaOrArray, SchemaOrBool};
use crate::schema::MAX_SCHEMA_DEPTH;

/// The places of a format: the first, and how many there are.
struct Places {
    first: String,
    count: usize,
}

/// A format and the type it stands at.
type Format<'s> = (&'s str, &'s str);

/// One line for each format of a version and minor: formats of numbers are everywhere.
pub(super) fn find(
    version: &CustomResourceDefinitionVersion,
    path: &str,
    minors: &Minors,
    found: &mut Vec<Incompatibility>,
) {
    let schema = version.schema.as_ref().and_then(|schema| schema.open_api_v3_schema.as_ref());
    let Some(schema) = schema else { return };
    let mut formats = BTreeMap::new();
    collect(schema, &format!("{path}.schema.openAPIV3Schema"), 0, &mut formats);
    for ((format, type_), Places { first, count }) in formats {
        let is_enforced = |minor: &KubernetesVersion| is_format_of_type(format, type_, *minor);
        let known = KubernetesVersion::ALL;
        for minor in minors.all().iter().filter(|minor| !is_enforced(minor)) {
            let later = known.iter().filter(|later| *later > minor);
            let Some(since) = later.into_iter().find(|later| is_enforced(later)) else { continue };
            let others = match count {
                1 => String::new(),
                2 => " (and at 1 other place)".to_owned(),
                count => format!(" (and at {} other places)", count - 1),
            };
            let message =
                format!("the format `{format}`{others} is not enforced before Kubernetes {since}");
            let field = format!("{first}.format");
            found.push(Incompatibility::new(*minor, false, &field, message));
        }
    }
}

fn collect<'s>(
    schema: &'s JsonSchemaProps,
    path: &str,
    depth: usize,
    formats: &mut BTreeMap<Format<'s>, Places>,
) {
    // Numbers beyond those of `int64` and `double` are refused by their type.
    if !schema.format.is_empty() && !matches!(&*schema.format, "int64" | "double") {
        let key = (schema.format.as_str(), schema.type_.as_str());
        let places =
            formats.entry(key).or_insert_with(|| Places { first: path.to_owned(), count: 0 });
        places.count += 1;
    }
    if depth == MAX_SCHEMA_DEPTH {
        return;
    }
    let mut below =
        |schema: &'s JsonSchemaProps, path: &str| collect(schema, path, depth + 1, formats);
    for (name, property) in schema.properties.iter().flatten() {
        below(property, &format!("{path}.properties[{name}]"));
    }
    if let Some(SchemaOrArray::Schema(items)) = &schema.items {
        below(items, &format!("{path}.items"));
    }
    if let Some(SchemaOrBool::Schema(values)) = &schema.additional_properties {
        below(values, &format!("{path}.additionalProperties"));
    }
}
