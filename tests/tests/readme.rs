//! The README's conversion webhook, as it stands there.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use crd_runtime::convert::{ConvertTo as _, Converter};
use crd_runtime::versions::Versions as _;
use crd_runtime::{CustomResource as _, definition};
use readme::{Endpoint, EndpointV1Beta1};
use serde_json::json;

#[rustfmt::skip]
#[allow(dead_code, unreachable_pub, reason = "it is a program of its own, whose `main` is not run")]
mod readme {
use std::convert::Infallible;

use crd_runtime::convert::{ConvertTo, Converter};
use crd_runtime::webhook::{self, CertificateFiles, Server, shutdown_signal};
use crd_runtime::{CustomResource, TypeMeta};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use serde::{Deserialize, Serialize};

// shown:start
#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1beta1", kind = "Endpoint", namespaced, storage = false)]
pub struct EndpointV1Beta1 { #[serde(flatten)] pub types: TypeMeta<Self>, pub metadata: ObjectMeta, #[serde(rename = "hostPort")] pub host_port: String }

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Endpoint", namespaced)]
#[crd(conversion(webhook(service(namespace = "default", name = "endpoint-conversion", path = "/convert"))))]
pub struct Endpoint { #[serde(flatten)] pub types: TypeMeta<Self>, pub metadata: ObjectMeta, pub host: String, pub port: String }

impl ConvertTo<Endpoint> for EndpointV1Beta1 {
    type Error = String;
    fn convert_to(self) -> Result<Endpoint, String> {
        let (host, port) = self.host_port.rsplit_once(':').ok_or("hostPort has no colon")?;
        Ok(Endpoint { types: TypeMeta::new(), metadata: self.metadata, host: host.to_owned(), port: port.to_owned() })
    }
}

impl ConvertTo<EndpointV1Beta1> for Endpoint {
    type Error = Infallible;
    fn convert_to(self) -> Result<EndpointV1Beta1, Infallible> {
        Ok(EndpointV1Beta1 { types: TypeMeta::new(), metadata: self.metadata, host_port: format!("{}:{}", self.host, self.port) })
    }
}

#[tokio::main]
async fn main() -> Result<(), webhook::Error> {
    let converter = Converter::of::<Endpoint>().both_ways::<EndpointV1Beta1, Endpoint>();
    Server::new(CertificateFiles::in_directory("/etc/webhook")).convert("/convert", converter).run(shutdown_signal()).await
}
// shown:end
}

#[test]
fn the_readme_shows_it() {
    let here = include_str!("readme.rs");
    let (_, rest) = here.split_once("// shown:start\n").expect("a start");
    let (shown, _) = rest.split_once("// shown:end").expect("an end");
    let readme = std::fs::read_to_string("../README.md").expect("the README");
    assert!(readme.contains(shown), "README.md lacks:\n{shown}");
    let lines = shown.lines().filter(|line| !line.trim().is_empty()).count();
    assert!(lines <= 30, "{lines} lines");
}

#[test]
fn it_does_what_it_says() {
    let converter = Converter::of::<Endpoint>().both_ways::<EndpointV1Beta1, Endpoint>();
    let beta = json!({
        "apiVersion": "example.com/v1beta1", "kind": "Endpoint", "metadata": {"name": "a"},
        "hostPort": "localhost:80",
    });
    let stable = converter.convert(beta.clone(), Endpoint::API_VERSION).unwrap();
    assert_eq!((&stable["host"], &stable["port"]), (&json!("localhost"), &json!("80")));
    assert_eq!(converter.convert(stable, EndpointV1Beta1::API_VERSION).unwrap(), beta);
    let mut bad: EndpointV1Beta1 = serde_json::from_value(beta).unwrap();
    bad.host_port.clear();
    assert_eq!(bad.convert_to().expect_err("no colon"), "hostPort has no colon");

    let crd = <(EndpointV1Beta1, Endpoint)>::merged().expect("versions agree");
    assert!(crd.spec.conversion.as_ref().is_some_and(|it| it.strategy == "Webhook"));
    definition::validate(&crd).into_result().unwrap();
}
