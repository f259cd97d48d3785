//! `explain`: prints the documentation of a kind or a field.

use super::args::Explain;
use super::catalog::CrdCatalog;
use super::{CommandError, CommandOutcome, Context, objects};
use crate::json_path::Template;
use crate::model::CustomResourceDefinition;
use crate::{openapi, versions};

/// Prints the documentation of a kind or a field.
pub(super) fn run(
    context: &mut Context<'_>,
    args: &Explain,
) -> Result<CommandOutcome, CommandError> {
    let loaded = objects::load(context, &args.files.paths())?;
    let is_valid = loaded.print_undecodable(context)?;
    let (crd, path) = find(&loaded.catalog, &args.resource)?;
    let version = version(&crd, args.api_version.as_deref())?;
    let template = Template::parse_path(&path).map_err(|error| CommandError(error.to_string()))?;
    let names = template.field_names().ok_or_else(|| {
        CommandError("invalid jsonpath syntax, all nodes must be field nodes".to_owned())
    })?;
    let text = openapi::explain(&crd, &version, &names, args.recursive)
        .map_err(|error| CommandError(error.to_string()))?;
    context.out.write_all(text.as_bytes())?;
    Ok(loaded.outcome(is_valid))
}

/// Finds the CRD of a resource, and splits off the path of the field.
///
/// Source: `SplitAndParseResourceRequestWithMatchingPrefix` in `k8s.io/kubectl/pkg/explain`.
fn find(
    catalog: &CrdCatalog,
    resource: &str,
) -> Result<(CustomResourceDefinition, String), CommandError> {
    let (first, rest) = match resource.split_once('.') {
        Some((first, rest)) => (first, format!(".{rest}")),
        None => (resource, String::new()),
    };
    let known = catalog.all();
    let named = known.iter().filter(|known| {
        let names = &known.crd.spec.names;
        let is = |name: &str| name.eq_ignore_ascii_case(first);
        is(&names.plural)
            || is(&names.singular)
            || is(&names.kind)
            || names.short_names.iter().any(|name| is(name))
    });
    let named: Vec<&CustomResourceDefinition> = named.map(|known| &known.crd).collect();
    for crd in &named {
        let full = format!("{}.{}", crd.spec.names.plural, crd.spec.group);
        if let Some(rest) =
            resource.strip_prefix(&full).filter(|rest| rest.is_empty() || rest.starts_with('.'))
        {
            return Ok(((*crd).clone(), rest.to_owned()));
        }
    }
    let found = named.first().ok_or_else(|| {
        CommandError(format!("the server doesn't have a resource type \"{first}\""))
    })?;
    Ok(((*found).clone(), rest))
}

/// Returns the requested version, or else the preferred served one.
fn version(
    crd: &CustomResourceDefinition,
    requested: Option<&str>,
) -> Result<String, CommandError> {
    let served = crd.spec.versions.iter().filter(|version| version.served);
    let mut served: Vec<&str> = served.map(|version| version.name.as_str()).collect();
    served.sort_by(|a, b| versions::priority(a, b));
    let found = match requested {
        None => served.first().copied(),
        Some(requested) => {
            let version = requested.rsplit('/').next().unwrap_or(requested);
            served.into_iter().find(|served| *served == version)
        }
    };
    let name = &crd.spec.names.plural;
    found.map(str::to_owned).ok_or_else(|| {
        CommandError(format!("couldn't find resource for \"{name}\" in that version"))
    })
}
