//! The configuration file.

use super::files::tree;
use super::{CRON_TABS, Dir, INVALID, Registry, VALID, run};

const UNKNOWN: &str = "apiVersion: stable.example.com/v1\nkind: CronTab\nmetadata: {name: a}\nspec: {cronSpec: \"* * * * *\", extra: 1}\n";

/// Writes a configuration file beside a CRD, an object with an unknown field, and an invalid one.
fn project(name: &str, config: &str) -> Dir {
    tree(
        name,
        &[
            ("crd.toml", config),
            ("crds/crd.yaml", CRON_TABS),
            ("objects/unknown.yaml", UNKNOWN),
            ("objects/valid.yaml", VALID),
            ("others/invalid.yaml", INVALID),
        ],
    )
}

/// Runs a command with the file of a project. Returns the exit status and the output.
fn with_config(dir: &Dir, args: &[&str]) -> (u8, String) {
    let config = dir.path().join("crd.toml").display().to_string();
    let (status, out, err) = run(&Registry::new(), &[args, &["--config", &config]].concat());
    (status, out + &err)
}

#[test]
fn the_file_has_the_options_and_paths_of_commands() {
    let dir = project(
        "config",
        "# A comment.\n[validate]\npaths = ['crds', 'objects']\nwarn = true\nquiet = true\n",
    );
    let (status, out) = with_config(&dir, &["validate"]);
    assert!(status == 0 && out.ends_with("3 valid, 0 invalid\n"), "{out}");
    assert!(
        out.contains("Warning: unknown field \"spec.extra\"") && !out.contains(" valid\n"),
        "{out}"
    );
}

#[test]
fn the_command_line_wins() {
    let dir = project(
        "config-wins",
        "validate = {paths = 'crds', warn = true, skip-kind = ['CronTab'], quiet = false}\n",
    );
    let object = dir.path().join("objects/unknown.yaml").display().to_string();
    let crds = dir.path().join("crds").display().to_string();
    for option in [&["-f"][..], &[]] {
        let args = [&["validate", &crds], option, &[&object]].concat();
        let (status, out) = with_config(&dir, &args);
        assert!(status == 0 && out.contains("1 valid, 0 invalid, 1 skipped"), "{out}");
    }
    // A conflicting option of the command line wins, too.
    let strict =
        ["validate", &crds, "--skip-kind", "X", "--field-validation", "strict", "--", &object];
    let (status, out) = {
        let config = dir.path().join("crd.toml").display().to_string();
        let (status, out, err) =
            run(&Registry::new(), &[&["--config", &config], &strict[..]].concat());
        (status, out + &err)
    };
    assert!(status == 1 && out.contains("unknown field \"spec.extra\""), "{out}");
}

#[test]
fn mistakes_are_errors_at_their_line() {
    let cases = [
        (
            "[validate]\n\nquite = true\n",
            ":3: unknown key `quite`; the keys of `validate` are `paths`, `ignore`, `output`",
        ),
        ("[check]\nwarn = true\n", ":2: unknown key `warn`; the keys of `check` are"),
        ("[validate]\nfilename = 'x'\n", ":2: unknown key `filename`"),
        ("[explain]\nresource = 'x'\n", ":2: unknown key `resource`"),
        ("[valid]\n", ":1: there is no command `valid`"),
        ("quiet = true\n", ":1: `quiet` must be in the table of a command, such as `[validate]`"),
        ("[validate]\nquiet = 'yes'\n", ":2: `quiet` must be `true` or `false`"),
        ("[validate]\nkubernetes = 1.33\n", ":2: `kubernetes` must be a string"),
        ("[validate]\nnamespace = ['a']\n", ":2: `namespace` must be a string"),
        ("[validate]\ncrds = [1.5]\n", ":2: `crds` must be a string or a list of strings"),
        ("[validate.paths]\n", ":1: `paths` must be a string or a list of strings"),
        (
            "[validate]\nquiet = true\noutput = 'tap'\n",
            ":3: invalid value 'tap' for '--output <OUTPUT>'\n  [possible values: human, json",
        ),
        (
            "[validate]\nwarn = true\nfield-validation = 'strict'\n",
            ":3: the argument '--warn' cannot be used with",
        ),
        ("[validate\n", ":1: "),
    ];
    for (config, error) in cases {
        let dir = project("config-mistakes", config);
        let (status, out) = with_config(&dir, &["validate", "x"]);
        assert_eq!(status, 2, "{config}");
        assert!(out.starts_with("error: ") && out.contains(error), "{config}: {out}");
        assert!(out.contains("crd.toml:"), "{out}");
    }
    let dir = project("config-none", "");
    let missing = dir.path().join("other.toml").display().to_string();
    let (status, _, err) = run(&Registry::new(), &["validate", "x", "--config", &missing]);
    assert!(status == 2 && err.contains("other.toml: No such file"), "{err}");
}

#[test]
fn tables_of_commands_of_other_programs_are_not_used() {
    let config = "[serve]\nlisten = '127.0.0.1:1'\n[attributes]\n[import]\nforce = true\n[crds]\ncheck = true\n";
    let dir = project("config-others", config);
    let (crds, objects) = (dir.path().join("crds"), dir.path().join("objects/valid.yaml"));
    let paths = [crds.display().to_string(), objects.display().to_string()];
    let (status, out) = with_config(&dir, &["validate", &paths[0], &paths[1]]);
    assert!(status == 0 && out.ends_with("2 valid, 0 invalid\n"), "{out}");
}
