//! The results, errors and costs of the functions of the authorization library.

use std::sync::Mutex;

use crd_cel::domain::authorization::{Action, Authorizer, Decision, Resource, Target};
use crd_cel::env::Env;
use crd_cel::plan::Program;
use crd_cel::types::Type;
use crd_cel::value::Value;

/// Records the actions that it is asked about. It allows the verb `get`, fails for `fail`, and has no
/// opinion about others.
#[derive(Debug, Default)]
struct Recording(Mutex<Vec<String>>);

impl Authorizer for Recording {
    fn authorize(&self, action: &Action<'_>) -> Decision {
        let by = match action.service_account {
            None => "user".to_owned(),
            Some((namespace, name)) => format!("{namespace}:{name}"),
        };
        let on = match action.target {
            Target::Path(path) => path.to_owned(),
            Target::Resource(it) => format!(
                "{}|{}|{}|{}|{}|{}|{}",
                it.group,
                it.resource,
                it.subresource,
                it.namespace,
                it.name,
                it.field_selector,
                it.label_selector
            ),
            _ => "unknown".to_owned(),
        };
        self.0.lock().expect("a log").push(format!("{by} {} {on}", action.verb));
        match action.verb {
            "get" => Decision::allow("all may get"),
            "fail" => Decision::no_opinion("").with_error("out of order"),
            _ => Decision::no_opinion("unknown verb"),
        }
    }
}

/// Evaluates an expression. Returns its value or error as text, its cost, and the actions that were
/// asked about.
fn evaluated(expr: &str, limit: u64) -> (String, u64, Vec<String>) {
    let env = Env::kubernetes()
        .with_variable("authorizer", Type::object("kubernetes.authorization.Authorizer"), None)
        .with_variable(
            "authorizer.requestResource",
            Type::object("kubernetes.authorization.ResourceCheck"),
            None,
        );
    let checked = env.compile(expr).unwrap_or_else(|issues| panic!("{expr}\n{issues}"));
    let program = Program::plan(&checked, &env).expect(expr);
    let recording = Recording::default();
    let mut resource = Resource::default();
    resource.group = "apps".into();
    resource.resource = "deployments".into();
    resource.namespace = "prod".into();
    resource.name = "web".into();
    let variables = [
        ("authorizer", Value::authorizer(&recording)),
        ("authorizer.requestResource", Value::resource_check(&recording, resource)),
    ];
    let outcome = program.eval(&variables, limit);
    let text = match &outcome.result {
        Ok(value) => value.to_string(),
        Err(error) => format!("error: {error}"),
    };
    let cost = outcome.cost;
    drop(outcome);
    drop(variables);
    (text, cost, recording.0.into_inner().expect("a log"))
}

#[track_caller]
fn check(expr: &str, want: &str, cost: u64) {
    let (text, used, _) = evaluated(expr, u64::MAX);
    assert_eq!((text.as_str(), used), (want, cost), "{expr}");
}

/// Checks which actions an expression asks about.
#[track_caller]
fn asks(expr: &str, want: &[&str]) {
    let (text, _, actions) = evaluated(expr, u64::MAX);
    assert_eq!(actions, want, "{expr}: {text}");
}

#[test]
fn decisions() {
    check("authorizer.path('/healthz').check('get').allowed()", "true", 350_003);
    check("authorizer.path('/healthz').check('get').reason()", "all may get", 350_003);
    check("authorizer.path('/healthz').check('get').errored()", "false", 350_003);
    check("authorizer.path('/healthz').check('get').error()", "", 350_003);
    check("authorizer.path('/healthz').check('post').allowed()", "false", 350_003);
    check("authorizer.path('/healthz').check('post').reason()", "unknown verb", 350_003);
    check("authorizer.path('/healthz').check('fail').allowed()", "false", 350_003);
    check("authorizer.path('/healthz').check('fail').reason()", "", 350_003);
    check("authorizer.path('/healthz').check('fail').errored()", "true", 350_003);
    check("authorizer.path('/healthz').check('fail').error()", "out of order", 350_003);
}

#[test]
fn each_function_sets_its_part_of_the_action() {
    asks("authorizer.path('healthz').check('GET').allowed()", &["user GET healthz"]);
    asks("authorizer.group('').resource('pods').check('get')", &["user get |pods|||||"]);
    asks(
        "authorizer.group('apps').resource('deployments').subresource('status').namespace('prod').name('web')\
         .fieldSelector('a=b').labelSelector('c in (d').check('list')",
        &["user list apps|deployments|status|prod|web|a=b|c in (d"],
    );
    asks("authorizer.requestResource.check('get')", &["user get apps|deployments||prod|web||"]);
    asks(
        "authorizer.requestResource.subresource('scale').namespace('').name('').check('get')",
        &["user get apps|deployments|scale||||"],
    );
    asks(
        "authorizer.serviceAccount('dev', 'builder.two').path('/').check('get')",
        &["dev:builder.two get /"],
    );
    asks(
        "authorizer.serviceAccount('dev', 'a').serviceAccount('prod', 'b').group('').resource('pods').check('get')",
        &["prod:b get |pods|||||"],
    );
}

/// Functions return new values, and leave their receivers as they are.
#[test]
fn values_do_not_change() {
    asks(
        "[authorizer.requestResource].all(it, it.name('b').check('get').allowed() && \
         it.check('get').allowed())",
        &["user get apps|deployments||prod|b||", "user get apps|deployments||prod|web||"],
    );
}

#[test]
fn costs() {
    check("authorizer.requestResource.check('get').allowed()", "true", 350_002);
    check("authorizer.group('').resource('pods').check('get').allowed()", "true", 350_004);
    check(
        "authorizer.group('').resource('pods').namespace('a').check('get').allowed()",
        "true",
        350_005,
    );
    check(
        "authorizer.group('').resource('pods').name('a').check('get').allowed()",
        "true",
        350_005,
    );
    check(
        "authorizer.serviceAccount('a', 'b').group('').resource('pods').subresource('c').check('get').allowed()",
        "true",
        350_006,
    );
    // A list (10), the text (1), and two requirements of 50.
    check(
        "authorizer.requestResource.fieldSelector('a=b').check('get').allowed()",
        "true",
        350_113,
    );
    check(
        "authorizer.requestResource.labelSelector('a=b').check('get').allowed()",
        "true",
        350_113,
    );
    let three =
        "['a', 'b', 'c'].all(it, authorizer.requestResource.name(it).check('get').allowed())";
    let (text, cost, actions) = evaluated(three, 1_000_000);
    assert_eq!(text, "error: operation cancelled: actual cost limit exceeded");
    assert_eq!(cost, 1_050_020);
    assert_eq!(actions.len(), 3);
}

#[test]
fn errors() {
    check("authorizer.path('')", "error: path must not be empty", 2);
    check(
        "authorizer.path(' \\t\\u00a0').check('get').allowed()",
        "error: path must not be empty",
        350_003,
    );
    check("authorizer.group('').resource(' ')", "error: resource must not be empty", 3);
    check("authorizer.serviceAccount('a.b', 'c')", "error: Invalid service account namespace", 2);
    check("authorizer.serviceAccount('', 'c')", "error: Invalid service account namespace", 2);
    check("authorizer.serviceAccount('A', 'C')", "error: Invalid service account name", 2);
    check(
        "authorizer.path(dyn(1))",
        "error: no such overload: path(kubernetes.authorization.Authorizer, int)",
        2,
    );
    check(
        "dyn(authorizer).check('get')",
        "error: no such overload: check(kubernetes.authorization.Authorizer, string)",
        350_002,
    );
    check(
        "dyn(authorizer.group('')).name('a')",
        "error: no such overload: name(kubernetes.authorization.GroupCheck, string)",
        4,
    );
    check("dyn(authorizer).allowed", "error: no such key: allowed", 4);
}

#[test]
fn types_have_names_and_no_conversions() {
    for (expr, want) in [
        ("authorizer", "kubernetes.authorization.Authorizer"),
        ("authorizer.path('a')", "kubernetes.authorization.PathCheck"),
        ("authorizer.group('a')", "kubernetes.authorization.GroupCheck"),
        ("authorizer.requestResource", "kubernetes.authorization.ResourceCheck"),
        ("authorizer.path('a').check('get')", "kubernetes.authorization.Decision"),
    ] {
        let (text, ..) = evaluated(&format!("type({expr})"), u64::MAX);
        assert_eq!(text, want);
        let (text, ..) = evaluated(&format!("string(dyn({expr}))"), u64::MAX);
        assert_eq!(text, format!("error: no such overload: string({want})"));
        let (text, ..) = evaluated(&format!("type({expr}) == type({expr})"), u64::MAX);
        assert_eq!(text, "true");
        let (text, ..) = evaluated(&format!("type({expr}) == type('a')"), u64::MAX);
        assert_eq!(text, "false");
    }
}

/// Upstream: a value is not comparable, not even with itself, and an error in a comparison makes `!=` true and lists
/// equal.
#[test]
fn equality() {
    check("authorizer == authorizer", "error: no such overload", 3);
    check("authorizer != authorizer", "true", 3);
    check("dyn(authorizer) == dyn(1)", "error: no such overload", 3);
    check("dyn(1) == dyn(authorizer)", "false", 3);
    check("dyn(authorizer) == null", "false", 3);
    check("[authorizer] == [authorizer]", "true", 23);
    check("authorizer in [authorizer]", "false", 13);
    check("optional.of(authorizer).hasValue()", "true", 3);
    check("optional.ofNonZeroValue(authorizer.path('/').check('get')).hasValue()", "true", 350_004);
    check("{'a': authorizer} == {'a': authorizer}", "true", 63);
    check("sets.contains([authorizer], [authorizer])", "false", 24);
    check("optional.of(authorizer) == optional.of(authorizer)", "error: no such overload", 5);
}
