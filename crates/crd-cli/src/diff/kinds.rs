//! The kinds of changes, each with what it breaks.

use clap::ValueEnum;

/// Those for whom a change can be breaking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Audience {
    /// Those who write objects: one that was valid is refused, or means something else
    Writers,
    /// Those who read objects: a value that was always there may be absent, or of another type
    Readers,
    /// Objects that are already stored: a write of one is refused, or a part of it is lost
    Stored,
    /// Those who use names, versions, subresources, selectable fields or columns
    Clients,
}

/// The audiences of a kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Grades(&'static [Audience]);

impl Grades {
    pub(super) fn iter(self) -> impl Iterator<Item = Audience> {
        self.0.iter().copied()
    }

    pub(super) fn has(self, audience: Audience) -> bool {
        self.0.contains(&audience)
    }
}

impl Audience {
    /// Returns the word in output.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Writers => "writers",
            Self::Readers => "readers",
            Self::Stored => "stored",
            Self::Clients => "clients",
        }
    }
}

/// How sure it is that a kind of change breaks something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// It breaks something, whatever the objects are.
    Certain,
    /// It breaks something unless other parts of the schema say the same.
    Likely,
    /// It breaks something only if an object shows it.
    Undecided,
    /// It can surprise, but breaks nothing.
    Caution,
    /// It breaks nothing.
    Compatible,
}

/// What would show that a change is breaking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Search {
    /// Nothing has to be shown.
    Nothing,
    /// An object that OLD admits and NEW refuses.
    Refused,
    /// An object that NEW admits and OLD refuses, so that readers of OLD do not expect it.
    Appears,
    /// An object that both admit and that comes out different.
    Differs,
}

/// A kind of change.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) id: &'static str,
    pub(super) level: Level,
    pub(super) grades: Grades,
    pub(super) search: Search,
    pub(super) summary: &'static str,
}

macro_rules! kinds {
    ($($name:ident = $id:literal, $level:ident, [$($grade:ident)*], $search:ident, $summary:literal;)*) => {
        $(pub(super) static $name: Kind = Kind {
            id: $id,
            level: Level::$level,
            grades: Grades(&[$(Audience::$grade),*]),
            search: Search::$search,
            summary: $summary,
        };)*
        /// All kinds, as the guide lists them.
        pub(super) static ALL: &[&Kind] = &[$(&$name),*];
    };
}

kinds! {
    DEFINITION_ADDED = "definition-added", Compatible, [], Nothing, "A definition is new";
    DEFINITION_REMOVED = "definition-removed", Certain, [Writers Readers Stored Clients], Nothing, "A definition is gone, and with it all objects";
    DEFINITION_REFUSED = "definition-refused", Certain, [Clients], Nothing, "The server refuses NEW as an update of OLD";
    SCOPE_CHANGED = "scope-changed", Certain, [Writers Stored Clients], Nothing, "The scope is another one";
    NAME_CHANGED = "name-changed", Certain, [Clients], Nothing, "A name of the kind or its resource is another one, or a short name or category is gone";
    NAME_ADDED = "name-added", Compatible, [], Nothing, "A short name or category is new";
    METADATA_CHANGED = "metadata-changed", Compatible, [], Nothing, "Labels or annotations of the definition are others";
    CONVERSION_CHANGED = "conversion-changed", Caution, [Readers Stored], Nothing, "Versions are converted in another way";
    CONVERSION_LOSES = "conversion-loses", Certain, [Writers Readers Stored], Nothing, "The registered conversion to another version and back changes an object";
    CONVERSION_COMPARED = "conversion-compared", Compatible, [], Nothing, "Generated objects come back unchanged from other versions";
    CONVERSION_UNKNOWN = "conversion-unknown", Compatible, [], Nothing, "What the conversion webhook does is not known";
    WEBHOOK_CHANGED = "webhook-changed", Compatible, [], Nothing, "The conversion webhook is called in another way";
    UNKNOWN_FIELDS_CHANGED = "unknown-fields-changed", Certain, [Writers Stored], Nothing, "`spec.preserveUnknownFields` is another one";
    VERSION_ADDED = "version-added", Compatible, [], Nothing, "A version is new";
    VERSION_REMOVED = "version-removed", Certain, [Clients], Nothing, "A version that was served is gone";
    UNSERVED_VERSION_REMOVED = "unserved-version-removed", Compatible, [], Nothing, "A version that was not served is gone";
    STORED_VERSION_REMOVED = "stored-version-removed", Certain, [Stored], Nothing, "A version is gone in which objects may be stored";
    VERSION_SERVED = "version-served", Compatible, [], Nothing, "A version is served that was not";
    VERSION_UNSERVED = "version-unserved", Certain, [Clients], Nothing, "A version is no longer served";
    STORAGE_VERSION_CHANGED = "storage-version-changed", Caution, [Stored], Nothing, "Objects are stored in another version";
    DEPRECATION_CHANGED = "deprecation-changed", Compatible, [], Nothing, "The deprecation of a version, or its warning, is another one";
    SUBRESOURCE_ADDED = "subresource-added", Compatible, [], Nothing, "A subresource is new";
    SUBRESOURCE_REMOVED = "subresource-removed", Certain, [Clients], Nothing, "A subresource is gone";
    STATUS_SPLIT = "status-split", Certain, [Writers Clients], Nothing, "The status is a subresource now: writes of whole objects leave it as it is";
    SCALE_CHANGED = "scale-changed", Certain, [Clients], Nothing, "The subresource scale reads other fields";
    SELECTABLE_FIELD_ADDED = "selectable-field-added", Compatible, [], Nothing, "A field can be selected that could not";
    SELECTABLE_FIELD_REMOVED = "selectable-field-removed", Certain, [Clients], Nothing, "A field can no longer be selected";
    COLUMN_ADDED = "column-added", Compatible, [], Nothing, "A column is new";
    COLUMN_CHANGED = "column-changed", Caution, [Clients], Nothing, "A column is gone or shows something else";
    FIELD_ADDED = "field-added", Compatible, [], Nothing, "A field is new";
    FIELD_REMOVED = "field-removed", Certain, [Writers Readers Stored], Refused, "A field is gone: it is dropped, and strict writes with it are refused";
    FIELD_SPECIFIED = "field-specified", Undecided, [Writers Stored], Refused, "A field that could hold anything has a schema now";
    FIELD_UNSPECIFIED = "field-unspecified", Caution, [Readers], Appears, "A field has no schema any more, and may hold anything";
    UNKNOWN_FIELDS_DROPPED = "unknown-fields-dropped", Certain, [Writers Readers Stored], Refused, "Fields without a schema are no longer kept";
    UNKNOWN_FIELDS_KEPT = "unknown-fields-kept", Compatible, [], Nothing, "Fields without a schema are kept";
    TYPE_CHANGED = "type-changed", Likely, [Writers Readers Stored], Refused, "A value has another type";
    TYPE_WIDENED = "type-widened", Likely, [Readers], Appears, "A value may have another type too";
    FORMAT_CHANGED = "format-changed", Undecided, [Writers Stored], Refused, "A value has another format";
    REQUIRED_ADDED = "required-added", Likely, [Writers Stored], Refused, "A field is required that was optional";
    REQUIRED_REMOVED = "required-removed", Likely, [Readers], Appears, "A field is optional that was required";
    REQUIRED_WITH_DEFAULT = "required-with-default", Compatible, [], Nothing, "A field is required, or no longer, and has a default";
    NULLABLE_ADDED = "nullable-added", Likely, [Readers], Appears, "A value may be null";
    NULLABLE_REMOVED = "nullable-removed", Likely, [Writers Stored], Differs, "A value may no longer be null";
    ENUM_ADDED = "enum-added", Likely, [Writers Stored], Refused, "A value has to be one of a list";
    ENUM_REMOVED = "enum-removed", Caution, [Readers], Appears, "A value can be others than those of a list";
    ENUM_VALUE_ADDED = "enum-value-added", Caution, [Readers], Appears, "A value is allowed that was not";
    ENUM_VALUE_REMOVED = "enum-value-removed", Likely, [Writers Stored], Refused, "A value is no longer allowed";
    BOUND_NARROWED = "bound-narrowed", Likely, [Writers Stored], Refused, "A minimum or maximum is new or closer";
    BOUND_WIDENED = "bound-widened", Compatible, [], Nothing, "A minimum or maximum is gone or farther";
    PATTERN_ADDED = "pattern-added", Likely, [Writers Stored], Refused, "A text has to match a pattern";
    PATTERN_CHANGED = "pattern-changed", Undecided, [Writers Stored], Refused, "A text has to match another pattern";
    PATTERN_REMOVED = "pattern-removed", Compatible, [], Nothing, "A text need not match a pattern any more";
    MULTIPLE_CHANGED = "multiple-changed", Undecided, [Writers Stored], Refused, "A number has to be a multiple of another one";
    DEFAULT_ADDED = "default-added", Caution, [Writers], Differs, "An absent field gets a value";
    DEFAULT_CHANGED = "default-changed", Caution, [Writers], Differs, "An absent field gets another value";
    DEFAULT_REMOVED = "default-removed", Likely, [Writers Readers], Differs, "An absent field stays absent";
    LIST_TYPE_CHANGED = "list-type-changed", Undecided, [Writers Stored Clients], Refused, "The items of a list, or the fields of an object, are merged in another way";
    JUNCTOR_CHANGED = "junctor-changed", Undecided, [Writers Stored], Refused, "`allOf`, `anyOf`, `oneOf` or `not` demands something else";
    EMBEDDED_CHANGED = "embedded-resource-changed", Undecided, [Writers Stored], Refused, "An object has to be a whole resource, or no longer";
    RULE_ADDED = "rule-added", Likely, [Writers Stored], Refused, "A rule is new";
    RULE_CHANGED = "rule-changed", Undecided, [Writers Stored], Refused, "A rule has another text";
    RULE_REMOVED = "rule-removed", Compatible, [], Nothing, "A rule is gone";
    RULE_MESSAGE_CHANGED = "rule-message-changed", Compatible, [], Nothing, "A rule reports its failure in another way";
    TEXT_CHANGED = "text-changed", Compatible, [], Nothing, "A description, title, example or link is another one";
    OBJECT_REFUSED = "object-refused", Certain, [Writers Stored], Nothing, "A generated object shows a change that no other finding explains";
    OBJECT_CHANGED = "object-changed", Certain, [Writers Readers], Nothing, "A generated object comes out different, and no other finding explains it";
    OBJECTS_COMPARED = "objects-compared", Compatible, [], Nothing, "Generated objects come out equal";
}

/// Returns a kind by its identifier.
pub(super) fn find(id: &str) -> Option<&'static Kind> {
    ALL.iter().copied().find(|kind| kind.id == id)
}
