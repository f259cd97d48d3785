//! How a strategic merge patch merges the fields of Go types.
//!
//! The server reads this from the tags `patchStrategy` and `patchMergeKey` of its types, which the table of
//! [`go_types`] has.
//!
//! Source: `PatchMetaFromStruct` of `k8s.io/apimachinery/pkg/util/strategicpatch/meta.go`, and
//! `LookupPatchMetadataForStruct` of `third_party/forked/golang/json/fields.go`.

use crd_cel::gofmt::quote;

use crate::go_types::{self, GoField, GoType, NamedType};
use crate::kind::{ServedKind, Strategy};

use super::Malformed;

/// The type of a value that is merged.
#[derive(Debug, Clone, Copy)]
pub(in super::super) enum Type {
    Struct {
        of: &'static NamedType,
        /// Whether it is a pointer to the struct.
        is_pointer: bool,
        /// The minor of the server.
        minor: u32,
    },
    /// Another type of Go, with the name of its kind, such as `map`.
    Other(&'static str),
    /// A definition, whose types have none of the tags, except for its metadata.
    Definition { minor: u32 },
    /// A value in a definition.
    InDefinition,
}

/// How a field is merged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Merging {
    /// Objects are merged, and lists are replaced.
    Default,
    /// Lists are merged.
    Merge,
    /// The patch replaces the value.
    Replace,
}

/// The type of a field, and how it is merged.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldType {
    /// The type of the value; the type of the items if the field is read by [`Type::list`].
    pub(super) type_: Type,
    pub(super) merging: Merging,
    /// The key of the items of a list.
    pub(super) key: Option<&'static str>,
}

impl Type {
    /// Returns the type of the objects of a kind on servers of a minor.
    pub(in super::super) fn of(kind: &ServedKind, minor: u32) -> Self {
        match &kind.strategy {
            Strategy::BuiltIn(built_in) => match built_in.go_type() {
                Some(of) => Self::Struct { of, is_pointer: false, minor },
                None => Self::InDefinition,
            },
            Strategy::Definition => Self::Definition { minor },
            Strategy::Custom { .. } => Self::InDefinition,
        }
    }

    /// Returns the type of a field.
    ///
    /// # Errors
    /// If the value is not a struct, or the struct does not have the field.
    pub(super) fn field(self, name: &str) -> Result<FieldType, Malformed> {
        if let Self::Definition { minor } = self
            && name == "metadata"
            && let Some(of) = go_types::named("meta.v1.ObjectMeta")
        {
            let type_ = Self::Struct { of, is_pointer: false, minor };
            return Ok(FieldType { type_, ..FieldType::UNTAGGED });
        }
        Ok(match self.find(name)? {
            Some((field, minor)) => FieldType {
                type_: Self::of_go_type(&field.type_, minor),
                ..FieldType::tagged(field)
            },
            None => FieldType::UNTAGGED,
        })
    }

    /// Returns the type of the items of a list.
    ///
    /// # Errors
    /// As those of [`Type::field`], and if the field is not a list.
    pub(super) fn list(self, name: &str) -> Result<FieldType, Malformed> {
        let Some((field, minor)) = self.find(name)? else { return Ok(FieldType::UNTAGGED) };
        let type_ = match field.type_.plain() {
            GoType::List(items) => match items.plain() {
                GoType::List(_) | GoType::Bytes => {
                    return Err(Malformed::Other("unexpected slice of slice".to_owned()));
                }
                _ => Self::of_go_type(items, minor),
            },
            GoType::Bytes => Self::Other("uint8"),
            // Upstream does not check what a pointer points to. The error below names the kind of the outer value.
            _ if matches!(field.type_, GoType::Pointer(_)) => Self::of_go_type(&field.type_, minor),
            _ => {
                let kind = self.kind();
                let text = format!("expected slice or array type, but got: {kind}");
                return Err(Malformed::Other(text));
            }
        };
        Ok(FieldType { type_, ..FieldType::tagged(field) })
    }

    /// Returns the name of the kind in Go's package `reflect`.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::Struct { is_pointer: true, .. } => "ptr",
            Self::Struct { .. } | Self::Definition { .. } | Self::InDefinition => "struct",
            Self::Other(kind) => kind,
        }
    }

    /// Returns the field of a struct, and the minor of its server; `None` in a definition.
    fn find(self, name: &str) -> Result<Option<(&'static GoField, u32)>, Malformed> {
        match self {
            Self::InDefinition | Self::Definition { .. } => Ok(None),
            Self::Other(kind) => Err(Malformed::Other(format!(
                "merging an object in json but data type is not struct, instead is: {kind}"
            ))),
            Self::Struct { of, minor, .. } => {
                let exact = of.place_of(name, minor).map(|(_, field)| field);
                let like = || of.fields(minor).find(|field| field.name.eq_ignore_ascii_case(name));
                exact.or_else(like).map(|field| Some((field, minor))).ok_or_else(|| {
                    let (of, name) = (of.bare(), quote(name));
                    let text = format!(
                        "unable to find api field in struct {of} for the json field {name}"
                    );
                    Malformed::Other(text)
                })
            }
        }
    }

    fn of_go_type(type_: &'static GoType, minor: u32) -> Self {
        match type_.plain() {
            GoType::Named(of) => {
                Self::Struct { of, is_pointer: matches!(type_, GoType::Pointer(_)), minor }
            }
            _ if matches!(type_, GoType::Pointer(_)) => Self::Other("ptr"),
            GoType::Text => Self::Other("string"),
            GoType::Bool => Self::Other("bool"),
            GoType::Int(32) => Self::Other("int32"),
            GoType::Int(_) => Self::Other("int64"),
            GoType::Bytes | GoType::List(_) => Self::Other("slice"),
            GoType::Map(..) => Self::Other("map"),
            GoType::Float => Self::Other("float64"),
            GoType::Special(_) | GoType::Pointer(_) | GoType::SchemaOr(..) => Self::Other("struct"),
        }
    }
}

impl FieldType {
    /// A field in a definition.
    const UNTAGGED: Self = Self { type_: Type::InDefinition, merging: Merging::Default, key: None };

    /// Returns what the tags of a field state.
    ///
    /// Source: `extractRetainKeysPatchStrategy`.
    fn tagged(field: &'static GoField) -> Self {
        let strategies = field.setting("p").unwrap_or_default();
        let merging = match strategies.split(',').find(|strategy| *strategy != "retainKeys") {
            Some("merge") => Merging::Merge,
            Some("replace") => Merging::Replace,
            _ => Merging::Default,
        };
        Self { merging, key: field.setting("pk"), ..Self::UNTAGGED }
    }
}
