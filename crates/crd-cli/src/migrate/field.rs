//! What becomes of a field.

use syn::{Field, Meta, Type};

use super::function::{self, Place};
use super::keys::Key;
use super::kind::Outcome;
use super::note::Severity;
use super::plan::{Container, FunctionUse, Plan};
use super::rule;
use super::schemars::Target;
use super::scope::{Json, held, option};
use super::serde::{self, Serde, SerdeDefault};
use super::source::{Attr, name_of, range, start_of};
use super::write::{Item, Slot};

/// The path of the functions that read schemas of schemars.
const BRIDGE: &str = "crd_runtime::crd_schema::bridge";
/// The reason of `unchecked`.
const UNCHECKED: &str = "\"as with kube's derive\"";

impl Plan<'_> {
    /// Migrates a field.
    pub(super) fn field(&mut self, field: &Field, container: Container<'_>) {
        let attrs = Attr::all(&field.attrs, self.source);
        let serde = Serde::of(&attrs);
        let mut state = State {
            field,
            serde: &serde,
            at: range(&field.ty).start,
            default: None,
            replaces_schema: false,
            item: Item::default(),
        };
        for attr in &attrs {
            self.attribute_of_field(attr, &mut state, container);
        }
        if serde.skip {
            state.item.added.clear();
        } else {
            self.schema_of_foreign(&mut state);
            self.default(&mut state, container);
            self.presence(&mut state, &attrs);
        }
        let start = field.ident.as_ref().map_or_else(|| range(&field.ty), range);
        let start = match field.vis {
            syn::Visibility::Inherited => start.start,
            _ => start_of(&field.vis, &field.ty),
        };
        let slot = Slot { start, condition: container.condition };
        state.item.write(&attrs, slot, self.source, &mut self.edits);
    }

    fn attribute_of_field(&mut self, attr: &Attr, state: &mut State<'_>, container: Container<'_>) {
        let target = Target { ty: Some(&state.field.ty), names: self.names, source: self.source };
        if !self.is_migrated(attr) {
            return;
        }
        let keys = self.keys(attr);
        if attr.name.ends_with("validate") && keys.iter().any(|key| name_of(key) == "rule") {
            let rule = rule::of_keys(&keys, self.source);
            if attr.name == "validate" && rule.is_ok() {
                let text = "kube since 1.0 ignores `#[validate(rule = ..)]`; the rule is in the schema now";
                self.note(attr.range.start, Severity::Mended, text);
            }
            if let Err(text) = &rule {
                self.note(attr.range.start, Severity::ByHand, text);
            }
            let mut converted: Vec<_> =
                keys.into_iter().map(|key| (key, Outcome::Keys(Vec::new()))).collect();
            converted[0].1 = rule.into();
            state.item.attrs.push((attr.clone(), converted));
            return;
        }
        let mut converted = Vec::new();
        for key in keys {
            let outcome = match (&*attr.name, &*name_of(&key)) {
                ("x_kube", _) => target.x_kube(&key),
                (_, "default") => {
                    state.default = Some(serde::text(&key));
                    (Outcome::Keys(Vec::new()), None)
                }
                (_, "schema_with") => (self.schema_with(&key, state), None),
                (_, "with") => (self.with(&key, state), None),
                _ => target.schemars(&key),
            };
            let outcome = self.noted(&key, outcome);
            converted.push((key, outcome));
        }
        if attr.name == "validate" && container.keeps_validate {
            for (_, outcome) in converted {
                if let Outcome::Keys(keys) = outcome {
                    state.item.added.extend(keys);
                }
            }
        } else {
            state.item.attrs.push((attr.clone(), converted));
        }
    }

    /// Converts `schema_with = "function"`.
    fn schema_with(&mut self, key: &Meta, state: &mut State<'_>) -> Outcome {
        state.replaces_schema = true;
        let path = serde::text(key).unwrap_or_default();
        let name = path.rsplit("::").next().unwrap_or_default().to_owned();
        let functions = self.names.functions.get(&name);
        let function = functions.and_then(|functions| {
            let own = functions.iter().find(|(index, _)| *index == self.index);
            own.or_else(|| functions.first().filter(|_| functions.len() == 1))
        });
        let Some((index, function)) = function else {
            return Outcome::Unknown(format!(
                "`{path}` is not among the files; write a function that returns \
                 `crd_runtime::model::JsonSchemaProps`, and `#[crd(schema_with = function)]`"
            ));
        };
        let source = &self.sources[*index];
        let made = function::read(function, source);
        let is_described = state.field.attrs.iter().any(|attr| attr.path().is_ident("doc"));
        let place =
            Place { names: self.names, uses: &self.uses, source: self.source, is_described };
        let said = made.and_then(|made| place.say(&made, &state.field.ty));
        let is_first = !self.functions.iter().any(|it| it.file == *index && it.name == name);
        self.functions.push(FunctionUse {
            file: *index,
            name: name.clone(),
            is_bridged: said.is_none(),
        });
        if let Some(said) = said {
            for note in &said.notes {
                self.note(state.at, Severity::Differs, note);
            }
            if is_first {
                state.item.comments.extend(super::functions::comments(function, source));
            }
            return Outcome::Keys(said.keys);
        }
        if source.of(function).contains("schemars::schema::") {
            return Outcome::Unknown(format!(
                "`{name}` is written for schemars 0.8; move to schemars 1 first, or write the keys of `#[crd(..)]` \
                 that say what it does"
            ));
        }
        let prefix = path.strip_suffix(&*name).unwrap_or_default();
        let name = super::functions::bridged(&name);
        Outcome::Keys(vec![Key::value("schema_with", format_args!("{prefix}{name}"))])
    }

    /// Converts `with = "Type"`.
    fn with(&mut self, key: &Meta, state: &mut State<'_>) -> Outcome {
        state.replaces_schema = true;
        let text = serde::text(key).unwrap_or_default();
        match syn::parse_str::<Type>(&text) {
            Ok(ty) => Outcome::Keys(vec![self.schema_of(&ty, &text)]),
            Err(error) => Outcome::Unknown(format!("`{text}` is no type: {error}")),
        }
    }

    /// Returns the key that takes the schema of another type.
    fn schema_of(&mut self, ty: &Type, text: &str) -> Key {
        match self.names.origins(ty, &self.uses) {
            Ok(_) => Key::value(
                "schema_with",
                format_args!("<{text} as crd_runtime::CrdSchema>::schema"),
            ),
            Err(_) => Key::value("schema_with", format_args!("{BRIDGE}::schema::<{text}>")),
        }
    }

    /// Takes the schema of a type of another crate from schemars, and that of a field with functions for serde from its
    /// type.
    fn schema_of_foreign(&mut self, state: &mut State<'_>) {
        if state.replaces_schema {
            return;
        }
        let ty = option(&state.field.ty).unwrap_or(&state.field.ty);
        let text = self.source.of(ty).to_owned();
        let foreign = match self.names.origins(ty, &self.uses) {
            Ok(known) => {
                self.features.extend(known);
                None
            }
            Err(foreign) => Some(foreign),
        };
        match foreign {
            Some(foreign) if state.serde.flatten => {
                let text = format!(
                    "`{foreign}` is flattened, and its schema cannot be bridged; write its fields here, or `impl \
                     CrdSchema` for a type of yours around it"
                );
                self.note(state.at, Severity::ByHand, &text);
            }
            Some(_) => {
                state
                    .item
                    .added
                    .push(Key::value("schema_with", format_args!("{BRIDGE}::schema::<{text}>")));
            }
            None if state.serde.with => {
                let key = self.schema_of(ty, &text);
                state.item.added.push(key);
            }
            None => {}
        }
    }

    /// Writes the default that kube's derive took from serde.
    fn default(&mut self, state: &mut State<'_>, container: Container<'_>) {
        let State { serde, default, field, .. } = state;
        if serde.flatten || serde.skip_deserializing {
            return;
        }
        let is_option = option(&field.ty).is_some();
        let inherited = match serde.default {
            SerdeDefault::None if container.has_default => SerdeDefault::Value,
            ref own => own.clone(),
        };
        let keys = match (default, inherited) {
            (Some(Some(path)), SerdeDefault::None) => {
                vec![Key::value("default", format_args!("{path}()"))]
            }
            (Some(None), SerdeDefault::None) if !is_option => {
                let ty = self.source.of(&field.ty);
                vec![Key::value("default", format_args!("<{ty} as Default>::default()"))]
            }
            // Without `nullable`, the server would replace `null`, with kube's derive it stays.
            (_, SerdeDefault::Function) if is_option => {
                vec![Key::word("default"), Key::word("nullable")]
            }
            (_, SerdeDefault::Function) => vec![Key::word("default")],
            // schemars leaves out a default that serde skips.
            (_, SerdeDefault::Value) if !is_option && !serde.skips_default() => {
                vec![Key::word("default")]
            }
            _ => return,
        };
        if container.is_merged {
            let text = "kube's derive wrote the default for objects of every variant; it is left out, and serde's remains";
            self.note(state.at, Severity::Mended, text);
            return;
        }
        self.defaults += 1;
        state.item.added.splice(0..0, keys);
    }

    /// Leaves `None` out where the server rejects `null`, and reports what differs.
    fn presence(&mut self, state: &mut State<'_>, attrs: &[Attr]) {
        let ty = &state.field.ty;
        let is_option = option(ty).is_some();
        let is_unbounded =
            is_unsigned(held(ty)) && !state.replaces_schema && !state.item.sets("maximum");
        if state.serde.alias || is_unbounded {
            state.item.added.push(Key::List("unchecked", vec![UNCHECKED.to_owned()]));
        }
        if is_unbounded {
            let text = "the server reads no integer above 2^63 - 1; give it a `maximum` in place of `unchecked`";
            self.note(state.at, Severity::Mended, text);
        }
        if state.serde.alias {
            let text = "the server prunes an `alias` before serde can read it; remove the alias and `unchecked`";
            self.note(state.at, Severity::Mended, text);
        }
        if is_option && !state.serde.skips_none() && self.names.units(held(ty)).is_some() {
            self.skip_none(state, attrs);
            let text = "the server rejects the `null` of an enumeration, which serde wrote for `None`; it leaves `None` \
                        out now";
            self.note(state.at, Severity::Mended, text);
        } else if is_option
            && state.serde.skips_none()
            && state.serde.default != SerdeDefault::Function
        {
            self.not_nullable += 1;
        }
        let text = self.source.of(held(ty));
        let is_set = text.contains("BTreeSet<") || text.contains("HashSet<");
        if is_set && matches!(self.names.json(ty), Json::List(_)) && !state.replaces_schema {
            let text = "a set has the list type `set`: duplicates are rejected; for kube's schema add \
                        `#[crd(list_type = \"atomic\")]`";
            self.note(state.at, Severity::Differs, text);
        }
    }

    fn skip_none(&mut self, state: &State<'_>, attrs: &[Attr]) {
        const SKIP: &str = "skip_serializing_if = \"Option::is_none\"";
        let own = attrs.iter().find(|attr| attr.name == "serde" && attr.condition.is_none());
        match own.map(|attr| (&attr.meta, attr.keys())) {
            Some((Meta::List(_), Some(keys))) if !keys.is_empty() => {
                let last = keys.last().map_or(0, |key| range(key).end);
                self.edits.insert(last, format!(", {SKIP}"));
            }
            _ => {
                let at = state
                    .field
                    .ident
                    .as_ref()
                    .map_or(state.at, |ident| start_of(&state.field.vis, ident));
                let indent = super::edit::indentation(&self.source.text, at).unwrap_or_default();
                self.edits.insert(at, format!("#[serde({SKIP})]\n{indent}"));
            }
        }
    }
}

/// Whether a type has values that the server cannot read.
fn is_unsigned(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("u64") || path.path.is_ident("usize"))
}

/// A field while its attributes are read.
struct State<'a> {
    field: &'a Field,
    serde: &'a Serde,
    /// Where remarks are.
    at: usize,
    /// `#[schemars(default)]`, with its function.
    #[expect(clippy::option_option, reason = "without a value, it is the default of the type")]
    default: Option<Option<String>>,
    /// Whether the schema is not that of the type.
    replaces_schema: bool,
    item: Item,
}
