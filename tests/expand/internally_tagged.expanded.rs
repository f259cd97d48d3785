use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
#[derive(Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Action {
    Run { command: Vec<String> },
    Wait,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::__private::Missing as _;
    const _: bool = ::crd_runtime::__private::Of::<
        ::crd_runtime::__private::Nothing,
    >::DERIVED;
    #[automatically_derived]
    impl ::crd_runtime::__private::Derived for Action {
        const OBJECT: bool = false;
    }
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for Action {
        const SHAPE: ::crd_runtime::crd_schema::Shape = {
            <Self as ::crd_runtime::CrdSchema>::UNCHECKED_SHAPE
        };
        const UNCHECKED_SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "type",
                    shape: &::crd_runtime::crd_schema::Shape {
                        values: &["Run", "Wait"],
                        ..::crd_runtime::crd_schema::Shape::of(
                            ::crd_runtime::crd_schema::ShapeKind::Enum,
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
                            written: ::core::option::Option::Some(("command", line!())),
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
                            line: line!(),
                        },
                    ),
                    ..::crd_runtime::crd_schema::Shape::of(
                        ::crd_runtime::crd_schema::ShapeKind::Object,
                    )
                },
            ],
            leaves_fields_unread: true,
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::ShapeKind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Object(
            &::crd_runtime::__private::cel::Object {
                name: "Action",
                fields: &[
                    ::crd_runtime::__private::cel::Field {
                        name: "type",
                        of: &const {
                            ::crd_runtime::__private::cel::Declared::Enum(
                                &["Run", "Wait"],
                            )
                        },
                    },
                    ::crd_runtime::__private::cel::Field {
                        name: "command",
                        of: &const { ::crd_runtime::__private::Of::<Vec<String>>::CEL },
                    },
                ],
            },
        );
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
                        .unit(&["Wait"], false)
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
    const _: () = ::crd_runtime::__private::check::variants(
        &<Action as ::crd_runtime::CrdSchema>::SHAPE,
        1usize,
    );
};
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::apply::IntoApply for Action {
    type Apply = Self;
    const MISSING: bool = true;
    #[inline]
    fn into_apply(self) -> Self {
        self
    }
}
