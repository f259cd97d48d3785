//! A field, with the source of its schema, and its presence in objects.

use darling::util::SpannedValue;
use proc_macro2::{Ident, Span, TokenStream};
use syn::{Attribute, ExprPath, Member, Path, Type, Visibility};

use super::Constraints;
use crate::attr::Column;
use crate::doc::Doc;
use crate::serde_view::{SerdeDefault, With};
use crate::types::{self, JsonType};

/// A field that serde reads or writes.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(crate) struct Field {
    /// The span of the name, or of the type of an unnamed field.
    pub span: Span,
    /// The name or index in Rust.
    pub member: Member,
    pub vis: Visibility,
    /// The name in JSON.
    pub wire: String,
    /// The name as CEL rules write it, such as `a__dash__b` for `a-b`; `None` if they cannot.
    pub cel_name: Option<String>,
    /// The type whose schema the field has: its own, or that of `schema_as`, which is an `Option` if its own is.
    pub ty: Type,
    /// The type in Rust, if `schema_as` gives another.
    pub type_in_rust: Option<Type>,
    /// The JSON type of `ty`, or of `T` if that is an `Option<T>`.
    pub json: JsonType,
    /// Whether `ty` is an `Option`, by its path.
    pub is_option: bool,
    pub source: Source,
    pub doc: Doc,
    pub constraints: Constraints,
    pub columns: Vec<SpannedValue<Column>>,
    pub selectable: Option<Span>,
    /// `#[crd(recursive)]`
    pub recursive: Option<Span>,
    /// `#[crd(required)]`
    pub required: Option<Span>,
    /// `#[crd(optional)]`
    pub optional: Option<Span>,
    /// The lints of `crd lint` that do not report the field.
    pub allows: Vec<String>,
    /// The attributes `#[crd(..)]`.
    pub attrs: Vec<Attribute>,
    pub default: SerdeDefault,
    /// `#[serde(skip_serializing_if)]`
    pub skip_if: Option<ExprPath>,
    /// Read but never written.
    pub skip_serializing: bool,
    /// Written but never read.
    pub skip_deserializing: bool,
    pub flatten: bool,
    /// Whether serde keeps its object until it knows the type: it is flattened, or the map that is all of its struct.
    pub is_kept: bool,
    /// `#[serde(bound = "..")]` on the field.
    pub serde_bound: Option<TokenStream>,
    /// `#[serde(with)]` or one of its halves.
    pub with: Option<With>,
}

/// The source of a field's schema.
#[derive(Debug)]
pub(crate) enum Source {
    /// Its type.
    Type,
    /// The function of `schema_with`.
    Function(ExprPath),
    /// The module of `#[serde(with)]`. `None` if it has no schema, which is an error.
    With(Option<Path>),
    /// An open schema, because the field ends a recursive type.
    Cut(Cut),
}

/// The schema of a field that ends a recursive type.
#[derive(Debug)]
pub(crate) enum Cut {
    List,
    Object,
    Any,
    /// An object if this type is a derived struct with fields, or else any JSON.
    Either(Box<Type>),
}

impl Cut {
    /// The schema in place of `ty`, the type of a field of `container`.
    fn of(ty: &Type, container: &Container<'_>) -> Self {
        match types::json_type(ty) {
            JsonType::List => Self::List,
            JsonType::Map => Self::Object,
            _ if types::mentions(ty, container.ident) => {
                if container.is_enum {
                    Self::Any
                } else {
                    Self::Object
                }
            }
            _ if container.is_generic => Self::Any,
            _ => Self::Either(Box::new(types::held(ty).clone())),
        }
    }
}

/// The facts about a type that are needed to read its fields.
pub(super) struct Container<'a> {
    pub(super) ident: &'a Ident,
    pub(super) krate: &'a Path,
    pub(super) is_enum: bool,
    pub(super) is_generic: bool,
}

impl Source {
    /// The source of the schema of a field of type `ty`.
    pub(super) fn of(
        ty: &Type,
        constraints: &Constraints,
        with: Option<&With>,
        recursive: Option<Span>,
        container: &Container<'_>,
    ) -> Self {
        let keeps = constraints.preserve_unknown_fields.is_some();
        if recursive.is_some() || (keeps && types::mentions(ty, container.ident)) {
            return Self::Cut(Cut::of(ty, container));
        }
        match (&constraints.schema_with, with) {
            (Some(path), _) => Self::Function(path.clone()),
            (None, Some(with)) => Self::With(with.schema(container.krate)),
            (None, None) => Self::Type,
        }
    }
}

/// The error for a `None` of an enumeration.
pub(crate) const NULL_FOR_NONE: &str = "serde writes `None` as `null`, which an enumeration does not allow; add \
     `#[serde(skip_serializing_if = \"Option::is_none\")]`";

/// The error for a `None` of an enumeration with `nullable`. Upstream: the check of `enum` finds no `null` among the
/// values, even if it is one of them (`Enum` of kube-openapi's `pkg/validation/validate/values.go`).
pub(crate) const NULL_FOR_NULLABLE_NONE: &str = "serde writes `None` as `null`, which the server rejects for an enumeration in spite of \
     `nullable`; remove `nullable`, and add `#[serde(skip_serializing_if = \"Option::is_none\")]`";

/// The error for a `Some(None)` of an enumeration.
pub(crate) const NULL_FOR_SOME_NONE: &str =
    "serde writes `Some(None)` as `null`, which an enumeration does not allow; remove one `Option`";

/// The error for an immutable field of an untagged variant that objects may omit.
pub(crate) const IMMUTABLE_IF_SET: &str = "`immutable` needs a rule on the variant, and a rule cannot tell an untagged \
                                           variant from the others; write a rule on the enum";

/// The presence of a field in objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    Required,
    Optional,
    /// Optional if its type is an `Option`, and otherwise required. The path may be an alias, so only rustc knows.
    OfType,
}

impl Field {
    /// Whether the field's schema is not that of its type.
    pub(crate) fn has_replaced_schema(&self) -> bool {
        !matches!(self.source, Source::Type)
    }

    /// Whether it ends a recursive type.
    pub(crate) fn is_cut(&self) -> bool {
        matches!(self.source, Source::Cut(_))
    }

    /// Whether serde or the schema uses functions of an attribute instead of the implementations of the type.
    pub(crate) fn is_converted(&self) -> bool {
        self.with.is_some() || self.constraints.schema_with.is_some() || self.type_in_rust.is_some()
    }

    /// The type in Rust.
    pub(crate) fn type_in_rust(&self) -> &Type {
        self.type_in_rust.as_ref().unwrap_or(&self.ty)
    }

    /// Whether the JSON type is known by the path of the type, so that `check` has compared the attributes with it.
    pub(crate) fn is_recognized(&self) -> bool {
        self.json != JsonType::Unknown
    }

    /// Whether the type is unrecognized, or a list or map of unrecognized types.
    pub(crate) fn holds_types_of_users(&self) -> bool {
        types::holds_unrecognized(&self.ty)
    }

    /// Whether an object without it can be deserialized, by serde or because the server sets a default, judging by
    /// attributes and the path of its type.
    pub(crate) fn reads_absence(&self) -> bool {
        self.default.is_some()
            || self.constraints.default.is_some()
            || (self.is_option && self.with.is_none())
    }

    /// Whether the path of its type and its attributes show all that serde does with an absent field or a `null`. An
    /// alias may be an `Option`.
    pub(crate) fn is_presence_certain(&self) -> bool {
        self.is_recognized() || self.with.is_some()
    }

    /// Whether serde may leave it out of an object.
    pub(crate) fn may_be_skipped(&self) -> bool {
        self.skip_if.is_some() || self.skip_serializing
    }

    /// The inner type of an `Option<Option<..>>` that is skipped for `None` alone, so that serde writes `Some(None)` as
    /// `null`.
    pub(crate) fn type_of_some(&self) -> Option<&Type> {
        let skip_if =
            self.skip_if.as_ref().filter(|_| self.with.is_none() && !self.skip_serializing)?;
        let mut names = skip_if.path.segments.iter().rev().map(|segment| &segment.ident);
        let skips_none = names.next()? == "is_none" && names.next()? == "Option";
        types::option(&self.ty).filter(|_| skips_none)
    }

    /// Whether `None` is `null` in JSON, written or only read: the field is an `Option` without `skip_serializing_if`
    /// and `#[serde(with)]`.
    pub(crate) fn may_be_null(&self) -> bool {
        self.is_option && self.skip_if.is_none() && self.with.is_none()
    }

    /// Whether serde writes `None` as `null`.
    pub(crate) fn writes_null(&self) -> bool {
        self.may_be_null() && !self.skip_serializing
    }

    /// Whether serde has a default for it. serde ignores the default of a flattened field and always reads its type, but
    /// may skip the field when it writes.
    fn has_default(&self) -> bool {
        self.default.is_some() && (!self.flatten || self.may_be_skipped())
    }

    /// Whether only its type, named `Option`, says that objects may omit it.
    pub(crate) fn is_optional_by_type(&self) -> bool {
        self.is_option
            && !self.has_replaced_schema()
            && self.optional.is_none()
            && !self.has_default()
            && !self.skip_deserializing
    }

    /// Whether the schema requires it, without regard to a default that the server sets.
    pub(crate) fn presence(&self) -> Presence {
        if self.required.is_some() {
            return Presence::Required;
        }
        // serde reads a missing `Option` as `None`, but not with `#[serde(with)]`.
        let is_optional = self.optional.is_some()
            || self.has_default()
            || self.skip_deserializing
            || (self.is_option && self.with.is_none());
        if is_optional {
            Presence::Optional
        } else if self.has_replaced_schema() || self.is_recognized() {
            Presence::Required
        } else {
            Presence::OfType
        }
    }
}
