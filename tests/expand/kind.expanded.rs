use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct SiteSpec {
    pub replicas: i32,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::{
        __private::{self as __p, Missing as _},
        crd_schema as __s,
    };
    const _: bool = __p::Of::<__p::Nothing>::DERIVED;
    #[automatically_derived]
    impl __p::Derived for SiteSpec {
        const OBJECT: bool = true;
    }
    #[automatically_derived]
    impl __s::FiniteOrMarkedRecursive<true> for SiteSpec {}
    static __FIELDS: [__s::Fields; 1] = [
        __s::Fields {
            list: &[__s::FieldShape::new("replicas", __p::Of::<i32>::AS_FIELD)],
            source: ::core::option::Option::Some(|| __s::Source {
                type_: ::core::concat!(::core::module_path!(), "::SiteSpec"),
                file: ::core::file!(),
                line: line!(),
                fields: &[("replicas", line!(), &[])],
            }),
        },
    ];
    static __DECLARED: [__p::cel::Field; 1] = __FIELDS[0].declared::<1>();
    static __SHAPE: __s::Shape = __s::Shape::of_fields(&__FIELDS[0]);
    static __CEL: __s::Declared = __p::cel::Declared::Object(
        &__p::cel::Object {
            name: "SiteSpec",
            fields: &__DECLARED,
        },
    );
    #[automatically_derived]
    impl __s::CrdSchema for SiteSpec {
        const SHAPE: __s::Shape = __SHAPE;
        const CEL: __s::Declared = __CEL;
        const AS_FIELD: &'static __s::FieldType = &__s::FieldType::new::<
            Self,
        >(&__SHAPE, &__CEL);
        fn schema() -> __p::JsonSchemaProps {
            __p::Schema::from(__FIELDS[0].schema()).done()
        }
    }
    static __ROOT_FIELDS: __s::Fields = __s::Fields {
        list: &[
            __s::FieldShape::new("spec", <SiteSpec as __s::CrdSchema>::AS_FIELD)
                .must_be_present(),
        ],
        source: ::core::option::Option::None,
    };
    static __ROOT_DECLARED: [__p::cel::Field; 2] = __ROOT_FIELDS.declared_in_root();
    static __ROOT_SHAPE: __s::Shape = __s::Shape::of_fields(&__ROOT_FIELDS);
    static __ROOT_CEL: __s::Declared = __s::Declared::Object(
        &__p::cel::Object {
            name: "Site",
            fields: &__ROOT_DECLARED,
        },
    );
    #[automatically_derived]
    impl __s::CrdSchema for Site {
        const SHAPE: __s::Shape = __ROOT_SHAPE;
        const CEL: __s::Declared = __ROOT_CEL;
        const NEEDS: &'static __p::cel::Needs = &__ROOT_NEEDS;
        fn schema() -> __p::JsonSchemaProps {
            __p::Schema::from(__ROOT_FIELDS.schema()).done()
        }
    }
    static __ROOT_NEEDS: __p::cel::Needs = __p::cel::Needs {
        of: "Site",
        rules: &[],
        features: &[],
        parts: &[("spec", <SiteSpec as __s::CrdSchema>::NEEDS)],
    };
    #[automatically_derived]
    impl __p::CustomResource for Site {
        const GROUP: &'static str = "example.com";
        const VERSION: &'static str = "v1";
        const API_VERSION: &'static str = "example.com/v1";
        const KIND: &'static str = "Site";
        const PLURAL: &'static str = "sites";
        const NAMESPACED: bool = true;
        const STORAGE: bool = true;
        fn definition() -> __p::CustomResourceDefinition {
            __p::Definition::new(
                    &__p::KindNames {
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
                .schema(<Self as __s::CrdSchema>::schema())
        }
    }
    #[automatically_derived]
    impl __p::Defined for Site {
        const DEFINED_AS: __p::DefinedAs = __p::defined_as::<Self>();
        fn defined() -> __p::CustomResourceDefinition {
            <Self as __p::CustomResource>::definition()
        }
    }
    #[automatically_derived]
    impl __p::k8s_openapi::Resource for Site {
        const API_VERSION: &'static str = "example.com/v1";
        const GROUP: &'static str = "example.com";
        const KIND: &'static str = "Site";
        const VERSION: &'static str = "v1";
        const URL_PATH_SEGMENT: &'static str = "sites";
        type Scope = __p::k8s_openapi::NamespaceResourceScope;
    }
    #[automatically_derived]
    impl __p::k8s_openapi::ListableResource for Site {
        const LIST_KIND: &'static str = "SiteList";
    }
    #[automatically_derived]
    impl __p::k8s_openapi::Metadata for Site {
        type Ty = __p::ObjectMeta;
        fn metadata(&self) -> &Self::Ty {
            &self.metadata
        }
        fn metadata_mut(&mut self) -> &mut Self::Ty {
            &mut self.metadata
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::apply::IntoApply for SiteSpec {
        type Apply = Self;
        const MISSING: bool = true;
        fn into_apply(self) -> Self {
            self
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
