//! The function libraries: one file for each library, with the rows of its overloads and the
//! functions that evaluate them.
//!
//! A row ([`row::Row`]) has everything about an overload: its id, call style, types, environments,
//! estimated cost, evaluation and cost at run time. The ids are cel-go's: the checker records them,
//! and the estimator and the planner look the rows up by them.

mod authz;
pub(crate) mod binding;
mod cidr;
pub(crate) mod conversions;
pub(crate) mod costs;
pub(crate) mod estimate;
mod format;
mod ip;
mod lists;
mod lists_ext;
mod operators;
mod optional;
mod quantity;
mod regex;
pub(crate) mod row;
mod semver;
mod sets;
mod standard;
mod string_format;
mod strings;
mod table;
mod text;
mod timestamps;
pub(crate) mod two_var;
mod urls;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::minors::{Environment, KubernetesVersion, Presence};
use crate::types::Type;
use binding::Cost;
use row::Row;
use table::LIBRARIES;

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

/// Every function and type name of the environment.
#[derive(Debug)]
pub(crate) struct Declarations {
    functions: Vec<Function>,
    by_name: HashMap<&'static str, usize>,
    by_overload: HashMap<&'static str, OverloadIndex>,
    type_names: HashMap<&'static str, (Type, Presence)>,
}

impl Overload {
    fn of(row: &'static Row, presence: Presence) -> Self {
        let Row { id, is_method, ref signature, .. } = *row;
        let params = signature.params.iter();
        let vars = params.clone().chain([&signature.result]).map(row::Sig::vars).max().unwrap_or(0);
        Self {
            id,
            member: is_method,
            params: params.map(row::Sig::to_type).collect(),
            result: signature.result.to_type(),
            vars,
            presence,
            row,
        }
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
    LazyLock::new(|| Declarations::of(LIBRARIES));

impl Declarations {
    fn of(libraries: &'static [table::Library]) -> Self {
        let mut declarations = Self {
            functions: Vec::new(),
            by_name: HashMap::new(),
            by_overload: HashMap::new(),
            type_names: HashMap::new(),
        };
        for library in libraries {
            for (row, presence) in library.rows() {
                declarations.add(row, presence);
            }
            for named in library.types {
                let presence = named.presence.unwrap_or(library.presence);
                declarations.type_names.insert(named.name, (named.sig.to_type(), presence));
            }
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
        let row = function.overloads.iter().find(|overload| overload.row.is_costed_by_name)?.row;
        row.binding_in(version).map(|binding| binding.cost)
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

/// How an overload is evaluated on the reference version.
#[cfg(test)]
fn bound(id: &str) -> binding::Binding {
    let overload = KUBERNETES.overload(id).expect(id);
    overload.row.binding_in(KubernetesVersion::REFERENCE).expect(id)
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
    fn types_are_printed_by_the_names_that_rules_use() {
        assert!(!KUBERNETES.type_names.is_empty());
        for (name, (ty, _)) in &KUBERNETES.type_names {
            assert_eq!(ty.runtime_name(), *name);
        }
    }

    /// The functions that the planner has nodes for, whose rows have no binding.
    const NODES: &[&str] = &[
        "_?_:_",
        "_&&_",
        "_||_",
        "@not_strictly_false",
        "_==_",
        "_!=_",
        "_[_]",
        "_[?_]",
        "_?._",
        "or",
        "orValue",
    ];

    #[test]
    fn every_overload_is_evaluated_on_every_server() {
        for (row, _) in LIBRARIES.iter().flat_map(table::Library::rows) {
            for version in KubernetesVersion::ALL {
                let is_node = NODES.contains(&row.function);
                assert_eq!(row.binding_in(version).is_none(), is_node, "{} on {version}", row.id);
            }
        }
    }

    #[test]
    fn every_overload_that_a_rule_can_name_is_documented() {
        let documented = functions();
        for (row, presence) in LIBRARIES.iter().flat_map(table::Library::rows) {
            let is_operator = row.function.contains(['_', '@']);
            let found = documented
                .iter()
                .any(|entry| entry.name == row.function && entry.presence == presence);
            assert_eq!(found, !is_operator, "{}", row.id);
        }
    }

    /// Source: `k8s.io/apiserver/pkg/cel/library/cost.go`, the cases of `CallCost`, but for those
    /// of one overload each.
    #[test]
    fn the_server_costs_functions_by_name() {
        let mut got = Vec::new();
        for function in &KUBERNETES.functions {
            let mut ids = function.overloads.iter().filter(|o| o.row.is_costed_by_name);
            got.extend(ids.next().map(|overload| (function.name, overload.id)));
            assert!(ids.next().is_none(), "{} has more than one cost by name", function.name);
        }
        got.sort_unstable();
        let want = [
            ("check", "pathcheck_check"),
            ("cidr", "string_to_cidr"),
            ("containsCIDR", "cidr_contains_cidr"),
            ("containsIP", "cidr_contains_ip_ip"),
            ("fieldSelector", "authorizer_fieldselector"),
            ("find", "string_find_string"),
            ("findAll", "string_find_all_string"),
            ("includes", "list_includes_dyn_dyn"),
            ("indexOf", "list_a_index_of_int"),
            ("ip", "string_to_ip"),
            ("ip.isCanonical", "ip_is_canonical"),
            ("isCIDR", "is_cidr"),
            ("isIP", "is_ip"),
            ("isQuantity", "is_quantity_string"),
            ("isSemver", "is_semver_string"),
            ("isSorted", "list_int_is_sorted_bool"),
            ("join", "list_join"),
            ("labelSelector", "authorizer_labelselector"),
            ("lastIndexOf", "list_a_last_index_of_int"),
            ("lowerAscii", "string_lower_ascii"),
            ("max", "list_int_max_int"),
            ("min", "list_int_min_int"),
            ("quantity", "string_to_quantity"),
            ("replace", "string_replace_string_string"),
            ("semver", "string_to_semver"),
            ("split", "string_split_string"),
            ("substring", "string_substring_int"),
            ("sum", "list_int_sum_int"),
            ("trim", "string_trim"),
            ("upperAscii", "string_upper_ascii"),
            ("url", "string_to_url"),
        ];
        assert_eq!(got, want);
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
