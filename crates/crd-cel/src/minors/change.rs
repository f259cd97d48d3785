//! Differences between servers that are built with different versions of cel-go or other libraries.
//! They do not depend on the minor that an expression is compiled for.

use super::KubernetesVersion;

/// Defines an enum of changes in the behaviour of servers. Each row defines a variant: its name, the
/// first minor with the change, and a sentence that describes it. `KubernetesVersion` has to be in scope.
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
            /// All of them, oldest first.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The first minor with the change.
            pub const fn minor(self) -> u32 {
                match self {
                    $(Self::$name => $since,)*
                }
            }

            /// A sentence that describes the behaviour since the change, and before it.
            pub const fn description(self) -> &'static str {
                match self {
                    $(Self::$name => $what,)*
                }
            }

            /// Whether servers of a version have the change.
            pub const fn is_in(self, version: KubernetesVersion) -> bool {
                version.minor() >= self.minor()
            }
        }
    };
}

since_minors! {
    #[doc = "Something that servers do from one minor on, in new and in stored expressions."]
    Change {
        CheckedFormatStrings 31 "A mistake in the format string or in a literal argument of `format` is an error when the rule is compiled. Older servers report it when they evaluate the rule.";
        MixedPartsOfFormat 31 "The arguments of `format` can contain lists and maps with values of several types, at any depth. Older servers accept such values only in the list of arguments itself and in literals that are its elements.";
        EqualityOfLibraryTypesIsBounded 32 "Comparing two IP addresses, CIDRs, URLs or quantities has a small estimated cost. Older servers estimate the maximum and reject the rule, because that exceeds every budget.";
        SubnetsAreContained 32 "`containsCIDR` returns true if its argument is a smaller subnet of the CIDR. Older servers return false.";
        SizesOfUrls 32 "In cost estimates, a URL has the size of the string that it is made from. Older servers do not know the size of a URL.";
        SearchBeyondTheEnd 32 "`indexOf` and `lastIndexOf` return -1 if the offset is at the end of the string or beyond it. Older servers report an error.";
        TargetsOfOptMapAreCopied 32 "`optMap` and `optFlatMap` can be called on any optional. Older servers reject the call if its target contains a macro, an empty list or another expression whose type they infer twice.";
        DynKeepsSizes 33 "In cost estimates, `dyn(x)` has the size of `x`. Older servers do not know its size, so that comparing it may exceed every budget.";
        PartsHaveSizes 33 "In cost estimates, elements of list and map literals and variables of macros have sizes. Older servers know only the sizes that the schema declares.";
        EqualityOfOptionalsIsBounded 33 "Comparing two optionals has a small estimated cost. Older servers estimate the maximum and reject the rule, because that exceeds every budget.";
        SizesOfIntOrString 34 "`maxLength` limits the size of an `x-kubernetes-int-or-string` value in cost estimates. Older servers ignore `maxLength` there.";
        NullFieldsAreEqual 34 "Two objects can be equal if the same field is null in both. On older servers an object with a null field is equal to no other object.";
        LastIndexInShorterText 34 "`lastIndexOf` returns -1 if it searches the empty string. Older servers report an error.";
        LabelKeys 35 "Errors about keys and values of labels, and messages of `format.qualifiedName()` and `format.labelValue()`, mention a \"valid label key\" and limits in bytes. Those of older servers mention a \"qualified name\" and limits in characters.";
        EscapedIdentifiers 37 "A field can be selected by a name in backticks. Older servers report a syntax error.";
        GlobalNamesBehindDots 37 "A name with a leading dot, such as `.x`, is never the variable of a macro. On older servers it can be.";
        LiteralsNameTypesOnly 37 "The name of a message literal, as in `self{}`, is looked up among types only. Older servers also look it up among variables, and report that these are not types.";
        RangesAreBounded 37 "`lists.range` reports an error for a negative number and for a number above one million. Older servers return an empty list for a negative number, and have no maximum.";
        EmptyTextIsFoundInRange 37 "`indexOf` and `lastIndexOf` find the empty string no later than at the end of the searched string, and report an error for a negative offset. Older servers return the offset, whatever it is.";
        PrefixesCostTheirLength 37 "The cost of evaluating `startsWith` and `endsWith` depends on the length of their argument. On older servers it depends on the length of the searched string.";
        GlobalMatchesCosts 37 "`matches(text, pattern)` costs as much as `text.matches(pattern)`. On older servers it costs as much as a call of any other function.";
        SetsOfValues 37 "Two lists of type `set` are equal if they contain the same CEL values, and comparing sets of lists or objects is an error. Older servers compare JSON values, and only check that the first set contains each element of the second list.";
        ListsAddValues 37 "`+` on lists of type `set` or `map` adds CEL values, such as timestamps, and keeps the merge semantics. Older servers add JSON values, so that elements of other types are errors when they are read, and do not find keys whose names are escaped in CEL.";
        MapListsCompareBothWays 37 "Two lists of type `map` are equal only if each key of the first list is in the second one. Older servers only check that the first list contains each element of the second one.";
        OptionalsKeepTypes 37 "A field that is selected from an optional has the type that the schema declares, such as a timestamp. On older servers it is a plain JSON value, such as a string.";
        OnlyOptionalsHaveAlternatives 37 "`or` and `orValue` report an error if they are called on a value that is no optional. Older servers return this value.";
        NamesAreBounded 37 "In cost estimates, `metadata.name` has at most 253 code points and `metadata.generateName` at most 252. Older servers know no maximum for them.";
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
