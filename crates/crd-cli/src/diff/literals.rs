//! The literals of rules, by which objects are found that a rule accepts or rejects.

use crd_cel::re2;
use crd_cel::syntax::{self, Comprehension, Expr, ExprKind, Literal};

use crate::generate::{Options, Random};

/// Texts that are generated for a literal that may be a pattern.
const EXAMPLES: usize = 4;

/// Adds the literals of rules to what is generated: texts, numbers and their neighbours, and texts that match a literal
/// if it is a pattern.
pub(super) fn add<'r>(rules: impl IntoIterator<Item = &'r String>, options: &mut Options) {
    let mut random = Random::new(0);
    for rule in rules {
        // Rules that do not parse are reported with the definition.
        if let Ok(ast) = syntax::parse(rule) {
            visit(&ast.root, &mut |literal| add_literal(literal, &mut random, options));
        }
    }
    options.texts.sort();
    options.texts.dedup();
    options.integers.sort_unstable();
    options.integers.dedup();
}

fn add_literal(literal: &Literal, random: &mut Random, options: &mut Options) {
    match literal {
        Literal::String(text) => {
            options.texts.push(text.to_string());
            if text.contains(['^', '[', '(', '\\', '*', '+']) {
                for _ in 0..EXAMPLES {
                    options.texts.extend(re2::example(text, &mut |count| random.below(count)));
                }
            }
        }
        Literal::Int(number) => {
            let near = [number.saturating_sub(1), *number, number.saturating_add(1)];
            options.integers.extend(near);
        }
        _ => {}
    }
}

/// Visits all literals. Recurses at most as deep as the parser allows expressions to nest.
fn visit(expr: &Expr, each: &mut dyn FnMut(&Literal)) {
    match &expr.kind {
        ExprKind::Literal(literal) => each(literal),
        ExprKind::Ident(_) => {}
        ExprKind::Select { operand, .. } => visit(operand, each),
        ExprKind::Call { target, args, .. } => {
            for part in target.iter().map(|target| &**target).chain(args) {
                visit(part, each);
            }
        }
        ExprKind::List { elements, .. } => elements.iter().for_each(|element| visit(element, each)),
        ExprKind::Map(entries) => entries.iter().for_each(|entry| {
            visit(&entry.key, each);
            visit(&entry.value, each);
        }),
        ExprKind::Struct { fields, .. } => {
            for field in fields {
                visit(&field.value, each);
            }
        }
        ExprKind::Comprehension(comprehension) => {
            let Comprehension { range, init, condition, step, result, .. } = &**comprehension;
            for part in [range, init, condition, step, result] {
                visit(part, each);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_and_their_neighbours_are_found() {
        let rules = ["self.all(x, x.a == 'p' && x.b < 7) && self.c.matches('^[q]$')".to_owned()];
        let mut options = Options::default();
        add(&rules, &mut options);
        assert_eq!(options.texts, ["^[q]$", "p", "q"]);
        assert!([6, 7, 8].iter().all(|number| options.integers.contains(number)), "{options:?}");
    }
}
