use crd_runtime::CrdSchema;
pub enum Color {
    Blue,
    Red,
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
    impl ::crd_runtime::__private::Derived for Color {
        const OBJECT: bool = false;
    }
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for Color {
        const SHAPE: ::crd_runtime::crd_schema::Shape = {
            <Self as ::crd_runtime::CrdSchema>::UNCHECKED_SHAPE
        };
        const UNCHECKED_SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            values: &["Blue", "Red"],
            units: true,
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::ShapeKind::Enum,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Enum(
            &["Blue", "Red"],
        );
        fn schema() -> ::crd_runtime::model::JsonSchemaProps {
            const {
                let _ = <Self as ::crd_runtime::CrdSchema>::SHAPE;
            }
            ::crd_runtime::__private::Schema::from(
                    ::crd_runtime::__private::Union::external()
                        .unit(&["Blue"], false)
                        .unit(&["Red"], false)
                        .done(),
                )
                .done()
        }
        fn collect(at: &str, into: &mut ::crd_runtime::__private::Collected) {
            let _ = (at, into);
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::schemars::JsonSchema for Color {
        fn schema_name() -> ::std::borrow::Cow<'static, str> {
            ::crd_runtime::__private::schema_name("Color", &[])
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
    impl ::crd_runtime::crd_schema::MapKey for Color {
        const RULE_NAMES: ::core::option::Option<&'static [&'static str]> = ::core::option::Option::Some(
            &["Blue", "Red"],
        );
        fn names() -> ::core::option::Option<::std::vec::Vec<::std::string::String>> {
            ::core::option::Option::Some(
                ::std::vec![
                    < ::std::string::String as ::core::convert::From < & str >>
                    ::from("Blue"), < ::std::string::String as ::core::convert::From < &
                    str >> ::from("Red")
                ],
            )
        }
    }
    const _: () = ::crd_runtime::__private::check::variants(
        &<Color as ::crd_runtime::CrdSchema>::SHAPE,
        0usize,
    );
};
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::apply::IntoApply for Color {
    type Apply = Self;
    #[inline]
    fn into_apply(self) -> Self {
        self
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    impl ::crd_runtime::client::Matches<&Color> for Color {
        fn text(value: &Color) -> ::std::string::String {
            #[allow(
                unreachable_patterns,
                reason = "variants that serde skips have no name"
            )]
            let name = match value {
                Color::Blue { .. } => "Blue",
                Color::Red { .. } => "Red",
                _ => "",
            };
            ::core::convert::From::from(name)
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::client::Matches<Color> for Color {
        fn text(value: Color) -> ::std::string::String {
            <Color as ::crd_runtime::client::Matches<&Color>>::text(&value)
        }
    }
};
pub struct Paint {
    pub color: Color,
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
    impl ::crd_runtime::__private::Derived for Paint {
        const OBJECT: bool = true;
    }
    const _: ::crd_runtime::crd_schema::Shape = <Color as ::crd_runtime::CrdSchema>::SHAPE;
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for Paint
    where
        ::crd_runtime::__private::Part<
            Color,
            { ::crd_runtime::__private::Of::<Color>::DERIVED },
        >: ::crd_runtime::crd_schema::FiniteOrMarkedRecursive,
    {
        const SHAPE: ::crd_runtime::crd_schema::Shape = {
            <Self as ::crd_runtime::CrdSchema>::UNCHECKED_SHAPE
        };
        const UNCHECKED_SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "color",
                    written: ::core::option::Option::Some(("color", ::core::line!())),
                    presence: ::crd_runtime::__private::check::presence(
                        ::crd_runtime::__private::Of::<Color>::SHAPE,
                    ),
                    shape: &::crd_runtime::__private::Of::<Color>::SHAPE,
                    always_written: true,
                    selectable: true,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
            ],
            source: ::core::option::Option::Some(
                &::crd_runtime::crd_schema::Source {
                    type_: ::core::concat!(::core::module_path!(), "::Paint"),
                    file: ::core::file!(),
                },
            ),
            needs_path: ::core::option::Option::Some("color"),
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::ShapeKind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Object(
            &::crd_runtime::__private::cel::Object {
                name: "Paint",
                fields: &[
                    ::crd_runtime::__private::cel::Field {
                        name: "color",
                        of: &::crd_runtime::__private::Of::<Color>::CEL,
                        optional: false,
                    },
                ],
            },
        );
        const RULES: ::crd_runtime::__private::cel::Rules = ::crd_runtime::__private::cel::Rules {
            of: "Paint",
            own: &[],
            below: &[("color", &::crd_runtime::__private::Of::<Color>::RULES)],
            needs: &[
                ::crd_runtime::__private::cel::Need {
                    what: "`selectable` of `color`",
                    since: 31u32,
                },
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
                            "color",
                            ::crd_runtime::__private::Presence::optional_if(
                                ::crd_runtime::__private::Of::<Color>::SHAPE.optional,
                            ),
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Of::<Color>::schema(),
                                )
                                .done(),
                        )
                        .done(),
                )
                .done()
        }
        fn collect(at: &str, into: &mut ::crd_runtime::__private::Collected) {
            into.selectable(at, "color");
            into.descend(at, "color", ::crd_runtime::__private::Of::<Color>::collect);
            let _ = (at, into);
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::schemars::JsonSchema for Paint
    where
        ::crd_runtime::__private::Part<
            Color,
            { ::crd_runtime::__private::Of::<Color>::DERIVED },
        >: ::crd_runtime::crd_schema::FiniteOrMarkedRecursive,
    {
        fn schema_name() -> ::std::borrow::Cow<'static, str> {
            ::crd_runtime::__private::schema_name("Paint", &[])
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
    const _: () = ::crd_runtime::__private::check::require(
        ::crd_runtime::__private::check::is_selectable(
            ::crd_runtime::__private::Of::<Color>::SHAPE,
        ),
        "`selectable` does not apply here: this type is not a string, boolean or integer",
    );
    const _: () = ::crd_runtime::__private::check::require(
        ::crd_runtime::__private::check::is_no_optional_enum(
            ::crd_runtime::__private::Of::<Color>::SHAPE,
        ),
        "serde writes `None` as `null`, which an enumeration does not allow; add `#[serde(skip_serializing_if = \"Option::is_none\")]`",
    );
    const _: () = ::crd_runtime::__private::check::elements(
        &::crd_runtime::__private::Of::<Color>::SHAPE,
        "",
        false,
    );
    const _: () = ::crd_runtime::__private::check::correlatable(
        "color",
        &::crd_runtime::__private::Of::<Color>::SHAPE,
        "",
        false,
    );
};
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::apply::IntoApply for Paint {
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
    #[allow(
        unreachable_pub,
        reason = "it is public through the function that returns it"
    )]
    pub struct Fields<K>(::crd_runtime::client::FieldPath<K>);
    #[automatically_derived]
    #[allow(
        dead_code,
        private_interfaces,
        private_bounds,
        unreachable_pub,
        reason = "a selector may be unused, and is as visible as its field"
    )]
    impl<K> Fields<K> {
        ///`.color`
        #[must_use]
        pub fn color(&self) -> ::crd_runtime::client::Field<K, Color> {
            self.0.field(".color")
        }
    }
    #[automatically_derived]
    impl<K> ::crd_runtime::client::SelectFields<K, Fields<K>> for Paint {
        fn fields(path: ::crd_runtime::client::FieldPath<K>) -> Fields<K> {
            Fields(path)
        }
    }
};
