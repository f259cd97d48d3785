//! The names of Unicode classes in `\p{..}`, without the tables of the classes.

/// A Unicode class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum UnicodeClass {
    /// Every code point.
    Any,
    /// The code points up to U+007F.
    Ascii,
    /// The assigned code points: all but those of category `Cn`.
    Assigned,
    /// A general category, by its short name.
    Category(&'static str),
    /// A script.
    Script(&'static str),
}

/// Finds a class by name; case, spaces, `_` and `-` are ignored.
///
/// Upstream: a name is converted to a canonical spelling and looked up in tables, some of whose
/// keys are not canonical. So scripts of several words (`Old_Italic`, `SignWriting`) are unknown in
/// every spelling (Go 1.25 and 1.26, `regexp/syntax/parse.go`, `unicodeTable`).
pub(super) fn find(name: &str) -> Option<UnicodeClass> {
    let name = canonical(name);
    let name = name.as_str();
    match name {
        "Any" => return Some(UnicodeClass::Any),
        "Assigned" => return Some(UnicodeClass::Assigned),
        "Ascii" => return Some(UnicodeClass::Ascii),
        "Lc" => return Some(UnicodeClass::Category("LC")),
        _ => {}
    }
    if let Some(category) = lookup(CATEGORIES, name) {
        return Some(UnicodeClass::Category(category));
    }
    if let Some(script) = lookup(SCRIPTS, name) {
        return Some(UnicodeClass::Script(script));
    }
    let index = CATEGORY_ALIASES.binary_search_by(|(alias, _)| (*alias).cmp(name)).ok()?;
    CATEGORY_ALIASES.get(index).map(|(_, category)| UnicodeClass::Category(category))
}

/// All classes.
#[cfg(all(test, feature = "eval"))]
pub(super) fn all() -> impl Iterator<Item = UnicodeClass> {
    let categories = CATEGORIES.iter().map(|name| UnicodeClass::Category(name));
    let scripts = SCRIPTS.iter().map(|name| UnicodeClass::Script(name));
    let others = [UnicodeClass::Any, UnicodeClass::Ascii, UnicodeClass::Assigned];
    others.into_iter().chain([UnicodeClass::Category("LC")]).chain(categories).chain(scripts)
}

fn lookup(names: &[&'static str], name: &str) -> Option<&'static str> {
    names.binary_search(&name).ok().and_then(|index| names.get(index)).copied()
}

/// The first letter in upper case, the others in lower case, no spaces, `_` or `-`.
fn canonical(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut first = true;
    for c in name.chars().filter(|c| !matches!(c, '_' | '-' | ' ')) {
        out.push(if first { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() });
        first = false;
    }
    out
}

/// General categories and their groups, sorted.
const CATEGORIES: &[&str] = &[
    "C", "Cc", "Cf", "Cn", "Co", "Cs", "L", "Ll", "Lm", "Lo", "Lt", "Lu", "M", "Mc", "Me", "Mn",
    "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "S", "Sc", "Sk", "Sm",
    "So", "Z", "Zl", "Zp", "Zs",
];

/// The scripts of Unicode 15 whose name is one word, sorted.
const SCRIPTS: &[&str] = &[
    "Adlam",
    "Ahom",
    "Arabic",
    "Armenian",
    "Avestan",
    "Balinese",
    "Bamum",
    "Batak",
    "Bengali",
    "Bhaiksuki",
    "Bopomofo",
    "Brahmi",
    "Braille",
    "Buginese",
    "Buhid",
    "Carian",
    "Chakma",
    "Cham",
    "Cherokee",
    "Chorasmian",
    "Common",
    "Coptic",
    "Cuneiform",
    "Cypriot",
    "Cyrillic",
    "Deseret",
    "Devanagari",
    "Dogra",
    "Duployan",
    "Elbasan",
    "Elymaic",
    "Ethiopic",
    "Georgian",
    "Glagolitic",
    "Gothic",
    "Grantha",
    "Greek",
    "Gujarati",
    "Gurmukhi",
    "Han",
    "Hangul",
    "Hanunoo",
    "Hatran",
    "Hebrew",
    "Hiragana",
    "Inherited",
    "Javanese",
    "Kaithi",
    "Kannada",
    "Katakana",
    "Kawi",
    "Kharoshthi",
    "Khmer",
    "Khojki",
    "Khudawadi",
    "Lao",
    "Latin",
    "Lepcha",
    "Limbu",
    "Lisu",
    "Lycian",
    "Lydian",
    "Mahajani",
    "Makasar",
    "Malayalam",
    "Mandaic",
    "Manichaean",
    "Marchen",
    "Medefaidrin",
    "Miao",
    "Modi",
    "Mongolian",
    "Mro",
    "Multani",
    "Myanmar",
    "Nabataean",
    "Nandinagari",
    "Newa",
    "Nko",
    "Nushu",
    "Ogham",
    "Oriya",
    "Osage",
    "Osmanya",
    "Palmyrene",
    "Phoenician",
    "Rejang",
    "Runic",
    "Samaritan",
    "Saurashtra",
    "Sharada",
    "Shavian",
    "Siddham",
    "Sinhala",
    "Sogdian",
    "Soyombo",
    "Sundanese",
    "Syriac",
    "Tagalog",
    "Tagbanwa",
    "Takri",
    "Tamil",
    "Tangsa",
    "Tangut",
    "Telugu",
    "Thaana",
    "Thai",
    "Tibetan",
    "Tifinagh",
    "Tirhuta",
    "Toto",
    "Ugaritic",
    "Vai",
    "Vithkuqi",
    "Wancho",
    "Yezidi",
    "Yi",
];

/// The long names of categories, sorted, and the short one.
const CATEGORY_ALIASES: &[(&str, &str)] = &[
    ("Casedletter", "LC"),
    ("Closepunctuation", "Pe"),
    ("Cntrl", "Cc"),
    ("Combiningmark", "M"),
    ("Connectorpunctuation", "Pc"),
    ("Control", "Cc"),
    ("Currencysymbol", "Sc"),
    ("Dashpunctuation", "Pd"),
    ("Decimalnumber", "Nd"),
    ("Digit", "Nd"),
    ("Enclosingmark", "Me"),
    ("Finalpunctuation", "Pf"),
    ("Format", "Cf"),
    ("Initialpunctuation", "Pi"),
    ("Letter", "L"),
    ("Letternumber", "Nl"),
    ("Lineseparator", "Zl"),
    ("Lowercaseletter", "Ll"),
    ("Mark", "M"),
    ("Mathsymbol", "Sm"),
    ("Modifierletter", "Lm"),
    ("Modifiersymbol", "Sk"),
    ("Nonspacingmark", "Mn"),
    ("Number", "N"),
    ("Openpunctuation", "Ps"),
    ("Other", "C"),
    ("Otherletter", "Lo"),
    ("Othernumber", "No"),
    ("Otherpunctuation", "Po"),
    ("Othersymbol", "So"),
    ("Paragraphseparator", "Zp"),
    ("Privateuse", "Co"),
    ("Punct", "P"),
    ("Punctuation", "P"),
    ("Separator", "Z"),
    ("Spaceseparator", "Zs"),
    ("Spacingmark", "Mc"),
    ("Surrogate", "Cs"),
    ("Symbol", "S"),
    ("Titlecaseletter", "Lt"),
    ("Unassigned", "Cn"),
    ("Uppercaseletter", "Lu"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(CATEGORIES.is_sorted());
        assert!(SCRIPTS.is_sorted());
        assert!(CATEGORY_ALIASES.is_sorted());
    }

    #[test]
    fn spelling_does_not_matter() {
        for (name, want) in [
            ("L", Some(UnicodeClass::Category("L"))),
            ("lu", Some(UnicodeClass::Category("Lu"))),
            ("LC", Some(UnicodeClass::Category("LC"))),
            ("uppercase letter", Some(UnicodeClass::Category("Lu"))),
            ("_greek", Some(UnicodeClass::Script("Greek"))),
            ("GREEK", Some(UnicodeClass::Script("Greek"))),
            ("ANY", Some(UnicodeClass::Any)),
            ("Old_Italic", None),
            ("olditalic", None),
            ("", None),
            ("Greekish", None),
        ] {
            assert_eq!(find(name), want, "{name}");
        }
    }
}
