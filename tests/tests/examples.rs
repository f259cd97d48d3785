//! The examples: their manifests on disk, and the documented outcomes of their objects.

use std::fs;
use std::path::Path;

use crd_examples::cleaner::Cleaner;
use crd_examples::cluster_profile::ClusterProfile;
use crd_examples::crontab::CronTab;
use crd_examples::host_port::{v1, v1beta1};
use crd_examples::raw::Raw;
use crd_examples::shirt::Shirt;
use crd_runtime::CustomResource;
use crd_runtime::admit::{self, Admitted, Rejection};
use crd_runtime::compiled::CompiledSchema;
use crd_runtime::field::ErrorList;
use crd_runtime::versions::Versions;
use crd_tests::go::workspace;
use serde_json::{Value, json};

fn schema<T: CustomResource>() -> CompiledSchema {
    CompiledSchema::for_version(&T::definition(), T::VERSION).expect("examples compile")
}

/// An object of an example with a spec.
fn object<T: CustomResource>(spec: &Value) -> Value {
    let mut metadata = json!({"name": "example"});
    if T::NAMESPACED {
        metadata["namespace"] = "default".into();
    }
    json!({"apiVersion": T::API_VERSION, "kind": T::KIND, "metadata": metadata, "spec": spec})
}

fn create<T: CustomResource>(spec: &Value) -> Result<Admitted, Rejection> {
    admit::create(&schema::<T>(), object::<T>(spec))
}

fn update<T: CustomResource>(spec: &Value, old: &Value) -> Result<Admitted, Rejection> {
    let mut stored = object::<T>(old);
    stored["metadata"]["resourceVersion"] = "1".into();
    let mut object = object::<T>(spec);
    object["metadata"]["resourceVersion"] = "1".into();
    admit::update(&schema::<T>(), object, &stored)
}

#[track_caller]
fn admitted<T: CustomResource>(spec: &Value, want: &Value) -> Admitted {
    let admitted = create::<T>(spec).unwrap_or_else(|error| panic!("{spec}: {error}"));
    assert_eq!(admitted.object["spec"], *want, "{spec}");
    admitted
}

#[track_caller]
fn messages(result: Result<Admitted, Rejection>) -> Vec<String> {
    match result {
        Ok(admitted) => panic!("admitted: {}", admitted.object),
        Err(rejection) => rejection
            .errors()
            .unwrap_or_else(|| panic!("{rejection}"))
            .iter()
            .map(ToString::to_string)
            .collect(),
    }
}

#[track_caller]
fn manifest<T: Versions>() {
    let definition = T::merged().expect("versions agree");
    let mut value = serde_json::to_value(&definition).expect("manifests serialize");
    // One version alone says nothing of conversion.
    if definition.spec.versions.len() == 1 {
        value["spec"].as_object_mut().expect("an object").remove("conversion");
    }
    let path = Path::new("examples/crds").join(format!("{}.yaml", definition.metadata.name));
    let on_disk = fs::read_to_string(workspace().join(&path)).expect("a manifest on disk");
    let written = crd_runtime::yaml::to_string(&value);
    assert_eq!(on_disk, written, "{} is stale: run `cargo xtask crds`", path.display());
}

#[test]
fn manifests_on_disk_are_current() {
    manifest::<(CronTab,)>();
    manifest::<(Shirt,)>();
    manifest::<(Cleaner,)>();
    manifest::<(ClusterProfile,)>();
    manifest::<(Raw,)>();
    manifest::<(v1beta1::Endpoint, v1::Endpoint)>();
}

#[test]
fn manifests_are_accepted_by_the_server() {
    let check = |definition, name: &str| {
        let errors: ErrorList = crd_runtime::definition::validate(&definition);
        assert!(errors.is_empty(), "{name}: {errors}");
    };
    check(CronTab::definition(), "CronTab");
    check(Shirt::definition(), "Shirt");
    check(Cleaner::definition(), "Cleaner");
    check(ClusterProfile::definition(), "ClusterProfile");
    check(Raw::definition(), "Raw");
    check(<(v1beta1::Endpoint, v1::Endpoint)>::merged().expect("versions agree"), "Endpoint");
}

#[test]
fn crontab_drops_what_it_does_not_know() {
    let admitted = admitted::<CronTab>(
        &json!({"cronSpec": "* * * * */5", "image": "my-image", "replicas": 2, "someRandomField": 42}),
        &json!({"cronSpec": "* * * * */5", "image": "my-image", "replicas": 2}),
    );
    assert_eq!(admitted.unknown_fields, ["spec.someRandomField"]);
    let typed: CronTab = admitted.into_typed().expect("fits the type");
    assert_eq!(typed.spec.cron_spec, "* * * * */5");
}

#[test]
fn crontab_refuses_a_bad_schedule_and_too_many_replicas() {
    let bad =
        create::<CronTab>(&json!({"cronSpec": "* * * *", "image": "my-image", "replicas": 15}));
    assert_eq!(
        messages(bad),
        [
            r#"spec.cronSpec: Invalid value: "* * * *": spec.cronSpec in body should match '^(\d+|\*)(/\d+)?(\s+(\d+|\*)(/\d+)?){4}$'"#,
            "spec.replicas: Invalid value: 15: spec.replicas in body should be less than or equal to 10",
        ]
    );
}

#[test]
fn crontab_has_defaults() {
    let want = json!({"cronSpec": "5 0 * * *", "image": "my-image", "replicas": 1});
    admitted::<CronTab>(&json!({"image": "my-image"}), &want);
}

#[test]
fn crontab_status_is_written_on_its_own() {
    let schema = schema::<CronTab>();
    let spec = json!({"cronSpec": "* * * * *", "replicas": 1});
    let mut object = object::<CronTab>(&spec);
    object["metadata"]["resourceVersion"] = "1".into();
    object["status"] = json!({"replicas": 1, "labelSelector": "app=x"});
    let created = admit::create(&schema, object.clone()).expect("admitted");
    assert_eq!(created.object.get("status"), None, "create leaves status out");

    let mut stored = created.object;
    stored["metadata"]["resourceVersion"] = "1".into();
    object["spec"]["replicas"] = 5.into();
    let updated = admit::update_status(&schema, object, &stored).expect("admitted");
    assert_eq!(updated.object["status"]["replicas"], 1);
    assert_eq!(updated.object["spec"]["replicas"], 1, "a status update leaves the spec alone");
}

#[test]
fn shirt_can_be_selected_by_color_and_size() {
    let definition = Shirt::definition();
    let fields: Vec<&str> = definition.spec.versions[0]
        .selectable_fields
        .iter()
        .flatten()
        .map(|f| f.json_path.as_str())
        .collect();
    assert_eq!(fields, [".spec.color", ".spec.size"]);
    let spec = json!({"color": "blue", "size": "S"});
    admitted::<Shirt>(&spec, &spec);
}

#[test]
fn cleaner_keeps_its_schedule() {
    let spec =
        |schedule: &str| json!({"schedule": schedule, "resourceSelectors": [], "action": "Scan"});
    update::<Cleaner>(&spec("0 * * * *"), &spec("0 * * * *")).expect("unchanged");
    assert_eq!(
        messages(update::<Cleaner>(&spec("1 * * * *"), &spec("0 * * * *"))),
        [r#"spec.schedule: Invalid value: "1 * * * *": field is immutable"#]
    );
}

#[test]
fn cleaner_has_times() {
    let schema = schema::<Cleaner>();
    let mut object = object::<Cleaner>(
        &json!({"schedule": "0 * * * *", "resourceSelectors": [], "action": "Delete"}),
    );
    object["metadata"]["resourceVersion"] = "1".into();
    let stored = object.clone();
    object["status"] = json!({"lastRunTime": "yesterday"});
    assert_eq!(
        messages(admit::update_status(&schema, object, &stored))[0],
        r#"status.lastRunTime: Invalid value: "yesterday": lastRunTime in body must be of type date-time: "yesterday""#
    );
}

fn chart(changes: &Value) -> Value {
    let mut chart = json!({"repositoryURL": "https://charts.example.com", "chartName": "c", "chartVersion": "1"});
    for (key, value) in changes.as_object().into_iter().flatten() {
        chart[key] = value.clone();
    }
    json!({"helmCharts": [chart]})
}

#[test]
fn cluster_profile_has_defaults() {
    admitted::<ClusterProfile>(&json!({}), &json!({"tier": 100}));
    let mut want = chart(&json!({"helmChartAction": "Install"}));
    want["tier"] = 100.into();
    admitted::<ClusterProfile>(&chart(&json!({})), &want);
}

#[test]
fn cluster_profile_refuses_what_it_does_not_list() {
    for (spec, want) in [
        (
            chart(&json!({"helmChartAction": "Deploy"})),
            r#"spec.helmCharts[0].helmChartAction: Unsupported value: "Deploy": supported values: "Install", "Uninstall""#,
        ),
        (
            chart(&json!({"repositoryURL": ""})),
            r#"spec.helmCharts[0].repositoryURL: Invalid value: "": spec.helmCharts[0].repositoryURL in body should be at least 1 chars long"#,
        ),
        (
            json!({"tier": 0}),
            "spec.tier: Invalid value: 0: spec.tier in body should be greater than or equal to 1",
        ),
        (
            json!({"templateResourceRefs": [
                {"identifier": "a", "kind": "Secret", "name": "x"},
                {"identifier": "a", "kind": "Secret", "name": "y"},
            ]}),
            r#"spec.templateResourceRefs[1]: Duplicate value: {"identifier":"a"}"#,
        ),
    ] {
        assert_eq!(messages(create::<ClusterProfile>(&spec))[0], want);
    }
}

#[test]
fn raw_keeps_what_it_is_told_to_keep() {
    let spec = json!({
        "bar": "x",
        "foo": "y",
        "template": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "anything": {"goes": [1]}},
        "port": "http",
        "json": {"spec": {"foo": "abc", "bar": "def"}, "status": {"something": "x"}},
    });
    admitted::<Raw>(&spec, &spec);
}

#[test]
fn raw_drops_below_what_it_specifies() {
    let admitted = admitted::<Raw>(
        &json!({"bar": "x", "json": {"spec": {"foo": "abc", "bar": "def", "zoo": 1}, "status": {"something": "x"}}}),
        &json!({"bar": "x", "foo": "default",
            "json": {"spec": {"foo": "abc", "bar": "def"}, "status": {"something": "x"}}}),
    );
    assert_eq!(admitted.unknown_fields, ["spec.json.spec.zoo"]);
}

#[test]
fn raw_shows_what_becomes_of_null() {
    let nulls = json!({"foo": null, "bar": null, "baz": null});
    admitted::<Raw>(&nulls, &json!({"foo": "default", "bar": null}));
}

#[test]
fn raw_takes_whole_numbers_and_names_as_ports() {
    admitted::<Raw>(
        &json!({"bar": "x", "foo": "y", "port": 80}),
        &json!({"bar": "x", "foo": "y", "port": 80}),
    );
    let bad = messages(create::<Raw>(&json!({"bar": "x", "port": true})));
    assert_eq!(
        bad[0],
        r#"spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean""#
    );
}
