//! `serve`: runs an API server on loopback, for `kubectl` and other clients.

use std::fs;
use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use clap::Args;
use crd_cel::kubernetes::KubernetesVersion;
use serde_json::Value;

use super::args::Files;
use super::objects::{self, Placed};
use super::{CommandError, CommandOutcome, Context, style};
use crate::yaml;
use crd_apiserver::{ApiServer, Listening};

/// Arguments of `serve`.
#[derive(Debug, Args)]
pub(super) struct Serve {
    #[command(flatten)]
    files: Files,
    /// The address to listen on, without authentication. Port 0 is a free one.
    #[arg(long, value_name = "ADDRESS", default_value_t = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0))]
    listen: SocketAddr,
    /// Serve HTTPS, with a new certificate whose authority is in the kubeconfig.
    #[arg(long)]
    tls: bool,
    /// The kubeconfig to write, which is deleted at the end. Default: a file of the directory for temporary files.
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// Serve as this minor of Kubernetes does, such as `1.33`.
    #[arg(long, value_name = "MINOR", default_value_t, hide_default_value = true)]
    kubernetes: KubernetesVersion,
}

/// Serves until SIGINT or SIGTERM.
pub(super) fn run(context: &mut Context<'_>, args: &Serve) -> Result<CommandOutcome, CommandError> {
    let loaded = if args.files.is_empty() {
        None
    } else {
        Some(objects::load(context, &args.files.paths())?)
    };
    let is_partial = loaded.as_ref().is_some_and(objects::Loaded::is_partial);
    let (crds, objects) =
        loaded.map_or_else(Default::default, |loaded| (loaded.crds, loaded.objects));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let server = ApiServer::builder().kubernetes(args.kubernetes).start();
        server.create_cluster_objects();
        if is_partial {
            return Ok(CommandOutcome::Unreadable);
        }
        if !fill(context, &server, &crds, &objects)? {
            return Ok(CommandOutcome::Invalid);
        }
        // The handlers are installed before the address is printed, so that no signal is missed.
        let ended = ended()?;
        let listening = if args.tls {
            server.listen_tls(args.listen).await
        } else {
            server.listen_on(args.listen).await
        };
        let listening =
            listening.map_err(|error| CommandError(format!("{}: {error}", args.listen)))?;
        let kubeconfig = Kubeconfig::write(args.kubeconfig.as_deref(), &listening)?;
        greet(context, &listening, &kubeconfig, (crds.len(), objects.len()))?;
        ended.await;
        Ok(CommandOutcome::Valid)
    })
}

/// Creates all objects. Returns whether the server has accepted all of them.
fn fill(
    context: &mut Context<'_>,
    server: &ApiServer,
    crds: &[Placed],
    objects: &[Placed],
) -> Result<bool, CommandError> {
    let is_namespace = |placed: &&Placed| {
        placed.value.get("kind").and_then(Value::as_str) == Some("Namespace")
            && placed.value.get("apiVersion").and_then(Value::as_str) == Some("v1")
    };
    // Definitions and namespaces come first, because objects need them.
    let (namespaces, others): (Vec<_>, Vec<_>) = objects.iter().partition(is_namespace);
    let mut all_accepted = true;
    for Placed { place, value, .. } in crds.iter().chain(namespaces).chain(others) {
        if let Err(message) = server.create(value) {
            all_accepted = false;
            let (place, message) = (style::place(place), style::text(message));
            writeln!(context.err, "{place}: {}: {message}", style::bad("error"))?;
        }
    }
    Ok(all_accepted)
}

fn greet(
    context: &mut Context<'_>,
    listening: &Listening,
    kubeconfig: &Kubeconfig,
    (crds, objects): (usize, usize),
) -> Result<(), CommandError> {
    if !listening.address().ip().is_loopback() {
        writeln!(
            context.err,
            "{}: other machines can reach {}, which gives everybody all permissions",
            style::warning("warning"),
            listening.address()
        )?;
    }
    let count = |number: usize, what: &str| {
        format!("{number} {what}{}", if number == 1 { "" } else { "s" })
    };
    writeln!(
        context.out,
        "Serving {} and {} on {}\n\n  export KUBECONFIG={}\n  kubectl get crds\n\n\
         Ctrl-C ends it. Nothing of what it stores is kept.",
        count(crds, "definition"),
        count(objects, "object"),
        listening.url(),
        kubeconfig.path.display()
    )?;
    context.out.flush()?;
    Ok(())
}

/// Returns a future that waits for SIGINT or SIGTERM, whose handlers are installed at once; for Ctrl-C on systems other
/// than Unix, whose handler is installed when the future is first polled.
fn ended() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// A kubeconfig on disk, deleted when it is dropped, unless another server has replaced it.
struct Kubeconfig {
    path: PathBuf,
    text: String,
}

impl Kubeconfig {
    /// Writes the file. Replaces an existing file only if it is a kubeconfig of an earlier run.
    fn write(path: Option<&Path>, listening: &Listening) -> Result<Self, CommandError> {
        let path = path.map_or_else(
            || std::env::temp_dir().join(format!("crd-{}.kubeconfig", random_name())),
            Path::to_owned,
        );
        let about = |error: &io::Error| CommandError(format!("{}: {error}", path.display()));
        let text = listening.kubeconfig();
        // The metadata are looked at first: opening a named pipe would wait for a writer.
        let old = fs::symlink_metadata(&path).and_then(|metadata| {
            if metadata.is_file() { fs::read_to_string(&path) } else { Ok(String::new()) }
        });
        match old {
            Ok(old) if is_ours(&old, &text) => {
                fs::remove_file(&path).map_err(|error| about(&error))?;
            }
            Ok(_) => {
                let path = path.display();
                return Err(CommandError(format!(
                    "{path}: a file of another program exists: pass another path with `--kubeconfig FILE`"
                )));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(about(&error)),
        }
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path);
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.map_err(|error| about(&error))?;
        Ok(Self { path, text })
    }
}

/// Returns a name that other users of the machine cannot guess.
fn random_name() -> String {
    // The keys of a hasher are random.
    let number =
        std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), std::process::id());
    format!("{number:016x}")
}

impl Drop for Kubeconfig {
    fn drop(&mut self) {
        if fs::read_to_string(&self.path).is_ok_and(|text| text == self.text) {
            // An error is ignored: its usual cause is that somebody else has deleted the file.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Returns whether a text is a kubeconfig that differs from `new` in the server and the credentials only.
fn is_ours(old: &str, new: &str) -> bool {
    let without_cluster = |text: &str| {
        let mut documents = yaml::documents(text);
        let mut value = documents.next()?.ok()?.value;
        value.pointer_mut("/clusters/0/cluster")?.take();
        value.pointer_mut("/users/0/user")?.take();
        documents.next().is_none().then_some(value)
    };
    let old = without_cluster(old);
    old.is_some() && old == without_cluster(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_file_is_replaced() {
        let config = "clusters: [{name: crd, cluster: {server: 'http://127.0.0.1:1'}}]\n\
                      users: [{name: crd, user: {}}]\n";
        assert!(is_ours(&config.replace(":1'", ":2'"), config));
        let other = "{server: 'https://127.0.0.1:1', certificate-authority-data: YQ==}";
        let tls = config.replace("{server: 'http://127.0.0.1:1'}", other);
        let tls = tls.replace("{}", "{token: none}");
        assert!(is_ours(&tls, config), "{tls}");
        assert!(!is_ours(&config.replace("crd", "prod"), config));
        assert!(!is_ours("", config));
        assert!(!is_ours("- x", config));
    }
}
