//! A parsed pattern as `regex-syntax`'s HIR, with Go's meaning.

use std::sync::OnceLock;

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{
    Class as HirClass, ClassUnicode, ClassUnicodeRange, Dot, Hir, HirKind, Look as HirLook,
    Repetition,
};

use super::ast::{Class, ClassItem, Look, MAX_RUNE, Node};
use super::unicode_names::UnicodeClass;

/// The version of Unicode in Go 1.26 (`unicode.Version`).
///
/// Divergence: one code point, U+1171E, has changed its category since; here it has the newer one.
const UNICODE_VERSION: &str = "15.0";

/// Translates a pattern. Recursion is bounded by the parser's limit of height.
pub(super) fn translate(node: &Node) -> Hir {
    match node {
        Node::Empty => Hir::empty(),
        Node::Literal { runes, fold_case } => literal(runes, *fold_case),
        Node::Class(class) => Hir::class(HirClass::Unicode(resolve(class))),
        Node::Any { line_feed: true } => Hir::dot(Dot::AnyChar),
        Node::Any { line_feed: false } => Hir::dot(Dot::AnyCharExceptLF),
        Node::Look(look) => Hir::look(match look {
            Look::BeginLine => HirLook::StartLF,
            Look::EndLine => HirLook::EndLF,
            Look::BeginText => HirLook::Start,
            Look::EndText => HirLook::End,
            Look::WordBoundary => HirLook::WordAscii,
            Look::NoWordBoundary => HirLook::WordAsciiNegate,
        }),
        Node::Repeat { min, max, greedy, node } => Hir::repetition(Repetition {
            min: *min,
            max: *max,
            greedy: *greedy,
            sub: Box::new(translate(node)),
        }),
        Node::Concat(nodes) => Hir::concat(nodes.iter().map(translate).collect()),
        Node::Alternate(nodes) => Hir::alternation(nodes.iter().map(translate).collect()),
    }
}

fn literal(runes: &[u32], fold_case: bool) -> Hir {
    let rune = |&rune: &u32| match char::from_u32(rune) {
        Some(c) if !fold_case => Hir::literal(c.encode_utf8(&mut [0; 4]).as_bytes()),
        _ => Hir::class(HirClass::Unicode(letter(rune, fold_case))),
    };
    Hir::concat(runes.iter().map(rune).collect())
}

/// A code point, and its other cases; no code point for a surrogate, which no text holds.
pub(super) fn letter(rune: u32, fold_case: bool) -> ClassUnicode {
    let mut class = range(rune, rune);
    if fold_case {
        fold(&mut class);
    }
    class
}

/// The code points of a class.
pub(super) fn resolve(class: &Class) -> ClassUnicode {
    let mut all = ClassUnicode::empty();
    for item in &class.items {
        let (mut part, negated) = match item {
            ClassItem::Range(low, high) => (range(*low, *high), false),
            ClassItem::Ascii { ranges, negated } => {
                let ranges = ranges.iter();
                let part =
                    ranges.map(|(low, high)| ClassUnicodeRange::new((*low).into(), (*high).into()));
                (ClassUnicode::new(part), *negated)
            }
            ClassItem::Unicode { class, negated } => (unicode(*class), *negated),
        };
        if class.fold_case {
            fold(&mut part);
        }
        if negated {
            part.negate();
        }
        all.union(&part);
    }
    if class.negated {
        all.negate();
    }
    all
}

fn one(low: char, high: char) -> ClassUnicode {
    ClassUnicode::new([ClassUnicodeRange::new(low, high)])
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

/// Adds the other cases of each code point, as Unicode's simple folding has them.
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
        let mut known = table("age", UNICODE_VERSION);
        // A code point without a meaning has no age, but Go's tables agree that it has none.
        known.union(&table("gc", "Co"));
        known
    })
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

/// The class that `regex-syntax` has under a name.
fn table(property: &str, name: &str) -> ClassUnicode {
    let parsed = ParserBuilder::new().build().parse(&format!(r"\p{{{property}={name}}}"));
    match parsed.map(Hir::into_kind) {
        Ok(HirKind::Class(HirClass::Unicode(class))) => class,
        // A class of one code point becomes a literal.
        Ok(HirKind::Literal(literal)) => std::str::from_utf8(&literal.0)
            .ok()
            .and_then(|text| text.chars().next())
            .map_or_else(ClassUnicode::empty, |c| one(c, c)),
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
