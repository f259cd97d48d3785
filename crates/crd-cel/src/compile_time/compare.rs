//! Compares a constant declaration with the one that the schema gets at run time.

use super::basic;
use super::declared::Declared;
use super::fuel::Fuel;
use super::kinds::MergedType;
use super::memory::{LARGE, Memory};
use super::site::Site;
use super::sites::Property;
use super::types::Types;
use crate::decl::{Decl, DeclKind};

impl Declared {
    /// Compares with the declaration of a schema, and counts the values that are known. `exact` is
    /// `None` if rules cannot see the value.
    ///
    /// # Errors
    /// The first place at which they differ, and how.
    pub fn compare(&'static self, exact: Option<&Decl>) -> Result<usize, String> {
        let mut memory = Box::new(Memory::<LARGE>::new());
        let types = Types::new(Fuel::new(u32::MAX), memory.lend().0);
        let mut comparison = Comparison { types, known: 0 };
        let site = comparison.types.site(self);
        comparison.compare(site, exact, "self")?;
        Ok(comparison.known)
    }
}

struct Comparison<'m> {
    types: Types<'m>,
    known: usize,
}

impl Comparison<'_> {
    /// `exact` is `None` if rules cannot see the place.
    fn compare(&mut self, site: Site, exact: Option<&Decl>, path: &str) -> Result<(), String> {
        // Comparing a value collects the alternatives of the values below it. They are dropped
        // after it; its own, which the caller has collected, stay.
        let before = self.types.alternative_count;
        let merged = self.types.merged(site);
        let visible = self.types.declared(site, 1).is_some();
        if merged == MergedType::Unknown {
            return Ok(());
        }
        self.known += 1;
        let result = match exact {
            None if visible => Err(format!("{path}: {merged:?}, which rules cannot see")),
            None => Ok(()),
            Some(_) if !visible => Err(format!("{path}: not visible, but rules can see it")),
            Some(decl) => self.compare_visible(site, merged, decl, path),
        };
        self.types.alternative_count = before;
        result
    }

    fn compare_visible(
        &mut self,
        site: Site,
        merged: MergedType,
        exact: &Decl,
        path: &str,
    ) -> Result<(), String> {
        let inner = match (&exact.kind, merged) {
            (DeclKind::List { element, .. }, MergedType::List) => element,
            (DeclKind::Map { value, .. }, MergedType::Map) => value,
            (DeclKind::Object(object), MergedType::Object) => {
                let open = (0..site.count()).any(|i| is_open(self.types.nth(site, i)));
                for (field, seen) in object
                    .fields
                    .iter()
                    .map(|field| (field, true))
                    .chain(object.hidden.iter().map(|field| (field, false)))
                {
                    // Rules cannot use a name without an identifier.
                    let Some(ident) = crate::escape::escape(&field.key) else { continue };
                    let below = format!("{path}.{ident}");
                    match self.types.property(site, &ident) {
                        Property::Found(site) => {
                            let exact = seen.then_some(&*field.decl);
                            self.compare(site, exact, &below)?;
                        }
                        Property::Missing => return Err(format!("{below}: missing")),
                        Property::Unknown => {}
                    }
                }
                let idents = object.fields.iter().chain(&object.hidden);
                let idents: Vec<_> = idents.map(|field| &*field.ident).collect();
                let extra = (0..site.count())
                    .flat_map(|i| names(self.types.nth(site, i)))
                    .find(|name| !idents.contains(name));
                return match extra {
                    Some(name) if !open => Err(format!("{path}.{name}: not in the schema")),
                    _ => Ok(()),
                };
            }
            (_, MergedType::Basic(code)) => {
                let (got, want) = (basic::name(code), exact.type_named("self").to_string());
                return if got == want {
                    Ok(())
                } else {
                    Err(format!("{path}: {got}, and the schema declares {want}"))
                };
            }
            _ => {
                return Err(format!(
                    "{path}: {merged:?}, and the schema declares {}",
                    exact.type_named("self")
                ));
            }
        };
        let elements = self.types.elements(site);
        self.compare(elements, Some(inner), &format!("{path}[]"))
    }
}

/// Whether an object may have fields that are not declared.
fn is_open(declared: &'static Declared) -> bool {
    match declared {
        Declared::Unknown => true,
        Declared::Object(object) => {
            object.fields.iter().any(|field| field.name.is_empty() && is_open(field.of))
        }
        Declared::OneOf(parts) => parts.iter().any(is_open),
        _ => false,
    }
}

/// The names of the fields of an object, or of all alternatives.
fn names(declared: &'static Declared) -> Vec<&'static str> {
    match declared {
        Declared::Object(object) => {
            let fields = object.fields.iter();
            fields
                .flat_map(|field| match field.name {
                    "" => names(field.of),
                    name => vec![name],
                })
                .collect()
        }
        Declared::Keyed(names, _) => names.to_vec(),
        Declared::OneOf(parts) => parts.iter().flat_map(names).collect(),
        _ => Vec::new(),
    }
}
