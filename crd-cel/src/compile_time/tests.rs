//! The functions are those of the environment, and the checks agree with the checker.

use super::signatures::{FUNCTIONS, Pattern};
use super::types::basic;
use crate::library::KUBERNETES;
use crate::types::{OPTIONAL, Type};

fn pattern(pattern: &Pattern) -> Type {
    match pattern {
        Pattern::Basic(code) => match *code {
            basic::DYN => Type::Dyn,
            basic::BOOL => Type::Bool,
            basic::INT => Type::Int,
            basic::UINT => Type::Uint,
            basic::DOUBLE => Type::Double,
            basic::STRING => Type::String,
            basic::BYTES => Type::Bytes,
            basic::DURATION => Type::Duration,
            basic::TIMESTAMP => Type::Timestamp,
            code @ (basic::IP | basic::CIDR) => Type::opaque(basic::NAMES[usize::from(code)]),
            code => Type::object(basic::NAMES[usize::from(code)]),
        },
        Pattern::Var(n) => Type::Var(u32::from(*n)),
        Pattern::List(element) => Type::list(self::pattern(element)),
        Pattern::Map(key, value) => Type::map(self::pattern(key), self::pattern(value)),
        Pattern::Optional(inner) => Type::Opaque(OPTIONAL.into(), [self::pattern(inner)].into()),
        Pattern::TypeOf(inner) => Type::type_of(self::pattern(inner)),
    }
}

#[test]
fn functions_are_those_of_the_environment() {
    let mut names = Vec::new();
    for function in FUNCTIONS {
        names.push(function.name);
        let declared = KUBERNETES.lookup(function.name).expect(function.name);
        let got: Vec<_> = function
            .overloads
            .iter()
            .map(|o| {
                let params: Vec<_> = o.params.iter().map(pattern).collect();
                (o.member, params, pattern(&o.result), u32::from(o.vars))
            })
            .collect();
        let want: Vec<_> = declared
            .overloads
            .iter()
            .map(|o| (o.member, o.params.clone(), o.result.clone(), o.vars))
            .collect();
        assert_eq!(got, want, "{}", function.name);
    }
    assert_eq!(names, KUBERNETES.names());
}
