//! Compares the output of each emitter for one type with the text in `golden/*.rs`, which `BLESS=1` rewrites.
//!
//! The text shows a reviewer what users compile; other tests check that it works.

use std::fs;
use std::path::Path;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_quote};

use super::{apply, asserts, client, resource, schema};
use crate::attr::Derive;
use crate::emit::constraints::chain;
use crate::model::{Body, Model};

fn model(input: &DeriveInput, derive: Derive) -> Model {
    let mut errors = darling::Error::accumulator();
    let model = Model::read(input, derive, &mut errors).expect("a model");
    crate::check::check(&model, &mut errors);
    errors.finish().expect("no mistakes");
    model
}

/// Compares with `golden/<name>.rs`.
#[track_caller]
fn golden(name: &str, tokens: TokenStream) {
    let file = syn::parse2(tokens).expect("items");
    let got = prettyplease::unparse(&file);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/emit/golden").join(name);
    if std::env::var_os("BLESS").is_some() {
        return fs::write(&path, got).expect("the file can be written");
    }
    let want = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        got == want,
        "the expansion changed; `BLESS=1 cargo test -p crd-derive` rewrites {}:\n{got}",
        path.display()
    );
}

fn object() -> DeriveInput {
    parse_quote! {
        /// A job.
        #[serde(rename_all = "camelCase")]
        #[crd(rule("self.minReplicas <= self.maxReplicas", message = "wrong order"))]
        struct JobSpec<T> {
            /// The least.
            #[crd(minimum = 1, default = 1, print_column)]
            min_replicas: i32,
            #[crd(max_length = 10, pattern = "^[a-z]+$")]
            #[serde(skip_serializing_if = "Option::is_none")]
            max_replicas: Option<Name>,
            #[crd(list_type = "map", list_map_keys("name"), items(max_properties = 3))]
            ports: Vec<Port>,
            #[serde(flatten)]
            more: T,
        }
    }
}

fn tagged() -> DeriveInput {
    parse_quote! {
        #[serde(tag = "type")]
        enum Action {
            Run { command: Vec<String> },
            Http(Http),
            None,
        }
    }
}

fn kind() -> DeriveInput {
    parse_quote! {
        #[crd(
            group = "example.com", version = "v1", kind = "Job", namespaced, status = "JobStatus",
            short_name = "jb", scale(spec = ".spec.replicas", status = ".status.replicas"),
            print_column(name = "Age", type = "date", path = ".metadata.creationTimestamp")
        )]
        struct JobSpec {
            #[crd(selectable)]
            color: String,
        }
    }
}

#[test]
fn schemas() {
    let object = schema::emit(&model(&object(), Derive::Schema));
    let tagged = schema::emit(&model(&tagged(), Derive::Schema));
    golden("schema.rs", quote!(#object #tagged));
}

#[test]
fn constraints() {
    let model = model(&object(), Derive::Schema);
    let Body::Object(object) = &model.body else { panic!("an object") };
    let chains = object.fields.iter().map(|field| {
        let chain = chain(&field.constraints, &quote!(crd_runtime));
        quote!(schema #chain)
    });
    golden("constraints.rs", quote!(fn constraints() { #(#chains;)* }));
}

#[test]
fn asserts() {
    let without_parameters = parse_quote! {
        struct Spec {
            #[crd(min_length = 1)]
            name: Name,
            #[crd(list_type = "map", list_map_keys("name"))]
            ports: Vec<Port>,
            #[serde(flatten)]
            more: More,
        }
    };
    let model = model(&without_parameters, Derive::Schema);
    let krate = quote!(crd_runtime);
    let (items, _) = asserts::checks(&model, &krate).emit(&model, &krate);
    golden("asserts.rs", items);
}

#[test]
fn clients() {
    let kind = client::emit(&model(&kind(), Derive::Kind));
    let part = parse_quote! {
        struct Status {
            #[crd(selectable)]
            phase: String,
            place: Place,
        }
    };
    let part = client::emit(&model(&part, Derive::Schema));
    let word = parse_quote! {
        enum Color {
            Blue,
            #[serde(rename = "dark red")]
            DarkRed,
        }
    };
    let word = client::emit(&model(&word, Derive::Schema));
    golden("client.rs", with_the_feature(quote!(#kind #part #word)));
}

/// The output of `__private::client!` with the feature `client`.
fn with_the_feature(tokens: TokenStream) -> TokenStream {
    let file: syn::File = syn::parse2(tokens).expect("items");
    let items = file.items.into_iter().map(|item| match item {
        syn::Item::Macro(item) => item.mac.tokens,
        item => quote!(#item),
    });
    items.collect()
}

#[test]
fn resources() {
    let model = model(&kind(), Derive::Kind);
    let kind = model.kind.as_ref().expect("a kind");
    golden("resource.rs", resource::emit(&model, kind));
}

#[test]
fn configurations() {
    let kind = parse_quote! {
        #[crd(group = "example.com", version = "v1", kind = "Job", namespaced, apply)]
        struct JobSpec {
            /// The least.
            #[serde(rename = "min", default, skip_serializing_if = "is_zero")]
            least: i32,
            #[crd(list_type = "map", list_map_keys("name"))]
            ports: Vec<Port>,
            #[serde(flatten)]
            more: Option<More>,
        }
    };
    let item = parse_quote! {
        #[crd(apply(keys("name")))]
        struct Port {
            name: String,
        }
    };
    let choice = parse_quote! {
        #[crd(apply)]
        #[serde(tag = "type")]
        enum Action {
            Run { command: Vec<String> },
            Http(Http),
            None,
        }
    };
    let kind = apply::emit(&model(&kind, Derive::Kind));
    let item = apply::emit(&model(&item, Derive::Schema));
    let choice = apply::emit(&model(&choice, Derive::Schema));
    golden("apply.rs", quote!(#kind #item #choice));
}
