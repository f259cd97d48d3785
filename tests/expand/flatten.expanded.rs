use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
#[derive(Serialize, Deserialize)]
pub struct Common {
    pub name: String,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::{
        __private::{self as __p, Missing as _},
        crd_schema as __s,
    };
    #[automatically_derived]
    impl __p::Derived for Common {
        const OBJECT: bool = true;
    }
    #[automatically_derived]
    impl __s::FiniteOrMarkedRecursive<true> for Common {}
    const _: () = {
        let _ = __p::Of::<__p::Nothing>::DERIVED;
    };
    static __FIELDS: [__s::Fields; 1] = [
        __s::Fields {
            list: &[__s::FieldShape::new("name", __p::Of::<String>::AS_FIELD)],
            source: __p::Some(|| __s::Source {
                type_: ::core::concat!(::core::module_path!(), "::Common"),
                file: ::core::file!(),
                line: line!(),
                fields: &[("name", line!(), &[])],
            }),
        },
    ];
    static __DECLARED: [__p::cel::Field; 1] = __FIELDS[0].declared::<1>();
    static __SHAPE: __s::Shape = __s::Shape::of_fields(&__FIELDS[0]);
    static __CEL: __s::Declared = __s::Declared::Object(
        &__p::cel::Object {
            name: "Common",
            fields: &__DECLARED,
        },
    );
    #[automatically_derived]
    impl __s::CrdSchema for Common {
        const SHAPE: __s::Shape = __SHAPE;
        const CEL: __s::Declared = __CEL;
        const AS_FIELD: &'static __s::FieldType = &__s::FieldType::new::<
            Self,
        >(&__SHAPE, &__CEL);
        fn schema() -> __p::JsonSchemaProps {
            __p::Schema::from(__FIELDS[0].schema()).done()
        }
    }
    #[automatically_derived]
    impl __p::schemars::JsonSchema for Common {
        fn schema_name() -> __p::Cow<'static, str> {
            __p::schema_name("Common", &[])
        }
        fn schema_id() -> __p::Cow<'static, str> {
            __p::schema_id::<Self>()
        }
        fn json_schema(_: &mut __p::schemars::SchemaGenerator) -> __p::schemars::Schema {
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
    use ::crd_runtime::{
        __private::{self as __p, Missing as _},
        crd_schema as __s,
    };
    #[automatically_derived]
    impl __p::Derived for Job {
        const OBJECT: bool = true;
    }
    #[automatically_derived]
    impl __s::FiniteOrMarkedRecursive<true> for Job
    where
        Common: __s::FiniteOrMarkedRecursive<{ __p::Of::<Common>::DERIVED }>,
    {}
    const _: () = {
        let _ = __p::Of::<__p::Nothing>::DERIVED;
        let _ = <Common as __s::CrdSchema>::SHAPE;
    };
    static __FIELDS: [__s::Fields; 1] = [
        __s::Fields {
            list: &[
                __s::FieldShape::new("image", __p::Of::<String>::AS_FIELD),
                __s::FieldShape::flattened(<Common as __s::CrdSchema>::AS_FIELD),
            ],
            source: __p::Some(|| __s::Source {
                type_: ::core::concat!(::core::module_path!(), "::Job"),
                file: ::core::file!(),
                line: line!(),
                fields: &[("image", line!(), &[]), ("common", line!(), &[])],
            }),
        },
    ];
    static __DECLARED: [__p::cel::Field; 2] = __FIELDS[0].declared::<2>();
    static __SHAPE: __s::Shape = __s::Shape {
        leaves_fields_unread: true,
        ..__s::Shape::of_fields(&__FIELDS[0])
    };
    static __CEL: __s::Declared = __s::Declared::Object(
        &__p::cel::Object {
            name: "Job",
            fields: &__DECLARED,
        },
    );
    #[automatically_derived]
    impl __s::CrdSchema for Job
    where
        Common: __s::FiniteOrMarkedRecursive<{ __p::Of::<Common>::DERIVED }>,
    {
        const SHAPE: __s::Shape = __SHAPE;
        const CEL: __s::Declared = __CEL;
        const AS_FIELD: &'static __s::FieldType = &__s::FieldType::new::<
            Self,
        >(&__SHAPE, &__CEL);
        const NEEDS: &'static __p::cel::Needs = &__NEEDS;
        fn schema() -> __p::JsonSchemaProps {
            __p::Schema::from(__FIELDS[0].schema()).done()
        }
    }
    #[automatically_derived]
    impl __p::schemars::JsonSchema for Job
    where
        Common: __s::FiniteOrMarkedRecursive<{ __p::Of::<Common>::DERIVED }>,
    {
        fn schema_name() -> __p::Cow<'static, str> {
            __p::schema_name("Job", &[])
        }
        fn schema_id() -> __p::Cow<'static, str> {
            __p::schema_id::<Self>()
        }
        fn json_schema(_: &mut __p::schemars::SchemaGenerator) -> __p::schemars::Schema {
            __s::bridge::json_schema::<Self>()
        }
    }
    const __PART: () = __p::check::part(&__p::Of::<Common>::SHAPE, &["image"], &[]);
    const __IS_NO_OPTIONAL_ENUM: () = __p::check::require(
        __p::check::is_no_optional_enum(__p::Of::<Common>::SHAPE),
        "serde writes `None` as `null`, which an enumeration does not allow; add `#[serde(skip_serializing_if = \"Option::is_none\")]`",
    );
    const __ELEMENTS: () = __p::check::elements(&__p::Of::<Common>::SHAPE, "", false);
    const __FLATTENS: () = __p::check::flattens(&__p::Of::<Common>::SHAPE);
    const __ABSENT_PART: () = __p::check::absent_part(&__p::Of::<Common>::SHAPE);
    static __NEEDS: __p::cel::Needs = __p::cel::Needs {
        of: "Job",
        parts: &[("", <Common as __s::CrdSchema>::NEEDS)],
        ..__p::cel::Needs::NONE
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
