//! Warnings of a CRD, for people.

use std::collections::HashSet;

use super::schemas;
use crate::model::CustomResourceDefinition;

/// Returns the server's warnings, each once, those of unknown formats with the place of the first one.
pub(super) fn once(warnings: Vec<String>, crd: &CustomResourceDefinition) -> Vec<String> {
    let mut seen = HashSet::new();
    let warnings = warnings.into_iter().filter(|warning| seen.insert(warning.clone()));
    let placed = warnings.map(|warning| {
        let format =
            warning.strip_prefix("unrecognized format \"").and_then(|rest| rest.strip_suffix('"'));
        match format.map(|format| places_of_format(crd, format)).as_deref() {
            None | Some([]) => warning,
            Some([place]) => format!("{place}: {warning}"),
            Some([place, others @ ..]) => {
                let times = others.len() + 1;
                format!("{place}: {warning} ({times} times in the CRD)")
            }
        }
    });
    placed.collect()
}

fn places_of_format(crd: &CustomResourceDefinition, format: &str) -> Vec<String> {
    let mut places = Vec::new();
    each(crd, &mut |visited| {
        if visited.schema.format == format {
            places.push(visited.path.to_owned());
        }
    });
    places
}

/// Returns a warning for each version whose objects may have a list `items` at their root. The server takes such an
/// object for a list, and cannot read what it has stored.
pub(super) fn of_items_at_root(crd: &CustomResourceDefinition) -> Vec<String> {
    let mut warnings = Vec::new();
    each(crd, &mut |visited| {
        let items = visited.schema.properties.as_ref().and_then(|fields| fields.get("items"));
        let is_list = items.is_some_and(|items| items.type_ == "array");
        if visited.parent.is_none() && is_list {
            let place = format!("{}.properties[items]", visited.path);
            warnings.push(format!(
                "{place}: the server takes an object with a list `items` at its root for a list of objects, and answers \
                 with status 500; use another name, or a field below `spec`"
            ));
        }
    });
    warnings
}

fn each<'s>(crd: &'s CustomResourceDefinition, visit: &mut dyn FnMut(schemas::Visited<'s, '_>)) {
    for (index, version) in crd.spec.versions.iter().enumerate() {
        schemas::each(version, &format!("spec.versions[{index}]"), visit);
    }
}
