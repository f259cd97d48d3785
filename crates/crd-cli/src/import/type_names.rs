//! Names and documents the types of a version: a name is as short as it can be without two types of one name.

use std::collections::{BTreeMap, BTreeSet};

use super::kind::{Root, Version};
use super::model::{Body, Common, Field, Item, Type, Use};
use super::names;
use crate::identifiers::pascal;

/// Words that say too little alone, so that the name of the type begins with the word above.
const VAGUE: [&str; 33] = [
    "Config",
    "Configuration",
    "Data",
    "Entry",
    "Format",
    "Item",
    "Kind",
    "Level",
    "Match",
    "Metadata",
    "Method",
    "Mode",
    "Name",
    "OneOf",
    "Operator",
    "Option",
    "Options",
    "Parameter",
    "Phase",
    "Policy",
    "Protocol",
    "Reference",
    "Rule",
    "Scope",
    "Source",
    "Spec",
    "State",
    "Status",
    "Strategy",
    "Target",
    "Template",
    "Type",
    "Value",
];

/// The largest number of letters in a name, so that the lines with it are not too long.
const MAX_NAME: usize = 48;

/// Chooses a name for each item: as short as it can be without two types of one name.
pub(super) fn item_names(
    version: &Version,
    item_docs: &[Option<String>],
    common: &Common,
) -> Vec<String> {
    let kind = names::kind(&version.kind);
    let mut taken = reserved();
    taken.extend(imported(version));
    taken.insert(kind.clone());
    let mut names: BTreeMap<usize, String> = BTreeMap::new();
    for (index, item) in version.items.iter().enumerate() {
        if let Some(of) = common.of(item) {
            taken.insert(of.name.clone());
            names.insert(index, of.name.clone());
        }
    }
    // Types near the root choose first, after those that have a name already.
    let own = (0..version.items.len()).filter(|index| !names.contains_key(index));
    let mut order: Vec<usize> = own.collect();
    order.sort_by_key(|&index| {
        let Item { previous, path, .. } = &version.items[index];
        (previous.is_none(), path.len())
    });
    for index in order {
        let item = &version.items[index];
        let previous = item.previous.clone().filter(|name| !taken.contains(name));
        let name = previous.unwrap_or_else(|| {
            let described = described(item, item_docs[index].as_deref());
            item_name(&item.path, described, &kind, &taken)
        });
        taken.insert(name.clone());
        names.insert(index, name);
    }
    names.into_values().collect()
}

/// Chooses a name for a type of several kinds. It does not begin with the kind that has it first, unless nothing else is
/// free.
pub(super) fn common_name(
    version: &Version,
    item: &Item,
    doc: Option<&str>,
    taken: &BTreeSet<String>,
) -> String {
    let kind = names::kind(&version.kind);
    let described = described(item, doc);
    let below = item_name(item.path.get(1..).unwrap_or_default(), described, &kind, taken);
    if below.ends_with(|c: char| c.is_ascii_digit()) {
        item_name(&item.path, described, &kind, taken)
    } else {
        below
    }
}

/// Returns the names that no generated type can have.
pub(super) fn reserved() -> BTreeSet<String> {
    names::TAKEN.iter().map(|&name| name.to_owned()).collect()
}

/// Returns the name that a schema or its description gives to the type.
fn described<'a>(item: &'a Item, doc: Option<&'a str>) -> Option<&'a str> {
    item.title.as_deref().or_else(|| doc.and_then(described_name))
}

fn item_name(
    path: &[String],
    described: Option<&str>,
    kind: &str,
    taken: &BTreeSet<String>,
) -> String {
    // The first word is the kind's, with its acronyms.
    let words = path.iter().enumerate();
    let words = words.map(|(index, word)| {
        let is_kind = index == 0 && word.starts_with(kind);
        if is_kind { word.clone() } else { pascal(word) }
    });
    let all: Vec<String> = words.filter(|word| !word.is_empty()).collect();
    let (spec, status) = (format!("{kind}Spec"), format!("{kind}Status"));
    // What is below `spec` is named after the kind: `spec` says nothing of it.
    let mut words = all.clone();
    if words.len() > 1 && (words[0] == spec || words[0] == status) {
        kind.clone_into(&mut words[0]);
    } else if words.len() > 2 && words[0] == kind && ["Spec", "Status"].contains(&words[1].as_str())
    {
        words.remove(1);
    }
    let last = words.last().cloned().unwrap_or_else(|| kind.to_owned());
    let is_root_part =
        words.len() == 2 && words[0] == kind && ["Spec", "Status"].contains(&last.as_str());
    // Go's comments begin with the name of the type.
    if let Some(name) = described.filter(|name| !is_root_part && !taken.contains(*name)) {
        return name.to_owned();
    }
    let is_vague = VAGUE.contains(&last.as_str()) && words.len() > 1;
    let least = if is_root_part || is_vague { 2 } else { 1 };
    for words in [&words, &all] {
        for count in least..=words.len() {
            let name = without_repetition(&words[words.len() - count..]);
            if !taken.contains(&name) && name.len() <= MAX_NAME {
                return name;
            }
        }
    }
    // The ends say more than all words in between.
    let ends = [all.first().cloned().unwrap_or_default(), last];
    names::numbered(&without_repetition(if all.len() > 1 { &ends } else { &all }), taken)
}

/// Returns the name of the type with which a Go comment begins, as in `HubSource is used to ..`.
fn described_name(description: &str) -> Option<&str> {
    let (name, rest) = description.split_once(' ')?;
    let verb = rest.split_whitespace().next()?;
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric())
        && name.chars().filter(char::is_ascii_uppercase).count() > 1
        && name.contains(|c: char| c.is_ascii_lowercase());
    let is_verb = [
        "is",
        "are",
        "defines",
        "describes",
        "represents",
        "holds",
        "contains",
        "specifies",
        "configures",
        "provides",
        "references",
        "refers",
        "has",
        "stores",
        "captures",
        "indicates",
        "allows",
        "encapsulates",
        "gives",
    ];
    (is_name && is_verb.contains(&verb)).then_some(name)
}

/// Joins words; one that begins with the word before it does not repeat it.
fn without_repetition(words: &[String]) -> String {
    let mut out = String::new();
    for (index, word) in words.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| &words[before]);
        match before {
            Some(before) if word.starts_with(before.as_str()) && word.len() > before.len() => {
                out.truncate(out.len() - before.len());
                out.push_str(word);
            }
            _ => out.push_str(word),
        }
    }
    out
}

/// What the places of a type say of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Uses<'a> {
    /// The descriptions of elements of the type.
    elements: BTreeSet<&'a str>,
    /// Whether a place has no description.
    has_bare: bool,
}

impl<'a> Uses<'a> {
    pub(super) fn add(&mut self, other: &Self) {
        self.elements.extend(&other.elements);
        self.has_bare |= other.has_bare;
    }

    /// Returns the description that all places agree on. A field may have another one, but not none, since it would then
    /// have that of its type.
    pub(super) fn doc(&self) -> Option<&'a str> {
        let mut elements = self.elements.iter();
        let (first, second) = (elements.next(), elements.next());
        first.copied().filter(|_| second.is_none() && !self.has_bare)
    }
}

/// Returns what the places of each item say.
pub(super) fn uses(version: &Version) -> Vec<Uses<'_>> {
    fn add<'a>(of: &'a Use, is_element: bool, uses: &mut Vec<Uses<'a>>) {
        match &of.ty {
            Type::Item(item) => match &of.description {
                Some(text) if is_element => drop(uses[*item].elements.insert(text)),
                Some(_) => {}
                None => uses[*item].has_bare = true,
            },
            Type::List(of) | Type::Map(of) => add(of, true, uses),
            Type::Plain(_) | Type::Imported(_) => {}
        }
    }
    let mut uses = vec![Uses::default(); version.items.len()];
    for field in fields(version) {
        add(&field.of, false, &mut uses);
    }
    uses
}

/// Returns the fields of the root and of all items.
fn fields(version: &Version) -> impl Iterator<Item = &Field> {
    let roots = match &version.root {
        Root::Itself { fields, .. } => &fields[..],
        Root::Spec { .. } => &[],
    };
    let of_items = version.items.iter().filter_map(|item| match &item.body {
        Body::Struct { fields, .. } | Body::Union(fields) => Some(fields),
        Body::Enum(_) => None,
    });
    roots.iter().chain(of_items.flatten())
}

/// Returns the names of the types that the version imports.
pub(super) fn imported(version: &Version) -> impl Iterator<Item = String> {
    fn path(of: &Use) -> Option<&'static str> {
        match &of.ty {
            Type::Imported(path) => Some(path),
            Type::List(of) | Type::Map(of) => path(of),
            Type::Plain(_) | Type::Item(_) => None,
        }
    }
    let paths = fields(version).filter_map(|field| path(&field.of));
    paths.filter_map(|path| path.rsplit("::").next()).map(str::to_owned)
}

/// Returns the documentation of each item.
pub(super) fn item_docs(version: &Version, common: &Common) -> Vec<Option<String>> {
    let docs = uses(version).into_iter().zip(&version.items).map(|(uses, item)| {
        common.of(item).map_or_else(|| uses.doc().map(str::to_owned), |of| of.doc.clone())
    });
    let mut docs: Vec<_> = docs.collect();
    if let Root::Spec { status: Some((status, description)), .. } = &version.root {
        docs[*status].clone_from(description);
    }
    docs
}
