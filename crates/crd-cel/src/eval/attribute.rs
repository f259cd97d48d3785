//! Evaluates attributes: chains of fields and indices.
//!
//! Source: `cel-go/interpreter/attributes.go`, `applyQualifiers`.

use serde_json::Value as Json;

use super::condition::Failed;
use super::member::{Lookup, field, member, property};
use super::{Evaluated, Evaluation, Slot};
use crate::decl::{Decl, DeclKind, ObjectDecl};
use crate::error::EvalError;
use crate::minors::Change;
use crate::plan::{Attribute, Base, FieldKey, Qualifier, QualifierKey};
use crate::value::{Map, OwnedMap, Value, convert};

/// The value of a chain. If the chain ends at an element of a list over JSON, the value may be an
/// error, which counts only when it is used.
type Chained<'v> = Result<Evaluated<'v>, EvalError>;

/// The end of a walk down a declared object by field names.
#[derive(Clone, Copy)]
enum WalkEnd<'v> {
    /// JSON that is not a declared object, or that the last name selects, and the remaining qualifiers.
    Json(&'v Json, &'v Decl, &'v [Qualifier]),
    /// A declared object, and the remaining qualifiers, the first of which is not a name.
    Object(&'v serde_json::Map<String, Json>, &'v ObjectDecl, &'v [Qualifier]),
    /// A name that the object does not have, and whether it is the last one.
    Absent(&'v FieldKey, bool),
    /// The cost limit was exceeded.
    CostLimit,
}

impl<'v> Evaluation<'_, 'v> {
    /// The value of an attribute. Each qualifier that is applied costs 1. The caller charges for the
    /// attribute itself, if the server does.
    #[inline]
    pub(super) fn resolve(&mut self, attribute: &'v Attribute) -> Evaluated<'v> {
        self.chain(attribute)?
    }

    /// As [`Evaluation::resolve`], but the last member may be an error that has not been used yet.
    fn chain(&mut self, attribute: &'v Attribute) -> Chained<'v> {
        if !attribute.is_shadowed_global {
            return self.charged_chain(attribute);
        }
        // The server does not charge the qualifiers, see `Attribute::is_shadowed_global`.
        let before = self.budget.cost();
        let found = self.charged_chain(attribute);
        self.budget.refund(self.budget.cost().saturating_sub(before));
        found
    }

    /// As [`Evaluation::chain`], but charges the qualifiers of every attribute.
    fn charged_chain(&mut self, attribute: &'v Attribute) -> Chained<'v> {
        let base = match &attribute.base {
            Base::Variable(slot) => {
                if let Some((entries, decl)) = self.declared(attribute) {
                    let walk = self.walk(entries, decl, &attribute.qualifiers);
                    return self.walked(walk, attribute.test_only);
                }
                self.load(*slot, &attribute.name)?
            }
            Base::Relative(node) => self.eval(node)?,
            Base::Conditional(conditional) => {
                return match self.holds(&conditional.condition) {
                    Ok(true) => self.chain(&conditional.truthy),
                    Ok(false) => self.chain(&conditional.falsy),
                    Err(Failed) => Err(self.take_error()),
                };
            }
        };
        if let Value::Optional(inner) = &base {
            // Upstream: servers without `OptionalsKeepTypes` convert the content of an optional to
            // plain data without a declaration, even if there is no qualifier.
            return match inner {
                None => Ok(Ok(base)),
                Some(inner) => {
                    let keeps = self.budget.steps.server_has(Change::OptionalsKeepTypes);
                    let inner = if keeps { (**inner).clone() } else { inner.plain() };
                    if attribute.qualifiers.is_empty() {
                        return Ok(Ok(Value::some(inner)));
                    }
                    let inner = inner.taken_out()?;
                    self.qualified(inner, &attribute.qualifiers, attribute.test_only, true)
                }
            };
        }
        if attribute.qualifiers.is_empty() {
            return Ok(Ok(base));
        }
        self.qualified(base, &attribute.qualifiers, attribute.test_only, false)
    }

    /// The value of a variable.
    #[inline]
    fn load(&mut self, slot: usize, name: &str) -> Evaluated<'v> {
        match self.slots.get(slot) {
            Some(Slot::Set(value)) => value.clone(),
            Some(Slot::Lazy(init)) => {
                let init = *init;
                // Upstream: an empty list or map loses its declaration.
                // Divergence: in cel-go, adding to this list changes it in place, so that `x + [1] + x`
                // has the 1 twice.
                let value = match self.eval(init) {
                    Ok(Value::List(list)) if list.is_empty() => Ok(Value::list(Vec::new())),
                    Ok(Value::Map(map)) if map.is_empty() => Ok(Value::map(OwnedMap::new())),
                    value => value,
                };
                if let Some(slot) = self.slots.get_mut(slot) {
                    *slot = Slot::Set(value.clone());
                }
                value
            }
            Some(Slot::Unset) | None => Err(EvalError::no_such_attribute(name)),
        }
    }

    /// The declared object that a chain selects from, if it starts at a variable that is one.
    #[inline]
    fn declared(
        &self,
        attribute: &Attribute,
    ) -> Option<(&'v serde_json::Map<String, Json>, &'v ObjectDecl)> {
        let Base::Variable(slot) = &attribute.base else { return None };
        match self.slots.get(*slot) {
            Some(Slot::Set(Ok(Value::Map(Map::Object { entries, decl }))))
                if !attribute.qualifiers.is_empty() =>
            {
                Some((entries, decl))
            }
            _ => None,
        }
    }

    /// Goes down a declared object by names without creating values on the way. Each name costs 1.
    #[inline]
    fn walk(
        &mut self,
        mut entries: &'v serde_json::Map<String, Json>,
        mut decl: &'v ObjectDecl,
        mut left: &'v [Qualifier],
    ) -> WalkEnd<'v> {
        loop {
            let [Qualifier { key: QualifierKey::Field(name), optional: false }, rest @ ..] = left
            else {
                return WalkEnd::Object(entries, decl, left);
            };
            if self.budget.charge(1).is_err() {
                return WalkEnd::CostLimit;
            }
            let Some((json, decl_of_json)) = property(entries, decl, name) else {
                return WalkEnd::Absent(name, rest.is_empty());
            };
            match (json, &decl_of_json.kind) {
                (Json::Object(inner), DeclKind::Object(inner_decl)) if !rest.is_empty() => {
                    entries = inner;
                    decl = inner_decl;
                    left = rest;
                }
                _ => return WalkEnd::Json(json, decl_of_json, rest),
            }
        }
    }

    /// The value at the end of a walk, after the remaining qualifiers of its chain.
    fn walked(&mut self, walk: WalkEnd<'v>, test_only: bool) -> Chained<'v> {
        match walk {
            WalkEnd::Json(json, decl, []) if test_only => {
                convert::typed(json, decl).map(|_| Ok(Value::Bool(true)))
            }
            WalkEnd::Json(json, decl, []) => convert::typed(json, decl).map(Ok),
            WalkEnd::Json(json, decl, left) => {
                self.qualified(convert::typed(json, decl)?, left, test_only, false)
            }
            WalkEnd::Object(entries, decl, left) => {
                let object = Value::Map(Map::Object { entries, decl });
                self.qualified(object, left, test_only, false)
            }
            WalkEnd::Absent(_, true) if test_only => Ok(Ok(Value::Bool(false))),
            WalkEnd::Absent(name, _) => Err(EvalError::no_such_key(&name.ident)),
            WalkEnd::CostLimit => Err(EvalError::COST_LIMIT),
        }
    }

    /// Applies the qualifiers. After an optional qualifier, the result is an optional, which is empty
    /// if a member is absent.
    fn qualified(
        &mut self,
        base: Value<'v>,
        qualifiers: &'v [Qualifier],
        test_only: bool,
        mut optional: bool,
    ) -> Chained<'v> {
        let mut current = Ok(base);
        let last = qualifiers.len().saturating_sub(1);
        for (position, qualifier) in qualifiers.iter().enumerate() {
            let test = test_only && position == last;
            optional |= qualifier.optional;
            let lookup = match current {
                Ok(object) => self.find(&object, qualifier),
                Err(error) => Lookup::Failed(error),
            };
            // Upstream: an optional qualifier is charged only if the member exists.
            if !optional || matches!(lookup, Lookup::Found(_)) {
                self.budget.charge(1)?;
            }
            current = match lookup {
                Lookup::Failed(error) => return Err(error),
                Lookup::Found(_) if test && !optional => return Ok(Ok(Value::Bool(true))),
                Lookup::Found(value) => value,
                Lookup::NoKey(_) | Lookup::NoIndex(_) if optional => return Ok(Ok(Value::none())),
                Lookup::NoKey(_) | Lookup::NoIndex(_) if test => return Ok(Ok(Value::Bool(false))),
                Lookup::NoKey(key) => return Err(EvalError::no_such_key(&key)),
                Lookup::NoIndex(index) => return Err(EvalError::index_out_of_bounds(&index)),
            };
        }
        Ok(if optional { Ok(Value::some_member(current)) } else { current })
    }

    fn find(&mut self, object: &Value<'v>, qualifier: &'v Qualifier) -> Lookup<'v> {
        let index = match &qualifier.key {
            QualifierKey::Field(key) => return field(object, key),
            QualifierKey::Constant(index) => return member(object, index.borrowed()),
            QualifierKey::Attribute(attribute) => self.chain(attribute),
            QualifierKey::Computed(node) => self.eval(node).map(Ok),
        };
        match index {
            Ok(Ok(
                index @ (Value::String(_)
                | Value::Int(_)
                | Value::Uint(_)
                | Value::Bool(_)
                | Value::Double(_)),
            )) => member(object, index),
            Ok(Ok(other)) => Lookup::Failed(EvalError::invalid_qualifier(other.go_type())),
            // Upstream: the error of an element is a value, whose type cannot be an index.
            Ok(Err(_)) => Lookup::Failed(EvalError::fixed("invalid qualifier type: *types.Err")),
            Err(error) => Lookup::Failed(error),
        }
    }
}
