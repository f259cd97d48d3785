//! The literals of rules, by which objects are found that a rule accepts or rejects.

use crd_cel::syntax::{self, ExprKind, Literal};
use crd_cel::{lint, re2};

use crate::generate::{Options, Random};

/// Texts that are generated for a literal that may be a pattern.
const EXAMPLES: usize = 4;

/// Adds the literals of rules to what is generated: texts, numbers and their neighbours, and texts that match a literal
/// if it is a pattern.
pub(crate) fn add<'r>(rules: impl IntoIterator<Item = &'r String>, options: &mut Options) {
    let mut random = Random::new(0);
    for rule in rules {
        // Rules that do not parse are reported with the definition.
        if let Ok(ast) = syntax::parse(rule) {
            lint::visit(&ast.root, &mut |expr| {
                if let ExprKind::Literal(literal) = &expr.kind {
                    add_literal(literal, &mut random, options);
                }
            });
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
