//! Checks the layers of ARCHITECTURE.md: a module does not use modules of the layers above it, siblings do not use each
//! other, and modules do not form a cycle.

use super::code::Tree;
use super::modules::{Graph, Place, graphs};
use super::{Exceptions, Finding};

/// A layer of a package, which is a line in ARCHITECTURE.md.
#[derive(Debug)]
struct Layer<'a> {
    modules: Vec<&'a str>,
    /// Whether its modules must not use each other.
    siblings: bool,
}

/// Reports packages without layers, uses of modules against the layers, and cycles.
pub(super) fn check(
    tree: &Tree,
    packages: &[&str],
    exceptions: &mut Exceptions<'_>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        for (directory, graph) in graphs(tree, package) {
            if directory.is_empty() {
                match layers(&tree.architecture, package) {
                    Some(layers) => {
                        against_layers(&graph, &layers, package, exceptions, &mut findings);
                    }
                    None => findings.push(Finding::of(
                        "ARCHITECTURE.md",
                        1,
                        format!("`{package}` has no layers: add `### {package}` below `## Layers`"),
                    )),
                }
            }
            circles(package, &directory, &graph, exceptions, &mut findings);
        }
    }
    findings
}

/// Returns the layers of a package, from the top: the lines of the first code block below the package's heading in the
/// section of layers.
fn layers<'a>(architecture: &'a str, package: &str) -> Option<Vec<Layer<'a>>> {
    let (_, section) = architecture.split_once("\n## Layers\n")?;
    let section = section.split("\n## ").next()?;
    let (_, below) = section.split_once(&format!("\n### {package}\n"))?;
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

fn against_layers(
    graph: &Graph,
    layers: &[Layer<'_>],
    package: &str,
    exceptions: &mut Exceptions<'_>,
    findings: &mut Vec<Finding>,
) {
    let layer_of = |module: &str| layers.iter().position(|layer| layer.modules.contains(&module));
    for module in &graph.modules {
        if layer_of(module).is_none() {
            findings.push(Finding::of(
                &format!("{package}/src/{module}"),
                1,
                format!("`{module}` is in no layer of `{package}`: add it to ARCHITECTURE.md"),
            ));
        }
    }
    for layer in layers {
        for module in layer.modules.iter().filter(|module| !graph.modules.contains(**module)) {
            findings.push(Finding::of(
                "ARCHITECTURE.md",
                1,
                format!("the layers of `{package}` name `{module}`, which is no module"),
            ));
        }
    }
    for ((from, to), place) in &graph.edges {
        let (Some(from_layer), Some(to_layer)) = (layer_of(from), layer_of(to)) else { continue };
        let siblings = layers[from_layer].siblings;
        if to_layer < from_layer && !exceptions.takes("use", &format!("{package} {from} {to}")) {
            let text = format!("`{from}` names `{to}`, which stands above it");
            findings.push(Finding::of(&place.path, place.line, text));
        } else if to_layer == from_layer && from != to && siblings {
            let text = format!("`{from}` names `{to}`, which is its sibling");
            findings.push(Finding::of(&place.path, place.line, text));
        }
    }
}

fn circles(
    package: &str,
    directory: &str,
    graph: &Graph,
    exceptions: &mut Exceptions<'_>,
    findings: &mut Vec<Finding>,
) {
    for circle in graph.circles() {
        if exceptions.takes("circle", &format!("{package} {}", circle.join(" "))) {
            continue;
        }
        let is_inside = |module: &str| circle.contains(&module);
        let ways: Vec<_> = graph
            .edges
            .iter()
            .filter(|((from, to), _)| is_inside(from) && is_inside(to) && from != to)
            .collect();
        let Some((_, first)) = ways.first() else { continue };
        let way = |((from, to), place): &(&(String, String), &Place)| {
            format!("\n  {from} names {to} ({}:{})", place.path, place.line)
        };
        let inside =
            if directory.is_empty() { String::new() } else { format!(" of `{directory}`") };
        let ways_in_words: String = ways.iter().map(way).collect();
        let text = format!("modules{inside} name each other: {}{ways_in_words}", circle.join(", "));
        findings.push(Finding::of(&first.path, first.line, text));
    }
}
