//! Checks of the whole table: ids, names of types, and the columns and order of rows.

use std::collections::HashSet;

use super::binding::Cost;
use super::estimate::EstimateRule;
use super::estimate::Standard::AddLists;
use super::table::{OVERLOADS, Overload, named_types};
use super::{KUBERNETES, functions};
use crate::minors::{KubernetesVersion, Presence};

#[test]
fn overload_ids_are_unique() {
    let mut seen = HashSet::new();
    for overload in &OVERLOADS {
        assert!(seen.insert(overload.row.id), "{} is declared twice", overload.row.id);
    }
}

#[test]
fn types_are_printed_by_the_names_that_rules_use() {
    assert!(named_types().next().is_some());
    for (named, _) in named_types() {
        assert_eq!(named.stands_for.to_type().runtime_name(), named.name);
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
fn every_row_is_bound_costed_and_documented() {
    let documented = functions();
    for overload in &OVERLOADS {
        let (row, presence) = (overload.row, overload.presence);
        for version in KubernetesVersion::ALL {
            let is_node = NODES.contains(&row.function);
            assert_eq!(row.binding_in(version).is_none(), is_node, "{} on {version}", row.id);
        }
        if let Some(binding) = row.binding_in(KubernetesVersion::REFERENCE) {
            // A call costs one unit at run time if and only if its estimate is one unit.
            let is_unit_by_estimate =
                matches!(row.estimate, EstimateRule::One | EstimateRule::Standard(AddLists));
            let is_unit = matches!(binding.cost, Cost::Fixed(1));
            assert_eq!(is_unit, is_unit_by_estimate, "{}", row.id);
        }
        let is_operator = row.function.contains(['_', '@']);
        let is_of_rules = presence != Presence::PATCHES;
        let is_documented =
            documented.iter().any(|entry| entry.name == row.function && entry.presence == presence);
        assert_eq!(is_documented, !is_operator && is_of_rules, "{}", row.id);
    }
}

/// Source: `k8s.io/apiserver/pkg/cel/library/cost.go`, the cases of `CallCost`. Not listed are the
/// cases of one unit, which is the cost of all other functions too; `validate`, whose only overload
/// the checker always finds; and `_==_`, for which the planner has a node.
#[test]
fn the_server_costs_functions_by_name() {
    let mut got = Vec::new();
    for Overload { row, .. } in OVERLOADS {
        got.extend(row.gives_cost_by_function_name.then_some((row.function, row.id)));
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
        let ids: Vec<_> = function.overloads.iter().map(|overload| overload.row.id).collect();
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
