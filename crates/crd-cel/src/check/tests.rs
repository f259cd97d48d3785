//! One table for each rule of the checker: expressions, each with its type or with its issues
//! without the snippets.

use std::sync::Arc;

use crate::decl::{Decl, DeclKind, FieldDecl, ListType, Named, ObjectDecl};
use crate::env::Env;
use crate::minors::{Environment, KubernetesVersion};
use crate::syntax::ExprKind;
use crate::types::Type;

fn leaf(kind: DeclKind) -> Arc<Decl> {
    Arc::new(Decl { kind, nullable: false, max_elements: 0, min_serialized_size: 1 })
}

fn object(fields: &[(&str, DeclKind)]) -> DeclKind {
    let mut fields: Vec<_> = fields
        .iter()
        .map(|(key, kind)| FieldDecl {
            ident: crate::escape::escape(key).expect("a name").into(),
            key: (*key).into(),
            decl: leaf(kind.clone()),
        })
        .collect();
    fields.sort_by(|a, b| a.ident.cmp(&b.ident));
    DeclKind::Object(Arc::new(ObjectDecl { fields, hidden: Vec::new() }))
}

fn env() -> Env {
    env_on(KubernetesVersion::REFERENCE)
}

fn env_on(version: KubernetesVersion) -> Env {
    let list = |kind| DeclKind::List { element: leaf(kind), list_type: ListType::Atomic };
    let root = leaf(object(&[
        ("s", DeclKind::String),
        ("i", DeclKind::Int),
        ("n", DeclKind::Double),
        ("any", DeclKind::IntOrString),
        ("at", DeclKind::DateTime),
        ("for", DeclKind::Duration),
        ("namespace", DeclKind::String),
        ("a-b", DeclKind::Int),
        ("names", list(DeclKind::String)),
        ("byName", DeclKind::Map { value: leaf(DeclKind::Int), fields: None }),
        ("left", object(&[("x", DeclKind::Int)])),
        ("right", object(&[("x", DeclKind::Int)])),
    ]));
    let root = Named::new("T", root);
    let ty = root.type_();
    Env::of(Environment::new(version))
        .with_variable("self", ty.clone(), Some(root.clone()))
        .with_variable("old", Type::optional(ty), Some(root))
        .with_variable("a.b", Type::Int, None)
}

#[track_caller]
fn check(source: &str, want: &str) {
    check_in(&env(), source, want);
}

/// As [`check`], on a server of a minor.
#[track_caller]
fn check_on(minor: u32, source: &str, want: &str) {
    let version = KubernetesVersion::of_minor(minor).expect("a known minor");
    check_in(&env_on(version), source, want);
}

#[track_caller]
fn check_in(env: &Env, source: &str, want: &str) {
    let got = match env.compile(source) {
        Ok(checked) => checked.result_type().to_string(),
        Err(issues) => {
            let text = issues.to_string();
            let heads = text.lines().filter_map(|line| line.strip_prefix("ERROR: <input>:1:"));
            heads.collect::<Vec<_>>().join("; ")
        }
    };
    assert_eq!(got, want, "{source}");
}

#[test]
fn names() {
    check("self.i", "int");
    check(".self.i", "int");
    check("a.b", "int");
    check("a.b.c", "4: type 'int' does not support field selection");
    check("nothing", "1: undeclared reference to 'nothing' (in container '')");
    check("nothing()", "8: undeclared reference to 'nothing' (in container '')");
    check(
        "nothing.at(1)",
        "1: undeclared reference to 'nothing' (in container ''); \
         11: undeclared reference to 'at' (in container '')",
    );
    check("int", "type(int)");
    check("list", "type(list(dyn))");
    check("net.IP", "type(net.IP)");
    check("duration", "type(duration)");
    check("kubernetes.URL", "1: undeclared reference to 'kubernetes' (in container '')");
    check("google.protobuf.Timestamp", "type(timestamp)");
    check("google.protobuf.NullValue.NULL_VALUE", "int");
    check("format.dns1123Label()", "kubernetes.NamedFormat");
    check("self.names.all(self, self == 'a')", "bool");
}

#[test]
fn functions_have_their_full_names() {
    for (source, want) in
        [("sets.contains([1], [2])", "sets.contains"), (".size([])", "size"), ("[].size()", "size")]
    {
        let checked = env().compile(source).unwrap_or_else(|issues| panic!("{issues}"));
        let ExprKind::Call { function, target, .. } = &checked.ast.root.kind else {
            panic!("{source}")
        };
        assert_eq!((&**function, target.is_some()), (want, source.starts_with('[')), "{source}");
    }
}

#[test]
fn names_in_a_container() {
    let env = Env::kubernetes()
        .with_variable("x.y.v", Type::Int, None)
        .with_variable("x.v", Type::String, None)
        .with_variable("v", Type::Bool, None)
        .with_container("x.y");
    for (source, want) in [("v", "int"), (".v", "bool"), ("x.v", "string"), ("y.v", "int")] {
        assert_eq!(env.compile(source).unwrap().result_type().to_string(), want, "{source}");
    }
    let issues = env.compile("w").unwrap_err().to_string();
    assert!(issues.contains("undeclared reference to 'w' (in container 'x.y')"), "{issues}");
}

#[test]
fn fields() {
    check("self.left.x", "int");
    check("self.q", "5: undefined field 'q'");
    check("has(self.q)", "4: undefined field 'q'");
    check("has(self.s)", "bool");
    check("self.namespace", "string");
    check("self.__namespace__", "string");
    check("self.a__dash__b", "int");
    check("self.byName.k", "int");
    check("self.any.k", "dyn");
    check("self.s.k", "7: type 'string' does not support field selection");
    check("self.?left.x", "optional_type(int)");
    check("self.?q", "5: undefined field 'q'");
    check("old.s", "optional_type(string)");
    check("[].map(x, x.y)", "list(dyn)");
    check("quantity('1').x", "14: unexpected failed resolution of 'kubernetes.Quantity'");
}

#[test]
fn overloads() {
    check("1 + 2", "int");
    check("1 + 2.0", "3: found no matching overload for '_+_' applied to '(int, double)'");
    check("1 == 1.0", "3: found no matching overload for '_==_' applied to '(int, double)'");
    check("1 < 1.0", "bool");
    check("1u >= self.n", "bool");
    check("'a'.size(1)", "9: found no matching overload for 'size' applied to 'string.(int)'");
    check("self.any + 1", "int");
    check("self.any + self.any", "dyn");
    check("self.any == 1", "bool");
    check("self.left == self.left", "bool");
    check(
        "self.left == self.right",
        "11: found no matching overload for '_==_' applied to '(T.left, T.right)'",
    );
    check("self.left == null", "bool");
    check("self.at == null", "bool");
    check("self.s == null", "8: found no matching overload for '_==_' applied to '(string, null)'");
    check(
        "true ? 1 : 'a'",
        "6: found no matching overload for '_?_:_' applied to '(bool, int, string)'",
    );
    check("true ? self.at : null", "timestamp");
    check("true ? null : self.at", "null");
    check("dyn(self.s).size()", "int");
    check("string(ip('::1'))", "string");
    check("[] == [1]", "bool");
    check("['a'][0]", "string");
    check("{'a': 1}['a']", "int");
    check(
        "{'a': 1}[1]",
        "9: found no matching overload for '_[_]' applied to '(map(string, int), int)'",
    );
    check("{'a': 1}[?'b']", "optional_type(int)");
    check(
        "list + 1",
        "6: found no matching overload for '_+_' applied to '(type(list(dyn)), int)'",
    );
}

#[test]
fn logic_names_the_operand() {
    check("true && 1", "9: expected type 'bool' but found 'int'");
    check(
        "'a' || 1",
        "1: expected type 'bool' but found 'string'; 8: expected type 'bool' but found 'int'",
    );
    check("self.any && true", "bool");
    check("!1", "1: found no matching overload for '!_' applied to '(int)'");
}

#[test]
fn aggregates_have_one_type() {
    check("[]", "list(dyn)");
    check("[[], [1]]", "list(list(int))");
    check("[1, 'a', 2u]", "5: expected type 'int' but found 'string'");
    check("[1, dyn(1)]", "8: expected type 'int' but found 'dyn'");
    check(
        "{1: 1, 'a': 1.0}",
        "8: expected type 'int' but found 'string'; 13: expected type 'int' but found 'double'",
    );
    check("[?optional.of(1), 2]", "list(int)");
    check("[?1]", "3: expected type 'optional_type(int)' but found 'int'");
    check("{?'a': 1}", "8: expected type 'optional_type(int)' but found 'int'");
    check(
        "'%s'.format([1, 'a'])",
        "12: too many arguments supplied to string.format (expected 1, got 2)",
    );
}

#[test]
fn messages() {
    check("google.protobuf.Int64Value{value: 1}", "wrapper(int)");
    check("google.protobuf.Int64Value{} == 1", "bool");
    check("google.protobuf.Int64Value{} == null", "bool");
    check(
        "google.protobuf.Int64Value{value: 'a'}",
        "33: expected type of field 'value' is 'int' but provided type is 'string'",
    );
    check("google.protobuf.Duration{second: 1}", "32: undefined field 'second'");
    check("self{}", "5: undeclared reference to 'self' (in container '')");
    check("int{}", "4: 'int' is not a message type");
    check("nothing{}", "8: undeclared reference to 'nothing' (in container '')");
    check("null_type{}", "null");
    check_on(36, "self{}", "5: 'T' is not a type");
    check_on(36, "nothing{}", "8: undeclared reference to 'nothing' (in container '')");
}

#[test]
fn comprehensions() {
    check("self.names.all(n, n.size() > 1)", "bool");
    check("self.names.map(n, n.size())", "list(int)");
    check("self.byName.map(k, k)", "list(string)");
    check("self.byName.all(k, v, k.size() == v)", "bool");
    check("self.names.transformList(i, n, i)", "list(int)");
    check("self.names.transformMap(i, n, n)", "map(int, string)");
    check("self.byName.transformMapEntry(k, v, {v: k})", "map(int, string)");
    check("self.names.sortBy(n, n.size())", "list(string)");
    check("self.any.all(x, x)", "bool");
    check("[].all(x, x == 1)", "bool");
    check(
        "self.s.all(c, true)",
        "5: expression of type 'string' cannot be range of a comprehension \
         (must be list, map, or dynamic)",
    );
    check("self.names.all(n, n)", "19: expected type 'bool' but found 'string'");
    check(
        "self.names.all(n)",
        "15: undeclared reference to 'all' (in container ''); \
         16: undeclared reference to 'n' (in container '')",
    );
}

#[test]
fn optionals() {
    check("optional.of(1).value()", "int");
    check("optional.none()", "optional_type(dyn)");
    check("optional.none().orValue('a')", "string");
    check(
        "optional.of(1).or(optional.of('a'))",
        "18: found no matching overload for 'or' applied to 'optional_type(int).(optional_type(string))'",
    );
    check("old.?s.orValue('')", "string");
    check("old.optMap(o, o.s)", "optional_type(string)");
    check("[optional.of(1)].unwrapOpt()", "list(int)");
    check("self.names[?0]", "optional_type(string)");
    check_on(32, "optional.none().optMap(x, x)", "optional_type(dyn)");
    check_on(31, "optional.of(1).optMap(x, x)", "optional_type(int)");
    check_on(
        31,
        "optional.of([]).optMap(x, x)",
        "13: incompatible type already exists for expression: old:list(_var0), new:list(_var4)",
    );
}

#[test]
fn types_have_a_limit() {
    let doubled = |times: usize| format!("[1]{}", ".map(x, {x: x})".repeat(times));
    // A list of `n` times doubled elements has 2^(n+1) parts.
    assert!(env().compile(&doubled(15)).is_ok());
    assert!(env().compile(&doubled(16)).is_err());
    let issues = env().compile(&doubled(40)).unwrap_err().to_string();
    assert!(issues.contains("type has more than 65536 parts"), "{issues}");
}

#[test]
fn nesting_up_to_the_limit_of_the_parser_is_checked() {
    let nested = |times: usize| format!("{}1{}", "[1].map(x, ".repeat(times), ")".repeat(times));
    assert!(env().compile(&nested(200)).is_ok());
    assert!(env().compile(&nested(260)).is_err());
}
