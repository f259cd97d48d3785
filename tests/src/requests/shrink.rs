//! Shortens sequences that disagree.

use super::step::{Reads, Step};
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
            // Without all that is configured, the sequence would wait in vain for its effect.
            let is_kept = |at: usize, step: &Step| {
                !(begin..end).contains(&at)
                    || matches!(step.reads, Reads::Configured | Reads::DeniedAfter(_))
            };
            let kept = steps.iter().enumerate().filter(|(at, step)| is_kept(*at, step));
            let mut shorter: Vec<Step> = kept.map(|(_, step)| step.clone()).collect();
            end = begin;
            if shorter.len() == steps.len() {
                continue;
            }
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
