//! Finds the changes between servers that affect an expression.

use std::cell::LazyCell;

use crate::basic::OPTIONAL;
use crate::checked::{Checked, Reference};
use crate::lint::visit;
use crate::minors::Change;
use crate::syntax::{ACCUMULATOR, Expr, ExprKind};
use crate::types::Type;

impl Change {
    /// Whether an expression may have another value on servers before the change than on servers
    /// since.
    ///
    /// The arguments of a changed function are not considered: any call of it counts. The list types
    /// (`x-kubernetes-list-type`) are only in the schema, so a change of sets or maps concerns every
    /// comparison of a list, of an object, which may contain a list, and of a `dyn` that may be a
    /// list. Changes that affect only compilation or costs do not change values; see
    /// [`concerns_cost`](Self::concerns_cost).
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
        if self == Self::LabelKeys {
            return reads_messages(checked);
        }
        let compared = Comparisons { checked, hides_list: LazyCell::new(|| hides_list(checked)) };
        let mut found = false;
        visit(&checked.ast.root, &mut |expr| found = found || self.concerns_one(&compared, expr));
        found
    }

    /// Whether evaluating an expression may cost a different amount on servers before the change
    /// than on servers since.
    ///
    /// ```
    /// use crd_cel::env::Env;
    /// use crd_cel::kubernetes::Change;
    ///
    /// let checked = Env::kubernetes().compile("'example.com'.startsWith('www.')")?;
    /// assert!(Change::PrefixesCostTheirLength.concerns_cost(&checked));
    /// # Ok::<(), crd_cel::syntax::Issues>(())
    /// ```
    pub fn concerns_cost(self, checked: &Checked) -> bool {
        let ids: &[&str] = match self {
            Self::PrefixesCostTheirLength => &["starts_with_string", "ends_with_string"],
            Self::GlobalMatchesCosts => &["matches"],
            _ => return false,
        };
        let mut found = false;
        visit(&checked.ast.root, &mut |expr| found = found || calls(checked, expr, ids));
        found
    }

    fn concerns_one<F: FnOnce() -> bool>(self, compared: &Comparisons<'_, F>, expr: &Expr) -> bool {
        let checked = compared.checked;
        let calls = |ids: &[&str]| calls(checked, expr, ids);
        match self {
            Self::SubnetsAreContained => {
                calls(&["cidr_contains_cidr_string", "cidr_contains_cidr"])
            }
            Self::SearchBeyondTheEnd | Self::EmptyTextIsFoundInRange => {
                calls(&["string_index_of_string_int", "string_last_index_of_string_int"])
            }
            Self::LastIndexInShorterText => {
                // In an empty text, a search with an offset returns -1 or the error of `SearchBeyondTheEnd`
                // on all servers.
                calls(&["string_last_index_of_string"])
            }
            Self::RangesAreBounded => calls(&["lists_range"]),
            Self::SetsOfValues | Self::MapListsCompareBothWays => {
                calls(&["equals", "not_equals", "in_list"]) && compared.has_list(expr)
            }
            Self::ListsAddValues => calls(&["add_list"]) && !is_macro_step(expr),
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
            | Self::LabelKeys
            | Self::NamesAreBounded => false,
        }
    }
}

/// Whether an expression is the step of a macro, which appends to its accumulator.
fn is_macro_step(expr: &Expr) -> bool {
    let ExprKind::Call { args, .. } = &expr.kind else { return false };
    matches!(args.first(), Some(Expr { kind: ExprKind::Ident(name), .. }) if &**name == ACCUMULATOR)
}

/// Whether an expression calls one of these overloads.
fn calls(checked: &Checked, expr: &Expr, ids: &[&str]) -> bool {
    match checked.reference_of(expr.id) {
        Some(Reference::Overloads(overloads)) => overloads.iter().any(|id| ids.contains(id)),
        _ => false,
    }
}

/// A checked expression, to inspect the comparisons in it.
struct Comparisons<'c, F> {
    checked: &'c Checked,
    /// The result of [`hides_list`].
    hides_list: LazyCell<bool, F>,
}

impl<F: FnOnce() -> bool> Comparisons<'_, F> {
    /// Whether an operand of a comparison may be or contain a list.
    fn has_list(&self, expr: &Expr) -> bool {
        let ExprKind::Call { args, .. } = &expr.kind else { return false };
        let is_search = calls(self.checked, expr, &["in_list"]);
        args.iter().any(|arg| {
            let ty = match self.checked.type_of(arg.id) {
                // `x in list` compares elements of the list, not the list.
                Type::List(element) if is_search => element,
                ty => ty,
            };
            holds(ty, &|ty| matches!(ty, Type::List(_) | Type::Object(_)))
                || (holds(ty, &|ty| *ty == Type::Dyn) && *self.hides_list)
        })
    }
}

/// Whether an expression converts a list to `dyn`: by `dyn(list)`, or by combining it with values
/// of other types.
fn hides_list(checked: &Checked) -> bool {
    let is_list = |expr: &Expr| holds(checked.type_of(expr.id), &|ty| matches!(ty, Type::List(_)));
    let mut found = false;
    visit(&checked.ast.root, &mut |expr| {
        if found || !holds(checked.type_of(expr.id), &|ty| *ty == Type::Dyn) {
            return;
        }
        found = match &expr.kind {
            // An index takes an element out of a list; the list itself does not become `dyn`.
            ExprKind::Call { function, .. } if matches!(&**function, "_[_]" | "_[?_]") => false,
            ExprKind::Call { target, args, .. } => {
                target.as_deref().into_iter().chain(args).any(is_list)
            }
            ExprKind::List { elements, .. } => elements.iter().any(is_list),
            ExprKind::Map(entries) => entries.iter().any(|entry| is_list(&entry.value)),
            _ => false,
        };
    });
    found
}

/// Whether `wanted` holds for a type or for a type in it.
fn holds(ty: &Type, wanted: &dyn Fn(&Type) -> bool) -> bool {
    wanted(ty)
        || match ty {
            Type::List(inner) | Type::Map(_, inner) => holds(inner, wanted),
            Type::Opaque(_, inner) => inner.iter().any(|inner| holds(inner, wanted)),
            _ => false,
        }
}

/// Whether an operand of a call is or contains an object with declared fields.
fn has_object(checked: &Checked, expr: &Expr) -> bool {
    let ExprKind::Call { args, .. } = &expr.kind else { return false };
    args.iter().any(|arg| holds(checked.type_of(arg.id), &|ty| matches!(ty, Type::Object(_))))
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
    let is_typed = |ty: &Type| matches!(ty, Type::Duration | Type::Timestamp | Type::Bytes);
    is_optional && holds(checked.type_of(expr.id), &is_typed)
}

/// Whether an expression can read the error texts of a format for labels: it calls `validate` other
/// than in `validate(..).hasValue()`.
fn reads_messages(checked: &Checked) -> bool {
    let (mut has_label_format, mut results, mut tested) = (false, 0_usize, 0_usize);
    visit(&checked.ast.root, &mut |expr| {
        let calls = |expr: &Expr, ids: &[&str]| calls(checked, expr, ids);
        has_label_format |=
            calls(expr, &["format.qualifiedName", "format.labelValue", "format-named"]);
        results += usize::from(calls(expr, &["format-validate"]));
        if let ExprKind::Call { target: Some(target), .. } = &expr.kind {
            let is_tested =
                calls(expr, &["optional_hasValue"]) && calls(target, &["format-validate"]);
            tested += usize::from(is_tested);
        }
    });
    has_label_format && results > tested
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;
    use crate::minors::{Environment, KubernetesVersion};

    /// Checks which changes concern an expression. `a` in it is a list of strings, `m` a map of times.
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
        check("'abc'.lastIndexOf('b') == 1", &[Change::LastIndexInShorterText]);
        check("lists.range(3).size() == 3", &[Change::RangesAreBounded]);
        check(
            "'abc'.lastIndexOf('b', 1) == 1",
            &[Change::SearchBeyondTheEnd, Change::EmptyTextIsFoundInRange],
        );
        check(
            "a + ['x'] == a",
            &[Change::SetsOfValues, Change::ListsAddValues, Change::MapListsCompareBothWays],
        );
        check("'x' in a", &[]);
        check("a.map(x, x).size() == 1 && a.filter(x, x == 'b').size() == 1", &[]);
        check("a in [a]", &[Change::SetsOfValues, Change::MapListsCompareBothWays]);
        let of_lists = [Change::SetsOfValues, Change::MapListsCompareBothWays];
        check("dyn(a) == dyn(['x'])", &of_lists);
        check("dyn(1) in [dyn(a), dyn(1)]", &of_lists);
        check("[dyn(a), dyn(1)].exists(x, x == dyn('x'))", &of_lists);
        check("(a.size() > 1 ? dyn(a) : dyn(1)) != 1", &of_lists);
        check("{'k': a} == {'k': a}", &of_lists);
        check("dyn(1) == dyn('x') && [dyn(1), dyn('x')][0] == 1 && a.size() > 0", &[]);
        check("optional.of(m).?x == optional.none()", &[Change::OptionalsKeepTypes]);
        check("m.?x == optional.none()", &[]);
        check("!format.qualifiedName().validate('a').hasValue()", &[]);
        check("format.qualifiedName().validate('a').value()[0] == ''", &[Change::LabelKeys]);
        check("format.dns1123Label().validate('a').value()[0] == ''", &[]);
        check(
            "format.named('uri').orValue(format.labelValue()).validate('a').orValue([]).size() == 0",
            &[Change::LabelKeys],
        );
    }

    #[test]
    fn a_change_of_costs_concerns_what_calls_it() {
        let costs = |source: &str| {
            let checked = Env::kubernetes().compile(source).expect(source);
            let all = Change::ALL.iter().copied();
            all.filter(|change| change.concerns_cost(&checked)).collect::<Vec<_>>()
        };
        assert_eq!(costs("'a'.endsWith('a')"), [Change::PrefixesCostTheirLength]);
        assert_eq!(costs("matches('a', 'a')"), [Change::GlobalMatchesCosts]);
        assert_eq!(costs("'a'.matches('a') && 'a'.contains('a')"), []);
    }
}
