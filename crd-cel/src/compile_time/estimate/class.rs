//! The cost classes of functions, by name. The macro writes the class of a call into the program.

/// Only its operands count.
pub(crate) const OPERANDS: u8 = 0;
/// One unit, as most functions.
pub(crate) const ONE: u8 = 1;
pub(crate) const CONDITIONAL: u8 = 2;
pub(crate) const EQUAL: u8 = 3;
pub(crate) const ORDER: u8 = 4;
pub(crate) const ADD: u8 = 5;
pub(crate) const INDEX: u8 = 6;
pub(crate) const DYN: u8 = 7;
/// Traverses the first argument of a method.
pub(crate) const AFFIX: u8 = 8;
pub(crate) const CONTAINS: u8 = 9;
/// Says whether a pattern matches.
pub(crate) const MATCHES: u8 = 10;
/// Makes a text of the same length.
pub(crate) const TEXT: u8 = 11;
pub(crate) const REPLACE: u8 = 12;
pub(crate) const SPLIT: u8 = 13;
/// Traverses the first operand.
pub(crate) const PARSE: u8 = 14;
/// Traverses a list and its elements, or a text.
pub(crate) const ELEMENTS: u8 = 15;
pub(crate) const IN: u8 = 16;
pub(crate) const SETS: u8 = 17;
pub(crate) const SETS_TWICE: u8 = 18;
/// Compares each element with each.
pub(crate) const PAIRS: u8 = 19;
/// Makes a list of the same length.
pub(crate) const COPY: u8 = 20;
pub(crate) const JOIN: u8 = 21;
/// Matches the second operand with the longest pattern of a format.
pub(crate) const VALIDATE: u8 = 22;
pub(crate) const NOT_EQUAL: u8 = 23;
/// `string(..)`: a string whose size the server knows only if it is made from bytes.
pub(crate) const TO_TEXT: u8 = 24;
/// Searches by a pattern; the result is no longer than the text.
pub(crate) const FIND: u8 = 25;
/// Makes a URL of a text.
pub(crate) const URL: u8 = 26;
/// `bytes(..)`
pub(crate) const TO_BYTES: u8 = 27;
pub(crate) const QUOTE: u8 = 28;
/// Parses an address and compares it with how it is written.
pub(crate) const CANONICAL: u8 = 29;
pub(crate) const CONTAINS_IP: u8 = 30;
pub(crate) const CONTAINS_CIDR: u8 = 31;
/// `split` into at most so many parts.
pub(crate) const SPLIT_LIMIT: u8 = 32;
pub(crate) const SLICE: u8 = 33;
pub(crate) const RANGE: u8 = 34;
/// `flatten` to a depth.
pub(crate) const FLATTEN: u8 = 35;
/// `sort`, or `sortBy` with the keys as its argument.
pub(crate) const SORT: u8 = 36;
/// `matches(text, pattern)`, which is no method.
pub(crate) const MATCHES_GLOBAL: u8 = 37;

/// How a call of a function is estimated. `has_limit` is whether the last argument is a literal
/// number from 0 on.
pub(crate) fn of(function: &str, is_method: bool, arguments: usize, has_limit: bool) -> u8 {
    match (function, is_method, arguments) {
        ("_?_:_", ..) => CONDITIONAL,
        ("_==_", ..) => EQUAL,
        ("_!=_", ..) => NOT_EQUAL,
        ("_<_" | "_<=_" | "_>_" | "_>=_", ..) => ORDER,
        ("_+_", ..) => ADD,
        ("_[_]", ..) => INDEX,
        ("dyn", ..) => DYN,
        ("startsWith" | "endsWith", true, 1) => AFFIX,
        ("contains", true, 1) => CONTAINS,
        ("matches", true, 1) => MATCHES,
        ("matches", false, 2) => MATCHES_GLOBAL,
        ("find" | "findAll", true, _) => FIND,
        ("lowerAscii" | "upperAscii" | "substring" | "trim", true, _) => TEXT,
        ("url", false, 1) => URL,
        ("validate", true, 1) => VALIDATE,
        ("string", false, 1) => TO_TEXT,
        ("bytes", false, 1) => TO_BYTES,
        ("strings.quote", ..) => QUOTE,
        ("replace", true, _) => REPLACE,
        ("split", true, 2) if has_limit => SPLIT_LIMIT,
        ("split", true, _) => SPLIT,
        (
            "ip" | "isIP" | "cidr" | "isCIDR" | "quantity" | "isQuantity" | "semver" | "isSemver",
            false,
            1..,
        )
        | ("format", true, 1) => PARSE,
        ("ip.isCanonical", ..) => CANONICAL,
        ("containsIP", true, 1) => CONTAINS_IP,
        ("containsCIDR", true, 1) => CONTAINS_CIDR,
        ("isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf", true, _) => ELEMENTS,
        ("@in", ..) => IN,
        ("sets.contains" | "sets.intersects", ..) => SETS,
        ("sets.equivalent", ..) => SETS_TWICE,
        ("distinct", true, 0) => PAIRS,
        ("sort", true, 0) | ("@sortByAssociatedKeys", true, 1) => SORT,
        ("reverse" | "flatten", true, 0) => COPY,
        ("flatten", true, 1) => FLATTEN,
        ("slice", true, 2) => SLICE,
        ("lists.range", ..) => RANGE,
        ("join", true, _) => JOIN,
        // Checks of authorization, which rules do not have.
        ("check" | "fieldSelector" | "labelSelector", ..) => OPERANDS,
        _ => ONE,
    }
}
