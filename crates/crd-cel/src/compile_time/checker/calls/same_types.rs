//! Tests that the unification and the resolution of calls in rustc agree with those of `crate::check`.
//!
//! The types and calls are generated. They are those that both sides can express, with these exceptions:
//!
//! - Unknown types here and error types there differ on purpose. An unknown type is the most general one, and makes
//!   type variables of a call unknown, so that nothing is reported that may be right. An error type is only the type of
//!   a node whose error has been reported.
//! - The operators `&&` and `||` have no resolution: both sides unify each operand with `bool`.

use std::collections::{HashMap, HashSet};

use fastrand::Rng;

use super::{MAX_OPERANDS, Operands, Resolved};
use crate::basic;
use crate::check::inference::Inference;
use crate::compile_time::checker::Checker;
use crate::compile_time::fuel::{EXPRESSION, Fuel};
use crate::compile_time::memory::{LARGE, Memory};
use crate::compile_time::origin::Value;
use crate::compile_time::site::Site;
use crate::compile_time::types::{Type as Constant, Types};
use crate::compile_time::{Declared, rule};
use crate::env::Env;
use crate::kubernetes::{Environment, KubernetesVersion};
use crate::library::row::Sig;
use crate::library::table::{OVERLOADS, Overload};
use crate::types::Type;

/// The type variables that generated types contain.
const VARS: u16 = 4;
/// The codes of all types without parts: from `dyn` on.
const CODES: std::ops::RangeInclusive<u8> = basic::DYN..=basic::DECISION;
/// The names of the types of objects.
const OBJECTS: [&str; 2] = ["selfType0", "selfType0.ports.@idx"];

/// Generates types.
struct Random(Rng);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0.usize(..limit)
    }

    fn basic(&mut self) -> Type {
        // The first types are `dyn` and `null`, which fit many others.
        let count = usize::from(*CODES.end() - *CODES.start()) + 1;
        let few = [2, 6, count][self.below(3)];
        Type::of_code(*CODES.start() + u8::try_from(self.below(few)).unwrap_or(0))
    }

    /// A type whose parts nest up to `depth` levels.
    fn ty(&mut self, depth: usize) -> Type {
        let parts = if depth == 0 { 0 } else { 5 };
        match self.below(6 + parts) {
            0..=2 => self.basic(),
            3 | 4 => Type::Var(u32::try_from(self.below(usize::from(VARS))).unwrap_or(0)),
            5 => Type::object(OBJECTS[self.below(OBJECTS.len())]),
            6 | 7 => Type::list(self.ty(depth - 1)),
            8 => Type::map(self.ty(depth - 1), self.ty(depth - 1)),
            9 => Type::optional(self.ty(depth - 1)),
            _ => Type::type_of(self.ty(depth - 1)),
        }
    }

    /// A type like another, with random parts replaced.
    fn like(&mut self, ty: &Type) -> Type {
        if self.below(8) == 0 {
            return self.ty(2);
        }
        match ty {
            Type::List(element) => Type::list(self.like(element)),
            Type::Map(key, value) => Type::map(self.like(key), self.like(value)),
            Type::Type(Some(inner)) => Type::type_of(self.like(inner)),
            _ => match ty.optional_inner() {
                Some(inner) => Type::optional(self.like(inner)),
                None => ty.clone(),
            },
        }
    }

    /// An operand for a parameter, with `vars` as the types of its variables.
    fn operand(&mut self, sig: &Sig, vars: &[Type]) -> Type {
        if self.below(8) == 0 {
            return self.ty(2);
        }
        match sig {
            Sig::Basic(code) => Type::of_code(*code),
            Sig::Var(n) => {
                let var = &vars[usize::from(*n)];
                self.like(var)
            }
            Sig::List(element) => Type::list(self.operand(element, vars)),
            Sig::Map(key, value) => Type::map(self.operand(key, vars), self.operand(value, vars)),
            Sig::Optional(inner) => Type::optional(self.operand(inner, vars)),
            Sig::TypeOf(inner) => Type::type_of(self.operand(inner, vars)),
        }
    }
}

/// A type of `crate::check` as one of rustc's checks.
fn to_constant(ty: &Type, types: &mut Types<'_>) -> Constant {
    match ty {
        Type::Var(n) => Constant::Var(u16::try_from(*n).expect("few variables")),
        Type::List(element) => {
            let element = to_constant(element, types);
            types.list(element)
        }
        Type::Map(key, value) => {
            let (key, value) = (to_constant(key, types), to_constant(value, types));
            types.map(key, value)
        }
        Type::Type(Some(inner)) => {
            let inner = to_constant(inner, types);
            Constant::Meta(types.part(inner))
        }
        _ => {
            if let Some(inner) = ty.optional_inner() {
                let inner = to_constant(inner, types);
                return types.optional(inner);
            }
            let place = (0..).zip(OBJECTS).find(|(_, name)| *ty == Type::object(name));
            if let Some((place, _)) = place {
                return Constant::Object(Site::One(&Declared::OPEN_OBJECT), place);
            }
            let code = CODES.into_iter().find(|code| Type::of_code(*code) == *ty);
            Constant::Basic(code.unwrap_or_else(|| panic!("{ty} has no code")))
        }
    }
}

/// A type of rustc's checks as one of `crate::check`.
fn from_constant(ty: Constant, types: &Types<'_>) -> Type {
    let part = |part| from_constant(types.node(part), types);
    match ty {
        Constant::Basic(code) => Type::of_code(code),
        Constant::Object(_, place) => Type::object(OBJECTS[place as usize]),
        Constant::List(element) => Type::list(part(element)),
        Constant::Map(key, value) => Type::map(part(key), part(value)),
        Constant::Optional(inner) => Type::optional(part(inner)),
        Constant::Meta(inner) => Type::type_of(part(inner)),
        Constant::Var(n) => Type::Var(n.into()),
    }
}

/// Numbers the variables beyond [`VARS`] in the order in which they occur. The two sides number the variables of
/// overloads that do not fit differently.
fn renumber(ty: &Type, numbers: &mut HashMap<u32, u32>) -> Type {
    match ty {
        Type::Var(n) if *n >= u32::from(VARS) => {
            let next = u32::from(VARS) + u32::try_from(numbers.len()).expect("few variables");
            Type::Var(*numbers.entry(*n).or_insert(next))
        }
        Type::List(element) => Type::list(renumber(element, numbers)),
        Type::Map(key, value) => {
            let key = renumber(key, numbers);
            Type::map(key, renumber(value, numbers))
        }
        Type::Type(Some(inner)) => Type::type_of(renumber(inner, numbers)),
        _ => match ty.optional_inner() {
            Some(inner) => Type::optional(renumber(inner, numbers)),
            None => ty.clone(),
        },
    }
}

/// Unifies two types on both sides, and compares the answers and then the types of all variables.
fn unify_both(a: &Type, b: &Type, inference: &mut Inference<'_>, types: &mut Types<'_>) -> bool {
    let (constant_a, constant_b) = (to_constant(a, types), to_constant(b, types));
    let fits = inference.assign(a, b);
    assert_eq!(types.assign(constant_a, constant_b), fits, "{a} and {b}");
    for var in 0..VARS {
        let applied = types.apply(Constant::Var(var));
        let applied = from_constant(applied, types);
        assert_eq!(applied, inference.apply(&Type::Var(var.into())), "{var} after {a} and {b}");
    }
    for (ty, constant) in [(a, constant_a), (b, constant_b)] {
        let applied = types.apply(constant);
        assert_eq!(from_constant(applied, types), inference.apply(ty), "after {a} and {b}");
    }
    assert!(!types.full, "{a} and {b}");
    fits
}

#[test]
fn generated_types_unify_alike() {
    let env = Env::kubernetes();
    let mut random = Random(Rng::with_seed(1));
    let mut fitting = 0;
    for _ in 0..1000 {
        let mut memory = Box::new(Memory::<LARGE>::NEW);
        let mut inference = Inference::new(&env, VARS.into());
        let mut types = Types::new(Fuel::new(EXPRESSION), memory.lend().types);
        types.fresh(VARS);
        // Later pairs meet the bindings of earlier ones.
        for _ in 0..4 {
            let a = random.ty(3);
            let b = if random.below(2) == 0 { random.like(&a) } else { random.ty(3) };
            fitting += u32::from(unify_both(&a, &b, &mut inference, &mut types));
        }
    }
    assert!((1000..3000).contains(&fitting), "{fitting} of 4,000 pairs unify");
}

/// The overloads of one function, style and number of parameters, with their numbers.
type Group = Vec<(usize, &'static Overload)>;

fn is_logical(function: &str) -> bool {
    matches!(function, "_&&_" | "_||_")
}

/// All groups of an environment, as `compile_time::program` writes them.
fn groups(environment: Environment) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (number, overload) in OVERLOADS.iter().enumerate() {
        let row = overload.row;
        if is_logical(row.function) || !environment.has(overload.presence) {
            continue;
        }
        let like = |other: &Overload| {
            other.row.function == row.function
                && other.row.is_method == row.is_method
                && other.row.signature.params.len() == row.signature.params.len()
        };
        match groups.iter_mut().find(|group| group.iter().any(|(_, other)| like(other))) {
            Some(group) => group.push((number, overload)),
            None => groups.push(vec![(number, overload)]),
        }
    }
    groups
}

/// One call: types of operands, and types that are unified before.
struct Case {
    before: Vec<(Type, Type)>,
    operands: Vec<Type>,
}

impl Case {
    fn new(overload: &Overload, random: &mut Random) -> Self {
        let pairs = random.below(3);
        let before = (0..pairs).map(|_| {
            let var = Type::Var(u32::try_from(random.below(usize::from(VARS))).unwrap_or(0));
            (random.ty(2), var)
        });
        let before = before.collect();
        let signature = &overload.row.signature;
        let vars: Vec<Type> = (0..signature.vars).map(|_| random.ty(2)).collect();
        let operands = signature.params.iter().map(|sig| random.operand(sig, &vars)).collect();
        Self { before, operands }
    }

    /// Resolves a call of the first `count` overloads of a group as rustc does. Returns how many fit, and the types of
    /// the result and of the operands.
    fn constant(&self, group: &Group, count: usize) -> (usize, Vec<Type>) {
        let word = |number: usize| u16::try_from(number).expect("few overloads").to_le_bytes();
        let mut code = vec![u8::try_from(count).expect("few overloads")];
        code.extend(group.iter().take(count).flat_map(|(number, _)| word(*number)));
        let rule = rule(&Declared::OPEN_OBJECT, "", code.leak());
        let mut memory = Box::new(Memory::<LARGE>::NEW);
        let fuel = Fuel::new(EXPRESSION);
        let mut checker = Checker::new(&rule, fuel, memory.lend());
        checker.types.fresh(VARS);
        for (a, b) in &self.before {
            let a = to_constant(a, &mut checker.types);
            let b = to_constant(b, &mut checker.types);
            checker.types.assign(a, b);
        }
        let mut operands = Operands {
            count: self.operands.len(),
            values: [Value::COMPUTED; MAX_OPERANDS],
            unknown: false,
        };
        for (slot, ty) in operands.values.iter_mut().zip(&self.operands) {
            slot.ty = to_constant(ty, &mut checker.types);
        }
        checker.rest = checker.program;
        let Resolved { matches, result, .. } = checker.resolve(&operands);
        let types = &mut checker.types;
        let mut shown = vec![from_constant(result, types)];
        for value in operands.values.into_iter().take(operands.count) {
            let applied = types.apply(value.ty);
            shown.push(from_constant(applied, types));
        }
        assert!(!types.full, "{:?}", self.operands);
        assert!(checker.rest.is_empty());
        (matches, shown)
    }

    /// Compares a call of the overloads of a group on both sides. Returns the ids of those that fit.
    fn compare(&self, group: &Group, env: &Env) -> Vec<&'static str> {
        let Some((_, Overload { row, .. })) = group.first() else { return Vec::new() };
        let mut inference = Inference::new(env, VARS.into());
        for (a, b) in &self.before {
            inference.assign(a, b);
        }
        let call = inference.call(row.function, row.is_method, &self.operands);
        let shown = format!("{} on {:?} after {:?}", row.id, self.operands, self.before);

        let (mut fitting, mut before) = (Vec::new(), 0);
        for (count, (_, overload)) in (1..).zip(group) {
            let (matches, _) = self.constant(group, count);
            if matches > before {
                fitting.push(overload.row.id);
            }
            before = matches;
        }
        assert_eq!(fitting, call.overloads, "{shown}");

        let (_, constant) = self.constant(group, group.len());
        let result = call.result.unwrap_or(Type::Error);
        let mut types = vec![result];
        types.extend(self.operands.iter().map(|ty| inference.apply(ty)));
        let renumbered = |types: &[Type]| {
            let mut numbers = HashMap::new();
            types.iter().map(|ty| renumber(ty, &mut numbers)).collect::<Vec<_>>()
        };
        assert_eq!(renumbered(&constant), renumbered(&types), "{shown}");
        fitting
    }
}

#[test]
fn generated_calls_are_resolved_alike() {
    let mut random = Random(Rng::with_seed(1));
    let (mut fitting, mut rejected) = (HashSet::new(), 0);
    // The newest minor has all overloads for stored rules, except for some that only older minors have.
    let environments =
        [KubernetesVersion::OLDEST, KubernetesVersion::NEWEST].map(Environment::stored);
    for environment in environments {
        let env = Env::of(environment);
        for group in groups(environment) {
            for (_, overload) in &group {
                for _ in 0..12 {
                    let found = Case::new(overload, &mut random).compare(&group, &env);
                    rejected += usize::from(found.is_empty());
                    fitting.extend(found);
                }
            }
        }
    }
    // Those of expressions that make patches are in no rule.
    let in_rules = |overload: &&Overload| environments.iter().any(|it| it.has(overload.presence));
    for Overload { row, .. } in OVERLOADS.iter().filter(in_rules) {
        assert!(fitting.contains(row.id) || is_logical(row.function), "{} fits no call", row.id);
    }
    assert!(rejected > 500, "{rejected} calls have no overload");
}
