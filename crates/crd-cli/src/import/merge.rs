//! Takes the changes between two texts over into a third one, which was the first and has been edited since.

use std::ops::Range;

use similar::{DiffOp, TextDiff};

/// The edited text with the changes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Merged {
    pub(super) text: String,
    /// Changes of places that the edited text has otherwise.
    pub(super) conflicts: Vec<Conflict>,
}

/// A change that was not taken over.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Conflict {
    /// The lines that it replaces.
    pub(super) old: String,
    pub(super) new: String,
}

/// Takes the changes from `old` to `new` over into `edited`, by lines.
pub(super) fn merge(old: &str, new: &str, edited: &str) -> Merged {
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let edited_lines: Vec<&str> = edited.split_inclusive('\n').collect();
    let places = places(old, edited, old_lines.len());
    let mut text = String::new();
    let mut conflicts = Vec::new();
    let mut written = 0;
    for op in TextDiff::from_lines(old, new).ops() {
        let (before, after) = (op.old_range(), op.new_range());
        if matches!(op, DiffOp::Equal { .. }) {
            continue;
        }
        let replacement = new_lines[after.clone()].concat();
        match place(&places, before.clone(), edited_lines.len()) {
            // Somebody has made the same insertion.
            Some(place)
                if place.is_empty()
                    && edited_lines[place.start..].starts_with(&new_lines[after]) => {}
            Some(place) if place.start >= written => {
                text.push_str(&edited_lines[written..place.start].concat());
                text.push_str(&replacement);
                written = place.end;
            }
            // Somebody has made the same change.
            _ if !replacement.is_empty() && edited.contains(&replacement) => {}
            _ if replacement.is_empty() && before.clone().all(|at| places[at].is_none()) => {}
            _ => {
                conflicts.push(Conflict { old: old_lines[before].concat(), new: replacement });
            }
        }
    }
    text.push_str(&edited_lines[written..].concat());
    Merged { text, conflicts }
}

/// Returns the line of the edited text for each old line that it still has.
fn places(old: &str, edited: &str, count: usize) -> Vec<Option<usize>> {
    let mut places = vec![None; count];
    for op in TextDiff::from_lines(old, edited).ops() {
        if let DiffOp::Equal { old_index, new_index, len } = *op {
            for offset in 0..len {
                places[old_index + offset] = Some(new_index + offset);
            }
        }
    }
    places
}

/// Returns the lines of the edited text that are these old lines. An insertion is between its neighbours: behind the
/// line above, or else before the line below.
fn place(places: &[Option<usize>], old: Range<usize>, edited: usize) -> Option<Range<usize>> {
    if old.is_empty() {
        let above = old.start.checked_sub(1).map(|above| places[above]);
        let below = places.get(old.start).copied();
        let at = match (above, below) {
            (Some(Some(above)), _) => above + 1,
            (_, Some(Some(below))) => below,
            (None, None) => edited,
            _ => return None,
        };
        return Some(at..at);
    }
    let start = places[old.start]?;
    let is_whole = old.clone().enumerate().all(|(offset, at)| places[at] == Some(start + offset));
    is_whole.then(|| start..start + old.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "struct A {\n    a: i32,\n    b: i32,\n}\n\nstruct B {}\n";

    #[test]
    fn changes_go_between_edits() {
        let new =
            "struct A {\n    a: i32,\n    b: i64,\n    c: i32,\n}\n\nstruct B {}\n\nstruct C {}\n";
        let edited = "// Mine.\nstruct A {\n    a: i32,\n    b: i32,\n}\n\nimpl A {}\n\nstruct B {}\n\nfn f() {}\n";
        let merged = merge(OLD, new, edited);
        assert_eq!(merged.conflicts, []);
        assert_eq!(
            merged.text,
            "// Mine.\nstruct A {\n    a: i32,\n    b: i64,\n    c: i32,\n}\n\nimpl A {}\n\nstruct B {}\n\nstruct C {}\n\nfn f() {}\n"
        );
    }

    #[test]
    fn an_edited_place_is_a_conflict() {
        let new = OLD.replace("b: i32", "b: i64");
        let edited = OLD.replace("b: i32", "b: u8");
        let merged = merge(OLD, &new, &edited);
        assert_eq!(merged.text, edited);
        let conflict =
            Conflict { old: "    b: i32,\n".to_owned(), new: "    b: i64,\n".to_owned() };
        assert_eq!(merged.conflicts, [conflict]);
    }

    #[test]
    fn what_is_done_already_is_kept() {
        let new = OLD.replace("    b: i32,\n", "    b: i32,\n    c: i32,\n");
        assert_eq!(merge(OLD, &new, &new), Merged { text: new.clone(), conflicts: Vec::new() });
        let new = OLD.replace("b: i32", "b: i64");
        assert_eq!(merge(OLD, &new, &new), Merged { text: new.clone(), conflicts: Vec::new() });
        let removed = OLD.replace("    b: i32,\n", "");
        assert_eq!(merge(OLD, &removed, OLD).text, removed);
        assert_eq!(merge(OLD, &removed, &removed).conflicts, []);
    }
}
