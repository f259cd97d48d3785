///The kind `Job`.
#[allow(unused_qualifications, clippy::absolute_paths)]
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
struct Job {
    /// Standard metadata.
    pub metadata: ::crd_runtime::__private::ObjectMeta,
    /// The desired state.
    pub spec: JobSpec,
    /// The observed state.
    pub status: ::core::option::Option<JobStatus>,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl Job {
    /// Creates an object with this name and no other metadata.
    fn new(
        name: impl ::core::convert::Into<::std::string::String>,
        spec: JobSpec,
    ) -> Self {
        Self {
            metadata: ::crd_runtime::__private::named(::core::convert::Into::into(name)),
            spec,
            status: ::core::option::Option::None,
        }
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    use ::crd_runtime::__private::serde;
    #[automatically_derived]
    impl serde::Serialize for Job {
        fn serialize<__S: serde::Serializer>(
            &self,
            serializer: __S,
        ) -> ::core::result::Result<__S::Ok, __S::Error> {
            serde::Serialize::serialize(
                &::crd_runtime::__private::RootRef {
                    api_version: "example.com/v1",
                    kind: "Job",
                    metadata: &self.metadata,
                    spec: &self.spec,
                    status: self.status.as_ref(),
                },
                serializer,
            )
        }
    }
    #[automatically_derived]
    impl<'de> serde::Deserialize<'de> for Job {
        fn deserialize<__D: serde::Deserializer<'de>>(
            deserializer: __D,
        ) -> ::core::result::Result<Self, __D::Error> {
            let root = ::crd_runtime::__private::deserialize_root::<
                JobSpec,
                JobStatus,
                __D,
            >(deserializer, "example.com/v1", "Job")?;
            ::core::result::Result::Ok(Self {
                metadata: root.metadata,
                spec: root.spec,
                status: root.status,
            })
        }
    }
};
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[allow(unused_imports)]
    use ::crd_runtime::__private::Missing as _;
    const _: ::crd_runtime::crd_schema::Shape = <JobStatus as ::crd_runtime::CrdSchema>::SHAPE;
    #[automatically_derived]
    impl ::crd_runtime::CrdSchema for Job {
        const SHAPE: ::crd_runtime::crd_schema::Shape = ::crd_runtime::crd_schema::Shape {
            fields: &[
                ::crd_runtime::crd_schema::FieldShape {
                    name: "spec",
                    shape: &<JobSpec as ::crd_runtime::CrdSchema>::SHAPE,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
                ::crd_runtime::crd_schema::FieldShape {
                    name: "status",
                    presence: ::crd_runtime::crd_schema::FieldPresence::Optional,
                    shape: &::crd_runtime::__private::Of::<JobStatus>::SHAPE,
                    ..::crd_runtime::crd_schema::FieldShape::FLATTENED
                },
            ],
            ..::crd_runtime::crd_schema::Shape::of(
                ::crd_runtime::crd_schema::Kind::Object,
            )
        };
        const CEL: ::crd_runtime::crd_schema::Declared = ::crd_runtime::__private::cel::Declared::Object(
            &::crd_runtime::__private::cel::Object {
                name: "Job",
                fields: &[
                    ::crd_runtime::__private::cel::Field {
                        name: "",
                        of: &::crd_runtime::__private::cel::Declared::RESOURCE,
                        optional: false,
                    },
                    ::crd_runtime::__private::cel::Field {
                        name: "spec",
                        of: &<JobSpec as ::crd_runtime::CrdSchema>::CEL,
                        optional: false,
                    },
                    ::crd_runtime::__private::cel::Field {
                        name: "status",
                        of: &::crd_runtime::__private::Of::<JobStatus>::CEL,
                        optional: true,
                    },
                ],
            },
        );
        const RULES: ::crd_runtime::__private::cel::Rules = ::crd_runtime::__private::cel::Rules {
            of: "Job",
            own: &[],
            below: &[
                ("spec", &::crd_runtime::__private::Of::<JobSpec>::RULES),
                ("status", &::crd_runtime::__private::Of::<JobStatus>::RULES),
            ],
            ..::crd_runtime::__private::cel::Rules::NONE
        };
        fn schema() -> ::crd_runtime::model::JsonSchemaProps {
            const {
                let _ = <Self as ::crd_runtime::CrdSchema>::SHAPE;
            }
            let object = ::crd_runtime::__private::Object::new()
                .field(
                    "spec",
                    ::crd_runtime::__private::Presence::Required,
                    <JobSpec as ::crd_runtime::CrdSchema>::schema(),
                )
                .field(
                    "status",
                    ::crd_runtime::__private::Presence::Optional,
                    ::crd_runtime::__private::Of::<JobStatus>::schema(),
                )
                .done();
            ::crd_runtime::__private::Schema::from(object).done()
        }
        fn collect(at: &str, into: &mut ::crd_runtime::__private::Collected) {
            into.descend(at, "spec", <JobSpec as ::crd_runtime::CrdSchema>::collect);
            into.descend(
                at,
                "status",
                ::crd_runtime::__private::Of::<JobStatus>::collect,
            );
        }
    }
    static __CEL: ::crd_runtime::crd_schema::Declared = <Job as ::crd_runtime::CrdSchema>::CEL;
    const _: () = ::crd_runtime::__private::cel::all_available(
        &::crd_runtime::__private::Of::<JobStatus>::RULES,
        "status",
        35u32,
    );
    static __RULES: ::crd_runtime::crd_schema::Rules = <Job as ::crd_runtime::CrdSchema>::RULES;
    const _: () = ::crd_runtime::__private::cel::within_limit(
        &__CEL,
        &__RULES,
        1usize,
        35u32,
    );
    const _: () = ::crd_runtime::__private::cel::within_total(&__CEL, &__RULES, 35u32);
    #[automatically_derived]
    impl ::crd_runtime::CustomResource for Job {
        const GROUP: &'static str = "example.com";
        const VERSION: &'static str = "v1";
        const API_VERSION: &'static str = "example.com/v1";
        const KIND: &'static str = "Job";
        const PLURAL: &'static str = "jobs";
        const NAMESPACED: bool = true;
        const STORAGE: bool = true;
        fn definition() -> ::crd_runtime::model::CustomResourceDefinition {
            ::crd_runtime::__private::Definition::new(
                    &::crd_runtime::__private::Kind {
                        group: "example.com",
                        version: "v1",
                        kind: "Job",
                        plural: "jobs",
                        singular: "job",
                        list_kind: "JobList",
                        namespaced: true,
                    },
                )
                .short_name("jb")
                .status()
                .scale(
                    ".spec.replicas",
                    ".status.replicas",
                    ::core::option::Option::None,
                )
                .collect::<Self>("")
                .column(::crd_runtime::__private::Column {
                    name: ::core::option::Option::Some("Age"),
                    type_: ::core::option::Option::Some("date"),
                    path: ::core::option::Option::Some(".metadata.creationTimestamp"),
                    ..::crd_runtime::__private::Column::NONE
                })
                .schema(<Self as ::crd_runtime::CrdSchema>::schema())
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::k8s_openapi::Resource for Job {
        const API_VERSION: &'static str = "example.com/v1";
        const GROUP: &'static str = "example.com";
        const KIND: &'static str = "Job";
        const VERSION: &'static str = "v1";
        const URL_PATH_SEGMENT: &'static str = "jobs";
        type Scope = ::crd_runtime::__private::k8s_openapi::NamespaceResourceScope;
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::k8s_openapi::ListableResource for Job {
        const LIST_KIND: &'static str = "JobList";
    }
    #[automatically_derived]
    impl ::crd_runtime::__private::k8s_openapi::Metadata for Job {
        type Ty = ::crd_runtime::__private::ObjectMeta;
        fn metadata(&self) -> &Self::Ty {
            &self.metadata
        }
        fn metadata_mut(&mut self) -> &mut Self::Ty {
            &mut self.metadata
        }
    }
    const _: () = ::crd_runtime::__private::check::column::<
        Job,
    >(
        &[
            ::crd_runtime::__private::check::Step::Field("metadata"),
            ::crd_runtime::__private::check::Step::Field("creationTimestamp"),
        ],
        "date",
    );
    const _: () = ::crd_runtime::__private::check::scale::<
        Job,
    >(
        &[
            ::crd_runtime::__private::check::Step::Field("spec"),
            ::crd_runtime::__private::check::Step::Field("replicas"),
        ],
    );
    const _: () = ::crd_runtime::__private::check::scale::<
        Job,
    >(
        &[
            ::crd_runtime::__private::check::Step::Field("status"),
            ::crd_runtime::__private::check::Step::Field("replicas"),
        ],
    );
    const _: () = ::crd_runtime::__private::check::headings::<Job>(&["Age"]);
    const _: () = ::crd_runtime::__private::check::collected::<
        Job,
    >(1usize, ::core::option::Option::Some("spec"));
};
