use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
#[derive(Serialize, Deserialize)]
pub struct Limits {
    #[serde(default = "retries")]
    pub retries: u8,
    pub zones: Vec<String>,
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
    impl ::crd_runtime::__private::Derived for Limits {
        const OBJECT: bool = true;
    }
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for Limits {
        const SHAPE: ::crd_runtime::crd_schema::Shape = {
            <Self as ::crd_runtime::CrdSchema>::UNCHECKED_SHAPE
        };
        const UNCHECKED_SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "retries",
                    written: ::core::option::Option::Some(("retries", ::core::line!())),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Defaulted,
                    shape: &::crd_runtime::__private::Of::<u8>::SHAPE.defaulted(0u64),
                    always_written: true,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
                ::crd_runtime::crd_schema::FieldShape {
                    name: "zones",
                    written: ::core::option::Option::Some(("zones", ::core::line!())),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Defaulted,
                    shape: &::crd_runtime::__private::Of::<Vec<String>>::SHAPE
                        .defaulted(0u64),
                    always_written: true,
                    needs_default: true,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
            ],
            source: ::core::option::Option::Some(
                &::crd_runtime::crd_schema::Source {
                    type_: ::core::concat!(::core::module_path!(), "::Limits"),
                    file: ::core::file!(),
                },
            ),
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::ShapeKind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Object(
            &::crd_runtime::__private::cel::Object {
                name: "Limits",
                fields: &[
                    ::crd_runtime::__private::cel::Field {
                        name: "retries",
                        of: &::crd_runtime::__private::Of::<u8>::CEL,
                        optional: true,
                    },
                    ::crd_runtime::__private::cel::Field {
                        name: "zones",
                        of: &::crd_runtime::__private::Of::<Vec<String>>::CEL,
                        optional: false,
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
                            "retries",
                            ::crd_runtime::__private::Presence::Optional,
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Of::<u8>::schema(),
                                )
                                .default(::crd_runtime::__private::json::<u8>(&retries()))
                                .done(),
                        )
                        .field(
                            "zones",
                            ::crd_runtime::__private::Presence::Required,
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Of::<Vec<String>>::schema(),
                                )
                                .default(
                                    ::crd_runtime::__private::serde_json::Value::Array(
                                        ::std::vec![
                                            ::crd_runtime::__private::json(& ("a")),
                                            ::crd_runtime::__private::json(& ("b"))
                                        ],
                                    ),
                                )
                                .done(),
                        )
                        .done(),
                )
                .done()
        }
        fn collect(at: &str, into: &mut ::crd_runtime::__private::Collected) {
            into.descend(at, "retries", ::crd_runtime::__private::Of::<u8>::collect);
            into.descend(
                at,
                "zones",
                ::crd_runtime::__private::Of::<Vec<String>>::collect,
            );
            let _ = (at, into);
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::schemars::JsonSchema for Limits {
        fn schema_name() -> ::std::borrow::Cow<'static, str> {
            ::crd_runtime::__private::schema_name("Limits", &[])
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
impl ::crd_runtime::apply::IntoApply for Limits {
    type Apply = Self;
    const MISSING: bool = true;
    #[inline]
    fn into_apply(self) -> Self {
        self
    }
}
fn retries() -> u8 {
    3
}
