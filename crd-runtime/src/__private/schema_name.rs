//! The names of types for schemars.

use std::borrow::Cow;

/// Returns the name of a type for schemars. The name contains the type parameters, as in `Page_for_Item`, because they
/// change the schema.
#[must_use]
pub fn schema_name(name: &'static str, parameters: &[&str]) -> Cow<'static, str> {
    if parameters.is_empty() {
        return Cow::Borrowed(name);
    }
    let parameters: Vec<_> =
        parameters.iter().map(|parameter| without_modules(parameter)).collect();
    Cow::Owned(format!("{name}_for_{}", parameters.join("_and_")))
}

/// Returns the identifier of a type for schemars: types of one name in two modules have two schemas.
#[must_use]
pub fn schema_id<T: ?Sized>() -> Cow<'static, str> {
    Cow::Borrowed(std::any::type_name::<T>())
}

/// Returns the names in a type: `Vec_Item` for `alloc::vec::Vec<a::Item>`.
fn without_modules(type_: &str) -> String {
    let paths = type_.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':'));
    let names = paths.filter_map(|path| path.rsplit("::").next()).filter(|name| !name.is_empty());
    names.collect::<Vec<_>>().join("_")
}
