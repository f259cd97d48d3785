//! One table for each validator: expressions, each with its issues without the snippets.

use crate::env::Env;

#[track_caller]
fn check(source: &str, want: &str) {
    let text = Env::kubernetes().compile(source).map_or_else(|e| e.to_string(), |_| String::new());
    let heads = text.lines().filter_map(|line| line.strip_prefix("ERROR: <input>:1:"));
    assert_eq!(heads.collect::<Vec<_>>().join("; "), want, "{source}");
}

#[test]
fn conversions() {
    check("duration('1h')", "");
    check("duration('1d')", "10: invalid duration argument");
    check("duration(5)", "9: found no matching overload for 'duration' applied to '(int)'");
    check("duration('-320000000000s')", "10: invalid duration argument");
    check("timestamp('2024-02-29T00:00:00Z')", "");
    check("timestamp('2023-02-29T00:00:00Z')", "11: invalid timestamp argument");
    check("timestamp(0)", "");
    check("timestamp(253402300800)", "11: invalid timestamp argument");
    check("duration(null)", "10: invalid duration argument");
    check("timestamp(null)", "11: invalid timestamp argument");
    // Only literals are tried.
    check("timestamp('a' + 'b')", "");
    check("[1].all(x, timestamp('no') == timestamp(x))", "22: invalid timestamp argument");
}

#[test]
fn regexes() {
    check("'a'.matches('a+')", "");
    check("'a'.matches('[')", "13: invalid matches argument");
    check("'a'.matches('a{1001}')", "13: invalid matches argument");
    // Of the global form `matches(text, pattern)`, the text is checked instead of the pattern.
    check("matches('[', 'a')", "9: invalid matches argument");
    check("matches('a', '[')", "");
    check("'a'.find('[')", "");
}

#[test]
fn uniform_aggregates() {
    check("[1, 2]", "");
    check("[1, 'a', 2u]", "5: expected type 'int' but found 'string'");
    check("[dyn(1), 1]", "10: expected type 'dyn' but found 'int'");
    check("[[1], [1u]]", "7: expected type 'list(int)' but found 'list(uint)'");
    check("{1: 2, 2: 'a'}", "11: expected type 'int' but found 'string'");
    check(
        "{1: 2, 2u: 'a'}",
        "8: expected type 'int' but found 'uint'; 12: expected type 'int' but found 'string'",
    );
    check("[?optional.of(1), 'a']", "19: expected type 'int' but found 'string'");
    check(
        "[1, 'a'].map(x, [x, 1.0])",
        "5: expected type 'int' but found 'string'; 21: expected type 'dyn' but found 'double'",
    );
    // The server's validator panics on this.
    check("[?dyn(1)]", "6: expected type 'optional_type(dyn)' but found 'dyn'");
    check("{?'a': dyn(optional.of(1))}", "11: expected type 'optional_type(dyn)' but found 'dyn'");
    check("'%s'.format([[?dyn(optional.of(1))]])", "");
    check("'%s %s'.format([1, 'a'])", "");
    check("'%s'.format([[1, 'a']])", "");
    check("['%s'.format([1]), 1]", "20: expected type 'string' but found 'int'");
}

#[test]
fn format_strings() {
    check("'%s %d %f %e %b %x %X %o %%'.format(['', 1, 1.0, 1.0, 1, 1, 1, 1])", "");
    check("'%.3f'.format([1.0])", "");
    check("'%s'.format([])", "12: index 0 out of range");
    check(
        "'a'.format([1])",
        "11: too many arguments supplied to string.format (expected 0, got 1)",
    );
    check("'%'.format([1])", "11: unexpected end of string");
    check(
        "'%z'.format([1])",
        "12: could not parse formatting clause: unrecognized formatting clause \"z\"",
    );
    check(
        "'%é'.format([1])",
        "12: could not parse formatting clause: unrecognized formatting clause \"Ã\"",
    );
    check(
        "'%.'.format([1])",
        "12: could not parse formatting clause: error while parsing precision: \
         could not find end of precision specifier",
    );
    check(
        "'%.f'.format([1.0])",
        "13: could not parse formatting clause: error while parsing precision: error while \
         converting precision to integer: strconv.Atoi: parsing \"\": invalid syntax",
    );
    check(
        "'%d'.format(['a'])",
        "14: error during formatting: decimal clause can only be used on integers, was given string",
    );
    check(
        "'%x'.format([null])",
        "14: error during formatting: only integers, byte buffers, and strings can be formatted as \
         hex, was given null_type",
    );
    check(
        "'%s'.format([[1, optional.none()]])",
        "31: error during formatting: string clause can only be used on strings, bools, bytes, ints, \
         doubles, maps, lists, types, durations, and timestamps, was given optional_type",
    );
    check("'%d'.format([dyn('a')])", "");
}
