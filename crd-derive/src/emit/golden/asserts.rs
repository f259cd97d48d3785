const _: () = ::core::assert!(
    crd_runtime::__private::check::is_text(< Name as crd_runtime::CrdSchema > ::SHAPE),
    "`min_length` is for a string, which the field's type is not"
);
const _: () = ::core::assert!(
    crd_runtime::__private::check::is_no_optional_enum(< Name as crd_runtime::CrdSchema >
    ::SHAPE),
    "serde writes `None` as `null`, which no enumeration admits; add `#[serde(skip_serializing_if = \"Option::is_none\")]`, or say `#[crd(nullable)]`"
);
const _: () = ::core::assert!(
    crd_runtime::__private::check::is_no_optional_enum(< Vec < Port > as
    crd_runtime::CrdSchema > ::SHAPE),
    "serde writes `None` as `null`, which no enumeration admits; add `#[serde(skip_serializing_if = \"Option::is_none\")]`, or say `#[crd(nullable)]`"
);
const _: () = ::core::assert!(
    crd_runtime::__private::check::has_key(< Vec < Port > as crd_runtime::CrdSchema >
    ::SHAPE, "name"), "the items have no field `name`"
);
const _: () = ::core::assert!(
    crd_runtime::__private::check::has_scalar_key(< Vec < Port > as
    crd_runtime::CrdSchema > ::SHAPE, "name"),
    "the key `name` must be a string, number or boolean"
);
const _: () = ::core::assert!(
    crd_runtime::__private::check::has_present_key(< Vec < Port > as
    crd_runtime::CrdSchema > ::SHAPE, "name"),
    "the key `name` must be required, or have a `default` and be no `Option`"
);
const _: () = ::core::assert!(
    crd_runtime::__private::check::is_no_optional_enum(< More as crd_runtime::CrdSchema >
    ::SHAPE),
    "serde writes `None` as `null`, which no enumeration admits; add `#[serde(skip_serializing_if = \"Option::is_none\")]`, or say `#[crd(nullable)]`"
);
const _: () = ::core::assert!(
    crd_runtime::__private::check::flattens(< More as crd_runtime::CrdSchema > ::SHAPE),
    "only structs, maps of `serde_json::Value` and enums of structs can be flattened into an object"
);
