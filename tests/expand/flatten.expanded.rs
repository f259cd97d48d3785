use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
#[derive(Serialize, Deserialize)]
pub struct Common {
    pub name: String,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::__private::Missing as _;
    const _: bool = ::crd_runtime::__private::Of::<
        ::crd_runtime::__private::Nothing,
    >::DERIVED;
    #[automatically_derived]
    impl ::crd_runtime::__private::Derived for Common {
        const OBJECT: bool = true;
    }
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for Common {
        const SHAPE: ::crd_runtime::crd_schema::Shape = {
            <Self as ::crd_runtime::CrdSchema>::UNCHECKED_SHAPE
        };
        const UNCHECKED_SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "name",
                    written: ::core::option::Option::Some(("name", line!())),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Required,
                    shape: &::crd_runtime::__private::Of::<String>::SHAPE,
                    always_written: true,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
            ],
            source: ::core::option::Option::Some(
                &::crd_runtime::crd_schema::Source {
                    type_: ::core::concat!(::core::module_path!(), "::Common"),
                    file: ::core::file!(),
                    line: line!(),
                },
            ),
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::ShapeKind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Object(
            &::crd_runtime::__private::cel::Object {
                name: "Common",
                fields: &[
                    ::crd_runtime::__private::cel::Field {
                        name: "name",
                        of: &::crd_runtime::__private::Of::<String>::CEL,
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
                        .done(),
                )
                .done()
        }
        fn collect(at: &str, into: &mut ::crd_runtime::__private::Collected) {
            into.descend(at, "name", ::crd_runtime::__private::Of::<String>::collect);
            let _ = (at, into);
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::schemars::JsonSchema for Common {
        fn schema_name() -> ::std::borrow::Cow<'static, str> {
            ::crd_runtime::__private::schema_name("Common", &[])
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
impl ::crd_runtime::apply::IntoApply for Common {
    type Apply = Self;
    const MISSING: bool = true;
    #[inline]
    fn into_apply(self) -> Self {
        self
    }
}
#[derive(Serialize, Deserialize)]
pub struct Job {
    pub image: String,
    #[serde(flatten)]
    pub common: Common,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::__private::Missing as _;
    const _: bool = ::crd_runtime::__private::Of::<
        ::crd_runtime::__private::Nothing,
    >::DERIVED;
    #[automatically_derived]
    impl ::crd_runtime::__private::Derived for Job {
        const OBJECT: bool = true;
    }
    const _: ::crd_runtime::crd_schema::Shape = <Common as ::crd_runtime::CrdSchema>::SHAPE;
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for Job
    where
        ::crd_runtime::__private::Part<
            Common,
            { ::crd_runtime::__private::Of::<Common>::DERIVED },
        >: ::crd_runtime::crd_schema::FiniteOrMarkedRecursive,
    {
        const SHAPE: ::crd_runtime::crd_schema::Shape = {
            <Self as ::crd_runtime::CrdSchema>::UNCHECKED_SHAPE
        };
        const UNCHECKED_SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "image",
                    written: ::core::option::Option::Some(("image", line!())),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Required,
                    shape: &::crd_runtime::__private::Of::<String>::SHAPE,
                    always_written: true,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
                ::crd_runtime::crd_schema::FieldShape {
                    name: "",
                    written: ::core::option::Option::Some(("common", line!())),
                    presence: ::crd_runtime::__private::check::presence(
                        ::crd_runtime::__private::Of::<Common>::SHAPE,
                    ),
                    shape: &::crd_runtime::__private::Of::<Common>::SHAPE,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
            ],
            source: ::core::option::Option::Some(
                &::crd_runtime::crd_schema::Source {
                    type_: ::core::concat!(::core::module_path!(), "::Job"),
                    file: ::core::file!(),
                    line: line!(),
                },
            ),
            needs_path: ::crd_runtime::__private::check::needs_path(
                &[::crd_runtime::__private::Of::<Common>::SHAPE],
            ),
            leaves_fields_unread: true,
            rules: ::crd_runtime::__private::Of::<Common>::SHAPE
                .rules
                .changed_if(::crd_runtime::__private::Of::<Common>::SHAPE.optional),
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::ShapeKind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Object(
            &::crd_runtime::__private::cel::Object {
                name: "Job",
                fields: &[
                    ::crd_runtime::__private::cel::Field {
                        name: "image",
                        of: &::crd_runtime::__private::Of::<String>::CEL,
                    },
                    ::crd_runtime::__private::cel::Field {
                        name: "",
                        of: &const {
                            ::crd_runtime::__private::check::beside(
                                ::crd_runtime::__private::Of::<Common>::CEL,
                            )
                        },
                    },
                ],
            },
        );
        const NEEDS: ::crd_runtime::__private::cel::Needs = ::crd_runtime::__private::cel::Needs {
            of: "Job",
            rules: &[],
            features: &[],
            parts: &[("", &::crd_runtime::__private::Of::<Common>::NEEDS)],
        };
        fn schema() -> ::crd_runtime::model::JsonSchemaProps {
            const {
                let _ = <Self as ::crd_runtime::CrdSchema>::SHAPE;
            }
            ::crd_runtime::__private::Schema::from(
                    ::crd_runtime::__private::Object::new()
                        .field(
                            "image",
                            ::crd_runtime::__private::Presence::Required,
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Of::<String>::schema(),
                                )
                                .done(),
                        )
                        .flatten(
                            ::crd_runtime::__private::Presence::optional_if(
                                ::crd_runtime::__private::Of::<Common>::SHAPE.optional,
                            ),
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Of::<Common>::schema(),
                                )
                                .done(),
                        )
                        .done(),
                )
                .done()
        }
        fn collect(at: &str, into: &mut ::crd_runtime::__private::Collected) {
            into.descend(at, "image", ::crd_runtime::__private::Of::<String>::collect);
            ::crd_runtime::__private::Of::<Common>::collect(at, into);
            let _ = (at, into);
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::schemars::JsonSchema for Job
    where
        ::crd_runtime::__private::Part<
            Common,
            { ::crd_runtime::__private::Of::<Common>::DERIVED },
        >: ::crd_runtime::crd_schema::FiniteOrMarkedRecursive,
    {
        fn schema_name() -> ::std::borrow::Cow<'static, str> {
            ::crd_runtime::__private::schema_name("Job", &[])
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
    const _: () = ::crd_runtime::__private::check::part(
        &::crd_runtime::__private::Of::<Common>::SHAPE,
        &["image"],
        &[],
    );
    const _: () = ::crd_runtime::__private::check::require(
        ::crd_runtime::__private::check::is_no_optional_enum(
            ::crd_runtime::__private::Of::<Common>::SHAPE,
        ),
        "serde writes `None` as `null`, which an enumeration does not allow; add `#[serde(skip_serializing_if = \"Option::is_none\")]`",
    );
    const _: () = ::crd_runtime::__private::check::elements(
        &::crd_runtime::__private::Of::<Common>::SHAPE,
        "",
        false,
    );
    const _: () = ::crd_runtime::__private::check::flattens(
        &::crd_runtime::__private::Of::<Common>::SHAPE,
    );
    const _: () = ::crd_runtime::__private::check::absent_part(
        &::crd_runtime::__private::Of::<Common>::SHAPE,
    );
    const _: () = ::crd_runtime::__private::check::correlatable(
        "common",
        &::crd_runtime::__private::Of::<Common>::SHAPE,
        "",
        false,
    );
};
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::apply::IntoApply for Job {
    type Apply = Self;
    const MISSING: bool = true;
    #[inline]
    fn into_apply(self) -> Self {
        self
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    /// The selectable fields.
    #[derive(::core::fmt::Debug, ::core::clone::Clone)]
    pub struct Fields<K>(::crd_runtime::client::FieldPath<K>);
    impl<K> Fields<K> {
        ///The fields below ``.
        #[must_use]
        pub fn common<F>(&self) -> F
        where
            Common: ::crd_runtime::client::SelectFields<K, F>,
        {
            <Common as ::crd_runtime::client::SelectFields<K, F>>::fields(self.0.at(""))
        }
    }
    #[automatically_derived]
    impl<K> ::crd_runtime::client::SelectFields<K, Fields<K>> for Job {
        fn fields(path: ::crd_runtime::client::FieldPath<K>) -> Fields<K> {
            Fields(path)
        }
    }
};
