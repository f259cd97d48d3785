use crd_runtime::CrdSchema;
pub struct Status {
    pub phase: String,
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
    impl ::crd_runtime::__private::Derived for Status {
        const OBJECT: bool = true;
    }
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for Status {
        const SHAPE: ::crd_runtime::crd_schema::Shape = {
            <Self as ::crd_runtime::CrdSchema>::UNCHECKED_SHAPE
        };
        const UNCHECKED_SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "phase",
                    written: ::core::option::Option::Some(("phase", ::core::line!())),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Required,
                    shape: &::crd_runtime::__private::Of::<String>::SHAPE,
                    always_written: true,
                    selectable: true,
                    headings: &[::core::option::Option::Some("Phase")],
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
            ],
            source: ::core::option::Option::Some(
                &::crd_runtime::crd_schema::Source {
                    type_: ::core::concat!(::core::module_path!(), "::Status"),
                    file: ::core::file!(),
                },
            ),
            needs_path: ::core::option::Option::Some("phase"),
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::ShapeKind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Object(
            &::crd_runtime::__private::cel::Object {
                name: "Status",
                fields: &[
                    ::crd_runtime::__private::cel::Field {
                        name: "phase",
                        of: &::crd_runtime::__private::Of::<String>::CEL,
                        optional: false,
                    },
                ],
            },
        );
        const RULES: ::crd_runtime::__private::cel::Rules = ::crd_runtime::__private::cel::Rules {
            of: "Status",
            own: &[],
            below: &[],
            needs: &[
                ::crd_runtime::__private::cel::Need {
                    what: "`selectable` of `phase`",
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
                            "phase",
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
            into.column(
                at,
                "phase",
                &::crd_runtime::__private::Schema::from(
                        ::crd_runtime::__private::Of::<String>::schema(),
                    )
                    .done(),
                ::crd_runtime::__private::Column {
                    name: ::core::option::Option::Some("Phase"),
                    priority: 1i32,
                    ..::crd_runtime::__private::Column::NONE
                },
            );
            into.selectable(at, "phase");
            into.descend(at, "phase", ::crd_runtime::__private::Of::<String>::collect);
            let _ = (at, into);
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::schemars::JsonSchema for Status {
        fn schema_name() -> ::std::borrow::Cow<'static, str> {
            ::crd_runtime::__private::schema_name("Status", &[])
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
impl ::crd_runtime::apply::IntoApply for Status {
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
        ///`.phase`
        #[must_use]
        pub fn phase(&self) -> ::crd_runtime::client::Field<K, String> {
            self.0.field(".phase")
        }
    }
    #[automatically_derived]
    impl<K> ::crd_runtime::client::SelectFields<K, Fields<K>> for Status {
        fn fields(path: ::crd_runtime::client::FieldPath<K>) -> Fields<K> {
            Fields(path)
        }
    }
};
