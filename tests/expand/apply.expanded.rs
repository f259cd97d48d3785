use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
#[derive(Serialize, Deserialize)]
pub struct Container {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
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
    impl ::crd_runtime::__private::Derived for Container {
        const OBJECT: bool = true;
    }
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for Container {
        const SHAPE: ::crd_runtime::crd_schema::Shape = {
            <Self as ::crd_runtime::CrdSchema>::UNCHECKED_SHAPE
        };
        const UNCHECKED_SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "name",
                    written: ::core::option::Option::Some(("name", ::core::line!())),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Required,
                    shape: &::crd_runtime::__private::Of::<String>::SHAPE,
                    always_written: true,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
                ::crd_runtime::crd_schema::FieldShape {
                    name: "image",
                    written: ::core::option::Option::Some(("image", ::core::line!())),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Optional,
                    shape: &::crd_runtime::__private::Of::<Option<String>>::SHAPE,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
            ],
            source: ::core::option::Option::Some(
                &::crd_runtime::crd_schema::Source {
                    type_: ::core::concat!(::core::module_path!(), "::Container"),
                    file: ::core::file!(),
                },
            ),
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::ShapeKind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Object(
            &::crd_runtime::__private::cel::Object {
                name: "Container",
                fields: &[
                    ::crd_runtime::__private::cel::Field {
                        name: "name",
                        of: &::crd_runtime::__private::Of::<String>::CEL,
                        optional: false,
                    },
                    ::crd_runtime::__private::cel::Field {
                        name: "image",
                        of: &::crd_runtime::__private::Of::<Option<String>>::CEL,
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
                            "name",
                            ::crd_runtime::__private::Presence::Required,
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Of::<String>::schema(),
                                )
                                .done(),
                        )
                        .field(
                            "image",
                            ::crd_runtime::__private::Presence::Optional,
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Of::<
                                        Option<String>,
                                    >::schema_of_some(),
                                )
                                .done(),
                        )
                        .done(),
                )
                .done()
        }
        fn collect(at: &str, into: &mut ::crd_runtime::__private::Collected) {
            into.descend(at, "name", ::crd_runtime::__private::Of::<String>::collect);
            into.descend(
                at,
                "image",
                ::crd_runtime::__private::Of::<Option<String>>::collect,
            );
            let _ = (at, into);
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::schemars::JsonSchema for Container {
        fn schema_name() -> ::std::borrow::Cow<'static, str> {
            ::crd_runtime::__private::schema_name("Container", &[])
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
///Apply configuration of [`Container`]: the fields that a field manager wants to own.
#[allow(unused_qualifications, clippy::absolute_paths)]
#[derive(
    ::core::clone::Clone,
    ::core::fmt::Debug,
    ::crd_runtime::__private::serde::Serialize,
    ::crd_runtime::__private::serde::Deserialize,
)]
#[serde(crate = ":: crd_runtime :: __private :: serde")]
pub struct ContainerApply {
    ///`name`
    #[serde(rename = "name")]
    pub name: String,
    ///`image`
    #[serde(
        rename = "image",
        default,
        skip_serializing_if = "::core::option::Option::is_none",
    )]
    pub image: ::core::option::Option<String>,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
#[allow(dead_code, reason = "a program need not use every function")]
impl ContainerApply {
    ///Returns a configuration with the keys of the item only.
    #[must_use]
    pub fn new(name: impl ::core::convert::Into<String>) -> Self {
        Self {
            name: ::core::convert::Into::into(name),
            image: ::core::option::Option::None,
        }
    }
    ///Sets `image`.
    #[must_use]
    pub fn image(mut self, value: impl ::core::convert::Into<String>) -> Self {
        self.image = ::core::option::Option::Some(::core::convert::Into::into(value));
        self
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::core::convert::From<Container> for ContainerApply {
    fn from(value: Container) -> Self {
        Self {
            name: value.name,
            image: if Option::is_none(&value.image) {
                ::core::option::Option::None
            } else {
                value.image
            },
        }
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::apply::IntoApply for Container {
    type Apply = ContainerApply;
    const KEYS: ::core::option::Option<&'static [&'static str]> = ::core::option::Option::Some(
        &["name"],
    );
    fn into_apply(self) -> Self::Apply {
        ::core::convert::From::from(self)
    }
}
