use crd_runtime::CrdSchema;
pub struct Range {
    pub least: i32,
    pub most: i32,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::__private::names::*;
    impl __Derived for Range {}
    impl __FiniteOrMarkedRecursive<true> for Range {}
    static __FIELDS: [__Fields; 1] = [
        __Fields {
            list: &[
                __FieldShape::new("least", __Of::<i32>::AS_FIELD),
                __FieldShape::new("most", __Of::<i32>::AS_FIELD),
            ],
            source: __p::Some(|| __Source {
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: __line!(),
                lines: &[__line!(), __line!()],
                text: "Range\u{1e}least\u{1e}most\u{1e}",
            }),
            ..__Fields::PLAIN
        },
    ];
    static __DECLARED: [__Field; 2] = __FIELDS[0].declared::<2>();
    static __TYPE: __FieldType = __FieldType {
        shape: __Shape::of_fields(&__FIELDS[0]),
        cel: __Declared::Object(
            &__Object {
                name: "Range",
                fields: &__DECLARED,
            },
        ),
        ..__FieldType::opaque::<Range>()
    };
    #[automatically_derived]
    impl __CrdSchema for Range {
        const SHAPE: __Shape = __TYPE.shape;
        const AS_FIELD: &'static __FieldType = &__TYPE;
        fn schema() -> __JsonSchemaProps {
            __Schema::from(__FIELDS[0].schema())
                .rule_with(__p::Rule {
                    rule: "self.least <= self.most",
                    message: "wrong order",
                    field_path: ".least",
                    ..__p::Rule::NONE
                })
                .done()
        }
    }
    #[automatically_derived]
    impl __schemars::JsonSchema for Range {
        fn schema_name() -> __p::Cow<'static, str> {
            __p::schema_name("Range", &[])
        }
        fn schema_id() -> __p::Cow<'static, str> {
            __p::schema_id::<Self>()
        }
        fn json_schema(_: &mut __schemars::SchemaGenerator) -> __schemars::Schema {
            __s::bridge::json_schema::<Self>()
        }
    }
    const __FIELD_PATH: () = __check::field_path(
        &<Range as __CrdSchema>::SHAPE,
        &[__check::Step::Field("least")],
    );
    #[automatically_derived]
    impl ::crd_runtime::apply::IntoApply for Range {
        type Apply = Self;
        const MISSING: bool = true;
        fn into_apply(self) -> Self {
            self
        }
    }
};
