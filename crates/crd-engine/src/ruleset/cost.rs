//! Estimated costs against the server's limits.
//!
//! Source: `pkg/apis/apiextensions/validation/cel_validation.go`, `TotalCost`, and
//! `validation.go`, `getCostErrorMessage`.

/// The most that a rule may be estimated to cost in one object, in cost units.
///
/// Source: `StaticEstimatedCostLimit`.
pub const RULE_COST_LIMIT: u64 = 10_000_000;

/// The most that all rules of a schema may be estimated to cost together, in cost units.
///
/// Source: `StaticEstimatedCRDCostLimit`.
pub const SCHEMA_COST_LIMIT: u64 = 100_000_000;

/// How many rules are named if the sum is too large.
const MOST_EXPENSIVE: usize = 4;

/// Returns the cost of a rule that can run `cardinality` times in one object. If one evaluation costs 0, the result
/// is 0 for any number of times.
pub(super) fn times(cost: u64, cardinality: u64) -> u64 {
    cost.saturating_mul(cardinality)
}

/// The server's message for a cost above its limit.
#[expect(clippy::cast_precision_loss, reason = "the server divides float64s")]
pub(super) fn exceeds(name: &str, cost: u64, limit: u64) -> String {
    let factor = cost as f64 / limit as f64;
    let factor = if factor > 100.0 {
        "more than 100x".to_owned()
    } else if factor < 1.5 {
        format!("{factor:.6}x")
    } else {
        format!("{factor:.1}x")
    };
    format!(
        "{name} exceeds budget by factor of {factor} (try simplifying the rule, or adding maxItems, \
         maxProperties, and maxLength where arrays, maps, and strings are declared)"
    )
}

/// The sum over a schema.
#[derive(Debug, Default)]
pub(super) struct TotalCost {
    pub(super) sum: u64,
    /// The most expensive expressions and where they are, most expensive first.
    pub(super) most_expensive: Vec<(u64, String)>,
}

impl TotalCost {
    /// Adds an expression. One that costs less than a hundredth of the limit is never among the most expensive.
    pub(super) fn add(&mut self, cost: u64, path: &impl ToString) {
        self.sum = self.sum.saturating_add(cost);
        if cost < SCHEMA_COST_LIMIT / 100 {
            return;
        }
        let index = self.most_expensive.partition_point(|(other, _)| *other >= cost);
        self.most_expensive.insert(index, (cost, path.to_string()));
        self.most_expensive.truncate(MOST_EXPENSIVE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_have_three_forms() {
        for (cost, want) in [
            (10_000_001, "1.000000x"),
            (13_212_050, "1.321205x"),
            (15_000_000, "1.5x"),
            (123_456_789, "12.3x"),
            (1_000_000_000, "100.0x"),
            (1_000_000_001, "more than 100x"),
            (u64::MAX, "more than 100x"),
        ] {
            let text = exceeds("estimated rule cost", cost, RULE_COST_LIMIT);
            let prefix = format!("estimated rule cost exceeds budget by factor of {want} (try");
            assert!(text.starts_with(&prefix), "{cost}: {text}");
        }
    }

    #[test]
    fn the_four_most_expensive_are_kept() {
        let mut total = TotalCost::default();
        for (cost, name) in
            [(2, "b"), (999_999, "x"), (9, "a"), (2, "c"), (2, "d"), (1, "e"), (3, "f")]
        {
            total.add(if cost < 10 { cost * 1_000_000 } else { cost }, &name);
        }
        let kept: Vec<_> = total.most_expensive.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(kept, ["a", "f", "b", "c"]);
        assert_eq!(total.sum, 19_999_999);
        total.add(u64::MAX, &"all");
        assert_eq!(total.sum, u64::MAX);
    }
}
