//! Checks at compile time that types which threads share are `Send` and `Sync`.

const fn shared<T: Send + Sync>() {}

const _: () = {
    shared::<crate::client::RequestContext>();
    shared::<crate::client::Error>();
    shared::<crate::client::InstallOptions>();
    shared::<crate::migrate::Checkpoint>();
    shared::<crate::migrate::Error>();
    shared::<crate::migrate::Migration>();
};

/// Checks the types of the client that have a kind as their parameter.
#[expect(dead_code, reason = "rustc checks the bounds without a call")]
const fn of_a_kind<K: crate::client::Kind>() {
    shared::<crate::client::Api<K>>();
    shared::<crate::client::Selector<K>>();
}
