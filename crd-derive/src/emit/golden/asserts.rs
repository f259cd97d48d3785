const _: () = crd_runtime::__private::check::part(
    &<More as crd_runtime::CrdSchema>::SHAPE,
    &["name", "ports"],
    &[],
);
const _: () = crd_runtime::__private::check::require(
    crd_runtime::__private::check::is_no_optional_enum(
        <Name as crd_runtime::CrdSchema>::SHAPE,
    ),
    "serde writes `None` as `null`, which no enumeration admits; add `#[serde(skip_serializing_if = \"Option::is_none\")]`, or say `#[crd(nullable)]`",
);
const _: () = crd_runtime::__private::check::elements(
    &<Name as crd_runtime::CrdSchema>::SHAPE,
    "",
    false,
);
const _: () = crd_runtime::__private::check::length_of_values(
    &<Name as crd_runtime::CrdSchema>::SHAPE,
    "min_length",
    1usize,
);
const _: () = crd_runtime::__private::check::require(
    crd_runtime::__private::check::is_text(*&<Name as crd_runtime::CrdSchema>::SHAPE),
    "`min_length` is for a string, which this type is not",
);
const _: () = crd_runtime::__private::check::pairs(
    "name",
    &<Name as crd_runtime::CrdSchema>::SHAPE,
    "",
    false,
);
const _: () = crd_runtime::__private::check::elements(
    &<Vec<Port> as crd_runtime::CrdSchema>::SHAPE,
    "",
    false,
);
const _: () = crd_runtime::__private::check::list_map_key(
    &<Vec<Port> as crd_runtime::CrdSchema>::SHAPE,
    "name",
);
const _: () = crd_runtime::__private::check::list_type(
    &<Vec<Port> as crd_runtime::CrdSchema>::SHAPE,
    "map",
);
const _: () = crd_runtime::__private::check::pairs(
    "ports",
    &<Vec<Port> as crd_runtime::CrdSchema>::SHAPE,
    "map",
    false,
);
const _: () = crd_runtime::__private::check::require(
    crd_runtime::__private::check::is_no_optional_enum(
        <More as crd_runtime::CrdSchema>::SHAPE,
    ),
    "serde writes `None` as `null`, which no enumeration admits; add `#[serde(skip_serializing_if = \"Option::is_none\")]`, or say `#[crd(nullable)]`",
);
const _: () = crd_runtime::__private::check::elements(
    &<More as crd_runtime::CrdSchema>::SHAPE,
    "",
    false,
);
const _: () = crd_runtime::__private::check::require(
    crd_runtime::__private::check::flattens(<More as crd_runtime::CrdSchema>::SHAPE),
    "only structs, maps of `serde_json::Value` and enums of structs can be flattened into an object",
);
const _: () = crd_runtime::__private::check::pairs(
    "more",
    &<More as crd_runtime::CrdSchema>::SHAPE,
    "",
    false,
);
