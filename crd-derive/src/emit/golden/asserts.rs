const _: () = crd_runtime::__private::check::part(
    &::crd_runtime::__private::Of::<More>::SHAPE,
    &["name", "ports"],
    &[],
);
const _: () = crd_runtime::__private::check::require(
    crd_runtime::__private::check::is_no_optional_enum(
        ::crd_runtime::__private::Of::<Name>::SHAPE,
    ),
    "serde writes `None` as `null`, which an enumeration does not allow; add `#[serde(skip_serializing_if = \"Option::is_none\")]`, or `#[crd(nullable)]`",
);
const _: () = crd_runtime::__private::check::elements(
    &::crd_runtime::__private::Of::<Name>::SHAPE,
    "",
    false,
);
const _: () = crd_runtime::__private::check::length_of_values(
    &::crd_runtime::__private::Of::<Name>::SHAPE,
    "min_length",
    1usize,
);
const _: () = crd_runtime::__private::check::require(
    crd_runtime::__private::check::is_text(
        *&::crd_runtime::__private::Of::<Name>::SHAPE,
    ),
    "`min_length` does not apply here: this type is not a string",
);
const _: () = crd_runtime::__private::check::pairs(
    "name",
    &::crd_runtime::__private::Of::<Name>::SHAPE,
    "",
    false,
);
const _: () = crd_runtime::__private::check::elements(
    &::crd_runtime::__private::Of::<Vec<Port>>::SHAPE,
    "",
    false,
);
const _: () = crd_runtime::__private::check::list_map_key(
    &::crd_runtime::__private::Of::<Vec<Port>>::SHAPE,
    "name",
);
const _: () = crd_runtime::__private::check::list_type(
    &::crd_runtime::__private::Of::<Vec<Port>>::SHAPE,
    "map",
);
const _: () = crd_runtime::__private::check::pairs(
    "ports",
    &::crd_runtime::__private::Of::<Vec<Port>>::SHAPE,
    "map",
    false,
);
const _: () = crd_runtime::__private::check::require(
    crd_runtime::__private::check::is_no_optional_enum(
        ::crd_runtime::__private::Of::<More>::SHAPE,
    ),
    "serde writes `None` as `null`, which an enumeration does not allow; add `#[serde(skip_serializing_if = \"Option::is_none\")]`, or `#[crd(nullable)]`",
);
const _: () = crd_runtime::__private::check::elements(
    &::crd_runtime::__private::Of::<More>::SHAPE,
    "",
    false,
);
const _: () = crd_runtime::__private::check::require(
    crd_runtime::__private::check::flattens(::crd_runtime::__private::Of::<More>::SHAPE),
    "only structs, maps of `serde_json::Value`, and enums of structs or of variants without content can be flattened into an object",
);
const _: () = crd_runtime::__private::check::pairs(
    "more",
    &::crd_runtime::__private::Of::<More>::SHAPE,
    "",
    false,
);
