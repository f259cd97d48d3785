//! An upper bound of the memory of a pattern's automaton. A pattern above the limit gets no automaton.
//!
//! An automaton is the NFA of `regex-automata`; a test compares the bound with it.

use super::ast::{Class, ClassItem, PatternNode};

/// A state and its transitions, in bytes of memory.
const STATE: u64 = 64;

/// A range of code points beyond ASCII, in bytes of memory: up to some twenty sequences of up to
/// four states each.
const RANGE: u64 = 80 * STATE;

/// A table of Unicode or its complement, in bytes of memory: up to some 750 ranges, which share
/// most of their states.
const TABLE: u64 = 128 * 1024;

/// The largest size of a pattern's automaton, in bytes. Recursion follows the pattern, whose depth
/// the parser bounds.
pub(super) fn most_bytes(node: &PatternNode) -> u64 {
    match node {
        PatternNode::Empty | PatternNode::Look(_) => STATE,
        PatternNode::Any { .. } => RANGE,
        PatternNode::Literal { runes, fold_case } => {
            // The other cases of a code point are at most three.
            let rune = if *fold_case { 4 * 4 * STATE } else { 4 * STATE };
            rune.saturating_mul(runes.len() as u64).saturating_add(STATE)
        }
        PatternNode::Class(class) => class_bytes(class),
        PatternNode::Repeat { min, max, node, .. } => {
            let copies = u64::from(max.unwrap_or(*min)).max(u64::from(*min)).max(1);
            most_bytes(node).saturating_add(2 * STATE).saturating_mul(copies)
        }
        PatternNode::Concat(nodes) | PatternNode::Alternate(nodes) => nodes
            .iter()
            .map(|node| most_bytes(node).saturating_add(STATE))
            .fold(2 * STATE, u64::saturating_add),
    }
}

fn class_bytes(class: &Class) -> u64 {
    let item = |item: &ClassItem| match item {
        ClassItem::Range(_, high) if *high < 0x80 && !class.fold_case => STATE,
        ClassItem::Ascii { ranges, negated: false } if !class.fold_case => {
            STATE * ranges.len() as u64
        }
        ClassItem::Ascii { ranges, .. } if !class.fold_case => STATE * ranges.len() as u64 + RANGE,
        ClassItem::Range(..) if !class.fold_case => RANGE,
        ClassItem::Unicode { .. } if !class.fold_case => TABLE,
        // The folded code points are in some table of Unicode.
        ClassItem::Range(..) | ClassItem::Ascii { .. } | ClassItem::Unicode { .. } => 2 * TABLE,
    };
    // A complement has one range more, and reaches beyond ASCII.
    class.items.iter().map(item).fold(STATE + RANGE, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use regex_automata::nfa::thompson::NFA;

    use super::super::{parse, translate, unicode_names};
    use super::*;

    #[track_caller]
    fn check_node(node: &PatternNode) {
        let nfa = NFA::compiler().build_from_hir(&translate::translate(node)).expect("small");
        let (most, found) = (most_bytes(node), nfa.memory_usage() as u64);
        // The fixed size of an NFA.
        assert!(found <= most + 2048, "{node:?}: {found} of at most {most}");
    }

    #[track_caller]
    fn check(pattern: &str) {
        check_node(&parse::parse(pattern).expect(pattern));
    }

    #[test]
    fn no_pattern_exceeds_its_bound() {
        for pattern in [
            "",
            "a",
            "(?i)k",
            "(?i)straße",
            ".",
            "(?s).",
            "[a-z0-9]{3,40}",
            r"^[a-z]([-a-z0-9]*[a-z0-9])?(\.[a-z]+)*$",
            r"[^ -~]{50}",
            r"(?i)[a-zé-ž]{20}",
            r"[\x{7f}-\x{81}\x{7fe}-\x{801}\x{fffe}-\x{10001}]{30}",
            r"[\x{123}-\x{10abcd}]{30}",
            r"[\x{80}-\x{10fffe}]{30}",
            r"(?:(?:ab|c){10}|[d\d\W]{10})*",
            r"[\p{L}\p{S}\p{N}]{20}",
            r"(?i)[^\p{Lu}\PN]{5}",
            "(((a?)?)?)?",
            "(?:a{3,}){4,}",
            "(?:a?b*c+){0,7}",
            r"(?:\p{L}{2,5}|\PS{0,3})+",
            r"(?i)[^k-ſ]",
            r"[\x{81}-\x{2FFFD}]",
            "(?i)ſſſſ",
            "\u{1F600}\u{1F600}",
            "(a|b|cd)?",
            "(?:a*){3,}",
            r"[\pL\pS\pN\pM]",
            r"\p{Any}",
            r"[[:^alpha:]]",
            "(?m)^$",
            r"\b",
        ] {
            for pattern in
                [pattern.to_owned(), format!("(?:{pattern}){{9}}"), format!("(?:{pattern}){{2,9}}")]
            {
                check(&pattern);
            }
        }
    }

    #[test]
    fn no_class_of_unicode_exceeds_its_bound() {
        for class in unicode_names::all() {
            for (negated, fold_case) in [(false, false), (true, false), (true, true)] {
                let items = vec![ClassItem::Unicode { class, negated }];
                check_node(&PatternNode::Class(Class { items, negated: false, fold_case }));
            }
        }
    }
}
