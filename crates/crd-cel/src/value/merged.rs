//! The result of `+` on a declared list of type `set` or `map`: a list of CEL values, which keeps the
//! list type.
//!
//! Only servers with [`Change::ListsAddValues`](crate::minors::Change::ListsAddValues) have such lists.
//!
//! Source: `k8s.io/apiserver/pkg/cel/common/valuesreflect.go`, `refValSetList`, `refValMapList`.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{List, Value};
use crate::error::EvalError;
use crate::time::Timestamp;

/// The error of an element that a set cannot have.
const NOT_SCALAR: EvalError =
    EvalError::fixed("listSet operations are only supported on lists of scalar values");

/// An element: its value, or its error.
pub(super) type Element<'a> = Result<Value<'a>, EvalError>;

/// A list with the semantics of the declared list that was the first operand.
#[derive(Debug)]
pub struct Merged<'a> {
    pub(super) elements: Vec<Element<'a>>,
    pub(super) semantics: Semantics,
}

/// The list type of a merged list, which decides how it compares and adds.
#[derive(Debug, Clone)]
pub(super) enum Semantics {
    Set,
    /// As a list of type `map`, whose keys have these names, written as identifiers.
    Map(Arc<[Box<str>]>),
}

/// The key of a value in the server's Go maps. Two keys are equal if their Go types and values are.
#[derive(Debug, PartialEq, Eq, Hash, Clone)]
pub(super) enum MergedKey {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    /// The bits of a float; the two zeros are one key.
    Double(u64),
    String(Box<str>),
    /// The text of a value that Go cannot compare. The server prints with Go's `%#v`, this crate with `Debug`.
    Printed(Box<str>),
    Duration(i64),
    Time(i64, u32),
    /// Equal to no other key: that of NaN, of an error, or of a time with an offset from UTC.
    Unique(usize),
}

/// Creates keys. A value that equals no other value gets a new unique key each time.
#[derive(Default)]
pub(super) struct Keys {
    unique: usize,
}

impl Keys {
    fn unique(&mut self) -> MergedKey {
        self.unique += 1;
        MergedKey::Unique(self.unique)
    }

    fn of(&mut self, value: &Value<'_>) -> MergedKey {
        match value {
            Value::Null => MergedKey::Null,
            Value::Bool(b) => MergedKey::Bool(*b),
            Value::Int(i) => MergedKey::Int(*i),
            Value::Uint(u) => MergedKey::Uint(*u),
            Value::Double(d) if d.is_nan() => self.unique(),
            Value::Double(d) => MergedKey::Double(if *d == 0.0 { 0 } else { d.to_bits() }),
            Value::String(text) | Value::Type(text) => MergedKey::String((&**text).into()),
            Value::Duration(duration) => MergedKey::Duration(duration.nanos),
            Value::Timestamp(time) => self.of_time(time),
            Value::Bytes(_)
            | Value::List(_)
            | Value::Map(_)
            | Value::Optional(_)
            | Value::Opaque(_)
            | Value::Unknown(_) => MergedKey::Printed(format!("{value:?}").into()),
        }
    }

    /// Upstream: Go's `==` on times also compares the pointers to their zones. A parsed time with an
    /// offset has a zone of its own, except that Go shares the zones of whole hours from -12 to 14;
    /// this exception is not reproduced here.
    fn of_time(&mut self, time: &Timestamp) -> MergedKey {
        if time.offset == 0 { MergedKey::Time(time.seconds, time.nanos) } else { self.unique() }
    }

    /// The key of an element of a set.
    ///
    /// # Errors
    /// If the element is a list or a map.
    fn of_set_element(&mut self, element: &Element<'_>) -> Result<MergedKey, EvalError> {
        match element {
            Ok(Value::List(_) | Value::Map(_)) => Err(NOT_SCALAR),
            Ok(value) => Ok(self.of(value)),
            Err(error) if error.ends_evaluation() => Err(error.clone()),
            Err(_) => Ok(self.unique()),
        }
    }

    /// The keys of an element of a `map` list; null for a key that the element lacks.
    pub(super) fn of_map_element(
        &mut self,
        element: &Element<'_>,
        names: &[Box<str>],
    ) -> Vec<MergedKey> {
        let Ok(Value::Map(map)) = element else { return vec![MergedKey::Null; names.len()] };
        let mut key = |name: &str| match map.get_str(name) {
            Some(Ok(value)) => self.of(&value),
            Some(Err(_)) | None => MergedKey::Null,
        };
        names.iter().map(|name| key(name)).collect()
    }
}

/// Whether two sets of the same length are equal.
pub(super) fn sets_equal<'a, 'b>(
    a: impl Iterator<Item = Element<'a>>,
    b: impl Iterator<Item = Element<'b>>,
) -> Result<bool, EvalError> {
    let mut keys = Keys::default();
    let mut set = HashSet::new();
    for element in a {
        set.insert(keys.of_set_element(&element)?);
    }
    let mut seen = HashSet::new();
    for element in b {
        let key = keys.of_set_element(&element)?;
        if !set.contains(&key) {
            return Ok(false);
        }
        seen.insert(key);
    }
    Ok(seen.len() == set.len())
}

impl<'a> Merged<'a> {
    /// The union of a set and other elements.
    ///
    /// # Errors
    /// If an element is a list or a map.
    pub(super) fn union(
        mut elements: Vec<Element<'a>>,
        others: impl Iterator<Item = Element<'a>>,
    ) -> Result<Self, EvalError> {
        let mut keys = Keys::default();
        let mut set = HashSet::with_capacity(elements.len());
        for element in &elements {
            set.insert(keys.of_set_element(element)?);
        }
        for element in others {
            if set.insert(keys.of_set_element(&element)?) {
                elements.push(element);
            }
        }
        Ok(Self { elements, semantics: Semantics::Set })
    }

    /// A `map` list, in which other elements replace those with the same keys.
    pub(super) fn merge(
        mut elements: Vec<Element<'a>>,
        others: impl Iterator<Item = Element<'a>>,
        names: Arc<[Box<str>]>,
    ) -> Self {
        let mut keys = Keys::default();
        let own = elements.iter().map(|element| keys.of_map_element(element, &names));
        let indices: HashMap<Vec<MergedKey>, usize> =
            own.enumerate().map(|(index, key)| (key, index)).collect();
        for element in others {
            let index = indices.get(&keys.of_map_element(&element, &names));
            match index.and_then(|index| elements.get_mut(*index)) {
                Some(old) => *old = element,
                None => elements.push(element),
            }
        }
        Self { elements, semantics: Semantics::Map(names) }
    }

    /// `a + b`.
    pub(super) fn add(&self, others: &List<'a>) -> Result<Self, EvalError> {
        let elements = self.elements.clone();
        match &self.semantics {
            Semantics::Set => Self::union(elements, others.iter()),
            Semantics::Map(names) => Ok(Self::merge(elements, others.iter(), Arc::clone(names))),
        }
    }
}

/// The names of the keys of a `map` list as identifiers; a name without an identifier is kept as it
/// is.
pub(super) fn identifiers(names: &[Arc<str>]) -> Arc<[Box<str>]> {
    let ident = |name: &Arc<str>| {
        crate::escape::escape(name).map_or_else(|| (&**name).into(), |n| (&*n).into())
    };
    names.iter().map(ident).collect()
}
