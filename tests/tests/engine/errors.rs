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

/// An error, with the path of its type and the text that it must have.
struct Sample {
    name: String,
    error: Box<dyn Error + Send + Sync>,
    text: &'static str,
}

macro_rules! errors {
    ($($ty:path: $error:expr => $text:expr;)*) => {
        [$(Sample {
            name: stringify!($ty).replace(' ', ""),
            error: {
                let error: $ty = $error;
                Box::new(error)
            },
            text: $text,
        }),*]
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
fn all() -> Vec<Sample> {
    let context = RequestContext::of::<CronTab>("get").name("nightly");
    let broken = crd_runtime::migrate::Error::Request {
        request: "list".to_owned(),
        source: Box::new(kube::Error::Service(Box::new(foreign()))),
        progress: Box::default(),
    };
    let definition = CronTab::definition();
    errors! {
        crd_cel::error::EvalError: crd_cel::error::EvalError::NO_SUCH_OVERLOAD =>
            "no such overload";
        crd_cel::error::ParseError: crd_cel::domain::quantity::Quantity::parse("1 Gi").expect_err("no quantity") =>
            "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
        crd_cel::kubernetes::ParseVersionError: "new".parse::<KubernetesVersion>().expect_err("no version") =>
            "`new` is no known minor of Kubernetes; write one of 1.30 to 1.37";
        crd_cel::plan::PlanError: not_planned() =>
            "type conversion error from 'string' to 'int'";
        crd_cel::re2::Error: crd_cel::re2::Regex::new("(").expect_err("a group that does not end") =>
            "error parsing regexp: missing closing ): `(`";
        crd_cel::syntax::Issues: crd_cel::syntax::parse("1 +").expect_err("no operand") =>
            "ERROR: <input>:1:4: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | 1 +\n | ...^";
        crd_runtime::GoDurationError: "soon".parse::<GoDuration>().expect_err("no duration") =>
            r#"invalid duration "soon": write numbers with units (ns, us, ms, s, m, h), such as `1h30m`, of at most 292 years"#;
        crd_runtime::admit::Rejection: admit::create(&schema(), json!({})).expect_err("no kind") =>
            r#"[kind: Invalid value: "": must be CronTab, apiVersion: Invalid value: "": must be stable.example.com/v1]"#;
        crd_runtime::admit::scale::ScaleError: admit::scale::get(&schema(), &json!({})).expect_err("no scale") =>
            r#"Internal error occurred: the spec replicas field ".spec.replicas" does not exist"#;
        crd_apiserver::NotIdempotent: not_idempotent() =>
            "the run without a stop fails: it broke";
        crd_apiserver::StatusError: ApiServer::new().workloads().pod_ready("default", "x").expect_err("no pod") =>
            r#"pods "x" not found"#;
        crd_runtime::client::Error: context.kube(kube::Error::Service(Box::new(foreign()))) =>
            "get CronTab nightly: the connection ended before the answer: it broke: the disk is full: try again";
        crd_runtime::convert::ConvertError: not_converted() =>
            "example.com/v1, Kind=K x: to `v2`: it broke: the disk is full";
        crd_runtime::convert::ReviewError: Converter::new("g", "K").review(b"{").expect_err("no JSON") =>
            "the body is not JSON that can be read: unexpected end of JSON input";
        crd_runtime::crd_schema::bridge::BridgeError: crd_schema::bridge::schema::<(u8, String)>().expect_err("a tuple") =>
            "the schema of `Tuple_of_uint8_and_string` is not structural: it admits nothing at `[]`";
        crd_runtime::definition::DecodeError: definition::decode(&json!([])).expect_err("a list") =>
            "json: cannot unmarshal array into Go value of type v1.CustomResourceDefinition";
        crd_runtime::field::Error: field_error() =>
            "spec: Required value";
        crd_runtime::field::ErrorList: ErrorList::from(field_error()) =>
            "spec: Required value";
        crd_runtime::field_selector::Error: field_selector::FieldSelector::parse("a").expect_err("no operator") =>
            "invalid selector: 'a'; can't understand 'a'";
        crd_runtime::json::Error: json::decode(b"{").expect_err("no JSON") =>
            "unexpected end of JSON input";
        crd_runtime::json_path::Error: json_path::Template::parse("{").expect_err("no end") =>
            "unclosed action";
        crd_runtime::managed_fields::Error: managed_fields::FieldSet::parse(&json!({"x": 1})).expect_err("no field") =>
            "fieldsV1 at /x: must be one letter, a colon and what it names, such as `f:spec`";
        crd_runtime::migrate::Error: broken =>
            "list: ServiceError: it broke: the disk is full (so far: 0 rewritten)";
        crd_runtime::openapi::ExplainError: openapi::explain(&definition, "v1", &["no"], false).expect_err("no field") =>
            r#"field "no" does not exist"#;
        crd_runtime::rbac::Error: rbac::Permissions::from_yaml("a: [").expect_err("no end") =>
            "line 2: did not find expected node content";
        crd_runtime::schema::ConvertError: Structural::try_from(&not_structural()).expect_err("items") =>
            "OpenAPIV3Schema 'items' must be a schema, but is an array";
        crd_runtime::versions::MergeError: versions::merge(&[]).expect_err("none") =>
            "no version is given: add one";
        crd_webhook::Error: not_served() =>
            "path `no-path` must start with `/`, such as `/convert`";
        crd_runtime::yaml::Error: yaml::documents("a: [").find_map(Result::err).expect("no end") =>
            "line 2, column 1: did not find expected node content";
    }
    .into()
}

#[test]
fn an_error_has_a_complete_text_and_no_source() {
    for Sample { name, error, text } in all() {
        assert_eq!(chain(&*error), [text], "{name}");
    }
}

#[test]
fn the_source_of_a_foreign_error_is_printed_once() {
    let of = [
        "crd_runtime::client::Error",
        "crd_runtime::convert::ConvertError",
        "crd_runtime::migrate::Error",
    ];
    for Sample { name, error, .. } in all().iter().filter(|it| of.contains(&&*it.name)) {
        let text = error.to_string();
        assert_eq!(text.matches("it broke").count(), 1, "{name}: {text}");
        assert_eq!(text.matches(CAUSE).count(), 1, "{name}: {text}");
    }
}

/// The listings of the public items, `docs/api`, name each type that is an error.
#[test]
fn all_public_errors_are_listed() {
    let listings = concat!(
        include_str!("../../../docs/api/crd-apiserver.txt"),
        include_str!("../../../docs/api/crd-cel.txt"),
        include_str!("../../../docs/api/crd-cli.txt"),
        include_str!("../../../docs/api/crd-engine.txt"),
        include_str!("../../../docs/api/crd-model.txt"),
        include_str!("../../../docs/api/crd-runtime.txt"),
        include_str!("../../../docs/api/crd-webhook.txt"),
    );
    // `crd_runtime` re-exports the modules of these crates.
    let listings = listings.replace("crd_engine::", "crd_runtime::");
    let listings = listings.replace("crd_model::", "crd_runtime::");
    let public: BTreeSet<&str> = listings
        .lines()
        .filter_map(|line| line.strip_prefix("impl core::error::Error for "))
        .collect();
    let errors = all();
    let tested: BTreeSet<&str> = errors.iter().map(|error| &*error.name).collect();
    assert_eq!(public, tested);
}
