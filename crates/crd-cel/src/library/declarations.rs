//! The functions and types of the table by their names, for the checker.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::binding::Cost;
use super::row::{Row, Sig, Signature};
use super::table::{OVERLOADS, named_types};
use crate::minors::{Environment, KubernetesVersion, Presence};
use crate::types::Type;

/// One signature of a function.
#[derive(Debug)]
pub(crate) struct Overload {
    /// The parameters' types; type parameters are `Type::Var(0)`, `Type::Var(1)`, ...
    pub(crate) params: Vec<Type>,
    /// The result's type.
    pub(crate) result: Type,
    /// The environments that have it.
    pub(crate) presence: Presence,
    /// Its row of the table.
    pub(crate) row: &'static Row,
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
struct OverloadIndex {
    function: usize,
    overload: usize,
}

/// The functions and type names of all environments.
#[derive(Debug)]
pub(crate) struct Declarations {
    functions: Vec<Function>,
    by_name: HashMap<&'static str, usize>,
    by_overload: HashMap<&'static str, OverloadIndex>,
    type_names: HashMap<&'static str, (Type, Presence)>,
}

impl Overload {
    fn of(row: &'static Row, presence: Presence) -> Self {
        let Signature { params, result, .. } = &row.signature;
        let params = params.iter().map(Sig::to_type).collect();
        Self { params, result: result.to_type(), presence, row }
    }
}

impl Function {
    /// The overloads that an environment has, in the order in which the checker tries them.
    pub(crate) fn overloads_in(&self, environment: Environment) -> impl Iterator<Item = &Overload> {
        self.overloads.iter().filter(move |overload| environment.has(overload.presence))
    }
}

/// The functions and type names that Kubernetes declares for CRD rules, in all environments.
pub(crate) static KUBERNETES: LazyLock<Declarations> =
    LazyLock::new(Declarations::of_all_libraries);

impl Declarations {
    fn of_all_libraries() -> Self {
        let mut declarations = Self {
            functions: Vec::new(),
            by_name: HashMap::new(),
            by_overload: HashMap::new(),
            type_names: HashMap::new(),
        };
        for overload in &OVERLOADS {
            declarations.add(overload.row, overload.presence);
        }
        for (named, presence) in named_types() {
            declarations.type_names.insert(named.name, (named.stands_for.to_type(), presence));
        }
        declarations
    }

    fn add(&mut self, row: &'static Row, presence: Presence) {
        let functions = &mut self.functions;
        let function = *self.by_name.entry(row.function).or_insert_with(|| {
            functions.push(Function { name: row.function, overloads: Vec::new() });
            functions.len() - 1
        });
        if let Some(declared) = self.functions.get_mut(function) {
            let index = OverloadIndex { function, overload: declared.overloads.len() };
            declared.overloads.push(Overload::of(row, presence));
            self.by_overload.insert(row.id, index);
        }
    }

    /// The function with a name, whatever environment has it.
    #[cfg(test)]
    pub(crate) fn lookup(&self, name: &str) -> Option<&Function> {
        self.functions.get(*self.by_name.get(name)?)
    }

    /// The function with a name, if the environment has an overload of it.
    pub(crate) fn function_in(&self, name: &str, environment: Environment) -> Option<&Function> {
        let function = self.functions.get(*self.by_name.get(name)?)?;
        function.overloads_in(environment).next().is_some().then_some(function)
    }

    /// The overload with an id, whatever environment has it.
    pub(crate) fn overload(&self, id: &str) -> Option<&Overload> {
        let index = self.by_overload.get(id)?;
        self.functions.get(index.function)?.overloads.get(index.overload)
    }

    /// The cost of a call of a function on a server if its overload is found only at run time;
    /// `None` if the server has no cost for the name.
    pub(crate) fn cost_by_name(&self, function: &str, version: KubernetesVersion) -> Option<Cost> {
        let function = self.functions.get(*self.by_name.get(function)?)?;
        let row = function
            .overloads
            .iter()
            .find(|overload| overload.row.gives_cost_by_function_name)?
            .row;
        row.binding_in(version).map(|binding| binding.cost)
    }

    /// The type that a name stands for in an environment.
    pub(crate) fn type_named(&self, name: &str, environment: Environment) -> Option<&Type> {
        let (ty, presence) = self.type_names.get(name)?;
        environment.has(*presence).then_some(ty)
    }
}
