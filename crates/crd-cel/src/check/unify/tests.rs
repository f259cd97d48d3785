//! Which types unify, and what variables are bound to.

use super::*;

const A: Type = Type::Var(0);
const B: Type = Type::Var(1);

fn with_vars() -> Substitution {
    let mut subst = Substitution::default();
    subst.fresh(2);
    subst
}

#[test]
fn types_fit_themselves_dyn_and_null_where_it_is_a_value() {
    #[track_caller]
    fn check(a: &Type, b: &Type, want: bool) {
        assert_eq!(with_vars().assign(a, b), want, "{a} and {b}");
        assert_eq!(with_vars().assign(b, a), want, "{b} and {a}");
    }
    check(&Type::Int, &Type::Int, true);
    check(&Type::Int, &Type::Uint, false);
    check(&Type::Int, &Type::Dyn, true);
    check(&Type::Int, &Type::Error, true);
    check(&Type::Null, &Type::Int, false);
    check(&Type::Null, &Type::list(Type::Int), false);
    check(&Type::Null, &Type::object("a"), true);
    check(&Type::Null, &Type::Timestamp, true);
    check(&Type::Null, &Type::optional(Type::Int), true);
    check(&Type::Null, &Type::Wrapper(Type::Int.into()), true);
    check(&Type::Int, &Type::Wrapper(Type::Int.into()), true);
    check(&Type::object("a"), &Type::object("b"), false);
    check(&Type::list(Type::Int), &Type::list(Type::Dyn), true);
    check(&Type::list(Type::Int), &Type::list(Type::String), false);
    check(&Type::type_of(Type::Int), &Type::type_of(Type::String), true);
    check(&Type::opaque("net.IP"), &Type::opaque("net.CIDR"), false);
}

#[test]
fn a_variable_takes_the_more_general_type() {
    let mut subst = with_vars();
    assert!(subst.assign(&Type::Int, &A));
    assert_eq!(subst.apply(&A), Type::Int);
    assert!(subst.assign(&Type::Dyn, &A));
    assert_eq!(subst.apply(&Type::list(A)), Type::list(Type::Dyn));
    let mut free = [B];
    subst.apply_all(free.iter_mut());
    assert_eq!(free, [Type::Dyn]);
    assert_eq!(subst.apply(&B), B);
}

#[test]
fn a_failed_attempt_leaves_no_trace() {
    let mut subst = with_vars();
    assert!(!subst.assign_all(&[Type::Int, Type::String], &[A, Type::Int]));
    assert_eq!(subst.apply(&A), A);
    assert!(!subst.assign_all(&[Type::Int], &[A, B]));
}

#[test]
fn a_variable_never_stands_for_a_type_that_contains_it() {
    let mut subst = with_vars();
    assert!(!subst.assign(&Type::list(A), &A));
    assert!(subst.assign(&A, &Type::list(B)));
    assert!(!subst.assign(&B, &A));
    assert_eq!(subst.apply(&A), Type::list(B));
}

/// One type for each place in which a type can have `part`.
fn around(part: &Type) -> [Type; 5] {
    [
        Type::list(part.clone()),
        Type::map(part.clone(), Type::Bool),
        Type::map(Type::Bool, part.clone()),
        Type::type_of(part.clone()),
        Type::optional(part.clone()),
    ]
}

#[test]
fn variables_are_found_in_every_part() {
    let mut bound = with_vars();
    assert!(bound.assign(&Type::Int, &A));
    for (ty, of_int) in std::iter::zip(around(&A), around(&Type::Int)) {
        assert_eq!(bound.apply(&ty), of_int, "{ty}");
        assert!(!with_vars().assign(&ty, &A), "{ty}");
    }
    assert_eq!(around(&A).map(|ty| instantiate(&ty, 1)), around(&B));
}

#[test]
fn parts_are_replaced_again_after_a_binding() {
    let mut subst = with_vars();
    let shared = Type::list(Type::list(A));
    assert_eq!(subst.apply(&shared), shared);
    assert!(subst.assign(&Type::Int, &A));
    assert_eq!(subst.apply(&shared), Type::list(Type::list(Type::Int)));
}

#[test]
fn the_more_general_type_has_dyn_where_the_other_has_something_else() {
    for (general, special) in std::iter::zip(around(&Type::Dyn), around(&Type::Int)) {
        // Any two types of types unify, and the first of them counts as the more general.
        let last = if matches!(general, Type::Type(_)) { &special } else { &general };
        assert_eq!(most_general(&general, &special), &general);
        assert_eq!(most_general(&special, &general), last);
    }
    let (left, right) = (Type::map(Type::Dyn, Type::Int), Type::map(Type::Int, Type::Dyn));
    assert_eq!(most_general(&left, &right), &right);
    assert_eq!(most_general(&right, &left), &left);
}

#[test]
fn sizes_are_those_of_the_tree() {
    for ty in around(&Type::optional(Type::Int)) {
        let Size { parts, levels } = Sizes::default().of(&ty);
        let both = usize::from(matches!(ty, Type::Map(..)));
        assert_eq!((parts, levels), (3 + both, 3), "{ty}");
    }
}

#[test]
fn everything_unifies_after_the_last_comparison() {
    let mut subst = Substitution { comparisons: MAX_COMPARISONS - 1, ..Substitution::default() };
    assert!(!subst.assign(&Type::Int, &Type::String));
    assert!(!subst.is_exhausted());
    assert!(subst.assign(&Type::Int, &Type::String));
    assert!(subst.is_exhausted());
}
