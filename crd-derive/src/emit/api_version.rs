//! The API version of a kind, whose group and version may be constants of Rust.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::model::Kind;

/// The text `group/version`: a literal, or the constant of the root. `private` is the path of `__private`.
pub(super) fn emit(root: &Ident, kind: &Kind, private: &TokenStream) -> TokenStream {
    if let (Some(group), Some(version)) = (kind.group.text(), kind.version.text()) {
        let text = format!("{}/{}", group.value, version.value);
        quote!(#text)
    } else {
        quote!(<#root as #private::k8s_openapi::Resource>::API_VERSION)
    }
}

/// The text `group/version`, which rustc joins if one of them is a constant.
pub(super) fn joined(root: &Ident, kind: &Kind, private: &TokenStream) -> TokenStream {
    if kind.group.text().is_some() && kind.version.text().is_some() {
        return emit(root, kind, private);
    }
    let of = quote!(<#root as #private::k8s_openapi::Resource>);
    quote! {{
        const __TEXT: [u8; #of::GROUP.len() + 1 + #of::VERSION.len()] =
            #private::joined(#of::GROUP, #of::VERSION);
        #private::text(&__TEXT)
    }}
}
