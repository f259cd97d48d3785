//! Each function and macro of CEL on fields of each type: used correctly, misspelled, with one argument too many, as a
//! method of a bool, compared with another type, and as a rule that does not return a bool.

use serde_json::{Value, json};

use super::{Probe, push};

/// Expressions over [`fields`], and whether each returns a bool.
const EXPRESSIONS: [(&str, bool); 146] = [
    ("self.i + 1", false),
    ("self.i - 1 * 2", false),
    ("self.i / 2 % 3", false),
    ("-self.i", false),
    ("self.d * 2.0", false),
    ("self.s + self.t", false),
    ("self.li + [1]", false),
    ("!self.b", true),
    ("self.b && self.i > 0", true),
    ("self.b || self.d < 1.5", true),
    ("self.b ? 1 : 2", false),
    ("self.i in self.li", true),
    ("self.s in self.m", true),
    ("self.li[0]", false),
    ("self.m['a']", false),
    ("self.lo[0].n", false),
    ("self.o.s", false),
    ("has(self.oi)", true),
    ("has(self.o.n)", true),
    ("self.?oi.orValue(0)", false),
    ("self.?oi.hasValue()", true),
    ("self.?o.n.value()", false),
    ("self.m[?'a'].orValue('b')", false),
    ("self.li[?0].or(optional.of(1)).value()", false),
    ("optional.none().or(self.?oi).hasValue()", true),
    ("optional.ofNonZeroValue(self.i).hasValue()", true),
    ("self.?oi.optMap(x, x + 1).orValue(0)", false),
    ("self.?oi.optFlatMap(x, optional.of(x)).hasValue()", true),
    ("self.s.size()", false),
    ("size(self.li)", false),
    ("self.m.size()", false),
    ("self.s.contains('a')", true),
    ("self.s.startsWith('a')", true),
    ("self.s.endsWith(self.t)", true),
    ("self.s.matches('^a+$')", true),
    ("self.s.find('a')", false),
    ("self.s.findAll('a')", false),
    ("self.s.findAll('a', 2)", false),
    ("self.s.charAt(0)", false),
    ("self.s.indexOf('a')", false),
    ("self.s.indexOf('a', 1)", false),
    ("self.s.lastIndexOf('a')", false),
    ("self.s.lowerAscii()", false),
    ("self.s.upperAscii()", false),
    ("self.s.replace('a', 'b')", false),
    ("self.s.replace('a', 'b', 1)", false),
    ("self.s.split(',')", false),
    ("self.s.split(',', 2)", false),
    ("self.s.substring(1)", false),
    ("self.s.substring(1, 2)", false),
    ("self.s.trim()", false),
    ("self.s.reverse()", false),
    ("self.ls.join()", false),
    ("self.ls.join(',')", false),
    ("strings.quote(self.s)", false),
    ("'%s and %d'.format([self.s, self.i])", false),
    ("self.li.isSorted()", true),
    ("self.li.sum()", false),
    ("self.li.min()", false),
    ("self.li.max()", false),
    ("self.li.indexOf(1)", false),
    ("self.li.lastIndexOf(1)", false),
    ("self.li.slice(0, 1)", false),
    ("self.li.distinct()", false),
    ("self.li.reverse()", false),
    ("self.li.sort()", false),
    ("self.lo.sortBy(x, x.n)", false),
    ("[self.li].flatten()", false),
    ("lists.range(3)", false),
    ("self.li.first().hasValue()", true),
    ("self.li.last().hasValue()", true),
    ("self.li.all(x, x > 0)", true),
    ("self.li.exists(x, x > 0)", true),
    ("self.li.exists_one(x, x > 0)", true),
    ("self.li.map(x, x + 1)", false),
    ("self.li.map(x, x > 0, x + 1)", false),
    ("self.li.filter(x, x > 0)", false),
    ("self.m.all(k, k != '')", true),
    ("self.m.all(k, v, k != v)", true),
    ("self.li.all(i, v, i < v)", true),
    ("self.li.exists(i, v, i == v)", true),
    ("self.li.existsOne(i, v, i == v)", true),
    ("self.li.transformList(i, v, i + v)", false),
    ("self.m.transformMap(k, v, k + v)", false),
    ("self.m.transformMapEntry(k, v, {v: k})", false),
    ("self.m.map(k, self.m[k])", false),
    ("self.lo.all(x, x.s != '')", true),
    ("self.lo.exists(x, self.lo.all(y, x.n >= y.n))", true),
    ("sets.contains(self.li, [1])", true),
    ("sets.equivalent(self.li, [1])", true),
    ("sets.intersects(self.ls, ['a'])", true),
    ("int(self.s)", false),
    ("int(self.d)", false),
    ("uint(self.i)", false),
    ("double(self.i)", false),
    ("string(self.i)", false),
    ("bool(self.s)", true),
    ("bytes(self.s)", false),
    ("type(self.i)", false),
    ("dyn(self.i)", false),
    ("duration(self.s)", false),
    ("timestamp(self.s)", false),
    ("self.ts < timestamp('2024-01-01T00:00:00Z')", true),
    ("self.ts - self.ts", false),
    ("self.ts + self.du", false),
    ("self.ts.getFullYear()", false),
    ("self.ts.getMonth()", false),
    ("self.ts.getDate()", false),
    ("self.ts.getDayOfMonth()", false),
    ("self.ts.getDayOfWeek()", false),
    ("self.ts.getDayOfYear()", false),
    ("self.ts.getHours('UTC')", false),
    ("self.du.getMinutes()", false),
    ("self.du.getSeconds()", false),
    ("self.du.getMilliseconds()", false),
    ("self.du > duration('1h')", true),
    ("self.by.size()", false),
    ("self.w == 'On'", true),
    ("isURL(self.s)", true),
    ("url(self.s).getScheme()", false),
    ("url(self.s).getHost()", false),
    ("url(self.s).getHostname()", false),
    ("url(self.s).getPort()", false),
    ("url(self.s).getEscapedPath()", false),
    ("url(self.s).getQuery()", false),
    ("isIP(self.s)", true),
    ("ip(self.s).family()", false),
    ("ip(self.s).isLoopback()", true),
    ("ip(self.s).isGlobalUnicast()", true),
    ("ip.isCanonical(self.s)", true),
    ("isCIDR(self.s)", true),
    ("cidr(self.s).containsIP(self.t)", true),
    ("cidr(self.s).containsCIDR('10.0.0.0/8')", true),
    ("cidr(self.s).masked().prefixLength()", false),
    ("cidr(self.s).ip()", false),
    ("isQuantity(self.s)", true),
    ("quantity(self.s).isInteger()", true),
    ("quantity(self.s).asApproximateFloat()", false),
    ("quantity(self.s).add(quantity('1Gi')).compareTo(quantity('2Gi'))", false),
    ("quantity(self.s).isLessThan(quantity('1Gi'))", true),
    ("isSemver(self.s)", true),
    ("semver(self.s).major()", false),
    ("semver(self.s).compareTo(semver('1.2.3'))", false),
    ("format.dns1123Label().validate(self.s).hasValue()", true),
    ("format.named('dns1123Label').hasValue()", true),
    ("self.o == self.lo[0]", true),
];

/// Returns the schema of a struct with a field of type `Fields` that has a rule.
pub(in crate::probes) fn ruled(rule: &Value) -> Value {
    let mut schema = fields();
    schema["x-kubernetes-validations"] = json!([{"rule": rule}]);
    json!({"type": "object", "properties": {"a": schema}})
}

/// Returns the schema of `Fields`, whose fields the expressions use.
fn fields() -> Value {
    let part = json!({"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string"}}, "required": ["n", "s"]});
    let text = |max: u32| json!({"type": "string", "maxLength": max});
    let format = |format: &str| json!({"type": "string", "format": format, "maxLength": 30});
    let properties = json!({
        "i": {"type": "integer", "format": "int64"},
        "d": {"type": "number"},
        "b": {"type": "boolean"},
        "s": text(20),
        "t": text(20),
        "li": {"type": "array", "maxItems": 5, "items": {"type": "integer"}},
        "ls": {"type": "array", "maxItems": 5, "items": text(9)},
        "lo": {"type": "array", "maxItems": 5, "items": part},
        "m": {"type": "object", "maxProperties": 5, "additionalProperties": text(9)},
        "o": part,
        "oi": {"type": "integer"},
        "ts": format("date-time"),
        "du": format("duration"),
        "by": format("byte"),
        "w": {"type": "string", "enum": ["On", "Off"]},
    });
    let required = ["i", "d", "b", "s", "t", "li", "ls", "lo", "m", "o", "ts", "du", "by", "w"];
    json!({"type": "object", "properties": properties, "required": required})
}

pub(super) fn probes() -> Vec<Probe> {
    let mut probes = Vec::new();
    for (expression, is_bool) in EXPRESSIONS {
        let right = if is_bool {
            expression.to_owned()
        } else {
            format!("({expression}) == ({expression})")
        };
        let mut rules = vec![right];
        if !is_bool {
            rules.push(expression.to_owned());
        }
        rules.push(format!("({expression}) == {{'a': [true]}}"));
        if let Some((at, is_method)) = last_call(expression) {
            let (before, after) = expression.split_at(at);
            rules.push(format!("{before}x{after} == null"));
            let argument = if after.starts_with("()") { "null" } else { "null, " };
            let with_more = format!("{before}({argument}{}", &after[1..]);
            rules.push(if is_bool { with_more } else { format!("{with_more} == null") });
            if is_method {
                let name = before.rfind('.').unwrap_or_default();
                rules.push(format!("self.b{} == null", &expression[name..]));
            }
        }
        for rule in rules {
            push(&mut probes, probe(&rule));
        }
    }
    probes
}

fn probe(rule: &str) -> Probe {
    Probe {
        name: rule.to_owned(),
        source: format!("#[crd(rule({rule:?}))] a: Fields,"),
        meant: Some(json!({"rule": rule})),
        ..Probe::default()
    }
}

/// Returns the offset of the parenthesis of the last call that is not inside another one, and whether a `.` stands
/// before the function's name. Returns `None` if a space outside of parentheses shows an operator.
fn last_call(expression: &str) -> Option<(usize, bool)> {
    let (mut depth, mut found) = (0, None);
    for (at, c) in expression.char_indices() {
        match c {
            '(' | '[' | '{' => {
                let name = expression[..at].rfind(|c: char| !c.is_alphanumeric() && c != '_');
                let is_named = expression[..at].ends_with(|c: char| c.is_alphanumeric());
                if c == '(' && depth == 0 && is_named {
                    found = Some((at, name.is_some_and(|it| expression[it..].starts_with('.'))));
                }
                depth += 1;
            }
            ')' | ']' | '}' => depth -= 1,
            ' ' if depth == 0 => return None,
            _ => {}
        }
    }
    found
}
