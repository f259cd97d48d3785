//! Objects that the server admits, small and whole.

use serde_json::{Value, json};

use super::model::Example;
use super::readable::Readable;
use crate::diff::{Side, literals, mended};
use crate::generate::{self, Options, Random};
use crate::model::{CustomResourceDefinition, CustomResourceDefinitionVersion};
use crate::{names, schemas};

/// The number of objects that are tried.
const TRIES: u64 = 48;
/// The number of mends of an object.
const MENDS: usize = 16;
/// The largest number of values in a whole example, as long as a smaller depth has fewer.
const READABLE: usize = 150;
/// The largest depth at which a minimal example is looked for.
const DEEPEST_MINIMAL: usize = 5;
/// The name of the examples, if nothing demands another one.
const NAME: &str = "example";
/// The largest depth up to which all fields are written.
const DEEPEST: usize = 8;

/// Returns an object with what is required, and one with all fields up to a readable size. Each is admitted by the
/// engine.
///
/// # Errors
/// If none is found, with the reason.
pub(super) fn of(
    crd: &CustomResourceDefinition,
    version: &CustomResourceDefinitionVersion,
) -> Result<Vec<Example>, String> {
    let search = Search::new(crd, version)?;
    // Rules may demand more than the schema requires.
    let mut small = search.admitted(0);
    for depth in 1..=DEEPEST_MINIMAL {
        small = small.or_else(|reason| search.admitted(depth).map_err(|_| reason));
    }
    let small = small?;
    let small =
        generate::shrink(search.side.object(&small), |object| search.side.create(object).is_ok());
    let whole = (1..=DEEPEST).rev().find(|depth| search.size(*depth) <= READABLE).unwrap_or(1);
    let whole = search.admitted(whole).map(|content| search.side.object(&content));
    let mut examples = vec![Example::of("Minimal", small)];
    // A whole one that is not found would not be the first that is missed.
    if let Ok(whole) = whole
        && whole != examples[0].object
    {
        examples.push(Example::of("Full", whole));
    }
    Ok(examples)
}

struct Search {
    side: Side,
    options: Options,
}

impl Search {
    fn new(
        crd: &CustomResourceDefinition,
        version: &CustomResourceDefinitionVersion,
    ) -> Result<Self, String> {
        let mut side = Side::as_served(crd, &version.name)?;
        // A status is not written together with the rest.
        if schemas::has_status(version)
            && let Some(properties) = &mut side.root.properties
        {
            properties.remove("status");
        }
        let mut options = Options::default();
        literals::add(&side.rules, &mut options);
        options.is_sparse = true;
        Ok(Self { side, options })
    }

    /// Returns the content of an object, with all fields up to a depth.
    fn content(&self, random: &mut Random, literals: Option<&Options>, depth: usize) -> Value {
        let mut readable = Readable { random, literals };
        let mut content = generate::content(&readable.value(&self.side.root, "", depth));
        content["metadata"] = json!({"name": self.name(&mut readable)});
        content
    }

    /// Returns a name that the schema allows, or one of the texts of rules, which often demand one name.
    fn name(&self, readable: &mut Readable<'_>) -> String {
        let named = readable.literals.filter(|_| readable.random.one_in(2));
        let is_name = |text: &&String| names::subdomain_name(text, false).is_empty();
        let texts: Vec<&String> = named
            .map(|literals| literals.texts.iter().filter(is_name).collect())
            .unwrap_or_default();
        if let Some(text) = readable.random.choose(&texts) {
            return (*text).clone();
        }
        let metadata = schemas::property(&self.side.root, "metadata");
        let schema = metadata.and_then(|metadata| schemas::property(metadata, "name"));
        let value = schema.map(|schema| readable.value(schema, "name", 0));
        value.as_ref().and_then(Value::as_str).unwrap_or(NAME).to_owned()
    }

    fn size(&self, depth: usize) -> usize {
        fn count(value: &Value) -> usize {
            1 + match value {
                Value::Array(items) => items.iter().map(count).sum(),
                Value::Object(map) => map.values().map(count).sum::<usize>(),
                _ => 0,
            }
        }
        count(&self.content(&mut Random::new(0), None, depth))
    }

    /// Returns the content of an object that is admitted.
    fn admitted(&self, depth: usize) -> Result<Value, String> {
        let mut reason = String::new();
        // Texts of rules read oddly elsewhere.
        let plain = Options { texts: Vec::new(), ..self.options.clone() };
        for seed in 0..TRIES {
            let mut random = Random::new(seed);
            // Mends are arbitrary values, so that they come last.
            let (literals, mends) = match seed {
                0 => (None, 1),
                _ if seed < TRIES / 4 => (Some(&plain), 1),
                _ if seed < TRIES / 2 => (Some(&self.options), 1),
                _ => (Some(&self.options), MENDS),
            };
            let content = self.content(&mut random, literals, depth);
            let (found, last) = mended(&mut random, &self.options, &self.side, content, &[], mends);
            if let Some((content, _)) = found {
                return Ok(content);
            }
            if let Some(last) = last {
                reason = last.text;
            }
        }
        Err(format!("none of {TRIES} generated objects is admitted; an error: {reason}"))
    }
}
