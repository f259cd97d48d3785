use crd_runtime::CrdSchema;
pub struct Replicas {
    /// How many.
    pub count: i32,
    pub name: Option<String>,
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
    impl ::crd_runtime::__private::Derived for Replicas {
        const OBJECT: bool = true;
    }
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for Replicas {
        const SHAPE: ::crd_runtime::crd_schema::Shape = {
            <Self as ::crd_runtime::CrdSchema>::UNCHECKED_SHAPE
        };
        const UNCHECKED_SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "count",
                    written: ::core::option::Option::Some(("count", ::core::line!())),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Defaulted,
                    shape: &::crd_runtime::__private::Of::<i32>::SHAPE
                        .minimum(1i128 as f64, false)
                        .maximum(10i128 as f64, false)
                        .defaulted(9270535736022115597u64),
                    always_written: true,
                    needs_default: true,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
                ::crd_runtime::crd_schema::FieldShape {
                    name: "name",
                    written: ::core::option::Option::Some(("name", ::core::line!())),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Optional,
                    shape: &::crd_runtime::__private::Of::<Option<String>>::SHAPE
                        .max_length(63u32 as u64)
                        .pattern(
                            b"\x05\x02\x02\0\0\0\0\0\0\0\0\0\0\0\0\xFE\xFF\xFF\x07\0\x03\x19\0.\0\x02\0\0\0\0\0\0\0\0\0\0\0\0\xFE\xFF\xFF\x07\0\x04\x14\0\x05\x03\x06",
                        ),
                    always_written: true,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
            ],
            source: ::core::option::Option::Some(
                &::crd_runtime::crd_schema::Source {
                    type_: ::core::concat!(::core::module_path!(), "::Replicas"),
                    file: ::core::file!(),
                },
            ),
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::ShapeKind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Object(
            &::crd_runtime::__private::cel::Object {
                name: "Replicas",
                fields: &[
                    ::crd_runtime::__private::cel::Field {
                        name: "count",
                        of: &::crd_runtime::__private::Of::<i32>::CEL,
                        optional: true,
                    },
                    ::crd_runtime::__private::cel::Field {
                        name: "name",
                        of: &const {
                            ::crd_runtime::__private::Of::<Option<String>>::CEL
                                .with_max_length(63u64)
                        },
                        optional: true,
                    },
                ],
            },
        );
        fn schema() -> ::crd_runtime::model::JsonSchemaProps {
            const {
                let _ = <Self as ::crd_runtime::CrdSchema>::SHAPE;
            }
            ::crd_runtime::__private::Schema::from(
                    ::crd_runtime::__private::Object::new()
                        .field(
                            "count",
                            ::crd_runtime::__private::Presence::Required,
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Of::<i32>::schema(),
                                )
                                .doc(&[" How many."])
                                .minimum(1f64)
                                .maximum(10f64)
                                .default(::crd_runtime::__private::json(&1i64))
                                .done(),
                        )
                        .field(
                            "name",
                            ::crd_runtime::__private::Presence::Optional,
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Of::<Option<String>>::schema(),
                                )
                                .pattern("^[a-z]+$")
                                .max_length(63i64)
                                .done(),
                        )
                        .done(),
                )
                .done()
        }
        fn collect(at: &str, into: &mut ::crd_runtime::__private::Collected) {
            into.descend(at, "count", ::crd_runtime::__private::Of::<i32>::collect);
            into.descend(
                at,
                "name",
                ::crd_runtime::__private::Of::<Option<String>>::collect,
            );
            let _ = (at, into);
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::schemars::JsonSchema for Replicas {
        fn schema_name() -> ::std::borrow::Cow<'static, str> {
            ::crd_runtime::__private::schema_name("Replicas", &[])
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
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::apply::IntoApply for Replicas {
    type Apply = Self;
    const MISSING: bool = true;
    #[inline]
    fn into_apply(self) -> Self {
        self
    }
}
