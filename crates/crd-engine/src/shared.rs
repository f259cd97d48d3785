//! Checks at compile time that types which threads share are `Send` and `Sync`.

const fn shared<T: Send + Sync>() {}

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
    shared::<crate::yaml::Document>();
    shared::<crate::yaml::Error>();
};
