//! One of the two servers, as `kubectl` reaches it.

use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use kube::config::Kubeconfig;
use serde_json::json;

use super::mask::Masks;
use super::scenario::{self, Action};

/// The timeout of a command, and of waiting for lines of a watch.
const PATIENCE: Duration = Duration::from_secs(30);
/// The time between two checks whether a command has ended.
const PAUSE: Duration = Duration::from_millis(20);
/// How long to wait for unexpected lines of a watch after the last expected one.
const QUIET: Duration = Duration::from_millis(300);

/// A server, with the state of one scenario.
pub(super) struct Server {
    kubectl: PathBuf,
    /// The directory of manifests, in which commands run.
    files: PathBuf,
    /// The home directory of commands, with their caches and temporary files.
    home: PathBuf,
    masks: Masks,
    watching: Option<Watching>,
}

/// A command that runs in the background.
struct Watching {
    child: Child,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Watching {
    /// Waits until it has printed `count` lines, or until the timeout. Returns the number of lines.
    fn wait(&self, count: usize) -> usize {
        let begin = Instant::now();
        loop {
            let printed = self.lines.lock().unwrap_or_else(PoisonError::into_inner).len();
            if printed >= count || begin.elapsed() > PATIENCE {
                return printed;
            }
            thread::sleep(PAUSE);
        }
    }
}

impl Server {
    /// Prepares the home directory of one scenario, whose objects are in a namespace of its name.
    pub(super) fn new(
        kubectl: &Path,
        files: &Path,
        home: PathBuf,
        kubeconfig: &Kubeconfig,
        namespace: &str,
    ) -> Result<Self, String> {
        let mut kubeconfig = kubeconfig.clone();
        for named in &mut kubeconfig.contexts {
            if let Some(context) = &mut named.context {
                context.namespace = Some(namespace.to_owned());
            }
        }
        let kubeconfig = serde_json::to_string(&kubeconfig).map_err(|error| error.to_string())?;
        fs::create_dir_all(home.join("tmp")).map_err(|error| error.to_string())?;
        fs::write(home.join("kubeconfig"), kubeconfig).map_err(|error| error.to_string())?;
        let (kubectl, files) = (kubectl.to_owned(), files.to_owned());
        Ok(Self { kubectl, files, home, masks: Masks::default(), watching: None })
    }

    /// Creates the namespace of the scenario.
    pub(super) fn make_namespace(&self, name: &str) -> Result<(), String> {
        let namespace =
            json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}});
        let file = self.home.join("namespace.json");
        fs::write(&file, namespace.to_string()).map_err(|error| error.to_string())?;
        let file = file.to_string_lossy().into_owned();
        // Sends the file as it is: `kubectl create namespace` would send Protocol Buffers.
        let arguments = ["create", "--raw", "/api/v1/namespaces", "-f", &file];
        let arguments = arguments.map(str::to_owned).to_vec();
        let done = self.run(&scenario::Command { variables: Vec::new(), arguments })?;
        if done.code == Some(0) {
            Ok(())
        } else {
            Err(format!("no namespace {name}: {}", done.err))
        }
    }

    /// Runs a step. Returns the exit status and the masked output, line by line.
    pub(super) fn run_step(&mut self, action: &Action) -> Result<Vec<String>, String> {
        match action {
            Action::Run(command) => {
                let done = self.run(command)?;
                Ok(self.masked(&done))
            }
            Action::Eventually(command) => {
                let begin = Instant::now();
                loop {
                    let done = self.run(command)?;
                    if done.code == Some(0) || begin.elapsed() > PATIENCE {
                        return Ok(self.masked(&done));
                    }
                    thread::sleep(10 * PAUSE);
                }
            }
            Action::Watch { lines, command } => {
                let watching = self.watch(command)?;
                let printed = watching.wait(*lines);
                self.watching = Some(watching);
                Ok(vec![format!("{} lines or more: {}", lines, printed >= *lines)])
            }
            Action::Watched { lines } => {
                let watching = self.watching.take().ok_or("no watch runs")?;
                watching.wait(*lines);
                thread::sleep(QUIET);
                let printed =
                    watching.lines.lock().unwrap_or_else(PoisonError::into_inner).join("\n");
                drop(watching);
                Ok(self.masked(&Done { code: Some(0), out: printed, err: String::new() }))
            }
        }
    }

    fn masked(&mut self, done: &Done) -> Vec<String> {
        let home = self.home.to_string_lossy().into_owned();
        let mut masked = |text: &str| self.masks.mask(&text.replace(&home, "<home>"));
        let (out, err) = (masked(&done.out), masked(&done.err));
        let mut lines = vec![match done.code {
            Some(code) => format!("exit status {code}"),
            None => "killed".to_owned(),
        }];
        lines.extend(out.lines().map(str::to_owned));
        lines.extend(err.lines().map(|line| format!("stderr: {line}")));
        lines
    }

    fn command(&self, command: &scenario::Command) -> Command {
        let mut process = Command::new(&self.kubectl);
        process
            .arg("--kubeconfig")
            .arg(self.home.join("kubeconfig"))
            .args(&command.arguments)
            .current_dir(&self.files)
            .env_clear()
            .env("PATH", env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.home)
            .env("TMPDIR", self.home.join("tmp"))
            .env("TZ", "UTC")
            .envs(command.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        process
    }

    fn run(&self, command: &scenario::Command) -> Result<Done, String> {
        let mut child = self.command(command).spawn().map_err(|error| error.to_string())?;
        let (out, err) = (child.stdout.take().map(read), child.stderr.take().map(read));
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
                break status;
            }
            if begin.elapsed() > PATIENCE {
                let _ = child.kill();
            }
            thread::sleep(PAUSE);
        };
        let text = |reader: Option<thread::JoinHandle<String>>| {
            reader.and_then(|reader| reader.join().ok()).unwrap_or_default()
        };
        Ok(Done { code: status.code(), out: text(out), err: text(err) })
    }

    fn watch(&self, command: &scenario::Command) -> Result<Watching, String> {
        let mut process = self.command(command);
        process.stderr(Stdio::null());
        let mut child = process.spawn().map_err(|error| error.to_string())?;
        let lines = Arc::<Mutex<Vec<String>>>::default();
        if let Some(out) = child.stdout.take() {
            let lines = Arc::clone(&lines);
            thread::spawn(move || {
                for line in BufReader::new(out).lines().map_while(Result::ok) {
                    lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
                }
            });
        }
        Ok(Watching { child, lines })
    }
}

/// The result of a command.
struct Done {
    code: Option<i32>,
    out: String,
    err: String,
}

fn read(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
