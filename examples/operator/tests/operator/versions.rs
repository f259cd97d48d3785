//! Manifests of the older version `v1beta1` still work.

use std::fs;
use std::path::Path;

use crd_apiserver::ApiServer;
use crd_runtime::versions::Versions as _;
use crd_webhook::CertificateFiles;
use k8s_openapi::ByteString;
use kube::api::{Api, Patch, PatchParams, PostParams};
use serde_json::json;
use website_operator::recording::{builder, ready, website_with_build};
use website_operator::versions::{Websites, converter, v1beta1};
use website_operator::webhook;
use website_operator::website::Website;

use crate::{Outcome, operate};

/// The name of the operator's service, which the definition names.
const HOST: &str = "website-operator.websites.svc";

crd_runtime::conversions_lose_nothing! {
    websites_lose_nothing: converter(), hub = Website, versions = [v1beta1::Website],
}

#[tokio::test(start_paused = true)]
async fn an_old_manifest_makes_a_website() -> Outcome {
    let server = builder().with_workloads().start();
    let old = Api::<v1beta1::Website>::default_namespaced(server.client());
    let (host, image) = ("example.com".to_owned(), "nginx:1.29".to_owned());
    let website = v1beta1::Website::new("blog", v1beta1::WebsiteSpec { host, image, size: 3 });
    operate(&server, async {
        old.create(&PostParams::default(), &website).await?;
        Ok(ready(server.client()).await?)
    })
    .await?;
    assert_eq!(old.get("blog").await?.status.unwrap_or_default().ready_replicas, 3);
    Ok(())
}

/// The server calls the operator's webhook as a function in this process. Time is not paused, because the webhook
/// converts on threads of its own, for which a paused clock would not wait.
#[tokio::test]
async fn an_old_client_keeps_what_it_does_not_know() -> Outcome {
    let certificates = CertificateFiles::in_directory("/etc/webhook");
    let server = ApiServer::builder()
        .webhook(HOST, webhook::server(certificates).into_router()?)
        .with(&Websites::merged()?)
        .with_object(&website_with_build())
        .start();
    let old = Api::<v1beta1::Website>::default_namespaced(server.client());
    let mut read = old.get("blog").await?;
    assert_eq!(read.spec.size, 2);
    read.spec.size = 4;
    old.replace("blog", &PostParams::default(), &read).await?;
    let spec = server.get::<Website>("default", "blog")?.spec;
    assert_eq!((spec.replicas, spec.build), (4, website_with_build().spec.build));

    let many = Patch::Merge(json!({"spec": {"size": 10}}));
    let rejected = old.patch("blog", &PatchParams::default(), &many).await.expect_err("too many");
    assert!(rejected.to_string().contains("spec.size: Invalid value: 10"), "{rejected}");
    Ok(())
}

/// As in a cluster, the server calls the webhook over TLS, and trusts the certificate that the definition has.
#[tokio::test]
async fn the_webhook_is_called_over_tls() -> Outcome {
    let made = rcgen::generate_simple_self_signed([HOST.to_owned()])?;
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("webhook");
    fs::create_dir_all(&directory)?;
    let files = CertificateFiles::in_directory(&directory);
    fs::write(&files.certificate, made.cert.pem())?;
    fs::write(&files.key, made.signing_key.serialize_pem())?;
    let webhook = webhook::server(files).listen(([127, 0, 0, 1], 0)).bind().await?;

    let mut definition = serde_json::to_value(Websites::merged()?)?;
    let bundle = json!(ByteString(made.cert.pem().into_bytes()));
    definition["spec"]["conversion"]["webhook"]["clientConfig"]["caBundle"] = bundle;
    let server = ApiServer::builder()
        .service_address("websites", "website-operator", webhook.address())
        .with_object(&definition)
        .with_object(&website_with_build())
        .start();
    let serving = tokio::spawn(webhook.serve(std::future::pending()));

    let old = Api::<v1beta1::Website>::default_namespaced(server.client());
    assert_eq!(old.get("blog").await?.spec.size, 2);
    serving.abort();
    assert!(serving.await.is_err_and(|error| error.is_cancelled()));
    let rejected = old.get("blog").await.expect_err("the webhook has ended").to_string();
    assert!(rejected.contains("connection refused"), "{rejected}");
    Ok(())
}
