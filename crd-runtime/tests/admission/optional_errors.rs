//! Optionals of members that do not match their schema: such a member is present, and reading its value fails.
//!
//! An update that leaves an invalid member alone is ratcheted, so that rules see it. The answers and costs are those of
//! kube-apiserver 1.36.2, whose CEL has errors as values: `hasValue()` is true for one.

use crd_runtime::admit;
use crd_runtime::{KubernetesVersion, Server};
use serde_json::{Value, json};

use crate::support::{definition, errors, object};

/// What a rule comes to.
#[derive(Clone, Copy, Debug)]
enum Answer {
    Holds,
    Fails,
    /// It cannot be evaluated, for this reason.
    Error(&'static str),
}

const NULL: &str = "invalid data, got null for schema with nullable=false";

/// The same after the server has turned the optional into Go data and back.
const CONVERTED: &str = "unsupported conversion to ref.Val: (*errors.errorString)invalid data, got null for schema \
                         with nullable=false";

/// Rules at `spec`, what they cost, in cost units, and what they come to.
const RULES: &[(&str, u64, Answer)] = &[
    ("self.l[?0].hasValue()", 4, Answer::Holds),
    ("self.l[?0].value() == 'a'", 5, Answer::Error(NULL)),
    ("self.l[?0].orValue('x') == 'x'", 4, Answer::Error(NULL)),
    ("self.l[?0].or(optional.of('x')).hasValue()", 4, Answer::Holds),
    ("optional.none().or(self.l[?0]).hasValue()", 5, Answer::Holds),
    ("self.l[?0].optMap(v, 'a').hasValue()", 6, Answer::Holds),
    ("[?self.l[?0]].size() == 1", 15, Answer::Holds),
    ("{?'a': self.l[?0]}.size() == 1", 35, Answer::Holds),
    ("self.l[?0] in [optional.of('a')]", 15, Answer::Fails),
    ("optional.of('a') in [self.l[?0]]", 15, Answer::Fails),
    ("type(self.l[?0]) == optional_type", 5, Answer::Holds),
    ("self.m[?0].a.hasValue()", 4, Answer::Error(NULL)),
    ("self.m[?0].a == optional.none()", 5, Answer::Error(NULL)),
    ("has(self.m[?0].a)", 2, Answer::Error(NULL)),
    ("self.m[?0].?a.hasValue()", 4, Answer::Error(NULL)),
    ("self.m[?1].a.hasValue()", 4, Answer::Fails),
    ("[self.l[?0]].exists(x, x.hasValue())", 20, Answer::Holds),
    ("[self.l[?0]].all(x, x == optional.of('b'))", 20, Answer::Error(CONVERTED)),
    ("[self.l[?0]].map(x, x).size() == 1", 29, Answer::Holds),
    ("self.l[?0].optFlatMap(v, optional.of(v)).hasValue()", 11, Answer::Error(NULL)),
    ("self.l[?0].optFlatMap(v, optional.of('a')).hasValue()", 6, Answer::Holds),
    ("dyn(self.l[?0]) == 'a'", 5, Answer::Fails),
    ("self.l[?0].orValue(self.l[1]) == 'b'", 4, Answer::Error(NULL)),
    ("(true ? self.l[?0] : optional.none()).hasValue()", 3, Answer::Holds),
    ("[self.l[?0]] == [optional.of('a')]", 25, Answer::Holds),
    ("[self.l[?0]].size() == 1", 15, Answer::Holds),
    ("[self.l[?0]][0].hasValue()", 16, Answer::Holds),
    ("{'a': self.l[?0]}.a.hasValue()", 36, Answer::Holds),
    ("{'a': self.l[?0]}.a.orValue('b') == 'b'", 36, Answer::Error(NULL)),
    ("self.l[?0].hasValue() && self.l[?1].hasValue()", 8, Answer::Holds),
    ("self.l[?0].value() == 'a' || true", 5, Answer::Holds),
    ("self.l[?1].hasValue()", 4, Answer::Holds),
    ("self.?l[0].hasValue()", 4, Answer::Holds),
    ("self.?l[0].orValue('q') == 'q'", 4, Answer::Error(NULL)),
    ("self.?l[?0].hasValue()", 4, Answer::Holds),
    ("[self.l[?0]].exists(x, x.value() == 'a')", 21, Answer::Error(CONVERTED)),
    ("optional.of(self.l[?0]).hasValue()", 5, Answer::Holds),
    ("optional.of(self.l[?0]).value().hasValue()", 6, Answer::Holds),
    ("optional.ofNonZeroValue(self.l[?0]).hasValue()", 5, Answer::Holds),
    ("optional.unwrap([self.l[?0]]).size() == 1", 16, Answer::Holds),
    ("[self.l[?0]].unwrapOpt().size() == 1", 16, Answer::Holds),
    ("self.l.first().hasValue()", 4, Answer::Holds),
    ("self.l.first().orValue('x') == 'x'", 4, Answer::Error(NULL)),
    ("self.l.last().hasValue()", 4, Answer::Holds),
    ("self.i[?0].hasValue()", 4, Answer::Holds),
    ("self.i[?0] == optional.of(1)", 5, Answer::Error(NULL)),
    ("self.n[?0][?0].hasValue()", 4, Answer::Error(NULL)),
    ("self.n[?0][0].hasValue()", 4, Answer::Error(NULL)),
    ("self.n[?1][?0].hasValue()", 5, Answer::Holds),
    ("[self.l[?0]].exists(x, [x].size() == 1 && x.hasValue())", 33, Answer::Holds),
    ("[[self.l[?0]]].exists(x, x[0].hasValue())", 31, Answer::Holds),
    ("[self.l[?0]][?0].hasValue()", 16, Answer::Holds),
    ("[self.l[?0]][?0].value().hasValue()", 17, Answer::Holds),
    ("self.mm[?'k'].hasValue()", 4, Answer::Holds),
    ("self.mm.?k.hasValue()", 4, Answer::Holds),
    ("self.m.exists(x, has(x.a))", 12, Answer::Error(NULL)),
    ("[self.l[?0]].map(x, x.optMap(y, 'c')).exists(z, z.hasValue())", 36, Answer::Holds),
    ("[self.l[?0]].distinct().size() == 1", 28, Answer::Holds),
    ("self.l[?0].orValue('x').size() == 1", 5, Answer::Error(NULL)),
    (
        "[self.l[?0]].exists(x, [x].exists(y, y.value() == 'a'))",
        37,
        Answer::Error(
            "unsupported conversion to ref.Val: (*errors.errorString)unsupported conversion to ref.Val: (*errors.errorString)invalid data, got null for schema with nullable=false",
        ),
    ),
    (
        "[optional.of(ip('::1'))].exists(x, [x].exists(y, y.value() == ip('::1')))",
        37,
        Answer::Error(
            "unsupported conversion to ref.Val: (*errors.errorString)unsupported conversion to ref.Val: (netip.Addr)::1",
        ),
    ),
    (
        "[optional.of(ip('::1'))].exists(x, x.value() == ip('::1'))",
        21,
        Answer::Error("unsupported conversion to ref.Val: (netip.Addr)::1"),
    ),
    ("self.l.last().value() == 'b'", 5, Answer::Holds),
    ("[self.l[?0]].exists(x, x == optional.of('b'))", 21, Answer::Error(CONVERTED)),
    ("[[self.l[?0]]] == [[optional.of('a')]]", 45, Answer::Holds),
    ("{'a': self.l[?0]} == {'a': optional.of('a')}", 65, Answer::Holds),
    ("{'a': optional.of('a')} == {'a': self.l[?0]}", 65, Answer::Fails),
    ("[self.l[?0]] != [optional.of('a')]", 25, Answer::Fails),
    ("[optional.of('a')] == [self.l[?0]]", 25, Answer::Fails),
    ("[?self.l[?0]] == ['a']", 14, Answer::Holds),
    ("['a'] == [?self.l[?0]]", 14, Answer::Fails),
    ("[?self.l[?0]][0] == 'a'", 16, Answer::Error(NULL)),
    ("{?'a': self.l[?0]}.a == 'a'", 36, Answer::Error(NULL)),
    ("{?'a': self.l[?0]} == {'a': 'a'}", 34, Answer::Holds),
    ("[?self.l[?0]].exists(x, x == 'a')", 20, Answer::Error(NULL)),
    ("[?self.l[?0]].exists(x, true)", 18, Answer::Holds),
    ("[?self.l[?0]].map(x, x).size() == 1", 29, Answer::Error(NULL)),
    ("[?self.l[?0]].all(x, x.size() == 1)", 20, Answer::Error(NULL)),
    ("optional.unwrap([self.l[?0]])[0] == 'a'", 17, Answer::Error(NULL)),
    ("[self.l[?0]].map(x, x)[0].hasValue()", 30, Answer::Holds),
    ("[self.l[?0]].filter(x, x.hasValue()).size() == 1", 31, Answer::Holds),
    ("[self.l[?0]].sortBy(x, 1).size() == 1", 33, Answer::Holds),
    ("[self.l[?0], self.l[?0]].distinct().size() == 1", 37, Answer::Fails),
    ("type([?self.l[?0]][0]) == string", 17, Answer::Error(NULL)),
    ("'a' in [?self.l[?0]]", 14, Answer::Fails),
    ("[1].exists(q, self.l[?0].hasValue())", 9, Answer::Holds),
    ("{'z': self.l[?0]}.exists(k, k == 'z')", 40, Answer::Holds),
    ("{'z': self.l[?0]}.transformMap(k, v, v.hasValue()).z", 41, Answer::Holds),
    ("optional.of(self.l[?0]).value().value() == 'b'", 7, Answer::Error(NULL)),
    ("self.l[?0].or(self.l[?1]).value() == 'b'", 5, Answer::Error(NULL)),
    ("self.l[?0].optMap(v, v).hasValue()", 11, Answer::Error(NULL)),
    ("self.l[?0].optMap(v, v.size() > 1 || true).value()", 13, Answer::Holds),
    ("self.l[?0] == dyn(1)", 4, Answer::Fails),
    ("dyn(self.l[?0]) == null", 5, Answer::Fails),
    ("dyn(1) == self.l[?0]", 4, Answer::Fails),
];

fn spec() -> Value {
    let list = |items: Value| json!({"type": "array", "maxItems": 5, "items": items});
    let text = json!({"type": "string", "maxLength": 5});
    let part = json!({"type": "object", "properties": {"a": text}});
    json!({"type": "object", "properties": {
        "l": list(text.clone()),
        "i": list(json!({"type": "integer"})),
        "n": list(list(text.clone())),
        "m": list(part),
        "mm": {"type": "object", "maxProperties": 5, "additionalProperties": text},
        "z": text,
    }})
}

fn value(z: &str) -> Value {
    object(&json!({
        "l": [null, "b"], "i": [null], "n": [null, [null]], "m": [null, {}], "mm": {"k": "v"}, "z": z,
    }))
}

#[test]
fn an_optional_of_an_invalid_member_is_there_until_it_is_taken_out() {
    let kubernetes = KubernetesVersion::of_minor(36).unwrap();
    let mut wrong = Vec::new();
    for (rule, cost, answer) in RULES {
        let mut spec = spec();
        spec["x-kubernetes-validations"] = json!([{"rule": rule, "message": "the rule fails"}]);
        let root = json!({"type": "object", "properties": {"spec": spec}});
        let definition = definition(&root, &json!({}), "Namespaced");
        let schema = Server::of(kubernetes).compile(&definition, "v1").unwrap();
        let got = errors(&admit::update(&schema, value("new"), &value("old")));
        let want = match answer {
            Answer::Holds => None,
            Answer::Fails => Some("the rule fails".to_owned()),
            Answer::Error(text) => Some((*text).to_owned()),
        };
        let same = match (&got[..], &want) {
            ([], None) => true,
            ([got], Some(want)) => got.contains(&format!(": {want}")),
            _ => false,
        };
        let spent = schema.evaluate_rules(&value("new"), Some(&value("old"))).cost;
        if !same || spent != Some(*cost) {
            wrong
                .push(format!("{rule}: {got:?} and {spent:?} cost units, not {want:?} and {cost}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
