use crd_runtime::CrdSchema;
use serde::{Deserialize, Serialize};
#[derive(Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum Action {
    Run { command: Vec<String> },
    Wait,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::{
        __private::{self as __p, Missing as _},
        crd_schema as __s,
    };
    #[automatically_derived]
    impl __p::Derived for Action {
        const OBJECT: bool = false;
    }
    #[automatically_derived]
    impl __s::FiniteOrMarkedRecursive<true> for Action {}
    const _: () = {
        let _ = __p::Of::<__p::Nothing>::DERIVED;
    };
    static __FIELDS: [__s::Fields; 1] = [
        __s::Fields {
            list: &[__s::FieldShape::new("command", __p::Of::<Vec<String>>::AS_FIELD)],
            source: __p::Some(|| __s::Source {
                type_: ::core::concat!(::core::module_path!(), "::Action::Run"),
                file: ::core::file!(),
                line: line!(),
                fields: &[("command", line!(), &[])],
            }),
        },
    ];
    static __SHAPE: __s::Shape = __s::Shape {
        fields: &[
            __s::FieldShape {
                name: "type",
                shape: &__s::Shape {
                    values: &["Run", "Wait"],
                    ..__s::Shape::of(__s::ShapeKind::Enum)
                },
                ..__s::FieldShape::FLATTENED
            },
        ],
        variants: &[__s::Shape::of_variant(&__FIELDS[0])],
        leaves_fields_unread: true,
        ..__s::Shape::of(__s::ShapeKind::Object)
    };
    static __CEL: __s::Declared = __s::Declared::Object(
        &__p::cel::Object {
            name: "Action",
            fields: &[
                __p::cel::Field {
                    name: "type",
                    of: &const { __s::Declared::Enum(&["Run", "Wait"]) },
                },
                __p::cel::Field {
                    name: "command",
                    of: &const { __p::Of::<Vec<String>>::CEL },
                },
            ],
        },
    );
    #[automatically_derived]
    impl __s::CrdSchema for Action {
        const SHAPE: __s::Shape = __SHAPE;
        const CEL: __s::Declared = __CEL;
        const AS_FIELD: &'static __s::FieldType = &__s::FieldType::new::<
            Self,
        >(&__SHAPE, &__CEL);
        fn schema() -> __p::JsonSchemaProps {
            __p::Schema::from(
                    __p::Union::internal("type")
                        .data(&["Run"], __p::Schema::from(__FIELDS[0].schema()).done())
                        .unit(&["Wait"], false)
                        .done(),
                )
                .done()
        }
    }
    #[automatically_derived]
    impl __p::schemars::JsonSchema for Action {
        fn schema_name() -> __p::Cow<'static, str> {
            __p::schema_name("Action", &[])
        }
        fn schema_id() -> __p::Cow<'static, str> {
            __p::schema_id::<Self>()
        }
        fn json_schema(_: &mut __p::schemars::SchemaGenerator) -> __p::schemars::Schema {
            __s::bridge::json_schema::<Self>()
        }
    }
    const __VARIANTS: () = __p::check::variants(&<Action as __s::CrdSchema>::SHAPE);
    #[automatically_derived]
    impl ::crd_runtime::apply::IntoApply for Action {
        type Apply = Self;
        const MISSING: bool = true;
        fn into_apply(self) -> Self {
            self
        }
    }
};
