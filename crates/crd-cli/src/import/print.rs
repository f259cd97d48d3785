//! Writes the types of a version as Rust source.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::code::{Doc, Key, WIDTH, approximate, attributes, doc, string};
use super::kind::{Root, Version};
use super::model::{Body, Common, Field, Item, Purpose, Type, Use};
use super::names;
use super::source::{Part, Source};
use super::type_names::{item_docs, item_names};
use crate::identifiers::{pascal, snake};

/// Writes one version of a kind.
pub(super) fn version(version: &Version, common: &Common, purpose: Purpose) -> Source {
    let item_docs = item_docs(version, common);
    let names = item_names(version, &item_docs, common);
    let mut printer = Printer {
        version,
        purpose,
        names,
        item_docs,
        imports: BTreeSet::new(),
        mentions: BTreeSet::new(),
        joined: 0,
    };
    let text = printer.root();
    let root = printer.part(names::kind(&version.kind), text);
    let of_root = match version.root {
        Root::Spec { item, .. } if purpose == Purpose::Definition => Some(item),
        _ => None,
    };
    let mut parts = Vec::new();
    for (index, item) in version.items.iter().enumerate() {
        // The struct with the derive has been written; its place stays, for those behind it.
        let text = if of_root == Some(index) { String::new() } else { printer.item(index, item) };
        let name = printer.names[index].clone();
        let part = printer.part(name, text);
        parts.push(Part { is_common: common.of(item).is_some(), ..part });
    }
    let has_type_meta = of_root.is_none();
    Source { purpose, root, parts, has_type_meta }
}

struct Printer<'a> {
    version: &'a Version,
    purpose: Purpose,
    names: Vec<String>,
    item_docs: Vec<Option<String>>,
    imports: BTreeSet<&'static str>,
    mentions: BTreeSet<usize>,
    joined: usize,
}

/// The derives of every type.
const DERIVES: &str = "Serialize, Deserialize, Clone, Debug, PartialEq";
const METADATA: &str = "    pub metadata: ObjectMeta,\n";
const OBJECT_META: &str = "k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta";

impl Printer<'_> {
    /// Takes what the text just written uses.
    fn part(&mut self, name: String, text: String) -> Part {
        let (imports, mentions) =
            (std::mem::take(&mut self.imports), std::mem::take(&mut self.mentions));
        let joined = std::mem::take(&mut self.joined);
        Part { name, text, imports, mentions, is_common: false, joined }
    }

    fn root(&mut self) -> String {
        if self.purpose == Purpose::Client {
            return self.client_root();
        }
        let Version { keys, root, items, description, .. } = self.version;
        let mut keys = keys.clone();
        let (docs, of_type, body) = match root {
            Root::Spec { item, description: spec, status } => {
                if let Some((status, _)) = status {
                    keys.push(Key::code("status", &self.names[*status]));
                }
                let kind = names::kind(&self.version.kind);
                if kind != self.version.kind {
                    keys.push(Key::code("root", kind));
                }
                // Without one, the root has the description of the spec.
                if description.as_deref() != spec.as_deref() {
                    let text = description.as_deref().unwrap_or_default();
                    keys.push(Key::text("root_description", text));
                }
                let name = self.names[*item].clone();
                let body = self.body(&name, &items[*item].body, &[]);
                (self.docs(spec.as_deref(), 0), items[*item].keys.clone(), body)
            }
            Root::Itself { fields, open, keys: own, status } => {
                if let Some(status) = status {
                    keys.push(Key::code("status", &self.names[*status]));
                }
                self.imports.insert(OBJECT_META);
                let first =
                    ["    #[serde(flatten)]\n    pub type_meta: TypeMeta<Self>,\n", METADATA];
                let body = Body::Struct { fields: fields.clone(), open: *open };
                let body = self.body(&names::kind(&self.version.kind), &body, &first);
                (self.docs(description.as_deref(), 0), own.clone(), body)
            }
        };
        let (docs, description) = docs;
        keys.extend(description);
        keys.extend(of_type);
        let attributes = attributes(&Key::merge_patches(keys), 0);
        format!("{docs}#[derive(CustomResource, {DERIVES})]\n{attributes}{body}")
    }

    /// The root of a kind for clients, as k8s-openapi has its kinds, so that `kube::Api` takes it.
    fn client_root(&mut self) -> String {
        let Version { root, description, names, group, name, .. } = self.version;
        let kind = names::kind(&self.version.kind);
        let (fields, open) = match root {
            Root::Spec { item, description, status } => {
                let field =
                    |wire: &str, required, item: usize, description: &Option<String>| Field {
                        wire: wire.to_owned(),
                        flatten: false,
                        required,
                        of: Use {
                            ty: Type::Item(item),
                            description: description.clone(),
                            ..Use::plain("")
                        },
                    };
                let status =
                    status.as_ref().map(|(item, text)| field("status", false, *item, text));
                let spec = field("spec", true, *item, description);
                (std::iter::once(spec).chain(status).collect(), false)
            }
            Root::Itself { fields, open, .. } => (fields.clone(), *open),
        };
        self.imports.insert(OBJECT_META);
        let first = ["    pub api_version: String,\n    pub kind: String,\n", METADATA];
        let body = Body::Struct { fields, open };
        let body = self.body(&kind, &body, &first);
        let (docs, _) = self.docs(description.as_deref(), 0);
        let scope = if names.is_namespaced { "Namespace" } else { "Cluster" };
        let rename = if body.starts_with("#[serde(rename_all") {
            ""
        } else {
            "#[serde(rename_all = \"camelCase\")]\n"
        };
        format!(
            "{docs}#[derive({DERIVES})]\n{rename}{body}\nimpl k8s_openapi::Resource for {kind} {{\n    \
             type Scope = k8s_openapi::{scope}ResourceScope;\n\n    \
             const API_VERSION: &'static str = \"{group}/{name}\";\n    \
             const GROUP: &'static str = \"{group}\";\n    \
             const KIND: &'static str = {:?};\n    \
             const URL_PATH_SEGMENT: &'static str = {:?};\n    \
             const VERSION: &'static str = \"{name}\";\n}}\n\n\
             impl k8s_openapi::Metadata for {kind} {{\n    type Ty = ObjectMeta;\n\n    \
             fn metadata(&self) -> &ObjectMeta {{\n        &self.metadata\n    }}\n\n    \
             fn metadata_mut(&mut self) -> &mut ObjectMeta {{\n        &mut self.metadata\n    }}\n}}\n",
            self.version.kind, names.plural,
        )
    }

    fn item(&mut self, index: usize, item: &Item) -> String {
        let name = self.names[index].clone();
        let schema = if self.purpose == Purpose::Definition { "CrdSchema, " } else { "" };
        let more = match item.body {
            Body::Struct { .. } | Body::Union(_) => "",
            Body::Enum(_) => ", Copy, Eq, PartialOrd, Ord",
        };
        let derives = format!("{schema}{DERIVES}{more}");
        let docs = self.item_docs[index].clone();
        let (mut out, description) = self.docs(docs.as_deref(), 0);
        let _ = writeln!(out, "#[derive({derives})]");
        if self.purpose == Purpose::Definition {
            let keys = description.into_iter().chain(item.keys.iter().cloned());
            out.push_str(&attributes(&keys.collect::<Vec<_>>(), 0));
        }
        out.push_str(&self.body(&name, &item.body, &[]));
        out
    }

    fn body(&mut self, name: &str, body: &Body, first: &[&str]) -> String {
        match body {
            Body::Struct { fields, open } => self.structure(name, fields, *open, first),
            Body::Enum(values) => enumeration(name, values),
            Body::Union(variants) => self.union(name, variants),
        }
    }

    /// An enum with contents.
    fn union(&mut self, name: &str, variants: &[Field]) -> String {
        let mut taken = BTreeSet::new();
        let mut out = format!("pub enum {name} {{\n");
        for Field { wire, of, .. } in variants {
            let (docs, description) = self.docs(of.description.as_deref(), 4);
            out.push_str(&docs);
            if self.purpose == Purpose::Definition {
                let keys = description.into_iter().chain(self.nested(&of.ty));
                out.push_str(&attributes(&keys.chain(of.keys.clone()).collect::<Vec<_>>(), 4));
            }
            let ty = self.ty(&of.ty);
            out.push_str(&variant(wire, &mut taken, &format!("({ty})")));
        }
        out.push_str("}\n");
        out
    }

    fn structure(&mut self, name: &str, fields: &[Field], open: bool, first: &[&str]) -> String {
        let mut idents = BTreeSet::new();
        if !first.is_empty() {
            idents.extend(["type_meta", "api_version", "kind", "metadata"].map(str::to_owned));
        }
        let idents: Vec<String> = fields
            .iter()
            .map(|field| {
                let ident = if field.flatten { "one_of".to_owned() } else { snake(&field.wire) };
                let free = (1..).map(|number| {
                    if number == 1 {
                        ident.clone()
                    } else {
                        format!("{}_{number}", ident.trim_start_matches("r#").trim_end_matches('_'))
                    }
                });
                let ident = free.into_iter().find(|ident| !idents.contains(ident)).unwrap_or(ident);
                idents.insert(ident.clone());
                ident
            })
            .collect();
        let plain = |ident: &String| ident.trim_start_matches("r#").to_owned();
        let named: Vec<_> =
            fields.iter().zip(&idents).filter(|(field, _)| !field.flatten).collect();
        let fits = |rule: &dyn Fn(&str) -> String| {
            named.iter().filter(|(field, ident)| rule(ident) == field.wire).count()
        };
        let unruled = named.iter().filter(|(field, ident)| plain(ident) == field.wire).count();
        let best = names::RENAME_RULES.iter().max_by_key(|(_, rule)| fits(rule));
        let best = best.filter(|(_, rule)| fits(rule) > unruled);
        let mut out = String::new();
        if let Some((rule, _)) = best {
            let _ = writeln!(out, "#[serde(rename_all = \"{rule}\")]");
        }
        if fields.is_empty() && !open && first.is_empty() {
            let _ = writeln!(out, "pub struct {name} {{}}");
            return out;
        }
        let _ = writeln!(out, "pub struct {name} {{");
        out.push_str(&first.concat());
        for (field, ident) in fields.iter().zip(&idents) {
            let written = best.map_or_else(|| plain(ident), |(_, rule)| rule(ident));
            let is_status = !first.is_empty() && field.wire == "status";
            out.push_str(&self.field(field, ident, written != field.wire, is_status));
        }
        if open {
            self.imports.insert("std::collections::BTreeMap");
            let rest =
                (1..).map(
                    |number| if number == 1 { "rest".to_owned() } else { format!("rest_{number}") },
                );
            let rest = rest.into_iter().find(|rest| !idents.contains(rest)).unwrap_or_default();
            let _ = write!(
                out,
                "    /// Fields that the schema does not name.\n    #[serde(flatten)]\n    pub {rest}: BTreeMap<String, serde_json::Value>,\n"
            );
        }
        out.push_str("}\n");
        out
    }

    /// `is_status`: the server removes the status of a new object, even one with a default.
    fn field(&mut self, field: &Field, ident: &str, renamed: bool, is_status: bool) -> String {
        let Field { wire, required, flatten, of } = field;
        if *flatten {
            let ty = self.ty(&of.ty);
            return if *required {
                format!("    #[serde(flatten)]\n    pub {ident}: {ty},\n")
            } else {
                let skip = "skip_serializing_if = \"Option::is_none\"";
                format!("    #[serde(flatten, {skip})]\n    pub {ident}: Option<{ty}>,\n")
            };
        }
        let Use { ty, keys, description, nullable, default } = of;
        let any = *ty == Type::Plain("serde_json::Value");
        let mut all = Vec::new();
        let (docs, description_key) = self.docs(description.as_deref(), 4);
        all.extend(description_key);
        let mut serde = Vec::new();
        if renamed {
            serde.push(format!("rename = {}", string(wire)));
        }
        let nullable = *nullable && !any;
        let optional = if *required {
            if nullable {
                all.push(Key::flag("required"));
            }
            nullable
        } else if default.is_some()
            && !nullable
            && !is_status
            && self.purpose == Purpose::Definition
        {
            // The server fills it in.
            false
        } else {
            // Beside a default, `null` is written: absence stands for the default.
            if !nullable || default.is_none() {
                serde.push("skip_serializing_if = \"Option::is_none\"".to_owned());
            }
            if nullable {
                all.push(Key::flag("nullable"));
            }
            true
        };
        if let Some(default) = default {
            all.push(Key::value("default", default));
        }
        all.extend(self.nested(ty));
        all.extend(keys.clone());
        let mut out = docs;
        if self.purpose == Purpose::Definition {
            out.push_str(&attributes(&all, 4));
        }
        let flat = format!("    #[serde({})]\n", serde.join(", "));
        if flat.trim_end().chars().count() > WIDTH {
            let _ = writeln!(out, "    #[serde(\n        {}\n    )]", serde.join(",\n        "));
        } else if !serde.is_empty() {
            out.push_str(&flat);
        }
        let ty = self.ty(ty);
        let ty = if optional { format!("Option<{ty}>") } else { ty };
        let line = format!("    pub {ident}: {ty},\n");
        // As rustfmt breaks it.
        let line = if line.trim_end().len() > WIDTH {
            format!("    pub {ident}:\n        {ty},\n")
        } else {
            line
        };
        out + &line
    }

    /// `items(..)` or `values(..)`, if the elements have keys or a description that their type does not have.
    fn nested(&self, ty: &Type) -> Option<Key> {
        let (name, of) = match ty {
            Type::List(of) => ("items", of),
            Type::Map(of) => ("values", of),
            _ => return None,
        };
        let of_type = match of.ty {
            Type::Item(item) => self.item_docs[item].as_ref(),
            _ => None,
        };
        let description = of.description.as_ref().filter(|text| Some(*text) != of_type);
        let description = description.map(|text| Key::text("description", text));
        let keys: Vec<_> = description
            .into_iter()
            .chain(self.nested(&of.ty))
            .chain(of.keys.iter().cloned())
            .collect();
        (!keys.is_empty()).then(|| Key::call(name, keys))
    }

    fn ty(&mut self, ty: &Type) -> String {
        match ty {
            Type::Plain(name) => (*name).to_owned(),
            Type::Imported(path) => {
                self.imports.insert(path);
                path.rsplit("::").next().unwrap_or(path).to_owned()
            }
            Type::Item(item) => {
                self.mentions.insert(*item);
                self.names[*item].clone()
            }
            Type::List(element) => format!("Vec<{}>", self.element(element)),
            Type::Map(element) => {
                self.imports.insert("std::collections::BTreeMap");
                format!("BTreeMap<String, {}>", self.element(element))
            }
        }
    }

    fn element(&mut self, Use { ty, nullable, .. }: &Use) -> String {
        let ty = self.ty(ty);
        if *nullable { format!("Option<{ty}>") } else { ty }
    }

    /// Returns a doc comment, or the key `description` where only that is exact.
    fn docs(&mut self, description: Option<&str>, indent: usize) -> (String, Option<Key>) {
        let Some(description) = description else { return (String::new(), None) };
        let lines = match doc(description, indent) {
            Doc::Attribute(text) if self.purpose == Purpose::Definition => {
                return (String::new(), Some(Key::text("description", &text)));
            }
            Doc::Attribute(text) => approximate(&text, indent),
            Doc::Comment(lines) => lines,
            Doc::Joined(lines) => {
                self.joined += 1;
                lines
            }
        };
        let margin = " ".repeat(indent);
        let lines = lines.iter().map(|line| {
            if line.is_empty() { format!("{margin}///\n") } else { format!("{margin}/// {line}\n") }
        });
        (lines.collect(), None)
    }
}

/// An enum of names.
fn enumeration(name: &str, values: &[String]) -> String {
    let mut taken = BTreeSet::new();
    let mut out = format!("pub enum {name} {{\n");
    for value in values {
        out.push_str(&variant(value, &mut taken, ""));
    }
    out.push_str("}\n");
    out
}

/// A variant with this name in JSON.
fn variant(wire: &str, taken: &mut BTreeSet<String>, content: &str) -> String {
    let plain = match pascal(wire) {
        name if name.is_empty() && wire.is_empty() => "Empty".to_owned(),
        name if name.is_empty() => sign_names(wire),
        name => name,
    };
    let variant = names::numbered(&plain, taken);
    taken.insert(variant.clone());
    let rename = if variant == wire {
        String::new()
    } else {
        format!("    #[serde(rename = {})]\n", string(wire))
    };
    format!("{rename}    {variant}{content},\n")
}

/// Names a value that has neither letters nor digits, such as `!=`.
fn sign_names(value: &str) -> String {
    let names = value.chars().map(|c| match c {
        '=' => "Equal",
        '!' => "Not",
        '<' => "Less",
        '>' => "Greater",
        '~' => "Tilde",
        '+' => "Plus",
        '-' => "Minus",
        '*' => "Star",
        '/' => "Slash",
        '.' => "Dot",
        '^' => "Caret",
        '&' => "And",
        '|' => "Or",
        ' ' => "Blank",
        _ => "Sign",
    });
    names.collect()
}
