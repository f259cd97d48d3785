//! Laws that hold for every expression: any text gives a result or an error, a value has the type that
//! the checker inferred, and a cost stays below its estimate wherever it does on the server.

use crd_cel::cost;
use crd_cel::env::Env;
use crd_cel::kubernetes::{Environment, KubernetesVersion};
use crd_cel::plan::Program;
use crd_cel::types::Type;
use crd_cel::value::Value;
use crd_fixtures::cel::{LITERALS, expression};
use fastrand::Rng;

/// The budget of one evaluation, in cost units.
const LIMIT: u64 = 1_000_000;
/// The number of expressions for which each law is tried.
const EXPRESSIONS: usize = 6_000;

/// Pieces of expressions, to be strung together.
const PIECES: &[&str] = &[
    "self",
    "x",
    "1",
    "-1",
    "1u",
    "1.5",
    "'a'",
    "b'a'",
    "true",
    "null",
    "[",
    "]",
    "{",
    "}",
    "(",
    ")",
    "?",
    ":",
    ",",
    ".",
    ".?",
    "[?",
    "+",
    "-",
    "*",
    "/",
    "%",
    "==",
    "!=",
    "<",
    "<=",
    "&&",
    "||",
    "!",
    " in ",
    "all(x, ",
    "exists(x, ",
    "map(x, ",
    "filter(x, ",
    "optMap(x, ",
    "sortBy(x, ",
    "transformMap(k, v, ",
    "has(",
    "size(",
    "dyn(",
    "type(",
    "matches(",
    "duration(",
    "format(",
    "int",
    "list",
    "optional.of(",
    "optional.none()",
    "google.protobuf.Value{",
    "é",
    "\n",
    "'",
    "`",
    "#",
];

#[test]
fn any_text_ends_in_an_answer() {
    let mut rng = Rng::with_seed(1);
    let env = Env::kubernetes().with_variable("self", Type::map(Type::String, Type::Dyn), None);
    let mut compiled = 0;
    for _ in 0..20_000 {
        let pieces = rng.usize(1..12);
        let source: String = (0..pieces).filter_map(|_| rng.choice(PIECES)).copied().collect();
        match env.compile(&source) {
            Err(issues) => assert_eq!(env.compile(&source).unwrap_err(), issues, "{source}"),
            Ok(checked) => {
                compiled += 1;
                let estimate = cost::estimate(&checked, &env);
                assert!(estimate.min <= estimate.max, "{source}");
                for ty in checked.types.iter().flatten() {
                    assert!(!ty.to_string().contains("_var"), "{source}: {ty}");
                }
                let _ = Program::plan(&checked, &env).map(|program| {
                    program.eval(&[], LIMIT);
                });
            }
        }
    }
    assert!(compiled > 300, "only {compiled} compile");
}

#[test]
fn values_have_the_type_they_were_checked_for() {
    let mut evaluated = 0;
    for_each_expression(2, |source, ty, value, _, _| {
        evaluated += 1;
        assert!(has_type(value, ty), "{source}: {value:?} is no {ty}");
    });
    assert!(evaluated > 2_000, "only {evaluated} have a value");
}

/// The generated calls whose cost the server underestimates: an empty string splits into one part, a flattened list can
/// have more elements than the list, an index into a value other than a variable and a presence test in a map each cost
/// one unit more than estimated, and the estimate for a format is that of the formats of names, whose pattern is shorter.
const UNDERESTIMATED: &[&str] = &[".split(", ".flatten(", ")[", "][", "has(", ".validate("];

#[test]
fn evaluation_costs_no_more_than_estimated() {
    let mut compared = 0;
    for_each_expression(3, |source, _, _, cost, max| {
        if !UNDERESTIMATED.iter().any(|part| source.contains(part)) {
            compared += 1;
            assert!(cost <= max, "{source}: {cost} > {max}");
        }
    });
    assert!(compared > 1_500, "only {compared} compared");
}

/// Generates expressions without variables, and calls `law` for those that have a value, with the source,
/// the type, the value, the cost and the upper bound of the estimated cost.
fn for_each_expression(seed: u64, mut law: impl FnMut(&str, &Type, &Value<'_>, u64, u64)) {
    let env = Env::kubernetes();
    let mut rng = Rng::with_seed(seed);
    for _ in 0..EXPRESSIONS {
        let (letter, _) = LITERALS[rng.usize(..LITERALS.len())];
        let source = expression(&mut rng, letter, &[], 0);
        // Some have an expression of another type on purpose.
        let Ok(checked) = env.compile(&source) else { continue };
        let max = cost::estimate(&checked, &env).max;
        if max > LIMIT {
            continue;
        }
        let Ok(program) = Program::plan(&checked, &env) else { continue };
        let outcome = program.eval(&[], LIMIT);
        if let Ok(value) = &outcome.result {
            law(&source, checked.result_type(), value, outcome.cost, max);
        }
    }
}

/// Whether a value has a type, with all that is in it. An opaque value has any type, because it is of its library's, or an
/// error in a list or an optional.
fn has_type(value: &Value<'_>, ty: &Type) -> bool {
    match (value, ty) {
        (_, Type::Dyn) | (Value::Opaque(_), _) => true,
        (Value::List(list), Type::List(element)) => {
            list.iter().flatten().all(|value| has_type(&value, element))
        }
        (Value::Map(map), Type::Map(key, of_values)) => map.keys().iter().all(|name| {
            let value = map.get(name).ok().flatten().expect("a key has a value");
            has_type(name, key) && has_type(&value, of_values)
        }),
        (Value::Optional(inner), _) => ty
            .optional_inner()
            .is_some_and(|ty| inner.as_ref().is_none_or(|value| has_type(value, ty))),
        _ => matches!(
            (value, ty),
            (Value::Null, Type::Null)
                | (Value::Bool(_), Type::Bool)
                | (Value::Int(_), Type::Int)
                | (Value::Double(_), Type::Double)
                | (Value::Uint(_), Type::Uint)
                | (Value::String(_), Type::String)
                | (Value::Bytes(_), Type::Bytes)
                | (Value::Duration(_), Type::Duration)
                | (Value::Timestamp(_), Type::Timestamp)
                | (Value::Type(_), Type::Type(_))
        ),
    }
}

/// An internal error of the server's evaluator ends the evaluation; not even `|| true` absorbs it.
#[test]
fn internal_errors_of_the_server_end_the_evaluation() {
    #[track_caller]
    fn check_on(minor: u32, source: &str, want: &str) {
        let version = KubernetesVersion::of_minor(minor).expect("a known minor");
        let env = Env::of(Environment::new(version));
        let checked = env.compile(source).unwrap_or_else(|issues| panic!("{issues}"));
        let program = Program::plan(&checked, &env).unwrap_or_else(|error| panic!("{error}"));
        let outcome = program.eval(&[], LIMIT);
        let got = outcome.result.map_or_else(|error| error.to_string(), |value| value.to_string());
        assert_eq!(got, want, "{source}");
    }
    #[track_caller]
    fn check(source: &str, want: &str) {
        check_on(36, source, want);
        check_on(37, source, want);
    }
    let no_list = |found: &str, missing: &str| {
        format!(
            "internal error: interface conversion: {found} is not traits.Lister: \
             missing method {missing}"
        )
    };
    check("[[1]][[1].size()].sort() == [] || true", &no_list("*types.Err", "Add"));
    check("dyn('a').distinct() == [] || true", &no_list("types.String", "Contains"));
    check("[[1]].all(x, [x][x[0]].distinct() == [])", &no_list("*types.Err", "Add"));
    // Before 1.37, the result of a conditional over optionals is converted to plain JSON, which fails for most opaque
    // values.
    let chosen =
        |value: &str| format!("([1].size() == 1 ? optional.of({value}) : optional.none())");
    check(&format!("{}.hasValue()", chosen("ip('::1')")), "true");
    let ip = format!("{}.value().family() == 6", chosen("ip('::1')"));
    check_on(36, &ip, "unsupported conversion to ref.Val: (netip.Addr)::1");
    check_on(37, &ip, "true");
    let quantity = format!("{}.orValue(quantity('1')).isInteger()", chosen("quantity('1024Ki')"));
    check(&format!("{quantity} || true"), "true");
    check_on(36, &quantity, "unsupported conversion to ref.Val: (*resource.Quantity)1Mi");
    check_on(37, &quantity, "true");
}
