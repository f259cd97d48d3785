//! Recognizes types by their path, such as `String` and `Vec<T>`. An alias is not recognized.

use proc_macro2::{Span, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned as _;
use syn::{ExprPath, GenericArgument, Ident, PathArguments, PathSegment, Type, TypePath};

use crate::names::map_tokens;

/// The JSON type of a Rust type that is recognized by its path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonType {
    Text,
    Integer,
    Number,
    Boolean,
    List,
    Map,
    Object,
    /// Any other type, for which rustc evaluates the checks.
    Unknown,
}

impl JsonType {
    /// The JSON type with its article, for messages.
    pub(crate) fn with_article(self) -> &'static str {
        self.words().0
    }

    /// The JSON type in plural, for messages such as `applies only to strings`.
    pub(crate) fn plural(self) -> &'static str {
        self.words().1
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Text => ("a string", "strings"),
            Self::Integer => ("an integer", "integers"),
            Self::Number => ("a number", "numbers"),
            Self::Boolean => ("a boolean", "booleans"),
            Self::List => ("a list", "lists"),
            Self::Map => ("a map", "maps"),
            Self::Object => ("a struct", "objects"),
            Self::Unknown => ("of another type", "other types"),
        }
    }

    /// Whether it is known, and has neither fields nor elements.
    pub(crate) fn is_scalar(self) -> bool {
        matches!(self, Self::Text | Self::Integer | Self::Number | Self::Boolean)
    }
}

/// The smallest and largest value of an integer type.
pub(crate) fn integer_range(ty: &Type) -> Option<(i128, i128)> {
    let name = of_std(held(ty))?.ident.to_string();
    Some(match name.as_str() {
        "i8" => (i8::MIN.into(), i8::MAX.into()),
        "i16" => (i16::MIN.into(), i16::MAX.into()),
        "i32" => (i32::MIN.into(), i32::MAX.into()),
        "i64" | "isize" => (i64::MIN.into(), i64::MAX.into()),
        "u8" => (0, u8::MAX.into()),
        "u16" => (0, u16::MAX.into()),
        "u32" => (0, u32::MAX.into()),
        // The server reads integers as int64.
        "u64" | "usize" => (0, i64::MAX.into()),
        _ => return None,
    })
}

/// Whether two types are certainly not one, by their paths.
pub(crate) fn are_different(a: &Type, b: &Type) -> bool {
    let (one, other) = (json_type(a), json_type(b));
    let are_known = one != JsonType::Unknown && other != JsonType::Unknown;
    let name = |ty| last(plain(ty)).map(|segment| &segment.ident);
    are_known && (one != other || name(a) != name(b))
}

/// Whether a type is `u64` or `usize`, by its path.
pub(crate) fn is_unsigned_64_bits(ty: &Type) -> bool {
    of_std(plain(ty)).is_some_and(|name| name.ident == "u64" || name.ident == "usize")
}

/// A type without groups, references and pointers.
fn plain(ty: &Type) -> &Type {
    without(ty, &["Box", "Arc", "Rc"])
}

/// A type without groups, references and the containers of these names.
fn without<'a>(ty: &'a Type, containers: &[&str]) -> &'a Type {
    match ty {
        Type::Group(group) => without(&group.elem, containers),
        Type::Paren(paren) => without(&paren.elem, containers),
        Type::Reference(reference) => without(&reference.elem, containers),
        Type::Path(_) => match argument(ty, containers) {
            Some(inner) => without(inner, containers),
            None => ty,
        },
        _ => ty,
    }
}

/// The span of a type. As `Spanned::span`, which writes all tokens of the type to find the first and the last of them.
pub(crate) fn span(ty: &Type) -> Span {
    let (Type::Path(TypePath { path, .. }), Some(last)) = (ty, last(ty)) else { return ty.span() };
    if path.leading_colon.is_some() {
        return ty.span();
    }
    let first = path.segments[0].ident.span();
    let last = match &last.arguments {
        PathArguments::None => last.ident.span(),
        PathArguments::AngleBracketed(arguments) => arguments.gt_token.span,
        PathArguments::Parenthesized(_) => return ty.span(),
    };
    first.join(last).unwrap_or(first)
}

/// The segment of a path that is `nth` from its end. As `Punctuated::iter`, which allocates.
fn from_end(ty: &Type, nth: usize) -> Option<&PathSegment> {
    let Type::Path(TypePath { qself: None, path, .. }) = ty else { return None };
    let at = path.segments.len().checked_sub(nth + 1)?;
    Some(&path.segments[at])
}

/// The last segment of a path.
fn last(ty: &Type) -> Option<&PathSegment> {
    from_end(ty, 0)
}

/// The modules of std that contain recognized types.
const MODULES: [&str; 8] =
    ["borrow", "boxed", "collections", "option", "rc", "string", "sync", "vec"];

/// The last segment of a path that may lead into std: `String`, `std::string::String`, but not `self::String`.
fn of_std(ty: &Type) -> Option<&PathSegment> {
    let last = last(ty)?;
    let Some(module) = from_end(ty, 1) else { return Some(last) };
    let Type::Path(path) = ty else { return None };
    let krate = &path.path.segments[0];
    let is_of_std =
        is_one_of(&module.ident, &MODULES) || is_one_of(&krate.ident, &["std", "core", "alloc"]);
    is_of_std.then_some(last)
}

/// Whether an identifier is one of these names. It is written as text once, since a comparison with a text does that each
/// time.
fn is_one_of(ident: &Ident, names: &[&str]) -> bool {
    names.contains(&ident.to_string().as_str())
}

/// The types in a type that are taken for those of std by a bare name, which a type of the user may have too.
pub(crate) fn named_as_in_std(ty: &Type) -> Vec<&Type> {
    const NAMES: [&str; 11] = [
        "String", "Option", "Box", "Arc", "Rc", "Vec", "VecDeque", "HashSet", "BTreeSet",
        "HashMap", "BTreeMap",
    ];
    let mut found = Vec::new();
    if let (Some(name), None) = (last(ty), from_end(ty, 1))
        && is_one_of(&name.ident, &NAMES)
    {
        found.push(ty);
        found.extend(types_in(name).flat_map(named_as_in_std));
    }
    found
}

/// The type arguments of a name.
pub(crate) fn types_in(name: &PathSegment) -> impl Iterator<Item = &Type> {
    let arguments = match &name.arguments {
        PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
        _ => None,
    };
    arguments.into_iter().flatten().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The name of a type with its arguments, if it is one of `names`.
fn named<'a>(ty: &'a Type, names: &[&str]) -> Option<&'a PathSegment> {
    of_std(ty).filter(|segment| is_one_of(&segment.ident, names))
}

/// `T` of `Name<T>`, if the name is one of `names`.
fn argument<'a>(ty: &'a Type, names: &[&str]) -> Option<&'a Type> {
    // Most types have no arguments, and comparing names takes longer.
    match last(ty)?.arguments {
        PathArguments::AngleBracketed(_) => types_in(named(ty, names)?).next(),
        _ => None,
    }
}

/// The type without `Option`, references and pointers: `T` of `Option<Box<T>>`.
pub(crate) fn held(ty: &Type) -> &Type {
    without(ty, &["Option", "Box", "Arc", "Rc"])
}

/// The innermost type, which must have a schema so that the whole type has one: `T` of
/// `Option<Vec<BTreeMap<String, T>>>`.
pub(crate) fn part(ty: &Type) -> &Type {
    let ty = held(ty);
    let map_key = argument(ty, &["BTreeMap", "HashMap"]);
    match inner(ty) {
        Some(inner)
            if map_key.is_none_or(|key| json_type(key) == JsonType::Text && !is_char(key)) =>
        {
            part(inner)
        }
        _ => ty,
    }
}

/// `T` of `Option<T>`.
pub(crate) fn option(ty: &Type) -> Option<&Type> {
    argument(plain(ty), &["Option"])
}

/// Whether a type is `()`.
pub(crate) fn is_unit(ty: &Type) -> bool {
    matches!(plain(ty), Type::Tuple(tuple) if tuple.elems.is_empty())
}

/// Whether a type is `char`, by its path.
pub(crate) fn is_char(ty: &Type) -> bool {
    named(held(ty), &["char"]).is_some()
}

/// Whether a type is a string, number or boolean, by its path.
pub(crate) fn is_scalar(ty: &Type) -> bool {
    option(ty).is_none() && json_type(ty).is_scalar()
}

/// Whether a type is a scalar or a container of scalars, by its path.
pub(crate) fn is_of_scalars(ty: &Type) -> bool {
    let containers = ["Option", "Vec", "VecDeque", "BTreeSet", "HashSet", "BTreeMap", "HashMap"];
    is_scalar(ty)
        || arguments(ty, &containers).is_some_and(|arguments| {
            !arguments.is_empty() && arguments.into_iter().all(is_of_scalars)
        })
}

/// Whether a type is `TypeMeta`, by its path.
pub(crate) fn is_type_meta(ty: &Type) -> bool {
    last(plain(ty)).is_some_and(|segment| segment.ident == "TypeMeta")
}

/// Whether a type is `ObjectMeta`, by its path.
pub(crate) fn is_object_meta(ty: &Type) -> bool {
    last(plain(ty)).is_some_and(|segment| segment.ident == "ObjectMeta")
}

/// The type arguments of a type with one of these names, not looking into `Box`, `Arc` or `Rc`.
pub(crate) fn arguments<'a>(ty: &'a Type, names: &[&str]) -> Option<Vec<&'a Type>> {
    match ty {
        Type::Group(group) => arguments(&group.elem, names),
        Type::Paren(paren) => arguments(&paren.elem, names),
        ty => Some(types_in(named(ty, names)?).collect()),
    }
}

/// Whether a type is an array, `[T; N]`, or an `Option` of one.
pub(crate) fn is_array(ty: &Type) -> bool {
    matches!(held(ty), Type::Array(_))
}

/// Whether a type is a set of std, by its path.
pub(crate) fn is_set(ty: &Type) -> bool {
    named(held(ty), &["BTreeSet", "HashSet"]).is_some()
}

/// The JSON type of a type; of `Option<T>`, that of `T`.
pub(crate) fn json_type(ty: &Type) -> JsonType {
    let ty = held(ty);
    if matches!(ty, Type::Array(_) | Type::Slice(_) | Type::Tuple(_)) && !is_unit(ty) {
        return JsonType::List;
    }
    let Some(segment) = of_std(ty) else { return JsonType::Unknown };
    match segment.ident.to_string().as_str() {
        "String" | "str" | "char" => JsonType::Text,
        "bool" => JsonType::Boolean,
        "f32" | "f64" => JsonType::Number,
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" | "isize" => {
            JsonType::Integer
        }
        "Vec" | "VecDeque" | "HashSet" | "BTreeSet" => JsonType::List,
        "HashMap" | "BTreeMap" => JsonType::Map,
        _ => JsonType::Unknown,
    }
}

/// The type of a list's elements or a map's values, if the container is recognized.
pub(crate) fn inner(ty: &Type) -> Option<&Type> {
    match held(ty) {
        Type::Array(array) => Some(&array.elem),
        Type::Slice(slice) => Some(&slice.elem),
        ty => argument(ty, &["Vec", "VecDeque", "HashSet", "BTreeSet"]).or_else(|| {
            argument(ty, &["HashMap", "BTreeMap"])?;
            types_in(last(ty)?).nth(1)
        }),
    }
}

/// The path with `ty` in place of `name`, such as `_`: `schema::<Vec<Port>>` of `schema::<_>`.
pub(crate) fn replaced(path: &ExprPath, name: &str, ty: &impl ToTokens) -> ExprPath {
    let replaced = map_tokens(path.to_token_stream(), &mut |token| match token {
        TokenTree::Ident(it) if it == name => ty.to_token_stream(),
        other => other.into(),
    });
    syn::parse2(replaced).unwrap_or_else(|_| path.clone())
}

/// Whether a type is named `ident` or `Self`, or has a parameter or element of such a type.
pub(crate) fn mentions(ty: &Type, ident: &Ident) -> bool {
    match ty {
        Type::Group(group) => mentions(&group.elem, ident),
        Type::Paren(paren) => mentions(&paren.elem, ident),
        Type::Reference(reference) => mentions(&reference.elem, ident),
        Type::Array(array) => mentions(&array.elem, ident),
        Type::Slice(slice) => mentions(&slice.elem, ident),
        Type::Tuple(tuple) => tuple.elems.iter().any(|elem| mentions(elem, ident)),
        Type::Path(path) => {
            let path = &path.path;
            let Some(last) = path.segments.last() else { return false };
            // These types contain no value of their parameter.
            if last.ident == "PhantomData" || last.ident == "TypeMeta" {
                return false;
            }
            let alone = path.segments.len() == 1;
            let inside = || types_in(last).any(|ty| mentions(ty, ident));
            (alone && (last.ident == *ident || last.ident == "Self")) || inside()
        }
        _ => false,
    }
}

/// Whether a type is unrecognized, or a list or map of unrecognized types.
pub(crate) fn holds_unrecognized(ty: &Type) -> bool {
    match json_type(ty) {
        JsonType::Unknown => true,
        JsonType::List | JsonType::Map => inner(ty).is_none_or(holds_unrecognized),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::{Delimiter, Group};
    use syn::parse_quote;

    use super::*;

    fn ty(text: &str) -> Type {
        syn::parse_str(text).expect(text)
    }

    /// The type in the invisible group that a variable of `macro_rules` puts around it.
    fn grouped(text: &str) -> Type {
        let group = Group::new(Delimiter::None, text.parse().expect(text));
        syn::parse2(TokenTree::Group(group).into()).expect(text)
    }

    /// Checks which of the types a function accepts.
    #[track_caller]
    fn check(is: impl Fn(&Type) -> bool, good: &[&str], bad: &[&str]) {
        for text in good {
            assert!(is(&ty(text)), "{text}");
        }
        for text in bad {
            assert!(!is(&ty(text)), "{text}");
        }
    }

    #[test]
    fn types_are_recognized_by_their_paths() {
        for (json, types) in [
            (JsonType::Text, &["String", "&str", "char", "Box<str>", "Option<Box<(String)>>"][..]),
            (JsonType::Text, &["std::string::String", "string::String", "alloc::other::String"]),
            (JsonType::Boolean, &["bool", "core::primitive::bool"]),
            (JsonType::Number, &["f32", "f64"]),
            (JsonType::Integer, &["u8", "u16", "u32", "u64", "usize"]),
            (JsonType::Integer, &["i8", "i16", "i32", "i64", "isize"]),
            (JsonType::List, &["Vec<A>", "VecDeque<A>", "[A; 2]", "&[A]", "(A, B)", "HashSet<A>"]),
            (JsonType::Map, &["BTreeMap<A, B>", "collections::HashMap<A, B>"]),
            (
                JsonType::Unknown,
                &["A", "self::String", "my::String", "<A as B>::String", "<A>::String", "fn()"],
            ),
        ] {
            check(|ty| json_type(ty) == json, types, &[]);
        }
        assert_eq!(json_type(&grouped("String")), JsonType::Text);
    }

    #[test]
    fn integers_have_ranges() {
        let range = |text| integer_range(&ty(text));
        assert_eq!(range("i8"), Some((-128, 127)));
        assert_eq!(range("i16"), Some((-32_768, 32_767)));
        assert_eq!(range("i32"), Some((i32::MIN.into(), i32::MAX.into())));
        for text in ["i64", "isize"] {
            assert_eq!(range(text), Some((i64::MIN.into(), i64::MAX.into())));
        }
        assert_eq!(range("Option<Box<u8>>"), Some((0, 255)));
        assert_eq!(range("u16"), Some((0, 65_535)));
        assert_eq!(range("u32"), Some((0, u32::MAX.into())));
        for text in ["u64", "usize"] {
            assert_eq!(range(text), Some((0, i64::MAX.into())));
        }
        assert_eq!([range("f32"), range("u128"), range("A")], [None; 3]);
    }

    #[test]
    fn types_differ_only_if_both_are_known() {
        let differ = |a, b| are_different(&ty(a), &ty(b));
        assert!(differ("i32", "i64") && differ("i32", "String") && differ("Vec<A>", "[A; 2]"));
        assert!(!differ("i32", "Box<i32>") && !differ("Vec<A>", "Vec<B>"));
        assert!(!differ("i32", "A") && !differ("A", "i32") && !differ("A", "B"));
    }

    #[test]
    fn containers_have_parts() {
        let text = |ty: &Type| ty.to_token_stream().to_string();
        let of = |container: &str| inner(&ty(container)).map(text);
        for container in
            ["Vec<A>", "[A; 2]", "&[A]", "Option<Vec<A>>", "HashMap<String, A>", "BTreeMap<B, A>"]
        {
            assert_eq!(of(container).as_deref(), Some("A"), "{container}");
        }
        assert_eq!(of("B<String, A>"), None);
        let of = |container: &str| text(part(&ty(container)));
        for container in ["Option<Vec<BTreeMap<String, A>>>", "Box<A>"] {
            assert_eq!(of(container), "A");
        }
        for container in ["BTreeMap < B , A >", "BTreeMap < char , A >", "BTreeMap < i32 , A >"] {
            assert_eq!(of(container), container);
        }
    }

    #[test]
    fn names_and_parameters_of_types_count() {
        check(
            is_of_scalars,
            &[
                "i32",
                "Box<i32>",
                "Vec<i32>",
                "(Vec<i32>)",
                "Option<bool>",
                "BTreeMap<String, Vec<i32>>",
            ],
            &[
                "A",
                "A<i32>",
                "Vec<A>",
                "Vec<>",
                "BTreeMap<String, A>",
                "BTreeMap<A, String>",
                "[i32; 2]",
            ],
        );
        assert!(is_of_scalars(&grouped("Vec<i32>")));
        check(is_type_meta, &["TypeMeta<Self>", "my::TypeMeta<A>"], &["A", "ObjectMeta"]);
        check(is_object_meta, &["ObjectMeta", "Box<ObjectMeta>"], &["A", "TypeMeta<Self>"]);
        check(is_array, &["[A; 2]", "Option<[A; 2]>"], &["Vec<A>", "A", "Option<A>"]);
        check(is_set, &["BTreeSet<A>", "Option<HashSet<A>>"], &["Vec<A>", "A"]);
        check(
            holds_unrecognized,
            &["A", "Vec<A>", "BTreeMap<String, Vec<A>>", "(i32, i32)"],
            &["i32", "Vec<i32>"],
        );
    }

    #[test]
    fn types_mention_what_they_contain() {
        let it: Ident = parse_quote!(A);
        check(
            |ty| mentions(ty, &it),
            &["A", "Self", "(A)", "&A", "[A; 2]", "&[A]", "(B, A)", "Vec<A>", "my::B<A>"],
            &["B", "PhantomData<A>", "TypeMeta<A>", "my::A", "fn() -> A", "Vec<B>"],
        );
        assert!(mentions(&grouped("A"), &it));
    }

    #[test]
    fn an_underscore_stands_for_the_type() {
        let inferred = |path: &str| {
            let path = replaced(&syn::parse_str(path).expect(path), "_", &ty("Vec<A>"));
            path.to_token_stream().to_string()
        };
        assert_eq!(inferred("f :: < _ >"), "f :: < Vec < A > >");
        assert_eq!(inferred("f :: < (_ , B) >"), "f :: < (Vec < A > , B) >");
        assert_eq!(inferred("f :: < B >"), "f :: < B >");
    }
}
