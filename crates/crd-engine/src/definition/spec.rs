//! Checks the spec of a definition.

use std::collections::BTreeSet;

use super::internal::{Internal, Parts, SPEC, Version};
use super::options::Options;
use super::schema::{self, SchemaContext};
use super::{columns, conversion, defaults, dump, names, search, selectable, subresources};
use crate::differences::Difference;
use crate::field::{Path, Shown, Sink};
use crate::model::{CustomResourceDefinition, CustomResourceDefinitionSpec};
use crate::names::{dns1035_label, dns1123_subdomain};
use crate::schema::Structural;

/// The longest deprecation warning, in bytes. Source: `validateDeprecationWarning`.
const DEPRECATION_WARNING_MAX_BYTES: usize = 256;

/// Checks the spec of a definition.
///
/// Source: `validateCustomResourceDefinitionSpec`.
pub(super) fn check(internal: &Internal<'_>, options: &Options, errors: &mut Sink) {
    let spec = internal.spec();
    check_group(&spec.group, errors);
    match spec.scope.as_str() {
        "Cluster" | "Namespaced" => {}
        "" => errors.required(&SPEC.field("scope"), ""),
        scope => {
            let path = SPEC.field("scope");
            errors.not_supported(&path, scope, ["Cluster", "Namespaced"]);
        }
    }
    check_schemas_exist(internal, options, errors);
    let has_defaults = internal.schemas().any(search::has_defaults);
    if has_defaults && spec.preserve_unknown_fields {
        let detail = "must be false in order to use defaults in the schema";
        errors.invalid(&SPEC.field("preserveUnknownFields"), true, detail);
    }
    let structural = options.structural
        || !spec.preserve_unknown_fields
        || has_defaults
        || internal.schemas().any(search::has_extensions);
    let options = Options { structural, ..options.clone() };

    check_versions(internal, &options, errors);
    let names_path = SPEC.field("names");
    names::check_required(&spec.names, &names_path, errors);
    names::check(&spec.names, &names_path, errors);
    let shared = internal.shared;
    let first = spec.versions.first().map_or("", |version| version.name.as_str());
    let context =
        SchemaContext { options: &options, version: first, has_status: internal.has_any_status() };
    schema::check(shared.schema, context, &SPEC.field("validation"), errors);
    subresources::check(shared.subresources, &SPEC.field("subresources"), errors);
    columns::check(shared.columns(), &SPEC.field("additionalPrinterColumns"), errors);
    check_shared_selectable(shared, &options, errors);
    conversion::check(
        spec,
        options.known_review_version,
        options.ca_bundle,
        &SPEC.field("conversion"),
        errors,
    );
}

/// Checks that immutable fields have not changed.
///
/// Source: `validateCustomResourceDefinitionSpecUpdate`.
pub(super) fn check_immutable(
    crd: &CustomResourceDefinition,
    old: &CustomResourceDefinition,
    options: &Options,
    errors: &mut Sink,
) {
    let detail = "field is immutable";
    let (spec, old) = (&crd.spec, &old.spec);
    if options.immutable_names {
        if spec.scope != old.scope {
            errors.invalid(&SPEC.field("scope"), Shown::TypedText(&spec.scope), detail);
        }
        check_same(&spec.names.kind, &old.names.kind, &SPEC.field("names").field("kind"), errors);
    }
    check_same(&spec.group, &old.group, &SPEC.field("group"), errors);
    let names = SPEC.field("names");
    check_same(&spec.names.plural, &old.names.plural, &names.field("plural"), errors);
}

fn check_same(new: &str, old: &str, path: &Path<'_>, errors: &mut Sink) {
    if new != old {
        errors.invalid(path, new, "field is immutable");
    }
}

fn check_group(group: &str, errors: &mut Sink) {
    let path = SPEC.field("group");
    if group.is_empty() {
        errors.required(&path, "");
        return;
    }
    let messages = dns1123_subdomain(group);
    if !messages.is_empty() {
        errors.invalid(&path, group, messages.join(","));
    } else if !group.contains('.') {
        errors.invalid(&path, group, "should be a domain with at least one dot");
    }
}

fn check_schemas_exist(internal: &Internal<'_>, options: &Options, errors: &mut Sink) {
    if internal.shared.props().is_some() {
        return;
    }
    let versions = SPEC.field("versions");
    for (index, version) in internal.versions.iter().enumerate() {
        if version.parts.props().is_some() {
            continue;
        }
        let path = versions.index(index);
        let path = path.field("schema");
        let path = path.field("openAPIV3Schema");
        if options.schemas {
            let is_short = errors.server_has(Difference::ShortDetails);
            errors.required(&path, if is_short { "" } else { "schemas are required" });
        } else if !internal.spec().preserve_unknown_fields && version.of.served {
            errors.required(&path, "because otherwise all fields are pruned");
        }
    }
}

fn check_versions(internal: &Internal<'_>, options: &Options, errors: &mut Sink) {
    let path = SPEC.field("versions");
    for (index, version) in internal.versions.iter().enumerate() {
        let path = path.index(index);
        names::check_label(&version.of.name, &path.field("name"), errors);
        check_version(version, internal.has_status(&version.of.name), options, &path, errors);
    }
    let shown = || dump::versions(internal, &|props| defaults::shown(props, options));
    let mut seen = BTreeSet::new();
    let are_unique = internal.versions.iter().all(|version| seen.insert(&version.of.name));
    if !are_unique {
        errors.invalid(&path, shown(), "must contain unique version names");
    }
    let stored = internal.versions.iter().filter(|version| version.of.storage).count();
    if stored != 1 {
        let detail = "must have exactly one version marked as storage version";
        errors.invalid(&path, shown(), detail);
    }
    check_first_name(internal.spec(), errors);
}

/// Checks the name of the first version.
///
/// Upstream: the internal form has the first version's name in a second field, and checks it there again.
fn check_first_name(spec: &CustomResourceDefinitionSpec, errors: &mut Sink) {
    let Some(first) = spec.versions.first() else { return };
    let messages = dns1035_label(&first.name);
    if !first.name.is_empty() && !messages.is_empty() {
        let path = SPEC.field("version");
        errors.invalid(&path, first.name.as_str(), messages.join(","));
    }
}

/// Checks one version, without the parts that all versions share.
///
/// Source: `validateCustomResourceDefinitionVersion`.
fn check_version(
    version: &Version<'_>,
    has_status: bool,
    options: &Options,
    path: &Path<'_>,
    errors: &mut Sink,
) {
    let Version { of, parts } = version;
    if let Some(warning) = &of.deprecation_warning {
        let at = path.field("deprecationWarning");
        for detail in deprecation_warning(of.deprecated, warning) {
            errors.invalid(&at, Shown::TypedText(warning), detail);
        }
    }
    let context = SchemaContext { options, version: &of.name, has_status };
    schema::check(parts.schema, context, &path.field("schema"), errors);
    subresources::check(parts.subresources, &path.field("subresources"), errors);
    columns::check(parts.columns(), &path.field("additionalPrinterColumns"), errors);
    if parts.selectable().is_empty() {
        return;
    }
    let at = path.field("selectableFields");
    let Some(props) = parts.props() else {
        // Upstream: the text says "is not included", but means "is included".
        let detail = if errors.server_has(Difference::ShortDetails) {
            "may only be set when `version.schema.openAPIV3Schema` is not included"
        } else {
            "selectableFields may only be set when version.schema.openAPIV3Schema is not included"
        };
        errors.invalid(&at, "", detail);
        return;
    };
    let structural = Structural::try_from(props);
    if let Err(error) = &structural {
        let path = path.field("schema.openAPIV3Schema");
        errors.invalid(&path, "", error.to_string());
    }
    let may_be_many = options.many_selectable_fields.contains(&of.name);
    selectable::check(parts.selectable(), structural.as_ref().ok(), may_be_many, &at, errors);
}

fn check_shared_selectable(shared: Parts<'_>, options: &Options, errors: &mut Sink) {
    if shared.selectable().is_empty() {
        return;
    }
    let at = SPEC.field("selectableFields");
    let Some(schema) = shared.schema else {
        let detail = if errors.server_has(Difference::ShortDetails) {
            "may only be set when validations.schema is included"
        } else {
            "selectableFields may only be set when validations.schema is included"
        };
        errors.invalid(&at, "", detail);
        return;
    };
    let structural = schema.open_api_v3_schema.as_ref().map(Structural::try_from);
    if let Some(Err(error)) = &structural {
        let path = SPEC.field("schema.openAPIV3Schema");
        errors.invalid(&path, "", error.to_string());
    }
    let structural = structural.and_then(Result::ok);
    let may_be_many = options.many_selectable_fields.contains("");
    selectable::check(shared.selectable(), structural.as_ref(), may_be_many, &at, errors);
}

/// Returns what is wrong with a deprecation warning.
///
/// Source: `validateDeprecationWarning`, without its check for UTF-8, which every Rust string is.
fn deprecation_warning(deprecated: bool, warning: &str) -> Vec<String> {
    if !deprecated {
        return vec!["can only be set for deprecated versions".to_owned()];
    }
    let mut details = Vec::new();
    if warning.len() > DEPRECATION_WARNING_MAX_BYTES {
        details.push(format!("must be <= {DEPRECATION_WARNING_MAX_BYTES} characters long"));
    }
    if warning.is_empty() {
        details.push("must not be an empty string".to_owned());
    }
    if let Some((at, _)) = warning.char_indices().find(|(_, c)| !crd_cel::gofmt::is_print(*c)) {
        details.push(format!(
            "must only contain printable UTF-8 characters; non-printable character found at index {at}"
        ));
    }
    details
}
