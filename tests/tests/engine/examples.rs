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
use crd_tests::outcomes::{self, DocumentedWrite, WriteOutcome};
use serde_json::json;

fn decide(case: &DocumentedWrite) -> Result<Admitted, Rejection> {
    let schema = CompiledSchema::for_version(&case.definition, case.version).expect("compiles");
    let mut object = case.whole("example", &case.object);
    let Some(old) = &case.old else { return admit::create(&schema, object) };
    let mut old = case.whole("example", &json!({ "spec": old }));
    for object in [&mut object, &mut old] {
        object["metadata"]["resourceVersion"] = "1".into();
    }
    if case.writes_status {
        admit::update_status(&schema, object, &old)
    } else {
        admit::update(&schema, object, &old)
    }
}

#[track_caller]
fn check_manifest<T: Versions>() {
    let definition = T::merged().expect("versions agree");
    let mut value = serde_json::to_value(&definition).expect("manifests serialize");
    // The manifest of a kind with one version has no `conversion`.
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
    check_manifest::<(CronTab,)>();
    check_manifest::<(Shirt,)>();
    check_manifest::<(Cleaner,)>();
    check_manifest::<(ClusterProfile,)>();
    check_manifest::<(Raw,)>();
    check_manifest::<(v1beta1::Endpoint, v1::Endpoint)>();
}

#[test]
fn definitions_are_valid() {
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
fn documented_outcomes() {
    for case in outcomes::documented() {
        let name = case.name;
        match (decide(&case), &case.outcome) {
            (Ok(admitted), WriteOutcome::Stored(want, unknown)) => {
                for key in ["spec", "status"] {
                    assert_eq!(admitted.object.get(key), want.get(key), "{name}");
                }
                assert_eq!(admitted.unknown_fields, *unknown, "{name}");
            }
            (Err(rejection), WriteOutcome::Rejected(want)) => {
                let errors = rejection.errors().unwrap_or_else(|| panic!("{name}: {rejection}"));
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                assert_eq!(errors, *want, "{name}");
            }
            (got, want) => panic!("{name}: {got:?}, not {want:?}"),
        }
    }
}

#[test]
fn an_admitted_object_fits_the_type() {
    let case = &outcomes::documented()[0];
    let typed: CronTab = decide(case).expect("admitted").into_typed().expect("fits the type");
    assert_eq!(typed.spec.cron_spec, "* * * * */5");
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
}
