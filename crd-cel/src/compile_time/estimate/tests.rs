//! The cost classes are those of the table of overloads.

use super::class;
use crate::kubernetes::Environment;
use crate::library::KUBERNETES;
use crate::library::estimate::EstimateRule::{self, Extension, Kubernetes, One, Standard};
use crate::library::estimate::Extension as E;
use crate::library::estimate::Kubernetes as K;
use crate::library::estimate::Standard as S;

/// The estimates of the overloads that a class stands for. A class belongs to the name of a function: if its
/// overloads have several estimates, the class chooses among them by the types of the operands.
fn estimates(class: u8) -> &'static [EstimateRule] {
    match class {
        class::ONE | class::DYN => &[One],
        class::OPERANDS => &[Kubernetes(K::Check), Kubernetes(K::Selector)],
        class::CONDITIONAL => &[Standard(S::Conditional)],
        class::EQUAL => &[Kubernetes(K::Equals)],
        class::NOT_EQUAL => &[Standard(S::Compare)],
        class::ORDER => &[One, Standard(S::Compare)],
        class::ADD => &[One, Standard(S::AddTexts), Standard(S::AddLists)],
        class::INDEX => &[One, Standard(S::Element), Standard(S::Member)],
        class::AFFIX => &[Standard(S::Affix)],
        class::CONTAINS => &[Standard(S::Contains)],
        class::MATCHES => &[Standard(S::Matches)],
        class::MATCHES_GLOBAL => &[Standard(S::MatchesGlobal)],
        class::TEXT => &[Kubernetes(K::SameSize)],
        class::REPLACE => &[Kubernetes(K::Replace)],
        class::SPLIT | class::SPLIT_LIMIT => &[Kubernetes(K::Split)],
        class::PARSE => &[Kubernetes(K::Parse), Standard(S::Format)],
        class::CANONICAL => &[Kubernetes(K::ParseTwice)],
        class::ELEMENTS => &[Kubernetes(K::Elements)],
        class::IN => &[One, Standard(S::In)],
        class::SETS => &[Extension(E::Sets)],
        class::SETS_TWICE => &[Extension(E::SetsTwice)],
        class::PAIRS => &[Extension(E::Distinct)],
        class::SORT => &[Extension(E::Sort), Extension(E::SortTexts)],
        class::COPY => &[Extension(E::Copy)],
        class::FLATTEN => &[Extension(E::Flatten)],
        class::SLICE => &[Extension(E::Slice)],
        class::RANGE => &[Extension(E::Range)],
        class::JOIN => &[Kubernetes(K::Join)],
        class::VALIDATE => &[Kubernetes(K::Validate)],
        class::FIND => &[Kubernetes(K::Find)],
        class::URL => &[Kubernetes(K::Url)],
        class::TO_TEXT => &[One, Standard(S::ToText)],
        class::TO_BYTES => &[One, Standard(S::ToBytes)],
        class::QUOTE => &[Standard(S::Quote)],
        class::CONTAINS_IP => &[Kubernetes(K::ContainsIp), Kubernetes(K::ContainsIpText)],
        class::CONTAINS_CIDR => &[Kubernetes(K::ContainsCidr), Kubernetes(K::ContainsCidrText)],
        _ => &[],
    }
}

#[test]
fn each_overload_has_the_class_of_its_estimate() {
    let environment = Environment::default();
    let mut wrong = Vec::new();
    let names = KUBERNETES.names_in(environment);
    let functions = names.iter().filter_map(|name| KUBERNETES.function_in(name, environment));
    for overload in functions.flat_map(|function| function.overloads_in(environment)) {
        let row = overload.row;
        // Programs have a step of their own for `&&` and `||`.
        if row.estimate == Standard(S::Logic) {
            continue;
        }
        let arguments = row.signature.params.len() - usize::from(row.is_method);
        for has_limit in [false, true] {
            let class = class::of(row.function, row.is_method, arguments, has_limit);
            if !estimates(class).contains(&row.estimate) {
                wrong.push(format!("{}: {:?}, but class {class}", row.id, row.estimate));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
