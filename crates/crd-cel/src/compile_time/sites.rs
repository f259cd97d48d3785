//! The declaration of a value, which may have several alternatives.
//!
//! The schema of an enum is widened to allow all of its variants. Here, the alternatives are kept apart and combined
//! only when a rule uses the value, because nothing can be allocated while rustc evaluates a constant. A union in a
//! union is the same as one union of all alternatives.

use super::declared::{Declared, Field};
use super::fuel::comparison;
use super::kinds::{Kinds, MAX_DEPTH, MergedType};
use super::name::Name;
use super::site::Site;
use super::types::Types;

/// The result of looking up a property.
pub(super) enum Property {
    Found(Site),
    Missing,
    /// The value may have the property.
    Unknown,
}

impl Types<'_> {
    /// The site of a declaration.
    pub(super) const fn site(&mut self, declared: &'static Declared) -> Site {
        if !matches!(declared, Declared::OneOf(_)) {
            return Site::One(declared);
        }
        let start = self.alternative_count;
        self.add_alternatives(declared, 0);
        self.site_of_added(start)
    }

    /// Adds the alternatives of a declaration.
    const fn add_alternatives(&mut self, declared: &'static Declared, depth: u32) {
        self.fuel.spent += 6;
        match declared {
            Declared::OneOf(parts) if depth < MAX_DEPTH => {
                let mut i = 0;
                while i < parts.len() {
                    self.add_alternatives(&parts[i], depth + 1);
                    i += 1;
                }
            }
            Declared::OneOf(_) => self.add_alternative(&Declared::Unknown),
            _ => self.add_alternative(declared),
        }
    }

    const fn add_alternative(&mut self, declared: &'static Declared) {
        if self.alternative_count == self.memory.size {
            self.fill();
            return;
        }
        self.memory.alternatives[self.alternative_count] = Some(declared);
        self.alternative_count += 1;
    }

    const fn alternative_at(&self, index: usize) -> &'static Declared {
        match self.memory.alternatives[index] {
            Some(declared) => declared,
            None => &Declared::Unknown,
        }
    }

    /// The site of the alternatives that have been added since there were `start` of them.
    const fn site_of_added(&mut self, start: usize) -> Site {
        match self.alternative_count - start {
            1 => {
                self.alternative_count = start;
                Site::One(self.alternative_at(start))
            }
            #[expect(clippy::cast_possible_truncation, reason = "below LARGE")]
            count => Site::Several(start as u16, count as u16),
        }
    }

    /// The alternative with an index; of one declaration, the declaration.
    pub(super) const fn nth(&self, site: Site, n: usize) -> &'static Declared {
        match site {
            Site::One(declared) => declared,
            Site::Several(start, _) => self.alternative_at(start as usize + n),
        }
    }

    /// The combined type of a site.
    pub(super) const fn merged(&mut self, site: Site) -> MergedType {
        // Whether an object is a resource counts only beside others.
        if let Site::One(declared) = site {
            self.fuel.spent += 8;
            return MergedType::of(declared);
        }
        let mut kinds = Kinds::NONE;
        let mut i = 0;
        while i < site.count() {
            kinds.add(self.nth(site, i), 0, &mut self.fuel);
            i += 1;
        }
        kinds.merged()
    }

    /// The elements of a list or the values of a map.
    pub(super) const fn elements(&mut self, site: Site) -> Site {
        if let Site::One(Declared::List(inner) | Declared::Map(inner)) = site {
            return self.site(inner);
        }
        let start = self.alternative_count;
        self.fuel.spent += 8 * site.count();
        let mut i = 0;
        while i < site.count() {
            if let Declared::List(inner) | Declared::Map(inner) = self.nth(site, i) {
                self.add_alternatives(inner, 0);
            }
            i += 1;
        }
        self.site_of_added(start)
    }

    /// The property with a name, whether or not the site is an object.
    pub(super) const fn property(&mut self, site: Site, name: Name<'_>) -> Property {
        // PERF: most sites are one object, whose own fields are searched first.
        if let Site::One(Declared::Object(object)) = site {
            let found = Field::next(object.fields, name, &mut self.fuel);
            let [field, ..] = found else { return Property::Missing };
            if let [_, ..] = field.name.as_bytes() {
                return Property::Found(self.site(field.of));
            }
        }
        let start = self.alternative_count;
        let mut i = 0;
        while i < site.count() {
            if !self.collect_property(self.nth(site, i), name, 0) {
                return Property::Unknown;
            }
            i += 1;
        }
        if self.alternative_count == start {
            return Property::Missing;
        }
        Property::Found(self.site_of_added(start))
    }

    /// Adds the declaration of a property of one alternative, if it has the property; `false` if that is unknown.
    const fn collect_property(
        &mut self,
        within: &'static Declared,
        name: Name<'_>,
        depth: u32,
    ) -> bool {
        self.fuel.spent += 10;
        match within {
            Declared::Keyed(names, of) => {
                let mut i = 0;
                while i < names.len() {
                    self.fuel.spent += comparison(names[i], name);
                    if name.is(names[i].as_bytes()) {
                        self.add_alternatives(of, depth);
                        return true;
                    }
                    i += 1;
                }
                true
            }
            Declared::Object(object) if depth < MAX_DEPTH => {
                self.collect_property_of(object.fields, name, depth)
            }
            Declared::OneOf(parts) if depth < MAX_DEPTH => {
                let mut i = 0;
                while i < parts.len() {
                    if !self.collect_property(&parts[i], name, depth + 1) {
                        return false;
                    }
                    i += 1;
                }
                true
            }
            Declared::Object(_) | Declared::OneOf(_) | Declared::Unknown => false,
            _ => true,
        }
    }

    /// As [`collect_property`](Self::collect_property), for the fields of an object.
    const fn collect_property_of(
        &mut self,
        fields: &'static [Field],
        name: Name<'_>,
        depth: u32,
    ) -> bool {
        let before = self.alternative_count;
        let mut known = true;
        let mut fields = Field::next(fields, name, &mut self.fuel);
        while let [field, rest @ ..] = fields {
            if field.name.is_empty() {
                known = self.collect_property(field.of, name, depth + 1) && known;
            } else {
                self.add_alternatives(field.of, depth);
            }
            if self.alternative_count > before {
                return true;
            }
            fields = Field::next(rest, name, &mut self.fuel);
        }
        known
    }

    /// The name of an object's type in errors.
    pub(super) const fn name_of(&self, site: Site) -> &'static str {
        let mut i = 0;
        while i < site.count() {
            if let Declared::Object(object) = self.nth(site, i) {
                return object.name;
            }
            i += 1;
        }
        "object"
    }
}
