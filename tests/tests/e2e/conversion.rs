//! Conversion webhooks, called by the server over TLS.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::{env, future, thread};

use crd_examples::gate;
use crd_examples::host_port::{self, v1, v1beta1};
use crd_runtime::convert::Converter;
use crd_runtime::model::{Conversion, CustomResourceDefinition};
use crd_runtime::versions::Versions as _;
use crd_tests::apiserver::WEBHOOK;
use crd_tests::tls::Authority;
use crd_webhook::Server;
use kube::Api;
use kube::api::{ListParams, PostParams};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cluster::{Cluster, eventually};
use crate::definitions::{kind, version};

/// Serves a converter for as long as the tests run, and returns the `conversion` for the CRD.
pub(crate) async fn serve(converter: Converter) -> Conversion {
    // The certificate is read before the directory is removed.
    let directory = tempfile::tempdir().expect("a directory");
    let authority = Authority::new().expect("an authority");
    let files = authority.issue(directory.path()).expect("files");
    let server = Server::new(files).listen((Ipv4Addr::LOCALHOST, 0)).convert("/convert", converter);
    let bound = server.bind().await.expect("listens");
    let url = format!("https://{}/convert", bound.address());
    tokio::spawn(bound.serve(future::pending()));
    Conversion::url(url).ca_bundle(authority.pem())
}

fn endpoint(name: &str, host_port: &str) -> Value {
    json!({
        "apiVersion": "example.com/v1beta1", "kind": "Endpoint",
        "metadata": {"name": name, "namespace": "default", "labels": {"a": "b"}},
        "hostPort": host_port,
    })
}

const BETA: &str = "/apis/example.com/v1beta1/namespaces/default/endpoints";
const STABLE: &str = "/apis/example.com/v1/namespaces/default/endpoints";

/// The example's program, as it runs in a pod: a process with a certificate and a port of its own.
struct Program {
    child: Child,
    _directory: TempDir,
    url: String,
    authority: Authority,
}

impl Program {
    fn start(program: OsString) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let authority = Authority::new().expect("an authority");
        authority.issue(directory.path()).expect("files");
        let mut command = Command::new(program);
        command.arg(directory.path()).arg("127.0.0.1:0").stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a stream")).lines();
        let line = lines.next().expect("it says where it listens").expect("text");
        let address = line.strip_prefix("listening on ").expect("an address").to_owned();
        // A pipe that nobody reads would block the program when it is full.
        thread::spawn(move || lines.for_each(drop));
        let url = format!("https://{address}/convert");
        Self { child, _directory: directory, url, authority }
    }

    fn conversion(&self) -> Conversion {
        Conversion::url(&self.url).ca_bundle(self.authority.pem())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Points the CRD of the endpoints at the webhook, and waits until the server uses it.
async fn install(cluster: &Cluster, conversion: Conversion) {
    let crd = <(v1beta1::Endpoint, v1::Endpoint)>::merged_with(conversion).expect("versions agree");
    cluster.install(&crd).await;
    let probe = endpoint("probe", "a:1");
    let path = format!("{BETA}?dryRun=All");
    eventually("conversion", async || {
        cluster.create(&path, &probe).await.is_success().then_some(())
    })
    .await;
}

pub(crate) async fn both_ways(cluster: Cluster) {
    // `cargo dev e2e` builds the program. Without it, this process serves its converter.
    let program = env::var_os(WEBHOOK).map(Program::start);
    let conversion = match &program {
        Some(program) => program.conversion(),
        None => serve(host_port::converter()).await,
    };
    install(&cluster, conversion).await;
    let written = cluster.create(BETA, &endpoint("both", "localhost:1234")).await.ok();
    assert_eq!(written["hostPort"], "localhost:1234");
    let read = cluster.get(&format!("{STABLE}/both")).await.ok();
    assert_eq!((&read["host"], &read["port"]), (&json!("localhost"), &json!("1234")));
    assert_eq!(read["metadata"]["labels"], json!({"a": "b"}));
    assert_eq!(read["metadata"].get("annotations"), None, "nothing had to be carried");
    assert_eq!(read.get("hostPort"), None);

    // The typed clients of both versions see the same object.
    let stable: Api<v1::Endpoint> = Api::namespaced(cluster.client.clone(), "default");
    let beta: Api<v1beta1::Endpoint> = Api::namespaced(cluster.client.clone(), "default");
    let mut object = stable.get("both").await.expect("there");
    "::1".clone_into(&mut object.host);
    stable.replace("both", &PostParams::default(), &object).await.expect("replaced");
    assert_eq!(beta.get("both").await.expect("there").host_port, "::1:1234");
    let patch = json!({"hostPort": "example.com:80"});
    cluster.merge(&format!("{BETA}/both"), &patch).await.ok();
    assert_eq!(stable.get("both").await.expect("there").host, "example.com");

    for number in 0..20 {
        cluster.create(BETA, &endpoint(&format!("many-{number}"), "h:1")).await.ok();
    }
    let listed = beta.list(&ListParams::default().limit(7)).await.expect("listed");
    assert_eq!(listed.items.len(), 7);
    let all = beta.list(&ListParams::default()).await.expect("listed").items;
    assert_eq!(all.iter().filter(|endpoint| endpoint.host_port == "h:1").count(), 20);
    failing(&cluster).await;
}

/// A conversion that fails, as in the example of the documentation.
async fn failing(cluster: &Cluster) {
    let message = cluster.create(BETA, &endpoint("bad", "localhost")).await.rejected(500);
    assert_eq!(
        message,
        "conversion webhook for example.com/v1beta1, Kind=Endpoint failed: \
         example.com/v1beta1, Kind=Endpoint default/bad: to `v1`: hostPort \"localhost\" has no colon"
    );
    assert_eq!(cluster.get(&format!("{STABLE}/bad")).await.code, 404, "nothing is stored");
    // A stored object is not changed.
    let path = format!("{BETA}/both");
    let message = cluster.merge(&path, &json!({"hostPort": "none"})).await.rejected(500);
    assert!(message.ends_with("hostPort \"none\" has no colon"), "{message}");
    assert_eq!(cluster.get(&path).await.ok()["hostPort"], "example.com:80");
}

const GATES_BETA: &str = "/apis/gates.example.com/v1beta1/namespaces/default/gates";
const GATES: &str = "/apis/gates.example.com/v1/namespaces/default/gates";

fn gate(version: &str, name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("gates.example.com/{version}"), "kind": "Gate",
        "metadata": {"name": name, "namespace": "default"}, "spec": spec,
    })
}

/// Server-side apply in two versions of a kind: the server converts objects of which it has removed parts.
pub(crate) async fn applies(cluster: Cluster) {
    let conversion = serve(gate::converter()).await;
    let crd = <(gate::v1beta1::Gate, gate::v1::Gate)>::merged_with(conversion);
    cluster.install(&crd.expect("versions agree")).await;
    let probe = gate("v1beta1", "probe", &json!({"ports": [], "routes": []}));
    let path = format!("{GATES_BETA}?dryRun=All");
    eventually("conversion", async || {
        cluster.create(&path, &probe).await.is_success().then_some(())
    })
    .await;
    let (web, db) = (json!({"name": "web", "number": 80}), json!({"name": "db", "number": 1}));
    let (mut web_tcp, mut db_udp) = (web.clone(), db.clone());
    web_tcp["protocol"] = "TCP".into();
    db_udp["protocol"] = "UDP".into();

    // The same manager applies in the other version: what it gave up is removed.
    let apply = async |version: &str, name: &str, manager: &str, spec: &Value| {
        let of = if version == "v1" { GATES } else { GATES_BETA };
        let path = format!("{of}/{name}?fieldManager={manager}&force=true");
        cluster.apply_to(&path, &gate(version, name, spec)).await.ok()["spec"].take()
    };
    let spec = json!({"ports": [web], "routes": []});
    apply("v1beta1", "a", "flux", &spec).await;
    let applied = apply("v1", "a", "flux", &json!({"ports": [db_udp], "routes": []})).await;
    assert_eq!(applied["ports"], json!([db_udp]));
    let applied = apply("v1beta1", "a", "flux", &spec).await;
    assert_eq!(applied["ports"], json!([web]));

    // Another manager adds a port in the other version, and the first one gives up all of its ports.
    apply("v1beta1", "b", "kub", &spec).await;
    apply("v1", "b", "flux", &json!({"ports": [db_udp]})).await;
    let applied = apply("v1beta1", "b", "kub", &json!({"ports": [], "routes": []})).await;
    assert_eq!(applied["ports"], json!([db]));
    let read = cluster.get(&format!("{GATES}/b")).await.ok();
    assert_eq!(read["spec"]["ports"], json!([db_udp]), "the protocol is kept");

    // A change of one item in the other version keeps the fields of all.
    let spec = json!({"ports": [web_tcp, db_udp], "routes": []});
    cluster.create(GATES, &gate("v1", "c", &spec)).await.ok();
    let change = json!({"spec": {"ports": [{"name": "new", "number": 2}, db, {"name": "web", "number": 81}]}});
    cluster.merge(&format!("{GATES_BETA}/c"), &change).await.ok();
    let read = cluster.get(&format!("{GATES}/c")).await.ok();
    web_tcp["number"] = 81.into();
    let new = json!({"name": "new", "number": 2, "protocol": "TCP"});
    assert_eq!(read["spec"]["ports"], json!([new, db_udp, web_tcp]));

    // Too much for an annotation.
    db_udp["protocol"] = "x".repeat(300_000).into();
    let spec = json!({"ports": [db_udp], "routes": []});
    cluster.create(GATES, &gate("v1", "d", &spec)).await.ok();
    let message = cluster.get(&format!("{GATES_BETA}/d")).await.rejected(500);
    assert!(message.contains("the server allows 262144"), "{message}");
}

fn jobs(group: &str, conversion: Conversion) -> CustomResourceDefinition {
    let text = json!({"a": {"type": "string"}});
    let mut crd = kind(group, json!([version("v1", true, &text), version("v2", false, &text)]));
    crd.spec.conversion = Some(conversion);
    crd
}

/// Webhooks that cannot be reached, are not trusted, panic, or serve another group.
pub(crate) async fn failures(cluster: Cluster) {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let down = format!("https://{}/convert", free.local_addr().expect("an address"));
    drop(free);
    let trusted =
        serve(Converter::new("panics.example.com", "Job").step("v1", "v2", |_| panic!("oh")).step(
            "v2",
            "v1",
            |_| panic!("oh"),
        ))
        .await;
    let url = trusted
        .webhook
        .as_ref()
        .and_then(|it| it.client_config.as_ref()?.url.clone())
        .expect("a url");
    let stranger = Authority::new().expect("an authority");
    for (group, conversion, want) in [
        ("down.example.com", Conversion::url(down), "connect: connection refused"),
        (
            "strange.example.com",
            Conversion::url(&url).ca_bundle(stranger.pem()),
            "x509: certificate signed by unknown authority",
        ),
        (
            "panics.example.com",
            trusted.clone(),
            "panics.example.com/v2, Kind=Job default/j: the conversion panicked: oh",
        ),
        (
            "other.example.com",
            trusted,
            "`other.example.com/v2` is not a version of group `panics.example.com`",
        ),
    ] {
        cluster.install(&jobs(group, conversion)).await;
        let object = json!({"apiVersion": format!("{group}/v2"), "kind": "Job",
            "metadata": {"name": "j", "namespace": "default"}, "spec": {"a": "x"}});
        let path = format!("/apis/{group}/v2/namespaces/default/jobs");
        let message = cluster.create(&path, &object).await.rejected(500);
        let start = format!("conversion webhook for {group}/v2, Kind=Job failed: ");
        assert!(message.starts_with(&start) && message.contains(want), "{group}: {message}");
    }
}
