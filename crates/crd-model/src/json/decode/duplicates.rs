//! Collects the duplicate keys to report.

use std::collections::{BTreeMap, HashSet};

use crd_cel::gofmt;

/// The number of duplicate keys that are reported. Source: `saveStrictError` in `sigs.k8s.io/json`.
const MAX_DUPLICATES: usize = 100;

/// The largest total length of the paths to report, in bytes: one path may contain a key of megabytes.
///
/// Divergence: the server has no limit in bytes.
const MAX_DUPLICATE_BYTES: usize = 1024 * 1024;

/// The duplicate keys of a document.
#[derive(Default)]
pub(super) struct Duplicates {
    /// The keys that were found to be duplicates, for each object that is being read, by its depth.
    reported: BTreeMap<usize, HashSet<String>>,
    /// The first duplicates, sorted by offset; at most [`MAX_DUPLICATES`].
    found: Vec<DuplicateField>,
    /// The total length of their paths, in bytes.
    bytes: usize,
    /// Duplicates after this offset are only counted, because the paths before it use up [`MAX_DUPLICATE_BYTES`].
    reported_up_to: Option<usize>,
    /// The number of duplicates that were only counted.
    unreported: usize,
}

struct DuplicateField {
    /// The offset of the key; the server reports duplicates in this order.
    at: usize,
    path: String,
}

impl Duplicates {
    /// Records the duplicate key at offset `at` of the object at `depth`. Builds no path once a limit is reached,
    /// because a body may have about as many duplicates as bytes.
    pub(super) fn report(
        &mut self,
        at: usize,
        depth: usize,
        key: &str,
        path: impl FnOnce() -> String,
    ) {
        if !self.reported.entry(depth).or_default().insert(key.to_owned()) {
            return;
        }
        let index = self.found.partition_point(|duplicate| duplicate.at < at);
        if index >= MAX_DUPLICATES {
            return;
        }
        if self.reported_up_to.is_some_and(|last| at > last) {
            self.unreported += 1;
            return;
        }
        let path = path();
        if let Some(same) = self.found.iter().position(|duplicate| duplicate.path == path) {
            if same < index {
                return;
            }
            self.bytes -= path.len();
            self.found.remove(same);
        }
        self.bytes += path.len();
        self.found.insert(index, DuplicateField { at, path });
        let is_too_many = |reported: &[DuplicateField]| reported.len() > MAX_DUPLICATES;
        while is_too_many(&self.found) || self.found.len() > 1 && self.bytes > MAX_DUPLICATE_BYTES {
            self.unreported += usize::from(!is_too_many(&self.found));
            let last = self.found.pop();
            self.bytes -= last.map_or(0, |last| last.path.len());
        }
        if self.bytes > MAX_DUPLICATE_BYTES || self.unreported > 0 {
            self.reported_up_to = self.found.last().map(|last| last.at);
        }
    }

    /// Removes the keys of the object at `depth`, which is complete.
    #[inline]
    pub(super) fn close(&mut self, depth: usize) {
        if !self.reported.is_empty() {
            self.reported.remove(&depth);
        }
    }

    /// Returns the errors of strict field validation.
    pub(super) fn into_texts(self) -> Vec<String> {
        let mut texts: Vec<String> = self
            .found
            .iter()
            .map(|duplicate| format!("duplicate field {}", gofmt::quote(&duplicate.path)))
            .collect();
        let more = self.unreported.min(MAX_DUPLICATES.saturating_sub(texts.len()));
        if more > 0 {
            texts.push(format!("more duplicate fields are not listed: {more}"));
        }
        texts
    }
}
