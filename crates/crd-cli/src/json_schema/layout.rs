//! The layout of catalogs of schemas, as kubeconform and the catalog of datree have it.

/// Returns the path of a schema below its catalog, `{group}/{kind}_{version}.json` in lower case; `None` if a part is not
/// a name of a file.
pub(crate) fn path(group: &str, kind: &str, version: &str) -> Option<String> {
    let is_name =
        |part: &str| !part.is_empty() && !part.contains(['/', '\\']) && !part.contains("..");
    let is_path = [group, kind, version].into_iter().all(is_name);
    is_path.then(|| format!("{group}/{}_{version}.json", kind.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_is_in_lower_case_and_no_part_leads_elsewhere() {
        let found = path("stable.example.com", "CronTab", "v1");
        assert_eq!(found, Some("stable.example.com/crontab_v1.json".to_owned()));
        for (group, kind, version) in
            [("..", "A", "v1"), ("a", "b/c", "v1"), ("a", "B", "..\\v1"), ("", "A", "v1")]
        {
            assert_eq!(path(group, kind, version), None, "{group} {kind} {version}");
        }
    }
}
