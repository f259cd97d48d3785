//! The names of a kind, in Kubernetes and in Rust.

use super::Init;
use crate::CommandError;
use crate::identifiers::{is_keyword, is_type, snake_words};
use crate::names::{dns1035_label, dns1123_subdomain};

/// Files and modules that generated packages have.
const TAKEN: [&str; 3] = ["controller", "lib", "main"];

/// The values for the placeholders of a template.
pub(super) struct Placeholders<'a> {
    args: &'a Init,
    module: String,
}

impl<'a> Placeholders<'a> {
    /// Derives the names from arguments.
    ///
    /// # Errors
    /// If one is invalid in Kubernetes or in Rust.
    pub(super) fn new(args: &'a Init) -> Result<Self, CommandError> {
        let Init { kind, group, version, .. } = args;
        if !is_type(kind) || kind.len() > 63 {
            return Err(CommandError(format!(
                "`--kind {kind}`: a kind is in CamelCase, such as `Memcached`: a capital letter, then letters and digits, at \
                 most 63"
            )));
        }
        if !group.contains('.') || !dns1123_subdomain(group).is_empty() {
            return Err(CommandError(format!(
                "`--group {group}`: a group must be a lower case domain, such as `cache.example.com`"
            )));
        }
        if !dns1035_label(version).is_empty() {
            return Err(CommandError(format!(
                "`--api-version {version}`: a version must be in lower case, such as `v1alpha1`"
            )));
        }
        let mut module = snake_words(kind);
        if is_reserved(&module) {
            module.push_str("_kind");
        }
        Ok(Self { args, module })
    }

    pub(super) fn module(&self) -> &str {
        &self.module
    }

    pub(super) fn kind(&self) -> &str {
        &self.args.kind
    }

    /// Fills in a template.
    pub(super) fn fill(&self, template: &str, library: &str) -> String {
        let Init { kind, group, version, cluster, .. } = self.args;
        let api = if *cluster {
            format!("Api::<{kind}>::all(context.client.clone())")
        } else {
            format!(
                "match object.namespace() {{\n        Some(namespace) => Api::<{kind}>::namespaced(context.client.clone(), &namespace),\n        \
                 None => Api::all(context.client.clone()),\n    }}"
            )
        };
        let metadata = if *cluster {
            "\"name\": \"mine\""
        } else {
            "\"name\": \"mine\", \"namespace\": \"default\""
        };
        let scope = if *cluster { "cluster" } else { "namespaced" };
        [
            ("@KIND@", kind.as_str()),
            ("@GROUP@", group),
            ("@VERSION@", version),
            ("@SCOPE@", scope),
            ("@LIB@", library),
            ("@MODULE@", &self.module),
            ("@API@", &api),
            ("@METADATA@", metadata),
        ]
        .into_iter()
        .fold(template.to_owned(), |text, (placeholder, value)| text.replace(placeholder, value))
    }
}

/// Returns the name of a new package.
pub(super) fn package(args: &Init) -> Result<String, CommandError> {
    let of_dir = || {
        let full = std::path::absolute(&args.dir).ok()?;
        Some(full.file_name()?.to_str()?.to_lowercase().replace(['.', ' '], "-"))
    };
    let name = args.name.clone().or_else(of_dir).unwrap_or_default();
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        && !is_reserved(&name)
        && name != "xtask"
        && name != "test";
    if is_name {
        return Ok(name);
    }
    Err(CommandError(format!(
        "`{name}` is not a valid package name; pass one with `--name`, such as `my-operator`"
    )))
}

/// Returns whether a word cannot name a module or package.
fn is_reserved(word: &str) -> bool {
    is_keyword(word) || TAKEN.contains(&word)
}
