//! Recorded and documented definitions and objects, changed: what no generator here would think of.
//!
//! Definitions are those of the recorded vectors and of the examples, objects those that were written for them.

use std::fs;
use std::io;
use std::path::Path;

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::{object, schema, update};
use crate::outcomes;

/// Objects written for each accepted definition.
const OBJECTS: usize = 9;
/// Of so many changes of a definition at most one case is made.
const MAX_CHANGES: u8 = 3;

/// A definition, and objects that were written for it.
#[derive(Debug)]
struct Entry {
    crd: Value,
    objects: Vec<Value>,
}

/// Definitions with their objects.
#[derive(Debug)]
pub struct Corpus {
    entries: Vec<Entry>,
}

impl Corpus {
    /// The vectors of a directory, `kubernetes.jsonl`, `openshift.jsonl` and `openshift-crds.json`, and the examples.
    ///
    /// # Errors
    /// Where a file cannot be read, or holds no JSON.
    pub fn read(dir: &Path) -> io::Result<Self> {
        let mut corpus = Self { entries: Vec::new() };
        let named: Map<String, Value> =
            serde_json::from_slice(&fs::read(dir.join("openshift-crds.json"))?)?;
        for file in ["kubernetes.jsonl", "openshift.jsonl"] {
            for line in fs::read_to_string(dir.join(file))?.lines() {
                let case: Value = serde_json::from_str(line)?;
                let crd = match &case["crd"] {
                    Value::String(name) => &named[name]["crd"],
                    crd => crd,
                };
                corpus.add(crd, &case["object"]);
            }
        }
        for documented in outcomes::documented() {
            let crd = serde_json::to_value(&documented.definition)?;
            let object = documented.whole("one", &documented.object);
            corpus.add(&crd, &object);
        }
        Ok(corpus)
    }

    fn add(&mut self, crd: &Value, object: &Value) {
        if !crd.is_object() {
            return;
        }
        let entry = if let Some(index) = self.entries.iter().position(|entry| entry.crd == *crd) {
            &mut self.entries[index]
        } else {
            self.entries.push(Entry { crd: crd.clone(), objects: Vec::new() });
            let last = self.entries.len() - 1;
            &mut self.entries[last]
        };
        if object.is_object() {
            entry.objects.push(object.clone());
        }
    }

    fn entry(&self, rng: &mut Rng) -> &Entry {
        &self.entries[rng.usize(..self.entries.len())]
    }

    /// A definition, changed or not, that is created, or one in five that replaces another.
    pub(super) fn definition(&self, rng: &mut Rng) -> Value {
        let mut crd = self.entry(rng).crd.clone();
        for _ in 0..rng.u8(..MAX_CHANGES) {
            self.change_definition(rng, &mut crd);
        }
        if rng.u8(..5) != 0 || !crd["metadata"].is_object() {
            return json!({"crd": crd});
        }
        let mut old = update::stored(rng, &mut crd);
        for _ in 0..rng.u8(..MAX_CHANGES) {
            self.change_definition(rng, &mut old);
        }
        json!({"crd": crd, "oldCrd": old})
    }

    fn change_definition(&self, rng: &mut Rng, crd: &mut Value) {
        match rng.u8(..8) {
            0..3 => change_spec(rng, crd),
            3 => {
                let donor = self.entry(rng).crd.clone();
                graft(rng, crd, &donor);
            }
            4 => {
                let versions = crd["spec"]["versions"].as_array().map_or(0, Vec::len);
                let index = rng.usize(..versions.max(1));
                let at = format!("/spec/versions/{index}/schema/openAPIV3Schema");
                if let Some(root) = crd.pointer_mut(&at) {
                    let node = schema_below(rng, root);
                    if node.is_object() {
                        schema::mistake(rng, node);
                    }
                }
            }
            _ => {
                if let Some(versions) = crd.pointer_mut("/spec/versions") {
                    change(rng, versions);
                }
            }
        }
    }

    /// Writes of objects to a definition that was made of one here.
    pub(super) fn objects(&self, rng: &mut Rng, crd: &Value) -> Vec<Value> {
        let names = |crd: &Value| crd.pointer("/spec/names/kind").cloned();
        let of_kind: Vec<&Value> = self
            .entries
            .iter()
            .filter(|entry| names(&entry.crd) == names(crd))
            .flat_map(|entry| &entry.objects)
            .collect();
        let versions: Vec<&Value> =
            crd["spec"]["versions"].as_array().into_iter().flatten().collect();
        (0..OBJECTS).filter_map(|n| self.write(rng, crd, &of_kind, &versions, n)).collect()
    }

    fn write(
        &self,
        rng: &mut Rng,
        crd: &Value,
        of_kind: &[&Value],
        versions: &[&Value],
        n: usize,
    ) -> Option<Value> {
        let version = versions.get(rng.usize(..versions.len().max(1)))?;
        let name = version["name"].as_str()?;
        let wild = [0, 2, 8, 20][rng.usize(..4)];
        let generated = |rng: &mut Rng| {
            let none = Value::Null;
            let root = version.pointer("/schema/openAPIV3Schema").unwrap_or(&none);
            object::object(rng, crd, root, wild)
        };
        let mut object = match of_kind.get(rng.usize(..of_kind.len().max(1))) {
            Some(object) if rng.u8(..4) != 0 => (*object).clone(),
            _ => generated(rng),
        };
        let group = crd.pointer("/spec/group").and_then(Value::as_str)?;
        put(&mut object, "", "apiVersion", &format!("{group}/{name}").into());
        put(&mut object, "", "kind", crd.pointer("/spec/names/kind")?);
        for _ in 0..rng.u8(..MAX_CHANGES) {
            self.change_object(rng, &mut object);
        }
        let mut case = json!({"crd": crd, "version": name});
        if !n.is_multiple_of(3) {
            let mut old = object.clone();
            for _ in 0..rng.u8(..MAX_CHANGES) {
                self.change_object(rng, &mut old);
            }
            if rng.bool() {
                put(&mut object, "/metadata", "resourceVersion", &"1".into());
                put(&mut old, "/metadata", "resourceVersion", &"1".into());
            }
            case["old"] = old;
            if n % 3 == 2 && version.pointer("/subresources/status").is_some() {
                case["subresource"] = "status".into();
            }
        }
        case["object"] = object;
        // What stands before the kind is found is not the strategy's.
        let is_typed = case["object"]["apiVersion"] == *format!("{group}/{name}")
            && case["object"]["kind"] == crd["spec"]["names"]["kind"];
        if is_typed && rng.u8(..4) == 0 {
            let mut text = String::new();
            write_twice(rng, &mut text, &case["object"]);
            case["text"] = text.into();
        }
        Some(case)
    }

    fn change_object(&self, rng: &mut Rng, object: &mut Value) {
        match rng.u8(..8) {
            0 => change_metadata(rng, object),
            1 => {
                let entry = self.entry(rng);
                if let Some(donor) = entry.objects.get(rng.usize(..entry.objects.len().max(1))) {
                    graft(rng, object, donor);
                }
            }
            _ => {
                let keys = ["spec", "spec", "spec", "status"];
                let key = keys[rng.usize(..keys.len())];
                match object.get_mut(key) {
                    Some(part) => change(rng, part),
                    None => change(rng, object),
                }
            }
        }
    }
}

/// Gives the object at a place a member, where an object is there.
fn put(value: &mut Value, at: &str, key: &str, member: &Value) {
    if let Some(Value::Object(map)) = value.pointer_mut(at) {
        map.insert(key.to_owned(), member.clone());
    }
}

/// A schema below a schema, or itself.
fn schema_below<'a>(rng: &mut Rng, root: &'a mut Value) -> &'a mut Value {
    let mut here = root;
    while rng.u8(..5) != 0 {
        let mut below: Vec<String> = Vec::new();
        if let Some(properties) = here.get("properties").and_then(Value::as_object) {
            below.extend(
                properties.keys().map(|key| {
                    format!("/properties/{}", key.replace('~', "~0").replace('/', "~1"))
                }),
            );
        }
        for keyword in ["items", "additionalProperties", "not"] {
            if here.get(keyword).is_some_and(Value::is_object) {
                below.push(format!("/{keyword}"));
            }
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            let count = here.get(keyword).and_then(Value::as_array).map_or(0, Vec::len);
            below.extend((0..count).map(|index| format!("/{keyword}/{index}")));
        }
        let Some(at) = below.get(rng.usize(..below.len().max(1))) else { break };
        if here.pointer(at).is_none() {
            break;
        }
        here = match here.pointer_mut(at) {
            Some(below) => below,
            None => unreachable!("it is there"),
        };
    }
    here
}

/// Facts about a definition that its schemas do not say.
fn change_spec(rng: &mut Rng, crd: &mut Value) {
    let client = json!({"service": {"namespace": "ns", "name": "svc", "path": "/convert"}});
    let webhook = |config: Value, versions: Value| {
        json!({"strategy": "Webhook",
               "webhook": {"clientConfig": config, "conversionReviewVersions": versions}})
    };
    let facts = [
        ("shortNames", json!(["a", "b-c"])),
        ("shortNames", json!(["A", "b_c", ""])),
        ("categories", json!(["all", "x"])),
        ("categories", json!(["All"])),
        ("listKind", json!("Lists")),
        ("singular", json!("Upper")),
        ("kind", json!("K\u{130}nd")),
        ("kind", json!("lower")),
        ("plural", json!("things")),
    ];
    let of_spec = [
        ("preserveUnknownFields", json!(true)),
        ("preserveUnknownFields", json!(false)),
        ("scope", json!("Cluster")),
        ("scope", json!("cluster")),
        ("group", json!("apps.k8s.io")),
        ("group", json!("x.kubernetes.io")),
        ("group", json!("single")),
        ("conversion", json!({"strategy": "None"})),
        (
            "conversion",
            json!({"strategy": "None", "webhook": {"conversionReviewVersions": ["v1"]}}),
        ),
        ("conversion", json!({"strategy": "Other"})),
        ("conversion", webhook(client.clone(), json!(["v1"]))),
        ("conversion", webhook(client.clone(), json!(["v1beta1", "v2"]))),
        ("conversion", webhook(client, json!(["v2"]))),
        ("conversion", webhook(json!({"url": "https://a.b:443/c?d#e"}), json!(["v1", "v1"]))),
        ("conversion", webhook(json!({"url": "http://u@a"}), json!([]))),
        ("conversion", webhook(json!({"url": "https://a", "caBundle": "Cg=="}), json!(["v1"]))),
        ("conversion", webhook(json!({}), json!(["v1"]))),
    ];
    let annotations = [
        json!({"api-approved.kubernetes.io": "https://github.com/kubernetes/kubernetes/pull/1"}),
        json!({"api-approved.kubernetes.io": "unapproved, experimental"}),
        json!({"api-approved.kubernetes.io": "yes"}),
        json!({"\u{130}.com/K": "v"}),
    ];
    match rng.u8(..6) {
        0 => {
            let (key, value) = &facts[rng.usize(..facts.len())];
            put(crd, "/spec/names", key, value);
        }
        1 | 2 => {
            let (key, value) = &of_spec[rng.usize(..of_spec.len())];
            put(crd, "/spec", key, value);
        }
        3 => put(crd, "/metadata", "annotations", &annotations[rng.usize(..annotations.len())]),
        4 => change_versions(rng, crd),
        _ => crd.get_mut("spec").map_or((), |spec| change(rng, spec)),
    }
    // Most names say what plural and group do.
    if rng.u8(..8) != 0 {
        let text = |at: &str| crd.pointer(at).and_then(Value::as_str).unwrap_or_default();
        let name = format!("{}.{}", text("/spec/names/plural"), text("/spec/group"));
        put(crd, "/metadata", "name", &name.into());
    }
}

/// Adds a version, or changes what one says beside its schema.
fn change_versions(rng: &mut Rng, crd: &mut Value) {
    let Some(Value::Array(versions)) = crd.pointer_mut("/spec/versions") else { return };
    if versions.is_empty() {
        return;
    }
    let index = rng.usize(..versions.len());
    if rng.bool() {
        let mut copy = versions[index].clone();
        let names = ["v1", "v2", "v1beta1", "v1alpha3", "v10", "foo", "V1", "v1-", ""];
        put(&mut copy, "", "name", &names[rng.usize(..names.len())].into());
        put(&mut copy, "", "storage", &(rng.u8(..6) == 0).into());
        if let Some(root) = copy.pointer_mut("/schema/openAPIV3Schema")
            && rng.bool()
        {
            change(rng, root);
        }
        versions.insert(rng.usize(..=versions.len()), copy);
        return;
    }
    let docs = json!({"description": "d", "url": "https://a.b"});
    let facts = [
        ("served", json!(false)),
        ("storage", json!(false)),
        ("storage", json!(true)),
        ("deprecated", json!(true)),
        ("deprecationWarning", json!("gone soon")),
        ("deprecationWarning", json!("")),
        ("deprecationWarning", json!("a\nb")),
        ("schema", json!({})),
        ("schema", json!({"openAPIV3Schema": {"type": "object", "externalDocs": docs}})),
        ("subresources", json!({"status": {}})),
        (
            "subresources",
            json!({"scale": {"specReplicasPath": ".spec.replicas",
                                          "statusReplicasPath": ".status.replicas"}}),
        ),
        (
            "subresources",
            json!({"scale": {"specReplicasPath": "spec.a", "statusReplicasPath": ""}}),
        ),
        ("selectableFields", json!([{"jsonPath": ".spec.a"}, {"jsonPath": ".spec.a"}])),
        ("selectableFields", json!([{"jsonPath": ".metadata.name"}])),
        ("additionalPrinterColumns", json!([{"name": "A", "type": "date", "jsonPath": ".a"}])),
        ("additionalPrinterColumns", json!([{"name": "", "type": "x", "jsonPath": "{"}])),
    ];
    let (key, value) = &facts[rng.usize(..facts.len())];
    put(&mut versions[index], "", key, value);
}

fn change_metadata(rng: &mut Rng, object: &mut Value) {
    let time = "2024-01-02T03:04:05Z";
    let entry = |fields: Value| {
        json!([{"manager": "m", "operation": "Update", "apiVersion": "v1", "time": time,
                "fieldsType": "FieldsV1", "fieldsV1": fields}])
    };
    let facts = [
        ("annotations", json!({"\u{130}": "x"})),
        ("annotations", json!({"\u{212a}.com/\u{3a3}": "x", "A": ""})),
        ("annotations", json!({"a": null})),
        ("labels", json!({"A": "b"})),
        ("generation", json!(i64::MAX)),
        ("generation", json!(-1)),
        ("generation", json!(1.0)),
        ("managedFields", entry(json!({"a": -0.0, "b": 1.0, "c": [1e3, 1e21]}))),
        ("managedFields", entry(json!({"f:spec": {}}))),
        ("managedFields", json!([{"manager": "\u{7f}", "operation": "x"}, null])),
        ("finalizers", json!(["a", "example.com/b", "orphan"])),
        (
            "ownerReferences",
            json!([{"apiVersion": "v1", "kind": "Pod", "name": "n", "uid": "u",
                                    "controller": true}, {"controller": true}]),
        ),
        ("ownerReferences", json!([{"apiVersion": "v1", "kind": "Event", "name": "n"}])),
        ("deletionTimestamp", json!(time)),
        ("creationTimestamp", json!("2024-01-02T03:04:05.678+01:00")),
        ("creationTimestamp", json!(null)),
        ("deletionGracePeriodSeconds", json!(30)),
        ("generateName", json!("a-")),
        ("selfLink", json!("/x")),
        ("uid", json!("other")),
        ("name", json!("A_b")),
        ("zz", json!({"a": 1})),
    ];
    let (key, value) = &facts[rng.usize(..facts.len())];
    put(object, "/metadata", key, value);
}

/// Changes something somewhere in a value.
fn change(rng: &mut Rng, value: &mut Value) {
    let below = match value {
        Value::Object(map) => map.len(),
        Value::Array(items) => items.len(),
        _ => 0,
    };
    if below > 0 && rng.u8(..5) != 0 {
        let index = rng.usize(..below);
        let child = match value {
            Value::Object(map) => map.values_mut().nth(index),
            Value::Array(items) => items.get_mut(index),
            _ => None,
        };
        return child.map_or((), |child| change(rng, child));
    }
    let index = rng.usize(..below.max(1));
    match value {
        Value::Object(map) if rng.u8(..4) != 0 => {
            let key = map.keys().nth(index).cloned();
            match (key, rng.u8(..3)) {
                (Some(key), 0) => drop(map.remove(&key)),
                (Some(key), 1) => {
                    if let Some(old) = map.remove(&key) {
                        map.insert(key + "X", old);
                    }
                }
                _ => drop(map.insert("zz".to_owned(), object::anything(rng, 3))),
            }
        }
        Value::Array(items) if rng.u8(..4) != 0 => match rng.u8(..4) {
            _ if items.is_empty() => items.push(object::anything(rng, 3)),
            0 => drop(items.remove(index)),
            1 => items.reverse(),
            2 => items.push(items[index].clone()),
            _ => items[index] = Value::Null,
        },
        value if rng.u8(..3) == 0 => *value = edge(rng),
        value => *value = object::anything(rng, 2),
    }
}

/// Values at an edge of what Go's types hold.
fn edge(rng: &mut Rng) -> Value {
    let edges = [
        json!(-9_223_372_036_854_775_808.0),
        json!(i64::MIN),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(-0.0),
        json!("\u{130}"),
        json!("\u{fffd}"),
        json!(""),
        json!([[]]),
        json!({"": null}),
    ];
    edges[rng.usize(..edges.len())].clone()
}

/// Puts a part of another tree into one, where both have a key of one name if there is one.
fn graft(rng: &mut Rng, value: &mut Value, donor: &Value) {
    let (Value::Object(into), Value::Object(from)) = (&mut *value, donor) else {
        *value = donor.clone();
        return;
    };
    let shared: Vec<String> = into.keys().filter(|key| from.contains_key(*key)).cloned().collect();
    match shared.get(rng.usize(..shared.len().max(1))) {
        Some(key) if rng.u8(..6) != 0 => {
            if let (Some(into), Some(from)) = (into.get_mut(key), from.get(key)) {
                graft(rng, into, from);
            }
        }
        _ => {
            if let Some((key, part)) = from.iter().nth(rng.usize(..from.len().max(1))) {
                into.insert(key.clone(), part.clone());
            }
        }
    }
}

/// Writes a value as JSON in which some keys stand twice.
fn write_twice(rng: &mut Rng, out: &mut String, value: &Value) {
    match value {
        Value::Object(map) => {
            out.push('{');
            let mut is_first = true;
            for (key, value) in map {
                for _ in 0..=u8::from(rng.u8(..12) == 0) {
                    if !is_first {
                        out.push(',');
                    }
                    is_first = false;
                    out.push_str(&Value::from(key.as_str()).to_string());
                    out.push(':');
                    write_twice(rng, out, value);
                }
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_twice(rng, out, item);
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}
