//! Rules, checked by rustc: they become tables, which are statics whose evaluation is the check.
//! `CrdSchema::NEEDS` lists the tables, from which a kind finds those that its oldest server cannot run.
//!
//! They are statics because rustc evaluates a constant once for each set of trait bounds under
//! which it is used, and does not keep its value for an incremental build. A static is evaluated
//! once.

mod expression;
mod expressions;
mod known;
mod optional;
mod variants;

use std::collections::BTreeSet;
use std::rc::Rc;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::CheckNames;
use super::cel::Emitter;
use super::generics::{has_parameters, without_lifetimes};
use super::{has_statics, part_of};
use crate::literal::StringExpr;
use crate::model::{Body, Constraints, Field, Kind, Model, Oldest, Rule};
use crate::needs::Need;
use crate::types;
use known::Known;

/// The most rules in a table, which rustc evaluates as one constant, in limited time.
const IN_A_TABLE: usize = 16;

/// The rule of `immutable`.
const IMMUTABLE: &str = "self == oldSelf";

/// The tokens for the rules of a type.
pub(crate) struct Rules {
    /// Statics that check rules, and constants that report their errors.
    pub(crate) checks: TokenStream,
    /// Checks of rules that mention a generic parameter, to be emitted where it has a name.
    pub(crate) within: Vec<(Span, TokenStream)>,
    /// `const NEEDS: Needs = ..;`, unless there are none.
    pub(crate) needs: Option<TokenStream>,
    /// Whether `needs` names the place of the type.
    pub(crate) needs_place: bool,
    /// The names in rules that the macro has checked: it has relied on the names of the types of these fields.
    pub(crate) known_names: BTreeSet<String>,
}

/// The rules of a type.
///
/// ```text
/// static __RULES_0: [Examined; 1] = examine(&[rule(&__TYPE.cel, "self.a < self.b", b"..")]);
/// const __RULE_CHECK: () = report(&__RULES_0[0]);
/// ```
pub(crate) fn emit(model: &Model) -> Rules {
    let types = Emitter::outside(model);
    let mut writer = Writer::new(types, model.ident.to_string(), "");
    writer.servers = model.kind.as_ref().map(Servers::of);
    let target = writer.target_itself();
    writer.rules(&model.constraints, &target);
    if let (Some(object), None) = (model.body.object(), &model.constraints.schema_with) {
        let warnings = optional::of_object(&model.constraints.rules, object, model);
        writer.checks.extend(warnings);
    }
    writer.body(&model.body);
    if model.constraints.schema_with.is_some() {
        writer.parts.clear();
    }
    if let Some(kind) = &model.kind
        && let Oldest::Constant(text) = &kind.oldest
    {
        // `check` compares a literal.
        let (of, oldest) = (writer.of.clone(), kind.oldest.minor(&model.krate));
        let minor = quote_spanned!(text.span()=> __check::constant_minor(#text));
        writer.checks.extend(quote_spanned!(text.span()=> const __KUBERNETES: u32 = #minor;));
        for Need { what, since, span } in crate::needs::of_kind(model, kind) {
            let feature = quote!(__cel::Feature { what: #what, since: #since });
            let needs = quote!(&__Needs {
                of: #of, features: &[#feature], ..__Needs::NONE
            });
            let check = quote_spanned!(span=> __cel::all_available(#needs, "", #oldest));
            writer.check("servers", span, &check);
        }
    }
    writer.done(&features(model))
}

/// The checks of a generated root, and the statics of its rules.
pub(crate) fn root<'a>(
    model: &'a Model,
    kind: &'a Kind,
    root: &Ident,
) -> (TokenStream, Vec<Ident>) {
    let types = Emitter::outside(model);
    let mut writer = Writer::new(types, root.to_string(), "ROOT_");
    writer.servers = Some(Servers { oldest: &kind.oldest, path: "" });
    let target = RuleTarget::all(quote!(&<#root as __CrdSchema>::AS_FIELD.cel));
    for rule in &kind.root_rule {
        writer.rule(rule, &target);
    }
    writer.checks.extend(optional::of_root(kind, model));
    // The spec's needs are checked where the spec is derived.
    if let Some(status) = kind.type_of_status() {
        let needs = quote!(__Of::<#status>::NEEDS);
        writer.part("status", "status", needs, status.span());
    }
    let tables = writer.tables();
    (writer.checks, tables)
}

/// Writes the features of the type that older servers lack, as elements of `Needs::features`.
fn features(model: &Model) -> Vec<TokenStream> {
    let needs = crate::needs::of(model).into_iter().map(|need| {
        let (what, since) = (need.what, need.since);
        quote!(__cel::Feature { what: #what, since: #since })
    });
    needs.collect()
}

/// The oldest server that a kind supports, and the path of the type in the kind.
#[derive(Clone, Copy)]
struct Servers<'a> {
    oldest: &'a Oldest,
    /// The path of the type in an object of the kind: `spec`, or empty for a root type.
    path: &'static str,
}

impl<'a> Servers<'a> {
    fn of(kind: &'a Kind) -> Self {
        let path = if kind.is_root() { "" } else { "spec" };
        Self { oldest: &kind.oldest, path }
    }
}

struct Writer<'a> {
    types: Emitter<'a>,
    /// The name of the type in errors.
    of: String,
    /// The beginning of the names of statics. A root has its own, because it is in the constant of its spec.
    prefix: &'static str,
    checks: TokenStream,
    names: CheckNames,
    within: Vec<(Span, TokenStream)>,
    /// The expressions so far, as elements of tables.
    rules: Vec<TokenStream>,
    /// The elements of `Needs::parts`.
    parts: Vec<(String, TokenStream)>,
    /// The servers of a kind; `None` if the type is not a kind.
    servers: Option<Servers<'a>>,
    /// As [`Rules::known_names`].
    known_names: BTreeSet<String>,
}

impl<'a> Writer<'a> {
    fn new(types: Emitter<'a>, of: String, prefix: &'static str) -> Self {
        Self {
            types,
            of,
            prefix,
            checks: TokenStream::new(),
            names: CheckNames::default(),
            within: Vec::new(),
            rules: Vec::new(),
            parts: Vec::new(),
            servers: None,
            known_names: BTreeSet::new(),
        }
    }

    fn check(&mut self, name: &str, span: Span, check: &TokenStream) {
        let name = format!("{}{name}", self.prefix);
        self.checks.extend(self.names.constant(&name, span, check));
    }

    fn name_of(&self, part: impl std::fmt::Display) -> Ident {
        format_ident!("__{}{part}", self.prefix)
    }

    /// Adds an expression to the tables, and returns its place.
    fn push(&mut self, rule: TokenStream) -> TokenStream {
        let place = self.rules.len();
        self.rules.push(rule);
        let table = self.name_of(format_args!("RULES_{}", place / IN_A_TABLE));
        let index = Literal::usize_unsuffixed(place % IN_A_TABLE);
        quote!(#table[#index])
    }

    /// Adds the tables to the checks, and returns their names: the elements of `Needs::rules`.
    fn tables(&mut self) -> Vec<Ident> {
        let rules = std::mem::take(&mut self.rules);
        let table = |(at, rules): (usize, &[TokenStream])| {
            let name = self.name_of(format_args!("RULES_{at}"));
            let count = Literal::usize_unsuffixed(rules.len());
            let table = quote! {
                static #name: [__Examined; #count] = __cel::examine(&[#(#rules),*]);
            };
            (name, table)
        };
        let tables: Vec<_> = rules.chunks(IN_A_TABLE).enumerate().map(table).collect();
        let (names, tables): (Vec<_>, Vec<_>) = tables.into_iter().unzip();
        self.checks.extend(tables);
        names
    }

    /// Joins the statics and checks, and writes `NEEDS`.
    fn done(mut self, features: &[TokenStream]) -> Rules {
        let statics = self.tables();
        let Self { types, of, mut checks, within, parts, known_names, .. } = self;
        if statics.is_empty() && parts.is_empty() && features.is_empty() {
            return Rules { checks, within, needs: None, needs_place: false, known_names };
        }
        let needs_place = statics.len() + features.len() > 0;
        let place = super::place(types.model).filter(|_| needs_place);
        let rules = (!statics.is_empty()).then(|| quote!(rules: &[#(&#statics),*],));
        let features = (!features.is_empty()).then(|| quote!(features: &[#(#features),*],));
        let names = parts.iter().map(|(name, needs)| quote!((#name, #needs)));
        let parts = (!parts.is_empty()).then(|| quote!(parts: &[#(#names),*],));
        let needs = quote! {
            __Needs {
                of: #of, #place #rules #features #parts ..__Needs::NONE
            }
        };
        if !has_statics(types.model) {
            let needs = quote!(const NEEDS: &'static __Needs = &#needs;);
            return Rules { checks, within, needs: Some(needs), needs_place, known_names };
        }
        checks.extend(quote!(static __NEEDS: __Needs = #needs;));
        let needs = quote!(
            const NEEDS: &'static __Needs = &__NEEDS;
        );
        Rules { checks, within, needs: Some(needs), needs_place, known_names }
    }

    /// Describes the whole type, as the value of its own rules.
    fn target_itself(&mut self) -> RuleTarget {
        let model = self.types.model;
        let Model { generics, ident, .. } = model;
        if has_statics(model) {
            let known = Known::itself(model).map(Rc::new);
            return RuleTarget { known, ..RuleTarget::all(quote!(&__TYPE.cel)) };
        }
        if !has_parameters(model) {
            let (_, type_generics, _) = generics.split_for_impl();
            let of = quote!(&<#ident #type_generics as __CrdSchema>::AS_FIELD.cel);
            return RuleTarget::all(without_lifetimes(of, model));
        }
        let target = self.target(Emitter::whole);
        let within = target.within.map(|_| quote!(<Self as __CrdSchema>::AS_FIELD.cel));
        RuleTarget { within, ..target }
    }

    /// Describes the value that `write` declares. The declaration for outside the impl replaces
    /// generic parameters; the one for inside names them.
    fn target(&self, write: impl Fn(&Emitter<'a>) -> TokenStream) -> RuleTarget {
        let model = self.types.model;
        let of = write(&self.types);
        if !has_parameters(model) {
            return RuleTarget::all(quote!(&const { #of }));
        }
        let within = write(&Emitter::inside(model));
        let within = (within.to_string() != of.to_string()).then_some(within);
        RuleTarget { within, ..RuleTarget::all(quote!(&const { #of })) }
    }

    fn body(&mut self, body: &Body) {
        match body {
            Body::Object(object) => {
                for field in &object.fields {
                    self.field(field, if field.flatten { "" } else { &field.wire });
                }
            }
            Body::Transparent(field) => self.field(field, ""),
            Body::Tuple(fields) => {
                for field in fields {
                    self.field(field, crd_cel::compile_time::ELEMENTS);
                }
            }
            Body::Enum(data) => {
                for variant in &data.variants {
                    self.variant(data, variant);
                }
            }
            Body::Delegate(ty) => {
                let needs = self.of_type(ty);
                self.part("", "", needs, types::span(ty));
            }
            Body::Unit => {}
        }
    }

    fn of_type(&self, ty: &syn::Type) -> TokenStream {
        let of = part_of(self.types.model, ty);
        quote!(#of::NEEDS)
    }

    /// The rules of a field and of its type.
    fn field(&mut self, field: &Field, name: &str) {
        self.type_of_field(field, name);
        let constraints = &field.constraints;
        if constraints.rules.is_empty()
            && constraints.immutable.is_none()
            && constraints.nested().next().is_none()
        {
            return;
        }
        let target = match self.types.reference(field) {
            Some(of) => {
                let known = Known::field(field).map(Rc::new);
                RuleTarget { known, ..RuleTarget::all(of) }
            }
            None => self.target(|types| types.field(field)),
        };
        self.constraints(constraints, &target);
    }

    /// The rules of the type of a field. `name` is the path of the field in the type, for errors.
    fn type_of_field(&mut self, field: &Field, name: &str) {
        if !field.has_replaced_schema() && field.holds_types_of_users() {
            let needs = self.of_type(&field.ty);
            self.part(
                name,
                if field.flatten { "" } else { &field.wire },
                needs,
                types::span(&field.ty),
            );
        }
    }

    /// The rules in constraints and, at any depth, in their `items(..)` and `values(..)`.
    fn constraints(&mut self, constraints: &Constraints, target: &RuleTarget) {
        self.rules(constraints, target);
        for inner in constraints.nested() {
            self.constraints(inner, &target.below(crd_cel::compile_time::ELEMENTS));
        }
    }

    fn rules(&mut self, constraints: &Constraints, target: &RuleTarget) {
        for rule in &constraints.rules {
            self.rule(rule, target);
        }
        if let Some(span) = constraints.immutable {
            self.rule(&Rule::plain(StringExpr::literal(IMMUTABLE, span)), target);
        }
    }

    /// Adds a part of the type. If the type is a kind, checks that its servers support what the part needs. `name` is
    /// the path of the part in the type, and `shown` in errors of the kind.
    fn part(&mut self, name: &str, shown: &str, needs: TokenStream, span: Span) {
        if let Some(Servers { oldest, path }) = self.servers {
            let dot = if path.is_empty() || shown.is_empty() { "" } else { "." };
            let shown = format!("{path}{dot}{shown}");
            let oldest = oldest.minor(&self.types.model.krate);
            let check = quote_spanned!(span=> __cel::all_available(#needs, #shown, #oldest));
            self.check("servers", span, &check);
        }
        self.parts.push((name.to_owned(), needs));
    }
}

/// The value that a rule is evaluated on.
struct RuleTarget {
    /// An expression of type `&'static Declared`.
    of: TokenStream,
    /// An expression of type `Declared` for inside the impl, where generic parameters have names,
    /// if it differs.
    within: Option<TokenStream>,
    /// The path from `of` to the value.
    path: Vec<String>,
    /// The type of the value that has the path, if the macro knows it.
    known: Option<Rc<Known>>,
    /// The variant of the rule, if the rule is checked against only the fields that it mentions.
    narrow: Option<Ident>,
}

impl RuleTarget {
    fn all(of: TokenStream) -> Self {
        Self { of, within: None, path: Vec::new(), known: None, narrow: None }
    }

    fn below(&self, name: &str) -> Self {
        let path = self.path.iter().cloned().chain([name.to_owned()]).collect();
        let (of, within, narrow) = (self.of.clone(), self.within.clone(), self.narrow.clone());
        Self { of, within, path, known: self.known.clone(), narrow }
    }
}
