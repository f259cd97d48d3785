//! Generates random types with attributes: most of what `attributes.md` and serde allow, and some of what they do not.

use std::fmt::Write as _;

use fastrand::Rng;

/// Names of fields. There are few, so that the fields of flattened types collide now and then.
const NAMES: [&str; 14] = [
    "a",
    "b",
    "name",
    "kind",
    "value",
    "first_name",
    "x_y_z",
    "items",
    "size",
    "r#type",
    "metadata",
    "spec",
    "list",
    "n1",
];
/// JSON names that are special in CEL or JSON paths, or to the server.
const WIRE_NAMES: [&str; 8] = ["a.b", "x-y", "in", "true", "$ref", "é", "apiVersion", "__a"];
const RENAME_ALL: [&str; 8] = [
    "lowercase",
    "UPPERCASE",
    "PascalCase",
    "camelCase",
    "snake_case",
    "SCREAMING_SNAKE_CASE",
    "kebab-case",
    "SCREAMING-KEBAB-CASE",
];
/// The tagging of an enum whose variants' contents are values of one field.
const ADJACENT: &str = "tag = \"t\", content = \"c\"";
/// An expression for an embedded resource.
const RESOURCE: &str = r#"json!({"apiVersion": "v1", "kind": "Pod", "x": 1})"#;
/// The deepest nesting of types.
const DEPTH: u32 = 3;

/// A type, and how to create a value of it.
#[derive(Clone)]
struct Ty {
    text: String,
    kind: TyKind,
    /// An expression for a value; it can use `r`, a random number generator.
    value: String,
    /// Whether it implements `Default`.
    default: bool,
    /// Whether it implements `Ord`.
    ord: bool,
}

#[derive(Clone)]
enum TyKind {
    Int(i128, i128),
    Float,
    Bool,
    Text,
    List(Box<Ty>),
    Map(Box<Ty>),
    /// A container of one value, such as `Box`, and the call that creates it.
    In(&'static str, Box<Ty>),
    Newtype(String, Box<Ty>),
    /// A struct: the names of its fields that are scalars, and whether it has flattened parts.
    Struct(Vec<String>, bool),
    /// An enum of strings.
    Words(Vec<String>),
    /// An enum with content, and whether it is externally tagged.
    Enum(bool),
    Any,
    Other,
}

impl Ty {
    fn new(text: impl Into<String>, kind: TyKind) -> Self {
        Self { text: text.into(), kind, value: "Arb::arb(r)".into(), default: true, ord: true }
    }

    fn with_traits(self, default: bool, ord: bool) -> Self {
        Self { default, ord, ..self }
    }

    fn is_option(&self) -> bool {
        matches!(self.kind, TyKind::In("option", _))
    }

    /// Whether it has neither attributes of its own nor fields.
    fn is_plain(&self) -> bool {
        matches!(
            self.kind,
            TyKind::Int(..)
                | TyKind::Float
                | TyKind::Bool
                | TyKind::Text
                | TyKind::List(_)
                | TyKind::Map(_)
                | TyKind::Words(_)
        )
    }

    /// Returns the expression for a value of the type whose innermost value is `value`.
    fn with_value(&self, value: String) -> String {
        match &self.kind {
            TyKind::In("option", inner) => format!("option(r, |r| {})", inner.with_value(value)),
            TyKind::In(call, inner) => format!("{call}({})", inner.with_value(value)),
            TyKind::Newtype(name, inner) => format!("{name}({})", inner.with_value(value)),
            _ => value,
        }
    }

    /// Returns the type to which constraints apply, inside of containers and newtypes.
    fn core(&self) -> &Self {
        match &self.kind {
            TyKind::In(_, inner) | TyKind::Newtype(_, inner) => inner.core(),
            _ => self,
        }
    }
}

/// Generates the source of a module with a type `Root`.
pub(super) fn module(seed: u64) -> String {
    let mut types = Types { rng: Rng::with_seed(seed), items: String::new(), count: 0 };
    let root = match types.rng.u8(..10) {
        0..=4 => types.structure(DEPTH),
        5..=8 => types.choice(DEPTH),
        _ => types.newtype(DEPTH),
    };
    // The type is also a field of a kind, because two checks are made only there: whether the items of a list can be
    // correlated with those of the old list, and what all rules cost together.
    format!(
        "{}pub type Root = {};\n#[derive(CustomResource, Serialize, Deserialize)]\n#[crd(group = \"example.com\", version \
         = \"v1\", kind = \"Place\", namespaced, fields = false)]\npub struct Place {{ #[serde(flatten)] pub type_meta: \
         TypeMeta<Self>, pub metadata: ObjectMeta, pub value: Root }}\n",
        types.items, root.text
    )
}

struct Types {
    rng: Rng,
    items: String,
    count: usize,
}

/// Attributes under construction.
#[derive(Default)]
struct Attributes {
    crd: Vec<String>,
    serde: Vec<String>,
}

impl Attributes {
    fn text(&self) -> String {
        let mut text = String::new();
        for (name, keys) in [("crd", &self.crd), ("serde", &self.serde)] {
            if !keys.is_empty() {
                let _ = write!(text, "#[{name}({})] ", keys.join(", "));
            }
        }
        text
    }

    fn has(&self, key: &str) -> bool {
        self.serde.iter().any(|there| there == key)
    }
}

impl Types {
    /// Returns true in one of `n` cases, at random.
    fn rarely(&mut self, n: u32) -> bool {
        self.rng.u32(..n) == 0
    }

    fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.rng.usize(..of.len())]
    }

    fn name(&mut self) -> String {
        self.count += 1;
        format!("T{}", self.count)
    }

    fn ty(&mut self, depth: u32) -> Ty {
        if depth == 0 || self.rng.u8(..10) < 5 {
            return self.scalar();
        }
        let depth = depth - 1;
        match self.rng.u8(..17) {
            0..=2 => {
                let inner = self.ty(depth);
                let text = format!("Option<{}>", inner.text);
                let ord = inner.ord;
                Ty::new(text, TyKind::In("option", Box::new(inner))).with_traits(true, ord)
            }
            3 => {
                let inner = self.ty(depth);
                let (default, ord) = (inner.default, inner.ord);
                Ty::new(format!("Box<{}>", inner.text), TyKind::In("Box::new", Box::new(inner)))
                    .with_traits(default, ord)
            }
            4 | 5 => {
                let inner = self.ty(depth);
                let ord = inner.ord;
                Ty::new(format!("Vec<{}>", inner.text), TyKind::List(Box::new(inner)))
                    .with_traits(true, ord)
            }
            6 => {
                let inner = self.ty(depth);
                if !inner.ord {
                    return inner;
                }
                Ty::new(format!("BTreeSet<{}>", inner.text), TyKind::Other)
            }
            7 | 8 => {
                let inner = self.ty(depth);
                let ord = inner.ord;
                let map = self.pick(&["BTreeMap", "BTreeMap", "HashMap"]);
                let ord = ord && map == "BTreeMap";
                Ty::new(format!("{map}<String, {}>", inner.text), TyKind::Map(Box::new(inner)))
                    .with_traits(true, ord)
            }
            9 => {
                let inner = self.ty(depth);
                let (default, ord) = (inner.default, inner.ord);
                let text = match self.rng.u8(..4) {
                    0 => format!("[{}; 2]", inner.text),
                    1 => format!("({0}, {0}, {0})", inner.text),
                    2 => format!("({},)", inner.text),
                    _ => format!("({0}, {0})", inner.text),
                };
                Ty::new(text, TyKind::Other).with_traits(default, ord)
            }
            10 => {
                let inner = self.ty(depth);
                let alias = self.name();
                let _ = writeln!(self.items, "pub type {alias} = {};", inner.text);
                Ty { text: alias, ..inner }
            }
            11 => {
                let inner = self.ty(depth);
                self.generic(&inner)
            }
            12 => self.newtype(depth),
            13 | 14 => self.structure(depth),
            _ => self.choice(depth),
        }
    }

    fn scalar(&mut self) -> Ty {
        let int = |text: &str, least, most| Ty::new(text, TyKind::Int(least, most));
        let int64 = i128::from(i64::MAX);
        match self.rng.u8(..24) {
            0 => int("u8", 0, 255),
            1 => int("i8", -128, 127),
            2 => int("u16", 0, 65_535),
            3 => int("u32", 0, i128::from(u32::MAX)),
            4 | 5 => int("i32", i128::from(i32::MIN), i128::from(i32::MAX)),
            6 => int("i64", i128::from(i64::MIN), int64),
            7 => int("u64", 0, int64),
            8 => Ty::new("f64", TyKind::Float).with_traits(true, false),
            9 => Ty::new("f32", TyKind::Float).with_traits(true, false),
            10 | 11 => Ty::new("bool", TyKind::Bool),
            12 => Ty::new("char", TyKind::Other),
            13 => Ty::new("()", TyKind::Other),
            14 => Ty::new("Value", TyKind::Any).with_traits(true, false),
            15 => Ty::new("IntOrString", TyKind::Other).with_traits(true, false),
            16 => {
                let name = self.pick(&["NonZeroU8", "NonZeroU32", "NonZeroI32", "NonZeroI64"]);
                Ty::new(format!("std::num::{name}"), TyKind::Other).with_traits(false, true)
            }
            17 => Ty::new("std::marker::PhantomData<u8>", TyKind::Other),
            18 | 19 => self.words(),
            _ => Ty::new("String", TyKind::Text),
        }
    }

    /// Generates a generic type.
    fn generic(&mut self, inner: &Ty) -> Ty {
        let name = self.name();
        let _ = writeln!(
            self.items,
            "#[derive(CrdSchema, Serialize, Deserialize, PartialEq)]\npub struct {name}<T> {{ value: T, list: Vec<T> }}\n\
             impl<T: Arb> Arb for {name}<T> {{ fn arb(r: &mut Rng) -> Self {{ Self {{ value: T::arb(r), list: \
             list(r, 0, 2, T::arb) }} }} }}"
        );
        Ty::new(format!("{name}<{}>", inner.text), TyKind::Other).with_traits(false, false)
    }

    /// Generates an enum of strings.
    fn words(&mut self) -> Ty {
        let name = self.name();
        let count = self.rng.usize(1..4);
        let mut attributes = Attributes::default();
        if self.rarely(3) {
            let case = self.pick(&RENAME_ALL);
            attributes.serde.push(format!("rename_all = {case:?}"));
        }
        let words: Vec<_> =
            (0..count).map(|i| format!("{}{i}", ["On", "OffNow", "Way"][i % 3])).collect();
        let mut variants = String::new();
        for word in &words {
            let alias = if self.rarely(12) { "#[serde(alias = \"other\")] " } else { "" };
            let _ = write!(variants, "{alias}{word}, ");
        }
        let derives = "CrdSchema, Serialize, Deserialize, PartialEq, Eq, PartialOrd, Ord";
        let _ = writeln!(
            self.items,
            "#[derive({derives})]\n{}pub enum {name} {{ {variants}}}\nimpl Arb for {name} {{ fn arb(r: &mut Rng) -> Self \
             {{ match r.u64(..{count}) {{ {} _ => Self::{} }} }} }}",
            attributes.text(),
            words
                .iter()
                .enumerate()
                .map(|(i, word)| format!("{i} => Self::{word},"))
                .collect::<Vec<_>>()
                .concat(),
            words[0]
        );
        Ty::new(name, TyKind::Words(words)).with_traits(false, true)
    }

    fn derives(default: bool, ord: bool) -> String {
        let mut text = "#[derive(CrdSchema, Serialize, Deserialize, PartialEq".to_owned();
        if default {
            text.push_str(", Default");
        }
        if ord {
            text.push_str(", Eq, PartialOrd, Ord");
        }
        text + ")]\n"
    }

    fn newtype(&mut self, depth: u32) -> Ty {
        let inner = self.ty(depth.saturating_sub(1));
        let name = self.name();
        let mut attributes = Attributes::default();
        let mut value = inner.value.clone();
        if self.rarely(3) {
            value = self.constraints(&inner, &mut attributes.crd, value);
        }
        let mut own = Attributes::default();
        if self.rarely(12) {
            let mut keys = attributes.crd.clone();
            self.add_container_key(&inner, &mut keys, &mut value);
            own.crd.extend(keys.drain(attributes.crd.len()..));
        }
        if self.rarely(5) {
            own.serde.push("transparent".into());
        }
        let _ = writeln!(
            self.items,
            "{}{}pub struct {name}({}pub {});\nimpl Arb for {name} {{ fn arb(r: &mut Rng) -> Self {{ Self({value}) }} }}",
            Self::derives(inner.default, inner.ord),
            own.text(),
            attributes.text(),
            inner.text
        );
        let (default, ord) = (inner.default, inner.ord);
        let plain = attributes.crd.is_empty() && own.crd.is_empty();
        let kind =
            if plain { TyKind::Newtype(name.clone(), Box::new(inner)) } else { TyKind::Other };
        Ty::new(name, kind).with_traits(default, ord)
    }

    /// Chooses a key for a type, field or variant, whether or not it applies there.
    fn container_key(&mut self) -> String {
        self.pick(&[
            "title = \"T\"",
            "rule(\"self == self\")",
            "rule(\"1 == 1\")",
            "immutable",
            "max_properties = 60",
            "min_properties = 0",
            "map_type = \"atomic\"",
            "map_type = \"granular\"",
            "preserve_unknown_fields",
            "nullable",
            "int_or_string",
            "embedded_resource",
            "description = \"D\"",
            "max_length = 3",
            "pattern = \"^[a-z]*$\"",
        ])
        .to_owned()
    }

    /// Adds such a key to the `keys` of a type, and changes `value`, the expression for a value of the type, so that
    /// the value satisfies the key. Adds nothing if no such expression is known: that an attribute rejects a value is
    /// not a defect.
    fn add_container_key(&mut self, ty: &Ty, keys: &mut Vec<String>, value: &mut String) {
        let key = self.container_key();
        let of_text = key.starts_with("max_length") || key.starts_with("pattern");
        let of_object = key == "embedded_resource";
        if of_text || of_object || key == "int_or_string" {
            let free = keys.is_empty();
            let satisfying = match ty.core().kind {
                TyKind::Text if of_text && free => "text(r, 0, 3)",
                TyKind::Any if of_object && free => RESOURCE,
                TyKind::Any if !of_text && free => "json!(int::<i32>(r, -3, 3))",
                TyKind::Text if of_text => return,
                TyKind::Map(_) if of_object => return,
                // `apiVersion` and `kind` may belong to a flattened map, for which no such expression is known.
                TyKind::Any | TyKind::Enum(_) | TyKind::Other | TyKind::Struct(_, true) => return,
                // The key does not apply to the type.
                _ => "",
            };
            if !satisfying.is_empty() {
                *value = ty.with_value(satisfying.to_owned());
            }
        }
        keys.push(key);
    }

    fn structure(&mut self, depth: u32) -> Ty {
        let name = self.name();
        let count = self.rng.usize(..5);
        let mut own = Attributes::default();
        if self.rarely(4) {
            let case = self.pick(&RENAME_ALL);
            own.serde.push(format!("rename_all = {case:?}"));
        }
        if self.rarely(10) {
            own.serde.push("deny_unknown_fields".into());
        }
        if self.rarely(12) {
            own.serde.push("tag = \"kind\"".into());
        }
        if self.rarely(6) {
            let key = self.container_key();
            own.crd.push(key);
        }
        let Fields { text, value, default, ord, scalars } = self.fields(count, depth, "pub ");
        if default && self.rarely(8) {
            own.serde.push("default".into());
        }
        let flattens = text.contains("flatten");
        if flattens {
            // `apiVersion` and `kind` may belong to a flattened map, for which no expression is known.
            own.crd.retain(|key| key != "embedded_resource");
        }
        if self.rarely(5) {
            let chosen: Vec<_> = scalars.iter().take(2).map(|name| format!("{name:?}")).collect();
            if chosen.len() == 2 && self.rarely(2) {
                let key = self.pick(&["at_least_one_of", "exactly_one_of", "at_most_one_of"]);
                // serde always writes these fields, so that only `at_least_one_of` can hold.
                own.crd.push(format!("{key}({})", chosen.join(", ")));
            }
        }
        let _ = writeln!(
            self.items,
            "{}{}pub struct {name} {{ {text}}}\nimpl Arb for {name} {{ fn arb(r: &mut Rng) -> Self {{ let _ = &r; Self {{ \
             {value}}} }} }}",
            Self::derives(default, ord),
            own.text()
        );
        Ty::new(name, TyKind::Struct(scalars, flattens)).with_traits(default, ord)
    }

    fn fields(&mut self, count: usize, depth: u32, vis: &str) -> Fields {
        let mut fields = Fields { default: true, ord: true, ..Fields::default() };
        let mut names = Vec::new();
        for _ in 0..count {
            let name = if self.rarely(3) {
                self.pick(&NAMES).to_owned()
            } else {
                self.count += 1;
                format!("f_{}", self.count)
            };
            if names.contains(&name) {
                continue;
            }
            names.push(name.clone());
            let ty = self.ty(depth.saturating_sub(1));
            let (attributes, value) = self.field(&ty);
            fields.default &= ty.default;
            fields.ord &= ty.ord;
            let scalar = matches!(ty.core().kind, TyKind::Int(..) | TyKind::Text | TyKind::Bool);
            if scalar && attributes.serde.is_empty() && !ty.is_option() {
                fields.scalars.push(name.trim_start_matches("r#").to_owned());
            }
            let _ = write!(fields.text, "{}{vis}{name}: {}, ", attributes.text(), ty.text);
            let _ = write!(fields.value, "{name}: {value}, ");
        }
        fields
    }

    /// Generates the attributes of a field, and the expression for its value.
    fn field(&mut self, ty: &Ty) -> (Attributes, String) {
        let mut attributes = Attributes::default();
        let mut value = ty.value.clone();
        if self.rarely(3) {
            value = self.constraints(ty, &mut attributes.crd, value);
        }
        if self.rarely(25) {
            self.add_container_key(ty, &mut attributes.crd, &mut value);
        }
        let flattens = matches!(
            ty.core().kind,
            TyKind::Struct(..) | TyKind::Enum(_) | TyKind::Map(_) | TyKind::Any | TyKind::Other
        );
        if self.rarely(if flattens { 4 } else { 80 }) {
            attributes.serde.push("flatten".into());
            if self.rarely(5) {
                attributes.serde.push("skip_serializing_if = \"never\"".into());
                if ty.default {
                    attributes.serde.push("default".into());
                }
            }
            if matches!(ty.core().kind, TyKind::Any) {
                value = ty.with_value("object(r, 1)".into());
            }
            return (attributes, value);
        }
        match self.rng.u8(..30) {
            0..=2 if ty.is_option() => {
                attributes.serde.push("skip_serializing_if = \"Option::is_none\"".into());
            }
            3 if matches!(ty.kind, TyKind::List(_) | TyKind::Text) => {
                let of = if matches!(ty.kind, TyKind::Text) { "String" } else { "Vec" };
                attributes.serde.push(format!("skip_serializing_if = \"{of}::is_empty\""));
                if !self.rarely(5) {
                    attributes.serde.push("default".into());
                }
            }
            4 | 5 if ty.default => attributes.serde.push("default".into()),
            6 if ty.default => {
                attributes.serde.push("skip".into());
                value = "Default::default()".into();
            }
            7 if ty.default && attributes.crd.is_empty() => {
                attributes.serde.push("skip_serializing".into());
                attributes.serde.push("default".into());
                value = "Default::default()".into();
            }
            // serde sets such a field to the `Default` of its type, so only this value is read back. The `Default` of a
            // type that is not plain may violate the type's constraints.
            8 if ty.default && attributes.crd.is_empty() && ty.is_plain() => {
                attributes.serde.push("skip_deserializing".into());
                value = "Default::default()".into();
            }
            9 => {
                let name = self.pick(&WIRE_NAMES);
                attributes.serde.push(format!("rename = {name:?}"));
            }
            10 => attributes.serde.push("alias = \"other\"".into()),
            11 | 12 => self.default(ty, &mut attributes, &mut value),
            13 => attributes.crd.push("immutable".into()),
            // Only for plain types without constraints: whether `Default` satisfies constraints is known only at run time.
            14 if ty.default && attributes.crd.is_empty() && ty.is_plain() => {
                attributes.serde.push("default".into());
                attributes.crd.push("default".into());
            }
            _ => {}
        }
        (attributes, value)
    }

    /// Adds a server-side default, valid or not.
    fn default(&mut self, ty: &Ty, attributes: &mut Attributes, value: &mut String) {
        if !attributes.crd.is_empty() {
            return;
        }
        let literal = match &ty.core().kind {
            TyKind::Int(..) => self.pick(&["0", "7", "-3", "300"]).to_owned(),
            TyKind::Float => self.pick(&["1.5", "2", "f64::INFINITY"]).to_owned(),
            TyKind::Bool => "true".to_owned(),
            TyKind::Text => self.pick(&["\"abc\"", "\"\""]).to_owned(),
            TyKind::List(_) => self.pick(&["[]", "[1]", "[\"a\", \"a\"]"]).to_owned(),
            TyKind::Words(words) => {
                if self.rarely(3) {
                    "\"Nothing\"".to_owned()
                } else {
                    format!("{:?}", words[0])
                }
            }
            TyKind::Struct(..) | TyKind::Map(_) | TyKind::Any => "json!({})".to_owned(),
            _ => "json!(null)".to_owned(),
        };
        attributes.crd.push(format!("default = {literal}"));
        if ty.is_option() {
            // The server sets the default of an absent field, so `None` would not be read back.
            attributes.serde.push("skip_serializing_if = \"Option::is_none\"".into());
            if let TyKind::In(_, inner) = &ty.kind {
                *value = format!("Some({})", inner.value);
            }
        } else if self.rarely(3) && ty.default {
            attributes.serde.push("default".into());
            if matches!(ty.kind, TyKind::List(_)) && !attributes.has("flatten") {
                attributes.serde.push("skip_serializing_if = \"Vec::is_empty\"".into());
            }
        }
    }

    /// Adds constraints of a type, and returns an expression for a value that satisfies them.
    #[expect(clippy::too_many_lines, reason = "a table of the kinds of types")]
    fn constraints(&mut self, ty: &Ty, keys: &mut Vec<String>, value: String) -> String {
        if self.rarely(12)
            && !matches!(ty.core().kind, TyKind::Int(..) | TyKind::Float | TyKind::Other)
        {
            let key = self.pick(&[
                "minimum = 1",
                "maximum = 1e30",
                "min_length = 1",
                "max_items = 5",
                "min_properties = 0",
                "format = \"uuid\"",
                "format = \"rfc3339\"",
                "list_type = \"set\"",
                "nullable",
                "nullable = false",
                "int_or_string",
                "embedded_resource",
                "preserve_unknown_fields",
                "items(minimum = 1)",
                "values(max_length = 9)",
                "enum_values(\"a\", \"b\")",
            ]);
            let fits = match ty.core().kind {
                TyKind::Text => {
                    ["min_length", "format", "enum_values"].iter().any(|word| key.starts_with(word))
                }
                TyKind::List(_) => ["list_type", "items"].iter().any(|word| key.starts_with(word)),
                // No expression is known for a map that has `apiVersion` and `kind`.
                TyKind::Map(_) => key.starts_with("values") || key.starts_with("embedded"),
                TyKind::Any => {
                    // For some of these keys, no expression is known.
                    let keys = [
                        "int_or",
                        "embedded",
                        "enum",
                        "format",
                        "minimum",
                        "maximum",
                        "min_length",
                    ];
                    keys.iter().any(|word| key.starts_with(word))
                }
                // For the other keys, no expression is known for a value of an enum that satisfies them.
                TyKind::Enum(_) => {
                    let keys = ["nullable", "preserve", "list_type", "items", "values"];
                    !keys.iter().any(|word| key.starts_with(word))
                }
                _ => false,
            };
            // A key that applies to the type is dropped: those below come with values that satisfy them.
            if !fits {
                keys.push(key.to_owned());
                return value;
            }
        }
        let core = ty.core();
        match &core.kind {
            TyKind::Int(least, most) => {
                let (least, most) = (*least, *most);
                let a = i128::from(self.rng.i64(-3..200));
                let b = a + i128::from(self.rng.i64(0..200));
                match self.rng.u8(..4) {
                    0 => keys.push(format!("minimum = {a}, maximum = {b}")),
                    1 => {
                        keys.push(format!("maximum = {b}"));
                        return ty
                            .with_value(format!("int(r, {least}, {})", b.min(most).max(least)));
                    }
                    2 => {
                        keys.push(format!("minimum = {a}"));
                        return ty
                            .with_value(format!("int(r, {}, {most})", a.max(least).min(most)));
                    }
                    _ => {
                        keys.push("enum_values(1, 2, 3)".into());
                        return ty.with_value("int(r, 1, 3)".into());
                    }
                }
                ty.with_value(format!(
                    "int(r, {}, {})",
                    a.max(least),
                    b.min(most).max(a.max(least))
                ))
            }
            TyKind::Float => {
                keys.push("minimum = -3, maximum = 9.5".into());
                ty.with_value(format!("int::<i128>(r, -3, 9) as {}", core.text))
            }
            TyKind::Text => match self.rng.u8(..4) {
                0 => {
                    keys.push("min_length = 2, max_length = 5".into());
                    ty.with_value("text(r, 2, 5)".into())
                }
                1 => {
                    keys.push("pattern = \"^[a-z]{1,4}$\"".into());
                    ty.with_value("text(r, 1, 4)".into())
                }
                2 => {
                    keys.push("format = \"date\"".into());
                    ty.with_value("one_of(r, &[\"2024-02-29\"])".into())
                }
                _ => {
                    keys.push("enum_values(\"a\", \"bc\")".into());
                    ty.with_value("one_of(r, &[\"a\", \"bc\"])".into())
                }
            },
            TyKind::List(inner) => self.list(ty, inner, keys),
            TyKind::Map(inner) => {
                let mut nested = Vec::new();
                let value = self.constraints(inner, &mut nested, inner.value.clone());
                if self.rarely(2) && !nested.is_empty() {
                    keys.push(format!("values({})", nested.join(", ")));
                    return ty.with_value(format!("entries(r, 0, 3, |r| {value})"));
                }
                keys.push("min_properties = 1, max_properties = 3".into());
                ty.with_value(format!("entries(r, 1, 3, |r| {})", inner.value))
            }
            TyKind::Words(words) => match self.rng.u8(..3) {
                0 => {
                    keys.push("max_length = 12".into());
                    value
                }
                1 => {
                    keys.push("pattern = \"^[A-Z]\"".into());
                    value
                }
                _ => {
                    keys.push(format!("enum_values({:?})", words[0]));
                    ty.with_value(format!("{}::{}", core.text, words[0]))
                }
            },
            TyKind::Struct(..) => {
                keys.push(
                    self.pick(&[
                        "map_type = \"atomic\"",
                        "preserve_unknown_fields",
                        "max_properties = 60",
                    ])
                    .into(),
                );
                value
            }
            TyKind::Any => match self.rng.u8(..4) {
                0 => {
                    keys.push("int_or_string".into());
                    ty.with_value("json!(int::<i32>(r, -3, 3))".into())
                }
                1 => {
                    keys.push("embedded_resource".into());
                    ty.with_value(RESOURCE.into())
                }
                2 => {
                    keys.push("nullable".into());
                    value
                }
                _ => {
                    keys.push("preserve_unknown_fields".into());
                    value
                }
            },
            _ => value,
        }
    }

    fn list(&mut self, ty: &Ty, inner: &Ty, keys: &mut Vec<String>) -> String {
        match self.rng.u8(..4) {
            0 => {
                keys.push("min_items = 1, max_items = 3".into());
                ty.with_value(format!("list(r, 1, 3, |r| {})", inner.value))
            }
            1 => {
                keys.push("list_type = \"set\"".into());
                if inner.ord {
                    let set = format!(
                        "list::<{}, BTreeSet<_>>(r, 0, 3, |r| {})",
                        inner.text, inner.value
                    );
                    return ty.with_value(format!("{set}.into_iter().collect()"));
                }
                ty.with_value(format!("list(r, 0, 1, |r| {})", inner.value))
            }
            2 => {
                let key = match &inner.kind {
                    TyKind::Struct(scalars, _) => scalars.first().cloned(),
                    _ => None,
                };
                let key = key.unwrap_or_else(|| "name".to_owned());
                keys.push(format!("list_type = \"map\", list_map_keys({key:?})"));
                ty.with_value(format!("list(r, 0, 1, |r| {})", inner.value))
            }
            _ => {
                let mut nested = Vec::new();
                let value = self.constraints(inner, &mut nested, inner.value.clone());
                if nested.is_empty() {
                    return ty.value.clone();
                }
                keys.push(format!("items({})", nested.join(", ")));
                ty.with_value(format!("list(r, 0, 3, |r| {value})"))
            }
        }
    }

    /// Generates an enum of any tagging.
    fn choice(&mut self, depth: u32) -> Ty {
        let name = self.name();
        let start = self.items.len();
        let count = self.rng.usize(1..5);
        let mut own = Attributes::default();
        let tag = match self.rng.u8(..8) {
            0..=2 => "",
            3 | 4 => "tag = \"kind\"",
            5 => ADJACENT,
            _ => "untagged",
        };
        let is_one_value = matches!(tag, "untagged" | ADJACENT);
        if !tag.is_empty() {
            own.serde.push(tag.to_owned());
        }
        if self.rarely(4) {
            let case = self.pick(&RENAME_ALL);
            own.serde.push(format!("rename_all = {case:?}"));
        }
        if self.rarely(8) {
            let case = self.pick(&RENAME_ALL);
            own.serde.push(format!("rename_all_fields = {case:?}"));
        }
        if self.rarely(12) {
            let key = self.container_key();
            // For an untagged enum, no values are known that satisfy the other keys; rules are left out for the reason
            // in `without_exceptions`.
            let satisfied = ["title", "desc", "map_type", "embedded", "nullable", "preserve"];
            if tag != "untagged" || satisfied.iter().any(|word| key.starts_with(word)) {
                own.crd.push(key);
            }
        }
        let (mut variants, mut arms) = (String::new(), Vec::new());
        let mut has_alternatives = is_one_value;
        for i in 0..count {
            let variant = format!("V{i}");
            let mut attributes = Attributes::default();
            let (mut is_map, mut is_newtype) = (false, false);
            let (body, value) = match self.rng.u8(..6) {
                0 | 1 => (String::new(), String::new()),
                2 | 3 => {
                    let mut ty = self.ty(depth.saturating_sub(1));
                    while is_one_value && !can_be_alternative(&ty)
                        || !tag.is_empty() && is_keyed(&ty, tag)
                    {
                        ty = self.scalar();
                    }
                    is_map = matches!(ty.core().kind, TyKind::Map(_));
                    is_newtype = true;
                    let mut inner = Attributes::default();
                    let mut value = ty.value.clone();
                    if self.rarely(4) {
                        value = self.constraints(&ty, &mut inner.crd, value);
                    }
                    if tag == "tag = \"kind\"" && matches!(ty.core().kind, TyKind::Any) {
                        // serde can add the tag to an object only.
                        value = ty.with_value("object(r, 1)".into());
                        inner.crd.clear();
                    } else if self.rarely(16) {
                        let mut keys = inner.crd.clone();
                        self.add_container_key(&ty, &mut keys, &mut value);
                        attributes.crd.extend(keys.drain(inner.crd.len()..));
                    }
                    (format!("({}{})", inner.text(), ty.text), format!("({value})"))
                }
                4 if self.rarely(2) => {
                    let mut ty = self.ty(depth.saturating_sub(1));
                    while is_one_value && !can_be_alternative(&ty) {
                        ty = self.scalar();
                    }
                    (format!("({0}, {0})", ty.text), format!("({0}, {0})", ty.value))
                }
                _ => {
                    let count = self.rng.usize(..3);
                    let fields = self.fields(count, depth, "");
                    (format!(" {{ {}}}", fields.text), format!(" {{ {}}}", fields.value))
                }
            };
            match self.rng.u8(..40) {
                0 => attributes.serde.push("skip".into()),
                1 | 2 if i + 1 == count && !is_map => attributes.serde.push("untagged".into()),
                3 => attributes.serde.push(format!("alias = \"Alias{i}\"")),
                4 => attributes.serde.push("rename = \"re.named\"".into()),
                5 if body.is_empty() && i + 1 == count => attributes.serde.push("other".into()),
                6 if attributes.crd.is_empty() && !is_newtype => {
                    let key = self.container_key();
                    attributes.crd.push(key);
                }
                _ => {}
            }
            has_alternatives |= attributes.has("untagged");
            if !attributes.has("skip") {
                arms.push(format!("Self::{variant}{value}"));
            }
            let _ = write!(variants, "{}{variant}{body}, ", attributes.text());
        }
        if has_alternatives {
            let parts = without_exceptions(&self.items.split_off(start), tag);
            self.items.push_str(&parts);
            variants = without_exceptions(&variants, tag);
        }
        self.write_enum(&name, &own.text(), &variants, &arms);
        Ty::new(name, TyKind::Enum(tag.is_empty())).with_traits(false, false)
    }

    /// Writes an enum, and how to make one of its values: `arms` are the values of the variants that serde writes.
    fn write_enum(&mut self, name: &str, attributes: &str, variants: &str, arms: &[String]) {
        let mut others = String::new();
        for (i, arm) in arms.iter().enumerate().skip(1) {
            let _ = write!(others, "{i} => {arm}, ");
        }
        let first = arms.first().map_or("unreachable!()", String::as_str);
        let _ = writeln!(
            self.items,
            "#[derive(CrdSchema, Serialize, Deserialize, PartialEq)]\n{attributes}pub enum {name} {{ {variants}}}\nimpl \
             Arb for {name} {{ fn arb(r: &mut Rng) -> Self {{ match r.u64(..{}) {{ {others}_ => {first} }} }} }}",
            arms.len()
        );
    }
}

/// Whether the laws hold for a type that is one of several alternatives of one value, such as the content of a variant
/// of an untagged enum. They do not for a map: a schema cannot restrict its values there ("Not done" in
/// ARCHITECTURE.md).
fn can_be_alternative(ty: &Ty) -> bool {
    !matches!(ty.core().kind, TyKind::Map(_))
}

/// Whether serde reads a type only from an object whose single key is the name of a variant. In an enum with a tag, the
/// server also admits unknown fields and the fields of other variants beside that key ("Not done" in ARCHITECTURE.md).
fn is_keyed(ty: &Ty, tag: &str) -> bool {
    match ty.core().kind {
        TyKind::Enum(external) => external,
        TyKind::Words(_) => tag == "tag = \"kind\"",
        _ => false,
    }
}

/// Replaces the attributes that break the laws if their type is one of several alternatives of one value ("Not done" in
/// ARCHITECTURE.md): the schema of such a value has no type, so the server keeps unknown fields, and rules do not see
/// the value. The third exception, a map with typed values, is in `can_be_alternative`.
fn without_exceptions(text: &str, tag: &str) -> String {
    let text = text.replace("deny_unknown_fields", "bound = \"\"");
    if tag != ADJACENT {
        // Without a tag, the derive rejects such a rule.
        return text;
    }
    let rules = ["rule(\"self == self\")", "rule(\"1 == 1\")", "immutable"];
    rules.into_iter().fold(text, |text, rule| text.replace(rule, "title = \"T\""))
}

/// Fields of a struct or variant under construction.
#[derive(Default)]
struct Fields {
    text: String,
    /// `name: value, `
    value: String,
    default: bool,
    ord: bool,
    /// The names of scalar fields whose JSON name is that of the field.
    scalars: Vec<String>,
}
