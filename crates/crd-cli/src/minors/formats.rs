//! Formats that older minors do not enforce.

use std::collections::BTreeMap;

use crd_cel::kubernetes::KubernetesVersion;

use crate::compiled::is_format_of_type;
use crate::kubernetes::Minors;
use crate::model::CustomResourceDefinitionVersion;
use crate::schemas;
use crate::verdict::Incompatibility;

/// The places of a format: the first, and how many there are.
struct Places {
    first: String,
    count: usize,
}

/// A format and the `type` beside it.
type Format<'s> = (&'s str, &'s str);

/// Adds one line for each format of a version and minor, not one for each place, because most schemas of numbers have a
/// format.
pub(super) fn find(
    version: &CustomResourceDefinitionVersion,
    path: &str,
    minors: &Minors,
    found: &mut Vec<Incompatibility>,
) {
    let mut formats = BTreeMap::new();
    schemas::each(version, path, &mut |visited| {
        let schema = visited.schema;
        // The type of a number already rejects what these formats would reject.
        if schema.format.is_empty() || matches!(&*schema.format, "int64" | "double") {
            return;
        }
        let format: Format<'_> = (&schema.format, &schema.type_);
        let first = || Places { first: visited.path.to_owned(), count: 0 };
        formats.entry(format).or_insert_with(first).count += 1;
    });
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
