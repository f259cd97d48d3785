//! Checks excerpts of manifests in the documentation.

use crd_runtime::model::Manifest;

/// The line for omitted lines of a manifest.
const OMITTED: &str = "# ..";

/// Asserts that the lines are in the manifest, in sequence, with the same indentation relative to the first. A line
/// `# ..` stands for any number of other lines.
///
/// # Panics
/// If they are not.
#[track_caller]
pub fn in_manifest(crd: &impl Manifest, lines: &str) {
    let written = crd.manifest().expect("a manifest");
    let written = serde_json::to_value(&*written).expect("JSON");
    let written = crd_runtime::yaml::to_string(&written);
    let manifest: Vec<String> = written.lines().map(without_dash).collect();
    let shown: Vec<String> = lines.lines().map(without_dash).collect();
    let parts: Vec<&[String]> = shown.split(|line| line.trim() == OMITTED).collect();
    let found = (0..manifest.len()).any(|start| {
        let deeper = indent(&manifest[start]).checked_sub(indent(&shown[0]));
        deeper.is_some_and(|deeper| begins(&manifest[start..], &parts, deeper))
    });
    assert!(found, "{lines}\n\nis not in\n\n{written}");
}

/// Whether the manifest begins with the first part, and the others follow in their order.
fn begins(manifest: &[String], parts: &[&[String]], deeper: usize) -> bool {
    let is_at = |place: usize, part: &[String]| {
        let lines = manifest.get(place..place + part.len());
        lines.is_some_and(|lines| {
            lines.iter().zip(part).all(|(line, shown)| {
                line.trim_start() == shown.trim_start() && indent(line) == indent(shown) + deeper
            })
        })
    };
    let Some((first, others)) = parts.split_first() else { return true };
    let mut place = first.len();
    is_at(0, first)
        && others.iter().all(|part| {
            let found = (place..manifest.len()).find(|place| is_at(*place, part));
            place = found.unwrap_or(place) + part.len();
            found.is_some()
        })
}

/// Replaces the dash of an item by blanks, so that its first key is indented like the others.
fn without_dash(line: &str) -> String {
    match line.trim_start().strip_prefix("- ") {
        Some(rest) => format!("{}{rest}", " ".repeat(line.len() - rest.len())),
        None => line.to_owned(),
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn crd() -> crd_runtime::model::CustomResourceDefinition {
        let names = json!({"plural": "jobs", "kind": "Job", "shortNames": ["a", "b"]});
        let crd = json!({"spec": {"group": "example.com", "names": names, "scope": "Cluster"}});
        serde_json::from_value(crd).unwrap()
    }

    #[test]
    fn lines_are_in_a_manifest() {
        in_manifest(&crd(), "names:\n  kind: Job\n  plural: jobs");
        in_manifest(&crd(), "shortNames:\n- a\n- b");
        in_manifest(&crd(), "spec:\n  # ..\n  names:\n    # ..\n    shortNames:\n    - a");
    }

    #[test]
    #[should_panic(expected = "is not in")]
    fn omitted_lines_need_a_mark() {
        in_manifest(&crd(), "names:\n  plural: jobs");
    }

    #[test]
    #[should_panic(expected = "is not in")]
    fn lines_are_as_deep_as_they_are_shown() {
        in_manifest(&crd(), "names:\nkind: Job");
    }

    #[test]
    #[should_panic(expected = "is not in")]
    fn parts_have_the_order_of_the_manifest() {
        in_manifest(&crd(), "scope: Cluster\n# ..\ngroup: example.com");
    }
}
