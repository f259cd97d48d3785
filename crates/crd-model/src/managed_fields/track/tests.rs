//! Managed fields after updates and applies.

use serde_json::json;

use super::*;

fn schema() -> JsonSchemaProps {
    serde_json::from_value(json!({"type": "object", "properties": {
        "spec": {"type": "object", "properties": {
            "a": {"type": "integer"}, "b": {"type": "integer"},
            "ports": {
                "type": "array", "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["name"],
                "items": {"type": "object", "properties": {
                    "name": {"type": "string"}, "port": {"type": "integer"},
                }},
            },
        }},
        "status": {"type": "object", "properties": {"s": {"type": "integer"}}},
    }}))
    .expect("a schema")
}

fn with<T>(now: &str, run: impl FnOnce(&Tracker<'_>) -> T) -> T {
    run(&Tracker {
        schema: &schema(),
        kubernetes: KubernetesVersion::REFERENCE,
        api_version: "example.com/v1",
        subresource: "",
        reset: &["status"],
        now,
        blank: None,
        in_version: &|_, _| Ok(None),
    })
}

fn object(spec: &Value) -> Value {
    json!({"apiVersion": "example.com/v1", "kind": "A", "metadata": {"name": "x"}, "spec": spec})
}

fn managed(object: &Value) -> Vec<(String, Value)> {
    let entries = object["metadata"]["managedFields"].as_array().cloned().unwrap_or_default();
    let text = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    entries
        .iter()
        .map(|entry| {
            let who = [text(entry, "manager"), text(entry, "operation"), text(entry, "time")];
            (who.join(" "), entry["fieldsV1"].clone())
        })
        .collect()
}

#[test]
fn a_writer_owns_the_fields_that_it_changes() {
    let mut first = object(&json!({"a": 1, "ports": [{"name": "http", "port": 80}]}));
    with("1", |tracker| tracker.update(None, &mut first, "me"));
    let ports = json!({".": {}, "k:{\"name\":\"http\"}": {".": {}, "f:name": {}, "f:port": {}}});
    let want = json!({"f:spec": {".": {}, "f:a": {}, "f:ports": ports}});
    assert_eq!(managed(&first), [("me Update 1".to_owned(), want)]);

    let mut second = object(&json!({"a": 2, "b": 3, "ports": [{"name": "http", "port": 80}]}));
    with("2", |tracker| tracker.update(Some(&first), &mut second, "you"));
    assert_eq!(
        managed(&second),
        [
            ("me Update 1".to_owned(), json!({"f:spec": {".": {}, "f:ports": ports}})),
            ("you Update 2".to_owned(), json!({"f:spec": {"f:a": {}, "f:b": {}}})),
        ]
    );
    // A removed field has no owner, and its removal does not change the time of an entry.
    let mut third = object(&json!({"a": 2}));
    with("3", |tracker| tracker.update(Some(&second), &mut third, "you"));
    assert_eq!(
        managed(&third),
        [
            ("me Update 1".to_owned(), json!({"f:spec": {}})),
            ("you Update 2".to_owned(), json!({"f:spec": {"f:a": {}}})),
        ]
    );
}

/// Source: `TestUpdateNoErrors` in `internal/fieldmanager_test.go` of apimachinery 0.37.2.
#[test]
fn newer_servers_keep_the_managers_of_what_cannot_be_typed() {
    let mut stored = object(&json!({"a": 1}));
    with("1", |tracker| tracker.update(None, &mut stored, "me"));
    stored["spec"]["a"] = json!("of the wrong type");
    let managers = managed(&stored);
    for (minor, want) in [(36, Vec::new()), (37, managers)] {
        let mut new = stored.clone();
        new["spec"]["b"] = json!(2);
        with("2", |tracker| {
            let kubernetes = KubernetesVersion::of_minor(minor).expect("known");
            Tracker { kubernetes, ..*tracker }.update(Some(&stored), &mut new, "you");
        });
        assert_eq!(managed(&new), want, "1.{minor}");
        assert_eq!(new["metadata"].get("managedFields").is_some(), minor == 37);
    }
}

/// Servers since 1.37 keep the managers if the object cannot be converted to another version, for example because the
/// webhook is down.
#[test]
fn newer_servers_keep_the_managers_of_what_is_not_converted() {
    let mut stored = object(&json!({"a": 1}));
    with("1", |tracker| {
        Tracker { api_version: "example.com/v1beta1", ..*tracker }.update(None, &mut stored, "me");
    });
    let mut new = object(&json!({"a": 2}));
    let fails: InVersion<'_> = &|_, _| Err("the webhook is down".to_owned());
    with("2", |tracker| {
        Tracker { in_version: fails, ..*tracker }.update(Some(&stored), &mut new, "you");
    });
    assert_eq!(managed(&new), managed(&stored));
    let config = object(&json!({"a": 3}));
    let applied = with("3", |tracker| {
        Tracker { in_version: fails, ..*tracker }.apply(Some(&stored), &config, "you", true)
    });
    assert!(matches!(applied, Err(ApplyError::Unconverted(why)) if why == "the webhook is down"));
}

/// An object of the request may have duplicate items, but not one that is converted for a manager of another version.
#[test]
fn duplicates_are_not_converted() {
    let mut stored = object(&json!({"a": 1}));
    with("1", |tracker| {
        Tracker { api_version: "example.com/v1beta1", ..*tracker }.update(None, &mut stored, "me");
    });
    let of_schema = Arc::new(schema());
    let converts: InVersion<'_> = &|object, _| Ok(Some((object.clone(), Arc::clone(&of_schema))));
    let port = json!({"name": "http", "port": 80});
    for (ports, is_tracked) in [(json!([port]), true), (json!([port, port]), false)] {
        let mut new = object(&json!({"a": 2, "ports": ports}));
        with("2", |tracker| {
            Tracker { in_version: converts, ..*tracker }.update(Some(&stored), &mut new, "you");
        });
        assert_eq!(managed(&new) != managed(&stored), is_tracked);
    }
}

/// Items with the same key are one element without fields. Source: `visitListItems` in `typed/compare.go` and
/// `typed/tofieldset.go` of structured-merge-diff.
#[test]
fn duplicates_are_owned_as_a_whole() {
    let http = |port: u16| json!({"name": "http", "port": port});
    let write = |old: Option<&Value>, now: &str, ports: &[Value], who: &str| {
        let mut new = object(&json!({"ports": ports}));
        with(now, |tracker| tracker.update(old, &mut new, who));
        new
    };
    let entry = |who: &str, ports: Value| (who.to_owned(), json!({"f:spec": {"f:ports": ports}}));
    let key = "k:{\"name\":\"http\"}";

    let one = write(None, "1", &[http(80)], "me");
    let fields = json!({".": {}, "f:name": {}, "f:port": {}});
    let of_me =
        |ports: Value| ("me Update 1".to_owned(), json!({"f:spec": {".": {}, "f:ports": ports}}));
    assert_eq!(managed(&one), [of_me(json!({".": {}, key: fields}))]);
    // Nobody owns the fields of the item any more; the element belongs to the manager that repeated it.
    let two = write(Some(&one), "2", &[http(80), http(80)], "you");
    let of_me = of_me(json!({}));
    assert_eq!(managed(&two), [of_me.clone(), entry("you Update 2", json!({key: {}}))]);
    let same = write(Some(&two), "3", &[http(80), http(80)], "another");
    assert_eq!(managed(&same), managed(&two));
    let other = write(Some(&two), "4", &[http(80), http(81)], "another");
    assert_eq!(managed(&other), [of_me.clone(), entry("another Update 4", json!({key: {}}))]);
    let again = write(Some(&other), "5", &[http(81)], "you");
    assert_eq!(managed(&again), [of_me, entry("you Update 5", json!({key: fields}))]);

    // An apply replaces the duplicates by its own item.
    let config = object(&json!({"ports": [{"name": "http"}]}));
    let applied = with("6", |tracker| tracker.apply(Some(&other), &config, "me", true));
    assert_eq!(applied.expect("applied")["spec"]["ports"], json!([{"name": "http"}]));
}

#[test]
fn an_apply_owns_what_it_names() {
    let applied = with("1", |tracker| {
        tracker.apply(None, &object(&json!({"a": 1})), "me", false).expect("applied")
    });
    assert_eq!(managed(&applied), [("me Apply 1".to_owned(), json!({"f:spec": {"f:a": {}}}))]);
    // A manager that changes nothing gets no time, or keeps the time it has.
    let again = object(&json!({"a": 1}));
    let both = with("2", |tracker| tracker.apply(Some(&applied), &again, "you", false));
    let both = managed(&both.expect("applied"));
    assert_eq!([&*both[0].0, &*both[1].0], ["you Apply ", "me Apply 1"]);
    let rejected =
        with("2", |tracker| tracker.apply(Some(&applied), &object(&json!({"a": 2})), "you", false));
    let Err(ApplyError::Conflicts(conflicts)) = rejected else { panic!("no conflict") };
    assert_eq!(
        Conflict::message(&conflicts),
        "Apply failed with 1 conflict: conflict with \"me\": .spec.a"
    );
    let forced = with("2", |tracker| {
        tracker.apply(Some(&applied), &object(&json!({"a": 2})), "you", true).expect("forced")
    });
    assert_eq!(forced["spec"]["a"], 2);
    assert_eq!(managed(&forced), [("you Apply 2".to_owned(), json!({"f:spec": {"f:a": {}}}))]);
    let unknown = with("3", |tracker| {
        tracker.apply(None, &object(&json!({"c": 2})), "you", false).expect_err("no field")
    });
    let ApplyError::Untyped(problems) = unknown else { panic!("another error") };
    assert_eq!(problems, [".spec.c: field not declared in schema"]);
}

#[test]
fn the_eldest_of_many_become_one() {
    let mut live = object(&json!({"a": 0}));
    with("00", |tracker| tracker.update(None, &mut live, "creator"));
    for n in 1..=11 {
        let mut next = object(&json!({"a": 0}));
        next["metadata"]["labels"] =
            (0..n).map(|n| (format!("l{n}"), "x".into())).collect::<Map<_, _>>().into();
        let who = format!("m{n:02}");
        with(&format!("{n:02}"), |tracker| tracker.update(Some(&live), &mut next, &who));
        live = next;
    }
    let names: Vec<String> = managed(&live).into_iter().map(|(who, _)| who).collect();
    assert_eq!(names.len(), MAX_UPDATERS);
    assert_eq!(names[0], "ancient-changes Update 02");
}
