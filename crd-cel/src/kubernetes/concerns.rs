//! Which changes between servers an expression can notice.

use crate::checked::{Checked, Reference};
use crate::lint::visit;
use crate::minors::Change;
use crate::syntax::{ACCUMULATOR, Expr, ExprKind};
use crate::types::{OPTIONAL, Type};

impl Change {
    /// Whether an expression may have another value on servers before the change than on servers since.
    ///
    /// It may wherever the expression calls what the change is about, whatever the arguments are.
    /// Of lists that `x-kubernetes-list-type` makes a set or a map, only the schema knows: where the change is about
    /// those, the answer is yes for all lists.
    /// Changes that show when an expression is compiled, or in its costs alone, concern no value.
    ///
    /// ```
    /// use crd_cel::env::Env;
    /// use crd_cel::kubernetes::Change;
    ///
    /// let checked = Env::kubernetes().compile("cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')")?;
    /// assert!(Change::SubnetsAreContained.concerns(&checked));
    /// assert!(!Change::LastIndexInShorterText.concerns(&checked));
    /// # Ok::<(), crd_cel::syntax::Issues>(())
    /// ```
    pub fn concerns(self, checked: &Checked) -> bool {
        let mut found = false;
        visit(&checked.ast.root, &mut |expr| found = found || self.concerns_one(checked, expr));
        found
    }

    fn concerns_one(self, checked: &Checked, expr: &Expr) -> bool {
        let calls = |ids: &[&str]| match checked.reference_of(expr.id) {
            Some(Reference::Overloads(overloads)) => overloads.iter().any(|id| ids.contains(id)),
            _ => false,
        };
        match self {
            Self::SubnetsAreContained => {
                calls(&["cidr_contains_cidr_string", "cidr_contains_cidr"])
            }
            Self::SearchBeyondTheEnd | Self::EmptyTextIsFoundInRange => {
                calls(&["string_index_of_string_int", "string_last_index_of_string_int"])
            }
            Self::LastIndexInShorterText => {
                calls(&["string_last_index_of_string", "string_last_index_of_string_int"])
            }
            Self::RangesAreBounded => calls(&["lists_range"]),
            Self::SetsOfValues | Self::MapListsCompareBothWays => {
                calls(&["equals", "not_equals", "in_list"]) && has_list(checked, expr)
            }
            Self::ListsAddValues => calls(&["add_list"]) && !is_of_macro(expr),
            Self::NullFieldsAreEqual => {
                calls(&["equals", "not_equals", "in_list"]) && has_object(checked, expr)
            }
            Self::OptionalsKeepTypes => selects_typed(checked, expr),
            Self::CheckedFormatStrings
            | Self::MixedPartsOfFormat
            | Self::TargetsOfOptMapAreCopied
            | Self::EqualityOfLibraryTypesIsBounded
            | Self::DynKeepsSizes
            | Self::EqualityOfOptionalsIsBounded
            | Self::SizesOfIntOrString
            | Self::SizesOfUrls
            | Self::PartsHaveSizes
            | Self::EscapedIdentifiers
            | Self::GlobalNamesBehindDots
            | Self::LiteralsNameTypesOnly
            | Self::PrefixesCostTheirLength
            | Self::GlobalMatchesCosts
            | Self::OnlyOptionalsHaveAlternatives
            | Self::NamesAreBounded => false,
        }
    }
}

/// Whether it is the step of a macro, which adds to a list of its own.
fn is_of_macro(expr: &Expr) -> bool {
    let ExprKind::Call { args, .. } = &expr.kind else { return false };
    matches!(args.first(), Some(Expr { kind: ExprKind::Ident(name), .. }) if &**name == ACCUMULATOR)
}

/// Whether an operand of a call is a list, or of a type that only shows when it is evaluated.
fn has_list(checked: &Checked, expr: &Expr) -> bool {
    let ExprKind::Call { args, .. } = &expr.kind else { return false };
    // `x in list` compares elements: those count, not the list.
    args.iter().any(|arg| match (checked.type_of(arg.id), checked.reference_of(expr.id)) {
        (Type::List(element), Some(Reference::Overloads(ids))) if ids.contains(&"in_list") => {
            matches!(**element, Type::List(_))
        }
        (ty, _) => matches!(ty, Type::List(_)),
    })
}

/// Whether an operand of a call is or holds an object with declared fields.
fn has_object(checked: &Checked, expr: &Expr) -> bool {
    fn holds(ty: &Type) -> bool {
        match ty {
            Type::Object(_) => true,
            Type::List(inner) | Type::Map(_, inner) => holds(inner),
            Type::Opaque(_, inner) => inner.iter().any(holds),
            _ => false,
        }
    }
    let ExprKind::Call { args, .. } = &expr.kind else { return false };
    args.iter().any(|arg| holds(checked.type_of(arg.id)))
}

/// Whether a field is selected from an optional, and is of a type that plain JSON does not have.
fn selects_typed(checked: &Checked, expr: &Expr) -> bool {
    let operand = match &expr.kind {
        ExprKind::Select { operand, .. } => operand,
        ExprKind::Call { function, args, .. } if matches!(&**function, "_?._" | "_[?_]") => {
            match args.first() {
                Some(operand) => operand,
                None => return false,
            }
        }
        _ => return false,
    };
    let is_optional =
        matches!(checked.type_of(operand.id), Type::Opaque(name, _) if **name == *OPTIONAL);
    is_optional && holds_typed(checked.type_of(expr.id))
}

fn holds_typed(ty: &Type) -> bool {
    match ty {
        Type::Duration | Type::Timestamp | Type::Bytes => true,
        Type::List(inner) | Type::Map(_, inner) => holds_typed(inner),
        Type::Opaque(_, inner) => inner.iter().any(holds_typed),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;
    use crate::minors::{Environment, KubernetesVersion};

    /// The changes that concern an expression about two lists and an optional time.
    #[track_caller]
    fn check(source: &str, want: &[Change]) {
        let env = Env::of(Environment::new(KubernetesVersion::NEWEST))
            .with_variable("a", Type::list(Type::String), None)
            .with_variable("m", Type::map(Type::String, Type::Timestamp), None);
        let checked = env.compile(source).expect(source);
        let got: Vec<_> =
            Change::ALL.iter().copied().filter(|change| change.concerns(&checked)).collect();
        assert_eq!(got, want, "{source}");
    }

    #[test]
    fn a_change_concerns_what_calls_it() {
        check("a.all(x, x.startsWith('a')) && size(a) == 3", &[]);
        check("'abc'.indexOf('b') == 1", &[]);
        check("lists.range(3).size() == 3", &[Change::RangesAreBounded]);
        check(
            "'abc'.lastIndexOf('b', 1) == 1",
            &[
                Change::SearchBeyondTheEnd,
                Change::LastIndexInShorterText,
                Change::EmptyTextIsFoundInRange,
            ],
        );
        check(
            "a + ['x'] == a",
            &[Change::SetsOfValues, Change::ListsAddValues, Change::MapListsCompareBothWays],
        );
        check("'x' in a", &[]);
        check("a.map(x, x).size() == 1 && a.filter(x, x == 'b').size() == 1", &[]);
        check("a in [a]", &[Change::SetsOfValues, Change::MapListsCompareBothWays]);
        check("optional.of(m).?x == optional.none()", &[Change::OptionalsKeepTypes]);
        check("m.?x == optional.none()", &[]);
    }
}
