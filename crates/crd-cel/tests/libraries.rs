//! The results and costs of calls of Kubernetes' CEL libraries, with one table per library.
//!
//! The costs are those of the whole expression. Parsing costs a tenth of the text's length, rounded up;
//! the cost of searching depends on the length of the pattern too; constants cost nothing.

use crd_cel::env::Env;
use crd_cel::plan::Program;

/// `want` is the value as error texts print it, or `error: ` and the text.
#[track_caller]
fn check(expr: &str, want: &str, cost: u64) {
    let env = Env::kubernetes();
    let checked = match env.compile(expr) {
        Ok(checked) => checked,
        Err(issues) => panic!("{expr}\n{issues}"),
    };
    let program = match Program::plan(&checked, &env) {
        Ok(program) => program,
        Err(error) => return assert_eq!(format!("error: {error}"), want, "{expr}"),
    };
    let outcome = program.eval(&[], u64::MAX);
    let got = match &outcome.result {
        Ok(value) => value.to_string(),
        Err(error) => format!("error: {error}"),
    };
    assert_eq!((got.as_str(), outcome.cost), (want, cost), "{expr}");
}

#[test]
fn addresses() {
    check("string(ip('2001:DB8::1'))", "2001:db8::1", 3);
    check(
        "ip('::ffff:1.2.3.4')",
        r#"error: IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed"#,
        2,
    );
    check(
        "ip('fe80::1%eth0')",
        r#"error: IP address "fe80::1%eth0" with zone value is not allowed"#,
        2,
    );
    check(
        "ip('1.2.3')",
        r#"error: IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short"#,
        1,
    );
    check("isIP('1.2.3.4')", "true", 1);
    check("isIP('')", "false", 0);
    check("ip.isCanonical('127.0.0.1')", "true", 2);
    check("ip.isCanonical('2001:DB8::ABCD')", "false", 3);
    check(
        "ip.isCanonical('x')",
        r#"error: IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP"#,
        1,
    );
    check("ip('10.0.0.1').family()", "4", 2);
    check("ip('::1').family()", "6", 2);
    check("ip('0.0.0.0').isUnspecified()", "true", 2);
    check("ip('127.0.0.1').isLoopback()", "true", 2);
    check("ip('ff02::1').isLinkLocalMulticast()", "true", 2);
    check("ip('169.254.0.1').isLinkLocalUnicast()", "true", 3);
    check("ip('10.0.0.1').isGlobalUnicast()", "true", 2);
    check("ip('::1') == ip('0:0:0:0:0:0:0:1')", "true", 4);
    check("dyn(ip('::1')) == dyn(1)", "error: no such overload", 3);
    check("type(ip('::1')) == net.IP", "true", 3);
}

#[test]
fn address_ranges() {
    check("string(cidr('10.1.2.3/8'))", "10.1.2.3/8", 2);
    check(
        "cidr('10.0.0.0')",
        r#"error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0"): no '/'"#,
        1,
    );
    check(
        "cidr('::ffff:10.0.0.0/104')",
        r#"error: network address parse error during conversion from string: IPv4-mapped IPv6 address "::ffff:10.0.0.0/104" is not allowed"#,
        2,
    );
    check("isCIDR('10.0.0.0/8')", "true", 1);
    check("isCIDR('10.0.0.0/33')", "false", 2);
    check("cidr('192.168.0.0/24').containsIP(ip('192.168.0.1'))", "true", 5);
    check("cidr('192.168.0.0/24').containsIP('192.168.1.1')", "false", 5);
    check("cidr('192.168.0.0/24').containsIP('x')", "error: no such overload", 4);
    check("cidr('192.168.0.0/16').containsCIDR(cidr('192.168.10.0/24'))", "true", 7);
    check("cidr('2001:db8::/32').containsCIDR('2001:db8:1::/48')", "true", 7);
    check("cidr('192.168.0.0/24').containsCIDR('192.168.0.0/23')", "false", 7);
    check(
        "cidr('192.168.0.0/24').containsCIDR('x')",
        r#"error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("x"): no '/'"#,
        6,
    );
    check("string(cidr('192.168.0.1/24').ip())", "192.168.0.1", 4);
    check("cidr('192.168.0.1/24').prefixLength()", "24", 3);
    check("cidr('192.168.0.1/24').masked() == cidr('192.168.0.0/24')", "true", 6);
}

#[test]
fn urls() {
    check("url('https://user:pass@example.com:80/a%2Fb?q=1#f').getScheme()", "https", 6);
    check("url('https://user:pass@example.com:80/').getHost()", "example.com:80", 5);
    check("url('https://[::1]:80/').getHostname()", "::1", 3);
    check("url('https://example.com').getPort()", "", 3);
    check("url('https://example.com/with space/').getEscapedPath()", "/with%20space/", 5);
    check("url('/?k=a&k=b&c=d').getQuery()['k']", "[a, b]", 5);
    check("url('https://example.com/').getQuery() == {}", "true", 3);
    check(
        "url('a')",
        r#"error: URL parse error during conversion from string: parse "a": invalid URI for request"#,
        1,
    );
    check("isURL('/a')", "true", 1);
    check("isURL('../a')", "false", 1);
    check("url('HTTPS://a') == url('https://a')", "true", 3);
}

#[test]
fn quantities() {
    check("quantity('1.5Gi').isInteger()", "false", 2);
    check("quantity('50k').asInteger()", "50000", 2);
    check("quantity('1.0').asInteger()", "error: cannot convert value to integer", 2);
    check("quantity('1.5Gi').asApproximateFloat()", "1.610612736e+09", 2);
    check("quantity('200M').compareTo(quantity('0.2G'))", "0", 3);
    check("quantity('150Mi').isGreaterThan(quantity('100Mi'))", "true", 3);
    check("quantity('50M').isLessThan(quantity('50Mi'))", "true", 3);
    check("quantity('50k').add(quantity('20k')).asInteger()", "70000", 4);
    check("quantity('50k').add(20).sub(quantity('100k')).sub(-50000).asInteger()", "20", 6);
    check("sign(quantity('-5m'))", "-1", 2);
    check("isQuantity('1.3Ki')", "true", 1);
    check("isQuantity('1.3K')", "false", 1);
    check(
        "quantity('x')",
        "error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        1,
    );
    check("quantity('1K')", "error: unable to parse quantity's suffix", 1);
    check("quantity('1').add(1) == quantity('2')", "true", 4);
    check("quantity('2') == quantity('1').add(1)", "error: no such overload", 4);
}

#[test]
fn versions() {
    check("semver('1.2.3').isLessThan(semver('1.2.4-rc'))", "true", 3);
    check("semver('1.0.0-alpha').compareTo(semver('1.0.0'))", "-1", 4);
    check("semver('1.0.0+a') == semver('1.0.0+b')", "true", 3);
    check("semver('v1.2', true).minor()", "2", 2);
    check("semver('1.2.3').major() + semver('1.2.3').patch()", "4", 5);
    check("semver('v1.2.3')", r#"error: Invalid character(s) found in major number "v1""#, 1);
    check("isSemver('1.2')", "false", 1);
    check("isSemver('1.2', true)", "true", 1);
}

#[test]
fn named_formats() {
    check("format.dns1123Label().validate('my-name')", "optional.none()", 9);
    check("format.dns1123Label().validate('my.name').value()", "[must not contain dots]", 10);
    check("format.uuid().validate('x').value()", "[does not match the UUID format]", 20);
    check("format.uri().validate('x').value()", r#"[parse "x": invalid URI for request]"#, 278);
    check("format.date().validate('2020-01-01').hasValue()", "false", 38);
    check("format.datetime().validate('2020-01-01').value()", "[invalid datetime]", 38);
    check("format.byte().validate('a').value()", "[invalid base64]", 23);
    check("format.named('labelValue').hasValue()", "true", 2);
    check("format.named('nothing').hasValue()", "false", 2);
    check("format.named('dns1035Label').value() == format.dns1035Label()", "true", 4);
}

#[test]
fn searches() {
    check("'abc 123'.find('[0-9]+')", "123", 2);
    check("'abc'.find('[0-9]+')", "", 2);
    check("'abc'.find(dyn('['))", "error: error parsing regexp: missing closing ]: `[`", 0);
    check("'a1b22c333'.findAll('[0-9]+')", "[1, 22, 333]", 2);
    check("'a1b22c333'.findAll('[0-9]+', 2)", "[1, 22]", 2);
    check("'a1b22c333'.findAll('[0-9]+', 0)", "[]", 2);
    check("'baaac'.findAll('a*')", "[, aaa, ]", 1);
    check(r"'é'.matches('^\\w$')", "false", 1);
}

#[test]
fn times_and_durations() {
    check("timestamp('2024-02-29T12:34:56.789Z').getFullYear()", "2024", 1);
    check("timestamp('2024-02-29T12:34:56.789Z').getMonth()", "1", 1);
    check("timestamp('2024-02-29T12:34:56.789Z').getDayOfYear()", "59", 1);
    check("timestamp('2024-02-29T12:34:56.789Z').getDayOfMonth()", "28", 1);
    check("timestamp('2024-02-29T12:34:56.789Z').getDate()", "29", 1);
    check("timestamp('2024-02-29T12:34:56.789Z').getDayOfWeek()", "4", 1);
    check("timestamp('2024-02-29T23:34:56.789Z').getDate('Asia/Kolkata')", "1", 1);
    check("timestamp('2024-02-29T23:34:56.789+05:00').getHours()", "18", 1);
    check("timestamp('2024-02-29T23:34:56.789Z').getHours('-02:30')", "21", 1);
    check(
        "timestamp('2024-02-29T12:34:56.789Z').getMinutes('Nowhere')",
        "error: unknown time zone Nowhere",
        1,
    );
    check("timestamp('2024-02-29T12:34:56.789Z').getMilliseconds()", "789", 1);
    check("duration('1h30m').getMinutes()", "90", 1);
    check("duration('-1.5s').getSeconds()", "-1", 1);
    check("duration('1.5s').getMilliseconds()", "1500", 1);
    check("timestamp('9999-12-31T23:59:59Z') + duration('1s')", "error: timestamp overflow", 1);
    check("duration('2562047h') + duration('2562047h')", "error: integer overflow", 1);
    check("string(timestamp('2024-02-29T12:34:56.100+01:00'))", "2024-02-29T12:34:56.1+01:00", 0);
    check("string(duration('1h0.5s'))", "3600.5s", 0);
}

/// Divergence: upstream's `add`, `sub` and `compareTo` change their receiver if one of the two numbers
/// takes more than 64 bits. The next use of the variable gets the changed number: the server answers
/// `false` and `[0]`. Here a variable keeps its value.
#[test]
fn divergence_quantities_keep_their_value() {
    check(
        "[quantity('1')].all(q, q.isInteger() && q.isLessThan(quantity('1Ei')) && q.isInteger())",
        "true",
        22,
    );
    check("[quantity('1e-10')].map(q, q.add(quantity('1')).compareTo(q))", "[1]", 29);
}

/// Divergence: the server writes out every digit, or runs out of memory; here such a sum ends the
/// evaluation with an error.
#[test]
fn divergence_sums_have_an_end() {
    check(
        "quantity('1e9000000').add(quantity('1')).isInteger()",
        "error: operation cancelled: evaluation memory limit exceeded",
        2,
    );
}

#[test]
fn lists_without_a_common_type() {
    check("[dyn(true), dyn(null)].min()", "error: no such overload", 2);
    check("[dyn(1), dyn([1])].max()", "error: no such overload", 2);
    check("[dyn(1), dyn('a')].min()", "1", 1);
    check(
        "string([dyn(duration('1h')), dyn(timestamp('2024-01-01T00:00:00Z'))].sum())",
        "2024-01-01T01:00:00Z",
        3,
    );
    check("dyn({'a': 1}).flatten()", "error: no such overload: map(dyn, dyn).flatten()", 12);
}

#[test]
fn authorization_rejects_other_values() {
    check("dyn(null).path(dyn(true))", "error: no such overload: path(null_type, bool)", 1);
    check(
        "dyn(null).check(dyn('a'))",
        "error: no such overload: check(null_type, string)",
        350_000,
    );
    check("dyn(1).allowed()", "error: no such overload: allowed(int)", 1);
    check(
        "dyn(1).fieldSelector(dyn('a'))",
        "error: no such overload: fieldSelector(int, string)",
        61,
    );
    check(
        "dyn(1).labelSelector(dyn('abc'))",
        "error: no such overload: labelSelector(int, string)",
        111,
    );
}

/// Maps have keys of any type that Go can compare.
#[test]
fn keys_of_maps() {
    check("[[1], [1]].transformMapEntry(k, v, {v: k}).size()", "2", 70);
    check(
        "[null, null].transformMapEntry(k, v, {v: k})",
        "error: insert failed: key 0 already exists",
        69,
    );
    check(
        "[1].transformMapEntry(k, v, dyn(v))",
        "error: no such overload: cel.@mapInsert(map, int)",
        5,
    );
    check("dyn(b'a') in dyn({})", "false", 1);
    check(
        "dyn(b'a') in dyn({'a': 1})",
        "error: internal error: runtime error: hash of unhashable type types.Bytes",
        0,
    );
    check(
        "dyn(b'a') in [1, 2]",
        "error: internal error: runtime error: hash of unhashable type types.Bytes",
        0,
    );
    check(
        "[semver('1.2.3')].transformMapEntry(k, v, {v: k})",
        "error: internal error: runtime error: hash of unhashable type cel.Semver",
        14,
    );
    check(
        "[1].map(x, {?b'a': optional.none()})",
        "error: internal error: hash of unhashable type: types.Bytes",
        2,
    );
}

/// Upstream: the minimum number of digits after the point is the precision modulo 256, so zeros beyond it are cut.
#[test]
fn digits_after_the_point_beyond_one_byte() {
    check("'%.256f'.format([0.5])", "0.5", 1);
    check("'%.258f'.format([0.125])", "0.125", 1);
    check("'%.256f'.format([3.0])", "3", 1);
}

#[test]
fn messages_that_cannot_hold_a_number() {
    check(
        "google.protobuf.Int32Value{value: 4294967296}",
        "error: field type conversion error for google.protobuf.Int32Value.value value type: integer overflow",
        40,
    );
    check(
        "google.protobuf.Timestamp{nanos: 4294967296}",
        "error: field type conversion error for google.protobuf.Timestamp.nanos value type: integer overflow",
        40,
    );
    // Seconds out of range become the nearest duration, and nanoseconds are carried into seconds.
    check("google.protobuf.Duration{seconds: 315576000001}", "9223372036.854776s", 40);
    check("google.protobuf.Duration{seconds: -315576000001}", "-9223372036.854776s", 40);
    check("google.protobuf.Timestamp{seconds: 1, nanos: -1}", "1970-01-01T00:00:00.999999999Z", 40);
    check("google.protobuf.Timestamp{seconds: 1, nanos: 2000000000}", "1970-01-01T00:00:03Z", 40);
}

#[test]
fn optional_fields_of_messages() {
    check("google.protobuf.Int64Value{?value: optional.of(1)} + 1", "2", 42);
    check("google.protobuf.StringValue{?value: optional.none()}", "", 41);
    check("google.protobuf.Int64Value{value: 1, ?value: optional.none()}", "0", 41);
    check("google.protobuf.Int64Value{value: 1, value: 2}", "2", 40);
    check("google.protobuf.Timestamp{?seconds: optional.of(60)}", "1970-01-01T00:01:00Z", 41);
    check(
        "google.protobuf.Int64Value{?value: dyn(1)}",
        "error: cannot initialize optional entry 'value' from non-optional value 1",
        40,
    );
}
