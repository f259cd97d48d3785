//! The peak memory of `crd validate`: it does not grow with the number of files, and is at most a multiple of the size
//! of a hostile file.

#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

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

/// The number of manifests in each directory of a tree.
const IN_A_DIRECTORY: usize = 50;
/// The numbers of manifests in the two trees that are compared. `crd validate` reads ahead by at most a window of
/// manifests; even the smaller tree has more than that.
const FEW: usize = 600;
const MANY: usize = 3_000;
/// How much higher the peak of the larger tree may be, in KiB. The peaks vary because the scheduler decides how full
/// the window gets (at most 256 manifests of 4 KiB), and because the allocator keeps memory for each thread. Holding all
/// manifests, of 4 KiB each, would take three times the margin.
const MARGIN: u64 = 3_000;

/// A directory of manifests.
struct Tree(TempDir);

impl Tree {
    /// Writes `manifests` manifests, and their CRD in a file that is read before them.
    fn new(manifests: usize) -> Self {
        let tree = tempfile::tempdir().expect("a directory");
        let root = tree.path();
        fs::write(root.join("a-crd.yaml"), CRD).expect("written");
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
        Self(tree)
    }

    /// Returns the peak memory of the command in KiB after it has validated every manifest.
    fn peak(&self, manifests: usize) -> u64 {
        peak(self.0.path(), manifests + 1, |line| {
            assert!(line.contains("valid") && !line.contains("invalid"), "{line}");
        })
    }
}

/// Returns the peak memory of the command in KiB after it has printed a line for each of `documents` documents. Calls
/// `look` with each line.
fn peak(path: &Path, documents: usize, look: impl Fn(&str)) -> u64 {
    // The command reads standard input last. It does not exit before that is closed, so `/proc` has its status.
    let mut child = Command::new(env!("CARGO_BIN_EXE_crd"))
        .args(["validate", "--output", "json", "-f"])
        .arg(path)
        .args(["-f", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let stdin = child.stdin.take();
    let mut lines = BufReader::new(child.stdout.take().expect("output")).lines();
    for _ in 0..documents {
        look(&lines.next().expect("a verdict for each document").expect("text"));
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("a process");
    drop(stdin);
    let summary = lines.next().expect("a summary").expect("text");
    assert!(summary.contains("\"summary\""), "{summary}");
    child.wait().expect("it ends");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.trim().parse().ok());
    peak.expect("a peak in kB")
}

#[test]
fn validate_holds_no_more_of_a_larger_tree() {
    let [few, many] = [FEW, MANY].map(|manifests| Tree::new(manifests).peak(manifests));
    assert!(many <= few + MARGIN, "{few} KiB of {FEW} manifests, {many} KiB of {MANY}");
}

/// How many bytes of memory the command may take for each byte of a hostile file.
const PER_BYTE: u64 = 64;
/// How much memory the command may take besides, in KiB.
const BASE: u64 = 64 << 10;

#[track_caller]
fn check_hostile(text: &str, want: &str) {
    let mut file = tempfile::Builder::new().suffix(".yaml").tempfile().expect("a file");
    file.write_all(text.as_bytes()).expect("written");
    let peak = peak(file.path(), 1, |line| assert!(line.contains(want), "{line}"));
    let length = u64::try_from(text.len()).expect("a length");
    let limit = length * PER_BYTE / 1024 + BASE;
    assert!(peak <= limit, "{peak} KiB for a file of {length} bytes; the limit is {limit} KiB");
}

#[test]
fn many_aliases_of_one_large_text_are_rejected() {
    let large = "x".repeat(1_000_000);
    let text = format!("any: &a \"{large}\"\nall:\n{}", "- *a\n".repeat(5_000));
    check_hostile(&text, "aliases expand to more than");
    let keys = (0..5_000).map(|n| format!("- ? *a\n  : {n}\n")).collect::<Vec<_>>().concat();
    let text = format!("any: &a \"{large}\"\nall:\n{keys}");
    check_hostile(&text, "aliases expand to more than");
}

#[test]
fn anchors_within_anchors_cost_no_more_than_one() {
    let open = (0..240).map(|level| format!("&a{level} [")).collect::<Vec<_>>().concat();
    let text = format!("any: {open}{}0{}\n", "0,".repeat(150_000), "]".repeat(240));
    check_hostile(&text, "Object 'Kind' is missing");
    // An alias of the innermost list is valid, however many anchors are around it.
    check_hostile(&format!("{text}again: *a239\n"), "Object 'Kind' is missing");
}
