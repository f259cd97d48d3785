//! Checks the layers of ARCHITECTURE.md and of the pages on the design: a module does not use modules of the layers
//! above it, siblings do not use each other, and modules do not form a cycle.

use std::iter;

use super::code::Tree;
use super::modules::{Graph, Place, graphs};
use super::{Exceptions, Finding};

/// The page with the layers of packages.
pub(super) const ARCHITECTURE: &str = "ARCHITECTURE.md";

/// A layer of modules, which is a line of a page.
#[derive(Debug)]
struct Layer<'a> {
    modules: Vec<&'a str>,
    /// Whether its modules must not use each other.
    siblings: bool,
}

/// Reports uses of modules against the layers, and cycles.
pub(super) fn check(
    tree: &Tree,
    packages: &[&str],
    exceptions: &mut Exceptions<'_>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        for (directory, graph) in graphs(tree, package) {
            let scope = Scope::new(package, &directory);
            // Without layers, only circles are reported.
            if let Some((page, layers)) = scope.layers(tree) {
                check_uses(&graph, &layers, &scope, page, exceptions, &mut findings);
            }
            check_cycles(short(package), &directory, &graph, exceptions, &mut findings);
        }
    }
    findings
}

/// The name of a package, which is that of its directory.
pub(super) fn short(package: &str) -> &str {
    package.rsplit('/').next().unwrap_or(package)
}

/// A package, or a directory of one, whose modules have layers.
struct Scope {
    /// The heading above the layers: `crd-engine`, or `crd-engine::admit`.
    name: String,
    /// The path of the modules: `crates/crd-engine/src/admit`.
    path: String,
}

impl Scope {
    fn new(package: &str, directory: &str) -> Self {
        let inside = |separator: &str| match directory {
            "" => String::new(),
            directory => format!("{separator}{}", directory.replace("::", separator)),
        };
        Self {
            name: format!("{}{}", short(package), inside("::")),
            path: format!("{package}/src{}", inside("/")),
        }
    }

    /// Returns the layers, and the page that lists them.
    fn layers<'t>(&self, tree: &'t Tree) -> Option<(&'t str, Vec<Layer<'t>>)> {
        let pages = tree.pages.iter().map(|(path, text)| (&**path, text));
        let mut pages = iter::once((ARCHITECTURE, &tree.architecture)).chain(pages);
        pages.find_map(|(path, text)| Some((path, layers(text, &self.name)?)))
    }
}

/// Returns the layers under a heading, from the top: the lines of the first code block below the heading in the section
/// of layers.
fn layers<'a>(page: &'a str, name: &str) -> Option<Vec<Layer<'a>>> {
    let (_, section) = page.split_once("\n## Layers\n")?;
    let section = section.split("\n## ").next()?;
    let (_, below) = section.split_once(&format!("\n### {name}\n"))?;
    let block = below.split("```").nth(1)?.split_once('\n')?.1;
    let layer = |line: &'a str| {
        let (modules, what) = line.split_once('|').unwrap_or((line, ""));
        Layer {
            modules: modules.split_whitespace().collect(),
            siblings: what.trim_start().starts_with("siblings"),
        }
    };
    Some(block.lines().map(layer).collect())
}

/// Reports modules without a layer, layers that name no module, and uses that the layers do not allow.
fn check_uses(
    graph: &Graph,
    layers: &[Layer<'_>],
    scope: &Scope,
    page: &str,
    exceptions: &mut Exceptions<'_>,
    findings: &mut Vec<Finding>,
) {
    let name = &scope.name;
    let layer_of = |module: &str| layers.iter().position(|layer| layer.modules.contains(&module));
    for module in &graph.modules {
        if layer_of(module).is_none() {
            findings.push(Finding::of(
                &format!("{}/{module}", scope.path),
                1,
                format!("`{module}` is in no layer of `{name}`: add it to {page}"),
            ));
        }
    }
    for layer in layers {
        for module in layer.modules.iter().filter(|module| !graph.modules.contains(**module)) {
            findings.push(Finding::of(
                page,
                1,
                format!("the layers of `{name}` name `{module}`, which is no module"),
            ));
        }
    }
    for ((from, to), place) in &graph.edges {
        let (Some(from_layer), Some(to_layer)) = (layer_of(from), layer_of(to)) else { continue };
        let siblings = layers[from_layer].siblings;
        if to_layer < from_layer && !exceptions.allows("use", &format!("{name} {from} {to}")) {
            let text = format!("`{from}` names `{to}`, which stands above it");
            findings.push(Finding::of(&place.path, place.line, text));
        } else if to_layer == from_layer && from != to && siblings {
            let text = format!("`{from}` names `{to}`, which is its sibling");
            findings.push(Finding::of(&place.path, place.line, text));
        }
    }
}

/// Reports modules that use each other.
fn check_cycles(
    package: &str,
    directory: &str,
    graph: &Graph,
    exceptions: &mut Exceptions<'_>,
    findings: &mut Vec<Finding>,
) {
    for cycle in graph.cycles() {
        if exceptions.allows("circle", &format!("{package} {}", cycle.join(" "))) {
            continue;
        }
        let is_inside = |module: &str| cycle.contains(&module);
        let edges: Vec<_> = graph
            .edges
            .iter()
            .filter(|((from, to), _)| is_inside(from) && is_inside(to) && from != to)
            .collect();
        let Some((_, first)) = edges.first() else { continue };
        let edge_text = |((from, to), place): &(&(String, String), &Place)| {
            format!("\n  {from} names {to} ({}:{})", place.path, place.line)
        };
        let inside =
            if directory.is_empty() { String::new() } else { format!(" of `{directory}`") };
        let edge_texts: String = edges.iter().map(edge_text).collect();
        let text = format!("modules{inside} name each other: {}{edge_texts}", cycle.join(", "));
        findings.push(Finding::of(&first.path, first.line, text));
    }
}
