//! Chooses kinds and versions by their names.

use clap::Args;
use glob::Pattern;

use super::CommandError;
use super::objects::Placed;
use super::{definition, versions};
use crate::model::{CustomResourceDefinition, CustomResourceDefinitionVersion};

/// Which kinds and versions a command is about.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(super) struct Selection {
    /// Only kinds with a name that matches, such as `CronTab` or `Cron*`. Repeatable.
    #[arg(long, value_name = "GLOB")]
    kind: Vec<Pattern>,
    /// Only kinds of a group that matches. Repeatable.
    #[arg(long, value_name = "GLOB")]
    group: Vec<Pattern>,
    /// Only versions with a name that matches, also those that are not served. Repeatable.
    #[arg(long, value_name = "GLOB")]
    version: Vec<Pattern>,
}

/// A kind, and the versions of it that are wanted, most stable first.
pub(super) struct Selected {
    pub(super) crd: CustomResourceDefinition,
    pub(super) versions: Vec<CustomResourceDefinitionVersion>,
}

impl Selection {
    /// Decodes definitions, and returns the kinds that are wanted, by group and kind.
    ///
    /// # Errors
    /// If one does not decode, or nothing is selected.
    pub(super) fn of(&self, placed: &[Placed]) -> Result<Vec<Selected>, CommandError> {
        let mut selected = Vec::new();
        for placed in placed {
            let decoded = definition::decode(&placed.value);
            let decoded =
                decoded.map_err(|error| CommandError(format!("{}: {error}", placed.place)))?;
            let crd = decoded.crd;
            let is = |patterns: &[Pattern], name: &str| {
                patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(name))
            };
            if !is(&self.kind, &crd.spec.names.kind) || !is(&self.group, &crd.spec.group) {
                continue;
            }
            let mut found = crd.spec.versions.clone();
            found.retain(|version| {
                is(&self.version, &version.name) && (version.served || !self.version.is_empty())
            });
            found.sort_by(|a, b| versions::priority(&a.name, &b.name));
            if !found.is_empty() {
                selected.push(Selected { crd, versions: found });
            }
        }
        let key = |one: &Selected| (one.crd.spec.group.clone(), one.crd.spec.names.kind.clone());
        selected.sort_by_cached_key(key);
        if let Some([one, _]) = selected.windows(2).find(|pair| key(&pair[0]) == key(&pair[1])) {
            let name = &one.crd.metadata.name;
            return Err(CommandError(format!("{name}: the kind is defined twice")));
        }
        if selected.is_empty() {
            let message = "no served version of a kind is selected";
            return Err(CommandError(message.to_owned()));
        }
        Ok(selected)
    }
}
