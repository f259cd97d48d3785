use crd_runtime::CrdSchema;
pub struct Page<T> {
    pub items: Vec<T>,
}
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
    impl<T> ::crd_runtime::__private::Derived for Page<T> {
        const OBJECT: bool = true;
    }
    #[automatically_derived]
    impl<T> ::crd_runtime::CrdSchema for Page<T>
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
                    name: "items",
                    written: ::core::option::Option::Some(("items", ::core::line!())),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Required,
                    shape: &<Vec<T> as ::crd_runtime::CrdSchema>::SHAPE
                        .max_items(10u32 as u64)
                        .keeping(
                            &const {
                                ::crd_runtime::crd_schema::KeptRules {
                                    own: &[
                                        ("size(self) > 0", b"\x01\n\x03\0\0\0\0\0\0\0\0\x14"),
                                    ],
                                    below: (<Vec<T> as ::crd_runtime::CrdSchema>::SHAPE)
                                        .bounds
                                        .rules,
                                }
                            },
                        )
                        .ruled(
                            ::crd_runtime::crd_schema::RuleDigest::of(
                                &[2189588634214442239u64],
                            ),
                        ),
                    always_written: true,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
            ],
            source: ::core::option::Option::Some(
                &::crd_runtime::crd_schema::Source {
                    type_: ::core::concat!(::core::module_path!(), "::Page"),
                    file: ::core::file!(),
                },
            ),
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::ShapeKind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Object(
            &::crd_runtime::__private::cel::Object {
                name: "Page",
                fields: &[
                    ::crd_runtime::__private::cel::Field {
                        name: "items",
                        of: &const {
                            <Vec<T> as ::crd_runtime::CrdSchema>::CEL
                                .with_max_items(10u64)
                        },
                        optional: false,
                    },
                ],
            },
        );
        const RULES: ::crd_runtime::__private::cel::Rules = ::crd_runtime::__private::cel::Rules {
            of: "Page",
            own: &[],
            below: &[
                (
                    "items",
                    &::crd_runtime::__private::cel::Rules {
                        of: "Page",
                        own: &[&__RULE_0],
                        below: &[("", &<Vec<T> as ::crd_runtime::CrdSchema>::RULES)],
                        ..::crd_runtime::__private::cel::Rules::NONE
                    },
                ),
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
                            "items",
                            ::crd_runtime::__private::Presence::Required,
                            ::crd_runtime::__private::Schema::from(
                                    <Vec<T> as ::crd_runtime::CrdSchema>::schema(),
                                )
                                .max_items(10i64)
                                .rule(::crd_runtime::__private::Rule {
                                    rule: "size(self) > 0",
                                    ..::crd_runtime::__private::Rule::NONE
                                })
                                .done(),
                        )
                        .done(),
                )
                .done()
        }
        fn collect(at: &str, into: &mut ::crd_runtime::__private::Collected) {
            into.descend(at, "items", <Vec<T> as ::crd_runtime::CrdSchema>::collect);
            let _ = (at, into);
        }
    }
    #[automatically_derived]
    impl<T> ::crd_runtime::__private::schemars::JsonSchema for Page<T>
    where
        T: ::crd_runtime::CrdSchema,
    {
        fn schema_name() -> ::std::borrow::Cow<'static, str> {
            ::crd_runtime::__private::schema_name(
                "Page",
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
    impl<T> ::crd_runtime::__private::check::Checked for Page<T>
    where
        T: ::crd_runtime::CrdSchema,
    {
        const CHECKED: () = {
            ::crd_runtime::__private::check::elements(
                &<Vec<T> as ::crd_runtime::CrdSchema>::SHAPE,
                "",
                false,
            );
            ::crd_runtime::__private::check::correlatable(
                "items",
                &<Vec<T> as ::crd_runtime::CrdSchema>::SHAPE,
                "",
                false,
            );
            ::crd_runtime::__private::cel::report_within(
                &__RULE_0,
                &const {
                    <Vec<T> as ::crd_runtime::CrdSchema>::CEL.with_max_items(10u64)
                },
            );
        };
    }
    static __RULE_0: ::crd_runtime::__private::cel::Examined = ::crd_runtime::__private::cel::examine(
        ::crd_runtime::__private::cel::Rule {
            of: &const {
                ::crd_runtime::__private::cel::Declared::Unknown.with_max_items(10u64)
            },
            optional_old_self: false,
            want: ::crd_runtime::__private::cel::Want::Rule,
            cost_check: ::crd_runtime::__private::cel::CostCheck::Here,
            unchecked: false,
            source: "size(self) > 0",
            program: b"\0\x03\x04\0\0\x07\\\0\x04\\\0\x01^\0\x01`\0\x01b\0\x01\x01\0\0\x01\x04\0\0\x03\x0B\0\x02\x02<\0\x01<\0\x0E\x02\x02\0\x03\0\x04\0\x0B\0",
        },
        &[],
    );
    const _: () = ::crd_runtime::__private::cel::report(&__RULE_0);
};
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl<T> ::crd_runtime::apply::IntoApply for Page<T> {
    type Apply = Self;
    const MISSING: bool = true;
    #[inline]
    fn into_apply(self) -> Self {
        self
    }
}
