//! Hand-written `impl JsonSchema`.

use serde_json::Value;
use syn::{ImplItem, ItemImpl};

use super::function;
use super::keys::{Key, literal};
use super::note::Severity;
use super::plan::Plan;
use super::source::{Type, range};
use super::write::Item;

impl Plan<'_> {
    /// Gives a type with its own `impl JsonSchema` the schema of that.
    pub(super) fn own_impl(&mut self, ty: &Type<'_>) {
        let name = ty.ident.to_string();
        if !ty.generics.params.is_empty() {
            let text = format!(
                "`{name}` has its own `impl JsonSchema` and parameters; write `impl CrdSchema`, as the documentation \
                 of the trait shows"
            );
            return self.note(ty.start, Severity::ByHand, &text);
        }
        let indent = super::edit::indentation(&self.source.text, ty.start).unwrap_or_default();
        let text = format!(
            "#[derive(crd_runtime::CrdSchema)]\n{indent}#[crd(\n{indent}    schema_with = \
             crd_runtime::crd_schema::bridge::schema::<{name}>,\n{indent}    json_schema = false\n{indent})]\n{indent}"
        );
        self.edits.insert(ty.start, text);
    }

    /// Takes over what a hand-written schema of the whole object says of its name.
    pub(super) fn own_root(&mut self, ty: &Type<'_>, root: &str, item: &mut Item) {
        let impls = self.names.impls.get(root).map_or(&[][..], Vec::as_slice);
        let own = impls.iter().find(|(index, _)| *index == self.index);
        let keys = own.and_then(|(_, it)| self.keys_of_root(it));
        let (Some((_, own)), Some((keys, notes))) = (own, keys) else {
            let text = format!(
                "the `impl JsonSchema for {root}` of `schema = \"manual\"` is not understood; remove it, and write \
                 what it adds to spec and status, such as `#[crd(root_rule(\"self.metadata.name.size() <= 63\"))]`"
            );
            return self.note(ty.start, Severity::ByHand, &text);
        };
        for text in notes {
            self.note(range(own).start, Severity::Differs, &text);
        }
        item.added.extend(keys);
        item.comments.extend(super::functions::comments(own, self.source));
        let whole = super::functions::with_comments(self.source, range(own));
        self.edits.replace(whole, "");
    }

    /// Returns the keys for a schema of a whole object, with remarks; `None` if keys cannot say it.
    fn keys_of_root(&self, it: &ItemImpl) -> Option<(Vec<Key>, Vec<String>)> {
        let method = it.items.iter().find_map(|item| match item {
            ImplItem::Fn(method) if method.sig.ident == "json_schema" => Some(method),
            _ => None,
        })?;
        let made = function::body(&method.sig, &method.block, self.source)?;
        let (mut keys, mut notes) = (Vec::new(), Vec::new());
        for (name, value) in &made.keywords {
            match &**name {
                "type" => {}
                "description" => {
                    keys.push(Key::value("root_description", literal(value.as_str()?)));
                }
                "properties" => {
                    for (name, value) in value.as_object()? {
                        match &**name {
                            "spec" | "status" | "apiVersion" | "kind" => {}
                            "metadata" => keys.extend(of_name(value)?),
                            _ => return None,
                        }
                    }
                }
                "required" => {
                    let names = value.as_array()?.iter().filter_map(Value::as_str);
                    let others: Vec<_> = names.filter(|name| *name != "spec").collect();
                    if !others.is_empty() {
                        notes.push(format!("`{}` is not in `required`", others.join("`, `")));
                    }
                }
                _ => return None,
            }
        }
        Some((keys, notes))
    }
}

/// Returns rules for the bounds of `metadata.name`.
fn of_name(metadata: &Value) -> Option<Vec<Key>> {
    let known = ["type", "description", "properties"];
    let metadata = metadata.as_object()?;
    let properties = metadata.get("properties")?.as_object()?;
    if !metadata.keys().all(|key| known.contains(&&**key)) || properties.len() != 1 {
        return None;
    }
    let mut keys = Vec::new();
    for (keyword, value) in properties.get("name")?.as_object()? {
        let (rule, message) = match &**keyword {
            "type" | "description" => continue,
            // A name is never empty.
            "minLength" if value == 1 => continue,
            "minLength" => (
                format!("self.metadata.name.size() >= {}", value.as_u64()?),
                format!("the name must have at least {value} characters"),
            ),
            "maxLength" => (
                format!("self.metadata.name.size() <= {}", value.as_u64()?),
                format!("the name must have at most {value} characters"),
            ),
            "pattern" => {
                let pattern = value.as_str().filter(|pattern| !pattern.contains('\''))?;
                (
                    format!("self.metadata.name.matches(r'{pattern}')"),
                    format!("the name must match {pattern}"),
                )
            }
            _ => return None,
        };
        let message = format!("message = {}", literal(&message));
        keys.push(Key::List("root_rule", vec![literal(&rule), message]));
    }
    Some(keys)
}
