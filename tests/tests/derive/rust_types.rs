//! Types that use Rust's features: parameters, lifetimes, shadowed names of the prelude, types built by macros.
//!
//! Most of the test is that each module compiles. Some modules also check the schemas.
#![expect(dead_code, reason = "the types are tests")]

use crd_runtime::{CrdSchema, CustomResource};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

fn schema<T: CrdSchema>() -> Value {
    serde_json::to_value(T::schema()).expect("schemas serialize")
}

mod parameters {
    use std::marker::PhantomData;

    use super::*;

    pub(crate) struct WithoutSchema;

    #[derive(CrdSchema, Serialize, Deserialize)]
    pub(crate) struct Id<T> {
        id: String,
        #[serde(skip)]
        of: PhantomData<T>,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    pub(crate) struct Uses {
        id: Id<WithoutSchema>,
    }

    pub(crate) trait Source {
        type Item;
    }

    pub(crate) struct Texts;

    impl Source for Texts {
        type Item = String;
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(bound = "T::Item: Serialize + serde::de::DeserializeOwned")]
    pub(crate) struct Page<T: Source> {
        first: T::Item,
        #[crd(max_items = 3)]
        all: Vec<<T as Source>::Item>,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[serde(bound = "")]
    pub(crate) struct Marked<T> {
        id: Id<T>,
    }

    pub(crate) trait Named {}

    impl Named for WithoutSchema {}

    #[derive(CrdSchema)]
    #[crd(bound = "T: Named, Id<T>: CrdSchema")]
    pub(crate) struct Bounded<T> {
        id: Id<T>,
        #[crd(schema_with = crd_runtime::crd_schema::any)]
        raw: T,
    }

    #[derive(CrdSchema)]
    pub(crate) struct Rows<const N: usize> {
        #[crd(list_type = "map", list_map_keys("name"), rule("self.all(r, r.n > 0)"))]
        rows: [Row; N],
        #[crd(default = 3)]
        n: i32,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    pub(crate) struct Row {
        #[crd(max_length = 9)]
        name: String,
        n: i32,
    }

    #[test]
    fn only_types_of_fields_need_a_schema() {
        let id =
            json!({"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}});
        assert_eq!(schema::<Uses>()["properties"]["id"], id);
        assert_eq!(schema::<Marked<WithoutSchema>>()["properties"]["id"], id);
        assert_eq!(schema::<Bounded<WithoutSchema>>()["properties"]["id"], id);
        assert_eq!(
            schema::<Page<Texts>>()["properties"]["all"]["items"],
            json!({"type": "string"})
        );
        assert_eq!(schema::<Rows<2>>()["properties"]["rows"]["maxItems"], 2);
    }
}

mod lifetimes {
    use std::borrow::Cow;

    use super::*;

    #[derive(CrdSchema, Serialize, Deserialize)]
    #[crd(rule("self.name != ''"))]
    pub(crate) struct Borrows<'a> {
        #[serde(borrow)]
        #[crd(max_length = 5, default = "a")]
        name: Cow<'a, str>,
        other: &'a str,
        #[crd(list_type = "set", items(rule("self != ''")), max_items = 4)]
        all: Vec<Cow<'a, str>>,
        #[crd(rule("self.name != ''"))]
        inner: Inner<'a>,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    pub(crate) struct Inner<'b> {
        name: &'b str,
    }

    #[derive(CrdSchema)]
    pub(crate) struct Both<'a, T, const N: usize> {
        #[crd(rule("self.name != ''"))]
        inner: Inner<'a>,
        many: [T; N],
    }

    #[test]
    fn a_borrowed_text_is_a_text() {
        assert_eq!(
            schema::<Borrows<'_>>()["properties"]["name"],
            json!({"type": "string", "maxLength": 5, "default": "a"})
        );
        assert_eq!(schema::<Both<'_, u8, 1>>()["properties"]["many"]["maxItems"], 1);
    }
}

/// Types and variants that shadow names of the prelude.
mod shadowed {
    use std::string::String as Text;

    #[derive(Debug)]
    pub(super) enum Prelude {
        Some,
        None,
        Ok,
        Err,
    }

    use Prelude::*;

    fn all() -> [Prelude; 4] {
        [Some, None, Ok, Err]
    }

    struct Vec;
    struct Option;
    struct Result;
    struct Box;

    mod inner {
        #[derive(crd_runtime::CrdSchema, serde::Serialize, serde::Deserialize, Clone, Debug)]
        #[crd(max_properties = 3)]
        pub(super) struct String {
            a: i32,
        }
    }

    #[derive(crd_runtime::CrdSchema, serde::Serialize, serde::Deserialize, Clone, Debug)]
    pub(super) struct Uses {
        #[crd(max_properties = 3)]
        s: inner::String,
    }

    #[derive(crd_runtime::CrdSchema, serde::Serialize, serde::Deserialize)]
    #[serde(tag = "type")]
    enum Tagged {
        #[crd(rule("self.x > 1"))]
        A {
            x: i32,
        },
        B,
    }

    #[derive(crd_runtime::CrdSchema, serde::Serialize, serde::Deserialize)]
    enum Units {
        A,
        B,
    }

    #[derive(crd_runtime::CustomResource, serde::Serialize, serde::Deserialize, Clone, Debug)]
    #[crd(group = "example.com", version = "v1", kind = "Foo", namespaced, apply, immutable)]
    pub(super) struct FooSpec {
        #[crd(selectable, print_column, default = 1)]
        a: i32,
        #[crd(enum_values("a", "b"))]
        s: Text,
        #[crd(list_type = "set")]
        l: std::vec::Vec<i32>,
    }
}

#[no_implicit_prelude]
mod without_prelude {
    use ::std::clone::Clone;
    use ::std::fmt::Debug;
    use ::std::option::Option;
    use ::std::string::String;
    use ::std::vec::Vec;

    #[derive(
        ::crd_runtime::CustomResource, ::serde::Serialize, ::serde::Deserialize, Clone, Debug,
    )]
    #[crd(group = "example.com", version = "v1", kind = "Foo", namespaced, apply, status = Status)]
    #[crd(scale(spec = ".spec.a", status = ".status.a"), immutable)]
    pub(super) struct FooSpec {
        #[crd(selectable, print_column)]
        a: i32,
        #[serde(skip_serializing_if = "::std::option::Option::is_none")]
        n: Option<i32>,
        #[crd(default = ["a"])]
        texts: Vec<String>,
        part: Part,
        #[crd(list_type = "map", list_map_keys("a"))]
        parts: Vec<Item>,
        tagged: Tagged,
        unit: Units,
        json: ::serde_json::Value,
        #[serde(with = "::crd_runtime::base64")]
        bytes: Vec<u8>,
    }

    #[derive(::crd_runtime::CrdSchema, ::serde::Serialize, ::serde::Deserialize, Clone, Debug)]
    #[crd(apply)]
    pub(super) struct Part {
        #[crd(selectable)]
        a: i32,
    }

    #[derive(::crd_runtime::CrdSchema, ::serde::Serialize, ::serde::Deserialize, Clone, Debug)]
    #[crd(apply(keys("a")))]
    pub(super) struct Item {
        a: i32,
    }

    #[derive(::crd_runtime::CrdSchema, ::serde::Serialize, ::serde::Deserialize, Clone, Debug)]
    #[crd(apply)]
    pub(super) struct Status {
        a: i32,
    }

    #[derive(::crd_runtime::CrdSchema, ::serde::Serialize, ::serde::Deserialize, Clone, Debug)]
    #[serde(tag = "type")]
    #[crd(apply)]
    pub(super) enum Tagged {
        #[crd(rule("self.x > 1"))]
        A {
            x: i32,
        },
        B,
    }

    #[derive(::crd_runtime::CrdSchema, ::serde::Serialize, ::serde::Deserialize, Clone, Debug)]
    pub(super) enum Units {
        A,
        B,
    }
}

/// Fields of a spec with the names of fields of a root type.
mod metadata {
    use std::collections::BTreeMap;

    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

    use super::*;
    use crd_runtime::TypeMeta;

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
    #[crd(group = "example.com", version = "v1", kind = "Labeled", namespaced)]
    pub(crate) struct LabeledSpec {
        pub metadata: BTreeMap<String, String>,
    }

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
    #[crd(group = "example.com", version = "v1", kind = "Template", namespaced, root = Template)]
    pub(crate) struct TemplateSpec {
        pub metadata: ObjectMeta,
        pub image: String,
    }

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
    #[crd(group = "example.com", version = "v1", kind = "Renamed", namespaced, apply)]
    pub(crate) struct Renamed {
        #[serde(flatten)]
        pub type_meta: TypeMeta<Self>,
        #[serde(rename = "metadata")]
        pub meta: ObjectMeta,
        pub size: i32,
    }

    #[test]
    fn only_an_object_meta_makes_a_root() {
        let labeled = Labeled::new("a", LabeledSpec { metadata: BTreeMap::new() });
        assert_eq!(labeled.metadata.name.as_deref(), Some("a"));
        let spec =
            |kind: Value| kind["properties"]["spec"]["properties"]["metadata"]["type"].clone();
        assert_eq!(spec(schema::<Labeled>()), "object");
        assert_eq!(spec(schema::<Template>()), "object");
        assert_eq!(schema::<Renamed>()["properties"]["metadata"], Value::Null);
        let renamed = Renamed { type_meta: TypeMeta::new(), meta: ObjectMeta::default(), size: 1 };
        assert!(k8s_openapi::Metadata::metadata(&renamed).name.is_none());
    }
}

/// Types, fields and parameters with names that generated code might use itself.
#[allow(
    clippy::self_named_constructors,
    reason = "the kind `Fields` has the function `fields` as every kind has"
)]
mod names {
    use super::*;

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
    #[crd(group = "example.com", version = "v1", kind = "Fields", namespaced, status = F, apply)]
    pub(crate) struct FieldsSpec {
        #[crd(selectable)]
        a: i32,
        k: K,
        #[serde(with = "text")]
        #[crd(schema_with = String::schema)]
        s: S,
        #[serde(with = "text")]
        #[crd(schema_with = String::schema)]
        d: D,
    }

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
    #[crd(group = "example.com", version = "v1", kind = "K", namespaced, root = KRoot)]
    pub(crate) struct K2 {
        #[crd(selectable)]
        a: i32,
        f: F,
    }

    #[derive(Clone, Debug)]
    pub(crate) struct S;

    #[derive(Clone, Debug)]
    pub(crate) struct D;

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
    #[crd(apply)]
    pub(crate) struct K {
        #[crd(selectable)]
        a: i32,
    }

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
    #[crd(apply)]
    pub(crate) struct F {
        #[crd(selectable)]
        a: i32,
    }

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
    pub(crate) struct Parameters<S, D, K, F> {
        #[crd(selectable)]
        s: S,
        d: D,
        k: K,
        f: F,
    }

    mod text {
        use serde::{Deserialize, Deserializer, Serializer};

        pub(super) fn serialize<T, S: Serializer>(_: &T, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str("")
        }

        pub(super) fn deserialize<'de, T: Text, D: Deserializer<'de>>(
            deserializer: D,
        ) -> Result<T, D::Error> {
            String::deserialize(deserializer).map(|_| T::NONE)
        }

        pub(super) trait Text {
            const NONE: Self;
        }

        impl Text for super::S {
            const NONE: Self = Self;
        }

        impl Text for super::D {
            const NONE: Self = Self;
        }
    }
}

/// A user's module with the name of a module of `crd_runtime`.
mod base64 {
    use super::*;

    mod own {
        pub(super) mod base64 {
            use serde::{Deserialize, Deserializer, Serializer};

            pub(in super::super) fn serialize<S: Serializer>(
                _: &[u8],
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                serializer.serialize_str("")
            }

            pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Vec<u8>, D::Error> {
                String::deserialize(deserializer).map(String::into_bytes)
            }
        }
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    struct Holder {
        #[serde(with = "own::base64")]
        #[crd(schema_with = String::schema)]
        own: Vec<u8>,
        #[serde(with = "crd_runtime::base64")]
        ours: Vec<u8>,
    }

    #[test]
    fn the_schema_is_that_of_the_librarys_module() {
        let schema = schema::<Holder>();
        assert_eq!(schema["properties"]["own"], json!({"type": "string"}));
        assert_eq!(schema["properties"]["ours"], json!({"type": "string", "format": "byte"}));
    }
}

/// Keys of maps.
mod keys {
    use std::collections::BTreeMap;
    use std::rc::Rc;
    use std::sync::Arc;

    use super::*;

    #[derive(CrdSchema, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) struct Name(String);

    #[derive(CrdSchema, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
    #[serde(transparent)]
    pub(crate) struct Outer<T> {
        inner: T,
    }

    #[derive(CrdSchema, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) enum Few {
        A,
        B,
    }

    #[derive(CrdSchema, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord, Clone)]
    #[serde(from = "String", into = "String")]
    pub(crate) struct Converted(String);

    impl From<String> for Converted {
        fn from(text: String) -> Self {
            Self(text)
        }
    }

    impl From<Converted> for String {
        fn from(name: Converted) -> Self {
            name.0
        }
    }

    /// Cannot be a key of a map, but derives `CrdSchema`.
    #[derive(CrdSchema, Serialize, Deserialize)]
    pub(crate) struct Number(f64);

    #[derive(CrdSchema, Serialize, Deserialize)]
    pub(crate) struct Maps {
        newtype: BTreeMap<Name, i32>,
        transparent: BTreeMap<Outer<Name>, i32>,
        few: BTreeMap<Outer<Few>, i32>,
        converted: BTreeMap<Converted, i32>,
        char: BTreeMap<char, i32>,
        rc: BTreeMap<Rc<str>, i32>,
        arc: BTreeMap<Arc<str>, i32>,
        boxed: BTreeMap<Box<Name>, i32>,
    }

    #[test]
    fn a_newtype_of_a_key_is_a_key() {
        let schema = schema::<Maps>();
        let free = json!({"type": "object", "additionalProperties": {"type": "integer", "format": "int32"}});
        for name in ["newtype", "transparent", "converted", "char", "rc", "arc", "boxed"] {
            assert_eq!(schema["properties"][name], free, "{name}");
        }
        let few = schema["properties"]["few"]["properties"].as_object().expect("known keys");
        assert_eq!(few.keys().collect::<Vec<_>>(), ["A", "B"]);
    }
}

/// Types from variables of a macro, which rustc wraps in invisible groups.
mod groups {
    use super::*;

    #[derive(CrdSchema, Serialize, Deserialize, Clone, Debug)]
    pub(crate) struct Status {
        a: i32,
    }

    macro_rules! kind {
        ($root:ident, $kind:literal, $status:ty, $types:ty, $meta:ty, $number:expr, $most:expr, $list:expr) => {
            #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
            #[crd(group = "example.com", version = "v1", kind = $kind, namespaced)]
            #[crd(root = $root, status = $status)]
            pub(crate) struct Spec {
                #[crd(default = $number, maximum = $most, enum_values($number, 7))]
                a: i32,
                #[crd(default = $list, max_items = $most)]
                b: Vec<i32>,
                o: Option<$status>,
            }

            #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
            #[crd(group = "example.com", version = "v1", kind = "Root", namespaced)]
            pub(crate) struct Root {
                #[serde(flatten)]
                types: $types,
                metadata: $meta,
                spec: i32,
            }
        };
    }

    kind!(
        Foo,
        "Foo",
        Status,
        crd_runtime::TypeMeta<Root>,
        k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta,
        3,
        9,
        [1, 2]
    );

    #[test]
    fn attributes_in_invisible_groups_are_read() {
        let spec = &schema::<Foo>()["properties"]["spec"]["properties"];
        assert_eq!(spec["b"]["default"], json!([1, 2]));
        assert_eq!(spec["a"]["maximum"], 9.0);
    }
}

/// Flattened maps.
mod flattened {
    use std::collections::{BTreeMap, HashMap};

    use serde_json::Value as Json;

    use super::*;

    #[derive(CrdSchema, Serialize, Deserialize)]
    pub(crate) struct Alone {
        #[serde(flatten)]
        all: BTreeMap<String, String>,
    }

    #[derive(CrdSchema, Serialize, Deserialize)]
    pub(crate) struct Beside {
        a: i32,
        #[serde(flatten)]
        rest: HashMap<String, Json>,
    }

    #[test]
    fn a_flattened_map_alone_is_the_object() {
        let map = json!({"type": "object", "additionalProperties": {"type": "string"}});
        assert_eq!(schema::<Alone>(), map);
        assert_eq!(schema::<Beside>()["x-kubernetes-preserve-unknown-fields"], true);
    }
}

/// Addresses: a text that the pattern admits can be read, and a written text is admitted.
mod addresses {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};

    use crd_runtime::admit;
    use crd_runtime::compiled::CompiledSchema;

    use super::*;

    #[derive(CustomResource, Serialize, Deserialize, Clone, Debug)]
    #[crd(group = "example.com", version = "v1", kind = "Holder", cluster)]
    #[serde(default)]
    #[derive(Default)]
    struct HolderSpec {
        #[serde(skip_serializing_if = "Option::is_none")]
        v4: Option<Ipv4Addr>,
        #[serde(skip_serializing_if = "Option::is_none")]
        v6: Option<Ipv6Addr>,
        #[serde(skip_serializing_if = "Option::is_none")]
        ip: Option<IpAddr>,
        #[serde(skip_serializing_if = "Option::is_none")]
        socket4: Option<SocketAddrV4>,
        #[serde(skip_serializing_if = "Option::is_none")]
        socket6: Option<SocketAddrV6>,
        #[serde(skip_serializing_if = "Option::is_none")]
        socket: Option<SocketAddr>,
    }

    #[track_caller]
    fn check(field: &str, text: &str, want: bool) {
        let schema = CompiledSchema::for_version(&Holder::crd(), "v1").expect("it compiles");
        let admits = |spec: &Value| {
            let object = json!({"apiVersion": "example.com/v1", "kind": "Holder", "metadata": {"name": "a"}, "spec": spec});
            admit::create(&schema, object).is_ok()
        };
        let spec = json!({field: text});
        assert_eq!(admits(&spec), want, "{field}: {text}");
        match serde_json::from_value::<HolderSpec>(spec) {
            Ok(read) => {
                let written = serde_json::to_value(read).expect("addresses are texts");
                assert!(admits(&written), "{text} is written as {written}");
            }
            Err(error) => assert!(!want, "{text}: {error}"),
        }
    }

    #[test]
    fn admitted_addresses_are_read() {
        for (text, want) in [
            ("0.0.0.0", true),
            ("255.250.199.10", true),
            ("256.1.1.1", false),
            ("1.2.3", false),
            ("01.2.3.4", false),
            ("1.2.3.4\n", false),
        ] {
            check("v4", text, want);
            check("ip", text, want);
            check("socket4", &format!("{text}:65535"), want);
            check("socket4", &format!("{text}:65536"), false);
        }
        for (text, want) in [
            ("::", true),
            ("::1", true),
            ("1::", true),
            ("fe80::1:2:3", true),
            ("1:2:3:4:5:6:7:8", true),
            ("1:2:3:4:5:6:7::", true),
            ("::2:3:4:5:6:7:8", true),
            ("1::3:4:5:6:7:8", true),
            ("1:2::4:5:6:7:8", true),
            ("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", true),
            ("::ffff:1.2.3.4", true),
            ("::1.2.3.4", true),
            ("::1:2:3:4:5:1.2.3.4", true),
            ("::1:2:3:4:5:6:1.2.3.4", false),
            ("::ffff:1.2.3.04", false),
            ("1::3:4:5:6:7:8:9", false),
            ("1:2:3:4:5:6:7:8:9", false),
            ("1:2:3:4:5:6:7", false),
            ("1::2::3", false),
            (":::", false),
            ("12345::", false),
            ("fe80::1%eth0", false),
            ("", false),
        ] {
            check("v6", text, want);
            check("ip", text, want);
            check("socket6", &format!("[{text}]:80"), want);
            check("socket", &format!("[{text}%7]:0"), want);
            check("socket", text, false);
        }
        check("socket6", "[fe80::1%4294967296]:80", false);
        check("socket6", "[fe80::1%4294967295]:80", true);
    }
}
