//! Shortens sequences that disagree.

use super::step::Step;
use super::{Disagreement, Pair};

/// Removes requests, at first many at a time, as long as the answers to the last one still differ.
pub(super) async fn shrink(
    pair: &mut Pair,
    mut steps: Vec<Step>,
    mut found: Disagreement,
) -> Result<(Vec<Step>, Disagreement), String> {
    let Some(last) = steps.last() else { return Ok((steps, found)) };
    let signature = found.signature(last);
    let mut size = steps.len().saturating_sub(1);
    while size > 0 {
        let mut end = steps.len().saturating_sub(1);
        while end > 0 {
            let begin = end.saturating_sub(size);
            let mut shorter = steps.clone();
            shorter.drain(begin..end);
            end = begin;
            let all = pair.run(&shorter).await?;
            let same = all.into_iter().find(|it| it.signature(&shorter[it.at]) == signature);
            if let Some(smaller) = same {
                shorter.truncate(smaller.at + 1);
                end = end.min(shorter.len() - 1);
                (steps, found) = (shorter, smaller);
            }
        }
        size /= 2;
    }
    Ok((steps, found))
}
