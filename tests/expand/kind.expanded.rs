use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct SiteSpec {
    pub replicas: i32,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::__private::Missing as _;
    const _: bool = ::crd_runtime::__private::Of::<
        ::crd_runtime::__private::Nothing,
    >::DERIVED;
    #[automatically_derived]
    impl ::crd_runtime::__private::Derived for SiteSpec {
        const OBJECT: bool = true;
    }
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for SiteSpec {
        const SHAPE: ::crd_runtime::crd_schema::Shape = {
            <Self as ::crd_runtime::CrdSchema>::UNCHECKED_SHAPE
        };
        const UNCHECKED_SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "replicas",
                    written: ::core::option::Option::Some(("replicas", line!())),
                    presence: ::crd_runtime::crd_schema::FieldPresence::Required,
                    shape: &::crd_runtime::__private::Of::<i32>::SHAPE,
                    always_written: true,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
            ],
            source: ::core::option::Option::Some(
                &::crd_runtime::crd_schema::Source {
                    type_: ::core::concat!(::core::module_path!(), "::SiteSpec"),
                    file: ::core::file!(),
                    line: line!(),
                },
            ),
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::ShapeKind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Object(
            &::crd_runtime::__private::cel::Object {
                name: "SiteSpec",
                fields: &[
                    ::crd_runtime::__private::cel::Field {
                        name: "replicas",
                        of: &::crd_runtime::__private::Of::<i32>::CEL,
                    },
                ],
            },
        );
        fn schema() -> ::crd_runtime::model::JsonSchemaProps {
            const {
                let _ = <Self as ::crd_runtime::CrdSchema>::SHAPE;
            }
            ::crd_runtime::__private::Schema::from(
                    ::crd_runtime::__private::Object::new()
                        .field(
                            "replicas",
                            ::crd_runtime::__private::Presence::Required,
                            ::crd_runtime::__private::Schema::from(
                                    ::crd_runtime::__private::Of::<i32>::schema(),
                                )
                                .done(),
                        )
                        .done(),
                )
                .done()
        }
        fn collect(at: &str, into: &mut ::crd_runtime::__private::Collected) {
            into.descend(at, "replicas", ::crd_runtime::__private::Of::<i32>::collect);
            let _ = (at, into);
        }
    }
};
///The kind `Site`, with the spec `SiteSpec`.
#[allow(unused_qualifications, clippy::absolute_paths)]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct Site {
    /// Standard metadata.
    pub metadata: ::crd_runtime::__private::ObjectMeta,
    /// The desired state.
    pub spec: SiteSpec,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
impl Site {
    /// Creates an object with this name and no other metadata.
    pub fn new(
        name: impl ::core::convert::Into<::std::string::String>,
        spec: SiteSpec,
    ) -> Self {
        Self {
            metadata: ::crd_runtime::__private::named(::core::convert::Into::into(name)),
            spec,
        }
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::__private::serde;
    #[automatically_derived]
    impl serde::Serialize for Site {
        fn serialize<__S: serde::Serializer>(
            &self,
            serializer: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            serde::Serialize::serialize(
                &::crd_runtime::__private::RootRef {
                    api_version: "example.com/v1",
                    kind: "Site",
                    metadata: &self.metadata,
                    spec: &self.spec,
                    status: ::core::option::Option::None::<&()>,
                },
                serializer,
            )
        }
    }
    #[automatically_derived]
    impl<'de> serde::Deserialize<'de> for Site {
        fn deserialize<__D: serde::Deserializer<'de>>(
            deserializer: __D,
        ) -> ::core::result::Result<Self, __D::Error> {
            let root = ::crd_runtime::__private::deserialize_root::<
                SiteSpec,
                ::crd_runtime::__private::serde::de::IgnoredAny,
                __D,
            >(deserializer, "example.com/v1", "Site")?;
            ::core::result::Result::Ok(Self {
                metadata: root.metadata,
                spec: root.spec,
            })
        }
    }
};
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::__private::Missing as _;
    const _: bool = ::crd_runtime::__private::Of::<
        ::crd_runtime::__private::Nothing,
    >::DERIVED;
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for Site {
        const SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "spec",
                    shape: &<SiteSpec as ::crd_runtime::CrdSchema>::SHAPE,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
            ],
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::ShapeKind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Object(
            &::crd_runtime::__private::cel::Object {
                name: "Site",
                fields: &[
                    ::crd_runtime::__private::cel::Field {
                        name: "",
                        of: &::crd_runtime::__private::cel::Declared::RESOURCE,
                    },
                    ::crd_runtime::__private::cel::Field {
                        name: "spec",
                        of: &<SiteSpec as ::crd_runtime::CrdSchema>::CEL,
                    },
                ],
            },
        );
        const NEEDS: ::crd_runtime::__private::cel::Needs = ::crd_runtime::__private::cel::Needs {
            of: "Site",
            rules: &[],
            features: &[],
            parts: &[("spec", &<SiteSpec as ::crd_runtime::CrdSchema>::NEEDS)],
        };
        fn schema() -> ::crd_runtime::model::JsonSchemaProps {
            const {
                let _ = <Self as ::crd_runtime::CrdSchema>::SHAPE;
            }
            let object = ::crd_runtime::__private::Object::new()
                .field(
                    "spec",
                    ::crd_runtime::__private::Presence::Required,
                    <SiteSpec as ::crd_runtime::CrdSchema>::schema(),
                )
                .done();
            ::crd_runtime::__private::Schema::from(object).done()
        }
        fn collect(at: &str, into: &mut ::crd_runtime::__private::Collected) {
            into.descend(at, "spec", <SiteSpec as ::crd_runtime::CrdSchema>::collect);
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::CustomResource for Site {
        const GROUP: &'static str = "example.com";
        const VERSION: &'static str = "v1";
        const API_VERSION: &'static str = "example.com/v1";
        const KIND: &'static str = "Site";
        const PLURAL: &'static str = "sites";
        const NAMESPACED: bool = true;
        const STORAGE: bool = true;
        fn definition() -> ::crd_runtime::model::CustomResourceDefinition {
            ::crd_runtime::__private::Definition::new(
                    &::crd_runtime::__private::KindNames {
                        group: "example.com",
                        version: "v1",
                        kind: "Site",
                        plural: "sites",
                        singular: "site",
                        list_kind: "SiteList",
                        namespaced: true,
                    },
                )
                .short_name("st")
                .collect::<Self>("")
                .schema(<Self as ::crd_runtime::CrdSchema>::schema())
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::Defined for Site {
        const DEFINED_AS: ::crd_runtime::__private::DefinedAs = ::crd_runtime::__private::defined_as::<
            Self,
        >();
        fn defined() -> ::crd_runtime::model::CustomResourceDefinition {
            <Self as ::crd_runtime::CustomResource>::definition()
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::k8s_openapi::Resource for Site {
        const API_VERSION: &'static str = "example.com/v1";
        const GROUP: &'static str = "example.com";
        const KIND: &'static str = "Site";
        const VERSION: &'static str = "v1";
        const URL_PATH_SEGMENT: &'static str = "sites";
        type Scope = ::crd_runtime::__private::k8s_openapi::NamespaceResourceScope;
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::k8s_openapi::ListableResource for Site {
        const LIST_KIND: &'static str = "SiteList";
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::k8s_openapi::Metadata for Site {
        type Ty = ::crd_runtime::__private::ObjectMeta;
        fn metadata(&self) -> &Self::Ty {
            &self.metadata
        }
        fn metadata_mut(&mut self) -> &mut Self::Ty {
            &mut self.metadata
        }
    }
};
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::apply::IntoApply for SiteSpec {
    type Apply = Self;
    const MISSING: bool = true;
    #[inline]
    fn into_apply(self) -> Self {
        self
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::__private::kube::core::object::HasSpec for Site {
    type Spec = SiteSpec;
    fn spec(&self) -> &SiteSpec {
        &self.spec
    }
    fn spec_mut(&mut self) -> &mut SiteSpec {
        &mut self.spec
    }
}
::crd_runtime::__private::engine! {
    #[allow(unused_qualifications, clippy::absolute_paths)] #[cfg(test)]
    #[allow(unnameable_test_items)] #[::core::prelude::v1::test] fn
    site_is_a_valid_definition() -> ::core::result::Result < (),
    ::crd_runtime::__private::InvalidDefinition > {
    ::crd_runtime::__private::check_definition(< Site as ::crd_runtime::CustomResource >
    ::definition(), & < Site as ::crd_runtime::CrdSchema > ::SHAPE, 35u32,) }
}
