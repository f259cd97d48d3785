//! Checks at compile time that types which threads share are `Send` and `Sync`.

#[cfg(feature = "engine")]
const fn shared<T: Send + Sync>() {}

#[cfg(feature = "engine")]
const _: () = {
    shared::<crate::admit::Admitted>();
    shared::<crate::admit::Rejection>();
    shared::<crate::compiled::CompiledSchema>();
    shared::<crate::convert::ConvertError>();
    shared::<crate::convert::Converter>();
    shared::<crate::definition::DecodeError>();
    shared::<crate::field::ErrorList>();
    shared::<crate::field_selector::FieldSelector>();
    shared::<crate::json::Error>();
    shared::<crate::json_path::Template>();
    shared::<crate::model::CustomResourceDefinition>();
    shared::<crate::schema::Structural>();
    shared::<crate::versions::MergeError>();
};

#[cfg(feature = "yaml")]
const _: () = {
    shared::<crate::yaml::Document>();
    shared::<crate::yaml::Error>();
};

#[cfg(feature = "client")]
const _: () = {
    shared::<crate::client::RequestContext>();
    shared::<crate::client::Error>();
    shared::<crate::client::InstallOptions>();
    shared::<crate::migrate::Checkpoint>();
    shared::<crate::migrate::Error>();
    shared::<crate::migrate::Migration>();
};

/// Checks the types of the client that have a kind as their parameter.
#[cfg(feature = "client")]
#[expect(dead_code, reason = "rustc checks the bounds without a call")]
const fn of_a_kind<K: crate::client::Kind>() {
    shared::<crate::client::Api<K>>();
    shared::<crate::client::Selector<K>>();
}

#[cfg(feature = "webhook")]
const _: () = {
    shared::<crate::webhook::BoundServer>();
    shared::<crate::webhook::Error>();
    shared::<crate::webhook::Event>();
    shared::<crate::webhook::Limits>();
    shared::<crate::webhook::Server>();
};
