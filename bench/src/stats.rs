//! Means, quartiles and a fitted exponent.

/// The geometric mean of positive values; `NaN` if there are none.
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut sum = 0.0;
    let mut count = 0.0;
    for value in values {
        sum += value.ln();
        count += 1.0;
    }
    (sum / count).exp()
}

/// First quartile, median and third quartile, interpolated between neighbours; `NaN` if there are
/// no values.
pub fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [0.25, 0.5, 0.75].map(|share| {
        let Some(last) = values.len().checked_sub(1) else { return f64::NAN };
        #[expect(clippy::cast_precision_loss, reason = "few values")]
        let at = share * last as f64;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "within the list"
        )]
        let below = at as usize;
        let low = values.get(below).copied().unwrap_or(f64::NAN);
        let high = values.get(below + 1).copied().unwrap_or(low);
        low + (high - low) * at.fract()
    })
}

/// The exponent `k` of `cost = c * size^k`, by least squares over the logarithms. A point is a size
/// and a cost, both positive.
pub fn exponent(points: &[(f64, f64)]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "few points")]
    let count = points.len() as f64;
    let logs = points.iter().map(|(size, cost)| (size.ln(), cost.ln()));
    let mean_x = logs.clone().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = logs.clone().map(|(_, y)| y).sum::<f64>() / count;
    let covariance: f64 = logs.clone().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let variance: f64 = logs.map(|(x, _)| (x - mean_x) * (x - mean_x)).sum();
    covariance / variance
}

#[cfg(test)]
mod tests {
    use super::{exponent, geometric_mean, quartiles};

    #[test]
    fn means_and_quartiles() {
        assert!((geometric_mean([1.0, 100.0]) - 10.0).abs() < 1e-9);
        assert_eq!(quartiles(vec![3.0, 1.0, 2.0, 4.0, 5.0]), [2.0, 3.0, 4.0]);
        assert_eq!(quartiles(vec![7.0]), [7.0; 3]);
        assert!(quartiles(Vec::new()).iter().all(|value| value.is_nan()));
    }

    #[test]
    fn exponents_are_found() {
        let square: Vec<_> = [1.0, 10.0, 200.0].map(|n: f64| (n, 3.0 * n * n)).into();
        assert!((exponent(&square) - 2.0).abs() < 1e-9);
    }
}
