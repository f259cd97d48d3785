//! Differences between the servers of the supported minors in how they treat definitions and objects. Each is listed
//! under the first minor that has the new behaviour.
//!
//! [`crd_cel::kubernetes::Change`] lists the differences in how they treat rules.

use crd_cel::kubernetes::KubernetesVersion;

crd_cel::since_minors! {
    #[doc = "Something that servers do from one minor on."]
    Difference {
        SelectableFields 31 "The server stores `selectableFields`. Older servers drop this field, unless the stored definition has it.";
        CaBundles 31 "An update of an established definition is rejected if its `caBundle` contains no certificates, unless the stored `caBundle` contains none either. Older servers accept any `caBundle`.";
        StoredMessages 31 "A `messageExpression` can use functions of newer minors if the stored definition has the same `messageExpression`. On older servers it can if the stored definition has the same rule.";
        StatusPaths 31 "If the status is written on its own, the paths of errors in it begin with `status`. On older servers they lack this part.";
        ListsFromCaches 31 "The key in a continue token begins with a slash, because the server reads lists from its cache. On older servers it has no slash.";
        TimesOfGates 31 "The condition of a new Pod with scheduling gates has the time of the Pod's creation. On older servers it has no time.";
        LimitsInBytes 32 "The error for a string or metadata that is too long says \"may not be more than N bytes\". Older servers say \"may not be longer than N\" of a string and \"must have at most N bytes\" of metadata.";
        FinalizersWithPaths 32 "The warning about a finalizer with a dot and without a slash recommends a name with a path. Older servers recommend a domain-qualified name, as for other finalizers.";
        ReasonsOfStoredVersions 33 "The error for a stored version that is missing in `spec.versions` explains why the version must stay. Older servers say only that it must appear there.";
        RatchetedStatus 33 "An update of the status can leave invalid values in the status unchanged. Older servers reject such an update.";
        NoNullCreationTimes 34 "The server adds no null `creationTimestamp` to metadata without one. Older servers do, wherever they decode metadata.";
        ValuesAsJson 34 "Errors show lists, objects and typed values as JSON. Older servers show them in Go's syntax.";
        OneIsSingular 34 "Errors about a limit of one say \"1 byte\" or \"1 item\". Older servers say \"1 bytes\" or \"1 items\".";
        ShortDetails 34 "Errors about rules, selectable fields, missing schemas and owner references do not repeat the name of the field after its path. Those of older servers do.";
        FormatWarnings 34 "The server warns about unknown formats of strings. Older servers do not.";
        ShortNameFormatsOfDefaults 34 "Defaults are validated against the formats `k8s-short-name` and `k8s-long-name`. Older servers ignore these formats.";
        ShortNameFormats 35 "Objects are validated against the formats `k8s-short-name` and `k8s-long-name`. Older servers ignore these formats in objects.";
        PathsBelowSchemas 35 "The error for a value of the wrong JSON type in the schema of `items`, `additionalProperties` or `dependencies` contains the whole path of the field. On older servers the path ends at the first of these keywords.";
        ValuesOfRules 35 "The error for a failed rule shows the value if it is a scalar, and no value otherwise. Older servers show the type of the value.";
        RatchetedSelectableFields 35 "An update of a definition can leave too many `selectableFields` unchanged. Older servers reject such an update.";
        StatusesIgnoreInAllVersions 35 "A manager that writes the status owns no field outside of the status, in any version of the kind. Older servers ensure this only for the requested version.";
        ImageVolumes 35 "New Pods and templates can have image volumes. Older servers drop these volumes and their mounts.";
        LabelsOfBindings 35 "The labels of a Binding are added to its Pod, as its annotations are. Older servers ignore the labels.";
        NumberFormats 36 "Numbers are validated against the range of their type and `format`, such as `int32`. Older servers ignore the formats of numbers.";
        EmptiedContainersStay 36 "If an apply removes the last element of a map or list, the empty map or list stays. Older servers remove it, and 1.36.3 and later patch releases do so again.";
        StatusesOwnMetadata 36 "A manager that writes the status of a definition owns the metadata that the write changes. On older servers it owns none.";
        StatusesIgnoreMetadata 36 "A manager that writes the status of an object owns no metadata. On older servers it owns metadata that it does not change, and its write can conflict over metadata.";
        FormatWarningsOfAllTypes 36 "The server warns about a format that is unknown for its type, whatever the type. Older servers warn about formats of strings only.";
        NamedAuthorizers 37 "The reason for which a request is forbidden begins with the name of the authorizer, as in `rbac: RBAC: ..`. On older servers it lacks this name.";
        StaticWebhooks 37 "Names of webhook configurations and admission policies that end with `.static.k8s.io` are reserved, and the server warns of rules for resources without admission. Older servers accept such names, and do not warn.";
        ListTypeWarnings 37 "The server warns about a list of type `set` whose items are objects or lists. Older servers do not.";
        PlacesOfOwners 37 "The path of an error in an owner reference contains its index, and a missing field of it is a required value. On older servers the path has no index, and a missing field is an invalid value.";
        ManagedOperations 37 "A missing `operation` in managed fields is a required value, and an unknown one is an unsupported value. On older servers both are invalid values.";
        NegativeGenerations 37 "An update with a negative `generation` is rejected. Older servers accept it.";
        EmptiedContainersGo 37 "If an apply removes the last element of a map or list, the server removes the map or list too, as before 1.36. Kubernetes 1.36.0 to 1.36.2 keep it, empty.";
        PartsWithoutDefaults 37 "Kubernetes' own types in the published OpenAPI documents have no defaults for items of lists and values of maps. On older servers they have.";
        RenewedTypes 37 "The published `DeleteOptions` lists the API groups of 1.37, and the metadata of `Scale` has a new description. Older servers publish the groups and the description of their own minor.";
        DeletionsRejectCreation 37 "No object can be created once its definition is being deleted. Older servers accept new objects again as soon as the existing ones are gone.";
        CreationByWriteIsWiped 37 "If an apply or update creates an object, the server clears the metadata that only it may set, as for a create request. Older servers store this metadata as it was sent.";
        PatchesAreJson 37 "The server decodes the body of a patch before it does anything else, and its errors call the body a patch. Older servers decode it later, and call it YAML.";
        UntrackedWritesKeepManagers 37 "If the server cannot compute the owners of fields after a write, it keeps the stored managed fields. Older servers remove them.";
        LowerCasePreconditions 37 "The error for a failed precondition in the deletion of a definition begins with a lower-case letter. On older servers it begins with a capital letter.";
        TablesOfDefinitions 37 "A table of definitions, as `kubectl get crd` prints it, has columns for the scope and the versions. Older servers print names and times of creation only.";
        UndecodableObjects 37 "The error for a stored object that cannot be converted or decoded names its key and revision. Older servers return only the reason.";
        UpdatesInMissingNamespaces 37 "An object in a namespace that does not exist any more can be changed. Older servers answer that the namespace is not found.";
        RoundedIntegers 37 "A number counts as an integer if it is within a billionth of the nearest integer. Older servers compare it with its integer part, so that 2.9999999999 is no integer.";
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
