//! Definitions that are created, changed and deleted while the server runs.

use crd_apiserver::{ApiServer, Storage};
use crd_examples::crontab::CronTab;
use crd_examples::host_port::{self, v1, v1beta1};
use crd_runtime::CustomResource as _;
use crd_runtime::versions::Versions as _;
use serde_json::{Value, json};

use crate::ask::{CRONTABS, delete, get, get_as, object, patch, send, server};

const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

fn conditions(crd: &Value) -> Vec<String> {
    let conditions = crd["status"]["conditions"].as_array().cloned().unwrap_or_default();
    let text = |it: &Value, key: &str| it[key].as_str().unwrap_or_default().to_owned();
    conditions.iter().map(|it| format!("{}={}", text(it, "type"), text(it, "status"))).collect()
}

#[tokio::test]
async fn a_definition_is_established_and_served() {
    let client = ApiServer::new().client();
    let made = send(&client, "POST", DEFINITIONS, &json!(CronTab::crd())).await;
    assert_eq!(made.code, 201);
    // The conditions are set after the answer.
    assert_eq!(conditions(&made.body), [""; 0]);
    assert_eq!(made.body["status"]["storedVersions"], json!(["v1"]));
    let path = format!("{DEFINITIONS}/crontabs.stable.example.com");
    let now = get(&client, &path).await.ok();
    assert_eq!(conditions(&now), ["NamesAccepted=True", "Established=True"]);
    assert_eq!(now["status"]["acceptedNames"]["listKind"], "CronTabList");
    assert_eq!(now["spec"]["conversion"]["strategy"], "None");
    assert_eq!(now["metadata"]["generation"], 1);
    let mut entries = now["metadata"]["managedFields"].as_array().into_iter().flatten();
    let own = entries.find(|entry| entry["manager"] == "tests").expect("an entry");
    let fields = &own["fieldsV1"]["f:spec"];
    assert_eq!(
        (fields.get("."), fields["f:names"].get(".")),
        (None, None),
        "structs have no owner"
    );
    assert_eq!(fields["f:names"]["f:plural"], json!({}));
    assert_eq!(send(&client, "POST", CRONTABS, &object("a", 2)).await.code, 201);
}

#[tokio::test]
async fn a_definition_that_is_wrong_is_rejected() {
    let client = ApiServer::new().client();
    let mut crd = json!(CronTab::crd());
    crd["spec"]["versions"][0]["storage"] = false.into();
    let rejected = send(&client, "POST", DEFINITIONS, &crd).await.rejected(422);
    assert!(
        rejected.contains("must have exactly one version marked as storage version"),
        "{rejected}"
    );
    crd["spec"]["names"]["kin"] = "x".into();
    let strict = format!("{DEFINITIONS}?fieldValidation=Strict");
    assert_eq!(
        send(&client, "POST", &strict, &crd).await.rejected(400),
        "CustomResourceDefinition in version \"v1\" cannot be handled as a CustomResourceDefinition: strict decoding error: \
         unknown field \"spec.names.kin\""
    );
}

#[tokio::test]
async fn names_that_are_taken_are_not_accepted() {
    let client = ApiServer::builder().with(&CronTab::crd()).start().client();
    let mut crd = json!(CronTab::crd());
    crd["metadata"]["name"] = "others.stable.example.com".into();
    crd["spec"]["names"] =
        json!({"plural": "others", "kind": "Other", "singular": "crontab", "shortNames": ["ct"]});
    crd["spec"]["versions"][0]["name"] = "v2".into();
    send(&client, "POST", DEFINITIONS, &crd).await.ok();
    let now = get(&client, &format!("{DEFINITIONS}/others.stable.example.com")).await.ok();
    assert_eq!(conditions(&now), ["NamesAccepted=False", "Established=False"]);
    assert_eq!(now["status"]["conditions"][0]["message"], "\"ct\" is already in use");
    assert_eq!(get(&client, "/apis/stable.example.com/v1/others").await.code, 404);
    let table = "application/json;as=Table;g=meta.k8s.io;v=v1";
    let path = format!("{DEFINITIONS}/others.stable.example.com/status");
    assert_eq!(get_as(&client, &path, table).await.code, 406, "it has no columns");
    // The group lists the versions of the definition nevertheless, but they have no resources.
    let versions = get(&client, "/apis/stable.example.com").await.ok()["versions"].clone();
    assert_eq!(versions[0]["version"], "v2");
    assert_eq!(get(&client, "/apis/stable.example.com/v2").await.code, 404);
    // The names are accepted as soon as the other definition is gone.
    delete(&client, &format!("{DEFINITIONS}/crontabs.stable.example.com")).await.ok();
    let now = get(&client, &format!("{DEFINITIONS}/others.stable.example.com")).await.ok();
    assert_eq!(conditions(&now), ["NamesAccepted=True", "Established=True"]);
    assert_eq!(get(&client, "/apis/stable.example.com/v2/others").await.code, 200);
}

#[tokio::test]
async fn a_storage_version_that_is_not_served_has_no_hash() {
    let mut crd = json!(CronTab::crd());
    let mut other = crd["spec"]["versions"][0].clone();
    other["name"] = "v2".into();
    other["storage"] = false.into();
    crd["spec"]["versions"][0]["served"] = false.into();
    crd["spec"]["versions"] = json!([crd["spec"]["versions"][0], other]);
    let client = ApiServer::builder().with_object(&crd).start().client();
    let resources = get(&client, "/apis/stable.example.com/v2").await.ok();
    assert_eq!(resources["resources"][0]["name"], "crontabs");
    assert_eq!(resources["resources"][0].get("storageVersionHash"), None);
}

#[tokio::test]
async fn a_short_name_must_not_be_a_name_of_the_same_definition() {
    let client = ApiServer::builder().with(&CronTab::crd()).start().client();
    let path = format!("{DEFINITIONS}/crontabs.stable.example.com");
    let change = json!({"spec": {"names": {"shortNames": ["ct", "crontab"]}}});
    patch(&client, &path, "merge", &change).await.ok();
    let now = get(&client, &path).await.ok();
    assert_eq!(conditions(&now), ["NamesAccepted=False", "Established=True"]);
    let naming = &now["status"]["conditions"][0];
    assert_eq!(naming["reason"], "ShortNamesConflict");
    assert_eq!(naming["message"], "\"crontab\" is already in use");
}

#[tokio::test]
async fn a_write_of_the_status_changes_metadata_too() {
    for (minor, owns) in [("1.37", true), ("1.35", false)] {
        let version = minor.parse().expect("known");
        let client =
            ApiServer::builder().kubernetes(version).with(&CronTab::crd()).start().client();
        let path = format!("{DEFINITIONS}/crontabs.stable.example.com");
        let change = json!({"metadata": {"labels": {"a": "b"}}, "spec": {"scope": "Cluster"}});
        let now = patch(&client, &format!("{path}/status"), "merge", &change).await.ok();
        assert_eq!(now["metadata"]["labels"]["a"], "b");
        assert_eq!(now["spec"]["scope"], "Namespaced");
        assert_eq!(now["metadata"]["generation"], 1);
        let entries = now["metadata"]["managedFields"].to_string();
        assert_eq!(entries.contains("f:labels"), owns, "{minor}: {entries}");
        let empty = json!({"status": {"conditions": []}});
        let dry = format!("{path}/status?dryRun=All");
        let emptied = patch(&client, &dry, "merge", &empty).await.ok();
        assert_eq!(emptied["status"]["conditions"], json!([]));
        // The storage version is always added to the stored versions.
        let none = json!({"status": {"storedVersions": []}});
        assert_eq!(patch(&client, &format!("{path}/status"), "merge", &none).await.ok(), now);
    }
}

#[tokio::test]
async fn apis_of_protected_groups_need_an_approval_annotation() {
    let server = ApiServer::new();
    let client = server.client();
    let mut crd = json!(CronTab::crd());
    crd["metadata"]["name"] = "crontabs.stable.k8s.io".into();
    crd["spec"]["group"] = "stable.k8s.io".into();
    let rejected = send(&client, "POST", DEFINITIONS, &crd).await.rejected(422);
    assert!(rejected.contains("protected groups must have approval annotation"), "{rejected}");
    let at = "api-approved.kubernetes.io";
    crd["metadata"]["annotations"] = json!({ at: "unapproved, an experiment" });
    send(&client, "POST", DEFINITIONS, &crd).await.ok();
    let path = format!("{DEFINITIONS}/crontabs.stable.k8s.io");
    for (text, status, reason, message) in [
        (
            "unapproved, an experiment",
            "False",
            "UnapprovedAnnotation",
            "not approved: \"unapproved, an experiment\"",
        ),
        ("https://x.org/1", "True", "ApprovedAnnotation", "approved in https://x.org/1"),
    ] {
        let change = json!({"metadata": {"annotations": { at: text }}});
        patch(&client, &path, "merge", &change).await.ok();
        let now = get(&client, &path).await.ok();
        let all = conditions(&now);
        assert_eq!(all[..2], ["NamesAccepted=True", "Established=True"]);
        assert_eq!(all[2], format!("KubernetesAPIApprovalPolicyConformant={status}"));
        let found = &now["status"]["conditions"][2];
        assert_eq!((&found["reason"], &found["message"]), (&json!(reason), &json!(message)));
    }
    // A server that has lost its objects knows no annotations.
    server.restart(Storage::Lost);
    crd["metadata"]["annotations"] = json!({ at: "https://x.org/1" });
    send(&client, "POST", DEFINITIONS, &crd).await.ok();
    let all = conditions(&get(&client, &path).await.ok());
    assert_eq!(all[2], "KubernetesAPIApprovalPolicyConformant=True");
}

#[tokio::test]
async fn a_webhook_without_certificates_keeps_a_definition_from_being_established() {
    let client = ApiServer::new().client();
    let mut crd = json!(CronTab::crd());
    crd["spec"]["conversion"] = json!({"strategy": "Webhook", "webhook": {
        "conversionReviewVersions": ["v1"],
        "clientConfig": {"url": "https://example.com/", "caBundle": "eA=="},
    }});
    send(&client, "POST", DEFINITIONS, &crd).await.ok();
    let path = format!("{DEFINITIONS}/crontabs.stable.example.com");
    let now = get(&client, &path).await.ok();
    assert_eq!(conditions(&now), ["NamesAccepted=True", "Established=False"]);
    assert_eq!(now["status"]["conditions"][1]["reason"], "InvalidCABundle");
    let change = json!({"spec": {"conversion": {"webhook": {"clientConfig": {"caBundle": null}}}}});
    patch(&client, &path, "merge", &change).await.ok();
    let now = get(&client, &path).await.ok();
    assert_eq!(conditions(&now), ["NamesAccepted=True", "Established=True"]);
}

#[tokio::test]
async fn the_deletion_of_a_definition_deletes_its_objects() {
    let client = ApiServer::builder().with(&CronTab::crd()).start().client();
    let mut held = object("a", 2);
    held["metadata"]["finalizers"] = json!(["example.com/x"]);
    send(&client, "POST", CRONTABS, &held).await.ok();
    send(&client, "POST", CRONTABS, &object("b", 2)).await.ok();
    let path = format!("{DEFINITIONS}/crontabs.stable.example.com");
    let going = delete(&client, &path).await.ok();
    assert!(going["metadata"]["deletionTimestamp"].is_string());
    assert_eq!(get(&client, &format!("{CRONTABS}/b")).await.code, 404);
    assert_eq!(
        send(&client, "POST", CRONTABS, &object("c", 2)).await.rejected(403),
        "crontabs.stable.example.com \"c\" is forbidden: create not allowed while custom resource definition is terminating"
    );
    assert_eq!(get(&client, &path).await.code, 200, "an object is left");
    patch(&client, &format!("{CRONTABS}/a"), "merge", &json!({"metadata": {"finalizers": null}}))
        .await
        .ok();
    assert_eq!(get(&client, &path).await.code, 404);
    assert_eq!(get(&client, CRONTABS).await.code, 404);
}

#[tokio::test]
async fn a_changed_schema_takes_effect_at_once() {
    let client = ApiServer::builder().with(&CronTab::crd()).start().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let crd = format!("{DEFINITIONS}/crontabs.stable.example.com");
    let at = "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties";
    let change = json!([
        {"op": "add", "path": format!("{at}/color"), "value": {"type": "string", "default": "blue"}},
        {"op": "remove", "path": format!("{at}/image")},
    ]);
    let changed = patch(&client, &crd, "json", &change).await.ok();
    assert_eq!(changed["metadata"]["generation"], 2);
    let read = get(&client, &format!("{CRONTABS}/a")).await.ok();
    assert_eq!(read["spec"]["color"], "blue");
    let made = send(&client, "POST", CRONTABS, &object("b", 2)).await.ok();
    assert_eq!(made["spec"]["color"], "blue");
}

#[tokio::test]
async fn objects_are_converted_by_the_converter() {
    let crd = <(v1beta1::Endpoint, v1::Endpoint)>::merged().expect("versions agree");
    let server = ApiServer::builder().with(&crd).start();
    let path = |version: &str| format!("/apis/example.com/{version}/namespaces/default/endpoints");
    let object = json!({
        "apiVersion": "example.com/v1beta1", "kind": "Endpoint", "metadata": {"name": "a"},
        "hostPort": "example.com:80",
    });
    let client = server.client();
    let rejected = send(&client, "POST", &path("v1beta1"), &object).await.rejected(500);
    assert!(rejected.contains("service \"endpoint-conversion\" not found"), "{rejected}");
    let client = ApiServer::builder()
        .with(&crd)
        .converter("example.com", "Endpoint", host_port::converter())
        .start()
        .client();
    let made = send(&client, "POST", &path("v1beta1"), &object).await.ok();
    assert_eq!(made["hostPort"], "example.com:80");
    let newer = get(&client, &format!("{}/a", path("v1"))).await.ok();
    assert_eq!((&newer["host"], &newer["port"]), (&json!("example.com"), &json!("80")));
    assert_eq!(newer["metadata"]["resourceVersion"], made["metadata"]["resourceVersion"]);
}

#[tokio::test]
async fn an_apply_with_an_unknown_field_of_a_version_is_rejected() {
    let client = ApiServer::new().client();
    let mut crd = json!(CronTab::crd());
    crd["spec"]["versions"][0]["unknown"] = json!(1);
    let path = format!("{DEFINITIONS}/crontabs.stable.example.com?fieldManager=me");
    let rejected = patch(&client, &path, "apply", &crd).await.rejected(500);
    assert!(
        rejected.ends_with(".spec.versions[0].unknown: field not declared in schema"),
        "{rejected}"
    );
    // The list of versions is owned as one field.
    if let Some(version) = crd["spec"]["versions"][0].as_object_mut() {
        version.remove("unknown");
    }
    let made = patch(&client, &path, "apply", &crd).await.ok();
    assert_eq!(made["metadata"]["managedFields"][0]["fieldsV1"]["f:spec"]["f:versions"], json!({}));
}

/// The server publishes the type of schemas, by which an apply is checked. What is a schema or something else, such as
/// `items`, has no type.
#[tokio::test]
async fn an_apply_of_a_definition_is_checked_by_its_type() {
    let client = ApiServer::new().client();
    let path = format!("{DEFINITIONS}/crontabs.stable.example.com?fieldManager=me");
    let apply = async |pointer: &str, key: &str, value: Value| {
        let mut crd = json!(CronTab::crd());
        let schema = &mut crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
        schema["properties"]["list"] = json!({"type": "array", "items": {"type": "string"}});
        schema.pointer_mut(pointer).expect("a place")[key] = value;
        patch(&client, &path, "apply", &crd).await
    };
    let at = ".spec.versions[0].schema.openAPIV3Schema";
    let head = "failed to create typed patch object (/crontabs.stable.example.com; apiextensions.k8s.io/v1, \
                Kind=CustomResourceDefinition): ";
    for (pointer, key, value, want) in [
        ("", "colour", json!(1), ".colour: field not declared in schema"),
        (
            "/properties/spec",
            "x_kubernetes_preserve_unknown_fields",
            json!(true),
            ".properties.spec.x_kubernetes_preserve_unknown_fields: field not declared in schema",
        ),
        ("", "not", json!({"colour": 1}), ".not.colour: field not declared in schema"),
        ("", "allOf", json!([{"not": {"a": 1}}]), ".allOf[0].not.a: field not declared in schema"),
        (
            "",
            "externalDocs",
            json!({"colour": 1}),
            ".externalDocs.colour: field not declared in schema",
        ),
        (
            "",
            "x-kubernetes-validations",
            json!([{"rule": "true", "colour": 1}]),
            ".x-kubernetes-validations[rule=\"true\"].colour: field not declared in schema",
        ),
        (
            "",
            "x-kubernetes-validations",
            json!([{"rule": "true"}, {"rule": "true"}]),
            ".x-kubernetes-validations: duplicate entries for key [rule=\"true\"]",
        ),
        ("", "type", json!(1), ".type: expected string, got &value.valueUnstructured{Value:1}"),
        (
            "",
            "maxProperties",
            json!("1"),
            ".maxProperties: expected numeric (int or float), got string",
        ),
    ] {
        let rejected = apply(pointer, key, value).await.rejected(500);
        assert_eq!(rejected, format!("{head}{at}{want}"));
    }
    assert_eq!(apply("/properties/list/items", "colour", json!(1)).await.code, 201);
}

/// What an apply or a strategic merge patch has merged is converted field by field, except for what is a schema or
/// something else, which is written as JSON and decoded again.
#[tokio::test]
async fn a_merged_definition_has_the_errors_of_its_decoder() {
    let client = ApiServer::new().client();
    let path = format!("{DEFINITIONS}/crontabs.stable.example.com?fieldManager=me&dryRun=All");
    let of = "apiextensions.k8s.io/v1, Kind=CustomResourceDefinition";
    let head = format!(
        "failed to convert new object (/crontabs.stable.example.com; {of}) to proper version: unable to convert \
         unstructured object to {of}: "
    );
    let fraction = "cannot convert float64 to int64";
    let number = "json: cannot unmarshal number";
    let crd = |pointer: &str, value: &Value| {
        let mut crd = json!(CronTab::crd());
        crd["status"] = json!({"conditions": []});
        crd_fixtures::set(&mut crd, pointer, value.clone());
        crd
    };
    let schema = "/spec/versions/0/schema/openAPIV3Schema";
    for (pointer, value, want) in [
        ("maxProperties", json!(1.5), fraction),
        ("allOf", json!([{"maxLength": 1.5}]), fraction),
        ("not", json!({"minItems": 0.5}), fraction),
        ("definitions", json!({"a": {"maxLength": 2.5}}), fraction),
        (
            "items",
            json!({"maxLength": 1.5}),
            &format!("{number} 1.5 into Go struct field JSONSchemaProps.maxLength of type int64"),
        ),
        (
            "items",
            json!({"items": {"maxLength": 1.5}}),
            &format!(
                "{number} 1.5 into Go struct field JSONSchemaProps.items.maxLength of type int64"
            ),
        ),
        ("items", json!([5]), &format!("{number} into Go value of type v1.JSONSchemaProps")),
        (
            "items",
            json!({"type": 1, "maxLength": 1.5}),
            &format!("{number} 1.5 into Go struct field JSONSchemaProps.maxLength of type int64"),
        ),
        (
            "additionalProperties",
            json!({"maxLength": 1e21}),
            &format!("{number} 1e+21 into Go struct field JSONSchemaProps.maxLength of type int64"),
        ),
        ("additionalProperties", json!(5), "boolean or JSON schema expected"),
        ("dependencies", json!({"a": [1]}), &format!("{number} into Go value of type string")),
    ] {
        let body = crd(&format!("{schema}/{pointer}"), &value);
        assert_eq!(
            patch(&client, &path, "apply", &body).await.rejected(500),
            format!("{head}{want}")
        );
    }
    for (pointer, value, want) in [
        ("/metadata/generation", json!(1.5), fraction),
        (
            "/metadata/creationTimestamp",
            json!(5),
            &format!("{number} into Go value of type string"),
        ),
        ("/status/observedGeneration", json!(1.5), fraction),
        (
            "/spec/versions/0/additionalPrinterColumns",
            json!([{"name": "a", "type": "string", "jsonPath": ".a", "priority": 1.5}]),
            "cannot convert float64 to int32",
        ),
    ] {
        let body = crd(pointer, &value);
        assert_eq!(
            patch(&client, &path, "apply", &body).await.rejected(500),
            format!("{head}{want}")
        );
    }
    let columns =
        json!([{"name": "a", "type": "string", "jsonPath": ".a", "priority": 5_000_000_000_i64}]);
    let body = crd("/spec/versions/0/additionalPrinterColumns", &columns);
    let applied = patch(&client, &path, "apply", &body).await.ok();
    assert_eq!(
        applied["spec"]["versions"][0]["additionalPrinterColumns"][0]["priority"],
        705_032_704
    );

    send(&client, "POST", DEFINITIONS, &json!(CronTab::crd())).await.ok();
    let wrong = json!({"spec": {"group": 1}});
    let rejected = patch(&client, &path, "strategic-merge", &wrong).await.rejected(422);
    assert!(rejected.ends_with(": cannot convert int64 to string"), "{rejected}");
}

/// A time is any scalar for the type of an apply. Of a custom resource, which is not decoded again, what is malformed
/// counts as absent.
#[tokio::test]
async fn an_apply_may_have_malformed_metadata() {
    let client = server().client();
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "crontabs.stable.example.com"},
    });
    let map = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}});
    let tab = object("a", 1);
    let apply = async |object: &Value, key: &str, value: Value| {
        let path = match object["kind"].as_str() {
            Some("CronTab") => {
                "/apis/stable.example.com/v1/namespaces/default/crontabs/a".to_owned()
            }
            Some("ConfigMap") => "/api/v1/namespaces/default/configmaps/a".to_owned(),
            _ => format!("{DEFINITIONS}/crontabs.stable.example.com"),
        };
        let mut object = object.clone();
        object["metadata"][key] = value;
        patch(&client, &format!("{path}?fieldManager=me&dryRun=All"), "apply", &object).await
    };
    for key in ["creationTimestamp", "deletionTimestamp"] {
        for object in [&crd, &map] {
            let rejected = apply(object, key, json!(5)).await.rejected(500);
            let want = ": json: cannot unmarshal number into Go value of type string";
            assert!(rejected.ends_with(want), "{rejected}");
        }
        for object in [&crd, &map, &tab] {
            let rejected = apply(object, key, json!({})).await.rejected(500);
            let want = format!(".metadata.{key}: expected any scalar, got &{{map[]}}");
            assert!(rejected.ends_with(&want), "{rejected}");
        }
        for value in [json!(5), json!(true), json!("x")] {
            let applied = apply(&tab, key, value).await.ok();
            assert!(applied["metadata"]["creationTimestamp"].is_string(), "{applied}");
        }
    }
    let applied = apply(&tab, "generation", json!(1.5)).await.ok();
    assert_eq!(applied["metadata"]["generation"], 1);
    apply(&tab, "deletionGracePeriodSeconds", json!(0.5)).await.ok();
}

/// The common checks of updates and those of definitions both find the error.
#[tokio::test]
async fn a_new_finalizer_of_a_definition_that_is_deleted_is_reported_twice() {
    let client = ApiServer::new().client();
    let mut crd = json!(CronTab::crd());
    crd["metadata"]["finalizers"] = json!(["example.com/a"]);
    send(&client, "POST", DEFINITIONS, &crd).await.ok();
    let path = format!("{DEFINITIONS}/crontabs.stable.example.com");
    delete(&client, &path).await.ok();
    let more = json!([{"op": "add", "path": "/metadata/finalizers/-", "value": "example.com/b"}]);
    let answer = patch(&client, &path, "json", &more).await;
    let causes = answer.body["details"]["causes"].as_array().cloned().unwrap_or_default();
    assert_eq!((causes.len(), &causes[0]), (2, &causes[1]));
    let text = "no new finalizers can be added if the object is being deleted";
    assert_eq!(answer.rejected(422).matches(text).count(), 1);
}
