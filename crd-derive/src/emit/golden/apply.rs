///Apply configuration of [`JobSpec`]: the fields that a field manager wants to own.
#[allow(unused_qualifications, clippy::absolute_paths)]
#[derive(
    ::core::clone::Clone,
    ::core::fmt::Debug,
    ::crd_runtime::__private::serde::Serialize,
    ::crd_runtime::__private::serde::Deserialize,
)]
#[serde(crate = ":: crd_runtime :: __private :: serde")]
struct JobSpecApply {
    /// The least.
    #[serde(
        rename = "min",
        default,
        skip_serializing_if = "::core::option::Option::is_none",
    )]
    least: ::core::option::Option<i32>,
    ///`ports`
    #[serde(
        rename = "ports",
        default,
        skip_serializing_if = "::core::option::Option::is_none",
    )]
    ports: ::core::option::Option<<Vec<Port> as ::crd_runtime::apply::IntoApply>::Apply>,
    ///`more`
    #[serde(flatten, default, skip_serializing_if = "::core::option::Option::is_none")]
    more: ::core::option::Option<<More as ::crd_runtime::apply::IntoApply>::Apply>,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
#[allow(dead_code, reason = "not every configuration is written out by hand")]
impl JobSpecApply {
    ///Says nothing yet.
    #[must_use]
    fn new() -> Self {
        Self {
            least: ::core::option::Option::None,
            ports: ::core::option::Option::None,
            more: ::core::option::Option::None,
        }
    }
    ///Sets `min`.
    #[must_use]
    fn least(mut self, value: i32) -> Self {
        self.least = ::core::option::Option::Some(value);
        self
    }
    ///Adds to `ports`.
    #[must_use]
    fn ports(
        mut self,
        values: impl ::core::iter::IntoIterator<
            Item = impl ::core::convert::Into<
                <Port as ::crd_runtime::apply::IntoApply>::Apply,
            >,
        >,
    ) -> Self {
        let values = ::core::iter::IntoIterator::into_iter(values);
        ::core::iter::Extend::extend(
            ::core::option::Option::get_or_insert_default(&mut self.ports),
            ::core::iter::Iterator::map(
                values,
                ::core::convert::Into::<
                    <Port as ::crd_runtime::apply::IntoApply>::Apply,
                >::into,
            ),
        );
        self
    }
    ///Sets `more`.
    #[must_use]
    fn more(
        mut self,
        value: impl ::core::convert::Into<
            <More as ::crd_runtime::apply::IntoApply>::Apply,
        >,
    ) -> Self {
        self.more = ::core::option::Option::Some(::core::convert::Into::into(value));
        self
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::core::default::Default for JobSpecApply {
    fn default() -> Self {
        Self::new()
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::core::convert::From<JobSpec> for JobSpecApply {
    fn from(value: JobSpec) -> Self {
        Self {
            least: if is_zero(&value.least) {
                ::core::option::Option::None
            } else {
                ::core::option::Option::Some(value.least)
            },
            ports: ::core::option::Option::Some(
                ::crd_runtime::apply::IntoApply::into_apply(value.ports),
            ),
            more: ::core::option::Option::map(
                value.more,
                ::crd_runtime::apply::IntoApply::into_apply,
            ),
        }
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::apply::IntoApply for JobSpec {
    type Apply = JobSpecApply;
    const KEYS: ::core::option::Option<&'static [&'static str]> = ::core::option::Option::Some(
        &[],
    );
    fn into_apply(self) -> Self::Apply {
        ::core::convert::From::from(self)
    }
}
///Apply configuration of [`Job`]: the fields that a field manager wants to own.
#[allow(unused_qualifications, clippy::absolute_paths)]
#[derive(
    ::core::clone::Clone,
    ::core::fmt::Debug,
    ::crd_runtime::__private::serde::Serialize,
    ::crd_runtime::__private::serde::Deserialize,
)]
#[serde(crate = ":: crd_runtime :: __private :: serde")]
struct JobApply {
    /// `apiVersion` and `kind`: always written.
    #[serde(flatten)]
    pub type_meta: ::crd_runtime::TypeMeta<Job>,
    /// Metadata.
    #[serde(
        default,
        skip_serializing_if = ":: crd_runtime :: apply :: ObjectMetaApply :: is_empty"
    )]
    pub metadata: ::crd_runtime::apply::ObjectMetaApply,
    ///The desired state.
    #[serde(default, skip_serializing_if = "::core::option::Option::is_none")]
    pub spec: ::core::option::Option<
        <JobSpec as ::crd_runtime::apply::IntoApply>::Apply,
    >,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
#[allow(dead_code, reason = "not every configuration is written out by hand")]
impl JobApply {
    ///Says nothing yet.
    #[must_use]
    fn new() -> Self {
        Self {
            type_meta: ::crd_runtime::TypeMeta::new(),
            metadata: ::crd_runtime::apply::ObjectMetaApply::new(),
            spec: ::core::option::Option::None,
        }
    }
    ///Sets the name.
    #[must_use]
    pub fn name(
        mut self,
        name: impl ::core::convert::Into<::std::string::String>,
    ) -> Self {
        self.metadata = self.metadata.name(name);
        self
    }
    ///Sets the namespace.
    #[must_use]
    pub fn namespace(
        mut self,
        namespace: impl ::core::convert::Into<::std::string::String>,
    ) -> Self {
        self.metadata = self.metadata.namespace(namespace);
        self
    }
    ///Puts one label.
    #[must_use]
    pub fn label(
        mut self,
        key: impl ::core::convert::Into<::std::string::String>,
        value: impl ::core::convert::Into<::std::string::String>,
    ) -> Self {
        self.metadata = self.metadata.label(key, value);
        self
    }
    ///Adds labels, replacing those with the same keys.
    #[must_use]
    pub fn labels(
        mut self,
        labels: impl ::core::iter::IntoIterator<
            Item = (
                impl ::core::convert::Into<::std::string::String>,
                impl ::core::convert::Into<::std::string::String>,
            ),
        >,
    ) -> Self {
        self.metadata = self.metadata.labels(labels);
        self
    }
    ///Puts one annotation.
    #[must_use]
    pub fn annotation(
        mut self,
        key: impl ::core::convert::Into<::std::string::String>,
        value: impl ::core::convert::Into<::std::string::String>,
    ) -> Self {
        self.metadata = self.metadata.annotation(key, value);
        self
    }
    ///Adds annotations, replacing those with the same keys.
    #[must_use]
    pub fn annotations(
        mut self,
        annotations: impl ::core::iter::IntoIterator<
            Item = (
                impl ::core::convert::Into<::std::string::String>,
                impl ::core::convert::Into<::std::string::String>,
            ),
        >,
    ) -> Self {
        self.metadata = self.metadata.annotations(annotations);
        self
    }
    ///Adds owners.
    #[must_use]
    pub fn owner_references(
        mut self,
        owners: impl ::core::iter::IntoIterator<
            Item = ::crd_runtime::__private::OwnerReference,
        >,
    ) -> Self {
        self.metadata = self.metadata.owner_references(owners);
        self
    }
    ///Adds finalizers.
    #[must_use]
    pub fn finalizers(
        mut self,
        finalizers: impl ::core::iter::IntoIterator<
            Item = impl ::core::convert::Into<::std::string::String>,
        >,
    ) -> Self {
        self.metadata = self.metadata.finalizers(finalizers);
        self
    }
    ///Returns the fields of an object that `manager` has applied, to be changed and applied again.
    ///
    /// # Errors
    /// See `crd_runtime::apply::ApplyConfiguration::extract`.
    pub fn extract(
        object: &Job,
        manager: &str,
    ) -> ::core::result::Result<Self, ::crd_runtime::managed_fields::Error> {
        ::crd_runtime::apply::ApplyConfiguration::extract_subresource(
            object,
            manager,
            "",
        )
    }
    ///Sets `spec`.
    #[must_use]
    pub fn spec(
        mut self,
        value: impl ::core::convert::Into<
            <JobSpec as ::crd_runtime::apply::IntoApply>::Apply,
        >,
    ) -> Self {
        self.spec = ::core::option::Option::Some(::core::convert::Into::into(value));
        self
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::core::default::Default for JobApply {
    fn default() -> Self {
        Self::new()
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::core::convert::From<Job> for JobApply {
    fn from(value: Job) -> Self {
        Self {
            type_meta: ::crd_runtime::TypeMeta::new(),
            metadata: ::core::convert::From::from(value.metadata),
            spec: ::core::option::Option::Some(
                ::crd_runtime::apply::IntoApply::into_apply(value.spec),
            ),
        }
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::apply::ApplyConfiguration for JobApply {
    type Kind = Job;
    fn metadata(&self) -> &::crd_runtime::apply::ObjectMetaApply {
        &self.metadata
    }
    fn metadata_mut(&mut self) -> &mut ::crd_runtime::apply::ObjectMetaApply {
        &mut self.metadata
    }
    fn schema() -> &'static ::crd_runtime::model::JsonSchemaProps {
        static SCHEMA: ::std::sync::OnceLock<::crd_runtime::model::JsonSchemaProps> = ::std::sync::OnceLock::new();
        SCHEMA.get_or_init(<Job as ::crd_runtime::CrdSchema>::schema)
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    const _: () = ::crd_runtime::__private::check::require(
        !<Vec<Port> as ::crd_runtime::apply::IntoApply>::MISSING,
        "the type has no apply configuration; write `#[crd(apply)]` next to its derive, or `#[crd(apply(whole))]`",
    );
    const _: () = ::crd_runtime::__private::check::require(
        ::crd_runtime::__private::check::requires_key(
            <Vec<Port> as ::crd_runtime::apply::IntoApply>::KEYS,
            "name",
        ),
        "the apply configuration of an item must require the key `name`; write `#[crd(apply(keys(\"name\")))]` on the type of the items",
    );
    const _: () = ::crd_runtime::__private::check::require(
        !<Option<More> as ::crd_runtime::apply::IntoApply>::MISSING,
        "the type has no apply configuration; write `#[crd(apply)]` next to its derive, or `#[crd(apply(whole))]`",
    );
};
///Apply configuration of [`Port`]: the fields that a field manager wants to own.
#[allow(unused_qualifications, clippy::absolute_paths)]
#[derive(
    ::core::clone::Clone,
    ::core::fmt::Debug,
    ::crd_runtime::__private::serde::Serialize,
    ::crd_runtime::__private::serde::Deserialize,
)]
#[serde(crate = ":: crd_runtime :: __private :: serde")]
struct PortApply {
    ///`name`
    #[serde(rename = "name")]
    name: String,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
#[allow(dead_code, reason = "not every configuration is written out by hand")]
impl PortApply {
    ///Returns a configuration with the keys of the item only.
    #[must_use]
    fn new(name: impl ::core::convert::Into<String>) -> Self {
        Self {
            name: ::core::convert::Into::into(name),
        }
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::core::convert::From<Port> for PortApply {
    fn from(value: Port) -> Self {
        Self { name: value.name }
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::apply::IntoApply for Port {
    type Apply = PortApply;
    const KEYS: ::core::option::Option<&'static [&'static str]> = ::core::option::Option::Some(
        &["name"],
    );
    fn into_apply(self) -> Self::Apply {
        ::core::convert::From::from(self)
    }
}
///Apply configuration of [`Action`]: the same variants, with optional fields.
#[allow(unused_qualifications, clippy::absolute_paths)]
#[derive(
    ::core::clone::Clone,
    ::core::fmt::Debug,
    ::crd_runtime::__private::serde::Serialize,
    ::crd_runtime::__private::serde::Deserialize,
)]
#[serde(crate = ":: crd_runtime :: __private :: serde", tag = "type")]
enum ActionApply {
    ///`Run`
    #[serde(rename = "Run")]
    Run {
        ///`command`
        #[serde(
            rename = "command",
            default,
            skip_serializing_if = "::core::option::Option::is_none",
        )]
        command: ::core::option::Option<Vec<String>>,
    },
    ///`Http`
    #[serde(rename = "Http")]
    Http(#[serde()] <Http as ::crd_runtime::apply::IntoApply>::Apply),
    ///`None`
    #[serde(rename = "None")]
    None,
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ActionApply {}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::core::convert::From<Action> for ActionApply {
    fn from(value: Action) -> Self {
        match value {
            Action::Run { command: value_0, .. } => {
                Self::Run {
                    command: ::core::option::Option::Some(value_0),
                }
            }
            Action::Http(value_0) => {
                Self::Http(::crd_runtime::apply::IntoApply::into_apply(value_0))
            }
            Action::None { .. } => Self::None,
        }
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
#[automatically_derived]
impl ::crd_runtime::apply::IntoApply for Action {
    type Apply = ActionApply;
    const KEYS: ::core::option::Option<&'static [&'static str]> = ::core::option::Option::None;
    fn into_apply(self) -> Self::Apply {
        ::core::convert::From::from(self)
    }
}
#[allow(unused_qualifications, clippy::absolute_paths)]
const _: () = {
    const _: () = ::crd_runtime::__private::check::require(
        !<Http as ::crd_runtime::apply::IntoApply>::MISSING,
        "the type has no apply configuration; write `#[crd(apply)]` next to its derive, or `#[crd(apply(whole))]`",
    );
};
