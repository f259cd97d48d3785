//! Differences between the servers of the supported minors in how they treat definitions and objects. Each is listed
//! under the first minor that has the new behaviour.
//!
//! [`crd_cel::kubernetes::Change`] lists the differences in how they treat rules.

use crd_cel::kubernetes::KubernetesVersion;

crd_cel::since_minors! {
    #[doc = "Something that servers do from one minor on."]
    Difference {
        SelectableFields 31 "`selectableFields` is kept; before it is dropped, unless the stored definition has it.";
        CaBundles 31 "An update of an established definition with a `caBundle` without certificates is rejected, unless the stored `caBundle` has none either.";
        StoredMessages 31 "A `messageExpression` that is stored already may use newer functions if its own text is stored; before the text of its rule decides.";
        StatusPaths 31 "Errors in a status that is written on its own stand below `status`.";
        ListsFromCaches 31 "Lists are read from a cache, and the key in a continue token begins with a slash.";
        LimitsInBytes 32 "What is too long \"may not be more than\" a number of bytes; before, it may not be longer than a number, and metadata must have at most a number of bytes.";
        FinalizersWithPaths 32 "A warning of a finalizer with a dot and without a slash asks for a path.";
        ReasonsOfStoredVersions 33 "The error for a stored version that is missing in `spec.versions` explains why it must stay; before, it says that the version must appear.";
        RatchetedStatus 33 "What an update of the status has not changed is ratcheted too.";
        NoNullCreationTimes 34 "Metadata without `creationTimestamp` stays so; before, it has one that is null until the server sets it.";
        ValuesAsJson 34 "Errors show lists, objects and typed values as JSON; before, in Go's syntax.";
        OneIsSingular 34 "A limit of one is 1 byte or 1 item; before, 1 bytes or 1 items.";
        ShortDetails 34 "The messages about rules, selectable fields, missing schemas and owner references do not repeat the name of the field.";
        FormatWarnings 34 "Formats of strings that the server does not know are warnings.";
        ShortNameFormatsOfDefaults 34 "Defaults are validated against the formats `k8s-short-name` and `k8s-long-name`.";
        ShortNameFormats 35 "The formats `k8s-short-name` and `k8s-long-name` are enforced.";
        ValuesOfRules 35 "A rule that does not hold shows the scalar it is about; before it shows its type.";
        LabelKeys 35 "A malformed key of a label or annotation is no valid label key; before, no qualified name.";
        RatchetedSelectableFields 35 "Too many selectable fields may stay as they are in the stored definition.";
        StatusesIgnoreInAllVersions 35 "A write of the status ignores other fields for managers of all versions of the kind; before, only for those of the requested version.";
        NumberFormats 36 "Numbers are validated against the ranges of their types and formats; before, formats of numbers are ignored.";
        EmptiedContainersStay 36 "An apply that gives up the last part of a map or list keeps it, empty.";
        StatusesOwnMetadata 36 "A write of the status of a definition owns the metadata that it changes; before, it changes metadata and owns none of it.";
        StatusesIgnoreMetadata 36 "A write of the status of an object ignores metadata; before, it may conflict over metadata, and it owns metadata that it does not change.";
        FormatWarningsOfAllTypes 36 "Formats that their type does not know are warnings for every type.";
        ListTypeWarnings 37 "Lists of type `set` whose items are objects or lists are warnings.";
        PlacesOfOwners 37 "The paths of errors in an owner reference contain its index, and its missing fields are reported as required.";
        ManagedOperations 37 "The operation of managed fields is required, and one of those that are listed.";
        NegativeGenerations 37 "An update with a negative generation is rejected.";
        EmptiedContainersGo 37 "An apply that gives up the last part of a map or list removes it, as before 1.36.";
        PartsWithoutDefaults 37 "Published types of Kubernetes itself have no defaults for items and values of maps.";
        RenewedTypes 37 "The published `DeleteOptions` has the groups of 1.37, and the metadata of `Scale` another description.";
        DeletionsRejectCreation 37 "Objects of a definition that is being deleted cannot be created; before, they can again once all objects are gone.";
        CreationByWriteIsWiped 37 "An object that an apply or update creates loses what only the server writes, as in a request to create it.";
        PatchesAreJson 37 "The body of a patch is decoded before anything else, and errors call it a patch.";
        UntrackedWritesKeepManagers 37 "If the owners of fields cannot be computed after a write, the stored managed fields stay; before, they are removed.";
        LowerCasePreconditions 37 "The error for a failed precondition in the deletion of a definition is in lower case.";
        TablesOfDefinitions 37 "A table of definitions has their scope and versions; before, names and times of creation alone.";
        RoundedIntegers 37 "A number passes for an integer where it is within a billionth of the nearest one.";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_minors() {
        assert!(Difference::ALL.is_sorted_by_key(|difference| difference.minor()));
        for difference in Difference::ALL {
            assert!(difference.description().ends_with('.'), "{difference:?}");
            assert!(difference.minor() > KubernetesVersion::OLDEST.minor(), "{difference:?}");
        }
    }
}
