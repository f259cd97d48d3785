//! Tables, as the server renders them for `kubectl get`.
//!
//! Source: `pkg/registry/customresource/tableconvertor/tableconvertor.go` of apiextensions-apiserver; the default
//! column is `getColumnsForVersion`'s in its `pkg/apihelpers`. The caller gives the current time.

mod age;
mod cell;

use std::time::SystemTime;

use serde_json::Value;

use crate::compiled::CompiledSchema;
use crate::json_path::Template;
use crate::model::PrinterColumn;

pub use age::human_duration;
pub use age::{between as time_between, of as age};
pub use cell::text;

/// The API's description of `metadata.name`. Source: `ObjectMeta.SwaggerDoc` of apimachinery.
pub const NAME_DESCRIPTION: &str = "Name must be unique within a namespace. Is required when creating resources, although some \
    resources may allow a client to request the generation of an appropriate name automatically. Name is primarily \
    intended for creation idempotence and configuration definition. Cannot be updated. More info: \
    https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";

/// The API's description of `metadata.creationTimestamp`. Source: `ObjectMeta.SwaggerDoc` of apimachinery.
pub const CREATION_DESCRIPTION: &str = "CreationTimestamp is a timestamp representing the server time when this object was \
    created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this \
    value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More \
    info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

/// A table, with a row for each object.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Table {
    /// The headers.
    pub columns: Vec<Column>,
    /// The cells of each object, in the order of the objects.
    pub rows: Vec<Vec<Value>>,
}

/// A header.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Column {
    /// The name, as the CRD spells it.
    pub name: String,
    /// `string`, `integer`, `number`, `boolean` or `date`.
    pub type_: String,
    /// The format, which does not affect cells.
    pub format: String,
    /// What the column shows.
    pub description: String,
    /// `kubectl` shows a column with a priority above 0 only with `-o wide`.
    pub priority: i32,
}

/// Renders objects, which the caller has [read](crate::admit::read), with ages at the time `now`.
///
/// # Examples
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// use crd_runtime::{CustomResource, compiled::CompiledSchema, table};
/// use serde::{Deserialize, Serialize};
/// use serde_json::json;
///
/// #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
/// #[crd(group = "example.com", version = "v1", kind = "Shirt", namespaced)]
/// #[crd(print_column(name = "Age", type = "date", path = ".metadata.creationTimestamp"))]
/// struct ShirtSpec {
///     #[crd(print_column)]
///     size: String,
/// }
///
/// let shirt = json!({
///     "apiVersion": "example.com/v1", "kind": "Shirt",
///     "metadata": {"name": "mine", "creationTimestamp": "1970-01-01T00:00:00Z"},
///     "spec": {"size": "M"},
/// });
/// let now = SystemTime::UNIX_EPOCH + Duration::from_secs(3 * 60 * 60);
/// let table = table::render(&CompiledSchema::of::<Shirt>()?, [&shirt], now);
/// let headings: Vec<&str> = table.columns.iter().map(|column| &*column.name).collect();
/// assert_eq!(headings, ["Name", "Size", "Age"]);
/// assert_eq!(table.rows, [[json!("mine"), json!("M"), json!("3h")]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn render<'a>(
    schema: &CompiledSchema,
    objects: impl IntoIterator<Item = &'a Value>,
    now: SystemTime,
) -> Table {
    of_columns(schema.resource().printer_columns.clone(), objects, now)
}

/// Renders the table of scales of custom resources.
///
/// Source: `getScaleColumnsForVersion` of apiextensions-apiserver `pkg/apiserver/helpers.go`.
pub fn render_scales<'a>(scales: impl IntoIterator<Item = &'a Value>, now: SystemTime) -> Table {
    let replicas = |name: &str, description: &str, json_path: &str| PrinterColumn {
        name: name.to_owned(),
        type_: "integer".to_owned(),
        description: description.to_owned(),
        json_path: json_path.to_owned(),
        ..PrinterColumn::default()
    };
    let columns = vec![
        replicas("Desired", "Number of desired replicas", ".spec.replicas"),
        replicas("Available", "Number of actual replicas", ".status.replicas"),
        age_column(),
    ];
    of_columns(columns, scales, now)
}

fn of_columns<'a>(
    columns: Vec<PrinterColumn>,
    objects: impl IntoIterator<Item = &'a Value>,
    now: SystemTime,
) -> Table {
    let paths = paths(columns);
    let rows = objects.into_iter().map(|object| row(&paths, object, now)).collect();
    let mut columns = vec![Column {
        name: "Name".to_owned(),
        type_: "string".to_owned(),
        format: "name".to_owned(),
        description: NAME_DESCRIPTION.to_owned(),
        priority: 0,
    }];
    columns.extend(paths.into_iter().map(|(column, _)| header(column)));
    Table { columns, rows }
}

fn age_column() -> PrinterColumn {
    PrinterColumn {
        name: "Age".to_owned(),
        type_: "date".to_owned(),
        description: CREATION_DESCRIPTION.to_owned(),
        json_path: ".metadata.creationTimestamp".to_owned(),
        ..PrinterColumn::default()
    }
}

/// Parses the paths of the columns up to the first that is invalid, as upstream does. A table without columns gets the
/// column of the age.
fn paths(mut columns: Vec<PrinterColumn>) -> Vec<(PrinterColumn, Template)> {
    if columns.is_empty() {
        columns.push(age_column());
    }
    columns
        .into_iter()
        .map_while(|column| Template::parse_path(&column.json_path).ok().map(|path| (column, path)))
        .collect()
}

fn header(column: PrinterColumn) -> Column {
    let description = if column.description.is_empty() {
        format!("Custom resource definition column (in JSONPath format): {}", column.json_path)
    } else {
        column.description
    };
    Column {
        name: column.name,
        type_: column.type_,
        format: column.format,
        description,
        priority: column.priority,
    }
}

fn row(paths: &[(PrinterColumn, Template)], object: &Value, now: SystemTime) -> Vec<Value> {
    let name = object.pointer("/metadata/name").and_then(Value::as_str).unwrap_or_default();
    let cells = paths.iter().map(|(column, path)| {
        let groups = path.find(object).unwrap_or_default();
        // Upstream shows only the first value.
        let value = groups.first().and_then(|group| group.first());
        value.map_or(Value::Null, |value| cell::of(&column.type_, value, now))
    });
    std::iter::once(Value::from(name)).chain(cells).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::CustomResourceDefinition;

    fn schema(columns: &Value) -> CompiledSchema {
        let any = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        let crd: CustomResourceDefinition = crd_fixtures::crd("example.com", "Shirt")
            .version("v1", any)
            .set("/spec/versions/0/additionalPrinterColumns", columns)
            .read();
        CompiledSchema::for_version(&crd, "v1").expect("a schema")
    }

    fn object() -> Value {
        json!({
            "metadata": {"name": "mine", "creationTimestamp": "1970-01-01T00:00:00Z"},
            "spec": {"n": 3, "f": 2.7, "whole": 2.0, "big": 1e30, "s": "x", "b": true, "z": null, "l": [1, "<"], "o": {"b": 1.0, "a": 2}},
        })
    }

    #[track_caller]
    fn check(type_: &str, path: &str, want: &Value) {
        let schema = schema(&json!([{"name": "C", "type": type_, "jsonPath": path}]));
        let now = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(90);
        let table = render(&schema, [&object()], now);
        assert_eq!(table.rows, [vec![json!("mine"), want.clone()]], "{type_} {path}");
    }

    #[test]
    fn cells_of_each_type() {
        check("string", ".spec.s", &json!("x"));
        check("string", ".spec.n", &json!("3"));
        check("string", ".spec.f", &json!("2.7"));
        check("string", ".spec.whole", &json!("2"));
        check("string", ".spec.big", &json!("1e+30"));
        check("string", ".spec.b", &json!("true"));
        check("string", ".spec.l", &json!("[1,\"\\u003c\"]"));
        check("string", ".spec.o", &json!("{\"a\":2,\"b\":1}"));
        check("string", ".spec.z", &json!("<no value>"));
        check("integer", ".spec.n", &json!(3));
        check("integer", ".spec.f", &json!(2));
        check("integer", ".spec.big", &json!(i64::MIN));
        check("integer", ".spec.s", &Value::Null);
        check("number", ".spec.n", &json!(3.0));
        check("number", ".spec.f", &json!(2.7));
        check("boolean", ".spec.b", &json!(true));
        check("boolean", ".spec.s", &Value::Null);
        check("date", ".metadata.creationTimestamp", &json!("90s"));
        check("date", ".spec.s", &json!("<invalid>"));
        check("date", ".spec.n", &Value::Null);
        check("date", ".spec.missing", &Value::Null);
        check("integer", ".spec.z", &Value::Null);
        check("integer", ".spec.l[5]", &Value::Null);
    }

    #[test]
    fn columns_after_an_invalid_path_are_left_out() {
        let columns = json!([
            {"name": "A", "type": "integer", "jsonPath": ".spec.n"},
            {"name": "B", "type": "string", "jsonPath": ".a]"},
            {"name": "C", "type": "string", "jsonPath": ".spec.s"},
        ]);
        let table = render(&schema(&columns), [&object()], SystemTime::UNIX_EPOCH);
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["Name", "A"]);
        assert_eq!(table.rows, [vec![json!("mine"), json!(3)]]);
    }

    #[test]
    fn the_age_is_the_default_column() {
        let table = render(&schema(&json!([])), [&object()], SystemTime::UNIX_EPOCH);
        assert_eq!(table.columns[1].name, "Age");
        assert_eq!(table.rows, [vec![json!("mine"), json!("0s")]]);
    }

    #[test]
    fn a_column_without_description_is_described_by_its_path() {
        let columns = json!([{"name": "A", "type": "integer", "jsonPath": ".spec.n", "priority": 1, "format": "int32"}]);
        let table = render(&schema(&columns), [], SystemTime::UNIX_EPOCH);
        let want = Column {
            name: "A".to_owned(),
            type_: "integer".to_owned(),
            format: "int32".to_owned(),
            description: "Custom resource definition column (in JSONPath format): .spec.n"
                .to_owned(),
            priority: 1,
        };
        assert_eq!(table.columns[1], want);
    }
}
