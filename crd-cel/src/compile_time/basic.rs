//! The types without parts, each with its code.

/// Unknown, or an error has been reported already: unifies with every type.
pub(super) const UNKNOWN: u8 = 0;
pub(super) const DYN: u8 = 1;
pub(super) const NULL: u8 = 2;
pub(super) const BOOL: u8 = 3;
pub(super) const INT: u8 = 4;
pub(super) const UINT: u8 = 5;
pub(super) const DOUBLE: u8 = 6;
pub(super) const STRING: u8 = 7;
pub(super) const BYTES: u8 = 8;
pub(super) const DURATION: u8 = 9;
pub(super) const TIMESTAMP: u8 = 10;
/// From here on `null` is a value of the type, as it is of durations and timestamps.
pub(super) const IP: u8 = 11;
pub(super) const CIDR: u8 = 12;
/// From here on types are objects without fields.
pub(super) const URL: u8 = 13;
pub(super) const QUANTITY: u8 = 14;
pub(super) const NAMED_FORMAT: u8 = 15;
pub(super) const SEMVER: u8 = 16;
pub(super) const AUTHORIZER: u8 = 17;
pub(super) const PATH_CHECK: u8 = 18;
pub(super) const GROUP_CHECK: u8 = 19;
pub(super) const RESOURCE_CHECK: u8 = 20;
pub(super) const DECISION: u8 = 21;
/// A free type variable.
pub(super) const FREE: u8 = 255;

/// The names as cel-go prints them, by code.
pub(super) const NAMES: [&str; 22] = [
    "unknown",
    "dyn",
    "null",
    "bool",
    "int",
    "uint",
    "double",
    "string",
    "bytes",
    "duration",
    "timestamp",
    "net.IP",
    "net.CIDR",
    "kubernetes.URL",
    "kubernetes.Quantity",
    "kubernetes.NamedFormat",
    "kubernetes.Semver",
    "kubernetes.authorization.Authorizer",
    "kubernetes.authorization.PathCheck",
    "kubernetes.authorization.GroupCheck",
    "kubernetes.authorization.ResourceCheck",
    "kubernetes.authorization.Decision",
];
