//! Lists: with selectors, in chunks, at earlier resource versions, and as tables or partial objects.

use crd_examples::shirt::Shirt;
use crd_runtime::CustomResource as _;
use kube::Client;
use serde_json::{Value, json};

use crate::ask::{CRONTABS, builder, delete, get, get_as, object, send, server};

/// The older version of tables and of partial metadata.
const BETA: &str = "meta.k8s.io/v1beta1";

fn names(list: &Value) -> Vec<String> {
    let items = list["items"].as_array().expect("items");
    items
        .iter()
        .map(|item| item["metadata"]["name"].as_str().unwrap_or_default().to_owned())
        .collect()
}

async fn five(client: &Client) {
    for name in ["a", "b", "c", "d", "e"] {
        let mut body = object(name, 2);
        body["metadata"]["labels"] = json!({"first": if name < "c" { "yes" } else { "no" }});
        send(client, "POST", CRONTABS, &body).await.ok();
    }
}

#[tokio::test]
async fn lists_come_in_chunks() {
    let client = server().client();
    five(&client).await;
    let first = get(&client, &format!("{CRONTABS}?limit=2")).await.ok();
    assert_eq!(
        (&first["kind"], names(&first)),
        (&json!("CronTabList"), vec!["a".to_owned(), "b".to_owned()])
    );
    assert_eq!(first["metadata"]["remainingItemCount"], 3);
    // The next chunk does not show later changes.
    delete(&client, &format!("{CRONTABS}/c")).await.ok();
    send(&client, "POST", CRONTABS, &object("f", 2)).await.ok();
    let next = first["metadata"]["continue"].as_str().expect("a token").to_owned();
    let rest = get(&client, &format!("{CRONTABS}?continue={next}")).await.ok();
    assert_eq!(names(&rest), ["c", "d", "e"]);
    assert_eq!(rest["metadata"]["resourceVersion"], first["metadata"]["resourceVersion"]);
    assert_eq!(
        get(&client, &format!("{CRONTABS}?continue={next}&resourceVersion=5")).await.rejected(400),
        "specifying resource version is not allowed when using continue"
    );
    assert!(
        get(&client, &format!("{CRONTABS}?continue=x"))
            .await
            .rejected(400)
            .starts_with("invalid continue token")
    );
}

#[tokio::test]
async fn an_expired_list_continues_with_the_current_objects() {
    let server = server();
    let client = server.client();
    five(&client).await;
    let first = get(&client, &format!("{CRONTABS}?limit=2")).await.ok();
    delete(&client, &format!("{CRONTABS}/c")).await.ok();
    server.compact();
    let next = first["metadata"]["continue"].as_str().expect("a token");
    let expired = get(&client, &format!("{CRONTABS}?continue={next}")).await;
    assert_eq!((expired.code, &expired.body["reason"]), (410, &json!("Expired")));
    let next = expired.body["metadata"]["continue"].as_str().expect("another token");
    let rest = get(&client, &format!("{CRONTABS}?continue={next}")).await.ok();
    assert_eq!(names(&rest), ["d", "e"]);
    assert_eq!(
        get(&client, &format!("{CRONTABS}?resourceVersion=3&resourceVersionMatch=Exact"))
            .await
            .rejected(410),
        "The resourceVersion for the provided list is too old."
    );
}

#[tokio::test]
async fn resource_versions_of_lists() {
    let client = server().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let then = get(&client, CRONTABS).await.ok()["metadata"]["resourceVersion"].clone();
    let then = then.as_str().expect("a version");
    send(&client, "POST", CRONTABS, &object("b", 2)).await.ok();
    let exact = format!("{CRONTABS}?resourceVersion={then}&resourceVersionMatch=Exact");
    let exact = get(&client, &exact).await.ok();
    assert_eq!(
        (names(&exact), &exact["metadata"]["resourceVersion"]),
        (vec!["a".to_owned()], &json!(then))
    );
    let newer = format!("{CRONTABS}?resourceVersion={then}&resourceVersionMatch=NotOlderThan");
    assert_eq!(names(&get(&client, &newer).await.ok()), ["a", "b"]);
    assert_eq!(
        names(&get(&client, &format!("{CRONTABS}?resourceVersion=0")).await.ok()),
        ["a", "b"]
    );
    let rejected =
        get(&client, &format!("{CRONTABS}?resourceVersionMatch=Exact")).await.rejected(422);
    assert_eq!(
        rejected,
        "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless \
         resourceVersion is provided"
    );
    assert_eq!(
        get(&client, &format!("{CRONTABS}?resourceVersion=x")).await.rejected(400),
        "invalid resource version: resourceVersion: Invalid value: \"x\": strconv.ParseUint: parsing \"x\": invalid syntax"
    );
}

#[tokio::test]
async fn labels_and_fields_select() {
    let server = builder().with(&Shirt::crd()).start();
    let client = server.client();
    five(&client).await;
    let selected = |selector: &str| format!("{CRONTABS}?labelSelector={selector}");
    assert_eq!(names(&get(&client, &selected("first%3Dyes")).await.ok()), ["a", "b"]);
    assert_eq!(names(&get(&client, &selected("first+notin+(yes)")).await.ok()), ["c", "d", "e"]);
    assert!(
        get(&client, &selected("a%20b"))
            .await
            .rejected(400)
            .starts_with("unable to parse requirement: found 'b'")
    );
    let shirts = "/apis/stable.example.com/v1/namespaces/default/shirts";
    for (name, color) in [("x", "blue"), ("y", "green")] {
        let body = json!({
            "apiVersion": "stable.example.com/v1", "kind": "Shirt", "metadata": {"name": name},
            "spec": {"color": color},
        });
        send(&client, "POST", shirts, &body).await.ok();
    }
    let blue = get(&client, &format!("{shirts}?fieldSelector=spec.color%3Dblue")).await.ok();
    assert_eq!(names(&blue), ["x"]);
    assert_eq!(
        get(&client, &format!("{shirts}?fieldSelector=spec.price%3D1")).await.rejected(400),
        "field label not supported: spec.price"
    );
    assert_eq!(
        get(&client, "/api/v1/configmaps?fieldSelector=data%3D1").await.rejected(400),
        "\"data\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
    );
}

#[tokio::test]
async fn fields_of_built_in_kinds_have_the_values_of_the_server() {
    let client = server().client();
    let event = json!({"reportingComponent": "c", "involvedObject": {"namespace": "default"}});
    let containers = json!([{"name": "c", "image": "i"}]);
    let pod = json!({"spec": {"nodeName": "n", "containers": containers}});
    let job = json!({"spec": {"template": {"spec": {"restartPolicy": "Never", "containers": containers}}}});
    for (collection, object, selector) in [
        ("/api/v1/nodes", json!({}), "spec.unschedulable=false"),
        ("/api/v1/namespaces/default/events", event, "source=c"),
        ("/api/v1/namespaces/default/pods", pod, "spec.hostNetwork=false"),
        ("/apis/batch/v1/namespaces/default/jobs", job, "status.successful=0"),
    ] {
        let mut object = object;
        object["metadata"] = json!({"name": "x"});
        send(&client, "POST", collection, &object).await.ok();
        let selected =
            |selector: &str| format!("{collection}?fieldSelector={}", selector.replace('=', "%3D"));
        assert_eq!(names(&get(&client, &selected(selector)).await.ok()), ["x"], "{selector}");
        let other = format!("{selector}0");
        assert!(names(&get(&client, &selected(&other)).await.ok()).is_empty(), "{other}");
    }
    let jobs = "/apis/batch/v1/namespaces/default/jobs?fieldSelector=status.failed%3D0";
    assert_eq!(
        get(&client, jobs).await.rejected(400),
        "field label \"status.failed\" not supported for Job"
    );
    let on_host = get(&client, "/api/v1/pods?fieldSelector=spec.host%3Dn").await.ok();
    assert_eq!(names(&on_host), ["x"]);
    for kind in ["nodes", "namespaces"] {
        let in_namespace = format!("/api/v1/{kind}?fieldSelector=metadata.namespace%3Da");
        assert_eq!(
            get(&client, &in_namespace).await.rejected(400),
            "field label not supported: metadata.namespace"
        );
    }
    let volumes = "/api/v1/persistentvolumes?fieldSelector=metadata.namespace%3Da";
    assert!(names(&get(&client, volumes).await.ok()).is_empty());
}

#[tokio::test]
async fn collections_are_deleted_by_selection() {
    let client = server().client();
    five(&client).await;
    let gone = delete(&client, &format!("{CRONTABS}?labelSelector=first%3Dyes")).await.ok();
    assert_eq!(names(&gone), ["a", "b"]);
    assert_eq!(names(&get(&client, CRONTABS).await.ok()), ["c", "d", "e"]);
}

#[tokio::test]
async fn lists_have_other_forms() {
    let client = server().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let table =
        get_as(&client, CRONTABS, "application/json;as=Table;v=v1;g=meta.k8s.io").await.ok();
    assert_eq!((&table["kind"], &table["apiVersion"]), (&json!("Table"), &json!("meta.k8s.io/v1")));
    let columns: Vec<&Value> = table["columnDefinitions"]
        .as_array()
        .expect("columns")
        .iter()
        .map(|it| &it["name"])
        .collect();
    assert_eq!(columns, ["Name", "Spec", "Replicas", "Age"]);
    let row = &table["rows"][0];
    assert_eq!(row["cells"], json!(["a", "* * * * *", 2, "0s"]));
    assert_eq!(row["object"]["kind"], "PartialObjectMetadata");
    let partial = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    let partial = get_as(&client, CRONTABS, partial).await.ok();
    assert_eq!(partial["kind"], "PartialObjectMetadataList");
    assert_eq!(partial["items"][0].get("spec"), None);
    let one = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";
    let rejected = get_as(&client, CRONTABS, one).await;
    assert_eq!(rejected.code, 406);
    let yaml = get_as(&client, &format!("{CRONTABS}/a"), "application/yaml").await.ok();
    assert!(yaml.as_str().expect("text").contains("kind: CronTab"));
    let all = get(&client, "/apis/stable.example.com/v1/crontabs").await.ok();
    assert_eq!(names(&all), ["a"]);
}

#[tokio::test(start_paused = true)]
async fn tables_have_two_versions() {
    let client = server().client();
    send(&client, "POST", CRONTABS, &object("a", 2)).await.ok();
    let config = json!({"metadata": {"name": "a"}, "data": {"k": "v"}});
    let configs = "/api/v1/namespaces/default/configmaps";
    send(&client, "POST", configs, &config).await.ok();
    let of = |version: &str| format!("application/json;as=Table;g=meta.k8s.io;v={version}");
    for path in [CRONTABS, configs] {
        for path in [path.to_owned(), format!("{path}/a")] {
            let beta = get_as(&client, &path, &of("v1beta1")).await.ok();
            assert_eq!((&beta["kind"], &beta["apiVersion"]), (&json!("Table"), &json!(BETA)));
            let row = &beta["rows"][0]["object"];
            assert_eq!(row["kind"], "PartialObjectMetadata");
            assert_eq!((&row["apiVersion"], &row["metadata"]["name"]), (&json!(BETA), &json!("a")));
            // Apart from their versions, the two tables are the same.
            let mut stable = get_as(&client, &path, &of("v1")).await.ok();
            assert_eq!(stable["apiVersion"], "meta.k8s.io/v1");
            stable["apiVersion"] = BETA.into();
            stable["rows"][0]["object"]["apiVersion"] = BETA.into();
            assert_eq!(beta, stable);
        }
    }
    // A client can prefer the newer version and accept the older one.
    let either = format!("{},{},application/json", of("v1"), of("v1beta1"));
    let table = get_as(&client, CRONTABS, &either).await.ok();
    assert_eq!(table["apiVersion"], "meta.k8s.io/v1");
    assert_eq!(get_as(&client, CRONTABS, &of("v2")).await.code, 406);
    let path = format!("{CRONTABS}?includeObject=Object");
    let whole = get_as(&client, &path, &of("v1beta1")).await.ok();
    assert_eq!(whole["rows"][0]["object"]["kind"], "CronTab");
    for (kind, path) in [
        ("PartialObjectMetadataList", CRONTABS.to_owned()),
        ("PartialObjectMetadata", format!("{CRONTABS}/a")),
    ] {
        let accept = format!("application/json;as={kind};g=meta.k8s.io;v=v1beta1");
        let partial = get_as(&client, &path, &accept).await.ok();
        assert_eq!((&partial["kind"], &partial["apiVersion"]), (&json!(kind), &json!(BETA)));
    }
}

#[tokio::test]
async fn one_name_is_read_instead_of_listed() {
    let client = server().client();
    five(&client).await;
    let one = format!("{CRONTABS}?fieldSelector=metadata.name%3Da");
    let list = get(&client, &format!("{one}&limit=1")).await.ok();
    assert_eq!((names(&list), &list["metadata"]["continue"]), (vec!["a".to_owned()], &json!("")));
    // Unlike for a whole list, a limit does not make the resource version exact.
    let earlier = list["metadata"]["resourceVersion"].clone();
    send(&client, "POST", CRONTABS, &object("f", 2)).await.ok();
    let version = earlier.as_str().expect("a version");
    let list = get(&client, &format!("{one}&limit=1&resourceVersion={version}")).await.ok();
    assert_ne!(list["metadata"]["resourceVersion"], earlier);

    // The storage does not wait for a resource version. The watch cache does, and then tells the client when to retry.
    for (options, retry) in [
        ("resourceVersionMatch=Exact", Value::Null),
        ("limit=1", Value::Null),
        ("resourceVersionMatch=NotOlderThan", json!(1)),
        ("", json!(1)),
    ] {
        let answer = get(&client, &format!("{one}&resourceVersion=99999999&{options}")).await;
        assert_eq!(answer.code, 504, "{options}");
        assert_eq!(answer.body["details"]["retryAfterSeconds"], retry, "{options}");
    }
    let all = format!("{CRONTABS}?resourceVersion=99999999&resourceVersionMatch=Exact");
    assert_eq!(get(&client, &all).await.body["details"]["retryAfterSeconds"], 1);
}
