use crd_runtime::CrdSchema;
pub struct Range {
    pub least: i32,
    pub most: i32,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::__private::names::*;
    impl __Derived for Range {
        const OBJECT: bool = true;
    }
    impl __FiniteOrMarkedRecursive<true> for Range {}
    static __PLACE: &str = ::core::concat!(::core::file!(), ":", line!());
    static __FIELDS: [__Fields; 1] = [
        __Fields {
            list: &[
                __FieldShape::new("least", __Of::<i32>::AS_FIELD),
                __FieldShape::new("most", __Of::<i32>::AS_FIELD),
            ],
            source: __p::Some(|| __Source {
                type_: ::core::concat!(::core::module_path!(), "::Range"),
                file: ::core::file!(),
                line: line!(),
                fields: &[("least", line!(), &[]), ("most", line!(), &[])],
            }),
            ..__Fields::PLAIN
        },
    ];
    static __DECLARED: [__Field; 2] = __FIELDS[0].declared::<2>();
    static __SHAPE: __Shape = __Shape::of_fields(&__FIELDS[0]);
    static __CEL: __Declared = __Declared::Object(
        &__Object {
            name: "Range",
            fields: &__DECLARED,
        },
    );
    #[automatically_derived]
    impl __CrdSchema for Range {
        const SHAPE: __Shape = __SHAPE;
        const CEL: __Declared = __CEL;
        const AS_FIELD: &'static __FieldType = &__FieldType::new::<
            Self,
        >(&__SHAPE, &__CEL);
        const NEEDS: &'static __Needs = &__NEEDS;
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
    const __RULE_CHECK: () = __cel::report(&__RULES_0[0]);
    static __RULES_0: [__Examined; 1] = __cel::examine(
        &[
            __rule(
                &__CEL,
                "self.least <= self.most",
                b"\0B\0\x02\x04\0\0\0\0\0\0\x05\0\x02\x12\0\0\0\0\x05\0\x04\0\x03\x0B\0.\0\0\x02\x02\0\x03\0\x0E.\0/\x000\x001\x002\x003\x004\x005\x006\x007\08\09\0:\0;\0\0\x04\0leastmost",
            ),
        ],
    );
    static __NEEDS: __Needs = __Needs {
        of: "Range",
        place: &__PLACE,
        rules: &[&__RULES_0],
        ..__Needs::NONE
    };
    #[automatically_derived]
    impl ::crd_runtime::apply::IntoApply for Range {
        type Apply = Self;
        const MISSING: bool = true;
        fn into_apply(self) -> Self {
            self
        }
    }
};
