//! Functions that make schemas for schemars, read as far as they are a list of keywords.

use proc_macro2::TokenStream;
use serde_json::{Map, Value};
use syn::{
    Block, Expr, ExprCall, ExprMethodCall, FnArg, ItemFn, Macro, Pat, Signature, Stmt, Type,
};

use super::keys::Key;
use super::keywords::{self, Keyword};
use super::rule::{ends_with, is_conversion};
use super::scope::{Json, Names, Uses, held};
use super::source::Source;
use super::{constant, json, serde};

/// The name of an expression that is the schema of a type.
const SUBSCHEMA: &str = "subschema";

/// The schema that a function makes.
#[derive(Debug, Clone, Default)]
pub(super) struct Made {
    /// The type whose schema it starts with.
    pub base: Option<String>,
    /// The keywords that it sets.
    pub keywords: Map<String, Value>,
}

/// Returns the schema that a function makes; `None` if it does more than set keywords.
pub(super) fn read(function: &ItemFn, source: &Source) -> Option<Made> {
    body(&function.sig, &function.block, source)
}

/// As [`read`], for a method.
pub(super) fn body(signature: &Signature, block: &Block, source: &Source) -> Option<Made> {
    let generator = match signature.inputs.iter().collect::<Vec<_>>()[..] {
        [FnArg::Typed(argument)] => source.of(&*argument.pat).trim_start_matches("mut ").to_owned(),
        _ => return None,
    };
    let mut reader = Reader { source, generator, names: Map::new(), made: Vec::new() };
    let (last, before) = block.stmts.split_last()?;
    before.iter().try_for_each(|statement| reader.statement(statement))?;
    match last {
        Stmt::Expr(expr, _) => reader.schema(expr),
        Stmt::Macro(it) => reader.literal(&it.mac),
        _ => None,
    }
}

struct Reader<'a> {
    source: &'a Source,
    generator: String,
    /// The variables that hold the schema of a type, or a schema of keywords by its index in `made`.
    names: Map<String, Value>,
    made: Vec<Made>,
}

impl Reader<'_> {
    fn statement(&mut self, statement: &Stmt) -> Option<()> {
        match statement {
            Stmt::Local(local) => {
                let name = match &local.pat {
                    Pat::Type(it) => self.source.of(&*it.pat),
                    pat => self.source.of(pat),
                };
                let name = name.trim_start_matches("mut ").to_owned();
                let made = self.schema(&local.init.as_ref()?.expr)?;
                self.names.insert(name, self.made.len().into());
                self.made.push(made);
                Some(())
            }
            Stmt::Expr(Expr::MethodCall(call), _) if call.method == "insert" => self.insert(call),
            _ => None,
        }
    }

    fn insert(&mut self, call: &ExprMethodCall) -> Option<()> {
        let mut receiver = &*call.receiver;
        loop {
            receiver = match receiver {
                Expr::Field(it) => &it.base,
                Expr::MethodCall(it) if it.method == "ensure_object" => &it.receiver,
                _ => break,
            };
        }
        let index = self.names.get(self.source.of(receiver))?.as_u64()?;
        let (name, value) = match call.args.iter().collect::<Vec<_>>()[..] {
            [name, value] => (self.value(name)?, self.value(value)?),
            _ => return None,
        };
        let made = self.made.get_mut(usize::try_from(index).ok()?)?;
        made.keywords.insert(name.as_str()?.to_owned(), value);
        Some(())
    }

    /// Reads an expression that is a schema.
    fn schema(&self, expr: &Expr) -> Option<Made> {
        match expr {
            Expr::Path(path) => {
                let index = self.names.get(self.source.of(path))?.as_u64()?;
                self.made.get(usize::try_from(index).ok()?).cloned()
            }
            Expr::Macro(it) => self.literal(&it.mac),
            Expr::MethodCall(call) if is_conversion(call) || call.method == "unwrap" => {
                self.schema(&call.receiver)
            }
            Expr::MethodCall(call) if call.method == "subschema_for" => {
                let is_own = self.source.of(&*call.receiver) == self.generator;
                let arguments = call.turbofish.as_ref().filter(|_| is_own)?;
                let base = self.source.of(arguments.args.first()?).to_owned();
                Some(Made { base: Some(base), ..Made::default() })
            }
            Expr::Call(call) if ends_with(&call.func, "json_schema") => self.of_type(call),
            Expr::Call(ExprCall { func, args, .. })
                if args.len() == 1
                    && (ends_with(func, "Object") || ends_with(func, "from_value")) =>
            {
                self.schema(&args[0])
            }
            _ => None,
        }
    }

    /// Reads `T::json_schema(generator)`.
    fn of_type(&self, call: &ExprCall) -> Option<Made> {
        let Expr::Path(path) = &*call.func else { return None };
        let text = self.source.of(path);
        let base = match &path.qself {
            Some(own) => self.source.of(&*own.ty),
            None => text.strip_suffix("json_schema")?.trim_end().trim_end_matches("::"),
        };
        let base = base.to_owned();
        Some(Made { base: Some(base), ..Made::default() })
    }

    fn literal(&self, mac: &Macro) -> Option<Made> {
        let name = mac.path.segments.last()?.ident.to_string();
        if !matches!(&*name, "json_schema" | "json") {
            return None;
        }
        match self.json(&mac.tokens)? {
            Value::Object(keywords) => Some(Made { base: None, keywords }),
            _ => None,
        }
    }

    fn json(&self, tokens: &TokenStream) -> Option<Value> {
        json::read(tokens, &|tokens| {
            if let Some(number) = constant::integer(tokens, self.source) {
                return Some(number.into());
            }
            let expr: Expr = syn::parse2(tokens.clone()).ok()?;
            let made = self.schema(&expr)?;
            // A description that is added to the schema of a type does not hide which type it is.
            let others = made.keywords.keys().any(|name| name != "description");
            let base = made.base.filter(|_| !others)?;
            Some(json::expression(SUBSCHEMA, &base))
        })
    }

    /// Reads an expression that is JSON.
    fn value(&self, expr: &Expr) -> Option<Value> {
        match expr {
            Expr::Lit(_) => match serde::string(expr) {
                Some(text) => Some(Value::String(text)),
                None => self.json(&self.source.of(expr).parse().ok()?),
            },
            Expr::Macro(it) if it.mac.path.segments.last()?.ident == "json" => {
                self.json(&it.mac.tokens)
            }
            Expr::MethodCall(call) if is_conversion(call) || call.method == "unwrap" => {
                self.value(&call.receiver)
            }
            Expr::Call(ExprCall { func, args, .. }) if args.len() == 1 => {
                if ends_with(func, "from_str") {
                    return serde_json::from_str(self.value(&args[0])?.as_str()?).ok();
                }
                let wraps = ["String", "Bool", "from"].iter().any(|name| ends_with(func, name));
                wraps.then(|| self.value(&args[0])).flatten()
            }
            _ => None,
        }
    }
}

/// The keys that say the same as a function.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub keys: Vec<Key>,
    pub notes: Vec<String>,
}

/// What is known of the place of a schema.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub names: &'a Names<'a>,
    pub uses: &'a Uses,
    pub source: &'a Source,
    /// Whether a doc comment is the description.
    pub is_described: bool,
}

impl Place<'_> {
    /// Returns the keys for a schema that replaces the schema of a type; `None` if keys cannot say it.
    pub(super) fn say(&self, made: &Made, ty: &Type) -> Option<Said> {
        let mut said = Said::default();
        match &made.base {
            Some(base) => {
                let is_same = [ty, held(ty)].iter().any(|ty| same(self.source.of(*ty), base));
                if !is_same {
                    said.keys.push(Key::value(
                        "schema_with",
                        format_args!("<{base} as crd_runtime::CrdSchema>::schema"),
                    ));
                }
                self.keywords(&made.keywords, None, &mut said)?;
            }
            None => self.keywords(&made.keywords, Some(held(ty)), &mut said)?,
        }
        Some(said)
    }

    /// Adds the keys for keywords. `ty` is the type whose schema they replace.
    fn keywords(
        &self,
        keywords: &Map<String, Value>,
        ty: Option<&Type>,
        said: &mut Said,
    ) -> Option<()> {
        let mut patched = Vec::new();
        if let Some(Json::Any) = ty.map(|ty| self.names.json(ty)) {
            return self.any(keywords, said);
        }
        let is_of_kubernetes = ty.is_some_and(|ty| self.is_of_kubernetes(ty));
        for (name, value) in keywords {
            match (&**name, ty) {
                // Whether `null` is accepted follows from what serde writes.
                ("nullable", _) => {}
                ("description", _) if self.is_described => {}
                // The type has the format that the server knows.
                ("format", Some(ty))
                    if matches!(self.names.json(ty), Json::Integer | Json::Number) => {}
                ("type", Some(ty)) => self.has_type(ty, value.as_str()?).then_some(())?,
                ("properties" | "required", Some(ty)) if is_of_kubernetes => {
                    let note = "the schema of this type of Kubernetes is that of controller-gen";
                    said.notes.push(format!(
                        "{note}, in place of the one written for `{}`",
                        self.source.of(ty)
                    ));
                }
                ("enum", Some(ty)) if self.is_enumeration(ty, value) => {}
                ("items" | "additionalProperties", Some(ty)) => {
                    self.inner(name, value, ty, said)?;
                }
                (_, ty) => match keywords::convert(name, value) {
                    Keyword::Keys(keys) => said.keys.extend(keys),
                    Keyword::Patch if ty.is_none() => patched.push((&**name, value)),
                    Keyword::Patch => return None,
                    Keyword::Unknown => said.notes.push(format!("the server drops `{name}`")),
                },
            }
        }
        if !patched.is_empty() {
            said.keys.push(keywords::patch(&patched));
        }
        said.notes.dedup();
        Some(())
    }

    /// Adds the keys for the schema of any JSON.
    fn any(&self, keywords: &Map<String, Value>, said: &mut Said) -> Option<()> {
        let is_object = keywords.get("type").map(|it| it.as_str() == Some("object"));
        let is_open =
            keywords.get("x-kubernetes-preserve-unknown-fields").is_some_and(|it| it == true);
        let is_known = keywords.keys().all(|name| {
            ["type", "x-kubernetes-preserve-unknown-fields", "nullable"].contains(&&**name)
                || (name == "description" && self.is_described)
        });
        match is_object {
            _ if !is_open || !is_known => None,
            None => Some(()),
            Some(true) => {
                said.keys.push(Key::value("schema_with", "crd_runtime::crd_schema::open_object"));
                Some(())
            }
            Some(false) => None,
        }
    }

    fn inner(&self, name: &str, value: &Value, ty: &Type, said: &mut Said) -> Option<()> {
        let (element, key) = match (self.names.json(ty), name) {
            (Json::List(element), "items") => (element, "items"),
            (Json::Map(element), "additionalProperties") => (element, "values"),
            _ => return None,
        };
        if let Some(base) = json::expression_of(SUBSCHEMA, value) {
            return same(base, self.source.of(element)).then_some(());
        }
        let mut inner = Said::default();
        let place = Place { is_described: self.is_of_kubernetes(element), ..*self };
        place.keywords(value.as_object()?, Some(held(element)), &mut inner)?;
        said.notes.extend(inner.notes);
        if !inner.keys.is_empty() {
            said.keys.push(Key::List(key, inner.keys.iter().map(Key::on_one_line).collect()));
        }
        Some(())
    }

    fn is_of_kubernetes(&self, ty: &Type) -> bool {
        let origins = self.names.origins(ty, self.uses);
        origins.is_ok_and(|it| it.iter().any(|name| name == "k8s_openapi"))
    }

    /// Whether a type is of this type in JSON.
    fn has_type(&self, ty: &Type, name: &str) -> bool {
        match self.names.json(ty) {
            Json::Text => name == "string",
            Json::Boolean => name == "boolean",
            Json::Integer => name == "integer",
            Json::Number => name == "number",
            Json::List(_) => name == "array",
            Json::Map(_) => name == "object",
            Json::Any => false,
            Json::Other if self.names.units(ty).is_some() => name == "string",
            Json::Other => name == "object" && self.is_of_kubernetes(ty),
        }
    }

    /// Whether a type is an enum of these values.
    fn is_enumeration(&self, ty: &Type, values: &Value) -> bool {
        let (Some(units), Some(values)) = (self.names.units(ty), values.as_array()) else {
            return false;
        };
        let given = values.iter().filter(|value| !value.is_null());
        let mut given: Vec<_> = given.filter_map(Value::as_str).collect();
        let mut units: Vec<_> = units.iter().map(String::as_str).collect();
        given.sort_unstable();
        units.sort_unstable();
        given == units
    }
}

/// Whether two pieces of source are the same, white space apart.
pub(super) fn same(a: &str, b: &str) -> bool {
    let words = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    words(a) == words(b)
}
