//! Cases made by changing recorded and documented definitions and objects, which have forms that the generators do not
//! produce.
//!
//! Definitions are those of the recorded vectors and of the examples; objects are those written for them.

use std::fs;
use std::io;
use std::path::Path;

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::cases::{as_text, reaches_version_check};
use super::changes::{self, change, put};
use super::{object, schema, update};
use crate::outcomes;

/// Objects written for each accepted definition.
const OBJECTS: usize = 9;
/// The most changes to one definition or object.
const MAX_CHANGES: u8 = 2;

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
    /// Reads the vectors of a directory (`kubernetes.jsonl`, `openshift.jsonl` and `openshift-crds.json`) and the
    /// examples.
    ///
    /// # Errors
    /// If a file cannot be read or is not JSON.
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

    /// Generates the creation of a definition, changed or not, or, in one of five cases, its update.
    pub(super) fn definition(&self, rng: &mut Rng) -> Value {
        let mut crd = self.entry(rng).crd.clone();
        for _ in 0..rng.u8(..=MAX_CHANGES) {
            self.change_definition(rng, &mut crd);
        }
        if rng.u8(..5) != 0 || !crd["metadata"].is_object() {
            return json!({"crd": crd});
        }
        let mut old = update::stored(rng, &mut crd);
        for _ in 0..rng.u8(..=MAX_CHANGES) {
            self.change_definition(rng, &mut old);
        }
        json!({"crd": crd, "oldCrd": old})
    }

    fn change_definition(&self, rng: &mut Rng, crd: &mut Value) {
        match rng.u8(..8) {
            0..3 => changes::spec(rng, crd),
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
                        schema::make_mistake(rng, node);
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

    /// Generates writes of objects of the kind of `crd`, a changed definition of the corpus.
    pub(super) fn objects(&self, rng: &mut Rng, crd: &Value) -> Vec<Value> {
        let kind_of = |crd: &Value| crd.pointer("/spec/names/kind").cloned();
        let of_kind: Vec<&Value> = self
            .entries
            .iter()
            .filter(|entry| kind_of(&entry.crd) == kind_of(crd))
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
        // The percentage of values of a wrong type.
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
        for _ in 0..rng.u8(..=MAX_CHANGES) {
            self.change_object(rng, &mut object);
        }
        let mut case = json!({"crd": crd, "version": name});
        if !n.is_multiple_of(3) {
            let mut old = object.clone();
            for _ in 0..rng.u8(..=MAX_CHANGES) {
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
        let object = case["object"].clone();
        let is_typed = object["apiVersion"] == *format!("{group}/{name}")
            && object["kind"] == crd["spec"]["names"]["kind"];
        if is_typed {
            as_text(rng, &mut case, &object);
        } else if reaches_version_check(&object) {
            as_text(&mut rng.clone(), &mut case, &object);
        }
        Some(case)
    }

    fn change_object(&self, rng: &mut Rng, object: &mut Value) {
        match rng.u8(..8) {
            0 => changes::metadata(rng, object),
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

/// Chooses a schema, or one of the schemas below it.
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

/// Replaces a part of a value by one of another value, mostly at a key that both have.
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
