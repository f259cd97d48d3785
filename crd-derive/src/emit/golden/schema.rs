#[allow(unused_qualifications, clippy::absolute_paths)]
#[allow(
    clippy::as_conversions,
    clippy::cast_lossless,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss
)]
const _: () = {
    #[allow(unused_imports)]
    use ::crd_runtime::__private::Missing as _;
    #[automatically_derived]
    impl<T> ::crd_runtime::__private::Derived for JobSpec<T> {
        const OBJECT: bool = true;
    }
    #[automatically_derived]
    impl<T> ::crd_runtime::CrdSchema for JobSpec<T>
    where
        T: ::crd_runtime::CrdSchema,
    {
        const SHAPE: ::crd_runtime::crd_schema::Shape = {
            let () = <Self as ::crd_runtime::__private::check::Checked>::CHECKED;
            <Self as ::crd_runtime::CrdSchema>::UNCHECKED_SHAPE
        };
        const UNCHECKED_SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "minReplicas",
                    written: ::core::option::Option::Some((
                        "min_replicas",
                        ::core::line!(),
                    )),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Defaulted,
                    shape: &<i32 as ::crd_runtime::CrdSchema>::SHAPE
                        .minimum(1i128 as f64, false),
                    always_written: true,
                    headings: &[::core::option::Option::None],
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
                ::crd_runtime::crd_schema::FieldShape {
                    name: "maxReplicas",
                    written: ::core::option::Option::Some((
                        "max_replicas",
                        ::core::line!(),
                    )),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Optional,
                    shape: &<Option<Name> as ::crd_runtime::CrdSchema>::SHAPE
                        .max_length(10u32 as u64)
                        .pattern(
                            b"\x05\x02\x02\0\0\0\0\0\0\0\0\0\0\0\0\xFE\xFF\xFF\x07\0\x03\x19\0.\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\xFE\xFF\xFF\x07\0\x04\x14\0\x05\x03\x06",
                        ),
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
                ::crd_runtime::crd_schema::FieldShape {
                    name: "ports",
                    written: ::core::option::Option::Some(("ports", ::core::line!())),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Required,
                    shape: &<Vec<Port> as ::crd_runtime::CrdSchema>::SHAPE
                        .listed(::crd_runtime::crd_schema::ListType::Map, &["name"]),
                    always_written: true,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
                ::crd_runtime::crd_schema::FieldShape {
                    name: "",
                    written: ::core::option::Option::Some(("more", ::core::line!())),
                    presence: ::crd_runtime::__private::check::presence(
                        <T as ::crd_runtime::CrdSchema>::SHAPE,
                    ),
                    shape: &<T as ::crd_runtime::CrdSchema>::SHAPE,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
            ],
            source: ::core::option::Option::Some(
                &::crd_runtime::crd_schema::Source {
                    type_: ::core::concat!(::core::module_path!(), "::JobSpec"),
                    file: ::core::file!(),
                },
            ),
            asks: ::core::option::Option::Some("minReplicas"),
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::Kind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Object(
            &::crd_runtime::__private::cel::Object {
                name: "JobSpec",
                fields: &[
                    ::crd_runtime::__private::cel::Field {
                        name: "minReplicas",
                        of: &<i32 as ::crd_runtime::CrdSchema>::CEL,
                        optional: true,
                    },
                    ::crd_runtime::__private::cel::Field {
                        name: "maxReplicas",
                        of: &const {
                            <Option<Name> as ::crd_runtime::CrdSchema>::CEL
                                .with_max_length(10u64)
                        },
                        optional: true,
                    },
                    ::crd_runtime::__private::cel::Field {
                        name: "ports",
                        of: &const {
                            <Vec<Port> as ::crd_runtime::CrdSchema>::CEL
                                .with_items(
                                    &const {
                                        <Vec<Port> as ::crd_runtime::CrdSchema>::CEL
                                            .inner()
                                            .with_max_properties(3u64)
                                    },
                                )
                        },
                        optional: false,
                    },
                    ::crd_runtime::__private::cel::Field {
                        name: "",
                        of: &const {
                            ::crd_runtime::__private::check::beside(
                                <T as ::crd_runtime::CrdSchema>::CEL,
                            )
                        },
                        optional: false,
                    },
                ],
            },
        );
        const RULES: ::crd_runtime::__private::cel::Rules = ::crd_runtime::__private::cel::Rules {
            of: "JobSpec",
            own: &[&__RULE_0],
            below: &[
                ("maxReplicas", &<Option<Name> as ::crd_runtime::CrdSchema>::RULES),
                (
                    "ports",
                    &::crd_runtime::__private::cel::Rules {
                        of: "JobSpec",
                        own: &[],
                        below: &[("", &<Vec<Port> as ::crd_runtime::CrdSchema>::RULES)],
                        ..::crd_runtime::__private::cel::Rules::NONE
                    },
                ),
                ("", &<T as ::crd_runtime::CrdSchema>::RULES),
            ],
            ..::crd_runtime::__private::cel::Rules::NONE
        };
        fn schema() -> ::crd_runtime::model::JsonSchemaProps {
            const {
                let _ = <Self as ::crd_runtime::CrdSchema>::SHAPE;
            }
            ::crd_runtime::__private::Schema::from(
                    ::crd_runtime::__private::Object::new()
                        .field(
                            "minReplicas",
                            ::crd_runtime::__private::Presence::Required,
                            ::crd_runtime::__private::Schema::from(
                                    <i32 as ::crd_runtime::CrdSchema>::schema(),
                                )
                                .doc(&[r" The least."])
                                .minimum(1f64)
                                .default(::crd_runtime::__private::json(&1i64))
                                .done(),
                        )
                        .field(
                            "maxReplicas",
                            ::crd_runtime::__private::Presence::Optional,
                            ::crd_runtime::__private::Schema::from(
                                    <Option<Name> as ::crd_runtime::CrdSchema>::schema_of_some(),
                                )
                                .pattern("^[a-z]+$")
                                .max_length(10i64)
                                .done(),
                        )
                        .field(
                            "ports",
                            ::crd_runtime::__private::Presence::Required,
                            ::crd_runtime::__private::Schema::from(
                                    <Vec<Port> as ::crd_runtime::CrdSchema>::schema(),
                                )
                                .list_type("map")
                                .list_map_keys(&["name"])
                                .items(|schema| schema.max_properties(3i64))
                                .done(),
                        )
                        .flatten(
                            ::crd_runtime::__private::Presence::optional_if(
                                <T as ::crd_runtime::CrdSchema>::SHAPE.optional,
                            ),
                            ::crd_runtime::__private::Schema::from(
                                    <T as ::crd_runtime::CrdSchema>::schema(),
                                )
                                .done(),
                        )
                        .done(),
                )
                .doc(&[r" A job."])
                .rule(::crd_runtime::__private::Rule {
                    rule: "self.minReplicas <= self.maxReplicas",
                    message: "wrong order",
                    ..::crd_runtime::__private::Rule::NONE
                })
                .done()
        }
        fn collect(at: &str, into: &mut ::crd_runtime::__private::Collected) {
            into.column(
                at,
                "minReplicas",
                &::crd_runtime::__private::Schema::from(
                        <i32 as ::crd_runtime::CrdSchema>::schema(),
                    )
                    .doc(&[r" The least."])
                    .minimum(1f64)
                    .default(::crd_runtime::__private::json(&1i64))
                    .done(),
                ::crd_runtime::__private::Column {
                    ..::crd_runtime::__private::Column::NONE
                },
            );
            into.descend(at, "minReplicas", <i32 as ::crd_runtime::CrdSchema>::collect);
            into.descend(
                at,
                "maxReplicas",
                <Option<Name> as ::crd_runtime::CrdSchema>::collect,
            );
            into.descend(at, "ports", <Vec<Port> as ::crd_runtime::CrdSchema>::collect);
            <T as ::crd_runtime::CrdSchema>::collect(at, into);
            let _ = (at, into);
        }
    }
    #[automatically_derived]
    impl<T> ::crd_runtime::__private::schemars::JsonSchema for JobSpec<T>
    where
        T: ::crd_runtime::CrdSchema,
    {
        fn schema_name() -> ::std::borrow::Cow<'static, str> {
            ::crd_runtime::__private::schema_name(
                "JobSpec",
                &[::core::any::type_name::<T>()],
            )
        }
        fn schema_id() -> ::std::borrow::Cow<'static, str> {
            ::std::borrow::Cow::Borrowed(::core::any::type_name::<Self>())
        }
        fn json_schema(
            _: &mut ::crd_runtime::__private::schemars::SchemaGenerator,
        ) -> ::crd_runtime::__private::schemars::Schema {
            ::crd_runtime::crd_schema::bridge::to_schemars(
                &<Self as ::crd_runtime::CrdSchema>::schema(),
            )
        }
    }
    #[automatically_derived]
    impl<T> ::crd_runtime::__private::check::Checked for JobSpec<T>
    where
        T: ::crd_runtime::CrdSchema,
    {
        const CHECKED: () = {
            ::crd_runtime::__private::check::part(
                &<T as ::crd_runtime::CrdSchema>::SHAPE,
                &["minReplicas", "maxReplicas", "ports"],
                &[],
            );
            ::crd_runtime::__private::check::require(
                ::crd_runtime::__private::check::is_optional(
                    <Option<Name> as ::crd_runtime::CrdSchema>::SHAPE,
                ),
                "serde may skip this field, but cannot deserialize without it; add `#[serde(default)]`",
            );
            ::crd_runtime::__private::check::elements(
                &<Option<Name> as ::crd_runtime::CrdSchema>::SHAPE,
                "",
                false,
            );
            ::crd_runtime::__private::check::length_of_values(
                &<Option<Name> as ::crd_runtime::CrdSchema>::SHAPE,
                "max_length",
                10usize,
            );
            ::crd_runtime::__private::check::text_of_values(
                &<Option<Name> as ::crd_runtime::CrdSchema>::SHAPE,
                "pattern",
            );
            ::crd_runtime::__private::check::require(
                ::crd_runtime::__private::check::is_text(
                    *&<Option<Name> as ::crd_runtime::CrdSchema>::SHAPE,
                ),
                "`max_length` does not apply here: this type is not a string",
            );
            ::crd_runtime::__private::check::require(
                ::crd_runtime::__private::check::is_text(
                    *&<Option<Name> as ::crd_runtime::CrdSchema>::SHAPE,
                ),
                "`pattern` does not apply here: this type is not a string",
            );
            ::crd_runtime::__private::check::pairs(
                "maxReplicas",
                &<Option<Name> as ::crd_runtime::CrdSchema>::SHAPE,
                "",
                false,
            );
            ::crd_runtime::__private::check::elements(
                &<Vec<Port> as ::crd_runtime::CrdSchema>::SHAPE,
                "",
                false,
            );
            ::crd_runtime::__private::check::list_map_key(
                &<Vec<Port> as ::crd_runtime::CrdSchema>::SHAPE,
                "name",
            );
            ::crd_runtime::__private::check::list_type(
                &<Vec<Port> as ::crd_runtime::CrdSchema>::SHAPE,
                "map",
            );
            ::crd_runtime::__private::check::require(
                ::crd_runtime::__private::check::is_object(
                    *::crd_runtime::__private::check::items(
                        &<Vec<Port> as ::crd_runtime::CrdSchema>::SHAPE,
                    ),
                ),
                "`max_properties` does not apply here: this type is not an object",
            );
            ::crd_runtime::__private::check::pairs(
                "ports",
                &<Vec<Port> as ::crd_runtime::CrdSchema>::SHAPE,
                "map",
                false,
            );
            ::crd_runtime::__private::check::require(
                ::crd_runtime::__private::check::is_no_optional_enum(
                    <T as ::crd_runtime::CrdSchema>::SHAPE,
                ),
                "serde writes `None` as `null`, which an enumeration does not allow; add `#[serde(skip_serializing_if = \"Option::is_none\")]`, or `#[crd(nullable)]`",
            );
            ::crd_runtime::__private::check::elements(
                &<T as ::crd_runtime::CrdSchema>::SHAPE,
                "",
                false,
            );
            ::crd_runtime::__private::check::require(
                ::crd_runtime::__private::check::flattens(
                    <T as ::crd_runtime::CrdSchema>::SHAPE,
                ),
                "only structs, maps of `serde_json::Value`, and enums of structs or of variants without content can be flattened into an object",
            );
            ::crd_runtime::__private::check::pairs(
                "more",
                &<T as ::crd_runtime::CrdSchema>::SHAPE,
                "",
                false,
            );
            ::crd_runtime::__private::cel::report_within(
                &__RULE_0,
                &const { <Self as ::crd_runtime::CrdSchema>::CEL },
            );
        };
    }
    static __RULE_0: ::crd_runtime::__private::cel::Examined = ::crd_runtime::__private::cel::examine(
        ::crd_runtime::__private::cel::Rule {
            of: &const {
                ::crd_runtime::__private::cel::Declared::Object(
                    &::crd_runtime::__private::cel::Object {
                        name: "JobSpec",
                        fields: &[
                            ::crd_runtime::__private::cel::Field {
                                name: "minReplicas",
                                of: &<i32 as ::crd_runtime::CrdSchema>::CEL,
                                optional: true,
                            },
                            ::crd_runtime::__private::cel::Field {
                                name: "maxReplicas",
                                of: &const {
                                    <Option<Name> as ::crd_runtime::CrdSchema>::CEL
                                        .with_max_length(10u64)
                                },
                                optional: true,
                            },
                            ::crd_runtime::__private::cel::Field {
                                name: "ports",
                                of: &const {
                                    <Vec<Port> as ::crd_runtime::CrdSchema>::CEL
                                        .with_items(
                                            &const {
                                                <Vec<Port> as ::crd_runtime::CrdSchema>::CEL
                                                    .inner()
                                                    .with_max_properties(3u64)
                                            },
                                        )
                                },
                                optional: false,
                            },
                            ::crd_runtime::__private::cel::Field {
                                name: "",
                                of: &const {
                                    ::crd_runtime::__private::check::beside(
                                        ::crd_runtime::__private::cel::Declared::Unknown,
                                    )
                                },
                                optional: false,
                            },
                        ],
                    },
                )
            },
            optional_old_self: false,
            want: ::crd_runtime::__private::cel::Want::Rule,
            cost_check: ::crd_runtime::__private::cel::CostCheck::Here,
            unchecked: false,
            source: "self.minReplicas <= self.maxReplicas",
            program: b"\0\x02\0\0\x04\0\0\x0BminReplicas\x02\0\0\x18\0\0\x0BmaxReplicas\x03\x0E\0\x11\0\0\x04\x02\x02\0\x03\0\x04\0\x11\0",
        },
        &[],
    );
    const _: () = ::crd_runtime::__private::cel::report(&__RULE_0);
};
#[allow(unused_qualifications, clippy::absolute_paths)]
#[allow(
    clippy::as_conversions,
    clippy::cast_lossless,
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss
)]
const _: () = {
    #[allow(unused_imports)]
    use ::crd_runtime::__private::Missing as _;
    #[automatically_derived]
    impl ::crd_runtime::__private::Derived for Action {
        const OBJECT: bool = false;
    }
    const _: ::crd_runtime::crd_schema::Shape = <Http as ::crd_runtime::CrdSchema>::SHAPE;
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for Action
    where
        ::crd_runtime::__private::Part<
            Http,
            { ::crd_runtime::__private::Of::<Http>::DERIVED },
        >: ::crd_runtime::crd_schema::FiniteOrMarkedRecursive,
    {
        const SHAPE: ::crd_runtime::crd_schema::Shape = {
            <Self as ::crd_runtime::CrdSchema>::UNCHECKED_SHAPE
        };
        const UNCHECKED_SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "type",
                    shape: &::crd_runtime::crd_schema::Shape {
                        values: &["Run", "Http", "None"],
                        ..::crd_runtime::crd_schema::Shape::of(
                            ::crd_runtime::crd_schema::Kind::Enum,
                        )
                    },
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
            ],
            variants: &[
                ::crd_runtime::crd_schema::Shape {
                    fields: &[
                        ::crd_runtime::crd_schema::FieldShape {
                            name: "command",
                            written: ::core::option::Option::Some((
                                "command",
                                ::core::line!(),
                            )),
                            presence: ::crd_runtime::crd_schema::FieldPresence::Required,
                            shape: &::crd_runtime::__private::Of::<Vec<String>>::SHAPE,
                            always_written: true,
                            ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                        },
                    ],
                    source: ::core::option::Option::Some(
                        &::crd_runtime::crd_schema::Source {
                            type_: ::core::concat!(
                                ::core::module_path!(), "::Action::Run"
                            ),
                            file: ::core::file!(),
                        },
                    ),
                    ..::crd_runtime::crd_schema::Shape::of(
                        ::crd_runtime::crd_schema::Kind::Object,
                    )
                },
                ::crd_runtime::__private::Of::<Http>::SHAPE,
                ::crd_runtime::crd_schema::Shape::of(
                    ::crd_runtime::crd_schema::Kind::Null,
                ),
            ],
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::Kind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::OneOf(
            &const {
                [
                    ::crd_runtime::__private::cel::Declared::Object(
                        &::crd_runtime::__private::cel::Object {
                            name: "Action",
                            fields: &[
                                ::crd_runtime::__private::cel::Field {
                                    name: "type",
                                    of: &const {
                                        ::crd_runtime::__private::cel::Declared::Enum(
                                            &["Run", "Http", "None"],
                                        )
                                    },
                                    optional: false,
                                },
                                ::crd_runtime::__private::cel::Field {
                                    name: "command",
                                    of: &const {
                                        ::crd_runtime::__private::Of::<Vec<String>>::CEL
                                    },
                                    optional: true,
                                },
                            ],
                        },
                    ),
                    ::crd_runtime::__private::Of::<Http>::CEL
                        .tagged(
                            &const {
                                ::crd_runtime::__private::cel::Object {
                                    name: "Action",
                                    fields: &[
                                        ::crd_runtime::__private::cel::Field {
                                            name: "type",
                                            of: &const {
                                                ::crd_runtime::__private::cel::Declared::Enum(
                                                    &["Run", "Http", "None"],
                                                )
                                            },
                                            optional: false,
                                        },
                                        ::crd_runtime::__private::cel::Field {
                                            name: "",
                                            of: &const { ::crd_runtime::__private::Of::<Http>::CEL },
                                            optional: false,
                                        },
                                    ],
                                }
                            },
                        ),
                ]
            },
        );
        const RULES: ::crd_runtime::__private::cel::Rules = ::crd_runtime::__private::cel::Rules {
            of: "Action",
            own: &[],
            below: &[],
            variants: &[
                &::crd_runtime::__private::cel::Rules {
                    of: "Action",
                    own: &[],
                    below: &[("", &::crd_runtime::__private::Of::<Http>::RULES)],
                    ..::crd_runtime::__private::cel::Rules::NONE
                },
            ],
            ..::crd_runtime::__private::cel::Rules::NONE
        };
        fn schema() -> ::crd_runtime::model::JsonSchemaProps {
            const {
                let _ = <Self as ::crd_runtime::CrdSchema>::SHAPE;
            }
            ::crd_runtime::__private::Schema::from(
                    ::crd_runtime::__private::Union::internal("type")
                        .data(
                            &["Run"],
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Object::new()
                                        .field(
                                            "command",
                                            ::crd_runtime::__private::Presence::Required,
                                            ::crd_runtime::__private::Schema::from(
                                                    ::crd_runtime::__private::Of::<Vec<String>>::schema(),
                                                )
                                                .done(),
                                        )
                                        .done(),
                                )
                                .done(),
                        )
                        .data(
                            &["Http"],
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Schema::from(
                                            ::crd_runtime::__private::Of::<Http>::schema(),
                                        )
                                        .done(),
                                )
                                .done(),
                        )
                        .unit(&["None"], false)
                        .done(),
                )
                .done()
        }
        fn collect(at: &str, into: &mut ::crd_runtime::__private::Collected) {
            let _ = (at, into);
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::schemars::JsonSchema for Action
    where
        ::crd_runtime::__private::Part<
            Http,
            { ::crd_runtime::__private::Of::<Http>::DERIVED },
        >: ::crd_runtime::crd_schema::FiniteOrMarkedRecursive,
    {
        fn schema_name() -> ::std::borrow::Cow<'static, str> {
            ::crd_runtime::__private::schema_name("Action", &[])
        }
        fn schema_id() -> ::std::borrow::Cow<'static, str> {
            ::std::borrow::Cow::Borrowed(::core::any::type_name::<Self>())
        }
        fn json_schema(
            _: &mut ::crd_runtime::__private::schemars::SchemaGenerator,
        ) -> ::crd_runtime::__private::schemars::Schema {
            ::crd_runtime::crd_schema::bridge::to_schemars(
                &<Self as ::crd_runtime::CrdSchema>::schema(),
            )
        }
    }
    const _: () = ::crd_runtime::__private::check::variants(
        &<Action as ::crd_runtime::CrdSchema>::SHAPE,
    );
    const _: () = ::crd_runtime::__private::check::require(
        ::crd_runtime::__private::check::is_no_optional_enum(
            ::crd_runtime::__private::Of::<Http>::SHAPE,
        ),
        "serde writes `None` as `null`, which an enumeration does not allow; add `#[serde(skip_serializing_if = \"Option::is_none\")]`, or `#[crd(nullable)]`",
    );
    const _: () = ::crd_runtime::__private::check::elements(
        &::crd_runtime::__private::Of::<Http>::SHAPE,
        "a variant",
        false,
    );
    const _: () = ::crd_runtime::__private::check::require(
        ::crd_runtime::__private::check::is_taggable(
            ::crd_runtime::__private::Of::<Http>::SHAPE,
        ),
        "serde adds the tag to the fields of the variant's content, which must be a struct, a map of `serde_json::Value` or an enum of structs; write `V` for a variant without content",
    );
    const _: () = ::crd_runtime::__private::check::beside_tag(
        &::crd_runtime::__private::Of::<Http>::SHAPE,
        "type",
    );
};
