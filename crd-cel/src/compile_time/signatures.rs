//! The functions of the environment as constants.
//!
//! The table has the declarations of `crate::library` in the same order, which is the order in
//! which overloads are tried; a test compares the two.

use super::basic;
use crate::minors::libraries::{
    ADDRESSES, EXTENDED_LISTS, FORMATS, OPTIONALS_OF_LISTS, SELECTORS, TWO_VARIABLES, VERSIONS,
};

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
    /// The first minor of Kubernetes that takes it in a new rule; 0 if all known minors do.
    pub(super) since: u32,
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

/// `@ADDRESSES` before an overload names the environments that have it; without one, all do.
macro_rules! functions {
    ($($name:literal: $($(@$presence:ident)? $style:ident($($param:tt)*) $result:tt),+;)*) => {
        /// The functions. A program names one by its index. (A constant would be evaluated anew in
        /// many places.)
        pub(super) static FUNCTIONS: &[Function] = &[$(
            Function {
                name: $name,
                overloads: &[$(
                    Overload {
                        member: is_member!($style),
                        params: &[$(pattern!($param)),*],
                        result: pattern!($result),
                        vars: vars(&[$(pattern!($param)),*], &pattern!($result)),
                        since: 0 $(+ $presence.first_minor())?,
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
        fn(int) string, fn(timestamp) string, fn(uint) string, @ADDRESSES fn(IP) string, @ADDRESSES fn(CIDR) string;
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
    "fieldSelector": @SELECTORS method(ResourceCheck string) ResourceCheck;
    "labelSelector": @SELECTORS method(ResourceCheck string) ResourceCheck;
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
    "last": @OPTIONALS_OF_LISTS method([A]) (optional A);
    "first": @OPTIONALS_OF_LISTS method([A]) (optional A);
    "optional.unwrap": @OPTIONALS_OF_LISTS fn([(optional A)]) [A];
    "unwrapOpt": @OPTIONALS_OF_LISTS method([(optional A)]) [A];
    // Quantities.
    "quantity": fn(string) Quantity;
    "isQuantity": fn(string) bool;
    "sign": fn(Quantity) int;
    "isGreaterThan": method(Quantity Quantity) bool, @VERSIONS method(Semver Semver) bool;
    "isLessThan": method(Quantity Quantity) bool, @VERSIONS method(Semver Semver) bool;
    "compareTo": method(Quantity Quantity) int, @VERSIONS method(Semver Semver) int;
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
    // Addresses.
    "ip": @ADDRESSES fn(string) IP, @ADDRESSES method(CIDR) IP;
    "family": @ADDRESSES method(IP) int;
    "ip.isCanonical": @ADDRESSES fn(string) bool;
    "isUnspecified": @ADDRESSES method(IP) bool;
    "isLoopback": @ADDRESSES method(IP) bool;
    "isLinkLocalMulticast": @ADDRESSES method(IP) bool;
    "isLinkLocalUnicast": @ADDRESSES method(IP) bool;
    "isGlobalUnicast": @ADDRESSES method(IP) bool;
    "isIP": @ADDRESSES fn(string) bool;
    "cidr": @ADDRESSES fn(string) CIDR;
    "containsIP": @ADDRESSES method(CIDR string) bool, @ADDRESSES method(CIDR IP) bool;
    "containsCIDR": @ADDRESSES method(CIDR string) bool, @ADDRESSES method(CIDR CIDR) bool;
    "prefixLength": @ADDRESSES method(CIDR) int;
    "masked": @ADDRESSES method(CIDR) CIDR;
    "isCIDR": @ADDRESSES fn(string) bool;
    // Formats.
    "validate": @FORMATS method(NamedFormat string) (optional [string]);
    "format.named": @FORMATS fn(string) (optional NamedFormat);
    "format.dns1123Label": @FORMATS fn() NamedFormat;
    "format.dns1123Subdomain": @FORMATS fn() NamedFormat;
    "format.dns1035Label": @FORMATS fn() NamedFormat;
    "format.qualifiedName": @FORMATS fn() NamedFormat;
    "format.dns1123LabelPrefix": @FORMATS fn() NamedFormat;
    "format.dns1123SubdomainPrefix": @FORMATS fn() NamedFormat;
    "format.dns1035LabelPrefix": @FORMATS fn() NamedFormat;
    "format.labelValue": @FORMATS fn() NamedFormat;
    "format.uri": @FORMATS fn() NamedFormat;
    "format.uuid": @FORMATS fn() NamedFormat;
    "format.byte": @FORMATS fn() NamedFormat;
    "format.date": @FORMATS fn() NamedFormat;
    "format.datetime": @FORMATS fn() NamedFormat;
    // The expansions of comprehensions of two variables.
    "cel.@mapInsert": @TWO_VARIABLES fn({A B} A B) {A B}, @TWO_VARIABLES fn({A B} {A B}) {A B};
    // Versions.
    "semver": @VERSIONS fn(string) Semver, @VERSIONS fn(string bool) Semver;
    "isSemver": @VERSIONS fn(string) bool, @VERSIONS fn(string bool) bool;
    "major": @VERSIONS method(Semver) int;
    "minor": @VERSIONS method(Semver) int;
    "patch": @VERSIONS method(Semver) int;
    // More of lists.
    "slice": @EXTENDED_LISTS method([A] int int) [A];
    "flatten": @EXTENDED_LISTS method([[A]]) [A], @EXTENDED_LISTS method([dyn] int) [dyn];
    "sort":
        @EXTENDED_LISTS method([int]) [int], @EXTENDED_LISTS method([uint]) [uint], @EXTENDED_LISTS method([double]) [double], @EXTENDED_LISTS method([bool]) [bool],
        @EXTENDED_LISTS method([duration]) [duration], @EXTENDED_LISTS method([timestamp]) [timestamp], @EXTENDED_LISTS method([string]) [string],
        @EXTENDED_LISTS method([bytes]) [bytes];
    "@sortByAssociatedKeys":
        @EXTENDED_LISTS method([A] [int]) [A], @EXTENDED_LISTS method([A] [uint]) [A], @EXTENDED_LISTS method([A] [double]) [A], @EXTENDED_LISTS method([A] [bool]) [A],
        @EXTENDED_LISTS method([A] [duration]) [A], @EXTENDED_LISTS method([A] [timestamp]) [A], @EXTENDED_LISTS method([A] [string]) [A],
        @EXTENDED_LISTS method([A] [bytes]) [A];
    "lists.range": @EXTENDED_LISTS fn(int) [int];
    "reverse": @EXTENDED_LISTS method([A]) [A];
    "distinct": @EXTENDED_LISTS method([A]) [A];
}
