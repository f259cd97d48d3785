//! The graphs of uses between the modules of a package.

use std::collections::{BTreeMap, BTreeSet};

use super::code::{File, Tree};
use super::paths::code_paths;

/// The uses between the modules of one directory, each with the first line that has it.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub(super) edges: BTreeMap<(String, String), Place>,
    pub(super) modules: BTreeSet<String>,
}

/// A line of a file.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) path: String,
    pub(super) line: usize,
}

/// Returns the graphs of a package, by the module that contains the modules: `""` for the crate, `eval`, `library`.
pub(super) fn graphs(tree: &Tree, package: &str) -> BTreeMap<String, Graph> {
    let mut graphs: BTreeMap<String, Graph> = BTreeMap::new();
    let files = || tree.files.iter().filter(|file| file.package() == package && !file.is_test());
    for file in files() {
        let module = file.module();
        if let Some((last, above)) = module.split_last() {
            graphs.entry(above.join("::")).or_default().modules.insert((*last).to_owned());
        }
    }
    for file in files() {
        add_uses(&mut graphs, file);
    }
    graphs
}

/// Adds the uses of a file to the graphs.
fn add_uses(graphs: &mut BTreeMap<String, Graph>, file: &File) {
    let module = file.module();
    for named in code_paths(file) {
        // The edge is between the first modules in which the paths differ: if `eval::fold` uses `eval::call::x`, it is
        // in the graph of `eval`, from `fold` to `call`.
        let shared = module.iter().zip(&named.path).take_while(|(a, b)| **a == b.as_str()).count();
        let (Some(from), Some(to)) = (module.get(shared), named.path.get(shared)) else { continue };
        let Some(graph) = graphs.get_mut(&module[..shared].join("::")) else { continue };
        if graph.modules.contains(to) {
            let edge = ((*from).to_owned(), to.clone());
            let place = Place { path: file.path.clone(), line: named.line };
            graph.edges.entry(edge).or_insert(place);
        }
    }
}

impl Graph {
    /// Returns the cycles: sets of modules that use each other, directly or through others of the set.
    pub(super) fn cycles(&self) -> Vec<Vec<&str>> {
        let reachable: BTreeMap<&str, BTreeSet<&str>> =
            self.modules.iter().map(|module| (module.as_str(), self.reachable(module))).collect();
        let mut cycles: Vec<Vec<&str>> = Vec::new();
        for module in self.modules.iter().map(String::as_str) {
            let is_known = cycles.iter().any(|cycle| cycle.contains(&module));
            if is_known || !reachable[module].contains(module) {
                continue;
            }
            let cycle =
                reachable[module].iter().copied().filter(|other| reachable[other].contains(module));
            cycles.push(cycle.collect());
        }
        cycles
    }

    /// Returns the modules that a module uses, directly or through others.
    fn reachable<'g>(&'g self, module: &str) -> BTreeSet<&'g str> {
        let mut found = BTreeSet::new();
        let mut left = vec![module];
        while let Some(module) = left.pop() {
            for (_, to) in self.edges.keys().filter(|(from, to)| from == module && from != to) {
                if found.insert(to.as_str()) {
                    left.push(to);
                }
            }
        }
        found
    }
}
