//! Runs `crd serve` as a process, and sends requests to it.
#![cfg(all(unix, feature = "serve"))]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

const CRDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/crds");

const CRONTAB: &str = "
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {name: mine, namespace: team}
spec: {cronSpec: '* * * * *', replicas: 2}
---
apiVersion: v1
kind: Namespace
metadata: {name: team}
";

fn directory() -> TempDir {
    tempfile::tempdir().expect("a directory")
}

fn write(directory: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = directory.path().join(name);
    fs::write(&path, text).expect("written");
    path
}

fn crd(args: &[&str], files: &[&Path]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crd"));
    command.arg("serve").args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
    for file in files {
        command.arg("-f").arg(file);
    }
    command
}

/// Starts a server, and waits until it is ready. Returns the process, the rest of its output, the output so far, and
/// its address.
fn start(args: &[&str], files: &[&Path]) -> (Child, BufReader<ChildStdout>, String, String) {
    let mut child = crd(args, files).spawn().expect("it starts");
    let mut out = BufReader::new(child.stdout.take().expect("a stream"));
    let mut printed = String::new();
    while !printed.contains("Ctrl-C") {
        assert!(out.read_line(&mut printed).expect("text") > 0, "{printed}");
    }
    let address = printed.split("://").nth(1).and_then(|rest| rest.lines().next());
    let address = address.expect("an address").to_owned();
    (child, out, printed, address)
}

fn get(address: &str, path: &str) -> Value {
    let mut stream = TcpStream::connect(address).expect("it listens");
    // With HTTP/1.0 the body is not in chunks, and the server closes the connection after it.
    write!(stream, "GET {path} HTTP/1.0\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
    assert!(head.starts_with("HTTP/1.0 200 "), "{answer}");
    serde_json::from_str(body).expect("JSON")
}

fn end(mut child: Child, signal: &str) -> i32 {
    let sent = Command::new("kill").arg(signal).arg(child.id().to_string()).status();
    assert!(sent.expect("kill is there").success());
    child.wait().expect("it ends").code().expect("an exit status")
}

#[test]
fn the_content_of_files_is_served_until_a_signal() {
    let directory = directory();
    let objects = write(&directory, "objects.yaml", CRONTAB);
    for signal in ["-INT", "-TERM"] {
        let kubeconfig = directory.path().join("kubeconfig");
        let args = ["--kubeconfig", kubeconfig.to_str().expect("text")];
        let (child, _out, printed, address) = start(&args, &[Path::new(CRDS), &objects]);
        assert!(
            printed.contains(&format!("export KUBECONFIG={}", kubeconfig.display())),
            "{printed}"
        );
        assert!(printed.contains("definitions and 2 objects on http://127.0.0.1:"), "{printed}");
        let text = fs::read_to_string(&kubeconfig).expect("a kubeconfig");
        assert!(text.contains(&format!("server: http://{address}")), "{text}");
        let path = "/apis/stable.example.com/v1/namespaces/team/crontabs/mine";
        assert_eq!(get(&address, path)["spec"]["replicas"], 2);
        assert_eq!(end(child, signal), 0);
        assert!(!kubeconfig.exists());
    }
}

#[test]
fn without_files_it_serves_kubernetes_own_kinds() {
    let (child, _out, printed, address) = start(&["--listen", "127.0.0.1:0"], &[]);
    assert!(printed.starts_with("Serving 0 definitions and 0 objects on "), "{printed}");
    assert_eq!(get(&address, "/api/v1/namespaces/default")["metadata"]["name"], "default");
    assert_eq!(end(child, "-TERM"), 0);
}

#[test]
fn the_given_minor_is_imitated() {
    let (child, _out, _printed, address) = start(&["--kubernetes", "1.33"], &[]);
    assert_eq!(get(&address, "/version")["minor"], "33");
    assert_eq!(end(child, "-TERM"), 0);
    let (status, printed) = failure(&["--kubernetes", "1.12"], &[]);
    assert_eq!(status, 2, "{printed}");
    assert!(printed.contains("--kubernetes <MINOR>") && printed.contains("1.12"), "{printed}");
}

fn failure(args: &[&str], files: &[&Path]) -> (i32, String) {
    let Output { status, stderr, .. } = crd(args, files).output().expect("it ends");
    (status.code().expect("an exit status"), String::from_utf8_lossy(&stderr).into_owned())
}

#[test]
fn an_invalid_object_is_not_served() {
    let directory = directory();
    let objects =
        write(&directory, "objects.yaml", &CRONTAB.replace("replicas: 2", "replicas: 99"));
    let (status, printed) = failure(&[], &[Path::new(CRDS), &objects]);
    assert_eq!(status, 1, "{printed}");
    assert!(
        printed.contains("objects.yaml:2") && printed.contains("spec.replicas: Invalid value: 99"),
        "{printed}"
    );
    let (status, printed) = failure(&[], &[&directory.path().join("none.yaml")]);
    assert_eq!(status, 2, "{printed}");
}

#[test]
fn another_kubeconfig_is_not_overwritten() {
    let directory = directory();
    let kubeconfig = write(&directory, "config", "clusters: [{name: prod}]\n");
    let (status, printed) = failure(&["--kubeconfig", kubeconfig.to_str().expect("text")], &[]);
    assert_eq!(status, 2, "{printed}");
    assert!(printed.contains("--kubeconfig FILE"), "{printed}");
    assert_eq!(fs::read_to_string(kubeconfig).expect("there"), "clusters: [{name: prod}]\n");
}

#[test]
fn the_default_kubeconfig_is_private_and_cannot_be_guessed() {
    use std::os::unix::fs::PermissionsExt as _;
    let (child, _out, printed, address) = start(&[], &[]);
    let path = printed.split("export KUBECONFIG=").nth(1).and_then(|rest| rest.lines().next());
    let path = Path::new(path.expect("a path"));
    let mode = fs::metadata(path).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let port = address.rsplit(':').next().expect("a port");
    assert!(!path.to_string_lossy().contains(port), "{}", path.display());
    assert_eq!(end(child, "-TERM"), 0);
    assert!(!path.exists());
}

#[test]
fn a_named_pipe_is_no_kubeconfig() {
    let directory = directory();
    let pipe = directory.path().join("config");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo is there").success());
    let (status, printed) = failure(&["--kubeconfig", pipe.to_str().expect("text")], &[]);
    assert_eq!(status, 2, "{printed}");
}

#[test]
#[cfg(feature = "client")]
fn the_definitions_of_a_cluster_are_compared() {
    let directory = directory();
    let kubeconfig = directory.path().join("config");
    let shown = kubeconfig.to_str().expect("a path in UTF-8");
    let (child, _out, printed, _) = start(&["--tls", "--kubeconfig", shown], &[Path::new(CRDS)]);
    assert!(printed.contains(" on https://127.0.0.1:"), "{printed}");
    let file = format!("{CRDS}/crontabs.stable.example.com.yaml");
    let text = fs::read_to_string(&file).expect("a manifest");
    let narrowed = write(&directory, "new.yaml", &text.replace("maximum: 10", "maximum: 5"));
    let diff = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crd"));
        let options = ["--kubeconfig", shown, "--objects", "100"];
        let output = command.arg("diff").args(args).args(options).output().expect("it runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        (output.status.code(), text(output.stdout) + &text(output.stderr))
    };
    // Other definitions of the cluster do not count, and neither do the defaults that the server has set.
    let nothing = (Some(0), "0 errors, 0 warnings, 0 notes\n".to_owned());
    assert_eq!(diff(&["cluster:", &file]), nothing);
    assert_eq!(diff(&[&file, "cluster:"]), nothing);
    let (status, out) = diff(&["cluster:", narrowed.to_str().expect("a path in UTF-8")]);
    assert!(status == Some(1) && out.contains("error[bound-narrowed]"), "{out}");
    let mut check = Command::new(env!("CARGO_BIN_EXE_crd"));
    let check = check.args(["check", &file, "--old", "cluster:"]).env("KUBECONFIG", &kubeconfig);
    let output = check.output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("valid as an update"), "{text}");
    let (status, out) = diff(&["cluster:other", &file]);
    assert!(status == Some(2) && out.contains("error: cluster:other: "), "{out}");
    assert_eq!(end(child, "-TERM"), 0);
}
