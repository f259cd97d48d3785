//! Finds the types that several kinds have, and names and documents each once for all.

use std::collections::{BTreeMap, BTreeSet};

use super::kind::Version;
use super::model::{Common, CommonType, Item};
use super::names;
use super::type_names::{Uses, common_name, imported, reserved, uses};

/// The places of a schema in all kinds.
struct Found<'a> {
    /// The kinds that have it, by their places.
    kinds: BTreeSet<usize>,
    uses: Uses<'a>,
    first: (&'a Version, &'a Item),
}

/// Finds the types that occur in several kinds, each of which has versions.
pub(super) fn of_kinds<'a>(kinds: impl IntoIterator<Item = &'a [Version]>) -> Common {
    let mut found: BTreeMap<&str, Found<'a>> = BTreeMap::new();
    let mut taken = reserved();
    for (kind, versions) in kinds.into_iter().enumerate() {
        for version in versions {
            taken.insert(names::kind(&version.kind));
            taken.extend(imported(version));
            for (item, uses) in version.items.iter().zip(uses(version)) {
                let Some(schema) = &item.schema else { continue };
                let found = found.entry(schema).or_insert_with(|| Found {
                    kinds: BTreeSet::new(),
                    uses: Uses::default(),
                    first: (version, item),
                });
                found.kinds.insert(kind);
                found.uses.add(&uses);
            }
        }
    }
    let mut common: Vec<_> = found.into_iter().filter(|(_, it)| it.kinds.len() > 1).collect();
    // Types near the root choose their names first, after those that have one already.
    common.sort_by_key(|(_, found)| found.first.1.path.len());
    common.sort_by_key(|(_, found)| found.first.1.previous.is_none());
    let types = common.into_iter().map(|(schema, Found { uses, first, .. })| {
        let doc = uses.doc().map(str::to_owned);
        let previous = first.1.previous.clone().filter(|name| !taken.contains(name));
        let name =
            previous.unwrap_or_else(|| common_name(first.0, first.1, doc.as_deref(), &taken));
        taken.insert(name.clone());
        (schema.to_owned(), CommonType { name, doc })
    });
    Common { types: types.collect() }
}
