//! Hints for files that hold no Kubernetes object, such as parts of a Helm chart.

use std::ffi::OsStr;
use std::path::Path;

use super::input::Unit;

/// Returns a hint for a document that cannot be read, or is not an object.
pub(super) fn of_unit(unit: &Unit, is_readable: bool) -> Option<String> {
    of(unit.place.path(), unit.mentions("{{"), is_readable)
}

/// As [`of_unit`], given the path and whether the text contains `{{`.
fn of(path: Option<&Path>, has_braces: bool, is_readable: bool) -> Option<String> {
    let name = path.and_then(Path::file_name).and_then(OsStr::to_str).unwrap_or_default();
    let of_chart = "a Helm chart; validate the rendered chart with `helm template CHART | crd validate CRDS -`";
    let stem = name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml"));
    match stem {
        Some("Chart") => {
            return Some(format!("the file belongs to {of_chart}, or use `--ignore {name}`"));
        }
        Some("kustomization" | "Kustomization") => {
            return Some(format!(
                "the file belongs to kustomize; validate the built objects with `kubectl kustomize DIR | crd \
                 validate CRDS -`, or use `--ignore {name}`"
            ));
        }
        Some(stem) if stem.starts_with("values") || stem.ends_with("values") => {
            return Some(format!(
                "the file may be the values of {of_chart}, or use `--ignore {name}`"
            ));
        }
        _ => {}
    }
    if has_braces && !is_readable {
        return Some(format!(
            "`{{{{` may begin a template of {of_chart}, or use `--ignore templates`"
        ));
    }
    (is_readable && !name.is_empty()).then(|| {
        format!(
            "an object needs `apiVersion` and `kind`; if the file holds no object, use `--ignore {name}`"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_for_each_kind_of_file() {
        let hint = |path: &str, has_braces, is_readable| {
            of(Some(Path::new(path)), has_braces, is_readable).unwrap_or_default()
        };
        for (path, want) in [
            ("c/Chart.yaml", "helm template"),
            ("c/values.yaml", "--ignore values.yaml"),
            ("c/prod-values.yml", "--ignore prod-values.yml"),
            ("k/kustomization.yaml", "kubectl kustomize"),
            ("k/config.json", "--ignore config.json"),
        ] {
            assert!(hint(path, false, true).contains(want), "{path}: {}", hint(path, false, true));
        }
        assert!(hint("c/templates/a.yaml", true, false).contains("--ignore templates"));
        assert_eq!(hint("a.yaml", false, false), "");
        assert_eq!(of(None, false, true), None);
    }
}
