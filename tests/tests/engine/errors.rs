//! A rule for all public errors: the text of an error is complete, and the error has no source, so that a program that
//! prints an error with its sources, as anyhow does, prints nothing twice.

use std::collections::BTreeSet;
use std::error::Error;
use std::{fmt, io};

use crd_apiserver::{ApiServer, Interruptions, NotIdempotent};
use crd_cel::env::Env;
use crd_cel::kubernetes::KubernetesVersion;
use crd_cel::plan::Program;
use crd_examples::crontab::CronTab;
use crd_runtime::client::RequestContext;
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::convert::{ConvertError, Converter};
use crd_runtime::field::{self, ErrorList};
use crd_runtime::kube;
use crd_runtime::model::{JsonSchemaProps, SchemaOrArray};
use crd_runtime::schema::Structural;
use crd_runtime::{
    CustomResource as _, GoDuration, admit, crd_schema, definition, field_selector, json,
    json_path, managed_fields, openapi, rbac, versions, yaml,
};
use crd_webhook::{CertificateFiles, Server};
use serde_json::json;

/// The text of the last source of foreign errors.
const CAUSE: &str = "the disk is full";

/// A foreign error whose text does not include that of its source.
#[derive(Debug)]
struct Opaque(io::Error);

impl fmt::Display for Opaque {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it broke")
    }
}

impl Error for Opaque {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

fn foreign() -> Opaque {
    Opaque(io::Error::other(CAUSE))
}

/// Returns the texts of an error and of its sources, as anyhow's `{:#}` prints them.
fn chain(error: &dyn Error) -> Vec<String> {
    let mut texts = vec![error.to_string()];
    let mut next = error.source();
    while let Some(error) = next {
        texts.push(error.to_string());
        next = error.source();
    }
    texts
}

/// Lists an error of each type, with the path of the type.
macro_rules! errors {
    ($($ty:path: $error:expr;)*) => {
        [$((stringify!($ty).replace(' ', ""), {
            let error: $ty = $error;
            let error: Box<dyn Error + Send + Sync> = Box::new(error);
            error
        })),*]
    };
}

fn schema() -> CompiledSchema {
    CompiledSchema::of::<CronTab>().expect("a schema")
}

fn not_converted() -> ConvertError {
    let converter = Converter::new("example.com", "K").step("v1", "v2", |_| Err(foreign().into()));
    let object = json!({"apiVersion": "example.com/v1", "kind": "K", "metadata": {"name": "x"}});
    converter.convert(object, "example.com/v2").expect_err("fails")
}

fn not_structural() -> JsonSchemaProps {
    let mut schema = JsonSchemaProps::of_type("array");
    schema.items = Some(SchemaOrArray::Array(vec![JsonSchemaProps::of_type("string")]));
    schema
}

fn field_error() -> field::Error {
    field::Error::required(&field::Path::new("spec"), "")
}

fn not_served() -> crd_webhook::Error {
    let server = Server::new(CertificateFiles::in_directory("/etc/webhook"));
    server.convert("no-path", Converter::new("g", "K")).into_router().expect_err("no path")
}

fn not_planned() -> crd_cel::plan::PlanError {
    let env = Env::kubernetes();
    let checked = env.compile("int('x') == 1").expect("compiles");
    Program::plan(&checked, &env).expect_err("no int")
}

fn not_idempotent() -> NotIdempotent {
    let fails = async |_, _| Err(foreign());
    let interruptions = Interruptions::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let check = interruptions.check(ApiServer::new, fails);
    runtime.expect("a runtime").block_on(check).expect_err("fails")
}

#[expect(unused_qualifications, reason = "types are named as in the listings")]
fn all() -> Vec<(String, Box<dyn Error + Send + Sync>)> {
    let context = RequestContext::of::<CronTab>("get").name("nightly");
    let broken = crd_runtime::migrate::Error::Request {
        request: "list".to_owned(),
        source: Box::new(kube::Error::Service(Box::new(foreign()))),
        progress: Box::default(),
    };
    let definition = CronTab::definition();
    errors! {
        crd_cel::error::EvalError: crd_cel::error::EvalError::NO_SUCH_OVERLOAD;
        crd_cel::error::ParseError: crd_cel::domain::quantity::Quantity::parse("1 Gi").expect_err("no quantity");
        crd_cel::kubernetes::ParseVersionError: "new".parse::<KubernetesVersion>().expect_err("no version");
        crd_cel::plan::PlanError: not_planned();
        crd_cel::re2::Error: crd_cel::re2::Regex::new("(").expect_err("a group that does not end");
        crd_cel::syntax::Issues: crd_cel::syntax::parse("1 +").expect_err("no operand");
        crd_runtime::GoDurationError: "soon".parse::<GoDuration>().expect_err("no duration");
        crd_runtime::admit::Rejection: admit::create(&schema(), json!({})).expect_err("no kind");
        crd_runtime::admit::scale::ScaleError: admit::scale::get(&schema(), &json!({})).expect_err("no scale");
        crd_apiserver::NotIdempotent: not_idempotent();
        crd_apiserver::StatusError: ApiServer::new().workloads().pod_ready("default", "x").expect_err("no pod");
        crd_runtime::client::Error: context.kube(kube::Error::Service(Box::new(foreign())));
        crd_runtime::convert::ConvertError: not_converted();
        crd_runtime::convert::ReviewError: Converter::new("g", "K").review(b"{").expect_err("no JSON");
        crd_runtime::crd_schema::bridge::BridgeError: crd_schema::bridge::schema::<(u8, String)>().expect_err("a tuple");
        crd_runtime::definition::DecodeError: definition::decode(&json!([])).expect_err("a list");
        crd_runtime::field::Error: field_error();
        crd_runtime::field::ErrorList: ErrorList::from(field_error());
        crd_runtime::field_selector::Error: field_selector::FieldSelector::parse("a").expect_err("no operator");
        crd_runtime::json::Error: json::decode(b"{").expect_err("no JSON");
        crd_runtime::json_path::Error: json_path::Template::parse("{").expect_err("no end");
        crd_runtime::managed_fields::Error: managed_fields::FieldSet::parse(&json!({"x": 1})).expect_err("no field");
        crd_runtime::migrate::Error: broken;
        crd_runtime::openapi::ExplainError: openapi::explain(&definition, "v1", &["no"], false).expect_err("no field");
        crd_runtime::rbac::Error: rbac::Permissions::from_yaml("a: [").expect_err("no end");
        crd_runtime::schema::ConvertError: Structural::try_from(&not_structural()).expect_err("items");
        crd_runtime::versions::MergeError: versions::merge(&[]).expect_err("none");
        crd_webhook::Error: not_served();
        crd_runtime::yaml::Error: yaml::documents("a: [").find_map(Result::err).expect("no end");
    }
    .into()
}

#[test]
fn an_error_has_a_complete_text_and_no_source() {
    for (name, error) in all() {
        let texts = chain(&*error);
        assert_eq!(texts.len(), 1, "{name} has a source: {texts:?}");
        assert!(!texts[0].is_empty(), "{name} says nothing");
    }
}

#[test]
fn the_source_of_a_foreign_error_is_printed_once() {
    let of = [
        "crd_runtime::client::Error",
        "crd_runtime::convert::ConvertError",
        "crd_runtime::migrate::Error",
    ];
    for (name, error) in all().iter().filter(|(name, _)| of.contains(&&**name)) {
        let text = error.to_string();
        assert_eq!(text.matches("it broke").count(), 1, "{name}: {text}");
        assert_eq!(text.matches(CAUSE).count(), 1, "{name}: {text}");
    }
}

/// The listings of the public items, `docs/api`, name each type that is an error.
#[test]
fn all_public_errors_are_listed() {
    let listings = concat!(
        include_str!("../../../docs/api/crd-cel.txt"),
        include_str!("../../../docs/api/crd-runtime.txt")
    );
    let public: BTreeSet<&str> = listings
        .lines()
        .filter_map(|line| line.strip_prefix("impl core::error::Error for "))
        .collect();
    let errors = all();
    let tested: BTreeSet<&str> = errors.iter().map(|(name, _)| &**name).collect();
    assert_eq!(public, tested);
}
