use crd_runtime::CrdSchema;
pub struct Volume {
    pub class: String,
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
    impl ::crd_runtime::__private::Derived for Volume {
        const OBJECT: bool = true;
    }
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for Volume {
        const SHAPE: ::crd_runtime::crd_schema::Shape = {
            <Self as ::crd_runtime::CrdSchema>::UNCHECKED_SHAPE
        };
        const UNCHECKED_SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "class",
                    written: ::core::option::Option::Some(("class", ::core::line!())),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Required,
                    shape: &::crd_runtime::__private::Of::<String>::SHAPE
                        .transition("self == oldSelf")
                        .ruled(
                            ::crd_runtime::crd_schema::RuleDigest::of(
                                &[16640390809997940064u64],
                            ),
                        ),
                    always_written: true,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
            ],
            source: ::core::option::Option::Some(
                &::crd_runtime::crd_schema::Source {
                    type_: ::core::concat!(::core::module_path!(), "::Volume"),
                    file: ::core::file!(),
                },
            ),
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::ShapeKind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Object(
            &::crd_runtime::__private::cel::Object {
                name: "Volume",
                fields: &[
                    ::crd_runtime::__private::cel::Field {
                        name: "class",
                        of: &::crd_runtime::__private::Of::<String>::CEL,
                        optional: false,
                    },
                ],
            },
        );
        const RULES: ::crd_runtime::__private::cel::Rules = ::crd_runtime::__private::cel::Rules {
            of: "Volume",
            own: &[],
            below: &[
                (
                    "class",
                    &::crd_runtime::__private::cel::Rules {
                        of: "Volume",
                        own: &[&__RULE_0],
                        below: &[],
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
                            "class",
                            ::crd_runtime::__private::Presence::Required,
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Of::<String>::schema(),
                                )
                                .immutable()
                                .done(),
                        )
                        .immutable_once_set("class")
                        .done(),
                )
                .done()
        }
        fn collect(at: &str, into: &mut ::crd_runtime::__private::Collected) {
            into.descend(at, "class", ::crd_runtime::__private::Of::<String>::collect);
            let _ = (at, into);
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::schemars::JsonSchema for Volume {
        fn schema_name() -> ::std::borrow::Cow<'static, str> {
            ::crd_runtime::__private::schema_name("Volume", &[])
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
    static __CEL: ::crd_runtime::crd_schema::Declared = <Volume as ::crd_runtime::CrdSchema>::CEL;
    static __RULE_0: ::crd_runtime::__private::cel::Examined = ::crd_runtime::__private::cel::examine(
        ::crd_runtime::__private::cel::Rule {
            of: &const { ::crd_runtime::__private::Of::<String>::CEL },
            optional_old_self: false,
            want: ::crd_runtime::__private::cel::Want::Rule,
            cost_check: ::crd_runtime::__private::cel::CostCheck::Here,
            unchecked: false,
            source: "self == oldSelf",
            program: b"\0\x03\x05\0\0\x01\x05\0\x01\x05\0\x01\x02\0\0\x01\0\x02\0\x05\0",
        },
        &[],
    );
    const _: () = ::crd_runtime::__private::cel::report(&__RULE_0);
};
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::apply::IntoApply for Volume {
    type Apply = Self;
    const MISSING: bool = true;
    #[inline]
    fn into_apply(self) -> Self {
        self
    }
}
