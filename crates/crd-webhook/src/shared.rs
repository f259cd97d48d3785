//! Checks at compile time that types which threads share are `Send` and `Sync`.

const fn shared<T: Send + Sync>() {}

const _: () = {
    shared::<crate::BoundServer>();
    shared::<crate::Error>();
    shared::<crate::Event>();
    shared::<crate::Limits>();
    shared::<crate::Server>();
};
