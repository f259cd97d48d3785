//! Tests of the whole parser: accepted texts, issues of other texts, and properties of any text.

mod unparse;

use fastrand::Rng;

use super::{Ast, Expr, ExprKind, Literal, parse, parse_in};
use crate::minors::Environment;
use unparse::unparse;

/// Checks how a parsed expression is printed. Parentheses show its structure.
#[track_caller]
fn check(source: &str, want: &str) {
    match parse(source) {
        Ok(ast) => assert_eq!(unparse(&ast.root).as_deref(), Some(want), "{source}"),
        Err(issues) => panic!("{issues}"),
    }
}

/// The issues of a text, without the source lines below them.
#[track_caller]
fn rejects(source: &str, want: &[&str]) {
    let issues = parse(source).expect_err(source).to_string();
    let got: Vec<&str> =
        issues.lines().filter_map(|line| line.strip_prefix("ERROR: <input>:")).collect();
    assert_eq!(got, want, "{source}");
}

#[track_caller]
fn literal(source: &str, want: &Literal) {
    let ast = parse(source).expect(source);
    assert_eq!(ast.root.kind, ExprKind::Literal(want.clone()), "{source}");
}

#[test]
fn operators_bind_by_precedence() {
    check("a+b*c-d", "a + b * c - d");
    check("(a+b)*c", "(a + b) * c");
    check("a-(b-c)", "a - (b - c)");
    check("a||b&&c", "a || b && c");
    check("(a||b)&&c", "(a || b) && c");
    check("a<b==c", "a < b == c");
    check("a<(b==c)", "a < (b == c)");
    check("a?b:c?d:e", "a ? b : c ? d : e");
    check("(a?b:c)?d:e", "(a ? b : c) ? d : e");
    check("!!a", "a");
    check("!!!a", "!a");
    check("--a", "a");
    check("-a.b", "-a.b");
    check("(-a).b", "(-a).b");
    check("a in b.c", "a in b.c");
}

#[test]
fn a_sign_belongs_to_its_number() {
    literal("-9223372036854775808", &Literal::Int(i64::MIN));
    literal("-0x10", &Literal::Int(-16));
    literal("-1.5", &Literal::Double(-1.5));
    check("-1.f()", "(-1).f()");
    check("-(1)", "-(1)");
    check("1 -1", "1 - 1");
    check("--1", "1");
    check("---1", "-(1)");
}

#[test]
fn literals_have_values() {
    literal("08", &Literal::Int(8));
    literal("0xFFu", &Literal::Uint(255));
    literal(".5e1", &Literal::Double(5.0));
    // Go ignores the last digit of this exponent.
    literal(&format!("0.{}1e100001", "0".repeat(99_900)), &Literal::Double(0.0));
    literal(r"'\x41\101\u0042\U0001F431\''", &Literal::String("AAB\u{1f431}'".into()));
    literal(r"r'\x41'", &Literal::String(r"\x41".into()));
    literal("'''a'b\r\nc'''", &Literal::String("a'b\nc".into()));
    literal(r"b'\xff\377é'", &Literal::Bytes([0xff, 0xff, 0xc3, 0xa9].into()));
    literal(r#"bR"\""#, &Literal::Bytes([b'\\'].into()));
    literal("null // nothing", &Literal::Null);
}

#[test]
fn macros_expand_by_name_and_arguments() {
    check("has( a.b )", "has(a.b)");
    check("l.all(x,x)", "l.all(x, x)");
    check("l.exists(i,v,x)", "l.exists(i, v, x)");
    check("l.existsOne(i,v,x)", "l.exists_one(i, v, x)");
    check("l.map(x,x>0,-x)", "l.map(x, x > 0, -x)");
    check("l.map(x, p, x)", "l.filter(x, p)");
    check("l.transformList(i,v,p,v)", "l.transformList(i, v, p, v)");
    check("m.transformMap(k,v,v)", "m.transformMap(k, v, v)");
    check("m.transformMapEntry(k,v,{v:k})", "m.transformMapEntry(k, v, {v: k})");
    check("o.optMap(x,x+1)", "o.optMap(x, x + 1)");
    check("o.optFlatMap(x,x.?y).z", "o.optFlatMap(x, x.?y).z");
    check("l.sortBy(e,e.k)", "l.sortBy(e, e.k)");
    // Other arguments: functions of the same names.
    check("l.all(x)", "l.all(x)");
    check("l.existsOne(x,p)", "l.existsOne(x, p)");
    check("all(l,x,p)", "all(l, x, p)");
    check("a.has(b.c)", "a.has(b.c)");
}

#[test]
fn macros_reject_what_they_cannot_bind() {
    rejects("has(a)", &["1:5: invalid argument to has() macro"]);
    rejects("l.all(x.y, true)", &["1:8: argument must be a simple name"]);
    rejects("l.map(1, true)", &["1:7: argument is not an identifier"]);
    rejects("l.all(a, a, true)", &["1:10: duplicate variable name: a"]);
    rejects(
        "l.filter(__result__, true)",
        &["1:10: iteration variable overwrites accumulator variable"],
    );
    rejects("o.optMap(a.b, 1)", &["1:11: optMap() variable name must be a simple identifier"]);
    rejects(
        "1.sortBy(x, x)",
        &["1:1: sortBy can only be applied to a list, identifier, comprehension, call or select \
           expression"],
    );
}

#[test]
fn optional_syntax_parses() {
    check("a.?b[?0]", "a.?b[?0]");
    check("[?a, b,]", "[?a, b]");
    check("{?a: b, c: d,}", "{?a: b, c: d}");
    check("a.B{?c: d}", "a.B{?c: d}");
    check(".a.B{}", ".a.B{}");
}

#[test]
fn syntax_errors_are_those_of_antlr() {
    rejects("(a", &["1:3: Syntax error: missing ')' at '<EOF>'"]);
    rejects("a)", &["1:2: Syntax error: extraneous input ')' expecting <EOF>"]);
    rejects("a b.c", &["1:3: Syntax error: mismatched input 'b' expecting <EOF>"]);
    rejects("{a b: c}", &["1:4: Syntax error: extraneous input 'b' expecting ':'"]);
    rejects("a.true", &["1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"]);
    rejects("-1 a", &["1:4: Syntax error: extraneous input 'a' expecting <EOF>"]);
    rejects(
        "a = b",
        &[
            "1:3: Syntax error: token recognition error at: '= '",
            "1:5: Syntax error: extraneous input 'b' expecting <EOF>",
        ],
    );
    rejects("f(g(1)", &["1:7: Syntax error: missing ')' at '<EOF>'"]);
}

#[test]
fn errors_of_macros_and_literals_are_reported_too() {
    rejects(
        "if + 9223372036854775808 +",
        &[
            "1:1: reserved identifier: if",
            "1:6: invalid int literal",
            "1:27: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', \
             'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
        ],
    );
    rejects("1e400", &["1:1: invalid double literal"]);
    rejects(r"'\ud800'", &["1:1: invalid unicode code point"]);
}

#[test]
fn names_in_backticks_are_read_since_1_37() {
    check("a.`b-c`", "a.`b-c`");
    check("has(a.`in`)", "has(a.`in`)");
    check("a.`plain`", "a.plain");
    check("a.?`b-c`.?`in`.?`d`", "a.?`b-c`.?`in`.?d");
    check("M{`b-c`: 1, ?`in`: 2, `d`: 3, if: 4}", "M{`b-c`: 1, ?`in`: 2, d: 3, if: 4}");
    let before = Environment::new("1.36".parse().expect("a known version"));
    let issues = parse_in("a.`b`", before).expect_err("rejected").to_string();
    assert!(issues.starts_with("ERROR: <input>:1:3: unsupported syntax: '`'"), "{issues}");
}

#[test]
fn names_that_do_not_parse_are_not_printed() {
    let ident = |name: &str| Expr { id: 1, kind: ExprKind::Ident(name.into()) };
    let select = |field: &str| {
        let (operand, field) = (Box::new(ident("a")), field.into());
        Expr { id: 2, kind: ExprKind::Select { operand, field, test_only: false } }
    };
    let call = |name: &str| {
        let (target, args) = (Some(Box::new(ident("a"))), Vec::new());
        Expr { id: 2, kind: ExprKind::Call { target, function: name.into(), args } }
    };
    for name in ["in", "true", "if", ".while", "b-c", ""] {
        assert_eq!(unparse(&ident(name)), None, "{name}");
    }
    assert_eq!(unparse(&call("in")), None);
    assert_eq!(unparse(&call("if")).as_deref(), Some("a.if()"));
    assert_eq!(unparse(&select("if")).as_deref(), Some("a.if"));
    assert_eq!(unparse(&select("b`c")), None);
}

#[test]
fn depth_and_size_are_limited() {
    let nested = |n: usize| format!("{}1{}", "(".repeat(n), ")".repeat(n));
    assert!(parse(&nested(249)).is_ok());
    rejects(&nested(250), &["-1:0: expression recursion limit exceeded: 250"]);
    let lists = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
    assert!(parse(&lists(249)).is_ok());
    rejects(&lists(100_000 / 2), &["-1:0: expression recursion limit exceeded: 250"]);
    let selects = |n: usize| format!("a{}", ".b".repeat(n));
    assert!(parse(&selects(250)).is_ok());
    rejects(&selects(251), &["-1:0: max recursion depth exceeded"]);
    let signs = "!".repeat(99_999) + "a";
    assert!(parse(&signs).is_ok(), "operators in a row are one rule");
    let terms = vec!["a"; 20_000].join("&&");
    assert!(parse(&terms).is_ok(), "a chain of terms is balanced");
    rejects(
        &"a".repeat(100_001),
        &["-1:0: expression code point size exceeds limit: size: 100001, limit 100000"],
    );
    assert!(parse(&format!("'{}'", "é".repeat(99_998))).is_ok());
    rejects(&"9".repeat(99_999), &["1:1: invalid int literal"]);
    let doubled = format!("o{}", ".optMap(x, x)".repeat(40));
    rejects(&doubled, &["-1:0: macros copy more than 16384 nodes of the expression"]);
}

#[test]
fn recovery_is_limited() {
    #[track_caller]
    fn reports(source: &str, want: &str) {
        let issues = parse(source).expect_err(source).to_string();
        assert!(issues.contains(want), "{issues}");
    }
    reports(&"-+".repeat(40), "Syntax error: error recovery attempt limit exceeded: 30");
    reports(&"a b ".repeat(140), "error recovery token lookahead limit exceeded: 256");
    reports(&"#".repeat(200), "Syntax error: token recognition error at: '#'");
    reports(&"#".repeat(200), "\n1 more errors were truncated");
}

/// Whether two expressions are equal apart from their ids.
fn same(a: &Expr, b: &Expr) -> bool {
    unparse(a) == unparse(b) && format!("{:?}", without_ids(a)) == format!("{:?}", without_ids(b))
}

/// The expression with all ids set to 0.
fn without_ids(expr: &Expr) -> Expr {
    let all = |exprs: &[Expr]| exprs.iter().map(without_ids).collect::<Vec<_>>();
    let kind = match &expr.kind {
        ExprKind::Select { operand, field, test_only } => ExprKind::Select {
            operand: Box::new(without_ids(operand)),
            field: field.clone(),
            test_only: *test_only,
        },
        ExprKind::Call { target, function, args } => ExprKind::Call {
            target: target.as_ref().map(|target| Box::new(without_ids(target))),
            function: function.clone(),
            args: all(args),
        },
        ExprKind::List { elements, optional } => {
            ExprKind::List { elements: all(elements), optional: optional.clone() }
        }
        ExprKind::Map(entries) => {
            let mut entries = entries.clone();
            for entry in &mut entries {
                (entry.id, entry.key, entry.value) =
                    (0, without_ids(&entry.key), without_ids(&entry.value));
            }
            ExprKind::Map(entries)
        }
        ExprKind::Struct { type_name, fields } => {
            let mut fields = fields.clone();
            for field in &mut fields {
                (field.id, field.value) = (0, without_ids(&field.value));
            }
            ExprKind::Struct { type_name: type_name.clone(), fields }
        }
        ExprKind::Comprehension(fold) => {
            let mut fold = fold.clone();
            for part in [
                &mut fold.range,
                &mut fold.init,
                &mut fold.condition,
                &mut fold.step,
                &mut fold.result,
            ] {
                *part = without_ids(part);
            }
            ExprKind::Comprehension(fold)
        }
        kind => kind.clone(),
    };
    Expr { id: 0, kind }
}

#[track_caller]
fn round_trip(source: &str, ast: &Ast) {
    let printed = unparse(&ast.root).expect("what was parsed can be printed");
    match parse(&printed) {
        Ok(again) => assert!(same(&ast.root, &again.root), "{source}\n{printed}"),
        // Parentheses take up depth that the original may not have needed.
        Err(issues) => assert!(issues.to_string().contains("recursion"), "{source}\n{issues}"),
    }
}

const PIECES: [&str; 70] = [
    "a",
    "b.c",
    "self",
    "1",
    "-1",
    "2u",
    "1.5",
    "'s'",
    "b'x'",
    "\"q\"",
    "r'\\'",
    "null",
    "true",
    "in",
    "if",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ".",
    ",",
    "?",
    ":",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "&&",
    "||",
    " ",
    "\n",
    "// c\n",
    ".f(",
    ".all(x, ",
    ".map(x, ",
    "has(a.b)",
    ".?",
    "[?",
    ".optMap(v, ",
    ".sortBy(e, ",
    ".exists_one(i, v, ",
    "T{f: ",
    "'",
    "\"",
    "'''",
    "\\",
    "`",
    "é",
    "漢",
    "\u{1f431}",
    "#",
    "$",
    "=",
    "&",
    "0x",
    "1e",
    "9223372036854775808",
    ".5",
    "a ? b : c",
    "{'k': v}",
];

#[test]
fn no_text_makes_the_parser_panic() {
    let mut random = Rng::with_seed(1);
    let mut parsed = 0;
    for _ in 0..30_000 {
        let length = 1 + random.usize(..12);
        let source: String = (0..length).map(|_| PIECES[random.usize(..PIECES.len())]).collect();
        match parse(&source) {
            Ok(ast) => {
                parsed += 1;
                round_trip(&source, &ast);
            }
            Err(issues) => assert!(issues.to_string().starts_with("ERROR: <input>:"), "{source}"),
        }
    }
    assert!(parsed > 500, "{parsed}");
}

/// A random expression, made of forms that nest at most `depth` deep.
fn any(random: &mut Rng, depth: usize) -> String {
    let atoms =
        ["a", ".b", "1", "-2", "3u", "-0.5", "1e9", "'é\\n'", "b'\\xff'", "true", "null", "T{}"];
    if depth == 0 {
        return atoms[random.usize(..atoms.len())].to_owned();
    }
    let (a, b, c) = (any(random, depth - 1), any(random, depth / 2), any(random, depth / 3));
    match random.usize(..26) {
        0 => format!("({a})"),
        1 => format!("{a} + {b} - {c}"),
        2 => format!("{a} * ({b} % {c})"),
        3 => format!("({a}) && {b} && ({c})"),
        4 => format!("{a} || {b} || {c} || {a}"),
        5 => format!("({a}) == ({b})"),
        6 => format!("({a} < {b}) != {c}"),
        7 => format!("({a}) ? ({b}) : {c}"),
        8 => format!("!({a})"),
        9 => format!("-({a})"),
        10 => format!("({a}).f({b}, {c})"),
        11 => format!("f({a})"),
        12 => format!("({a}).g"),
        13 => format!("({a}).?g.?`h/i`"),
        14 => format!("({a})[{b}]"),
        15 => format!("({a})[?{b}]"),
        16 => format!("[{a}, ?{b}]"),
        17 => format!("{{{a}: {b}, ?{c}: 1}}"),
        18 => format!("n.T{{f: {a}, ?g: {b}, `h-i`: {c}}}"),
        19 => format!("({a}).all(x, {b})"),
        20 => format!("({a}).exists_one(i, v, {b})"),
        21 => format!("({a}).map(x, {b}, {c})"),
        22 => format!("({a}).transformMap(k, v, {b})"),
        23 => format!("({c}).optMap(x, {b})"),
        24 => format!("[{a}].sortBy(x, {b})"),
        _ => format!("has(({a}).f) in ({b})"),
    }
}

#[test]
fn printing_and_parsing_give_the_same_expression() {
    let mut random = Rng::with_seed(7);
    for depth in [1, 2, 3, 4, 5, 6, 7] {
        for _ in 0..400 {
            let source = any(&mut random, depth);
            match parse(&source) {
                Ok(ast) => round_trip(&source, &ast),
                Err(issues) => panic!("{issues}"),
            }
        }
    }
}
