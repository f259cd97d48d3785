//! Rules, checked by rustc: each rule becomes a static whose evaluation is the check.
//! `CrdSchema::RULES` is a tree of them, from which a kind computes the cost of all its rules.
//!
//! They are statics because rustc evaluates a constant once for each set of trait bounds under
//! which it is used, and does not keep its value for an incremental build. A static is evaluated
//! once.

mod expressions;
mod optional;
mod tree;
mod variants;

use crd_cel::compile_time::CostCheck;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned as _;

use super::cel::Emitter;
use super::generics::{has_parameters, without_lifetimes};
use super::{at, of};
use crate::literal::StringExpr;
use crate::model::{Body, Constraints, Field, Kind, Model, Rule};
use tree::Part;

/// The rule of `immutable`.
const IMMUTABLE: &str = "self == oldSelf";

/// The tokens for the rules of a type.
pub(crate) struct Rules {
    /// Statics that check rules, and constants that report their errors.
    pub(crate) checks: TokenStream,
    /// Checks of rules that mention a generic parameter, to be emitted where it has a name.
    pub(crate) within: Vec<(Span, TokenStream)>,
    /// `const RULES: Rules = ..;`, unless there are none.
    pub(crate) tree: Option<TokenStream>,
}

/// The rules of a type and, if it is a kind, their cost in one object.
///
/// ```text
/// static __CEL: Declared = <T as CrdSchema>::CEL;
/// static __RULE_0: Examined = examine(Rule { of: &__CEL, .. }, &[]);
/// const _: () = report(&__RULE_0);
/// const _: () = within_limit(&__CEL, &__RULES, 0);
/// ```
pub(crate) fn emit(model: &Model, krate: &TokenStream) -> Rules {
    let types = Emitter { krate, model, concrete: true, only: None, own: None };
    let of = model.ident.to_string();
    let mut writer = Writer::new(types, of);
    if let Some(kind) = &model.kind {
        writer.servers = Some(Servers::of(kind));
    } else {
        writer.needs = needs(model, krate);
    }
    let cost_check =
        if matches!(model.body, Body::Object(_)) { CostCheck::Here } else { CostCheck::AtUse };
    let target = RuleTarget { cost_check, ..writer.target_itself() };
    let own = writer.rules(&model.constraints, &target);
    if let (Some(object), None) = (model.body.object(), &model.constraints.schema_with) {
        let warnings = optional::of_object(&model.constraints.rules, object, model);
        writer.checks.extend(warnings);
    }
    let mut below = writer.body(&model.body);
    if model.constraints.schema_with.is_some() {
        below.clear();
        writer.variants.clear();
    }
    let tree = writer.tree(&own, &below);
    let mut of_kind = TokenStream::new();
    if let (Some(_), Some(kind)) = (&tree, &model.kind) {
        of_kind.extend(all_rules(&model.ident, krate));
        for (nth, part) in below.iter().enumerate().filter(|(_, part)| part.kind_checks_cost) {
            of_kind.extend(within_limit(nth, part.span, kind, krate));
        }
        if kind.is_root() {
            of_kind.extend(within_total(kind, krate));
        }
    }
    writer.done(&of_kind, tree)
}

/// The rules of a generated root.
pub(crate) fn root(model: &Model, kind: &Kind, root: &Ident, krate: &TokenStream) -> Rules {
    let types = Emitter { krate, model, concrete: true, only: None, own: None };
    let of = root.to_string();
    let mut writer = Writer::new(types, of);
    writer.servers = Some(Servers { oldest: kind.oldest, path: "" });
    let target = RuleTarget { cost_check: CostCheck::Here, ..RuleTarget::all(quote!(&__CEL)) };
    writer.declare(&quote!(<#root as #krate::CrdSchema>::CEL));
    let rules = kind.root_rules.iter();
    let own: Vec<_> = rules.flat_map(|rule| writer.rule(rule, &target)).collect();
    writer.checks.extend(optional::of_root(kind, model));
    let part = |name: &str, ty: &dyn quote::ToTokens| Part {
        name: name.to_owned(),
        rules: quote!(#krate::__private::Of::<#ty>::RULES),
        kind_checks_cost: true,
        span: ty.span(),
    };
    let status = kind.status.as_deref();
    let status = status.map(|status| part("status", status));
    if let Some(Part { rules, span, .. }) = &status {
        writer.part_available(rules, "status", *span);
    }
    let below: Vec<_> = std::iter::once(part("spec", &model.ident)).chain(status).collect();
    let tree = writer.tree(&own, &below);
    let mut of_kind = all_rules(root, krate);
    // The spec's rules are checked where the spec is derived.
    for (nth, part) in below.iter().enumerate().skip(1) {
        of_kind.extend(within_limit(nth, part.span, kind, krate));
    }
    if let ([_, ..], Some(spec)) = (kind.root_rules.as_slice(), below.first()) {
        of_kind.extend(all_typed(0, spec.span, krate));
    }
    of_kind.extend(within_total(kind, krate));
    writer.done(&of_kind, tree)
}

/// The rules of a kind, as a static because rustc evaluates a static only once.
fn all_rules(kind: &Ident, krate: &TokenStream) -> TokenStream {
    quote! {
        static __RULES: #krate::crd_schema::Rules = <#kind as #krate::CrdSchema>::RULES;
    }
}

/// Checks that no rule of a part costs too much.
fn within_limit(nth: usize, span: Span, kind: &Kind, krate: &TokenStream) -> TokenStream {
    let path = at(span, krate);
    let oldest = kind.oldest;
    quote_spanned! {span=>
        const _: () = #path::__private::cel::within_limit(&__CEL, &__RULES, #nth, #oldest);
    }
}

/// Checks that the server can compile the rules of a part.
fn all_typed(nth: usize, span: Span, krate: &TokenStream) -> TokenStream {
    let path = at(span, krate);
    quote_spanned! {span=>
        const _: () = #path::__private::cel::all_typed(&__CEL, &__RULES, #nth);
    }
}

/// Checks that all rules of a kind together do not cost too much.
fn within_total(kind: &Kind, krate: &TokenStream) -> TokenStream {
    let span = kind.kind.span;
    let path = at(span, krate);
    let oldest = kind.oldest;
    quote_spanned! {span=>
        const _: () = #path::__private::cel::within_total(&__CEL, &__RULES, #oldest);
    }
}

/// Writes the features of the type that older servers lack, as elements of `Rules::needs`.
fn needs(model: &Model, krate: &TokenStream) -> Vec<TokenStream> {
    let needs = crate::needs::of(model).into_iter().map(|need| {
        let (what, since) = (need.what, need.since);
        quote!(#krate::__private::cel::Need { what: #what, since: #since })
    });
    needs.collect()
}

/// The oldest server that a kind supports, and the path of the type in the kind.
#[derive(Clone, Copy)]
struct Servers {
    oldest: u32,
    /// The path of the type in an object of the kind: `spec`, or empty for a root type.
    path: &'static str,
}

impl Servers {
    fn of(kind: &Kind) -> Self {
        let path = if kind.is_root() { "" } else { "spec" };
        Self { oldest: kind.oldest, path }
    }
}

struct Writer<'a> {
    krate: &'a TokenStream,
    types: Emitter<'a>,
    /// The name of the type in errors.
    of: String,
    checks: TokenStream,
    within: Vec<(Span, TokenStream)>,
    /// The number of statics so far.
    count: usize,
    /// `static __CEL`, of a type without parameters.
    declared: TokenStream,
    /// The servers of a kind; `None` if the type is not a kind.
    servers: Option<Servers>,
    /// The elements of `Rules::needs`.
    needs: Vec<TokenStream>,
    /// The elements of `Rules::variants`.
    variants: Vec<TokenStream>,
}

impl<'a> Writer<'a> {
    fn new(types: Emitter<'a>, of: String) -> Self {
        Self {
            krate: types.krate,
            types,
            of,
            checks: TokenStream::new(),
            within: Vec::new(),
            count: 0,
            declared: TokenStream::new(),
            servers: None,
            needs: Vec::new(),
            variants: Vec::new(),
        }
    }

    /// Emits the declaration of the type as a static, because rustc evaluates a static once, and a
    /// constant at each use.
    fn declare(&mut self, of: &TokenStream) {
        let krate = self.krate;
        self.declared = quote! {
            static __CEL: #krate::crd_schema::Declared = #of;
        };
    }

    /// Joins the statics and checks; `kind_checks` are the checks that only a kind has.
    fn done(self, kind_checks: &TokenStream, tree: Option<TokenStream>) -> Rules {
        let Self { checks, declared, within, .. } = self;
        let is_used = !checks.is_empty() || !kind_checks.is_empty();
        let declared = is_used.then_some(declared);
        Rules { checks: quote!(#declared #checks #kind_checks), within, tree }
    }

    /// Describes the whole type, as the value of its own rules.
    fn target_itself(&mut self) -> RuleTarget {
        let model = self.types.model;
        let Model { generics, ident, .. } = model;
        let krate = self.krate;
        if !has_parameters(model) {
            let (_, type_generics, _) = generics.split_for_impl();
            let of = quote!(<#ident #type_generics as #krate::CrdSchema>::CEL);
            self.declare(&without_lifetimes(of, model));
            return RuleTarget::all(quote!(&__CEL));
        }
        let target = self.target(Emitter::whole);
        let within = target.within.map(|_| quote!(<Self as #krate::CrdSchema>::CEL));
        RuleTarget { within, ..target }
    }

    /// Describes the value that `write` declares. The declaration for outside the impl replaces
    /// generic parameters; the one for inside names them.
    fn target(&self, write: impl Fn(&Emitter<'a>) -> TokenStream) -> RuleTarget {
        let Emitter { krate, model, .. } = self.types;
        let of = write(&self.types);
        if !has_parameters(model) {
            return RuleTarget::all(quote!(&const { #of }));
        }
        let within = write(&Emitter { krate, model, concrete: false, only: None, own: None });
        let within = (within.to_string() != of.to_string()).then_some(within);
        RuleTarget { within, ..RuleTarget::all(quote!(&const { #of })) }
    }

    fn body(&mut self, body: &Body) -> Vec<Part> {
        match body {
            Body::Object(object) => {
                let parts = object.fields.iter().filter_map(|field| {
                    let name =
                        if field.flatten { Some(String::new()) } else { field.cel_name.clone() };
                    let cost_check = if field.flatten { CostCheck::AtUse } else { CostCheck::Here };
                    let part = self.field(field, cost_check)?;
                    Some(Part { name: name?, ..part })
                });
                parts.collect()
            }
            Body::Transparent(field) => self.field(field, CostCheck::AtUse).into_iter().collect(),
            // All elements have the schema of the first one.
            Body::Tuple(fields) => {
                let parts = fields.iter().filter_map(|field| self.field(field, CostCheck::AtUse));
                let parts: Vec<_> = parts.collect();
                let name = crd_cel::compile_time::ELEMENTS.to_owned();
                parts.into_iter().take(1).map(|part| Part { name: name.clone(), ..part }).collect()
            }
            Body::Enum(data) => {
                for variant in &data.variants {
                    self.variant(data, variant);
                }
                Vec::new()
            }
            Body::Delegate(ty) => {
                let rules = self.of_type(ty);
                self.part_available(&rules, "", ty.span());
                vec![Part { name: String::new(), rules, kind_checks_cost: true, span: ty.span() }]
            }
            Body::Unit => Vec::new(),
        }
    }

    fn of_type(&self, ty: &syn::Type) -> TokenStream {
        let of = of(self.types.model, ty);
        quote!(#of::RULES)
    }

    /// The rules of a field and of its type; the caller sets the name.
    fn field(&mut self, field: &Field, cost_check: CostCheck) -> Option<Part> {
        let known = !field.has_replaced_schema() && field.holds_types_of_users();
        let of_type = known.then(|| self.of_type(&field.ty));
        let span = field.ty.span();
        if let Some(rules) = &of_type {
            self.part_available(rules, if field.flatten { "" } else { &field.wire }, span);
        }
        let constraints = &field.constraints;
        if constraints.rules.is_empty()
            && constraints.immutable.is_none()
            && constraints.nested().next().is_none()
        {
            return of_type.map(|rules| Part {
                name: String::new(),
                rules,
                kind_checks_cost: true,
                span,
            });
        }
        let target = RuleTarget { cost_check, ..self.target(|types| types.field(field)) };
        let (own, below) = self.constraints(constraints, &target, of_type);
        let kind_checks_cost = !below.is_empty() || matches!(cost_check, CostCheck::AtUse);
        let rules = self.node(&own, &below);
        let part = Part { name: String::new(), rules, kind_checks_cost, span };
        (kind_checks_cost || !own.is_empty()).then_some(part)
    }

    /// The rules in constraints and, at any depth, in their `items(..)` and `values(..)`. `of_type` are the rules of
    /// the constrained type.
    fn constraints(
        &mut self,
        constraints: &Constraints,
        target: &RuleTarget,
        of_type: Option<TokenStream>,
    ) -> (Vec<Ident>, Vec<Part>) {
        let span = Span::call_site();
        let part =
            |name: &str, rules| Part { name: name.to_owned(), rules, kind_checks_cost: true, span };
        let own = self.rules(constraints, target);
        let mut below: Vec<_> = of_type.into_iter().map(|rules| part("", rules)).collect();
        let elements = crd_cel::compile_time::ELEMENTS;
        for inner in constraints.nested() {
            let (own, parts) = self.constraints(inner, &target.below(elements), None);
            if !own.is_empty() || !parts.is_empty() {
                below.push(part(elements, self.node(&own, &parts)));
            }
        }
        (own, below)
    }

    fn rules(&mut self, constraints: &Constraints, target: &RuleTarget) -> Vec<Ident> {
        let mut own: Vec<_> =
            constraints.rules.iter().flat_map(|rule| self.rule(rule, target)).collect();
        if let Some(span) = constraints.immutable {
            let rule = Rule::plain(StringExpr::literal(IMMUTABLE, span));
            own.extend(self.rule(&rule, target));
        }
        own
    }

    /// If the type is a kind, checks that its servers support what a part of it needs.
    fn part_available(&mut self, rules: &TokenStream, name: &str, span: Span) {
        let Some(Servers { oldest, path }) = self.servers else { return };
        let dot = if path.is_empty() || name.is_empty() { "" } else { "." };
        let name = format!("{path}{dot}{name}");
        let path = at(span, self.krate);
        self.checks.extend(quote_spanned! {span=>
            const _: () = #path::__private::cel::all_available(&#rules, #name, #oldest);
        });
    }
}

/// The static of a rule.
fn name_of(nth: usize) -> Ident {
    format_ident!("__RULE_{nth}")
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
    /// The check of the cost: `AtUse` if attributes where the type is used may still
    /// set a smaller bound.
    cost_check: CostCheck,
    /// The variant of the rule, if the rule is checked against only the fields that it mentions.
    narrow: Option<Ident>,
    /// Whether `of` and `path` lead to the value. Otherwise `of` declares a value of unknown type.
    is_known: bool,
}

impl RuleTarget {
    fn all(of: TokenStream) -> Self {
        let (path, cost_check) = (Vec::new(), CostCheck::AtUse);
        Self { of, within: None, path, cost_check, narrow: None, is_known: true }
    }

    fn below(&self, name: &str) -> Self {
        let path = self.path.iter().cloned().chain([name.to_owned()]).collect();
        // The kind checks the cost: a rule below a list with `max_items = 0` never runs.
        let cost_check = if matches!(self.cost_check, CostCheck::AtUse) {
            CostCheck::AtUse
        } else {
            CostCheck::PerValue
        };
        let (of, within) = (self.of.clone(), self.within.clone());
        let (narrow, is_known) = (self.narrow.clone(), self.is_known);
        Self { of, within, path, cost_check, narrow, is_known }
    }
}
