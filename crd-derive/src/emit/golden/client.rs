#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::HasStatus for Job {
    type Status = JobStatus;
}
#[automatically_derived]
impl ::crd_runtime::HasScale for Job {
    const SPEC_REPLICAS_PATH: &'static str = ".spec.replicas";
    const STATUS_REPLICAS_PATH: &'static str = ".status.replicas";
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::__private::kube::core::object::HasSpec for Job {
    type Spec = JobSpec;
    fn spec(&self) -> &JobSpec {
        &self.spec
    }
    fn spec_mut(&mut self) -> &mut JobSpec {
        &mut self.spec
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::__private::kube::core::object::HasStatus for Job {
    type Status = JobStatus;
    fn status(&self) -> ::core::option::Option<&JobStatus> {
        self.status.as_ref()
    }
    fn status_mut(&mut self) -> &mut ::core::option::Option<JobStatus> {
        &mut self.status
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    /// The selectable fields.
    #[derive(::core::fmt::Debug, ::core::clone::Clone)]
    #[allow(
        unreachable_pub,
        reason = "it is public through the function that returns it"
    )]
    pub struct Fields<K>(::crd_runtime::client::FieldPath<K>);
    #[automatically_derived]
    #[allow(
        dead_code,
        private_interfaces,
        private_bounds,
        unreachable_pub,
        reason = "a selector is for who wants it, and as visible as its field"
    )]
    impl<K> Fields<K> {
        ///`.spec.color`
        #[must_use]
        pub fn color(&self) -> ::crd_runtime::client::Field<K, String> {
            self.0.field(".spec.color")
        }
        ///The fields below `.status`.
        #[must_use]
        pub fn status<F>(&self) -> F
        where
            JobStatus: ::crd_runtime::client::SelectFields<K, F>,
        {
            <JobStatus as ::crd_runtime::client::SelectFields<
                K,
                F,
            >>::fields(self.0.at(".status"))
        }
        ///The object's name: `.metadata.name`
        #[must_use]
        pub fn metadata_name(
            &self,
        ) -> ::crd_runtime::client::Field<K, ::std::string::String> {
            self.0.field(".metadata.name")
        }
        ///The object's namespace: `.metadata.namespace`
        #[must_use]
        pub fn metadata_namespace(
            &self,
        ) -> ::crd_runtime::client::Field<K, ::std::string::String> {
            self.0.field(".metadata.namespace")
        }
    }
    #[automatically_derived]
    impl Job {
        /// The selectable fields.
        fn fields() -> Fields<Self> {
            Fields(::crd_runtime::client::FieldPath::root())
        }
    }
};
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    /// The selectable fields.
    #[derive(::core::fmt::Debug, ::core::clone::Clone)]
    #[allow(
        unreachable_pub,
        reason = "it is public through the function that returns it"
    )]
    pub struct Fields<K>(::crd_runtime::client::FieldPath<K>);
    #[automatically_derived]
    #[allow(
        dead_code,
        private_interfaces,
        private_bounds,
        unreachable_pub,
        reason = "a selector is for who wants it, and as visible as its field"
    )]
    impl<K> Fields<K> {
        ///`.phase`
        #[must_use]
        pub fn phase(&self) -> ::crd_runtime::client::Field<K, String> {
            self.0.field(".phase")
        }
        ///The fields below `.place`.
        #[must_use]
        pub fn place<F>(&self) -> F
        where
            Place: ::crd_runtime::client::SelectFields<K, F>,
        {
            <Place as ::crd_runtime::client::SelectFields<
                K,
                F,
            >>::fields(self.0.at(".place"))
        }
    }
    #[automatically_derived]
    impl<K> ::crd_runtime::client::SelectFields<K, Fields<K>> for Status {
        fn fields(path: ::crd_runtime::client::FieldPath<K>) -> Fields<K> {
            Fields(path)
        }
    }
};
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    #[automatically_derived]
    impl ::crd_runtime::client::Matches<&Color> for Color {
        fn text(value: &Color) -> ::std::string::String {
            #[allow(
                unreachable_patterns,
                reason = "variants that serde skips have no name"
            )]
            let name = match value {
                Color::Blue { .. } => "Blue",
                Color::DarkRed { .. } => "dark red",
                _ => "",
            };
            ::core::convert::From::from(name)
        }
    }
    #[automatically_derived]
    impl ::crd_runtime::client::Matches<Color> for Color {
        fn text(value: Color) -> ::std::string::String {
            <Color as ::crd_runtime::client::Matches<&Color>>::text(&value)
        }
    }
};
