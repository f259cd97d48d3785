//! Types that share their parts many times over.

use crd_cel::env::Env;

use crate::memory::{MIB, within};

fn compile(rule: &str) -> Result<(), String> {
    let checked = within(64 * MIB, || Env::kubernetes().compile(rule));
    checked.map(drop).map_err(|issues| issues.to_string())
}

#[test]
fn lists_of_a_type_that_shares_its_parts() {
    let elements = vec!["y"; 2_000].join(",");
    for of in ["[[]]", "[1]"] {
        let shared = ".map(x, {x: x})".repeat(14);
        let rule = format!("{of}{shared}.all(y, [{elements}].size() > 0)");
        assert_eq!(compile(&rule), Ok(()), "{of}");
    }
}

#[test]
fn errors_that_show_types_are_short() {
    let shared = ".map(x, {x: x})".repeat(12);
    let elements = vec!["y + 1"; 500].join(",");
    let text = compile(&format!("[1]{shared}.all(y, [{elements}].size() > 0)")).unwrap_err();
    assert!(text.contains("found no matching overload for '_+_' applied to '(map("), "{text}");
    assert!(text.len() < 2 * MIB, "{} bytes", text.len());
}

#[test]
fn types_nest_at_most_500_levels() {
    let nest = |lists: usize, maps: usize| {
        let (open, close) = ("[".repeat(lists), "]".repeat(lists));
        format!("[1]{}", format!(".map(x, {open}x{close})").repeat(maps))
    };
    assert_eq!(compile(&nest(20, 20)), Ok(()));
    let text = compile(&nest(100, 100)).unwrap_err();
    assert!(text.contains("type nests more than 500 levels"), "{text}");
    // The lists around `x` make 498 levels; the range has two or three.
    let lists = ".map(x, [[[[[[x]]]]]])".repeat(83);
    assert_eq!(compile(&format!("[1]{lists}")), Ok(()));
    let text = compile(&format!("[[1]]{lists}")).unwrap_err();
    assert!(text.contains("type nests more than 500 levels"), "{text}");
    // Here the types do not show the nesting, as `dyn` has no levels; the lists around the values are counted instead.
    let lists = ".map(x, dyn([[[[[[x]]]]]]))".repeat(83);
    assert_eq!(compile(&format!("[dyn([1])]{lists}")), Ok(()));
    let text = compile(&format!("[dyn([[1]])]{lists}")).unwrap_err();
    assert!(text.contains("value nests more than 500 levels"), "{text}");
}
