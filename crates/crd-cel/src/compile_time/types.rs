//! Types, with their parts as indices.

use super::basic;
use super::declared::Declared;
use super::fuel::Fuel;
use super::kinds::MergedType;
use super::site::Site;

/// A type. Parts are indices into [`Types`].
#[derive(Debug, Clone, Copy)]
pub(super) enum Type {
    Basic(u8),
    /// An object at a place of the schema, which is a hash of the path ([`below`]). Two places have two types, even if
    /// they have the same schema.
    Object(Site, u32),
    List(u16),
    Map(u16, u16),
    Optional(u16),
    /// The type of a type.
    Meta(u16),
    Var(u16),
}

/// The fuel of a step of a comparison of types, with the calls around it.
const STEP: usize = 16;

/// The part of [`Memory`](super::memory::Memory) that holds types.
pub(super) struct TypeMemory<'m> {
    /// Types that are parts of others.
    pub(super) nodes: &'m mut [Type],
    /// The types that variables are bound to.
    pub(super) bound: &'m mut [Type],
    /// The variables that an assignment has bound, with their types before.
    pub(super) trail: &'m mut [(u16, Type)],
    /// The alternatives of all sites.
    pub(super) alternatives: &'m mut [Option<&'static Declared>],
    /// The length of each of these slices. PERF: for rustc, `len` is two calls.
    pub(super) size: usize,
}

/// The types of one expression, and the bindings of its type variables.
pub(super) struct Types<'m> {
    pub(super) memory: TypeMemory<'m>,
    pub(super) node_count: usize,
    pub(super) var_count: usize,
    trail_len: usize,
    pub(super) fuel: Fuel,
    pub(super) alternative_count: usize,
    /// Whether a limit is reached: issues from here on are dropped.
    pub(super) full: bool,
    /// Whether this limit is that of the memory.
    pub(super) memory_is_full: bool,
}

impl<'m> Types<'m> {
    pub(super) const fn new(fuel: Fuel, memory: TypeMemory<'m>) -> Self {
        Self {
            memory,
            node_count: 0,
            var_count: 0,
            trail_len: 0,
            fuel,
            alternative_count: 0,
            full: false,
            memory_is_full: false,
        }
    }

    /// Counts one step; false if there have been too many, or nesting is too deep.
    pub(super) const fn step(&mut self, depth: u32) -> bool {
        self.fuel.spent += STEP;
        // Each level takes up to three frames of the 128 that rustc has by default.
        if depth > 20 || self.fuel.spent > self.fuel.limit {
            self.full = true;
        }
        !self.full
    }

    /// Stops the check, because the memory is full.
    pub(super) const fn fill(&mut self) {
        self.full = true;
        self.memory_is_full = true;
    }

    /// The type at an index.
    pub(super) const fn node(&self, index: u16) -> Type {
        self.memory.nodes[index as usize]
    }

    /// Stores a type as a part of others, and returns its index.
    pub(super) const fn part(&mut self, ty: Type) -> u16 {
        if self.node_count == self.memory.size {
            self.fill();
            return 0;
        }
        self.memory.nodes[self.node_count] = ty;
        self.node_count += 1;
        #[expect(clippy::cast_possible_truncation, reason = "below LARGE")]
        let index = (self.node_count - 1) as u16;
        index
    }

    pub(super) const fn list(&mut self, element: Type) -> Type {
        Type::List(self.part(element))
    }

    pub(super) const fn map(&mut self, key: Type, value: Type) -> Type {
        Type::Map(self.part(key), self.part(value))
    }

    pub(super) const fn optional(&mut self, inner: Type) -> Type {
        Type::Optional(self.part(inner))
    }

    /// Makes free variables and returns the first.
    pub(super) const fn fresh(&mut self, count: u16) -> u16 {
        if self.var_count + count as usize > self.memory.size {
            self.fill();
            return 0;
        }
        #[expect(clippy::cast_possible_truncation, reason = "below LARGE")]
        let first = self.var_count as u16;
        let mut i = 0;
        while i < count {
            self.memory.bound[self.var_count] = Type::Basic(basic::FREE);
            self.var_count += 1;
            i += 1;
        }
        first
    }

    /// The type that a variable is bound to; the code `FREE` if it is free.
    pub(super) const fn bound(&self, variable: u16) -> Type {
        self.memory.bound[variable as usize]
    }

    pub(super) const fn is_free(&self, variable: u16) -> bool {
        matches!(self.memory.bound[variable as usize], Type::Basic(basic::FREE))
    }

    pub(super) const fn set(&mut self, variable: u16, ty: Type) {
        if self.trail_len == self.memory.size {
            self.fill();
            return;
        }
        self.memory.trail[self.trail_len] = (variable, self.bound(variable));
        self.trail_len += 1;
        self.memory.bound[variable as usize] = ty;
    }

    /// Ends an assignment, and undoes it unless the types fit.
    pub(super) const fn end_assignment(&mut self, fits: bool) -> bool {
        while !fits && self.trail_len > 0 {
            self.trail_len -= 1;
            let (variable, before) = self.memory.trail[self.trail_len];
            self.memory.bound[variable as usize] = before;
        }
        self.trail_len = 0;
        fits
    }

    /// The type of a site; `None` if rules cannot see it or its elements. `place` distinguishes the
    /// places of the schema.
    pub(super) const fn declared(&mut self, site: Site, place: u32) -> Option<Type> {
        let mut depth = 0;
        let mut at = site;
        // The outermost list or map is found first, but the innermost is made first.
        let mut outer = [false; 16];
        let mut place = place;
        let mut ty = loop {
            match self.merged(at) {
                MergedType::List | MergedType::Map if depth == outer.len() => {
                    return Some(Type::Basic(basic::UNKNOWN));
                }
                kind @ (MergedType::List | MergedType::Map) => {
                    outer[depth] = matches!(kind, MergedType::Map);
                    depth += 1;
                    place = below(place, 0);
                    at = self.elements(at);
                }
                MergedType::Hidden => return None,
                MergedType::Object => break Type::Object(at, place),
                MergedType::Basic(code) => break Type::Basic(code),
                MergedType::Unknown => break Type::Basic(basic::UNKNOWN),
            }
        };
        while depth > 0 {
            depth -= 1;
            ty =
                if outer[depth] { self.map(Type::Basic(basic::STRING), ty) } else { self.list(ty) };
        }
        Some(ty)
    }
}

/// The place below a place of the property whose name has this number, or, with 0, of the elements.
pub(super) const fn below(place: u32, name: u32) -> u32 {
    place.wrapping_mul(16_777_619) ^ name
}
