//! Programs that are right although their names, types or attributes look otherwise.

use std::collections::BTreeMap;

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};

/// A validated newtype: it is written as its content.
#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
#[serde(try_from = "String")]
struct Name(#[crd(max_length = 9)] String);

impl TryFrom<String> for Name {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Ok(Self(text))
    }
}

mod foreign {
    pub struct Point {
        pub x: i32,
    }
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(remote = "foreign::Point")]
struct Point {
    #[crd(minimum = 1 << 2, maximum = Self::MAX)]
    x: i32,
}

impl Point {
    const MAX: i32 = 10;
}

type Port = u16;

#[derive(CrdSchema, Serialize, Deserialize)]
struct Pair(Port, u16, #[serde(skip)] String);

#[derive(Serialize, Deserialize, Clone, Debug)]
struct Foreign;

#[derive(CrdSchema, Serialize, Deserialize)]
#[crd(schema_with = crd_runtime::crd_schema::open_object)]
struct Replaced<T> {
    inner: T,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Borrowed<'a> {
    #[crd(max_length = Self::LONGEST)]
    text: std::borrow::Cow<'a, str>,
}

impl Borrowed<'_> {
    const LONGEST: u32 = 5;
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[allow(non_camel_case_types)]
struct r#try {
    #[crd(minimum = Self::LEAST)]
    number: i32,
}

impl r#try {
    const LEAST: i32 = 1;
}

#[derive(CrdSchema, Serialize, Deserialize)]
#[serde(default)]
struct Defaults {
    #[crd(default)]
    number: i32,
    #[crd(default = vec![])]
    list: Vec<String>,
    #[crd(default = BTreeMap::new())]
    map: BTreeMap<String, String>,
}

impl Default for Defaults {
    fn default() -> Self {
        Self { number: 5, list: Vec::new(), map: BTreeMap::new() }
    }
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct Status {}

type Observed = Status;

#[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
#[crd(group = "example.com", version = "v1", kind = "Sample", namespaced, status = Status)]
struct Sample {
    #[serde(flatten)]
    type_meta: crd_runtime::TypeMeta<Self>,
    metadata: k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
    spec: SampleSpec,
    status: Option<Observed>,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
enum Login {
    Token(String),
    Anonymous {},
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct FlattenedLogin {
    #[serde(flatten)]
    login: Login,
}

#[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
struct SampleSpec {
    ports: BTreeMap<u16, Name>,
    #[serde(alias = "hostname")]
    #[crd(unchecked("configuration files have the old name"))]
    host: String,
    #[crd(format = "our-own", unchecked("for our own tools"))]
    text: String,
    #[crd(schema_with = <String as CrdSchema>::schema)]
    path: String,
}

/// A variant that is also read by an older name.
#[derive(CrdSchema, Serialize, Deserialize)]
enum Source {
    #[serde(alias = "Repository")]
    #[crd(unchecked("files of the previous release have it"))]
    Git { url: String },
    Image(String),
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Inferred {
    #[crd(default = "x".into())]
    text: String,
    #[crd(default = [1, 2].into_iter().collect())]
    set: std::collections::BTreeSet<i32>,
    #[crd(default = "7".parse().unwrap())]
    number: i32,
}

/// Expressions that have the type of their field.
#[derive(CrdSchema, Serialize, Deserialize, Default)]
#[crd(default = Default::default(), example = Default::default())]
struct Untyped {
    #[serde(default)]
    #[crd(default = vec!["a".into()], example = vec![])]
    list: Vec<String>,
    #[serde(default)]
    #[crd(default = ["a".into()], items(enum_values("a".into(), "b".into())))]
    array: Vec<String>,
    #[serde(default)]
    #[crd(default = Box::new("a".parse().unwrap()), example = "a".into())]
    boxed: Box<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[crd(default = Some("a".into()), example = None)]
    some: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[crd(default = Some(vec![]), example = Vec::from([]))]
    some_list: Option<Vec<i32>>,
    #[serde(default)]
    #[crd(default = { Default::default() }, example = Default::default())]
    block: i32,
    #[serde(default)]
    #[crd(default = vec![1; 2], items(maximum = !0u8))]
    repeated: Vec<u8>,
}

#[derive(CrdSchema, Serialize, Deserialize)]
struct Ruled {
    #[crd(rule(rule()))]
    size: i32,
}

const fn rule() -> &'static str {
    "self > 1"
}

mod root {
    use crd_runtime::{CrdSchema, CustomResource, TypeMeta};
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
    use serde::{Deserialize, Serialize};

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug, Default)]
    #[serde(default)]
    pub struct BucketStatus {
        ready: bool,
    }

    type Maybe = Option<BucketStatus>;

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
    #[crd(group = "example.com", version = "v1", kind = "Bucket", namespaced, status = BucketStatus)]
    pub struct Bucket {
        #[serde(flatten)]
        type_meta: TypeMeta<Self>,
        metadata: ObjectMeta,
        region: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Maybe,
    }
}

fn main() {
    let untyped = serde_json::to_value(Untyped::schema()).unwrap();
    let all = ["list", "array", "boxed", "some", "some_list", "block", "repeated"]
        .map(|name| untyped["properties"][name]["default"].clone());
    assert_eq!(serde_json::json!(all), serde_json::json!([["a"], ["a"], "a", "a", [], 0, [1, 1]]));
    assert_eq!(untyped["default"]["block"], 0);
    assert_eq!(untyped["properties"]["array"]["items"]["enum"], serde_json::json!(["a", "b"]));
    assert_eq!(untyped["properties"]["repeated"]["items"]["maximum"], 255.0);
    let ruled = serde_json::to_value(Ruled::schema()).unwrap();
    assert_eq!(ruled["properties"]["size"]["x-kubernetes-validations"][0]["rule"], "self > 1");
    let defaults = |schema: crd_runtime::model::JsonSchemaProps| {
        let props = schema.properties.unwrap();
        ["text", "set", "number"].map(|name| props[name].default.clone().unwrap())
    };
    let want = [serde_json::json!("x"), serde_json::json!([1, 2]), serde_json::json!(7)];
    assert_eq!(defaults(Inferred::schema()), want);
    assert_eq!(Source::schema().properties.unwrap().len(), 3);
    assert!(root::Bucket::crd().spec.versions[0].subresources.is_some());
    let props = |schema: crd_runtime::model::JsonSchemaProps| schema.properties.unwrap();
    assert_eq!(Name::schema().max_length, Some(9));
    assert_eq!(props(Point::schema())["x"].minimum, Some(4.0));
    assert_eq!(Pair::schema().max_items, Some(2));
    assert!(Replaced::<Foreign>::schema().properties.is_none());
    assert_eq!(props(Borrowed::schema())["text"].max_length, Some(5));
    assert_eq!(props(r#try::schema())["number"].minimum, Some(1.0));
    let defaults = props(Defaults::schema());
    assert_eq!(defaults["number"].default, Some(5.into()));
    assert_eq!(defaults["list"].default, Some(serde_json::json!([])));
    assert_eq!(defaults["map"].default, Some(serde_json::json!({})));
    assert_eq!(props(SampleSpec::schema())["text"].format, "our-own");
    assert_eq!(Sample::crd().spec.names.plural, "samples");
    let anonymous = FlattenedLogin { login: Login::Anonymous {} };
    assert_eq!(serde_json::to_value(anonymous).unwrap(), serde_json::json!({"Anonymous": {}}));
    assert_eq!(props(FlattenedLogin::schema())["Anonymous"].type_, "object");
}
