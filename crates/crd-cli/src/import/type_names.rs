//! Names and documents the types of a version: a name is as short as it can be without two types of one name.

use std::collections::{BTreeMap, BTreeSet};

use super::kind::{Root, Version};
use super::model::{Body, Type, Use};
use super::names;
use crate::identifiers::pascal;

/// Names that a generated type cannot have, because the source uses them otherwise.
const TAKEN: [&str; 30] = [
    "BTreeMap",
    "Box",
    "ByteString",
    "Clone",
    "Condition",
    "Copy",
    "CrdSchema",
    "CustomResource",
    "Debug",
    "Default",
    "Deserialize",
    "Drop",
    "Err",
    "IntOrString",
    "None",
    "ObjectMeta",
    "Ok",
    "Option",
    "Quantity",
    "Result",
    "Self",
    "Send",
    "Serialize",
    "Some",
    "String",
    "Sync",
    "Time",
    "TypeMeta",
    "Vec",
    "Sized",
];

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

/// Chooses a name for each item: as short as it can be without two types of one name.
pub(super) fn item_names(version: &Version, item_docs: &[Option<String>]) -> Vec<String> {
    let kind = names::kind(&version.kind);
    let mut taken: BTreeSet<String> = TAKEN.iter().map(|&name| name.to_owned()).collect();
    taken.insert(kind.clone());
    // Types near the root choose first.
    let mut order: Vec<usize> = (0..version.items.len()).collect();
    order.sort_by_key(|&index| version.items[index].path.len());
    let mut names = BTreeMap::new();
    for index in order {
        let title = version.items[index].title.as_deref();
        let described = title.or_else(|| item_docs[index].as_deref().and_then(described_name));
        let name = item_name(&version.items[index].path, described, &kind, &taken);
        taken.insert(name.clone());
        names.insert(index, name);
    }
    names.into_values().collect()
}

fn item_name(
    path: &[String],
    described: Option<&str>,
    kind: &str,
    taken: &BTreeSet<String>,
) -> String {
    // The first word is the kind's, with its acronyms.
    let words = path.iter().enumerate();
    let words = words.map(|(index, word)| if index == 0 { word.clone() } else { pascal(word) });
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
            if !taken.contains(&name) {
                return name;
            }
        }
    }
    let name = without_repetition(&all);
    names::numbered(&name, taken)
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

/// Returns the description of each item that all its uses agree on. A field may have another one, but not none, since
/// it would then have that of its type.
pub(super) fn item_docs(version: &Version) -> Vec<Option<String>> {
    /// The descriptions of the elements that are of a type, and whether it can have one.
    #[derive(Clone, Default)]
    struct Uses<'a> {
        elements: BTreeSet<&'a str>,
        has_bare: bool,
    }
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
    let roots = match &version.root {
        Root::Itself { fields, .. } => &fields[..],
        Root::Spec { .. } => &[],
    };
    let of_items = version.items.iter().filter_map(|item| match &item.body {
        Body::Struct { fields, .. } | Body::Union(fields) => Some(fields),
        Body::Enum(_) => None,
    });
    for field in roots.iter().chain(of_items.flatten()) {
        add(&field.of, false, &mut uses);
    }
    let docs = uses.into_iter().map(|Uses { elements, has_bare }| {
        let mut elements = elements.into_iter();
        let (first, second) = (elements.next(), elements.next());
        first.filter(|_| second.is_none() && !has_bare).map(str::to_owned)
    });
    let mut docs: Vec<_> = docs.collect();
    if let Root::Spec { status: Some((status, description)), .. } = &version.root {
        docs[*status].clone_from(description);
    }
    docs
}
