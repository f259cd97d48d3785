//! Implementations of [`IntoApply`] for types of std, `serde_json`, k8s-openapi and optional crates, such as chrono.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::marker::PhantomData;
use std::num::{self, Saturating, Wrapping};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, SystemTime};
use std::{net, ops};

use k8s_openapi::ByteString;
use k8s_openapi::api::{apps, autoscaling, batch, core, networking, policy, rbac};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions;
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta;
use k8s_openapi::apimachinery::pkg::runtime::RawExtension;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde_json::{Map, Number, Value};

use super::IntoApply;
use crate::crd_schema::bridged_types;

/// Implements [`IntoApply`] for types that are applied as a whole.
macro_rules! whole {
    ($([$($generics:tt)*] $ty:ty;)*) => {$(
        impl<$($generics)*> $crate::apply::IntoApply for $ty {
            type Apply = Self;

            #[inline]
            fn into_apply(self) -> Self {
                self
            }
        }
    )*};
}
whole! {
    [] i8; [] i16; [] i32; [] i64; [] isize;
    [] u8; [] u16; [] u32; [] u64; [] usize;
    [] num::NonZeroI8; [] num::NonZeroI16; [] num::NonZeroI32; [] num::NonZeroI64; [] num::NonZeroIsize;
    [] num::NonZeroU8; [] num::NonZeroU16; [] num::NonZeroU32; [] num::NonZeroU64; [] num::NonZeroUsize;
    [] f32; [] f64; [] bool; [] char; [] String; [] PathBuf; [] Box<str>; [] ();
    [] Duration; [] SystemTime; [] crate::GoDuration;
    [] Value; [] Map<String, Value>; [] Number;
    [] Quantity; [] IntOrString; [] RawExtension; [] ByteString;
    [] meta::v1::Time; [] meta::v1::MicroTime; [] meta::v1::FieldsV1; [] apiextensions::v1::JSON;
    [] meta::v1::Condition; [] meta::v1::ManagedFieldsEntry; [] meta::v1::ObjectMeta; [] meta::v1::OwnerReference;
    [T: ?Sized] PhantomData<T>;
    [T, const N: usize] [T; N];
    [T, S] HashSet<T, S>;
    [T] BTreeSet<T>; [T] BinaryHeap<T>;
    [T] (T,); [T] (T, T); [T] (T, T, T); [T] (T, T, T, T); [T] (T, T, T, T, T); [T] (T, T, T, T, T, T);
    [T] (T, T, T, T, T, T, T); [T] (T, T, T, T, T, T, T, T);
    [T] (T, T, T, T, T, T, T, T, T); [T] (T, T, T, T, T, T, T, T, T, T); [T] (T, T, T, T, T, T, T, T, T, T, T); [T] (T, T, T, T, T, T, T, T, T, T, T, T);
    [T] (T, T, T, T, T, T, T, T, T, T, T, T, T); [T] (T, T, T, T, T, T, T, T, T, T, T, T, T, T); [T] (T, T, T, T, T, T, T, T, T, T, T, T, T, T, T); [T] (T, T, T, T, T, T, T, T, T, T, T, T, T, T, T, T);
    [] net::IpAddr; [] net::Ipv4Addr; [] net::Ipv6Addr;
    [] net::SocketAddr; [] net::SocketAddrV4; [] net::SocketAddrV6;
    [T] ops::Range<T>; [T] ops::RangeInclusive<T>; [T] ops::RangeFrom<T>; [T] ops::RangeTo<T>; [T] ops::Bound<T>;
    [T, E] Result<T, E>;
}

/// As `whole`, for types that are listed by their modules.
macro_rules! whole_of_modules {
    ($($module:path: $($name:ident)*;)*) => {$(
        const _: () = {
            use $module as module;
            whole! { $([] module::$name;)* }
        };
    )*};
}

bridged_types! { whole_of_modules }

#[cfg(feature = "client")]
whole! {
    [] kube::core::Duration;
}

#[cfg(feature = "chrono")]
whole! {
    [Tz: chrono::TimeZone] chrono::DateTime<Tz>;
    [] chrono::NaiveDate; [] chrono::NaiveDateTime; [] chrono::NaiveTime;
}

#[cfg(feature = "jiff")]
whole! {
    [] jiff::Timestamp; [] jiff::civil::Date; [] jiff::Zoned; [] jiff::civil::DateTime; [] jiff::civil::Time;
    [] jiff::Span; [] jiff::SignedDuration;
}

#[cfg(feature = "indexmap")]
whole! {
    [T, S] indexmap::IndexSet<T, S>;
}

#[cfg(feature = "url")]
whole! {
    [] url::Url;
}

#[cfg(feature = "uuid")]
whole! {
    [] uuid::Uuid;
}

/// Implements [`IntoApply`] for types that contain others. An entry has the type, its type in the configuration, and
/// the conversion.
macro_rules! holds {
    ($([$($generics:tt)*] $ty:ty => $apply:ty, |$value:ident| $into:expr;)*) => {$(
        impl<$($generics)*> IntoApply for $ty {
            type Apply = $apply;
            const KEYS: Option<&'static [&'static str]> = T::KEYS;
            const MISSING: bool = T::MISSING;

            fn into_apply(self) -> Self::Apply {
                let $value = self;
                $into
            }
        }
    )*};
}

holds! {
    [T: IntoApply] Option<T> => Option<T::Apply>, |value| value.map(T::into_apply);
    [T: IntoApply] Vec<T> => Vec<T::Apply>, |list| list.into_iter().map(T::into_apply).collect();
    [T: IntoApply] VecDeque<T> => VecDeque<T::Apply>, |list| list.into_iter().map(T::into_apply).collect();
    [T: IntoApply] LinkedList<T> => LinkedList<T::Apply>, |list| list.into_iter().map(T::into_apply).collect();
    [K: Ord, T: IntoApply] BTreeMap<K, T> => BTreeMap<K, T::Apply>,
        |map| map.into_iter().map(|(key, value)| (key, value.into_apply())).collect();
    [K: Eq + Hash, T: IntoApply, S: BuildHasher + Default] HashMap<K, T, S> => HashMap<K, T::Apply, S>,
        |map| map.into_iter().map(|(key, value)| (key, value.into_apply())).collect();
    [T: IntoApply] Box<T> => Box<T::Apply>, |value| Box::new((*value).into_apply());
    [T: IntoApply + Clone] Arc<T> => T::Apply, |value| Arc::unwrap_or_clone(value).into_apply();
    [T: IntoApply + Clone] Rc<T> => T::Apply, |value| Rc::unwrap_or_clone(value).into_apply();
    [T: IntoApply] Box<[T]> => Box<[T::Apply]>, |list| Vec::from(list).into_iter().map(T::into_apply).collect();
    [T: IntoApply + Clone] Arc<[T]> => Vec<T::Apply>, |list| list.iter().cloned().map(T::into_apply).collect();
    [T: IntoApply + Clone] Rc<[T]> => Vec<T::Apply>, |list| list.iter().cloned().map(T::into_apply).collect();
    [T: IntoApply] Mutex<T> => T::Apply,
        |value| value.into_inner().unwrap_or_else(PoisonError::into_inner).into_apply();
    [T: IntoApply] RwLock<T> => T::Apply,
        |value| value.into_inner().unwrap_or_else(PoisonError::into_inner).into_apply();
    [T: IntoApply] Cell<T> => T::Apply, |value| value.into_inner().into_apply();
    [T: IntoApply] RefCell<T> => T::Apply, |value| value.into_inner().into_apply();
    [T: IntoApply] Reverse<T> => T::Apply, |value| value.0.into_apply();
    [T: IntoApply] Wrapping<T> => T::Apply, |value| value.0.into_apply();
    [T: IntoApply] Saturating<T> => T::Apply, |value| value.0.into_apply();
}

#[cfg(feature = "indexmap")]
holds! {
    [K: Eq + Hash, T: IntoApply, S: BuildHasher + Default] indexmap::IndexMap<K, T, S> => indexmap::IndexMap<K, T::Apply, S>,
        |map| map.into_iter().map(|(key, value)| (key, value.into_apply())).collect();
}

impl IntoApply for Arc<str> {
    type Apply = String;

    fn into_apply(self) -> String {
        self.as_ref().to_owned()
    }
}

impl IntoApply for Rc<str> {
    type Apply = String;

    fn into_apply(self) -> String {
        self.as_ref().to_owned()
    }
}

impl<T: ToOwned + ?Sized> IntoApply for Cow<'_, T>
where
    T::Owned: IntoApply,
{
    type Apply = <T::Owned as IntoApply>::Apply;
    const KEYS: Option<&'static [&'static str]> = <T::Owned as IntoApply>::KEYS;
    const MISSING: bool = <T::Owned as IntoApply>::MISSING;

    fn into_apply(self) -> Self::Apply {
        self.into_owned().into_apply()
    }
}
