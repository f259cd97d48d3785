//! Makes one mistake in a rule: renames a field, replaces a literal by one of another type, or drops an argument.

use crd_cel::syntax;
use fastrand::Rng;

use super::Case;

/// Returns `count` different changed cases that still parse, or fewer if too many attempts fail.
pub fn mutants(cases: &[Case], count: usize, seed: u64) -> Vec<Case> {
    let mut rng = Rng::with_seed(seed);
    let mut seen = std::collections::BTreeSet::new();
    let mut out: Vec<Case> = Vec::new();
    // Many attempts fail: not every rule has something that can be changed.
    for _ in 0..count * 40 {
        if out.len() == count {
            break;
        }
        let Some(case) = rng.choice(cases) else { break };
        let (change, mutate): (_, fn(&mut Rng, &str) -> Option<String>) = match rng.u8(0..3) {
            0 => ("renamed field", rename),
            1 => ("swapped type", swap),
            _ => ("dropped argument", drop_argument),
        };
        let Some(rule) = mutate(&mut rng, &case.rule) else { continue };
        if rule != case.rule && syntax::parse(&rule).is_ok() && seen.insert(rule.clone()) {
            out.push(Case { rule, change, message: None, ..case.clone() });
        }
    }
    out
}

/// A piece of a rule: a word, a literal, or a single character.
#[derive(Debug, Clone, Copy)]
struct Piece<'a> {
    text: &'a str,
    start: usize,
}

impl Piece<'_> {
    fn is_word(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }

    fn is_number(&self) -> bool {
        self.text.starts_with(|c: char| c.is_ascii_digit())
    }

    fn is_string(&self) -> bool {
        self.text.starts_with(['\'', '"'])
    }
}

/// Splits a rule into pieces, without blanks.
fn pieces(rule: &str) -> Vec<Piece<'_>> {
    let mut out = Vec::new();
    let mut rest = rule;
    while let Some(first) = rest.chars().next() {
        let run = |is: fn(char) -> bool| rest.find(|c| !is(c)).unwrap_or(rest.len());
        let len = if first.is_ascii_alphabetic() || first == '_' {
            run(|c| c.is_ascii_alphanumeric() || c == '_')
        } else if first.is_ascii_digit() {
            run(|c| c.is_ascii_alphanumeric() || c == '.')
        } else if matches!(first, '\'' | '"') {
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|(_, c)| {
                let ends = *c == first && !escaped;
                escaped = *c == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |(at, _)| at + 1)
        } else {
            first.len_utf8()
        };
        let (text, after) = rest.split_at(len);
        if !text.trim().is_empty() {
            out.push(Piece { text, start: rule.len() - rest.len() });
        }
        rest = after;
    }
    out
}

fn replace(rule: &str, piece: Piece<'_>, with: &str) -> String {
    let end = piece.start + piece.text.len();
    format!("{}{with}{}", &rule[..piece.start], &rule[end..])
}

/// Renames a field by adding or removing a letter.
fn rename(rng: &mut Rng, rule: &str) -> Option<String> {
    let pieces = pieces(rule);
    let fields: Vec<_> = pieces
        .windows(2)
        .enumerate()
        .filter(|(i, pair)| {
            let calls = pieces.get(i + 2).is_some_and(|next| next.text == "(");
            pair[0].text == "." && pair[1].is_word() && !calls
        })
        .map(|(_, pair)| pair[1])
        .collect();
    let field = *rng.choice(&fields)?;
    let mut name = field.text.to_owned();
    if rng.bool() && name.len() > 2 {
        name.remove(rng.usize(1..name.len()));
    } else {
        name.push('x');
    }
    Some(replace(rule, field, &name))
}

/// Replaces a literal by one of another type.
fn swap(rng: &mut Rng, rule: &str) -> Option<String> {
    let pieces = pieces(rule);
    let is_bool = |piece: &Piece<'_>| matches!(piece.text, "true" | "false");
    let literals: Vec<_> =
        pieces.iter().filter(|p| p.is_number() || p.is_string() || is_bool(p)).collect();
    let literal = **rng.choice(&literals)?;
    let others: &[&str] = if literal.is_string() {
        &["1", "true", "1.5", "[]"]
    } else if literal.is_number() {
        &["'one'", "true", "null", "b'x'"]
    } else {
        &["'yes'", "0", "duration('1h')"]
    };
    Some(replace(rule, literal, rng.choice(others)?))
}

/// Drops the last argument of a call.
fn drop_argument(rng: &mut Rng, rule: &str) -> Option<String> {
    let pieces = pieces(rule);
    let mut calls = Vec::new();
    for (i, pair) in pieces.windows(2).enumerate() {
        if !pair[0].is_word() || pair[1].text != "(" || pair[0].text == "in" {
            continue;
        }
        let mut depth = 0;
        let mut from = pair[1].start + 1;
        for piece in &pieces[i + 1..] {
            match piece.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "," if depth == 1 => from = piece.start,
                _ => {}
            }
            if depth == 0 {
                if piece.start > from {
                    calls.push((from, piece.start));
                }
                break;
            }
        }
    }
    let (from, to) = *rng.choice(&calls)?;
    Some(format!("{}{}", &rule[..from], &rule[to..]))
}
