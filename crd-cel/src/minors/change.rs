//! Differences between servers that are built with different versions of cel-go or other libraries,
//! whatever minor an expression is compiled for.

use super::KubernetesVersion;

/// Makes an enum of what servers do from a minor on, with a row for each variant: a name, the
/// minor, and a sentence. `KubernetesVersion` has to be in scope.
#[doc(hidden)]
#[macro_export]
macro_rules! since_minors {
    (#[doc = $doc:literal] $enum:ident { $($name:ident $since:literal $what:literal;)* }) => {
        #[doc = $doc]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum $enum {
            $(#[doc = $what] $name,)*
        }

        impl $enum {
            /// Each of them, oldest first.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The minor from which on servers do it.
            pub const fn minor(self) -> u32 {
                match self {
                    $(Self::$name => $since,)*
                }
            }

            /// What they do, as a sentence.
            pub const fn description(self) -> &'static str {
                match self {
                    $(Self::$name => $what,)*
                }
            }

            /// Whether a server does it.
            pub const fn is_in(self, version: KubernetesVersion) -> bool {
                version.minor() >= self.minor()
            }
        }
    };
}

since_minors! {
    #[doc = "Something that servers do from one minor on, in new and in stored expressions."]
    Change {
        CheckedFormatStrings 31 "The format string and the literal arguments of `format` are checked when the rule is compiled.";
        MixedPartsOfFormat 31 "Lists and maps anywhere within `format` may hold values of several types; before, only its list of arguments and what stands in that directly.";
        EqualityOfLibraryTypesIsBounded 32 "Comparing two IP addresses, CIDRs, URLs or quantities has a bounded estimate; before it exceeds every budget.";
        SubnetsAreContained 32 "`containsCIDR` finds a smaller subnet within a larger one; before it says no.";
        SizesOfUrls 32 "The size of a URL is that of its text in estimates; before it is not known.";
        SearchBeyondTheEnd 32 "`indexOf` and `lastIndexOf` answer -1 for an offset at or beyond the length; before that is an error.";
        TargetsOfOptMapAreCopied 32 "Before `optMap` and `optFlatMap` may stand macros, empty lists and all else whose type is inferred anew each time; before, that does not compile.";
        DynKeepsSizes 33 "The size of what `dyn` hides is known to estimates; before, comparing it may exceed every budget.";
        PartsHaveSizes 33 "What stands in literals of lists and maps, and what variables of macros stand for, has sizes in estimates; before, only what the schema declares.";
        EqualityOfOptionalsIsBounded 33 "Comparing optionals has a bounded estimate; before it exceeds every budget.";
        SizesOfIntOrString 34 "`maxLength` bounds the size of a value of `x-kubernetes-int-or-string` in estimates.";
        NullFieldsAreEqual 34 "Objects of which both have null in the same field can be equal; before, a null field makes an object unequal to every other.";
        LastIndexInShorterText 34 "`lastIndexOf` answers -1 where the text is shorter than what is looked for; before that is an error.";
        EscapedIdentifiers 37 "Fields can be selected by names in backticks.";
        GlobalNamesBehindDots 37 "A name that begins with a dot is never a variable of a macro.";
        LiteralsNameTypesOnly 37 "The name before the braces of a message literal is looked for among types only.";
        RangesAreBounded 37 "`lists.range` rejects negative numbers and numbers above one million.";
        EmptyTextIsFoundInRange 37 "`indexOf` and `lastIndexOf` find the empty text at most at the end, and reject negative offsets for it too.";
        PrefixesCostTheirLength 37 "`startsWith` and `endsWith` cost by the length of the argument at run time, not of the text.";
        GlobalMatchesCosts 37 "`matches(text, pattern)` costs what `text.matches(pattern)` does.";
        SetsOfValues 37 "Lists of type `set` compare by their CEL values and as sets, those of lists and objects not at all.";
        ListsAddValues 37 "`+` on lists adds CEL values, keeps `set` and `map` semantics, and finds keys of `map` lists by their names.";
        MapListsCompareBothWays 37 "Lists of type `map` are equal only where each key of the left one is in the right one.";
        OptionalsKeepTypes 37 "What is selected from an optional keeps the types that the schema declares; before it is plain JSON.";
        OnlyOptionalsHaveAlternatives 37 "`or` and `orValue` of something that is no optional are errors; before they answer that.";
        NamesAreBounded 37 "`metadata.name` counts as at most 253 code points in estimates, `metadata.generateName` as 252.";
    }
}

impl KubernetesVersion {
    /// Whether servers of this version have a change.
    pub const fn has(self, change: Change) -> bool {
        change.is_in(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_minors() {
        assert!(Change::ALL.is_sorted_by_key(|change| change.minor()));
        for change in Change::ALL {
            assert!(change.description().ends_with('.'), "{change:?}");
            let minor = change.minor();
            assert!(
                KubernetesVersion::of_minor(minor).is_some()
                    && minor > KubernetesVersion::OLDEST.minor(),
                "{change:?} separates no known minors"
            );
        }
    }
}
