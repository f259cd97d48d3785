//! The README's client, as it stands there, against a server.

use crd_examples::shirt::{Shirt, ShirtSpec};
use crd_runtime::CustomResource;
use crd_runtime::client::{self, Api, InstallOptions, install};
use kube::api::PostParams;
use serde_json::{Value, json};

use crate::double::Double;

// shown:start
async fn dress(client: kube::Client, spec: ShirtSpec) -> Result<usize, client::Error> {
    install(&client, &Shirt::crd(), &InstallOptions::default()).await?;
    let (shirts, params) = (Api::<Shirt>::namespaced(client, "prod"), PostParams::default());
    // Refused here, in the server's words, where the server would refuse it.
    shirts.checked()?.create(&params, &Shirt::new("mine", spec)).await?;
    // What this type does not know of the shirt stays as it is.
    shirts.modify("mine", &params, |shirt| shirt.spec.size = Some("L".to_owned())).await?;
    let blue = Shirt::fields().color().eq("blue"); // nothing else compiles
    Ok(shirts.list(&blue.into()).await?.items.len())
}
// shown:end

#[tokio::test]
async fn it_does_what_it_says() {
    let mut crd = serde_json::to_value(Shirt::crd()).unwrap();
    crd["status"] = json!({
        "acceptedNames": crd["spec"]["names"], "storedVersions": ["v1"],
        "conditions": [{"type": "Established", "status": "True"}],
    });
    let shirt = json!({
        "apiVersion": "stable.example.com/v1", "kind": "Shirt",
        "metadata": {"name": "mine", "namespace": "prod", "resourceVersion": "1"},
        "spec": {"color": "blue", "pocket": true},
    });
    let list = json!({
        "apiVersion": "stable.example.com/v1", "kind": "ShirtList", "metadata": {}, "items": [shirt],
    });
    let missing: Value =
        json!({"kind": "Status", "code": 404, "reason": "NotFound", "message": "no"});
    let double = Double::new()
        .answer(404, &missing)
        .answer(201, &crd)
        .answer(200, &crd)
        .answer(200, &list)
        .answer(201, &shirt)
        .answer(200, &shirt)
        .answer(200, &shirt)
        .answer(200, &list);
    let spec = ShirtSpec { color: Some("blue".to_owned()), size: None };
    assert_eq!(dress(double.client(), spec).await.unwrap(), 1);
    let asked = double.asked();
    assert_eq!(asked[6].body["spec"], json!({"color": "blue", "pocket": true, "size": "L"}));
    assert!(asked[7].uri.ends_with("shirts?&fieldSelector=spec.color%3Dblue"), "{}", asked[7].uri);
}

#[test]
fn the_readme_shows_it() {
    let here = include_str!("readme.rs");
    let (_, rest) = here.split_once("// shown:start\n").expect("a start");
    let (shown, _) = rest.split_once("// shown:end").expect("an end");
    let readme = std::fs::read_to_string("../README.md").expect("the README");
    assert!(readme.contains(shown), "README.md lacks:\n{shown}");
}
