//! The deepest expressions that parse go through every stage on a small stack.

use std::thread;

use crd_cel::env::Env;
use crd_cel::plan::Program;

/// The default stack of a thread in Rust, in bytes. The deepest expressions take three quarters of it in a debug build.
const STACK: usize = 2 << 20;

/// The least depth to which every shape parses. Parentheses are the shape with the most levels of the grammar.
const LEAST_DEPTH: usize = 20;

/// The deepest expression that still parses.
fn deepest(make: impl Fn(usize) -> String) -> String {
    let parses = |depth: &usize| crd_cel::syntax::parse(&make(*depth)).is_ok();
    let depth = (1..400).take_while(parses).last().expect("one level parses");
    assert!(depth >= LEAST_DEPTH, "{} is the deepest", make(depth));
    make(depth)
}

fn run(source: &str) {
    let env = Env::kubernetes();
    let checked = env.compile(source).unwrap_or_else(|issues| panic!("{issues}"));
    let program = Program::plan(&checked, &env).unwrap_or_else(|error| panic!("{error}"));
    let outcome = program.eval(&[], 10_000_000);
    assert!(outcome.result.is_ok(), "{source}");
}

#[test]
fn every_shape_of_nesting_fits_in_the_stack_of_a_thread() {
    let wrap = |open: &'static str, inner: &'static str, close: &'static str| {
        move |depth: usize| format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
    };
    let shapes: Vec<Box<dyn Fn() -> String + Send>> = vec![
        Box::new(move || deepest(wrap("(", "1 > 0", ")"))),
        Box::new(move || deepest(wrap("[", "1", "]"))),
        Box::new(move || deepest(wrap("{1: ", "1", "}"))),
        Box::new(move || deepest(wrap("size([", "1", "])"))),
        Box::new(move || deepest(wrap("-(", "1", ")"))),
        Box::new(move || deepest(wrap("!(", "true", ")"))),
        Box::new(move || deepest(wrap("(1 + ", "1", ")"))),
        Box::new(move || deepest(wrap("(true ? ", "1", " : 0)"))),
        Box::new(move || deepest(wrap("(true || ", "true", ")"))),
        Box::new(move || deepest(wrap("[1].all(x, ", "true", ")"))),
        Box::new(move || deepest(wrap("[1].map(x, ", "x", ")"))),
        Box::new(move || deepest(wrap("optional.of(", "1", ")"))),
        Box::new(move || deepest(|depth| format!("[1]{}", ".map(x, x)".repeat(depth)))),
        Box::new(move || deepest(|depth| format!("1{}", " + 1".repeat(depth)))),
        Box::new(move || deepest(|depth| format!("true{}", " && true".repeat(depth)))),
    ];
    for shape in shapes {
        let roomy = thread::Builder::new().stack_size(16 * STACK).spawn(shape);
        let source = roomy.unwrap().join().unwrap();
        let start: String = source.chars().take(20).collect();
        let deep = thread::Builder::new().stack_size(STACK).spawn(move || run(&source));
        deep.unwrap().join().unwrap_or_else(|_| panic!("{start}"));
    }
}
