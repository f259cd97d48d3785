use crd_runtime::CustomResource;
use serde::{Deserialize, Serialize};
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct SiteSpec {
    pub replicas: i32,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::__private::names::*;
    impl __Derived for SiteSpec {}
    impl __FiniteOrMarkedRecursive<true> for SiteSpec {}
    static __FIELDS: [__Fields; 1] = [
        __Fields {
            list: &[__FieldShape::new("replicas", __Of::<i32>::AS_FIELD)],
            source: __p::Some(|| __Source {
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: __line!(),
                lines: &[__line!()],
                text: "SiteSpec\u{1e}replicas\u{1e}",
            }),
            ..__Fields::PLAIN
        },
    ];
    static __DECLARED: [__Field; 1] = __FIELDS[0].declared::<1>();
    static __TYPE: __FieldType = __FieldType {
        shape: __Shape::of_fields(&__FIELDS[0]),
        cel: __Declared::Object(
            &__Object {
                name: "SiteSpec",
                fields: &__DECLARED,
            },
        ),
        ..__FieldType::opaque::<SiteSpec>()
    };
    #[automatically_derived]
    impl __CrdSchema for SiteSpec {
        const SHAPE: __Shape = __TYPE.shape;
        const AS_FIELD: &'static __FieldType = &__TYPE;
        fn schema() -> __JsonSchemaProps {
            __Schema::from(__FIELDS[0].schema()).done()
        }
    }
    impl __p::Root for Site {
        type Spec = SiteSpec;
    }
    #[automatically_derived]
    impl __CrdSchema for Site {
        const SHAPE: __Shape = __RootOf::<Self>::SHAPE;
        const AS_FIELD: &'static __FieldType = __RootOf::<Self>::AS_FIELD;
        const NEEDS: &'static __Needs = __RootOf::<Self>::NEEDS;
        fn schema() -> __JsonSchemaProps {
            __RootOf::<Self>::schema().done()
        }
    }
    #[automatically_derived]
    impl __p::Defined for Site {
        const DEFINED_AS: __p::DefinedAs = __p::defined_as::<Self>(true);
        fn defined() -> __p::CustomResourceDefinition {
            __p::definition::<
                Self,
            >(
                &__p::Kind {
                    short_names: &["st"],
                    ..__p::Kind::PLAIN
                },
            )
        }
    }
    impl __k8s_openapi::Resource for Site {
        const API_VERSION: &'static str = "example.com/v1";
        const GROUP: &'static str = "example.com";
        const KIND: &'static str = "Site";
        const VERSION: &'static str = "v1";
        const URL_PATH_SEGMENT: &'static str = "sites";
        type Scope = __k8s_openapi::NamespaceResourceScope;
    }
    impl __k8s_openapi::ListableResource for Site {
        const LIST_KIND: &'static str = "SiteList";
    }
    #[automatically_derived]
    impl __k8s_openapi::Metadata for Site {
        type Ty = __p::ObjectMeta;
        fn metadata(&self) -> &Self::Ty {
            &self.metadata
        }
        fn metadata_mut(&mut self) -> &mut Self::Ty {
            &mut self.metadata
        }
    }
    impl Site {
        /// Creates an object with this name and no other metadata.
        pub fn new(name: impl __p::Into<__p::String>, spec: SiteSpec) -> Self {
            Self {
                metadata: __p::named(name),
                spec,
            }
        }
    }
    #[automatically_derived]
    impl __serde::Serialize for Site {
        fn serialize<__S: __serde::Serializer>(
            &self,
            serializer: __S,
        ) -> __p::Result<__S::Ok, __S::Error> {
            __p::serialize_root(
                self,
                &self.metadata,
                &self.spec,
                __p::NO_STATUS,
                serializer,
            )
        }
    }
    #[automatically_derived]
    impl<'de> __serde::Deserialize<'de> for Site {
        fn deserialize<__D: __serde::Deserializer<'de>>(
            deserializer: __D,
        ) -> __p::Result<Self, __D::Error> {
            __p::deserialize_root(
                deserializer,
                |metadata, spec, _: __p::NoStatus| Self { metadata, spec },
            )
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
    #[automatically_derived]
    impl __p::kube::core::object::HasSpec for Site {
        type Spec = SiteSpec;
        fn spec(&self) -> &SiteSpec {
            &self.spec
        }
        fn spec_mut(&mut self) -> &mut SiteSpec {
            &mut self.spec
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
::crd_runtime::__private::test! {
    #[allow(unused_qualifications, clippy::absolute_paths)] site_is_a_valid_definition
    Site 35u32
}
