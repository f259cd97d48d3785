//! `print_column(..)` and `selectable(..)`.

use darling::util::SpannedValue;
use darling::{Error, FromMeta, Result};
use syn::Meta;
use syn::spanned::Spanned;

use super::form::positional;
use super::rule::is_unchecked;
use crate::literal::Text;

/// A member of `additionalPrinterColumns`.
#[derive(Debug, Clone, Default, FromMeta)]
pub(crate) struct Column {
    /// The heading.
    pub name: Option<Text>,
    /// `boolean`, `date`, `integer`, `number` or `string`.
    #[darling(rename = "type")]
    pub ty: Option<Text>,
    /// A JSON path from the root of the object.
    pub path: Option<Text>,
    /// A description for people; `kubectl get` does not print it.
    pub description: Option<Text>,
    /// An OpenAPI format, such as `date-time`.
    pub format: Option<Text>,
    /// The priority; `kubectl get` shows columns above 0 only with `-o wide`. Default: 0.
    pub priority: Option<SpannedValue<i32>>,
    /// Whether the path may lead to no value, which rustc would reject.
    #[darling(default, with = is_unchecked)]
    pub unchecked: bool,
}

#[derive(Debug, Default, FromMeta)]
struct JsonPathOptions {
    path: Option<Text>,
}

/// Reads `selectable(".spec.color")`, `selectable(path = "..")` or `selectable = ".."`.
pub(super) fn json_path(item: &Meta) -> Result<Text> {
    let (first, rest) = positional(item, &[])?;
    let options = JsonPathOptions::from_list(&rest)?;
    match (first, options.path) {
        (Some(expr), None) => Text::parse(&expr),
        (None, Some(path)) => Ok(path),
        _ => {
            let message = "`selectable` takes one path, such as `selectable(\".spec.color\")`";
            Err(Error::custom(message).with_span(&item.span()))
        }
    }
}
