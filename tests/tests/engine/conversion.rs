//! Several versions of one kind, conversion between them, and the webhook's protocol.

use crd_examples::gate as gates;
use crd_examples::host_port::{converter, v1, v1beta1};
use crd_runtime::convert::{Converter, RoundTrip, RoundTripError};
use crd_runtime::model::{Conversion, CustomResourceDefinition};
use crd_runtime::versions::Versions;
use serde_json::{Value, json};

fn beta(host_port: &str) -> Value {
    json!({
        "apiVersion": "example.com/v1beta1", "kind": "Endpoint",
        "metadata": {"name": "e", "namespace": "default", "uid": "1", "labels": {"a": "b"}},
        "hostPort": host_port,
    })
}

fn stable(host: &str, port: &str) -> Value {
    json!({
        "apiVersion": "example.com/v1", "kind": "Endpoint",
        "metadata": {"name": "e", "namespace": "default", "uid": "1", "labels": {"a": "b"}},
        "host": host, "port": port,
    })
}

#[test]
fn versions_make_one_definition() {
    let merged = <(v1beta1::Endpoint, v1::Endpoint)>::merged().expect("agrees");
    let versions: Vec<(&str, bool)> =
        merged.spec.versions.iter().map(|v| (&*v.name, v.storage)).collect();
    assert_eq!(versions, [("v1", true), ("v1beta1", false)]);
    assert_eq!(merged.spec.conversion.expect("converts").strategy, "Webhook");
}

#[test]
fn conversion_can_be_set_in_code() {
    let conversion = Conversion::service("ns", "name").path("/c").ca_bundle("pem");
    let merged = <(v1beta1::Endpoint, v1::Endpoint)>::merged_with(conversion.clone());
    assert_eq!(merged.expect("agrees").spec.conversion, Some(conversion));
    let merged = <(v1beta1::Endpoint, v1::Endpoint)>::merged_with(Conversion::none());
    assert_eq!(merged.expect("schemas may differ").spec.conversion, Some(Conversion::none()));
}

#[test]
fn the_documented_example_converts_both_ways() {
    let converter = converter();
    let there = converter.convert(beta("localhost:1234"), "example.com/v1").expect("converts");
    assert_eq!(there, stable("localhost", "1234"));
    let back = converter.convert(there, "example.com/v1beta1").expect("converts");
    assert_eq!(back, beta("localhost:1234"));
    assert_eq!(converter.convert(beta("x"), "example.com/v1beta1").expect("as it is"), beta("x"));
}

#[test]
fn steps_between_derived_types_bring_their_schemas() {
    // On the way back, the part of the port before its colon would become a part of the host.
    let original = stable("h", "1:2");
    let there = converter().convert(original.clone(), "example.com/v1beta1").expect("a schema");
    assert_eq!(there["hostPort"], "h:1:2");
    assert_eq!(converter().convert(there, "example.com/v1").expect("converts"), original);
}

#[track_caller]
fn rejected(object: Value, desired: &str, want: &str) {
    let error = converter().convert(object, desired).expect_err("rejected").to_string();
    assert_eq!(error, want);
}

#[test]
fn errors_name_the_object_that_does_not_convert() {
    let name = "example.com/v1beta1, Kind=Endpoint default/e";
    rejected(
        beta("localhost"),
        "example.com/v1",
        &format!("{name}: to `v1`: hostPort \"localhost\" has no colon"),
    );
    rejected(
        beta("a:1"),
        "example.com/v2",
        &format!("{name}: no conversion leads from `v1beta1` to `v2`"),
    );
    rejected(
        beta("a:1"),
        "other.com/v1",
        &format!("{name}: `other.com/v1` is not a version of group `example.com`"),
    );
    rejected(json!(1), "example.com/v1", ", Kind= : is not an object");
    let mut other = beta("a:1");
    other["kind"] = "Other".into();
    rejected(
        other,
        "example.com/v1",
        "example.com/v1beta1, Kind=Other default/e: kind must be `Endpoint`, is `Other`",
    );
}

#[test]
fn conversions_go_through_versions_in_between() {
    let step = |add: &'static str| {
        move |mut object: Value| {
            let spec = object["spec"].as_str().unwrap_or_default().to_owned();
            object["spec"] = format!("{spec}{add}").into();
            Ok(object)
        }
    };
    let converter = Converter::new("g", "K")
        .without_annotation()
        .step("v1", "v2", step("2"))
        .step("v2", "v3", step("3"))
        .step("v3", "v4", step("4"))
        .step("v1", "v4", step("!"));
    let object = |version: &str, spec: &str| json!({"apiVersion": format!("g/{version}"), "kind": "K", "metadata": {}, "spec": spec});
    assert_eq!(converter.convert(object("v1", ""), "g/v3").unwrap(), object("v3", "23"));
    assert_eq!(converter.convert(object("v1", ""), "g/v4").unwrap(), object("v4", "!"));
    assert_eq!(converter.convert(object("v2", ""), "g/v4").unwrap(), object("v4", "34"));
}

/// A kind whose `v1` has `spec.b`, which its `v2` lacks.
fn lossy_definition() -> CustomResourceDefinition {
    let spec = |fields: Value| json!({"type": "object", "properties": fields, "x-kubernetes-validations": [{"rule": "!has(self.a) || self.a < 100"}]});
    let (a, b) = (
        json!({"type": "integer"}),
        json!({"type": "object", "properties": {"c": {"type": "integer", "maximum": 9}}}),
    );
    let crd = ks().spec("v1", spec(json!({"a": a, "b": b}))).spec("v2", spec(json!({"a": a})));
    crd.read()
}

fn ks() -> crd_fixtures::Crd {
    crd_fixtures::crd("g.example.com", "K").cluster()
}

fn lossy_steps() -> Converter {
    Converter::new("g.example.com", "K")
        .step("v1", "v2", |mut object| {
            assert_ne!(object["spec"]["a"], -1, "the user's code does not expect this");
            if let Some(spec) = object["spec"].as_object_mut() {
                spec.remove("b");
            }
            Ok(object)
        })
        .step("v2", "v1", Ok)
}

fn lossy() -> Converter {
    lossy_steps().definition(&lossy_definition()).expect("schemas")
}

/// Returns the text of the annotation that preserves an object of `v1`.
fn preserved(spec: &Value) -> String {
    json!({"apiVersion": "g.example.com/v1", "kind": "K", "spec": spec}).to_string()
}

fn k(version: &str, spec: &Value) -> Value {
    json!({"apiVersion": format!("g.example.com/{version}"), "kind": "K", "metadata": {"name": "x"}, "spec": spec})
}

const V1_ANNOTATION: &str = "/metadata/annotations/conversion.g.example.com~1v1";

#[test]
fn fields_that_a_version_lacks_are_kept_in_an_annotation() {
    let converter = lossy();
    let original = k("v1", &json!({"a": 1, "b": {"c": 2}}));
    let mut there = converter.convert(original.clone(), "g.example.com/v2").unwrap();
    assert_eq!(there["spec"], json!({"a": 1}));
    assert!(there.pointer(V1_ANNOTATION).is_some(), "{there}");
    assert_eq!(converter.convert(there.clone(), "g.example.com/v1").unwrap(), original);
    // Changes made in the other version are kept, and the fields that it lacks are restored.
    there["spec"]["a"] = 5.into();
    let back = converter.convert(there.clone(), "g.example.com/v1").unwrap();
    assert_eq!(back, k("v1", &json!({"a": 5, "b": {"c": 2}})));
}

#[test]
fn an_annotation_that_does_not_fit_is_dropped() {
    let converter = lossy();
    let deep = "[".repeat(600) + &"]".repeat(600);
    for annotation in [
        String::new(),
        "{".to_owned(),
        "null".to_owned(),
        "{}".to_owned(),
        "[1]".to_owned(),
        "\u{0}".to_owned(),
        format!(r#"{{"spec": {deep}}}"#),
        // Unknown fields, one of them at the root.
        preserved(&json!({"a": 1, "b": {"c": 2}, "privileged": true})),
        r#"{"apiVersion": "g.example.com/v1", "kind": "K", "spec": {"a": 1}, "status": {"x": 1}}"#
            .to_owned(),
        // Invalid values.
        preserved(&json!({"a": 1, "b": {"c": 10}})),
        preserved(&json!({"a": 1, "b": {"c": "2"}})),
        // A rule that does not hold.
        preserved(&json!({"a": 100, "b": {"c": 2}})),
        // Other texts than a conversion writes: with metadata, of another version, with spaces.
        k("v1", &json!({"a": 1, "b": {"c": 2}})).to_string(),
        preserved(&json!({"a": 1, "b": {"c": 2}})).replace("/v1", "/v2"),
        preserved(&json!({"a": 1, "b": {"c": 2}})).replace(':', ": "),
        // A value on which the user's code panics.
        preserved(&json!({"a": -1, "b": {"c": 2}})),
    ] {
        let mut object = k("v2", &json!({"a": 1}));
        object["metadata"]["annotations"] =
            json!({"conversion.g.example.com/v1": annotation, "other": "stays"});
        let mut want = k("v1", &json!({"a": 1}));
        want["metadata"]["annotations"] = json!({"other": "stays"});
        // Other objects of the same review are not affected.
        let body = json!({"kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1",
            "request": {"uid": "1", "desiredAPIVersion": "g.example.com/v1", "objects": [object, k("v2", &json!({"a": 2}))]}});
        let answer = converter.review(body.to_string().as_bytes()).expect("a review");
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        let want = json!([want, k("v1", &json!({"a": 2}))]);
        assert_eq!(answer["response"]["convertedObjects"], want, "{annotation}");
    }
}

#[test]
fn an_annotation_that_makes_the_object_invalid_is_dropped() {
    let schema = |fields: Value| {
        json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object",
            "properties": fields, "x-kubernetes-validations": [{"rule": "!has(self.b) || self.a == self.b"}]}}}})
    };
    let (both, one) = (
        json!({"a": {"type": "integer"}, "b": {"type": "integer"}}),
        json!({"a": {"type": "integer"}}),
    );
    let mut definition = serde_json::to_value(lossy_definition()).expect("JSON");
    definition["spec"]["versions"][0]["schema"] = schema(both);
    definition["spec"]["versions"][1]["schema"]["openAPIV3Schema"]["properties"]["spec"]["properties"] =
        one;
    let definition: CustomResourceDefinition = serde_json::from_value(definition).expect("a CRD");
    let converter = lossy_steps().definition(&definition).expect("schemas");
    let mut there =
        converter.convert(k("v1", &json!({"a": 1, "b": 1})), "g.example.com/v2").unwrap();
    there["spec"]["a"] = 5.into();
    let back = converter.convert(there, "g.example.com/v1").unwrap();
    assert_eq!(back, k("v1", &json!({"a": 5})));
}

#[test]
fn an_annotation_is_dropped_if_the_object_does_not_convert_back() {
    for panics in [false, true] {
        let converter = Converter::new("g.example.com", "K")
            .step("v1", "v2", move |mut object| {
                let (a, c) = (object["spec"]["a"].clone(), object["spec"]["b"]["c"].clone());
                // Only the merged object has both values.
                if (a, c) == (json!(5), json!(2)) {
                    assert!(!panics, "the user's code does not expect this");
                    return Err("a and c do not go together".into());
                }
                if let Some(spec) = object["spec"].as_object_mut() {
                    spec.remove("b");
                }
                Ok(object)
            })
            .step("v2", "v1", Ok)
            .definition(&lossy_definition())
            .expect("schemas");
        let mut object = k("v2", &json!({"a": 5}));
        object["metadata"]["annotations"] = json!({
            "conversion.g.example.com/v1": preserved(&json!({"a": 1, "b": {"c": 2}})),
        });
        let converted = converter.convert(object, "g.example.com/v1").expect("converts");
        assert_eq!(converted, k("v1", &json!({"a": 5})));
    }
}

/// The object with the annotation's fields converts back to another `a`, and without a schema of `v2`, no annotation
/// can preserve the original.
#[test]
fn an_annotation_that_would_lose_fields_is_dropped() {
    let mut definition = serde_json::to_value(lossy_definition()).expect("JSON");
    let versions = definition["spec"]["versions"].as_array_mut().expect("versions");
    versions.truncate(1);
    let definition: CustomResourceDefinition = serde_json::from_value(definition).expect("a CRD");
    let converter = Converter::new("g.example.com", "K")
        .step("v1", "v2", |mut object| {
            if let Some(spec) = object["spec"].as_object_mut()
                && spec.remove("b").is_some()
                && spec["a"] == 5
            {
                spec.insert("a".to_owned(), 6.into());
            }
            Ok(object)
        })
        .step("v2", "v1", Ok)
        .definition(&definition)
        .expect("schemas");
    let mut object = k("v2", &json!({"a": 5}));
    object["metadata"]["annotations"] = json!({
        "conversion.g.example.com/v1": preserved(&json!({"a": 1, "b": {"c": 2}})),
    });
    let converted = converter.convert(object, "g.example.com/v1").expect("converts");
    assert_eq!(converted, k("v1", &json!({"a": 5})));
}

#[test]
fn without_schemas_lost_fields_are_an_error() {
    let object = k("v1", &json!({"a": 1, "b": {"c": 2}}));
    let error =
        lossy_steps().convert(object, "g.example.com/v2").expect_err("rejected").to_string();
    assert_eq!(
        error,
        "g.example.com/v1, Kind=K x: `v2` cannot hold all of `spec`, and the converter has no schema of `v1` \
         to check what comes back: give it the kind's definition with `Converter::definition`, or drop what is \
         lost with `Converter::without_annotation`"
    );
    let whole = k("v1", &json!({"a": 1}));
    lossy_steps().convert(whole, "g.example.com/v2").expect("nothing is lost");
}

#[test]
fn labels_and_annotations_may_change_and_other_metadata_may_not() {
    let converter = Converter::new("g", "K").without_annotation().step("v1", "v2", |mut object| {
        object["metadata"] = json!({"name": "other", "labels": {"new": "1"}, "finalizers": ["x"]});
        Ok(object)
    });
    let object = json!({"apiVersion": "g/v1", "kind": "K",
        "metadata": {"name": "x", "uid": "1", "labels": {"old": "1"}, "annotations": {"a": "b"}}});
    let converted = converter.convert(object, "g/v2").unwrap();
    assert_eq!(converted["metadata"], json!({"name": "x", "uid": "1", "labels": {"new": "1"}}));
}

const GATES: &str = "gates.example.com";

fn gate(version: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("{GATES}/{version}"), "kind": "Gate",
        "metadata": {"name": "g", "namespace": "default"}, "spec": spec,
    })
}

crd_runtime::conversions_lose_nothing! {
    gates_lose_nothing: gates::converter(), hub = gates::v1::Gate, versions = [gates::v1beta1::Gate],
}

/// Converts a gate to `v1beta1`, changes its ports there, and converts it back. Returns its ports.
fn changed_ports(change: impl Fn(&mut Vec<Value>)) -> Value {
    let ports = json!([
        {"name": "web", "number": 80, "protocol": "HTTP"},
        {"name": "db", "number": 5432, "protocol": "SQL"},
    ]);
    let converter = gates::converter();
    let gate = gate("v1", &json!({"ports": ports, "routes": [], "weights": []}));
    let mut there = converter.convert(gate, &format!("{GATES}/v1beta1")).expect("converts");
    change(there["spec"]["ports"].as_array_mut().expect("a list"));
    let mut back = converter.convert(there, &format!("{GATES}/v1")).expect("converts");
    back["spec"]["ports"].take()
}

#[test]
fn items_of_map_lists_keep_their_fields_by_their_keys() {
    let web = json!({"name": "web", "number": 80, "protocol": "HTTP"});
    let db = json!({"name": "db", "number": 5432, "protocol": "SQL"});
    let new = json!({"name": "new", "number": 1, "protocol": "TCP"});
    let changed = changed_ports(|ports| ports.insert(1, json!({"name": "new", "number": 1})));
    assert_eq!(changed, json!([web, new, db]));
    assert_eq!(changed_ports(|ports| drop(ports.remove(0))), json!([db]));
    assert_eq!(changed_ports(|ports| ports.swap(0, 1)), json!([db, web]));
    let changed = changed_ports(|ports| ports[0]["number"] = 81.into());
    assert_eq!(changed, json!([{"name": "web", "number": 81, "protocol": "HTTP"}, db]));
    let changed = changed_ports(|ports| ports[0]["name"] = "www".into());
    assert_eq!(changed, json!([{"name": "www", "number": 80, "protocol": "TCP"}, db]));
}

/// Items of a list without keys, of which `v2` does not have `b`.
#[test]
fn items_of_other_lists_keep_their_fields_if_it_is_clear_which_they_are() {
    let schema = |fields: Value| {
        json!({"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {
            "items": {"type": "array", "items": {"type": "object", "properties": fields}},
        }}}}})
    };
    let mut definition = serde_json::to_value(lossy_definition()).expect("JSON");
    definition["spec"]["versions"][0]["schema"] =
        schema(json!({"a": {"type": "integer"}, "b": {"type": "integer"}}));
    definition["spec"]["versions"][1]["schema"] = schema(json!({"a": {"type": "integer"}}));
    let definition: CustomResourceDefinition = serde_json::from_value(definition).expect("a CRD");
    let converter = Converter::new("g.example.com", "K")
        .step("v1", "v2", |mut object| {
            for item in object["spec"]["items"].as_array_mut().into_iter().flatten() {
                item.as_object_mut().map(|item| item.remove("b"));
            }
            Ok(object)
        })
        .step("v2", "v1", Ok)
        .definition(&definition)
        .expect("schemas");
    let changed = |now: Value| {
        let original =
            k("v1", &json!({"items": [{"a": 1, "b": 1}, {"a": 2, "b": 2}, {"a": 2, "b": 3}]}));
        let mut there = converter.convert(original, "g.example.com/v2").expect("converts");
        there["spec"]["items"] = now;
        converter.convert(there, "g.example.com/v1").expect("converts")["spec"]["items"].take()
    };
    let (one, two, three) =
        (json!({"a": 1, "b": 1}), json!({"a": 2, "b": 2}), json!({"a": 2, "b": 3}));
    assert_eq!(changed(json!([{"a": 2}, {"a": 1}, {"a": 2}])), json!([two, one, three]), "moved");
    assert_eq!(
        changed(json!([{"a": 2}, {"a": 2}])),
        json!([three, two]),
        "removed: as likely as the other way round"
    );
    assert_eq!(
        changed(json!([{"a": 0}, {"a": 1}, {"a": 2}, {"a": 2}])),
        json!([{"a": 0}, one, three, two]),
        "added"
    );
    assert_eq!(
        changed(json!([{"a": 9}, {"a": 2}, {"a": 2}])),
        json!([{"a": 9, "b": 1}, two, three]),
        "changed"
    );
    assert_eq!(changed(json!([{"a": 9}])), json!([{"a": 9}]), "changed and removed");
}

/// During a server-side apply, the server converts objects of which it has removed parts.
#[test]
fn partial_objects_convert() {
    let convert = |version: &str, to: &str, spec: &Value| {
        let mut object = gate(version, spec);
        if spec.is_null() {
            object.as_object_mut().map(|object| object.remove("spec"));
        }
        let mut converted =
            gates::converter().convert(object, &format!("{GATES}/{to}")).expect("converts");
        converted["metadata"].as_object_mut().map(|metadata| metadata.remove("annotations"));
        converted
    };
    let mut bare = gate("v1", &Value::Null);
    bare.as_object_mut().map(|object| object.remove("spec"));
    assert_eq!(convert("v1beta1", "v1", &Value::Null)["metadata"], bare["metadata"]);
    let part = json!({"ports": [{"name": "web"}, {"name": "db", "number": 1}]});
    let converted = convert("v1", "v1beta1", &part);
    assert_eq!(converted["spec"], part);
    // What the conversion sets of itself is there, and what depends on an absent field is not.
    let converted = convert("v1beta1", "v1", &part);
    assert_eq!(
        converted["spec"]["ports"],
        json!([
            {"name": "web", "protocol": "TCP"}, {"name": "db", "number": 1, "protocol": "TCP"},
        ])
    );
    assert!(converted["spec"].get("routes").is_none(), "{converted}");
    let part = convert("v1", "v1beta1", &json!({"routes": [{"to": "a"}, {}]}));
    assert_eq!(part["spec"]["routes"], json!([{"to": "a"}]), "{part}");
}

#[test]
fn what_the_conversion_does_not_lose_needs_no_annotation() {
    let ports = json!([{"name": "web", "number": 80, "protocol": "TCP"}]);
    for spec in [
        json!({"ports": ports, "routes": []}),
        json!({"ports": [], "routes": [{"to": "a"}], "weights": []}),
    ] {
        let there = gates::converter()
            .convert(gate("v1", &spec), &format!("{GATES}/v1beta1"))
            .expect("converts");
        assert!(there["metadata"].get("annotations").is_none(), "{there}");
    }
    let spec = json!({"ports": [], "routes": [], "weights": [1]});
    let there = gates::converter().convert(gate("v1", &spec), &format!("{GATES}/v1beta1"));
    let there = there.expect("converts");
    assert!(there["metadata"].get("annotations").is_some(), "{there}");
    let back = gates::converter().convert(there, &format!("{GATES}/v1")).expect("converts");
    assert_eq!(back["spec"], spec);
}

#[test]
fn an_annotation_has_a_limit() {
    let long = "x".repeat(300_000);
    let spec = json!({"ports": [{"name": "a", "number": 1, "protocol": long}], "routes": []});
    let error = gates::converter().convert(gate("v1", &spec), &format!("{GATES}/v1beta1"));
    let error = error.expect_err("too large").to_string();
    assert!(error.contains("`conversion.gates.example.com/v1`"), "{error}");
    assert!(error.ends_with("the server allows 262144"), "{error}");
}

fn review(objects: &Value, version: &str) -> Value {
    let body = json!({
        "kind": "ConversionReview",
        "apiVersion": format!("apiextensions.k8s.io/{version}"),
        "request": {"uid": "705ab4f5", "desiredAPIVersion": "example.com/v1", "objects": objects},
        "response": {"uid": "", "convertedObjects": null, "result": {"metadata": {}}},
    });
    let answer = converter().review(body.to_string().as_bytes()).expect("a review");
    serde_json::from_slice(&answer).expect("JSON")
}

#[test]
fn a_review_is_answered_in_its_own_version() {
    for version in ["v1", "v1beta1"] {
        let objects = json!([beta("localhost:1234"), beta("example.com:2345")]);
        assert_eq!(
            review(&objects, version),
            json!({
                "kind": "ConversionReview",
                "apiVersion": format!("apiextensions.k8s.io/{version}"),
                "response": {
                    "uid": "705ab4f5",
                    "result": {"status": "Success"},
                    "convertedObjects": [stable("localhost", "1234"), stable("example.com", "2345")],
                },
            })
        );
    }
}

#[test]
fn one_failing_object_fails_the_review_and_is_named() {
    let answer = review(&json!([beta("localhost:1234"), beta("bad")]), "v1");
    assert_eq!(
        answer["response"],
        json!({
            "uid": "705ab4f5",
            "result": {
                "status": "Failed",
                "message": "example.com/v1beta1, Kind=Endpoint default/e: to `v1`: hostPort \"bad\" has no colon",
            },
            "convertedObjects": [],
        })
    );
    assert_eq!(review(&json!(3), "v1")["response"]["result"]["status"], "Failed");
    assert_eq!(review(&json!(null), "v1")["response"]["result"]["status"], "Success");
}

#[test]
fn a_panic_of_a_step_fails_the_review_with_its_message() {
    let panicking = |message: &'static str, formatted: bool| {
        let converter = Converter::new("g.example.com", "K").step("v1", "v2", move |_| {
            if formatted { panic!("{message}!") } else { std::panic::panic_any(message) }
        });
        let body = json!({
            "kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1",
            "request": {"uid": "1", "desiredAPIVersion": "g.example.com/v2", "objects": [k("v1", &json!({}))]},
        });
        let answer = converter.review(body.to_string().as_bytes()).expect("a review");
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        answer["response"]["result"]["message"].as_str().expect("a message").to_owned()
    };
    let (text, formatted) = (panicking("cannot", false), panicking("cannot", true));
    assert!(text.ends_with("cannot"), "{text}");
    assert!(formatted.ends_with("cannot!"), "{formatted}");
}

#[test]
fn errors_and_converters_show_what_they_are_about() {
    let error = converter().convert(beta("bad"), "example.com/v1").expect_err("no colon");
    assert_eq!(error.object(), "example.com/v1beta1, Kind=Endpoint default/e");
    assert_eq!(error.reason(), "to `v1`: hostPort \"bad\" has no colon");
    let shown = format!("{:?}", lossy_steps());
    assert!(shown.contains("\"v1 -> v2\", \"v2 -> v1\""), "{shown}");
}

#[test]
fn a_body_that_is_no_review_is_an_error() {
    for (body, want) in [
        ("", "the body is not JSON that can be read: unexpected end of JSON input"),
        ("[1]", "must be a ConversionReview"),
        ("null", "must be a ConversionReview"),
        (r#"{"kind":"ConversionReview","apiVersion":"v1"}"#, "of `v1`"),
        (
            r#"{"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1","request":{}}"#,
            "no `request.uid`",
        ),
    ] {
        let error = converter().review(body.as_bytes()).expect_err(body).to_string();
        assert!(error.contains(want), "{body}: {error}");
    }
}

crd_runtime::conversions_lose_nothing! {
    endpoints_lose_nothing: converter(), hub = v1::Endpoint, versions = [v1beta1::Endpoint],
    samples = [json!({"apiVersion": "example.com/v1beta1", "hostPort": "localhost:1234"})],
}

/// Versions whose `conversion` is set in code.
mod set_in_code {
    use crd_runtime::convert::{ConvertTo, Converter};
    use crd_runtime::model::Conversion;
    use crd_runtime::versions::Versions;
    use std::convert::Infallible;

    mod v1 {
        #[derive(
            crd_runtime::CustomResource, serde::Serialize, serde::Deserialize, Clone, Debug,
        )]
        #[crd(group = "example.com", version = "v1", kind = "Task", namespaced, storage = false)]
        pub(crate) struct TaskSpec {
            pub(crate) command: String,
        }
    }

    mod v2 {
        #[derive(
            crd_runtime::CustomResource, serde::Serialize, serde::Deserialize, Clone, Debug,
        )]
        #[crd(group = "example.com", version = "v2", kind = "Task", namespaced)]
        pub(crate) struct TaskSpec {
            pub(crate) run: String,
        }
    }

    impl ConvertTo<v2::Task> for v1::Task {
        type Error = Infallible;

        fn convert_to(self) -> Result<v2::Task, Infallible> {
            let spec = v2::TaskSpec { run: self.spec.command };
            Ok(v2::Task { metadata: self.metadata, spec })
        }
    }

    impl ConvertTo<v1::Task> for v2::Task {
        type Error = Infallible;

        fn convert_to(self) -> Result<v1::Task, Infallible> {
            let spec = v1::TaskSpec { command: self.spec.run };
            Ok(v1::Task { metadata: self.metadata, spec })
        }
    }

    #[test]
    fn the_definition_has_the_conversion() {
        let conversion = Conversion::service("ns", "name").path("/c");
        <(v1::Task, v2::Task)>::merged_with(conversion).expect("agrees");
        let merged = <(v1::Task, v2::Task)>::merged().expect("schemas may differ");
        assert_eq!(merged.spec.conversion, Some(Conversion::none()));
    }

    crd_runtime::conversions_lose_nothing! {
        tasks_lose_nothing: Converter::of::<v2::Task>().both_ways::<v1::Task, v2::Task>(),
        hub = v2::Task, versions = [v1::Task],
    }
}

fn round_trip(converter: Converter) -> RoundTrip {
    let definition = <(v1beta1::Endpoint, v1::Endpoint)>::merged().expect("agrees");
    RoundTrip::new(converter, definition, "v1")
}

#[test]
fn without_the_annotation_the_round_trip_finds_lost_fields() {
    // On the way back, the part of the port before its colon becomes a part of the host.
    let sample = json!({"apiVersion": "example.com/v1", "host": "h", "port": "1:2"});
    let broken =
        round_trip(converter().without_annotation()).sample(sample).check().expect_err("loses");
    let RoundTripError::Lost { versions, object, back, .. } = &broken else { panic!("{broken}") };
    assert_eq!(versions, &("v1".to_owned(), "v1beta1".to_owned()));
    assert_eq!((&object["host"], &object["port"]), (&json!("h"), &json!("1:2")));
    let back = back.as_ref().expect("comes back");
    assert_eq!((&back["host"], &back["port"]), (&json!("h:1"), &json!("2")));
    assert!(broken.to_string().starts_with("v1 -> v1beta1 -> v1 changes\n"), "{broken}");
}

#[test]
fn the_round_trip_shows_the_smallest_object_that_loses_fields() {
    let spec = json!({"type": "object", "properties": {
        "a": {"type": "integer"}, "b": {"type": "array", "items": {"type": "string"}},
        "c": {"type": "object", "additionalProperties": {"type": "boolean"}},
    }});
    let definition: CustomResourceDefinition = ks().spec("v1", &spec).spec("v2", &spec).read();
    let sorted = |mut object: Value| {
        let list = object.pointer_mut("/spec/b").and_then(Value::as_array_mut);
        if let Some(list) = list {
            list.sort_by_key(ToString::to_string);
        }
        Ok(object)
    };
    let converter =
        Converter::new("g.example.com", "K").step("v1", "v2", sorted).step("v2", "v1", Ok);
    let annotating = converter.clone().definition(&definition).expect("schemas");
    RoundTrip::new(annotating, definition.clone(), "v2").check().expect("loses nothing");
    let round_trip = RoundTrip::new(converter.without_annotation(), definition, "v2");
    let Err(RoundTripError::Lost { object, .. }) = round_trip.check() else {
        panic!("sorting loses the order")
    };
    let spec = object["spec"].as_object().expect("a spec");
    assert_eq!(spec.keys().collect::<Vec<_>>(), ["b"], "{object}");
    assert_eq!(spec["b"].as_array().map(Vec::len), Some(2), "{object}");
}

#[test]
fn a_round_trip_of_too_few_objects_asks_for_samples() {
    let rejecting = Converter::new("g.example.com", "K")
        .step("v1", "v2", |object| match object["spec"]["a"].as_i64() {
            Some(1_000_000_007) => Ok(object),
            _ => Err("a is not prime enough".into()),
        })
        .step("v2", "v1", Ok);
    let test = RoundTrip::new(rejecting.without_annotation(), lossy_definition(), "v2");
    let broken = test.check().expect_err("all are rejected").to_string();
    assert!(broken.contains("give samples of valid objects. One of them: "), "{broken}");
    assert!(broken.contains("a is not prime enough"), "{broken}");
}

#[test]
fn a_round_trip_fails_if_parts_of_objects_do_not_convert() {
    let requiring = Converter::new("g.example.com", "K")
        .step("v1", "v2", |object| {
            object["spec"]["a"].as_i64().ok_or("a is missing")?;
            Ok(object)
        })
        .step("v2", "v1", Ok);
    let mut definition = serde_json::to_value(lossy_definition()).expect("JSON");
    for version in definition["spec"]["versions"].as_array_mut().expect("versions") {
        let schema = &mut version["schema"]["openAPIV3Schema"];
        schema["required"] = json!(["spec"]);
        schema["properties"]["spec"] =
            json!({"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}});
    }
    let definition: CustomResourceDefinition = serde_json::from_value(definition).expect("a CRD");
    let test = RoundTrip::new(requiring.without_annotation(), definition, "v2");
    let broken = test.check().expect_err("a is required").to_string();
    assert!(
        broken.starts_with("v2 -> v1 fails for a part")
            || broken.starts_with("v1 -> v2 fails for a part"),
        "{broken}"
    );
    assert!(broken.ends_with("a is missing"), "{broken}");
}

#[test]
fn every_object_of_a_round_trip_is_counted() {
    let definition = |b: Value| -> CustomResourceDefinition {
        let spec = json!({"type": "object", "properties": {
            "a": {"type": "integer", "minimum": 0, "maximum": 9}, "b": b,
        }});
        ks().spec("v1", &spec).spec("v2", &spec).read()
    };
    // Some strings break the rule, and some numbers do not convert.
    let rule = json!([{"rule": "size(self) % 2 == 0"}]);
    let definition =
        definition(json!({"type": "string", "maxLength": 99, "x-kubernetes-validations": rule}));
    let unless_nine = |object: Value| {
        if object["spec"]["a"] == 9 { Err("is nine".into()) } else { Ok(object) }
    };
    let converter = Converter::new("g.example.com", "K").step("v1", "v2", unless_nine).step(
        "v2",
        "v1",
        unless_nine,
    );
    let round_trip = RoundTrip::new(converter, definition, "v1").cases(300);
    let counts = round_trip.check().expect("nothing is lost");
    let all = [counts.kept, counts.invalid, counts.rejected];
    assert_eq!(all.iter().sum::<u64>(), 600, "{counts:?}");
    assert!(all.iter().all(|count| *count > 20), "{counts:?}");
    let sample = json!({"apiVersion": "g.example.com/v1", "kind": "K", "spec": {"b": "zz"}});
    assert!(round_trip.clone().sample(sample).check().is_ok());
    assert!(round_trip.clone().cases(0).check().is_ok());
}
