//! One table for each rule of the estimator: expressions, each with its bounds.

use std::sync::Arc;

use super::estimate;
use crate::decl::{Decl, DeclKind, FieldDecl, ListType, Named, ObjectDecl};
use crate::env::Env;
use crate::minors::{Environment, KubernetesVersion};
use crate::types::Type;

const NO_BOUND: u64 = u64::MAX;

fn decl(kind: DeclKind, max_elements: u64) -> Arc<Decl> {
    Arc::new(Decl { kind, nullable: false, max_elements, min_serialized_size: 1 })
}

fn list(max: u64, element: Arc<Decl>) -> Arc<Decl> {
    decl(DeclKind::List { element, list_type: ListType::Atomic }, max)
}

fn object(fields: Vec<(&str, Arc<Decl>)>) -> Arc<Decl> {
    let mut fields: Vec<_> = fields
        .into_iter()
        .map(|(key, decl)| FieldDecl { ident: key.into(), key: key.into(), decl })
        .collect();
    fields.sort_by(|a, b| a.ident.cmp(&b.ident));
    let object = ObjectDecl { fields, hidden: Vec::new() };
    decl(DeclKind::Object(Arc::new(object)), 0)
}

/// `s` and `t` are strings of at most 100 and 40 code points; `names` has at most 10 strings of at
/// most 20, and `byName` at most 5 of at most 30. `deep` is three nested lists of at most 2, 3 and
/// 4 objects, the innermost with `h` and `g`.
fn env() -> Env {
    env_on(KubernetesVersion::REFERENCE)
}

fn env_on(version: KubernetesVersion) -> Env {
    env_in(Environment::new(version))
}

fn env_in(environment: Environment) -> Env {
    let text = |max| decl(DeclKind::String, max);
    let inner = object(vec![("h", text(20))]);
    let middle = object(vec![("f", list(4, inner)), ("g", text(20))]);
    let outer = object(vec![("c", list(3, middle))]);
    let root = object(vec![
        ("s", text(100)),
        ("t", text(40)),
        ("i", decl(DeclKind::Int, 0)),
        ("any", decl(DeclKind::IntOrString, 50)),
        ("names", list(10, text(20))),
        ("ints", list(10, decl(DeclKind::Int, 0))),
        ("byName", decl(DeclKind::Map { value: text(30), fields: None }, 5)),
        ("nested", object(vec![("deep", list(2, outer))])),
    ]);
    let root = Named::new("T", root);
    Env::of(environment).with_variable("self", root.type_(), Some(root))
}

#[track_caller]
fn check(source: &str, min: u64, max: u64) {
    check_in(&env(), source, min, max);
}

/// As [`check`], on a server of a minor.
#[track_caller]
fn check_on(minor: u32, source: &str, min: u64, max: u64) {
    let version = KubernetesVersion::of_minor(minor).expect("a known minor");
    check_in(&env_on(version), source, min, max);
}

#[track_caller]
fn check_in(env: &Env, source: &str, min: u64, max: u64) {
    let checked = env.compile(source).unwrap_or_else(|issues| panic!("{issues}"));
    let got = estimate(&checked, env);
    assert_eq!((got.min, got.max), (min, max), "{source}");
}

#[test]
fn nodes() {
    check("true", 0, 0);
    check("self", 1, 1);
    check("self.i", 2, 2);
    check("has(self.i)", 1, 1);
    check("self.byName.k", 3, 3);
    // Selecting from dyn or from an optional costs nothing.
    check("self.any.k", 2, 2);
    check("self.?nested.deep", 2, 2);
    check("[self.i, 1]", 12, 12);
    check("{'a': self.i}", 32, 32);
    check("google.protobuf.Int64Value{value: 1}", 40, 40);
    check("dyn(self.i)", 3, 3);
    check("self.i + 1", 3, 3);
}

#[test]
fn logic_and_choice() {
    check("self.i == 1 && self.i == 2", 2, 4);
    check("self.i == 1 || self.i == 2", 2, 4);
    check("self.i == 1 ? self.s : self.nested.deep[0].c[0].g", 4, 9);
    check("self.i == 1 ? 'a' : 'b'", 2, 2);
}

#[test]
fn comparison_goes_by_the_smaller_side() {
    check("self.s == self.t", 5, 8);
    check("self.s != 'abcdefghijkl'", 3, 4);
    check("self.s < self.t", 5, 8);
    // Scalars of a schema have no elements.
    check("self.i == self.i", 4, 4);
    check("1 == 2", 1, 1);
    check("dyn(1) == dyn([1])", 13, 13);
}

#[test]
fn strings() {
    check("self.s.startsWith(self.t)", 4, 8);
    check("self.s.contains(self.t)", 4, 44);
    check("self.s.matches('^[a-z]+$')", 4, 24);
    check("matches(self.s, '^[a-z]+$')", 4, 24);
    check("self.s + self.t", 4, 18);
    check("(self.s + self.t).matches('abcd')", 5, 33);
    check("bytes(self.s)", 2, 12);
    check("bytes(self.s).size()", 3, 13);
    check("string(bytes(self.s)) == self.s", 5, 64);
    check("strings.quote(self.s)", 2, 12);
    check("'%s'.format([self.s])", 13, 13);
    check("self.s.lowerAscii().matches('abcd')", 3, 23);
    check("self.s.replace('ab', 'abcd').matches('abcd')", 3, 43);
    check("self.s.replace('ab', 'cd').matches('abcd')", 3, 33);
    check("self.s.replace('', 'ab').matches('abcd')", 3, 53);
    check("self.s.split(',').size()", 3, 23);
    check("self.s.split(',', 2).all(x, x == 'a')", 3, 31);
    check("self.names.join(',')", 2, 23);
    check("self.s.find('[a-z]+')", 4, 24);
    check("self.s.indexOf('a')", 2, 12);
}

#[test]
fn lists_and_sets() {
    check("'a' in self.names", 2, 12);
    check("self.ints.sum()", 2, 12);
    check("self.names.max()", 2, 32);
    check("self.names.indexOf('a')", 2, 32);
    check("sets.contains(self.names, ['a', 'b'])", 13, 33);
    check("sets.equivalent(self.names, ['a', 'b'])", 13, 53);
    check("self.names.slice(1, 3)", 15, 15);
    check("self.names.slice(1, self.i)", 24, 24);
    check("self.names.slice(3, 1)", NO_BOUND, NO_BOUND);
    check("lists.range(5)", 16, 16);
    check("lists.range(self.i)", NO_BOUND, NO_BOUND);
    check("self.names.reverse()", 13, 23);
    check("[self.names].flatten()", 24, 24);
    check("[self.names].flatten(3)", 26, 26);
    check("self.names.distinct()", 13, 213);
    check("self.ints.sort()", 13, 213);
    check("self.names.sort()", 13, 223);
    check("self.names + self.names", 5, 5);
}

#[test]
fn comprehensions_multiply() {
    check("self.names.all(n, n == 'a')", 3, 53);
    check("self.names.exists(n, n == 'a')", 3, 63);
    check("self.names.map(n, n)", 13, 143);
    check("self.names.filter(n, n == 'a')", 13, 163);
    check("self.names.exists_one(n, n == 'a')", 4, 44);
    check("self.byName.all(k, self.byName[k] == 'a')", 3, 43);
    check("self.byName.all(k, v, v == 'a')", 3, 28);
    check("[1, 2, 3].all(x, x == 1)", 20, 23);
    check("optional.of(self.s).optMap(x, x.size())", 5, 21);
}

/// No declaration is looked up for an accumulator, not even where a variable has the size of the root.
#[test]
fn accumulators_are_scalars_on_every_minor() {
    for version in KubernetesVersion::ALL {
        let env = env_on(version);
        let checked = env.compile("self.names.exists_one(n, n == 'a')").expect("a rule");
        let got = estimate(&checked, &env);
        assert_eq!((got.min, got.max), (4, 44), "{version}");
    }
}

#[test]
fn variables_over_computed_ranges_take_the_size_of_the_root() {
    // Upstream: their path is `@items` alone, and the first element of a path is skipped.
    check("self.names.filter(n, n != '').size()", 14, 154);
    check("self.names.map(n, n + 'a').all(n, n.matches('abcd'))", 14, 224);
    check("self.s.split(',').all(p, p.matches('abcd'))", 3, 523);
}

#[test]
fn kubernetes_functions() {
    check("isURL(self.s)", 3, 3);
    check("url(self.s).getHost()", 3, 13);
    check("url(self.s) == url(self.t)", 5, 22);
    check("isIP(self.s)", 2, 12);
    check("ip(self.s) == ip(self.t)", 5, 19);
    check("ip.isCanonical(self.s)", 2, 22);
    check("ip(self.s).family()", 3, 13);
    check("cidr('10.0.0.0/8').containsIP(self.s)", 4, 17);
    check("cidr('10.0.0.0/8').containsIP(ip(self.s))", 4, 17);
    check("cidr('10.0.0.0/8').containsCIDR(self.s)", 6, 20);
    check("cidr('10.0.0.0/8').ip()", 2, 2);
    check("quantity(self.s).isLessThan(quantity('1'))", 4, 14);
    check("quantity(self.s) == quantity('1')", 4, 14);
    check("quantity(self.s) != quantity('1')", 4, 1_844_674_407_370_955_277);
    check("semver(self.s).major()", 3, 13);
    check("format.uri().validate(self.s)", 3, 323);
    check("format.uri() == format.uuid()", 3, 9);
    check("format.named('uri')", 1, 1);
}

#[test]
fn a_path_that_shares_memory_with_another_changes_with_it() {
    // y.g overwrites the element `f` of z's path, which they share, so that z.h has no size any
    // more.
    let body = "z.h.matches('abcd')";
    let nest = |inner: &str| format!("self.nested.deep.all(x, x.c.all(y, y.f.all(z, {inner})))");
    check(&nest(&format!("{body} && {body}")), 4, 364);
    check(&nest(&format!("{body} && y.g == 'a' && {body}")), 4, NO_BOUND);
}

#[test]
fn entries_have_sizes() {
    let long = "'0123456789012345678901234567890123456789'";
    // One of two literals: the shortest and the longest of their entries.
    check(&format!("(self.i == 1 ? ['a'] : [{long}])[0].matches('abcd')"), 14, 18);
    let maps = format!("self.i == 1 ? {{'a': 1}} : {{{long}: 1}}");
    check(&format!("({maps}).all(k, k.matches('abcd'))"), 36, 38);
    let undeclared = Env::kubernetes().with_variable("x", Type::Int, None);
    let keys = format!("(x == 1 ? {{'a': 1}} : {{{long}: 1}}).all(k, k.matches('abcd'))");
    check_in(&undeclared, &keys, 36, 42);
    // The elements that a macro adds to its list.
    check(&format!("self.names.map(n, {long})[0].matches('abcd')"), 15, 139);
    check(&format!("[].map(x, {long})[0].matches('abcd')"), 23, 27);
    check("self.names.filter(n, [1].exists(i, v, v == 1))[0].matches('abcd')", 15, 307);
    check("self.byName['k'].matches('abcd')", 4, 7);
    check(&format!("string(b{long}).matches('abcd')"), 6, 9);
}

#[test]
fn variables_hide_others_only_inside_their_macro() {
    check("self.names.all(self, self == 'a') && self.s.matches('abcd')", 3, 66);
}

#[test]
fn a_part_of_dyn_counts_once() {
    let env = env_in(Environment::stored(KubernetesVersion::REFERENCE));
    check_in(&env, "dyn(self.names).includes('a')", 3, 13);
    check_in(&env, "self.names.includes('a')", 2, 32);
}

#[test]
fn values_of_library_types_are_compared_at_the_cost_of_their_type() {
    let authorizer = Type::opaque("kubernetes.authorization.Authorizer");
    check_in(&env().with_variable("auth", authorizer, None), "auth == auth", 3, 3);
    // A URL costs as much as the right side is long.
    check("url(self.t) == url(self.s)", 5, 28);
}

#[test]
fn older_servers_know_fewer_sizes() {
    let urls = "url(self.s) == url(self.t)";
    check_on(31, urls, 5, 1_844_674_407_370_955_282);
    check_on(32, urls, 5, 22);
    let optionals = "optional.of(self.i) == optional.of(1)";
    check_on(32, optionals, 5, 1_844_674_407_370_955_268);
    check_on(33, optionals, 5, 5);
    let results = "self.s.split(',').all(p, true) == self.s.split(',').all(p, true)";
    check_on(32, results, 7, 656);
    check_on(33, results, 7, 647);
    let matches = "matches(self.s, '^[a-z]+$')";
    check_on(36, matches, 3, 3);
    check_on(37, matches, 4, 24);
}
