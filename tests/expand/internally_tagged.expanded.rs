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
    use ::crd_runtime::__private::names::*;
    impl __Derived for Action {
        const OBJECT: bool = false;
    }
    impl __FiniteOrMarkedRecursive<true> for Action {}
    static __FIELDS: [__Fields; 1] = [
        __Fields {
            list: &[__FieldShape::new("command", __Of::<Vec<String>>::AS_FIELD)],
            source: __p::Some(|| __Source {
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: __line!(),
                lines: &[__line!()],
                text: "Action::Run\u{1e}command\u{1e}",
            }),
            ..__Fields::PLAIN
        },
    ];
    static __TYPE: __FieldType = __FieldType {
        shape: __Shape {
            fields: &[
                __FieldShape {
                    name: "type",
                    shape: &__Shape {
                        values: &["Run", "Wait"],
                        ..__Shape::of(__s::ShapeKind::Enum)
                    },
                    ..__FieldShape::FLATTENED
                },
            ],
            variants: &[__Shape::of_variant(&__FIELDS[0])],
            leaves_fields_unread: true,
            ..__Shape::of(__s::ShapeKind::Object)
        },
        cel: __Declared::Object(
            &__Object {
                name: "Action",
                fields: &[
                    __Field {
                        name: "type",
                        of: &const { __Declared::Enum(&["Run", "Wait"]) },
                    },
                    __Field {
                        name: "command",
                        of: &const { __Of::<Vec<String>>::AS_FIELD.cel },
                    },
                ],
            },
        ),
        ..__FieldType::opaque::<Action>()
    };
    #[automatically_derived]
    impl __CrdSchema for Action {
        const SHAPE: __Shape = __TYPE.shape;
        const AS_FIELD: &'static __FieldType = &__TYPE;
        fn schema() -> __JsonSchemaProps {
            __Schema::from(
                    __p::Union::internal("type")
                        .data(&["Run"], __Schema::from(__FIELDS[0].schema()).done())
                        .unit(&["Wait"], false)
                        .done(),
                )
                .done()
        }
    }
    #[automatically_derived]
    impl __schemars::JsonSchema for Action {
        fn schema_name() -> __p::Cow<'static, str> {
            __p::schema_name("Action", &[])
        }
        fn schema_id() -> __p::Cow<'static, str> {
            __p::schema_id::<Self>()
        }
        fn json_schema(_: &mut __schemars::SchemaGenerator) -> __schemars::Schema {
            __s::bridge::json_schema::<Self>()
        }
    }
    const __KEPT: () = __check::kept(&<Action as __CrdSchema>::SHAPE);
    const __VARIANTS: () = __check::variants(&<Action as __CrdSchema>::SHAPE);
    #[automatically_derived]
    impl ::crd_runtime::apply::IntoApply for Action {
        type Apply = Self;
        const MISSING: bool = true;
        fn into_apply(self) -> Self {
            self
        }
    }
};
