//! The values of the types that Kubernetes' libraries add.

use std::sync::Arc;

use crate::basic::type_names;
use crate::domain::named_format::NamedFormat;
use crate::domain::netip::{Addr, Prefix};
use crate::domain::quantity::Quantity;
use crate::domain::semver::Version;
use crate::domain::url::Url;
use crate::error::EvalError;
use crate::steps::Steps;

use super::constructed::Constructed;
use super::{Authorization, SHARED_TEXT, Value};

/// A value of a library type. Each variant holds an `Arc`, a `'static` reference, or at most 23
/// bytes, so that a [`Value`] stays four words.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Opaque<'a> {
    /// An IP address.
    Ip(Addr),
    /// A range of IP addresses.
    Cidr(Prefix),
    /// A URL as its text. It is parsed again whenever a part is read, which takes less memory than
    /// keeping the parts.
    Url(Arc<str>),
    /// A semantic version.
    Semver(Arc<Version>),
    /// A string format.
    Format(&'static NamedFormat),
    /// A quantity.
    Quantity {
        /// The quantity.
        value: Arc<Quantity>,
        /// Whether it is a sum or a difference. Upstream: those are pointers in Go, and not equal
        /// to anything as a right operand.
        computed: bool,
    },
    /// An authorizer, something that it can check, or its decision.
    Authorization(Arc<Authorization<'a>>),
    /// An object or an operation of a patch.
    Constructed(Arc<Constructed<'a>>),
    /// An error that is the content of an optional, or an element of a literal that was read from an
    /// optional (`[?x]`). Reading the content or element returns the error.
    ///
    /// Upstream: errors are values, and creating an optional does not test for them, so
    /// `self.names[?0].hasValue()` holds for a null that the schema does not allow.
    Error(Arc<str>),
}

impl<'a> Opaque<'a> {
    /// The run-time type's name, such as `net.IP`.
    pub fn type_name(&self) -> &'a str {
        match self {
            Self::Ip(_) => type_names::IP,
            Self::Cidr(_) => type_names::CIDR,
            Self::Url(_) => type_names::URL,
            Self::Semver(_) => type_names::SEMVER,
            Self::Format(_) => type_names::FORMAT,
            Self::Quantity { .. } => type_names::QUANTITY,
            Self::Authorization(value) => value.type_name(),
            Self::Constructed(value) => value.name,
            Self::Error(_) => "error",
        }
    }

    /// The name of the Go type, as `%T` prints it.
    pub(crate) fn go_type(&self) -> &'static str {
        match self {
            Self::Ip(_) => "cel.IP",
            Self::Cidr(_) => "cel.CIDR",
            Self::Url(_) => "cel.URL",
            Self::Semver(_) => "cel.Semver",
            Self::Format(_) => "cel.Format",
            Self::Quantity { computed: false, .. } => "cel.Quantity",
            Self::Quantity { computed: true, .. } => "*cel.Quantity",
            Self::Authorization(value) => value.go_type(),
            Self::Constructed(value) => value.go_type(),
            Self::Error(_) => "*types.Err",
        }
    }

    /// The size that the run-time cost is computed from: the bytes of an address or of a prefix; 1 for
    /// a value without a size.
    /// Source: `cel-go/interpreter/runtimecost.go`, `actualSize` (whether the Go type is a
    /// `Sizer`).
    pub(crate) fn cost_size(&self) -> u64 {
        match self {
            Self::Ip(addr) => u64::from(addr.bit_len().div_ceil(8)),
            Self::Cidr(prefix) => u64::from(prefix.bits().div_ceil(8)),
            Self::Url(_)
            | Self::Semver(_)
            | Self::Format(_)
            | Self::Quantity { .. }
            | Self::Authorization(_)
            | Self::Constructed(_)
            | Self::Error(_) => 1,
        }
    }

    /// The approximate number of bytes that the value owns.
    pub(crate) fn held(&self) -> u64 {
        match self {
            Self::Ip(_) | Self::Cidr(_) | Self::Format(_) => 0,
            Self::Url(text) | Self::Error(text) => text.len() as u64 + SHARED_TEXT,
            Self::Semver(version) => version.bytes() as u64,
            Self::Quantity { value, .. } => value.bytes() as u64,
            Self::Authorization(value) => value.held(),
            Self::Constructed(value) => value.held(),
        }
    }

    /// Whether the value owns memory that no other value shares.
    pub(crate) fn is_alone(&self) -> bool {
        match self {
            Self::Ip(_) | Self::Cidr(_) | Self::Format(_) => false,
            Self::Url(text) | Self::Error(text) => Arc::strong_count(text) == 1,
            Self::Semver(version) => Arc::strong_count(version) == 1,
            Self::Quantity { value, .. } => Arc::strong_count(value) == 1,
            Self::Authorization(value) => Arc::strong_count(value) == 1,
            Self::Constructed(value) => Arc::strong_count(value) == 1,
        }
    }

    /// The value after the server has converted it to plain Go data and back: an error for most
    /// types.
    ///
    /// Source: cel-go `common/types/provider.go`, `UnsupportedRefValConversionErr`.
    pub(crate) fn plain(&self) -> Self {
        let text = match self {
            Self::Ip(addr) => format!("(netip.Addr){addr}"),
            Self::Cidr(prefix) => format!("(netip.Prefix){prefix}"),
            Self::Url(text) => format!("(*url.URL){}", normalized(text)),
            Self::Semver(version) => format!("(semver.Version){version}"),
            Self::Quantity { value, .. } => format!("(*resource.Quantity){value}"),
            Self::Error(text) => format!("(*errors.errorString){text}"),
            Self::Format(_) | Self::Constructed(_) => return self.clone(),
            // Upstream: the plain data of these values is an error.
            Self::Authorization(_) => {
                return Self::Error(EvalError::NO_SUCH_OVERLOAD.text().into());
            }
        };
        Self::Error(format!("unsupported conversion to ref.Val: {text}").into())
    }

    /// `self == other`.
    ///
    /// # Errors
    /// `no such overload` if `other` is of another type or a computed quantity, or if both are values of
    /// the authorization library, which cannot be compared, not even with themselves; the error that
    /// either operand is; or that of the limit of steps.
    pub(crate) fn equals(&self, other: &Value<'_>, steps: &mut Steps) -> Result<bool, EvalError> {
        if let Self::Error(text) = self {
            return Err(EvalError::new(Arc::clone(text)));
        }
        if let Self::Constructed(value) = self {
            return value.equals(other, steps);
        }
        let Value::Opaque(other) = other else {
            return Err(EvalError::NO_SUCH_OVERLOAD);
        };
        if let Opaque::Error(text) = other {
            return Err(EvalError::new(Arc::clone(text)));
        }
        // URLs are parsed and numbers scaled, which reads them a few times.
        steps.take(self.held().max(other.held()) / 4)?;
        Ok(match (self, other) {
            (Opaque::Ip(a), Opaque::Ip(b)) => a == b,
            (Opaque::Cidr(a), Opaque::Cidr(b)) => a == b,
            (Opaque::Url(a), Opaque::Url(b)) => a == b || normalized(a) == normalized(b),
            (Opaque::Semver(a), Opaque::Semver(b)) => a == b,
            (Opaque::Format(a), Opaque::Format(b)) => a.name == b.name,
            (Opaque::Quantity { value: a, .. }, Opaque::Quantity { value: b, computed: false }) => {
                a.compare(b).is_eq()
            }
            _ => return Err(EvalError::NO_SUCH_OVERLOAD),
        })
    }
}

/// A URL, assembled from its parts.
fn normalized(url: &str) -> String {
    Url::parse(url).unwrap_or_default().to_string()
}
