//! The Go types of built-in kinds and of definitions as data, and the one decoder of JSON by them.
//!
//! `types.txt` lists the types of all supported minors, with defaults and enums from the server's `OpenAPI` documents.
//! `cargo dev types` writes the file; `tests/kube/apiserver/types` explains its lines. A line that not every minor
//! has ends with the first minor that has it (`+34`), the last one (`-33`), or both.
//!
//! A type is read when it is first used, so that a server starts without reading the table.

mod decode;
pub mod definition;
mod recognize;
mod required;
mod special;
#[cfg(test)]
mod tests;
pub mod time;

pub use decode::{Decoding, complete, decode};
pub(crate) use decode::{decode_metadata, decode_valid_metadata};
pub use decode::{out_of_range, out_of_range_in_definition};
pub use recognize::is_struct_with;
pub use required::missing;

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{LazyLock, OnceLock};

use serde_json::Value;

use crate::fields::is_zero;

static TEXTS: [&str; 3] = [include_str!("types.txt"), definition::TEXT, definition::SCHEMA_TEXT];

/// The named types, by their names: `core.v1.Pod`.
static TYPES: LazyLock<HashMap<&'static str, NamedType>> = LazyLock::new(index);

/// A type in Go.
#[derive(Debug)]
pub enum GoType {
    /// `string`
    Text,
    /// `bool`
    Bool,
    /// An integer of 32 or 64 bits.
    Int(u8),
    /// `float64`
    Float,
    /// `[]byte`, which is base64 in JSON.
    Bytes,
    /// A type that decodes itself.
    Special(Special),
    /// A pointer.
    Pointer(Box<Self>),
    /// A slice.
    List(Box<Self>),
    /// A map, with the name of the type of its keys.
    Map(&'static str, Box<Self>),
    /// A type of the table.
    Named(&'static NamedType),
    /// A schema, or something else.
    SchemaOr(Box<Self>, SchemaOr),
}

/// What a value can be that is not a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SchemaOr {
    /// A list of schemas.
    Array,
    /// A boolean.
    Bool,
    /// A list of strings.
    Strings,
}

/// The types that decode themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    /// `resource.Quantity`
    Quantity,
    /// `intstr.IntOrString`
    IntOrString,
    /// `metav1.Time`
    Time,
    /// `metav1.MicroTime`
    MicroTime,
    /// Any JSON value.
    Raw,
}

/// A type with a name.
#[derive(Debug)]
pub struct NamedType {
    /// Its name in the table: `core.v1.Pod`.
    pub name: &'static str,
    /// Its lines in the table.
    lines: &'static str,
    definition: OnceLock<TypeDefinition>,
}

/// What a named type is.
#[derive(Debug)]
pub enum TypeDefinition {
    /// A struct.
    Struct(Struct),
    /// A name for another type, and its values in each minor if it is an enum.
    Alias(GoType, Vec<EnumValues>),
}

/// The values of an enum.
#[derive(Debug)]
pub struct EnumValues {
    /// The values, in JSON.
    pub values: Vec<Value>,
    /// The text that the server adds to the description of a field, with a line for each value.
    pub descriptions: String,
    /// The minors of the servers that have these values.
    minors: RangeInclusive<u32>,
}

/// A struct.
#[derive(Debug)]
pub struct Struct {
    /// Its fields, in the order of Go's source.
    pub fields: Vec<GoField>,
}

/// A field of a struct.
#[derive(Debug)]
pub struct GoField {
    /// Its name in JSON.
    pub name: &'static str,
    /// Its type in Go.
    pub type_: GoType,
    /// `omitempty`
    omits_empty: bool,
    /// `omitzero`
    omits_zero: bool,
    /// Whether the published schema requires the field.
    pub is_required: bool,
    /// The names of the structs that the field is inlined from, outermost first.
    pub inlined: Vec<&'static str>,
    /// The number in Protocol Buffers, after those of the structs that the field is inlined from; empty for `kind` and
    /// `apiVersion` of an object, which are not part of its message.
    pub numbers: Vec<u32>,
    /// The published default. The server also sets it, unless it is the zero value of a field that is not a pointer.
    pub default: Option<Value>,
    /// The minors of the servers that have the field in this form.
    minors: RangeInclusive<u32>,
    /// The line of the field in the table.
    line: &'static str,
}

/// Returns the Go type of a kind in a version, if its group is one of the server's own.
pub fn of_kind(group: &str, version: &str, kind: &str) -> Option<&'static NamedType> {
    let package = match group.split_once('.') {
        None if group.is_empty() => "core",
        None => group,
        Some((package, "k8s.io" | "apiserver.k8s.io" | "authorization.k8s.io")) => package,
        Some(_) => return None,
    };
    named(&format!("{package}.{version}.{kind}"))
}

/// Returns a named type of the table.
pub fn named(name: &str) -> Option<&'static NamedType> {
    TYPES.get(name)
}

impl NamedType {
    /// Returns the name without the package: `Pod`.
    pub fn bare(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or_default()
    }

    /// Returns what the type is. It is read from the table when first asked for.
    pub fn definition(&'static self) -> &'static TypeDefinition {
        self.definition.get_or_init(|| TypeDefinition::parse(self.lines))
    }

    /// Returns the type of map that servers of a minor publish for the struct, such as `atomic`.
    pub fn map_type(&'static self, minor: u32) -> Option<&'static str> {
        let own = self.lines.lines().filter(|line| !line.starts_with(' '));
        own.filter(|line| minors(line).contains(&minor))
            .find_map(|line| line.split(' ').find_map(|word| word.strip_prefix("m=")))
    }

    /// Returns the fields that servers of a minor have; none if the type is not a struct.
    pub fn fields(&'static self, minor: u32) -> impl Iterator<Item = &'static GoField> {
        self.all_fields().iter().filter(move |field| field.minors.contains(&minor))
    }

    /// Returns the field with a name, if servers of a minor have it.
    fn field(&'static self, name: &str, minor: u32) -> Option<&'static GoField> {
        self.place_of(name, minor).map(|(_, field)| field)
    }

    /// Returns the field with a name and its place among the fields, if servers of a minor have it.
    pub fn place_of(&'static self, name: &str, minor: u32) -> Option<(usize, &'static GoField)> {
        // PERF: most names differ in length, so a scan compares few bytes.
        let mut fields = self.all_fields().iter().enumerate();
        fields.find(|(_, field)| field.name == name && field.minors.contains(&minor))
    }

    fn all_fields(&'static self) -> &'static [GoField] {
        match self.definition() {
            TypeDefinition::Struct(of) => &of.fields,
            TypeDefinition::Alias(..) => &[],
        }
    }
}

impl GoType {
    /// Returns the type behind pointers and aliases: the struct for `*core.v1.PodSpec`, [`GoType::Text`] for
    /// `core.v1.RestartPolicy`.
    pub fn plain(&'static self) -> &'static Self {
        match self {
            Self::Pointer(inner) => inner.plain(),
            Self::Named(named) => match named.definition() {
                TypeDefinition::Alias(inner, _) => inner.plain(),
                TypeDefinition::Struct(_) => self,
            },
            other => other,
        }
    }

    /// Returns the values of an enum, or of a pointer to an enum or a list of it, on servers of a minor; `None` for
    /// other types.
    pub fn values(&'static self, minor: u32) -> Option<&'static EnumValues> {
        match self {
            Self::Pointer(inner) | Self::List(inner) => inner.values(minor),
            Self::Named(named) => match named.definition() {
                TypeDefinition::Alias(_, enums) => {
                    enums.iter().find(|values| values.minors.contains(&minor))
                }
                TypeDefinition::Struct(_) => None,
            },
            _ => None,
        }
    }

    /// Returns the type as Go prints it: `[]v1.Container`.
    fn print(&self) -> String {
        let short = |name: &str| {
            let mut parts = name.rsplit('.');
            let last = parts.next().unwrap_or_default();
            parts.next().map_or_else(|| last.to_owned(), |package| format!("{package}.{last}"))
        };
        match self {
            Self::Text => "string".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Int(bits) => format!("int{bits}"),
            Self::Float => "float64".to_owned(),
            Self::Bytes => "[]uint8".to_owned(),
            Self::Special(special) => special.print().to_owned(),
            Self::Pointer(inner) => format!("*{}", inner.print()),
            Self::List(items) => format!("[]{}", items.print()),
            Self::Map(key, values) => format!("map[{}]{}", short(key), values.print()),
            Self::Named(named) => short(named.name),
            Self::SchemaOr(schema, SchemaOr::Array) => format!("{}OrArray", schema.print()),
            Self::SchemaOr(schema, SchemaOr::Bool) => format!("{}OrBool", schema.print()),
            Self::SchemaOr(schema, SchemaOr::Strings) => format!("{}OrStringArray", schema.print()),
        }
    }

    fn parse(text: &'static str) -> Self {
        let special = match text {
            "string" => return Self::Text,
            "bool" => return Self::Bool,
            "int32" => return Self::Int(32),
            "int64" => return Self::Int(64),
            "float64" => return Self::Float,
            "[]uint8" => return Self::Bytes,
            "resource.Quantity" => Special::Quantity,
            "intstr.IntOrString" => Special::IntOrString,
            "meta.v1.Time" => Special::Time,
            "meta.v1.MicroTime" => Special::MicroTime,
            _ => Special::Raw,
        };
        if let Some(inner) = text.strip_prefix('*') {
            return Self::Pointer(Box::new(Self::parse(inner)));
        }
        if let Some(items) = text.strip_prefix("[]") {
            return Self::List(Box::new(Self::parse(items)));
        }
        if let Some((key, values)) = text.strip_prefix("map[").and_then(|text| text.split_once(']'))
        {
            return Self::Map(key, Box::new(Self::parse(values)));
        }
        if let Some((schema, other)) = SchemaOr::parse(text) {
            return Self::SchemaOr(Box::new(Self::parse(schema)), other);
        }
        TYPES.get(text).map_or(Self::Special(special), Self::Named)
    }
}

impl SchemaOr {
    /// Splits the name of the type of a schema or something else.
    fn parse(text: &'static str) -> Option<(&'static str, Self)> {
        let (schema, other) = text.split_at_checked(definition::SCHEMA.len())?;
        let other = match other {
            "OrArray" => Self::Array,
            "OrBool" => Self::Bool,
            "OrStringArray" => Self::Strings,
            _ => return None,
        };
        (schema == definition::SCHEMA).then_some((schema, other))
    }
}

impl Special {
    fn print(self) -> &'static str {
        match self {
            Self::Quantity => "resource.Quantity",
            Self::IntOrString => "intstr.IntOrString",
            Self::Time => "v1.Time",
            Self::MicroTime => "v1.MicroTime",
            Self::Raw => "runtime.RawExtension",
        }
    }
}

/// Finds the lines of each type.
fn index() -> HashMap<&'static str, NamedType> {
    let mut types = HashMap::new();
    for text in TEXTS {
        index_text(text, &mut types);
    }
    types
}

fn index_text(mut rest: &'static str, types: &mut HashMap<&'static str, NamedType>) {
    while !rest.is_empty() {
        // The lines of a type begin with a space, or with the name of the type if minors differ in it.
        let mut end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let first = &rest[..end];
        let name = first.split_ascii_whitespace().next().unwrap_or_default();
        while rest[end..].starts_with(' ')
            || rest[end..].starts_with(name) && has_same_first_word(rest, end)
        {
            end += rest[end..].find('\n').map_or(rest.len() - end, |length| length + 1);
        }
        let (lines, after) = rest.split_at(end);
        types.insert(name, NamedType { name, lines, definition: OnceLock::new() });
        rest = after;
    }
}

/// Returns whether the line at `at` begins with the same word as the text.
fn has_same_first_word(text: &str, at: usize) -> bool {
    text.split_ascii_whitespace().next() == text[at..].split_ascii_whitespace().next()
}

impl TypeDefinition {
    fn parse(lines: &'static str) -> Self {
        let mut lines = lines.lines().peekable();
        let first = lines.peek().copied().unwrap_or_default();
        if first.split(' ').nth(1) != Some("=") {
            let fields = lines.filter_map(|line| GoField::parse(line.strip_prefix(' ')?)).collect();
            return Self::Struct(Struct { fields });
        }
        let type_ = GoType::parse(first.split(' ').nth(2).unwrap_or_default());
        let enums = lines.filter_map(|line| {
            let word = |key| line.split(' ').find_map(|word| word.strip_prefix(key));
            let values = serde_json::from_str(&format!("[{}]", word("e=")?)).unwrap_or_default();
            let descriptions =
                word("t=").and_then(|text| serde_json::from_str::<String>(text).ok());
            let descriptions = descriptions.unwrap_or_default().replace('␣', " ");
            Some(EnumValues { values, descriptions, minors: minors(line) })
        });
        Self::Alias(type_, enums.collect())
    }
}

impl GoField {
    fn parse(line: &'static str) -> Option<Self> {
        let mut words = line.split(' ');
        let (name, type_) = (words.next()?, words.next()?);
        let mut field = Self {
            name,
            type_: GoType::parse(type_),
            omits_empty: false,
            omits_zero: false,
            is_required: false,
            inlined: Vec::new(),
            numbers: Vec::new(),
            default: None,
            minors: minors(line),
            line,
        };
        for word in words {
            match word.split_once('=') {
                None if word == "o" => field.omits_empty = true,
                None if word == "z" => field.omits_zero = true,
                None if word == "r" => field.is_required = true,
                Some(("in", names)) => field.inlined = names.split('.').collect(),
                Some(("n", numbers)) => {
                    field.numbers = numbers.split('.').filter_map(|it| it.parse().ok()).collect();
                }
                Some(("d", json)) => field.default = serde_json::from_str(json).ok(),
                _ => {}
            }
        }
        Some(field)
    }

    /// Returns the value of a key in the line of the field, such as `pk`, the merge key of patches.
    pub fn setting(&self, key: &str) -> Option<&'static str> {
        self.line.split(' ').skip(2).find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    /// Returns whether a value is the zero of a field that is no pointer and no struct, which is the same as none if the
    /// field has `omitempty`.
    pub fn is_left_out(&'static self, value: &Value) -> bool {
        let is_pointer = matches!(self.type_, GoType::Pointer(_));
        self.omits_empty && !is_pointer && !self.is_struct() && is_zero(value)
    }

    /// Returns whether Go writes the zero value for an absent field, because neither `omitempty` nor `omitzero` leaves
    /// it out.
    fn has_zero(&'static self) -> bool {
        !self.omits_zero && (!self.omits_empty || self.is_struct())
    }

    /// Returns whether the field holds a Go struct, which `omitempty` does not leave out. Quantities and times are
    /// structs.
    fn is_struct(&'static self) -> bool {
        match &self.type_ {
            GoType::Special(special) => *special != Special::Raw,
            GoType::Named(named) => matches!(named.definition(), TypeDefinition::Struct(_)),
            _ => false,
        }
    }
}

/// Returns the minors whose types have a line; all minors if it names none.
fn minors(line: &str) -> RangeInclusive<u32> {
    let number =
        |sign| line.split(' ').find_map(|word| word.strip_prefix(sign)?.parse::<u32>().ok());
    number('+').unwrap_or(0)..=number('-').unwrap_or(u32::MAX)
}
