//! The types without parts, each with its code and its name.

/// Unknown, or an error has been reported already: unifies with every type.
pub(crate) const UNKNOWN: u8 = 0;
pub(crate) const DYN: u8 = 1;
pub(crate) const NULL: u8 = 2;
pub(crate) const BOOL: u8 = 3;
pub(crate) const INT: u8 = 4;
pub(crate) const UINT: u8 = 5;
pub(crate) const DOUBLE: u8 = 6;
pub(crate) const STRING: u8 = 7;
pub(crate) const BYTES: u8 = 8;
pub(crate) const DURATION: u8 = 9;
pub(crate) const TIMESTAMP: u8 = 10;
/// From here on `null` is a value of the type, as it is of durations and timestamps.
pub(crate) const IP: u8 = 11;
pub(crate) const CIDR: u8 = 12;
/// From here on types are objects without fields.
pub(crate) const URL: u8 = 13;
pub(crate) const QUANTITY: u8 = 14;
pub(crate) const NAMED_FORMAT: u8 = 15;
pub(crate) const SEMVER: u8 = 16;
pub(crate) const AUTHORIZER: u8 = 17;
pub(crate) const PATH_CHECK: u8 = 18;
pub(crate) const GROUP_CHECK: u8 = 19;
pub(crate) const RESOURCE_CHECK: u8 = 20;
pub(crate) const DECISION: u8 = 21;
/// A free type variable.
pub(crate) const FREE: u8 = 255;

/// The names in signatures, except for `dyn`.
pub(crate) mod signature {
    pub(crate) use super::{
        AUTHORIZER as Authorizer, BOOL as bool, BYTES as bytes, CIDR, DECISION as Decision,
        DOUBLE as double, DURATION as duration, GROUP_CHECK as GroupCheck, INT as int, IP,
        NAMED_FORMAT as NamedFormat, PATH_CHECK as PathCheck, QUANTITY as Quantity,
        RESOURCE_CHECK as ResourceCheck, SEMVER as Semver, STRING as string,
        TIMESTAMP as timestamp, UINT as uint, URL,
    };
}

/// The name of the type of optional values.
pub(crate) const OPTIONAL: &str = "optional_type";

/// The names of the types that Kubernetes' libraries add.
pub(crate) mod type_names {
    /// The prefix of the names of the types of authorization.
    #[cfg(feature = "eval")]
    pub(crate) const AUTHORIZATION: &str = "kubernetes.authorization.";
    pub(crate) const CIDR: &str = "net.CIDR";
    pub(crate) const FORMAT: &str = "kubernetes.NamedFormat";
    pub(crate) const IP: &str = "net.IP";
    pub(crate) const QUANTITY: &str = "kubernetes.Quantity";
    pub(crate) const SEMVER: &str = "kubernetes.Semver";
    pub(crate) const URL: &str = "kubernetes.URL";
}

/// The names as cel-go prints them, by code.
const NAMES: [&str; 22] = [
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
    type_names::IP,
    type_names::CIDR,
    type_names::URL,
    type_names::QUANTITY,
    type_names::FORMAT,
    type_names::SEMVER,
    "kubernetes.authorization.Authorizer",
    "kubernetes.authorization.PathCheck",
    "kubernetes.authorization.GroupCheck",
    "kubernetes.authorization.ResourceCheck",
    "kubernetes.authorization.Decision",
];

/// The name of a type as cel-go prints it.
pub(crate) const fn name(code: u8) -> &'static str {
    NAMES[code as usize]
}
