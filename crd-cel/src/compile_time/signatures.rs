//! The functions of the environment as constants.
//!
//! The table has the declarations of `crate::library` in the same order, which is the order in which overloads are
//! tried; a test compares the two.

use super::types::basic;

/// A function and its overloads, in the order in which they are tried.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) overloads: &'static [Overload],
}

/// One signature of a function.
#[derive(Debug)]
pub(super) struct Overload {
    /// Called as `receiver.name(..)`; the receiver is the first parameter.
    pub(super) member: bool,
    pub(super) params: &'static [Pattern],
    pub(super) result: Pattern,
    /// The number of type parameters.
    pub(super) vars: u8,
}

/// A type in a signature.
#[derive(Debug)]
pub(super) enum Pattern {
    Basic(u8),
    Var(u16),
    List(&'static Pattern),
    Map(&'static Pattern, &'static Pattern),
    Optional(&'static Pattern),
    TypeOf(&'static Pattern),
}

/// The number of a function by its name.
pub(super) fn find(name: &str) -> Option<usize> {
    FUNCTIONS.iter().position(|function| function.name == name)
}

/// One more than the highest type parameter of a signature.
const fn vars(params: &[Pattern], result: &Pattern) -> u8 {
    let mut most = highest(result);
    let mut i = 0;
    while i < params.len() {
        let here = highest(&params[i]);
        most = if here > most { here } else { most };
        i += 1;
    }
    most
}

const fn highest(pattern: &Pattern) -> u8 {
    match pattern {
        Pattern::Basic(_) => 0,
        #[expect(clippy::cast_possible_truncation, reason = "there are two")]
        Pattern::Var(n) => *n as u8 + 1,
        Pattern::List(inner) | Pattern::Optional(inner) | Pattern::TypeOf(inner) => highest(inner),
        Pattern::Map(key, value) => {
            let (key, value) = (highest(key), highest(value));
            if key > value { key } else { value }
        }
    }
}

/// `[A]` is a list, `{A B}` a map.
macro_rules! pattern {
    (A) => {
        Pattern::Var(0)
    };
    (B) => {
        Pattern::Var(1)
    };
    ([$element:tt]) => {
        Pattern::List(&pattern!($element))
    };
    ({$key:tt $value:tt}) => {
        Pattern::Map(&pattern!($key), &pattern!($value))
    };
    ((optional $inner:tt)) => {
        Pattern::Optional(&pattern!($inner))
    };
    ((type $inner:tt)) => {
        Pattern::TypeOf(&pattern!($inner))
    };
    (dyn) => {
        Pattern::Basic(basic::DYN)
    };
    (bool) => {
        Pattern::Basic(basic::BOOL)
    };
    (int) => {
        Pattern::Basic(basic::INT)
    };
    (uint) => {
        Pattern::Basic(basic::UINT)
    };
    (double) => {
        Pattern::Basic(basic::DOUBLE)
    };
    (string) => {
        Pattern::Basic(basic::STRING)
    };
    (bytes) => {
        Pattern::Basic(basic::BYTES)
    };
    (duration) => {
        Pattern::Basic(basic::DURATION)
    };
    (timestamp) => {
        Pattern::Basic(basic::TIMESTAMP)
    };
    (IP) => {
        Pattern::Basic(basic::IP)
    };
    (CIDR) => {
        Pattern::Basic(basic::CIDR)
    };
    (URL) => {
        Pattern::Basic(basic::URL)
    };
    (Quantity) => {
        Pattern::Basic(basic::QUANTITY)
    };
    (NamedFormat) => {
        Pattern::Basic(basic::NAMED_FORMAT)
    };
    (Semver) => {
        Pattern::Basic(basic::SEMVER)
    };
    (Authorizer) => {
        Pattern::Basic(basic::AUTHORIZER)
    };
    (PathCheck) => {
        Pattern::Basic(basic::PATH_CHECK)
    };
    (GroupCheck) => {
        Pattern::Basic(basic::GROUP_CHECK)
    };
    (ResourceCheck) => {
        Pattern::Basic(basic::RESOURCE_CHECK)
    };
    (Decision) => {
        Pattern::Basic(basic::DECISION)
    };
}

/// `fn` is called as `name(..)`, `method` as `receiver.name(..)`.
macro_rules! is_member {
    (fn) => {
        false
    };
    (method) => {
        true
    };
}

macro_rules! functions {
    ($($name:literal: $($style:tt($($param:tt)*) $result:tt),+;)*) => {
        /// The functions. A program names one by its index. (A constant would be evaluated anew in many places.)
        pub(super) static FUNCTIONS: &[Function] = &[$(
            Function {
                name: $name,
                overloads: &[$(
                    Overload {
                        member: is_member!($style),
                        params: &[$(pattern!($param)),*],
                        result: pattern!($result),
                        vars: vars(&[$(pattern!($param)),*], &pattern!($result)),
                    },
                )+],
            },
        )*];
    };
}

functions! {
    // Operators.
    "_?_:_": fn(bool A A) A;
    "_&&_": fn(bool bool) bool;
    "_||_": fn(bool bool) bool;
    "!_": fn(bool) bool;
    "@not_strictly_false": fn(bool) bool;
    "_==_": fn(A A) bool;
    "_!=_": fn(A A) bool;
    "_+_":
        fn(bytes bytes) bytes, fn(double double) double, fn(duration duration) duration,
        fn(duration timestamp) timestamp, fn(timestamp duration) timestamp, fn(int int) int,
        fn([A] [A]) [A], fn(string string) string, fn(uint uint) uint;
    "_/_": fn(double double) double, fn(int int) int, fn(uint uint) uint;
    "_%_": fn(int int) int, fn(uint uint) uint;
    "_*_": fn(double double) double, fn(int int) int, fn(uint uint) uint;
    "-_": fn(double) double, fn(int) int;
    "_-_":
        fn(double double) double, fn(duration duration) duration, fn(int int) int,
        fn(timestamp duration) timestamp, fn(timestamp timestamp) duration, fn(uint uint) uint;
    "_<_":
        fn(bool bool) bool, fn(int int) bool, fn(int double) bool, fn(int uint) bool, fn(uint uint) bool,
        fn(uint double) bool, fn(uint int) bool, fn(double double) bool, fn(double int) bool,
        fn(double uint) bool, fn(string string) bool, fn(bytes bytes) bool, fn(timestamp timestamp) bool,
        fn(duration duration) bool;
    "_<=_":
        fn(bool bool) bool, fn(int int) bool, fn(int double) bool, fn(int uint) bool, fn(uint uint) bool,
        fn(uint double) bool, fn(uint int) bool, fn(double double) bool, fn(double int) bool,
        fn(double uint) bool, fn(string string) bool, fn(bytes bytes) bool, fn(timestamp timestamp) bool,
        fn(duration duration) bool;
    "_>_":
        fn(bool bool) bool, fn(int int) bool, fn(int double) bool, fn(int uint) bool, fn(uint uint) bool,
        fn(uint double) bool, fn(uint int) bool, fn(double double) bool, fn(double int) bool,
        fn(double uint) bool, fn(string string) bool, fn(bytes bytes) bool, fn(timestamp timestamp) bool,
        fn(duration duration) bool;
    "_>=_":
        fn(bool bool) bool, fn(int int) bool, fn(int double) bool, fn(int uint) bool, fn(uint uint) bool,
        fn(uint double) bool, fn(uint int) bool, fn(double double) bool, fn(double int) bool,
        fn(double uint) bool, fn(string string) bool, fn(bytes bytes) bool, fn(timestamp timestamp) bool,
        fn(duration duration) bool;
    "_[_]":
        fn([A] int) A, fn({A B} A) B, fn((optional [A]) int) (optional A),
        fn((optional {A B}) A) (optional B);
    "@in": fn(A [A]) bool, fn(A {A B}) bool;
    // Sizes, conversions, text.
    "size":
        fn(bytes) int, method(bytes) int, fn([A]) int, method([A]) int, fn({A B}) int, method({A B}) int,
        fn(string) int, method(string) int;
    "type": fn(A) (type A);
    "bool": fn(bool) bool, fn(string) bool;
    "bytes": fn(bytes) bytes, fn(string) bytes;
    "double": fn(double) double, fn(int) double, fn(string) double, fn(uint) double;
    "duration": fn(duration) duration, fn(string) duration;
    "dyn": fn(A) dyn;
    "int": fn(int) int, fn(double) int, fn(duration) int, fn(string) int, fn(timestamp) int, fn(uint) int;
    "string":
        fn(string) string, fn(bool) string, fn(bytes) string, fn(double) string, fn(duration) string,
        fn(int) string, fn(timestamp) string, fn(uint) string, fn(IP) string, fn(CIDR) string;
    "timestamp": fn(timestamp) timestamp, fn(int) timestamp, fn(string) timestamp;
    "uint": fn(uint) uint, fn(double) uint, fn(int) uint, fn(string) uint;
    "contains": method(string string) bool;
    "endsWith": method(string string) bool;
    "startsWith": method(string string) bool;
    "matches": fn(string string) bool, method(string string) bool;
    // Times.
    "getFullYear": method(timestamp) int, method(timestamp string) int;
    "getMonth": method(timestamp) int, method(timestamp string) int;
    "getDayOfYear": method(timestamp) int, method(timestamp string) int;
    "getDayOfMonth": method(timestamp) int, method(timestamp string) int;
    "getDate": method(timestamp) int, method(timestamp string) int;
    "getDayOfWeek": method(timestamp) int, method(timestamp string) int;
    "getHours": method(timestamp) int, method(timestamp string) int, method(duration) int;
    "getMinutes": method(timestamp) int, method(timestamp string) int, method(duration) int;
    "getSeconds": method(timestamp) int, method(timestamp string) int, method(duration) int;
    "getMilliseconds": method(timestamp) int, method(timestamp string) int, method(duration) int;
    // URLs.
    "url": fn(string) URL;
    "getScheme": method(URL) string;
    "getHost": method(URL) string;
    "getHostname": method(URL) string;
    "getPort": method(URL) string;
    "getEscapedPath": method(URL) string;
    "getQuery": method(URL) {string [string]};
    "isURL": fn(string) bool;
    // Regular expressions.
    "find": method(string string) string;
    "findAll": method(string string) [string], method(string string int) [string];
    // Lists.
    "isSorted":
        method([int]) bool, method([uint]) bool, method([double]) bool, method([bool]) bool,
        method([duration]) bool, method([timestamp]) bool, method([string]) bool, method([bytes]) bool;
    "sum": method([int]) int, method([uint]) uint, method([double]) double, method([duration]) duration;
    "max":
        method([int]) int, method([uint]) uint, method([double]) double, method([bool]) bool,
        method([duration]) duration, method([timestamp]) timestamp, method([string]) string,
        method([bytes]) bytes;
    "min":
        method([int]) int, method([uint]) uint, method([double]) double, method([bool]) bool,
        method([duration]) duration, method([timestamp]) timestamp, method([string]) string,
        method([bytes]) bytes;
    "indexOf": method([A] A) int, method(string string) int, method(string string int) int;
    "lastIndexOf": method([A] A) int, method(string string) int, method(string string int) int;
    // Authorization.
    "path": method(Authorizer string) PathCheck;
    "group": method(Authorizer string) GroupCheck;
    "serviceAccount": method(Authorizer string string) Authorizer;
    "resource": method(GroupCheck string) ResourceCheck;
    "subresource": method(ResourceCheck string) ResourceCheck;
    "namespace": method(ResourceCheck string) ResourceCheck;
    "name": method(ResourceCheck string) ResourceCheck;
    "check": method(PathCheck string) Decision, method(ResourceCheck string) Decision;
    "errored": method(Decision) bool;
    "error": method(Decision) string;
    "allowed": method(Decision) bool;
    "reason": method(Decision) string;
    "fieldSelector": method(ResourceCheck string) ResourceCheck;
    "labelSelector": method(ResourceCheck string) ResourceCheck;
    // Optionals.
    "optional.of": fn(A) (optional A);
    "optional.ofNonZeroValue": fn(A) (optional A);
    "optional.none": fn() (optional A);
    "value": method((optional A)) A;
    "hasValue": method((optional A)) bool;
    "or": method((optional A) (optional A)) (optional A);
    "orValue": method((optional A) A) A;
    "_?._": fn(dyn string) (optional A);
    "_[?_]":
        fn([A] int) (optional A), fn((optional [A]) int) (optional A), fn({A B} A) (optional B),
        fn((optional {A B}) A) (optional B);
    "last": method([A]) (optional A);
    "first": method([A]) (optional A);
    "optional.unwrap": fn([(optional A)]) [A];
    "unwrapOpt": method([(optional A)]) [A];
    // Quantities.
    "quantity": fn(string) Quantity;
    "isQuantity": fn(string) bool;
    "sign": fn(Quantity) int;
    "isGreaterThan": method(Quantity Quantity) bool, method(Semver Semver) bool;
    "isLessThan": method(Quantity Quantity) bool, method(Semver Semver) bool;
    "compareTo": method(Quantity Quantity) int, method(Semver Semver) int;
    "asApproximateFloat": method(Quantity) double;
    "asInteger": method(Quantity) int;
    "isInteger": method(Quantity) bool;
    "add": method(Quantity Quantity) Quantity, method(Quantity int) Quantity;
    "sub": method(Quantity Quantity) Quantity, method(Quantity int) Quantity;
    // Strings.
    "charAt": method(string int) string;
    "lowerAscii": method(string) string;
    "replace": method(string string string) string, method(string string string int) string;
    "split": method(string string) [string], method(string string int) [string];
    "substring": method(string int) string, method(string int int) string;
    "trim": method(string) string;
    "upperAscii": method(string) string;
    "format": method(string [dyn]) string;
    "strings.quote": fn(string) string;
    "join": method([string]) string, method([string] string) string;
    // Sets.
    "sets.contains": fn([A] [A]) bool;
    "sets.equivalent": fn([A] [A]) bool;
    "sets.intersects": fn([A] [A]) bool;
    "ip": fn(string) IP, method(CIDR) IP;
    "family": method(IP) int;
    // Addresses.
    "ip.isCanonical": fn(string) bool;
    "isUnspecified": method(IP) bool;
    "isLoopback": method(IP) bool;
    "isLinkLocalMulticast": method(IP) bool;
    "isLinkLocalUnicast": method(IP) bool;
    "isGlobalUnicast": method(IP) bool;
    "isIP": fn(string) bool;
    "cidr": fn(string) CIDR;
    "containsIP": method(CIDR string) bool, method(CIDR IP) bool;
    "containsCIDR": method(CIDR string) bool, method(CIDR CIDR) bool;
    "prefixLength": method(CIDR) int;
    "masked": method(CIDR) CIDR;
    "isCIDR": fn(string) bool;
    // Formats.
    "validate": method(NamedFormat string) (optional [string]);
    "format.named": fn(string) (optional NamedFormat);
    "format.dns1123Label": fn() NamedFormat;
    "format.dns1123Subdomain": fn() NamedFormat;
    "format.dns1035Label": fn() NamedFormat;
    "format.qualifiedName": fn() NamedFormat;
    "format.dns1123LabelPrefix": fn() NamedFormat;
    "format.dns1123SubdomainPrefix": fn() NamedFormat;
    "format.dns1035LabelPrefix": fn() NamedFormat;
    "format.labelValue": fn() NamedFormat;
    "format.uri": fn() NamedFormat;
    "format.uuid": fn() NamedFormat;
    "format.byte": fn() NamedFormat;
    "format.date": fn() NamedFormat;
    "format.datetime": fn() NamedFormat;
    // The expansion of comprehensions with two variables.
    "cel.@mapInsert": fn({A B} A B) {A B}, fn({A B} {A B}) {A B};
    // Versions.
    "semver": fn(string) Semver, fn(string bool) Semver;
    "isSemver": fn(string) bool, fn(string bool) bool;
    "major": method(Semver) int;
    "minor": method(Semver) int;
    "patch": method(Semver) int;
    // More of lists.
    "slice": method([A] int int) [A];
    "flatten": method([[A]]) [A], method([dyn] int) [dyn];
    "sort":
        method([int]) [int], method([uint]) [uint], method([double]) [double], method([bool]) [bool],
        method([duration]) [duration], method([timestamp]) [timestamp], method([string]) [string],
        method([bytes]) [bytes];
    "@sortByAssociatedKeys":
        method([A] [int]) [A], method([A] [uint]) [A], method([A] [double]) [A], method([A] [bool]) [A],
        method([A] [duration]) [A], method([A] [timestamp]) [A], method([A] [string]) [A],
        method([A] [bytes]) [A];
    "lists.range": fn(int) [int];
    "reverse": method([A]) [A];
    "distinct": method([A]) [A];
}
