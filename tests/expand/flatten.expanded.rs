use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
#[derive(Serialize, Deserialize)]
pub struct Common {
    pub name: String,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::__private::names::*;
    impl __Derived for Common {}
    impl __FiniteOrMarkedRecursive<true> for Common {}
    static __FIELDS: [__Fields; 1] = [
        __Fields {
            list: &[__FieldShape::new("name", __Of::<String>::AS_FIELD)],
            source: __p::Some(|| __Source {
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: __line!(),
                lines: &[__line!()],
                text: "Common\u{1e}name\u{1e}",
            }),
            ..__Fields::PLAIN
        },
    ];
    static __DECLARED: [__Field; 1] = __FIELDS[0].declared::<1>();
    static __TYPE: __FieldType = __FieldType {
        shape: __Shape::of_fields(&__FIELDS[0]),
        cel: __Declared::Object(
            &__Object {
                name: "Common",
                fields: &__DECLARED,
            },
        ),
        ..__FieldType::opaque::<Common>()
    };
    #[automatically_derived]
    impl __CrdSchema for Common {
        const SHAPE: __Shape = __TYPE.shape;
        const AS_FIELD: &'static __FieldType = &__TYPE;
        fn schema() -> __JsonSchemaProps {
            __Schema::from(__FIELDS[0].schema()).done()
        }
    }
    #[automatically_derived]
    impl __schemars::JsonSchema for Common {
        fn schema_name() -> __p::Cow<'static, str> {
            __p::schema_name("Common", &[])
        }
        fn schema_id() -> __p::Cow<'static, str> {
            __p::schema_id::<Self>()
        }
        fn json_schema(_: &mut __schemars::SchemaGenerator) -> __schemars::Schema {
            __s::bridge::json_schema::<Self>()
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::apply::IntoApply for Common {
        type Apply = Self;
        const MISSING: bool = true;
        fn into_apply(self) -> Self {
            self
        }
    }
};
#[derive(Serialize, Deserialize)]
pub struct Job {
    pub image: String,
    #[serde(flatten)]
    pub common: Common,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::__private::names::*;
    impl __Derived for Job {}
    impl __FiniteOrMarkedRecursive<true> for Job
    where
        Common: __FiniteOrMarkedRecursive<{ __Of::<Common>::DERIVED }>,
    {}
    const _: __Shape = <Common as __CrdSchema>::SHAPE;
    static __FIELDS: [__Fields; 1] = [
        __Fields {
            list: &[
                __FieldShape::new("image", __Of::<String>::AS_FIELD),
                __FieldShape::flattened(<Common as __CrdSchema>::AS_FIELD),
            ],
            source: __p::Some(|| __Source {
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: __line!(),
                lines: &[__line!(), __line!()],
                text: "Job\u{1e}image\u{1e}common\u{1e}",
            }),
            ..__Fields::PLAIN
        },
    ];
    static __DECLARED: [__Field; 2] = __FIELDS[0].declared::<2>();
    static __TYPE: __FieldType = __FieldType {
        shape: __Shape {
            leaves_fields_unread: true,
            ..__Shape::of_fields(&__FIELDS[0])
        },
        cel: __Declared::Object(
            &__Object {
                name: "Job",
                fields: &__DECLARED,
            },
        ),
        ..__FieldType::opaque::<Job>()
    };
    #[automatically_derived]
    impl __CrdSchema for Job {
        const SHAPE: __Shape = __TYPE.shape;
        const AS_FIELD: &'static __FieldType = &__TYPE;
        const NEEDS: &'static __Needs = &__NEEDS;
        fn schema() -> __JsonSchemaProps {
            __Schema::from(__FIELDS[0].schema()).done()
        }
    }
    #[automatically_derived]
    impl __schemars::JsonSchema for Job {
        fn schema_name() -> __p::Cow<'static, str> {
            __p::schema_name("Job", &[])
        }
        fn schema_id() -> __p::Cow<'static, str> {
            __p::schema_id::<Self>()
        }
        fn json_schema(_: &mut __schemars::SchemaGenerator) -> __schemars::Schema {
            __s::bridge::json_schema::<Self>()
        }
    }
    const __PART: () = __check::part(&__Of::<Common>::SHAPE, &["image"], &[]);
    const __IS_NO_OPTIONAL_ENUM: () = __check::require(
        __check::is_no_optional_enum(__Of::<Common>::SHAPE),
        "serde writes `None` as `null`, which an enumeration does not allow; add `#[serde(skip_serializing_if = \"Option::is_none\")]`",
    );
    const __ELEMENTS: () = __check::elements(&__Of::<Common>::SHAPE, "", false);
    const __KEPT: () = __check::kept(&__Of::<Common>::SHAPE);
    const __FLATTENS: () = __check::flattens(&__Of::<Common>::SHAPE);
    const __ABSENT_PART: () = __check::absent_part(&__Of::<Common>::SHAPE);
    static __NEEDS: __Needs = __Needs {
        of: "Job",
        parts: &[("", <Common as __CrdSchema>::NEEDS)],
        ..__Needs::NONE
    };
    #[automatically_derived]
    impl ::crd_runtime::apply::IntoApply for Job {
        type Apply = Self;
        const MISSING: bool = true;
        fn into_apply(self) -> Self {
            self
        }
    }
    use ::crd_runtime::client as __c;
    const _: () = {
        /// The selectable fields.
        #[derive(::core::fmt::Debug, ::core::clone::Clone)]
        pub struct Fields<K>(__c::FieldPath<K>);
        impl<K> Fields<K> {
            ///The fields below ``.
            #[must_use]
            pub fn common<__F>(&self) -> __F
            where
                Common: __c::SelectFields<K, __F>,
            {
                <Common as __c::SelectFields<K, __F>>::fields(self.0.at(""))
            }
        }
        #[automatically_derived]
        impl<K> __c::SelectFields<K, Fields<K>> for Job {
            fn fields(path: __c::FieldPath<K>) -> Fields<K> {
                Fields(path)
            }
        }
    };
};
