//! What rules see of a type: `CrdSchema::CEL`.

use std::collections::{BTreeMap, BTreeSet};

use darling::util::{Override, SpannedValue};
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use super::Cut;
use super::generics::without_lifetimes;
use crate::attr::{Constant, Constraints, Exprs, Value, as_number};
use crate::model::{Body, Enum, Field, Model, Object, Variant};
use crate::serde_view::Tagging;
use crate::types::{self, Known};

/// An expression of type `Declared` for `CrdSchema::CEL`.
pub(crate) fn declared(model: &Model, krate: &TokenStream) -> TokenStream {
    Emitter { krate, model, concrete: false, only: None, own: None }.whole()
}

/// What rules see of a generated root.
pub(crate) fn root(
    spec: &proc_macro2::Ident,
    status: Option<&syn::Path>,
    name: &proc_macro2::Ident,
    krate: &TokenStream,
) -> TokenStream {
    let cel = quote!(#krate::__private::cel);
    let status = status.map(
        |status| quote!(#cel::Field { name: "status", of: &#krate::__private::Of::<#status>::CEL, optional: true },),
    );
    let name = name.to_string();
    quote! {
        #cel::Declared::Object(&#cel::Object {
            name: #name,
            fields: &[
                #cel::Field { name: "", of: &#cel::Declared::RESOURCE, optional: false },
                #cel::Field { name: "spec", of: &<#spec as #krate::CrdSchema>::CEL, optional: false },
                #status
            ],
        })
    }
}

/// Whether one variant allows any key and another has named fields. The schema of such a key is widened, and only the
/// schema knows to what.
fn mixes_free_keys(data: &Enum) -> bool {
    let is_set = |flag: &Option<SpannedValue<bool>>| flag.as_ref().is_some_and(|flag| **flag);
    let is_free = |variant: &Variant| {
        is_set(&variant.constraints.preserve_unknown_fields)
            || match &variant.body {
                Body::Object(object) => object
                    .fields
                    .iter()
                    .any(|field| field.flatten && types::known(&field.ty) == Known::Map),
                Body::Transparent(field) => types::known(&field.ty) == Known::Map,
                _ => false,
            }
    };
    let names_some = |variant: &Variant| match &variant.body {
        Body::Object(object) => !object.fields.is_empty(),
        Body::Transparent(field) => types::known(&field.ty) == Known::Unknown,
        _ => false,
    };
    let of_one_object = !matches!(data.tagging, Tagging::External | Tagging::Adjacent(..));
    let mut free = data.variants.iter().enumerate().filter(|(_, variant)| is_free(variant));
    of_one_object
        && free.any(|(free, _)| {
            let others = data.variants.iter().enumerate().filter(|(other, _)| *other != free);
            others.into_iter().any(|(_, other)| names_some(other))
        })
}

/// A variant as rules see it.
enum Alternative {
    /// An object of named fields.
    Object(Vec<Named>),
    /// An expression of type `Declared`.
    Other(TokenStream),
}

/// A field of an alternative.
struct Named {
    /// The name as rules write it, escaped.
    name: String,
    /// An expression of type `Declared`.
    of: TokenStream,
    optional: bool,
    /// Whether it is the tag, of the same type in all alternatives.
    is_tag: bool,
}

/// A field that several alternatives may have.
struct Merged {
    name: String,
    /// Its different declarations in the alternatives. The tokens are written as text only to compare two of them,
    /// because that takes rustc longer than to make them.
    of: Vec<(TokenStream, Option<String>)>,
    /// The number of alternatives that require it.
    required: usize,
}

impl Merged {
    fn add(&mut self, of: TokenStream, optional: bool) {
        self.required += usize::from(!optional);
        if self.of.is_empty() {
            self.of.push((of, None));
            return;
        }
        let text = of.to_string();
        let mut there = self.of.iter_mut();
        let is_there =
            there.any(|(of, there)| *there.get_or_insert_with(|| of.to_string()) == text);
        if !is_there {
            self.of.push((of, Some(text)));
        }
    }
}

pub(super) struct Emitter<'a> {
    pub(super) krate: &'a TokenStream,
    pub(super) model: &'a Model,
    /// Whether the tokens are for outside the impl, where generic parameters have no names: types that mention one are
    /// `Unknown`.
    pub(super) concrete: bool,
    /// The names that a rule mentions; other fields of an enum's alternatives are left out.
    pub(super) only: Option<&'a BTreeSet<String>>,
    /// The variant that has the rule. In an enum with more than [`MANY`] newtype variants, the others are left out.
    pub(super) own: Option<&'a proc_macro2::Ident>,
}

/// The largest number of newtype variants against which the rule of a variant is checked: rustc evaluates each of them
/// for each rule.
const MANY: usize = 16;

impl Emitter<'_> {
    fn cel(&self) -> TokenStream {
        let krate = self.krate;
        quote!(#krate::__private::cel)
    }

    pub(super) fn variant(&self, name: &str) -> TokenStream {
        let cel = self.cel();
        let name = proc_macro2::Ident::new(name, Span::call_site());
        quote!(#cel::Declared::#name)
    }

    pub(super) fn whole(&self) -> TokenStream {
        if self.model.constraints.schema_with.is_some() {
            return self.variant("Unknown");
        }
        let body = self.body(&self.model.body);
        self.changed(body, &self.model.constraints)
    }

    fn body(&self, body: &Body) -> TokenStream {
        match body {
            Body::Object(object) => self.object(object),
            Body::Transparent(field) => self.field(field),
            Body::Tuple(fields) => match fields.first() {
                Some(first) => {
                    let (cel, list, first) = (self.cel(), self.variant("List"), self.field(first));
                    let count = fields.len() as u64;
                    quote!(#list(&const { #first }, #cel::Most::Of(#count)))
                }
                None => self.variant("Hidden"),
            },
            Body::Unit => self.variant("OPEN_OBJECT"),
            Body::Delegate(ty) => self.of_type(ty),
            Body::Enum(data) => self.union(data),
        }
    }

    fn object(&self, object: &Object) -> TokenStream {
        let (variant, object) = (self.variant("Object"), self.object_of([self.fields(object)]));
        quote!(#variant(&#object))
    }

    fn fields(&self, object: &Object) -> TokenStream {
        let cel = self.cel();
        let mut fields = TokenStream::new();
        let itself = self.model.kind.as_ref();
        if itself.is_some_and(|kind| matches!(kind.root, crate::model::Root::Itself(_))) {
            fields.extend(
                quote!(#cel::Field { name: "", of: &#cel::Declared::RESOURCE, optional: false },),
            );
        }
        if let Some((tag, name)) = &object.tag {
            let of = self.variant("Enum");
            fields.extend(self.property(tag, &quote!(#of(&[#name]))));
        }
        for field in &object.fields {
            let of = self.field(field);
            let of = if field.flatten && types::known(&field.ty) == Known::Unknown {
                let krate = self.krate;
                quote!(const { #krate::__private::check::beside(#of) })
            } else if changes_type(&field.constraints) {
                quote!(const { #of })
            } else {
                of
            };
            let name =
                if field.flatten { Some("".into()) } else { crd_cel::escape::escape(&field.wire) };
            fields.extend(match name {
                Some(name) => {
                    let optional = may_be_absent(field);
                    quote!(#cel::Field { name: #name, of: &#of, optional: #optional },)
                }
                None => self.out_of_reach(),
            });
        }
        fields
    }

    /// The alternatives of `__private::Union`.
    fn union(&self, data: &Enum) -> TokenStream {
        if data.is_units() {
            return self.names_of(&data.variants.iter().collect::<Vec<_>>());
        }
        if mixes_free_keys(data) {
            return self.variant("Unknown");
        }
        let (untagged, tagged): (Vec<_>, Vec<_>) = data
            .variants
            .iter()
            .filter(|variant| self.is_seen(data, variant))
            .partition(|variant| variant.untagged || matches!(data.tagging, Tagging::Untagged));
        let mut parts = match &data.tagging {
            Tagging::External => {
                self.external(&tagged).into_iter().map(Alternative::Other).collect()
            }
            Tagging::Internal(tag) => {
                let names = self.tag_of(tag, &tagged);
                tagged.into_iter().map(|variant| self.internal(tag, &names, variant)).collect()
            }
            Tagging::Adjacent(tag, content) => self.adjacent(tag, content, &tagged),
            Tagging::Untagged => Vec::new(),
        };
        parts.extend(untagged.into_iter().map(|variant| self.alternative(variant)));
        self.one_of(parts)
    }

    /// Whether a rule is checked against a variant. If there are many, only `definition::validate` checks what they
    /// make of a field that the rule's own variant has too.
    fn is_seen(&self, data: &Enum, variant: &Variant) -> bool {
        let Some(own) = self.own else { return true };
        let is_of_others =
            |variant: &Variant| !matches!(variant.body, Body::Object(_) | Body::Unit);
        variant.ident == *own
            || !is_of_others(variant)
            || matches!(data.tagging, Tagging::External)
            || data.variants.iter().filter(|variant| is_of_others(variant)).count() <= MANY
    }

    /// Joins alternatives. Objects are merged into one, so that the time to check a rule does not grow with the number
    /// of variants.
    fn one_of(&self, alternatives: Vec<Alternative>) -> TokenStream {
        let mut fields = Vec::<Merged>::new();
        let mut index = BTreeMap::<String, usize>::new();
        let (mut objects, mut parts) = (0_usize, Vec::new());
        for alternative in alternatives {
            match alternative {
                Alternative::Other(tokens) => parts.push(tokens),
                Alternative::Object(named) => {
                    objects += 1;
                    for Named { name, of, optional, is_tag } in named {
                        let at = *index.entry(name.clone()).or_insert_with(|| {
                            fields.push(Merged { name, of: Vec::new(), required: 0 });
                            fields.len() - 1
                        });
                        match fields[at].of.as_slice() {
                            // The tag is the same in all of them.
                            [_] if is_tag => fields[at].required += 1,
                            _ => fields[at].add(of, optional),
                        }
                    }
                }
            }
        }
        if objects > 0 {
            let fields = fields.iter().map(|field| self.merged(field, objects));
            let (variant, object) = (self.variant("Object"), self.object_of(fields));
            parts.insert(0, quote!(#variant(&#object)));
        }
        match parts.as_slice() {
            [] => self.variant("OPEN_OBJECT"),
            [part] => part.clone(),
            parts => {
                let one_of = self.variant("OneOf");
                quote!(#one_of(&const { [#(#parts),*] }))
            }
        }
    }

    /// A `Field` and a comma. It is required where all alternatives require it.
    fn merged(&self, field: &Merged, objects: usize) -> TokenStream {
        let cel = self.cel();
        let (name, optional) = (&field.name, field.required < objects);
        let of = match field.of.as_slice() {
            [(of, _)] => of.clone(),
            several => {
                let one_of = self.variant("OneOf");
                let several = several.iter().map(|(of, _)| of);
                quote!(#one_of(&const { [#(#several),*] }))
            }
        };
        quote!(#cel::Field { name: #name, of: &const { #of }, optional: #optional },)
    }

    /// The content of a variant, as an alternative.
    fn alternative(&self, variant: &Variant) -> Alternative {
        match &variant.body {
            Body::Object(object) if is_as_written(variant) => self.named(object, None),
            _ => None,
        }
        .unwrap_or_else(|| Alternative::Other(self.content(variant)))
    }

    /// The fields of an object; `None` if a field is flattened or has a name that rules cannot write.
    fn named(&self, object: &Object, tag: Option<(&str, &TokenStream)>) -> Option<Alternative> {
        let mut named = Vec::new();
        if let Some((tag, names)) = tag {
            named.extend(self.tag(tag, names)?);
        }
        for field in &object.fields {
            if field.flatten {
                return None;
            }
            let name = crd_cel::escape::escape(&field.wire)?;
            if !self.is_mentioned(&name) {
                continue;
            }
            named.push(Named {
                name: name.into_owned(),
                of: self.field(field),
                optional: may_be_absent(field),
                is_tag: false,
            });
        }
        Some(Alternative::Object(named))
    }

    fn is_mentioned(&self, name: &str) -> bool {
        self.only.is_none_or(|only| only.contains(name))
    }

    /// A string for the variants without content, and an object with a property for each of the others.
    fn external(&self, variants: &[&Variant]) -> Vec<TokenStream> {
        let (units, data): (Vec<&Variant>, Vec<&Variant>) =
            variants.iter().partition(|variant| is_unit(variant));
        let mut parts = Vec::new();
        if !units.is_empty() {
            parts.push(self.variant("String"));
        }
        if !data.is_empty() {
            let mentioned = data.iter().filter(|variant| {
                let mut names = std::iter::once(&variant.wire).chain(&variant.aliases);
                names.any(|name| {
                    crd_cel::escape::escape(name).is_none_or(|name| self.is_mentioned(&name))
                })
            });
            let fields = mentioned.flat_map(|variant| {
                let content = self.content(variant);
                let names = std::iter::once(&variant.wire).chain(&variant.aliases);
                names.map(move |name| self.property(name, &content))
            });
            let object = self.object_of(fields);
            let variant = self.variant("Object");
            parts.push(quote!(#variant(&#object)));
        }
        parts
    }

    /// A string that is the name of one of these variants.
    fn names_of(&self, variants: &[&Variant]) -> TokenStream {
        // `#[serde(other)]` reads any string.
        if variants.iter().any(|variant| variant.other) {
            return self.variant("TEXT");
        }
        let names = variants.iter().flat_map(|v| std::iter::once(&v.wire).chain(&v.aliases));
        let of = self.variant("Enum");
        quote!(#of(&[#(#names),*]))
    }

    /// The type of the tag: the names of the variants, or any string if the rule does not mention the tag.
    fn tag_of(&self, tag: &str, variants: &[&Variant]) -> TokenStream {
        match crd_cel::escape::escape(tag) {
            Some(name) if self.is_mentioned(&name) => self.names_of(variants),
            _ => self.variant("TEXT"),
        }
    }

    /// The tag as a field, or nothing if the rule does not mention it. `None` if rules cannot write its name.
    fn tag(&self, tag: &str, names: &TokenStream) -> Option<Vec<Named>> {
        let name = crd_cel::escape::escape(tag)?.into_owned();
        if !self.is_mentioned(&name) {
            return Some(Vec::new());
        }
        Some(vec![Named { name, of: names.clone(), optional: false, is_tag: true }])
    }

    /// An internally tagged variant; `names` is the type of the tag, with the names of all variants.
    fn internal(&self, tag: &str, names: &TokenStream, variant: &Variant) -> Alternative {
        let cel = self.cel();
        let named = match &variant.body {
            Body::Unit if is_unit(variant) => self.tag(tag, names).map(Alternative::Object),
            Body::Object(object) if is_as_written(variant) => {
                self.named(object, Some((tag, names)))
            }
            _ => None,
        };
        if let Some(named) = named {
            return named;
        }
        let tag = self.property(tag, names);
        let fields = match &variant.body {
            Body::Unit if is_unit(variant) => Some(vec![tag.clone()]),
            Body::Object(object) if is_as_written(variant) => {
                Some(vec![tag.clone(), self.fields(object)])
            }
            _ => None,
        };
        if let Some(fields) = fields {
            let (object, fields) = (self.variant("Object"), self.object_of(fields));
            return Alternative::Other(quote!(#object(&#fields)));
        }
        let content = self.content(variant);
        let flattened = quote!(#cel::Field { name: "", of: &const { #content }, optional: false },);
        let with_tag = self.object_of([tag, flattened]);
        Alternative::Other(quote!(#content.tagged(&const { #with_tag })))
    }

    fn adjacent(&self, tag: &str, content: &str, variants: &[&Variant]) -> Vec<Alternative> {
        let (units, data): (Vec<&Variant>, Vec<&Variant>) =
            variants.iter().partition(|variant| is_unit(variant));
        if variants.is_empty() {
            return Vec::new();
        }
        let of_tag = self.tag_of(tag, variants);
        let names = (self.tag(tag, &of_tag), crd_cel::escape::escape(content));
        let (Some(tag_field), Some(name)) = names else {
            let one = |variant: &&Variant| {
                let tag = self.property(tag, &of_tag);
                let content =
                    (!is_unit(variant)).then(|| self.property(content, &self.content(variant)));
                let fields = self.object_of([Some(tag), content].into_iter().flatten());
                let object = self.variant("Object");
                Alternative::Other(quote!(#object(&#fields)))
            };
            return variants.iter().map(one).collect();
        };
        let mut named = tag_field;
        if !data.is_empty() {
            let of = self.one_of(data.iter().map(|variant| self.alternative(variant)).collect());
            let optional = !units.is_empty();
            named.push(Named { name: name.into_owned(), of, optional, is_tag: false });
        }
        vec![Alternative::Object(named)]
    }

    /// A `Field` and a comma.
    fn property(&self, name: &str, of: &TokenStream) -> TokenStream {
        let cel = self.cel();
        match crd_cel::escape::escape(name) {
            Some(name) => quote!(#cel::Field { name: #name, of: &const { #of }, optional: false },),
            None => self.out_of_reach(),
        }
    }

    /// A field whose name rules cannot write. It still counts for the size of the object.
    fn out_of_reach(&self) -> TokenStream {
        let (cel, hidden) = (self.cel(), self.variant("Hidden"));
        quote!(#cel::Field { name: "", of: &#hidden, optional: false },)
    }

    fn object_of(&self, fields: impl IntoIterator<Item = TokenStream>) -> TokenStream {
        let cel = self.cel();
        let name = self.model.ident.to_string();
        let fields = fields.into_iter();
        quote!(#cel::Object { name: #name, fields: &[#(#fields)*] })
    }

    /// The content of a variant.
    fn content(&self, variant: &Variant) -> TokenStream {
        let body = match (&variant.body, &variant.constraints.schema_with) {
            (_, Some(_)) => self.variant("Unknown"),
            (body, None) => self.body(body),
        };
        self.changed(body, &variant.constraints)
    }

    pub(super) fn field(&self, field: &Field) -> TokenStream {
        let base = if field.is_cut(&self.model.ident) {
            let (open, hidden) = (self.variant("OPEN_OBJECT"), self.variant("Hidden"));
            match super::cut(field, self.model) {
                Cut::List | Cut::Any => hidden,
                Cut::Object => open,
                Cut::Either(ty) => {
                    let krate = self.krate;
                    quote!(if #krate::__private::Of::<#ty>::OBJECT { #open } else { #hidden })
                }
            }
        } else if field.constraints.schema_with.is_some() || field.with.is_some() {
            self.variant("Unknown")
        } else {
            self.of_type(&field.ty)
        };
        self.changed(base, &field.constraints)
    }

    pub(super) fn of_type(&self, ty: &syn::Type) -> TokenStream {
        if self.concrete && self.mentions_a_parameter(quote!(#ty)) {
            return self.variant("Unknown");
        }
        let of = super::of(self.model, ty);
        let of = quote!(#of::CEL);
        if self.concrete { without_lifetimes(of, self.model) } else { of }
    }

    fn mentions_a_parameter(&self, tokens: TokenStream) -> bool {
        let params = self.model.generics.params.iter();
        let names = params.filter_map(|param| match param {
            syn::GenericParam::Type(param) => Some(param.ident.to_string()),
            syn::GenericParam::Const(param) => Some(param.ident.to_string()),
            syn::GenericParam::Lifetime(_) => None,
        });
        mentions(tokens, &names.collect::<Vec<_>>())
    }

    /// A type changed by attributes.
    fn changed(&self, base: TokenStream, constraints: &Constraints) -> TokenStream {
        let is_set = |flag: &Option<SpannedValue<bool>>| flag.as_ref().is_some_and(|flag| **flag);
        let mut tokens = base;
        if is_set(&constraints.int_or_string) {
            tokens = self.variant("Dyn");
        }
        if is_set(&constraints.embedded_resource) {
            let cel = self.cel();
            tokens = quote!(#tokens.embedded_resource(&const { #cel::Object {
                name: "resource",
                fields: &[
                    #cel::Field { name: "", of: &#cel::Declared::RESOURCE, optional: false },
                    #cel::Field { name: "", of: &const { #tokens }, optional: false },
                ],
            } }));
        }
        if let Some(format) = &constraints.format {
            let format = &format.value;
            tokens = quote!(#tokens.with_format(#format));
        }
        for (inner, with) in
            [(&constraints.items, "with_items"), (&constraints.values, "with_values")]
        {
            let Some(inner) = inner else { continue };
            if changes_type(inner) {
                let with = proc_macro2::Ident::new(with, Span::call_site());
                let changed = self.changed(quote!(#tokens.inner()), inner);
                tokens = quote!(#tokens.#with(&const { #changed }));
            }
        }
        for (bound, with) in [
            (&constraints.max_length, "with_max_length"),
            (&constraints.max_items, "with_max_items"),
            (&constraints.max_properties, "with_max_properties"),
        ] {
            let Some(bound) = bound else { continue };
            let with = proc_macro2::Ident::new(with, Span::call_site());
            let bound = match &**bound {
                Constant::Literal(bound) => u64::from(*bound).to_token_stream(),
                // A generic parameter has no name outside the impl.
                Constant::Expr(expr)
                    if self.concrete && self.mentions_a_parameter(quote!(#expr)) =>
                {
                    continue;
                }
                Constant::Expr(_) => as_number(bound, "u64"),
            };
            tokens = quote!(#tokens.#with(#bound));
        }
        if let Some(values) = &constraints.enum_values {
            tokens = if let Some(texts) = texts(values) {
                quote!(#tokens.with_values_of(&[#(#texts),*]))
            } else {
                quote!(#tokens.with_longest(0))
            };
        }
        tokens
    }
}

/// Whether the schema certainly does not require the field, by its type and attributes.
fn may_be_absent(field: &Field) -> bool {
    if field.required.is_some() {
        return false;
    }
    let has_default = match field.constraints.default.as_deref() {
        Some(Override::Explicit(value)) => {
            value.as_text().is_some() || value.as_number().is_some() || value.as_bool().is_some()
        }
        Some(Override::Inherit) | None => false,
    };
    has_default
        || field.optional.is_some()
        || field.default.is_some()
        || field.skip_deserializing
        || (field.with.is_none() && types::option(&field.ty).is_some())
}

/// Whether no attribute of a variant changes the type of its content.
fn is_as_written(variant: &Variant) -> bool {
    variant.constraints.schema_with.is_none() && !changes_type(&variant.constraints)
}

/// Whether a variant has no content.
fn is_unit(variant: &Variant) -> bool {
    matches!(variant.body, Body::Unit) && variant.constraints.schema_with.is_none()
}

/// Whether constraints change the type or the bounds of elements, at any depth.
fn changes_type(constraints: &Constraints) -> bool {
    let inner = [&constraints.items, &constraints.values];
    constraints.int_or_string.is_some()
        || constraints.embedded_resource.is_some()
        || constraints.format.is_some()
        || constraints.max_length.is_some()
        || constraints.max_items.is_some()
        || constraints.max_properties.is_some()
        || constraints.enum_values.is_some()
        || inner.into_iter().flatten().any(|inner| changes_type(inner))
}

/// Values that are all literal strings.
fn texts(values: &Exprs) -> Option<Vec<String>> {
    values.0.iter().map(|value| Value(value.clone()).as_text()).collect()
}

/// Whether one of these names is among tokens.
pub(super) fn mentions(tokens: TokenStream, names: &[String]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.iter().any(|name| ident == name.as_str()),
        TokenTree::Group(group) => mentions(group.stream(), names),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
