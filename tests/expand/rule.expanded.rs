use crd_runtime::CrdSchema;
pub struct Range {
    pub least: i32,
    pub most: i32,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::__private::Missing as _;
    const _: bool = ::crd_runtime::__private::Of::<
        ::crd_runtime::__private::Nothing,
    >::DERIVED;
    #[automatically_derived]
    impl ::crd_runtime::__private::Derived for Range {
        const OBJECT: bool = true;
    }
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for Range {
        const SHAPE: ::crd_runtime::crd_schema::Shape = {
            <Self as ::crd_runtime::CrdSchema>::UNCHECKED_SHAPE
        };
        const UNCHECKED_SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "least",
                    written: ::core::option::Option::Some(("least", line!())),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Required,
                    shape: &::crd_runtime::__private::Of::<i32>::SHAPE,
                    always_written: true,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
                ::crd_runtime::crd_schema::FieldShape {
                    name: "most",
                    written: ::core::option::Option::Some(("most", line!())),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Required,
                    shape: &::crd_runtime::__private::Of::<i32>::SHAPE,
                    always_written: true,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
            ],
            source: ::core::option::Option::Some(
                &::crd_runtime::crd_schema::Source {
                    type_: ::core::concat!(::core::module_path!(), "::Range"),
                    file: ::core::file!(),
                    line: line!(),
                },
            ),
            rules: ::crd_runtime::crd_schema::RuleDigest::of(&[5619463281003618098u64]),
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::ShapeKind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Object(
            &::crd_runtime::__private::cel::Object {
                name: "Range",
                fields: &[
                    ::crd_runtime::__private::cel::Field {
                        name: "least",
                        of: &::crd_runtime::__private::Of::<i32>::CEL,
                    },
                    ::crd_runtime::__private::cel::Field {
                        name: "most",
                        of: &::crd_runtime::__private::Of::<i32>::CEL,
                    },
                ],
            },
        );
        const NEEDS: ::crd_runtime::__private::cel::Needs = ::crd_runtime::__private::cel::Needs {
            of: "Range",
            rules: &[&__RULE_0],
            features: &[],
            parts: &[],
        };
        fn schema() -> ::crd_runtime::model::JsonSchemaProps {
            const {
                let _ = <Self as ::crd_runtime::CrdSchema>::SHAPE;
            }
            ::crd_runtime::__private::Schema::from(
                    ::crd_runtime::__private::Object::new()
                        .field(
                            "least",
                            ::crd_runtime::__private::Presence::Required,
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Of::<i32>::schema(),
                                )
                                .done(),
                        )
                        .field(
                            "most",
                            ::crd_runtime::__private::Presence::Required,
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Of::<i32>::schema(),
                                )
                                .done(),
                        )
                        .done(),
                )
                .rule(::crd_runtime::__private::Rule {
                    rule: "self.least <= self.most",
                    message: "wrong order",
                    field_path: ".least",
                    ..::crd_runtime::__private::Rule::NONE
                })
                .done()
        }
        fn collect(at: &str, into: &mut ::crd_runtime::__private::Collected) {
            into.descend(at, "least", ::crd_runtime::__private::Of::<i32>::collect);
            into.descend(at, "most", ::crd_runtime::__private::Of::<i32>::collect);
            let _ = (at, into);
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::schemars::JsonSchema for Range {
        fn schema_name() -> ::std::borrow::Cow<'static, str> {
            ::crd_runtime::__private::schema_name("Range", &[])
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
    const _: () = ::crd_runtime::__private::check::field_path(
        &<Range as ::crd_runtime::CrdSchema>::SHAPE,
        &[::crd_runtime::__private::check::Step::Field("least")],
    );
    static __CEL: ::crd_runtime::crd_schema::Declared = <Range as ::crd_runtime::CrdSchema>::CEL;
    static __RULE_0: ::crd_runtime::__private::cel::Examined = ::crd_runtime::__private::cel::examine(
        ::crd_runtime::__private::cel::Rule {
            of: &__CEL,
            optional_old_self: false,
            want: ::crd_runtime::__private::cel::Want::Rule,
            unchecked: false,
            source: "self.least <= self.most",
            program: b"\0\x02\0\0\x04\0\0\x05least\x02\0\0\x12\0\0\x04most\x03\x0B\0\0\x03.\0\x01.\0\x0E\x02\x02\0\x03\0\x04\0\x0B\0",
        },
        &[],
    );
    const _: () = ::crd_runtime::__private::cel::report(&__RULE_0);
};
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::apply::IntoApply for Range {
    type Apply = Self;
    const MISSING: bool = true;
    #[inline]
    fn into_apply(self) -> Self {
        self
    }
}
