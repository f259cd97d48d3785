//! The function libraries: one file a library, each with its declarations, static cost, evaluation
//! and run-time cost.
//!
//! A declaration says for each overload its id, call style, parameter types and result type. The ids
//! are cel-go's: the checker records them, the estimator and the planner look them up.

mod aggregates;
mod authz;
pub(crate) mod bind;
mod cidr;
pub(crate) mod conversions;
mod format;
mod ip;
mod lists;
mod lists_ext;
mod operators;
mod optional;
pub(crate) mod optionals;
mod quantity;
mod regex;
mod semver;
mod set_functions;
mod sets;
mod standard;
mod string_format;
mod strings;
mod table;
mod text;
mod timestamps;
mod two_var;
mod urls;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::minors::{Environment, Presence};
use crate::types::Type;

pub(crate) use table::LIBRARIES;
pub use table::{FunctionEntry, functions, missing_function};

/// One signature of a function.
#[derive(Debug)]
pub(crate) struct Overload {
    /// cel-go's id, unique among all overloads.
    pub(crate) id: &'static str,
    /// Called as `receiver.name(..)`; the receiver is the first parameter.
    pub(crate) member: bool,
    /// The parameters' types; type parameters are `Type::Var(0)`, `Type::Var(1)`, ...
    pub(crate) params: Vec<Type>,
    /// The result's type.
    pub(crate) result: Type,
    /// How many type parameters there are.
    pub(crate) vars: u32,
    /// Where it is.
    pub(crate) presence: Presence,
}

/// A function: its overloads in the order in which the checker tries them.
#[derive(Debug)]
pub(crate) struct Function {
    /// The name; operators have the names of cel-go's `common/operators`.
    pub(crate) name: &'static str,
    /// The overloads.
    pub(crate) overloads: Vec<Overload>,
}

/// Where an overload is declared.
#[derive(Debug, Clone, Copy)]
struct Place {
    function: usize,
    overload: usize,
}

/// Every function and type name of the environment.
#[derive(Debug)]
pub(crate) struct Declarations {
    functions: Vec<Function>,
    by_name: HashMap<&'static str, usize>,
    by_overload: HashMap<&'static str, Place>,
    type_names: HashMap<&'static str, (Type, Presence)>,
    /// Of the library that is being declared.
    presence: Presence,
}

impl Function {
    /// The overloads that an environment has, in the order in which the checker tries them.
    pub(crate) fn overloads_in(&self, environment: Environment) -> impl Iterator<Item = &Overload> {
        self.overloads.iter().filter(move |overload| environment.has(overload.presence))
    }
}

/// The first type parameter of a declaration.
pub(crate) const A: Type = Type::Var(0);
/// The second type parameter of a declaration.
pub(crate) const B: Type = Type::Var(1);

/// What Kubernetes declares for CRD rules.
///
/// What is in which environment, [`LIBRARIES`] and the overloads say.
pub(crate) static KUBERNETES: LazyLock<Declarations> = LazyLock::new(|| {
    let mut declarations = Declarations::empty();
    for library in LIBRARIES {
        declarations.presence = library.presence;
        (library.declare)(&mut declarations);
    }
    declarations
});

impl Declarations {
    fn empty() -> Self {
        Self {
            functions: Vec::new(),
            by_name: HashMap::new(),
            by_overload: HashMap::new(),
            type_names: HashMap::new(),
            presence: Presence::ALWAYS,
        }
    }

    /// Declares an overload called as `name(..)`.
    pub(crate) fn function<const N: usize>(
        &mut self,
        name: &'static str,
        id: &'static str,
        params: [Type; N],
        result: Type,
    ) {
        self.add(name, id, false, params.into(), result);
    }

    /// Declares an overload called as `receiver.name(..)`; the receiver is the first parameter.
    pub(crate) fn method<const N: usize>(
        &mut self,
        name: &'static str,
        id: &'static str,
        params: [Type; N],
        result: Type,
    ) {
        self.add(name, id, true, params.into(), result);
    }

    /// Declares a type that can be named in an expression.
    pub(crate) fn type_name(&mut self, name: &'static str, ty: Type) {
        let presence = table::presence_of_type(name).unwrap_or(self.presence);
        self.type_names.insert(name, (ty, presence));
    }

    fn add(
        &mut self,
        name: &'static str,
        id: &'static str,
        member: bool,
        params: Vec<Type>,
        result: Type,
    ) {
        let vars = params.iter().map(var_count).max().unwrap_or(0).max(var_count(&result));
        let functions = &mut self.functions;
        let function = *self.by_name.entry(name).or_insert_with(|| {
            functions.push(Function { name, overloads: Vec::new() });
            functions.len() - 1
        });
        if let Some(declared) = self.functions.get_mut(function) {
            let place = Place { function, overload: declared.overloads.len() };
            let presence = table::presence_of_overload(id).unwrap_or(self.presence);
            declared.overloads.push(Overload { id, member, params, result, vars, presence });
            self.by_overload.insert(id, place);
        }
    }

    /// The function of a name, whatever environment has it.
    #[cfg(test)]
    pub(crate) fn lookup(&self, name: &str) -> Option<&Function> {
        self.functions.get(*self.by_name.get(name)?)
    }

    /// The function of a name, if an environment has an overload of it.
    pub(crate) fn function_in(&self, name: &str, environment: Environment) -> Option<&Function> {
        let function = self.functions.get(*self.by_name.get(name)?)?;
        function.overloads_in(environment).next().is_some().then_some(function)
    }

    /// The function that an overload belongs to, and the overload.
    pub(crate) fn overload(&self, id: &str) -> Option<(&Function, &Overload)> {
        let place = self.by_overload.get(id)?;
        let function = self.functions.get(place.function)?;
        Some((function, function.overloads.get(place.overload)?))
    }

    /// The names of an environment's functions, in the order in which they are declared.
    #[cfg(all(test, feature = "compile-time"))]
    pub(crate) fn names_in(&self, environment: Environment) -> Vec<&'static str> {
        let has = |function: &&Function| function.overloads_in(environment).next().is_some();
        self.functions.iter().filter(has).map(|function| function.name).collect()
    }

    /// The type that a name stands for in an environment.
    pub(crate) fn type_named(&self, name: &str, environment: Environment) -> Option<&Type> {
        let (ty, presence) = self.type_names.get(name)?;
        environment.has(*presence).then_some(ty)
    }
}

/// One more than the highest type parameter in a type.
fn var_count(ty: &Type) -> u32 {
    match ty {
        Type::Var(n) => n + 1,
        Type::List(inner) | Type::Type(Some(inner)) | Type::Wrapper(inner) => var_count(inner),
        Type::Map(key, value) => var_count(key).max(var_count(value)),
        Type::Opaque(_, params) => params.iter().map(var_count).max().unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn overload_ids_are_unique() {
        let mut seen = HashSet::new();
        for function in &KUBERNETES.functions {
            for overload in &function.overloads {
                assert!(seen.insert(overload.id), "{} is declared twice", overload.id);
            }
        }
        assert_eq!(seen.len(), KUBERNETES.by_overload.len());
    }

    #[test]
    fn libraries_extend_functions_in_the_order_of_the_environment() {
        #[track_caller]
        fn check(name: &str, want: &[&str]) {
            let function = KUBERNETES.lookup(name).expect("declared");
            let ids: Vec<_> = function.overloads.iter().map(|overload| overload.id).collect();
            assert_eq!(ids, want);
        }
        check("ip", &["string_to_ip", "cidr_ip"]);
        check("isLessThan", &["quantity_is_less_than", "semver_is_less_than"]);
        check(
            "indexOf",
            &["list_a_index_of_int", "string_index_of_string", "string_index_of_string_int"],
        );
        check(
            "_[_]",
            &["index_list", "index_map", "optional_list_index_int", "optional_map_index_value"],
        );
    }
}
