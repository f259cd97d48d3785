//! The files in which manifests are installed: plain ones, bases of kustomize, and charts of Helm.
//!
//! What a command makes is data first: the [`Entry`]s of a directory. [`mod@files`] writes them, or compares them with the
//! directory.

mod files;
mod helm;
mod kustomize;
mod template;

use std::collections::BTreeMap;
use std::path::Path;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::{CommandError, CommandOutcome, Context};
use crate::yaml;

pub(super) use files::{Target, read, replace};

/// A format of manifests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ManifestFormat {
    /// YAML
    #[default]
    Yaml,
    /// JSON
    Json,
    /// A base of kustomize: `kustomization.yaml`, its resources, and a patch for each conversion webhook
    Kustomize,
    /// Templates of a chart of Helm, with values for annotations, labels, the webhook and its CA
    Helm,
    /// The directory `crds` of a chart of Helm, whose files are not templates
    HelmCrds,
}

impl ManifestFormat {
    /// Whether the manifests of a command are one file if nothing else is asked for.
    pub(super) fn is_plain(self) -> bool {
        matches!(self, Self::Yaml | Self::Json)
    }

    pub(super) fn extension(self) -> &'static str {
        if self == Self::Json { "json" } else { "yaml" }
    }
}

/// How manifests are written.
#[derive(Debug, Args)]
pub(super) struct Layout {
    /// The format to write. That of `helm` and `helm-crds` is the directory of a chart, which is created if it has no
    /// `Chart.yaml`.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: ManifestFormat,
    /// Write nothing. Fail, with a diff, if a file is out of date.
    #[arg(long)]
    pub(super) check: bool,
}

impl Layout {
    /// Rejects the format of definitions, for other objects.
    pub(super) fn of_other_objects(&self) -> Result<(), CommandError> {
        if self.format == ManifestFormat::HelmCrds {
            let message = "`--format helm-crds` is only for definitions; use `--format helm`";
            return Err(CommandError(message.to_owned()));
        }
        Ok(())
    }
}

/// What manifests are about. It is the name of their directory, and of their values in a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    Crds,
    Rbac,
    Webhooks,
}

impl Subject {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Crds => "crds",
            Self::Rbac => "rbac",
            Self::Webhooks => "webhooks",
        }
    }

    /// Definitions are one to a file. The other objects are one to a document, each preceded by `---`.
    fn is_one_to_a_file(self) -> bool {
        self == Self::Crds
    }
}

/// The objects of a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Manifest {
    /// The name of the file, without its extension.
    pub(super) name: String,
    pub(super) objects: Vec<Value>,
}

/// A file of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Entry {
    /// It has this text.
    Text(String),
    /// It is created with this text, and then is its user's.
    Initial(String),
    /// It is the user's file of values, which must have those of this text. They are added if the first key is missing.
    Values(String),
}

/// Returns the files of some manifests by their paths below a directory. `directory` is that of the chart, if it is one.
///
/// # Errors
/// If two manifests have one name, or a value cannot be written.
pub(super) fn entries(
    subject: Subject,
    manifests: &[Manifest],
    format: ManifestFormat,
    directory: &Path,
) -> Result<BTreeMap<String, Entry>, CommandError> {
    let mut entries = BTreeMap::new();
    for manifest in manifests {
        let name = format!("{}.{}", manifest.name, format.extension());
        let files = match format {
            ManifestFormat::Yaml => vec![(name, document(subject, manifest))],
            ManifestFormat::Json => vec![(name, pretty(one_object(manifest))?)],
            ManifestFormat::Kustomize => kustomize::files(subject, manifest, &name),
            ManifestFormat::Helm => {
                vec![(
                    format!("templates/{}/{name}", subject.name()),
                    helm::template(subject, manifest),
                )]
            }
            ManifestFormat::HelmCrds => vec![(format!("crds/{name}"), document(subject, manifest))],
        };
        for (path, text) in files {
            if entries.insert(path.clone(), Entry::Text(text)).is_some() {
                return Err(CommandError(format!("two definitions are named {path}")));
            }
        }
    }
    match format {
        ManifestFormat::Yaml | ManifestFormat::Json => {}
        ManifestFormat::Kustomize => {
            let index = kustomize::index(entries.keys());
            entries.insert(kustomize::FILE.to_owned(), Entry::Text(index));
        }
        ManifestFormat::Helm | ManifestFormat::HelmCrds => {
            entries.insert(helm::CHART.to_owned(), Entry::Initial(helm::chart(directory)));
        }
    }
    if format == ManifestFormat::Helm {
        let values = helm::values(subject, manifests);
        entries.insert(helm::VALUES.to_owned(), Entry::Values(values));
    }
    Ok(entries)
}

/// Returns the YAML of a manifest.
fn document(subject: Subject, manifest: &Manifest) -> String {
    if subject.is_one_to_a_file() {
        manifest.objects.iter().map(yaml::to_string).collect()
    } else {
        yaml::to_documents(&manifest.objects)
    }
}

/// Returns the only object of a manifest, or a list of several.
fn one_object(manifest: &Manifest) -> Value {
    match manifest.objects.as_slice() {
        [one] => one.clone(),
        several => json!({"apiVersion": "v1", "kind": "List", "items": several}),
    }
}

/// Returns JSON with sorted keys: another crate may enable `preserve_order` of `serde_json`.
pub(super) fn pretty(mut value: Value) -> Result<String, CommandError> {
    value.sort_all_objects();
    let text = serde_json::to_string_pretty(&value);
    Ok(format!("{}\n", text.map_err(|error| CommandError(error.to_string()))?))
}

/// Prints manifests on standard output.
///
/// # Errors
/// If the format is that of a directory.
pub(super) fn print(
    context: &mut Context<'_>,
    entries: &BTreeMap<String, Entry>,
    format: ManifestFormat,
) -> Result<(), CommandError> {
    if !format.is_plain() {
        let message = "this format is a directory; pass `--out DIR`";
        return Err(CommandError(message.to_owned()));
    }
    for (index, entry) in entries.values().enumerate() {
        let Entry::Text(text) = entry else { continue };
        if index > 0 && format == ManifestFormat::Yaml {
            context.out.write_all(b"---\n")?;
        }
        context.out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Objects that are one file, unless the format is that of a directory.
pub(super) struct OneFile<'a> {
    pub(super) subject: Subject,
    pub(super) objects: Vec<Value>,
    /// The file, the directory, or `-` for standard output.
    pub(super) out: &'a Path,
    /// The name of the command.
    pub(super) command: &'static str,
    /// What the objects are, in a diff.
    pub(super) label: &'static str,
}

impl OneFile<'_> {
    /// Writes the file, or compares it.
    pub(super) fn run(
        self,
        context: &mut Context<'_>,
        layout: &Layout,
    ) -> Result<CommandOutcome, CommandError> {
        let Self { subject, objects, out, command, label } = self;
        let is_printed = out.as_os_str() == "-";
        if layout.check && is_printed {
            let message = "`--check` needs a file to compare with; pass `--out FILE`";
            return Err(CommandError(message.to_owned()));
        }
        let manifest = Manifest { name: subject.name().to_owned(), objects };
        let mut entries = entries(subject, &[manifest], layout.format, out)?;
        if is_printed {
            print(context, &entries, layout.format)?;
            return Ok(CommandOutcome::Valid);
        }
        let mut directory = out;
        if layout.format.is_plain() {
            let name = out.file_name().unwrap_or_default().to_string_lossy().into_owned();
            entries = entries.into_values().map(|entry| (name.clone(), entry)).collect();
            directory = out.parent().unwrap_or(Path::new(""));
        }
        let target =
            Target { directory, entries: &entries, command, label, what: "manifest", source: None };
        target.run(context, layout.check, false)
    }
}

#[cfg(test)]
mod tests;
