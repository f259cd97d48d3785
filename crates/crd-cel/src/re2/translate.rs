//! Translates a parsed pattern to `regex-syntax`'s HIR, with Go's semantics.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{
    Class as HirClass, ClassUnicode, ClassUnicodeRange, Dot, Hir, HirKind, Look as HirLook,
    Repetition,
};

use super::ast::{Class, ClassItem, Look, MAX_RUNE, PatternNode};
use super::unicode_names::UnicodeClass;

/// The version of Unicode in Go 1.26 (`unicode.Version`).
///
/// Divergence: one code point, U+1171E, has changed its category since; here it has the newer
/// category.
const UNICODE_VERSION: &str = "15.0";

/// Translates a pattern. Recursion is bounded by the parser's limit of height.
pub(super) fn translate(node: &PatternNode) -> Hir {
    match node {
        PatternNode::Empty => Hir::empty(),
        PatternNode::Literal { runes, fold_case } => literal(runes, *fold_case),
        PatternNode::Class(class) => Hir::class(HirClass::Unicode(resolve(class))),
        PatternNode::Any { line_feed: true } => Hir::dot(Dot::AnyChar),
        PatternNode::Any { line_feed: false } => Hir::dot(Dot::AnyCharExceptLF),
        PatternNode::Look(look) => Hir::look(match look {
            Look::BeginLine => HirLook::StartLF,
            Look::EndLine => HirLook::EndLF,
            Look::BeginText => HirLook::Start,
            Look::EndText => HirLook::End,
            Look::WordBoundary => HirLook::WordAscii,
            Look::NoWordBoundary => HirLook::WordAsciiNegate,
        }),
        PatternNode::Repeat { min, max, greedy, node } => Hir::repetition(Repetition {
            min: *min,
            max: *max,
            greedy: *greedy,
            sub: Box::new(translate(node)),
        }),
        PatternNode::Concat(nodes) => Hir::concat(nodes.iter().map(translate).collect()),
        PatternNode::Alternate(nodes) => Hir::alternation(nodes.iter().map(translate).collect()),
    }
}

/// The pattern with only the code points of ASCII in its classes. It has the same matches in a text of ASCII, and is
/// small however large its classes are. Recursion is bounded by the parser's limit of height.
pub(super) fn within_ascii(node: PatternNode) -> PatternNode {
    let all = |nodes: Vec<PatternNode>| nodes.into_iter().map(within_ascii).collect();
    match node {
        PatternNode::Class(class) => {
            let mut ascii = resolve(&class);
            ascii.intersect(&range(0, 0x7F));
            let item = |range: &ClassUnicodeRange| {
                ClassItem::Range(range.start().into(), range.end().into())
            };
            let items = ascii.ranges().iter().map(item).collect();
            PatternNode::Class(Class { items, ..Class::default() })
        }
        PatternNode::Repeat { min, max, greedy, node } => {
            PatternNode::Repeat { min, max, greedy, node: Box::new(within_ascii(*node)) }
        }
        PatternNode::Concat(nodes) => PatternNode::Concat(all(nodes)),
        PatternNode::Alternate(nodes) => PatternNode::Alternate(all(nodes)),
        node @ (PatternNode::Empty
        | PatternNode::Literal { .. }
        | PatternNode::Any { .. }
        | PatternNode::Look(_)) => node,
    }
}

fn literal(runes: &[u32], fold_case: bool) -> Hir {
    let rune = |&rune: &u32| match char::from_u32(rune) {
        Some(c) if !fold_case => Hir::literal(c.encode_utf8(&mut [0; 4]).as_bytes()),
        _ => Hir::class(HirClass::Unicode(letter(rune, fold_case))),
    };
    Hir::concat(runes.iter().map(rune).collect())
}

/// The class of a code point and its other cases; empty for a surrogate, which no text contains.
pub(super) fn letter(rune: u32, fold_case: bool) -> ClassUnicode {
    let mut class = range(rune, rune);
    if fold_case {
        fold(&mut class);
    }
    class
}

/// The code points of a class.
///
/// Takes time in proportion to the number of items and to the sizes of their Unicode tables, each
/// counted once.
pub(super) fn resolve(class: &Class) -> ClassUnicode {
    // Ranges, and ASCII classes that are not negated, are folded together.
    let mut plain = Vec::new();
    let mut all = Vec::new();
    let mut tables: HashSet<&ClassItem> = HashSet::new();
    for item in &class.items {
        match item {
            ClassItem::Range(low, high) => plain.extend_from_slice(range(*low, *high).ranges()),
            ClassItem::Ascii { .. } | ClassItem::Unicode { .. } if !tables.insert(item) => {}
            ClassItem::Ascii { ranges, negated: false } => plain.extend(ascii(ranges)),
            ClassItem::Ascii { ranges, negated: true } => {
                let mut part = ClassUnicode::new(ascii(ranges));
                if class.fold_case {
                    fold(&mut part);
                }
                part.negate();
                all.extend_from_slice(part.ranges());
            }
            ClassItem::Unicode { class: named, negated } => {
                all.extend_from_slice(named_class(*named, class.fold_case, *negated).ranges());
            }
        }
    }
    let mut plain = ClassUnicode::new(plain);
    if class.fold_case {
        fold(&mut plain);
    }
    all.extend_from_slice(plain.ranges());
    let mut all = ClassUnicode::new(all);
    if class.negated {
        all.negate();
    }
    all
}

fn ascii(ranges: &'static [(u8, u8)]) -> impl Iterator<Item = ClassUnicodeRange> {
    ranges.iter().map(|(low, high)| ClassUnicodeRange::new((*low).into(), (*high).into()))
}

/// The class of a node that matches a single code point.
pub(super) fn single(node: &PatternNode) -> Option<ClassUnicode> {
    match node {
        PatternNode::Literal { runes, fold_case } => match runes[..] {
            [rune] => Some(letter(rune, *fold_case)),
            _ => None,
        },
        PatternNode::Class(class) => Some(resolve(class)),
        PatternNode::Any { line_feed: true } => Some(range(0, MAX_RUNE)),
        PatternNode::Any { line_feed: false } => Some(any_but_line_feed()),
        PatternNode::Empty
        | PatternNode::Look(_)
        | PatternNode::Repeat { .. }
        | PatternNode::Concat(_)
        | PatternNode::Alternate(_) => None,
    }
}

/// The class of `.`.
pub(super) fn any_but_line_feed() -> ClassUnicode {
    let mut class = letter('\n'.into(), false);
    class.negate();
    class
}

/// A range of code points without the surrogates in it.
pub(super) fn range(low: u32, high: u32) -> ClassUnicode {
    let below = char::from_u32(low.min(0xD7FF)).zip(char::from_u32(high.min(0xD7FF)));
    let above = char::from_u32(low.max(0xE000)).zip(char::from_u32(high.max(0xE000)));
    let mut class = ClassUnicode::empty();
    if let Some((from, to)) = below.filter(|_| low <= 0xD7FF) {
        class.push(ClassUnicodeRange::new(from, to));
    }
    if let Some((from, to)) = above.filter(|_| high >= 0xE000) {
        class.push(ClassUnicodeRange::new(from, to));
    }
    class
}

/// Adds the other cases of each code point, by Unicode's simple case folding.
fn fold(class: &mut ClassUnicode) {
    let mut unknown = class.clone();
    unknown.difference(known());
    class.intersect(known());
    // The tables are compiled in: the feature `unicode-case` is on.
    let _ = class.try_case_fold_simple();
    class.intersect(known());
    class.union(&unknown);
}

/// The code points that Go's Unicode knows, which is older than that of `regex-syntax`.
fn known() -> &'static ClassUnicode {
    static KNOWN: OnceLock<ClassUnicode> = OnceLock::new();
    KNOWN.get_or_init(|| {
        // An unassigned code point has no age; it is not in Go's tables either.
        let mut known = table("age", UNICODE_VERSION);
        // Code points for private use are in Go's tables.
        known.union(&table("gc", "Co"));
        known
    })
}

/// A class of Unicode with the other cases of its letters, or its complement.
///
/// Classes are made once for all patterns: there are some 200 names, with at most 5 KiB for each of
/// four forms.
fn named_class(class: UnicodeClass, fold_case: bool, negated: bool) -> Arc<ClassUnicode> {
    type Made = HashMap<(UnicodeClass, bool, bool), Arc<ClassUnicode>>;
    static MADE: LazyLock<Mutex<Made>> = LazyLock::new(Mutex::default);
    let key = (class, fold_case, negated);
    let lock = || MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(made) = lock().get(&key) {
        return Arc::clone(made);
    }
    let mut resolved = unicode(class);
    if fold_case {
        fold(&mut resolved);
    }
    if negated {
        resolved.negate();
    }
    Arc::clone(lock().entry(key).or_insert_with(|| Arc::new(resolved)))
}

fn unicode(class: UnicodeClass) -> ClassUnicode {
    match class {
        UnicodeClass::Any => range(0, MAX_RUNE),
        UnicodeClass::Ascii => range(0, 0x7F),
        UnicodeClass::Assigned => {
            let mut class = unicode(UnicodeClass::Category("Cn"));
            class.negate();
            class
        }
        // Surrogates only.
        UnicodeClass::Category("Cs") => ClassUnicode::empty(),
        UnicodeClass::Category(name @ ("C" | "Cn")) => {
            let mut newer = table("gc", "Assigned");
            newer.difference(known());
            let mut class = table("gc", name);
            class.union(&newer);
            class
        }
        UnicodeClass::Category(name) => of_known(table("gc", name)),
        UnicodeClass::Script(name) => of_known(table("sc", name)),
    }
}

fn of_known(mut class: ClassUnicode) -> ClassUnicode {
    class.intersect(known());
    class
}

/// The class with a name in `regex-syntax`.
fn table(property: &str, name: &str) -> ClassUnicode {
    let parsed = ParserBuilder::new().build().parse(&format!(r"\p{{{property}={name}}}"));
    match parsed.map(Hir::into_kind) {
        Ok(HirKind::Class(HirClass::Unicode(class))) => class,
        // A class of one code point becomes a literal.
        Ok(HirKind::Literal(literal)) => std::str::from_utf8(&literal.0)
            .ok()
            .and_then(|text| text.chars().next())
            .map_or_else(ClassUnicode::empty, |c| letter(c.into(), false)),
        _ => ClassUnicode::empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_class_has_its_table() {
        for class in super::super::unicode_names::all() {
            let empty = unicode(class).ranges().is_empty();
            assert_eq!(empty, class == UnicodeClass::Category("Cs"), "{class:?}");
        }
    }
}
