use crd_runtime::CrdSchema;
pub struct Range {
    pub least: i32,
    pub most: i32,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::{
        __private::{self as __p, Missing as _},
        crd_schema as __s,
    };
    #[automatically_derived]
    impl __p::Derived for Range {
        const OBJECT: bool = true;
    }
    #[automatically_derived]
    impl __s::FiniteOrMarkedRecursive<true> for Range {}
    const _: () = {
        let _ = __p::Of::<__p::Nothing>::DERIVED;
    };
    static __PLACE: &str = ::core::concat!(::core::file!(), ":", line!());
    static __FIELDS: [__s::Fields; 1] = [
        __s::Fields {
            list: &[
                __s::FieldShape::new("least", __p::Of::<i32>::AS_FIELD),
                __s::FieldShape::new("most", __p::Of::<i32>::AS_FIELD),
            ],
            source: __p::Some(|| __s::Source {
                type_: ::core::concat!(::core::module_path!(), "::Range"),
                file: ::core::file!(),
                line: line!(),
                fields: &[("least", line!(), &[]), ("most", line!(), &[])],
            }),
        },
    ];
    static __DECLARED: [__p::cel::Field; 2] = __FIELDS[0].declared::<2>();
    static __SHAPE: __s::Shape = __s::Shape::of_fields(&__FIELDS[0]);
    static __CEL: __s::Declared = __s::Declared::Object(
        &__p::cel::Object {
            name: "Range",
            fields: &__DECLARED,
        },
    );
    #[automatically_derived]
    impl __s::CrdSchema for Range {
        const SHAPE: __s::Shape = __SHAPE;
        const CEL: __s::Declared = __CEL;
        const AS_FIELD: &'static __s::FieldType = &__s::FieldType::new::<
            Self,
        >(&__SHAPE, &__CEL);
        const NEEDS: &'static __p::cel::Needs = &__NEEDS;
        fn schema() -> __p::JsonSchemaProps {
            __p::Schema::from(__FIELDS[0].schema())
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
    impl __p::schemars::JsonSchema for Range {
        fn schema_name() -> __p::Cow<'static, str> {
            __p::schema_name("Range", &[])
        }
        fn schema_id() -> __p::Cow<'static, str> {
            __p::schema_id::<Self>()
        }
        fn json_schema(_: &mut __p::schemars::SchemaGenerator) -> __p::schemars::Schema {
            __s::bridge::json_schema::<Self>()
        }
    }
    const __FIELD_PATH: () = __p::check::field_path(
        &<Range as __s::CrdSchema>::SHAPE,
        &[__p::check::Step::Field("least")],
    );
    static __RULE_0: __p::cel::Examined = __p::cel::rule(
        &__CEL,
        "self.least <= self.most",
        b"\0\x02\0\0\x04\0\0\x05least\x02\0\0\x12\0\0\x04most\x03\x0B\0\0.\0\x01.\0\x0E\x02\x02\0\x03\0\x04\0\x0B\0",
    );
    const __RULE_CHECK: () = __p::cel::report(&__RULE_0);
    static __NEEDS: __p::cel::Needs = __p::cel::Needs {
        of: "Range",
        place: &__PLACE,
        rules: &[&__RULE_0],
        ..__p::cel::Needs::NONE
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
