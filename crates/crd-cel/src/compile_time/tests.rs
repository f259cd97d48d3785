//! Tests that the checks in rustc know the functions of the environment, and report the errors of the checker.

use std::panic;

use super::{
    Declared, ELEMENTS, Feature, Field, Needs, Object, Program, Rule, Want, all_available,
    available, check, examine, rule,
};
use crate::env::Env;
use crate::kubernetes::{Environment, KubernetesVersion};
use crate::plan;
use crate::syntax;

/// The error that rustc reports for a message expression of an object without fields.
fn error_of(source: &'static str) -> Option<String> {
    let ast = syntax::parse(source).expect(source);
    let program = Program::write(&ast).expect(source).code.leak();
    let rule = Rule { want: Want::Message, ..rule(&Declared::OPEN_OBJECT, source, program) };
    let panic = panic::catch_unwind(|| check(rule)).err()?;
    panic.downcast_ref::<String>().cloned()
}

/// Removes cel-go's positions: rustc points at the expression, and the line and its caret follow.
fn without_positions(issues: &str) -> String {
    let lines = issues.lines().map(|line| match line.strip_prefix("ERROR: <input>:") {
        Some(rest) => rest.split_once(": ").expect("a text after the position").1,
        None => line,
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Checks that a message expression is rejected, with the text that the environment gives.
#[track_caller]
fn fails(source: &'static str) {
    let env = Env::kubernetes();
    let want = match env.compile(source) {
        Err(issues) => without_positions(&issues.to_string()),
        Ok(checked) => match plan::Program::plan(&checked, &env) {
            Err(why) => why.to_string(),
            Ok(_) => panic!("{source} can be planned"),
        },
    };
    assert_eq!(error_of(source).as_deref(), Some(&*want), "{source}");
}

#[test]
fn conversions_of_literals_that_fail() {
    for source in [
        "string(int('x'))",
        "string(int(1.5e300))",
        "string(int(18446744073709551615u))",
        "string(uint('+1'))",
        "string(uint(-1))",
        "string(uint(-0.5))",
        "string(double('one'))",
        "bool('yes') ? 'a' : 'b'",
        "string(b'\\xff')",
        "true ? 'a' : string(int('x'))",
        "'abc'.find('[')",
        "'abc'.findAll('a**', 1)[0]",
        "matches('a', '(') ? 'a' : 'b'",
        "string(int(null))",
        "string(null)",
        "string(duration(null))",
        "string(timestamp(null))",
        "string(duration('1d'))",
        "string(timestamp(253402300800))",
        "'abc'.matches('a{1001}') ? 'a' : 'b'",
    ] {
        fails(source);
    }
    for source in [
        "string([string(int('+12')), string(uint('1')), string(double('1e3')), string(bool('T'))].size())",
        "[string(int(-1.9)), string(uint(1.5e19))].size() > 1 ? string(b'abc') : 'a'.find('[a]')",
    ] {
        assert_eq!(error_of(source), None, "{source}");
    }
}

#[test]
fn format_strings_of_literals() {
    for source in [
        "'%s'.format([])",
        "'a'.format([1])",
        "'%'.format([1])",
        "'%z'.format([1])",
        "'%.'.format([1])",
        "'%.f'.format([1.0])",
        "'%d'.format(['a'])",
        "'%d %z'.format(['a', 'b'])",
        "'%d %z'.format([1, 'b'])",
        "'%o %d'.format([1, 2.0])",
        "'%f'.format([1])",
        "'%e'.format([timestamp(0)])",
        "'%b'.format([1.5])",
        "'%x'.format([null])",
        "'%X'.format([[1]])",
        "'%d'.format([{1: 2}])",
        "'%d'.format([int])",
        "'%s'.format([ip('::1')])",
        "'%s'.format([[1, optional.none()]])",
        "'%s'.format([{'a': [duration('1s'), quantity('1')]}])",
        "'%s'.format(['%d'.format([duration('1s')])])",
    ] {
        fails(source);
    }
    for source in [
        "'%s %d %f %e %b %x %X %o %%'.format(['', 1, 1.0, 1.0, 1, 1, 1, 1])",
        "'%s'.format([[1, 'a', {'b': null}]]) + '%.3f'.format([1.0]) + '%d'.format([dyn('a')])",
        "'%s'.format([[]]) + ['%d'][0].format(['a'])",
    ] {
        assert_eq!(error_of(source), None, "{source}");
    }
}

const TEXT: &Declared = &Declared::String;
const PORT: &Declared = &Declared::Object(&Object {
    name: "Port",
    fields: &[Field { name: "name", of: TEXT }, Field { name: "port", of: &Declared::Int }],
});
const PORTS: &Declared = &Declared::List(PORT);
/// Literals of messages are accepted and rejected as by the environment.
#[test]
fn message_literals_are_checked_as_by_the_environment() {
    for (source, rejected) in [
        ("Zzz{} == Zzz{} ? 'a' : 'b'", true),
        ("google.protobuf.Zzz{} == 1 ? 'a' : 'b'", true),
        ("int{} == 1 ? 'a' : 'b'", true),
        ("google.protobuf.Duration{hours: 1} == duration('1s') ? 'a' : 'b'", true),
        ("google.protobuf.Duration{seconds: 'a'} == duration('1s') ? 'a' : 'b'", true),
        ("google.protobuf.Duration{seconds: 1} == duration('1s') ? 'a' : 'b'", false),
        ("google.protobuf.Int64Value{value: 1} == 1 ? 'a' : 'b'", false),
    ] {
        assert_eq!(Env::kubernetes().compile(source).is_err(), rejected, "{source}");
        assert_eq!(error_of(source).is_some(), rejected, "{source}");
    }
}

/// A rule about a struct of many fields is checked to its end; one that takes too much work is
/// accepted without a check.
#[test]
fn work_is_limited() {
    fn fields(count: usize) -> &'static Declared {
        let field =
            |n: usize| Field { name: format!("some_field_name_{n:03}").leak(), of: &Declared::Int };
        let fields: Vec<_> = (0..count).map(field).collect();
        Box::leak(Box::new(Declared::Object(Box::leak(Box::new(Object {
            name: "Many",
            fields: fields.leak(),
        })))))
    }
    let rejected = |count: usize, first: &str, operands: usize, last: &str| {
        let operand = format!("self.some_field_name_{:03} > 0", count - 1);
        let mut operands = vec![operand; operands];
        operands.insert(0, first.to_owned());
        operands.push(last.to_owned());
        let source: &'static str = operands.join(" && ").leak();
        let program = Program::write(&syntax::parse(source).unwrap()).unwrap().code.leak();
        panic::catch_unwind(|| check(rule(fields(count), source, program))).is_err()
    };
    let wrong = "self.some_field_name_000 == 'a'";
    assert!(rejected(100, "true", 100, wrong));
    assert!(!rejected(100, "true", 100, "self.some_field_name_000 == 1"));
    assert!(!rejected(400, "true", 120, wrong));
    // Errors that were found before the limit still count.
    assert!(rejected(400, wrong, 120, "true"));
}

#[test]
fn members_of_enumerations() {
    const PHASE: &Declared = &Declared::Enum(&["Pending", "Running"]);
    const SPEC: &Declared = &Declared::Object(&Object {
        name: "Spec",
        fields: &[
            Field { name: "phase", of: PHASE },
            Field { name: "phases", of: &Declared::List(PHASE) },
            Field { name: "name", of: TEXT },
        ],
    });
    let message = |source: &'static str, unchecked| {
        let program = Program::write(&syntax::parse(source).unwrap()).unwrap().code.leak();
        let rule = Rule { unchecked, ..rule(SPEC, source, program) };
        let panic = panic::catch_unwind(|| check(rule)).err();
        panic.and_then(|panic| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
    };
    for source in [
        "self.phase == 'running'",
        "'running' != self.phase",
        "self.phase in ['Pending', 'running']",
        "self.phases.exists(p, p == 'running')",
        "'running' in self.phases || self.phases[0] == 'running'",
    ] {
        assert!(
            message(source, false).contains("did you mean `Running`?"),
            "{source}: {}",
            message(source, false)
        );
        assert_eq!(message(source, true), "", "{source}");
    }
    for source in [
        "self.phase == 'Running' || self.phase in ['Pending']",
        "oldSelf.phase == 'Paused' || self.name == 'running'",
        "self.phase + 'x' == 'y' || self.phase == self.name",
    ] {
        assert_eq!(message(source, false), "", "{source}");
    }
}

#[test]
fn members_of_several_enumerations() {
    const ONE: Declared = Declared::Object(&Object {
        name: "One",
        fields: &[Field { name: "mode", of: &Declared::Enum(&["Fast", "Slow"]) }],
    });
    const OTHER: Declared = Declared::Object(&Object {
        name: "Other",
        fields: &[Field { name: "mode", of: &Declared::Enum(&["Slow", "Never"]) }],
    });
    const SPEC: &Declared = &Declared::OneOf(&[ONE, OTHER]);
    let message = |source: &'static str| {
        let program = Program::write(&syntax::parse(source).unwrap()).unwrap().code.leak();
        let panic = panic::catch_unwind(|| check(rule(SPEC, source, program))).err();
        panic.and_then(|panic| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
    };
    let wrong = message("self.mode == 'fast'");
    assert!(wrong.contains("has `Fast`, `Slow`, `Never`; did you mean `Fast`?"), "{wrong}");
    let wrong = message("self.mode in ['Never', 'nevr', 'Slow']");
    assert!(wrong.contains("has `Fast`, `Slow`, `Never`; did you mean `Never`?"), "{wrong}");
    assert_eq!(message("self.mode in ['Fast', 'Never']"), "");
}

/// The error of a rule about a spec, of a kind for servers from a minor on.
fn message_from(oldest: u32, source: &'static str) -> String {
    const NAMED: Declared = Declared::Object(&Object {
        name: "Spec",
        fields: &[
            Field { name: "ports", of: PORTS },
            Field { name: "address", of: &Declared::String },
            Field { name: "__namespace__", of: &Declared::String },
            Field { name: "few", of: &Declared::List(&Declared::Int) },
            Field { name: "port", of: &Declared::Dyn },
            Field { name: "", of: &Declared::RESOURCE },
            Field { name: "any", of: &Declared::Unknown },
        ],
    });
    let ast = syntax::parse_in(source, Environment::new(KubernetesVersion::NEWEST)).expect(source);
    let program = Program::write(&ast).expect(source).code.leak();
    let [examined] = examine(&[rule(&NAMED, source, program)]);
    let panic = panic::catch_unwind(|| available(&examined, oldest)).err();
    panic.and_then(|panic| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// The first minor without an error for a rule is the first that compiles it.
#[test]
fn a_rule_needs_the_first_minor_that_compiles_it() {
    for (source, first) in [
        ("self.ports.all(p, p.port > 0)", 30),
        ("isIP(self.address)", 31),
        ("quantity(self.address).isGreaterThan(quantity('1'))", 30),
        ("format.dns1123Label().validate(self.address).hasValue()", 32),
        ("self.namespace != 'a'", 32),
        ("self.__namespace__ != 'a'", 30),
        ("self.ports.all(i, p, p.port > i)", 33),
        ("self.ports.transformList(i, p, p.port > i).size() == 1", 33),
        ("self.ports.first().hasValue()", 33),
        ("semver(self.address).isGreaterThan(semver('1.0.0'))", 34),
        ("[3, 1].sortBy(p, p).size() == 1", 35),
        ("lists.range(3).size() == 3", 35),
        ("self.`address` == 'a'", 37),
        ("self.any.isGreaterThan(self.any)", 30),
    ] {
        for version in KubernetesVersion::ALL {
            let message = message_from(version.minor(), source);
            assert_eq!(
                message.is_empty(),
                version.minor() >= first,
                "{source} on {version}: {message}"
            );
        }
    }
}

#[test]
fn what_a_server_lacks_is_reported_at_its_position() {
    assert_eq!(
        message_from(
            30,
            "self.ports.size() == 1 || isIP(self.address) && semver('1.0.0').major() == 1"
        ),
        "`isIP` needs Kubernetes 1.31; this kind is for \
         1.30 and later\n | self.ports.size() == 1 || isIP(self.address) && semver('1.0.0').major() == 1\n | \
         ..............................^\n`semver` needs Kubernetes 1.34; this kind is for 1.30 \
         and later\n | self.ports.size() == 1 || isIP(self.address) && semver('1.0.0').major() == 1\n | \
         ......................................................^\n`major` needs Kubernetes \
         1.34; this kind is for 1.30 and later\n | self.ports.size() == 1 || isIP(self.address) && \
         semver('1.0.0').major() == 1\n | .....................................................................^\n\
         help: `kubernetes = \"1.34\"` on the kind gives up the servers before"
    );
}

#[test]
fn parts_of_a_kind_need_a_minor() {
    const NEEDS: &Needs = &Needs {
        place: &"src/port.rs:3",
        of: "Port",
        features: &[Feature { what: "the format `k8s-short-name` of `name`", since: 35 }],
        ..Needs::NONE
    };
    const PARTS: &Needs = &Needs { parts: &[(ELEMENTS, NEEDS)], ..Needs::NONE };
    let message = |oldest| {
        let panic = panic::catch_unwind(|| all_available(PARTS, "ports", oldest)).err();
        panic.and_then(|panic| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
    };
    assert_eq!(message(35), "");
    assert_eq!(
        message(34),
        "the format `k8s-short-name` of `name` needs Kubernetes 1.35; this kind is for 1.34 and later\nnote: it is \
         set on `Port` (src/port.rs:3), at `ports[*]`\nhelp: `kubernetes = \"1.35\"` on the kind gives up the servers before"
    );
}
