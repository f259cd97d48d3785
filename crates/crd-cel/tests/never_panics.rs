//! Evaluation never panics: over any value of the declared type, and over any other.

mod declared;

use std::sync::Arc;

use crd_cel::decl::{Decl, DeclKind, Named};
use crd_cel::env::Env;
use crd_cel::plan::Program;
use crd_cel::value::Value;
use fastrand::Rng;
use serde_json::{Value as Json, json};

/// The number of objects that each rule is evaluated over.
const OBJECTS: u64 = 300;
/// How deep generated JSON nests.
const DEPTH: u32 = 4;

/// Rules that together use each kind of field in many ways.
const RULES: &[&str] = &[
    "self.li.all(x, x / self.i > 0) || self.n / 0.0 > 1.0",
    "self.li.map(x, x * x + x).sum() - self.i * 9223372036854775807 == 0",
    "self.li[self.i] == self.li.max() && self.li.sort() == self.li.reverse()",
    "self.ls.map(s, s.substring(self.i)).join(self.s).split(self.s, self.i).size() > 0",
    "self.ls.exists(s, s.matches(self.s)) || self.s.find(self.s) == self.s.charAt(self.i)",
    "self.s.replace(self.s, self.s + self.s, self.i).indexOf(self.s, self.i) >= 0",
    "self.s.lastIndexOf(self.s, self.i) >= 0 || self.s.format([self.li, self.m, self.n]) == ''",
    "(self.s + '%s %d %.3f %e %x').format([self.m, self.i, self.n, self.n, self.by]) == self.s",
    "self.set == self.set && self.set + self.ls == self.set && self.ls == self.set",
    "self.lm == self.lm && (self.lm + self.lm).all(e, e.v > 0) && self.lm[0] == self.lm[self.i]",
    "self.m.all(k, self.m[k] == k) && self.mi.transformMap(k, v, v + 1).size() == self.mi.size()",
    "self.m.transformMapEntry(k, v, {v: k}).size() > 0 && self.s in self.m",
    "self.o.x__dash__y == self.?o.?deep.?z.orValue('') && has(self.o.deep.z)",
    "self.o == self.o && dyn(self.o).map(k, dyn(self.o)[k]).size() > 0",
    "self.time - duration('1h') < self.time && self.time.getHours(self.s) > 0",
    "self.time + self.dur > self.time && self.dur + self.dur > self.dur && self.day < self.time",
    "self.dur.getMilliseconds() > 0 && string(self.dur) + string(self.time) == string(self.by)",
    "self.ios == 5 || self.ios == '5' || int(self.ios) > 1 || size(self.ios) > 0",
    "int(self.s) > 1 || double(self.s) > 1.0 || uint(self.i) > 1u || bool(self.s)",
    "timestamp(self.s) < self.time || duration(self.s) > self.dur || bytes(self.s) == self.by",
    "int(self.n) + int(double(self.i)) + int(self.time) + int(self.dur) > 0",
    "optional.ofNonZeroValue(self.li).optMap(l, l[0] + 1).orValue(0) > self.i",
    "self.li.slice(0, self.i).distinct().size() == lists.range(self.i).size()",
    "sets.equivalent(self.li, self.li) && sets.contains(self.ls, self.set)",
    "self.lm.sortBy(e, e.k).map(e, e.k).isSorted() && self.li.indexOf(self.i) > 0",
    "quantity(self.s).add(self.i).isGreaterThan(quantity(self.s)) || isQuantity(self.s)",
    "ip(self.s).family() == 4 || cidr(self.s).containsIP(self.s) || url(self.s).getHost() == ''",
    "semver(self.s).major() > 0 || format.dns1123Label().validate(self.s).hasValue()",
    "dyn(self.li) == dyn(self.m) || dyn(self.m) == dyn(self.o) || dyn(self.n) == dyn(self.i)",
    "[self.i, ?self.?i].size() > 0 && {?'a': self.?s, 'b': self.s}.size() > 1",
    "self.o == null || self.pairs.all(i, e, e[0] == self.pairs[i][1])",
];

fn declaration() -> Arc<Decl> {
    declared::decl(&json!({
        "i": "int", "n": "double", "s": "string", "ios": "int-or-string", "time": "date-time",
        "day": "date", "dur": "duration", "by": "byte", "li": ["int"], "ls": ["string"],
        "pairs": [["int"]], "set": {"set": "string"}, "m": {"*": "string"}, "mi": {"*": "int"},
        "lm": {"by": "k", "of": {"k": "string", "v": "int"}},
        "o": {"a": "nullable", "x-y": "string", "unseen": "opaque", "deep": {"z": "string"}},
    }))
}

/// Generates JSON.
struct Random(Rng);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0.usize(..n)
    }

    fn of<'t, T>(&mut self, items: &'t [T]) -> &'t T {
        &items[self.below(items.len())]
    }

    fn coin(&mut self) -> bool {
        self.0.bool()
    }

    fn text(&mut self) -> Json {
        const TEXTS: &[&str] = &[
            "",
            "a",
            "é\u{1f600}",
            "[",
            "%s%d%",
            "1h30m",
            "2024-02-29T23:59:59Z",
            "2024-02-29",
            "aGk=",
            "1500m",
            "10.0.0.0/8",
            "::1",
            "https://x.y/z?a=b",
            "1.2.3",
            "Europe/Berlin",
            "+1:x",
            "-5",
            "1e400",
        ];
        json!(self.of(TEXTS))
    }

    fn int(&mut self) -> Json {
        json!(self.of(&[0, 1, -1, 2, 7, i64::MAX, i64::MIN, 1 << 53]))
    }

    fn float(&mut self) -> Json {
        json!(self.of(&[0.0, -0.5, 1e300, 2.5, 1e-320]))
    }

    /// Any JSON.
    fn any(&mut self, depth: u32) -> Json {
        match self.below(if depth == 0 { 5 } else { 7 }) {
            0 => Json::Null,
            1 => json!(self.below(2) == 0),
            2 => self.int(),
            3 => self.float(),
            4 => self.text(),
            5 => (0..self.below(4)).map(|_| self.any(depth - 1)).collect(),
            _ => {
                let keys = ["k", "v", "a", "x-y", "deep"];
                let members = (0..self.below(4)).map(|_| (*self.of(&keys), self.any(depth - 1)));
                members.map(|(key, value)| (key.to_owned(), value)).collect()
            }
        }
    }

    /// JSON of the declared type, mostly.
    fn value(&mut self, decl: &Decl, depth: u32) -> Json {
        if self.below(24) == 0 {
            return self.any(DEPTH);
        }
        match &decl.kind {
            DeclKind::Bool => json!(self.coin()),
            DeclKind::Int => self.int(),
            DeclKind::Double => {
                if self.coin() {
                    self.int()
                } else {
                    self.float()
                }
            }
            DeclKind::IntOrString => {
                if self.coin() {
                    self.int()
                } else {
                    self.text()
                }
            }
            DeclKind::String => self.text(),
            DeclKind::Bytes => json!(self.of(&["aGk=", "", "_-8=", "a"])),
            DeclKind::Date => json!(self.of(&["2024-02-29", "0001-01-01", "9999-12-31", "x"])),
            DeclKind::DateTime => {
                json!(self.of(&["2024-02-29T23:59:59.5+02:00", "9999-12-31T23:59:59Z", "", "x"]))
            }
            DeclKind::Duration => json!(self.of(&["1h", "2562047h", "-1ns", "3 days", "x"])),
            DeclKind::List { element, .. } => {
                (0..self.below(5)).map(|_| self.value(element, depth.saturating_sub(1))).collect()
            }
            DeclKind::Map { value, .. } => {
                let members = (0..self.below(4))
                    .map(|i| (format!("k{i}"), self.value(value, depth.saturating_sub(1))));
                members.collect()
            }
            DeclKind::Object(object) => {
                let mut members = serde_json::Map::new();
                for field in object.fields.iter().chain(&object.hidden) {
                    if self.below(6) > 0 {
                        let value = self.value(&field.decl, depth.saturating_sub(1));
                        members.insert(field.key.to_string(), value);
                    }
                }
                if self.below(3) == 0 {
                    members.insert("unknown".to_owned(), self.any(2));
                }
                Json::Object(members)
            }
            DeclKind::Opaque => self.any(2),
        }
    }
}

#[test]
fn any_rule_over_any_value_ends_in_a_value_or_an_error() {
    let decl = declaration();
    let named = Named::new("self", Arc::clone(&decl));
    let env = Env::kubernetes().with_variable("self", named.type_(), Some(named));
    let mut random = Random(Rng::with_seed(1));
    let (mut values, mut errors) = (0, 0);
    for rule in RULES {
        let checked = env.compile(rule).unwrap_or_else(|issues| panic!("{rule}: {issues}"));
        let program =
            Program::plan(&checked, &env).unwrap_or_else(|error| panic!("{rule}: {error}"));
        for _ in 0..OBJECTS {
            let object = random.value(&decl, DEPTH);
            let Ok(value) = Value::declared(&object, &decl) else { continue };
            let outcome = program.eval(&[("self", value.clone())], 100_000);
            *(if outcome.result.is_ok() { &mut values } else { &mut errors }) += 1;
            // The same evaluation gives the same answer at the same cost.
            let again = program.eval(&[("self", value)], 100_000);
            assert_eq!(outcome.cost, again.cost, "{rule} over {object}");
            assert_eq!(outcome.result.is_ok(), again.result.is_ok(), "{rule} over {object}");
        }
    }
    assert!(values > 1_000 && errors > 1_000, "{values} values, {errors} errors");
}
