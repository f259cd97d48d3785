//! `crd validate` over a tree: what it holds at a time does not grow with the tree.

#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const CRD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, minimum: 1}
              text: {type: array, items: {type: string}}
            x-kubernetes-validations: [{rule: self.size > 0}]
";

/// Manifests in a directory.
const IN_A_DIRECTORY: usize = 50;
/// The sizes that are compared, in manifests: the smaller one can fill the window of the pipeline too.
const FEW: usize = 600;
const MANY: usize = 3_000;
/// How much more may be held of the larger tree, in KiB. How full the window is (256 pieces of 4 KiB) is for the
/// scheduler to say, and the allocator keeps some for each thread. To hold the manifests, of 4 KiB each, would take
/// three times as much.
const MARGIN: u64 = 3_000;

/// A tree that goes when the test ends.
struct Tree(PathBuf);

impl Tree {
    /// Writes so many manifests; the CRD stands before or behind all of them.
    fn new(name: &str, manifests: usize, crd: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("memory-{name}-{manifests}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).expect("a directory");
        fs::write(root.join(crd), CRD).expect("written");
        let lines = "  - a line of text that takes some space in memory\n".repeat(80);
        for n in 0..manifests {
            let dir = root.join(format!("d{:04}", n / IN_A_DIRECTORY));
            if n % IN_A_DIRECTORY == 0 {
                fs::create_dir(&dir).expect("a directory");
            }
            let mut text = String::from("apiVersion: example.com/v1\nkind: Widget\n");
            let _ = writeln!(text, "metadata: {{name: w{n}}}");
            let _ = write!(text, "spec:\n  size: {}\n  text:\n{lines}", n + 1);
            fs::write(dir.join(format!("w{n}.yaml")), text).expect("written");
        }
        Self(root)
    }

    /// The most memory that the command has held when it has judged every manifest, in KiB.
    fn peak(&self, manifests: usize) -> u64 {
        // Standard input comes last and ends when it is told to: until then the process can be asked.
        let mut child = Command::new(env!("CARGO_BIN_EXE_crd"))
            .args(["validate", "--output", "json", "-f"])
            .arg(&self.0)
            .args(["-f", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let stdin = child.stdin.take();
        let mut lines = BufReader::new(child.stdout.take().expect("output")).lines();
        for _ in 0..=manifests {
            let line = lines.next().expect("a verdict for each document").expect("text");
            assert!(line.contains("valid") && !line.contains("invalid"), "{line}");
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("a process");
        drop(stdin);
        let summary = lines.next().expect("a summary").expect("text");
        assert!(summary.contains("\"invalid\":0"), "{summary}");
        assert!(child.wait().expect("it ends").success());
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.trim().parse().ok());
        peak.expect("a peak in kB")
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn validate_holds_no_more_of_a_larger_tree() {
    let [few, many] =
        [FEW, MANY].map(|manifests| Tree::new("before", manifests, "a-crd.yaml").peak(manifests));
    assert!(many <= few + MARGIN, "{few} KiB of {FEW} manifests, {many} KiB of {MANY}");
}
