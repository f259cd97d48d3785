//! Creates the objects of files.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde_json::Value;

use super::ApiServerBuilder;
use crate::yaml;

impl ApiServerBuilder {
    /// Creates the objects of a file, or of the files of a directory that end in `.yaml`, `.yml` or `.json`, in the order
    /// of their names. Definitions are created first, and the items of a `List` one by one, as by
    /// [`with_object`](Self::with_object). Directories in the directory are not read.
    ///
    /// # Panics
    /// Panics with the name of the file if it cannot be read, or if the server rejects one of its objects.
    #[track_caller]
    pub fn with_manifests(self, path: impl AsRef<Path>) -> Self {
        let objects = objects_of(path.as_ref()).unwrap_or_else(|why| panic!("{why}"));
        for (file, object) in objects {
            if let Err(why) = self.0.create(&object) {
                panic!("{}", about(&file, &why));
            }
        }
        self
    }
}

fn about(path: &Path, why: &dyn Display) -> String {
    format!("{}: {why}", path.display())
}

/// Returns the objects in the order in which they are created, each with its file.
fn objects_of(path: &Path) -> Result<Vec<(PathBuf, Value)>, String> {
    let mut objects = Vec::new();
    for file in files_of(path).map_err(|error| about(path, &error))? {
        let text = fs::read_to_string(&file).map_err(|error| about(&file, &error))?;
        for document in yaml::documents(&text) {
            let object = document.map_err(|error| about(&file, &error))?.value;
            let items = match object.get("items") {
                Some(Value::Array(items)) if object["kind"] == "List" => items.clone(),
                _ => vec![object],
            };
            objects.extend(items.into_iter().map(|item| (file.clone(), item)));
        }
    }
    objects.sort_by_key(|(_, object)| object["kind"] != "CustomResourceDefinition");
    Ok(objects)
}

fn files_of(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
    let mut files = entries.collect::<io::Result<Vec<_>>>()?;
    files.retain(|file| {
        file.extension().is_some_and(|it| ["yaml", "yml", "json"].iter().any(|known| it == *known))
    });
    files.sort();
    Ok(files)
}
