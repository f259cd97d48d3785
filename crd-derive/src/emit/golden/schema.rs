const _: () = {
    #[automatically_derived]
    impl<T> ::crd_runtime::CrdSchema for JobSpec<T>
    where
        T: ::crd_runtime::CrdSchema,
    {
        const SHAPE: ::crd_runtime::crd_schema::Shape = <Self as ::crd_runtime::CrdSchema>::CUT_A_RECURSIVE_TYPE_WITH_PRESERVE_UNKNOWN_FIELDS;
        const CUT_A_RECURSIVE_TYPE_WITH_PRESERVE_UNKNOWN_FIELDS: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "minReplicas",
                    always: true
                        || (true && !<i32 as ::crd_runtime::CrdSchema>::SHAPE.optional),
                    shape: &<i32 as ::crd_runtime::CrdSchema>::SHAPE,
                },
                ::crd_runtime::crd_schema::FieldShape {
                    name: "maxReplicas",
                    always: false
                        || (true
                            && !<Option<Name> as ::crd_runtime::CrdSchema>::SHAPE
                                .optional),
                    shape: &<Option<Name> as ::crd_runtime::CrdSchema>::SHAPE,
                },
                ::crd_runtime::crd_schema::FieldShape {
                    name: "ports",
                    always: false
                        || (true
                            && !<Vec<Port> as ::crd_runtime::CrdSchema>::SHAPE.optional),
                    shape: &<Vec<Port> as ::crd_runtime::CrdSchema>::SHAPE,
                },
                ::crd_runtime::crd_schema::FieldShape {
                    name: "",
                    always: false
                        || (true && !<T as ::crd_runtime::CrdSchema>::SHAPE.optional),
                    shape: &<T as ::crd_runtime::CrdSchema>::SHAPE,
                },
            ],
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::Kind::Object,
            )
        };
        fn schema() -> ::crd_runtime::model::JsonSchemaProps {
            const {
                let _ = <Self as ::crd_runtime::CrdSchema>::SHAPE;
            }
            ::crd_runtime::__private::Schema::from(
                    ::crd_runtime::__private::Object::new()
                        .field(
                            "minReplicas",
                            ::crd_runtime::__private::Presence::optional_if(
                                false
                                    || (true
                                        && <i32 as ::crd_runtime::CrdSchema>::SHAPE.optional),
                            ),
                            ::crd_runtime::__private::Schema::of::<i32>()
                                .description("The least.")
                                .minimum(1f64)
                                .default(::crd_runtime::__private::json(&1i64))
                                .done(),
                        )
                        .field(
                            "maxReplicas",
                            ::crd_runtime::__private::Presence::optional_if(
                                false
                                    || (true
                                        && <Option<Name> as ::crd_runtime::CrdSchema>::SHAPE
                                            .optional),
                            ),
                            ::crd_runtime::__private::Schema::of_some::<Option<Name>>()
                                .pattern("^[a-z]+$")
                                .max_length(10i64)
                                .done(),
                        )
                        .field(
                            "ports",
                            ::crd_runtime::__private::Presence::optional_if(
                                false
                                    || (true
                                        && <Vec<Port> as ::crd_runtime::CrdSchema>::SHAPE.optional),
                            ),
                            ::crd_runtime::__private::Schema::of::<Vec<Port>>()
                                .list_type("map")
                                .list_map_keys(&["name"])
                                .items(|schema| schema.max_properties(3i64))
                                .done(),
                        )
                        .flatten(
                            ::crd_runtime::__private::Presence::optional_if(
                                false
                                    || (true && <T as ::crd_runtime::CrdSchema>::SHAPE.optional),
                            ),
                            ::crd_runtime::__private::Schema::of::<T>().done(),
                        )
                        .done(),
                )
                .description("A job.")
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
                &::crd_runtime::__private::Schema::of::<i32>()
                    .description("The least.")
                    .minimum(1f64)
                    .default(::crd_runtime::__private::json(&1i64))
                    .done(),
                ::crd_runtime::__private::Column {
                    ..::crd_runtime::__private::Column::NONE
                },
            );
            into.descend::<i32>(at, "minReplicas");
            into.descend::<Option<Name>>(at, "maxReplicas");
            into.descend::<Vec<Port>>(at, "ports");
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
};
const _: () = {
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for Action {
        const SHAPE: ::crd_runtime::crd_schema::Shape = <Self as ::crd_runtime::CrdSchema>::CUT_A_RECURSIVE_TYPE_WITH_PRESERVE_UNKNOWN_FIELDS;
        const CUT_A_RECURSIVE_TYPE_WITH_PRESERVE_UNKNOWN_FIELDS: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            variants: &[
                ::crd_runtime::crd_schema::Shape {
                    fields: &[
                        ::crd_runtime::crd_schema::FieldShape {
                            name: "command",
                            always: false
                                || (true
                                    && !<Vec<String> as ::crd_runtime::CrdSchema>::SHAPE
                                        .optional),
                            shape: &<Vec<String> as ::crd_runtime::CrdSchema>::SHAPE,
                        },
                    ],
                    ..::crd_runtime::crd_schema::Shape::of(
                        ::crd_runtime::crd_schema::Kind::Object,
                    )
                },
                <Http as ::crd_runtime::CrdSchema>::SHAPE,
                ::crd_runtime::crd_schema::Shape::of(
                    ::crd_runtime::crd_schema::Kind::Null,
                ),
            ],
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::Kind::Object,
            )
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
                                            ::crd_runtime::__private::Presence::optional_if(
                                                false
                                                    || (true
                                                        && <Vec<String> as ::crd_runtime::CrdSchema>::SHAPE
                                                            .optional),
                                            ),
                                            ::crd_runtime::__private::Schema::of::<Vec<String>>().done(),
                                        )
                                        .done(),
                                )
                                .done(),
                        )
                        .data(
                            &["Http"],
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Schema::of::<Http>().done(),
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
    impl ::crd_runtime::__private::schemars::JsonSchema for Action {
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
    const _: () = ::core::assert!(
        ::crd_runtime::__private::check::is_no_optional_enum(< Vec < String > as
        ::crd_runtime::CrdSchema > ::SHAPE),
        "serde writes `None` as `null`, which no enumeration admits; add `#[serde(skip_serializing_if = \"Option::is_none\")]`, or say `#[crd(nullable)]`"
    );
    const _: () = ::core::assert!(
        ::crd_runtime::__private::check::is_no_optional_enum(< Http as
        ::crd_runtime::CrdSchema > ::SHAPE),
        "serde writes `None` as `null`, which no enumeration admits; add `#[serde(skip_serializing_if = \"Option::is_none\")]`, or say `#[crd(nullable)]`"
    );
};
