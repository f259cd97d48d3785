//! The priorities of pods, which their classes determine.
//!
//! Source: `plugin/pkg/admission/priority` of kubernetes/kubernetes.

use serde_json::{Value, json};

use super::failure::{Answer, Failure};
use super::kind::ServedKind;
use super::metadata;
use super::store::Store;

/// The resource of priority classes in the store.
const CLASSES: &str = "scheduling.k8s.io/priorityclasses";
/// The priority classes that every server has, with their priorities.
const BUILT_IN: [(&str, i64); 2] =
    [("system-cluster-critical", 2_000_000_000), ("system-node-critical", 2_000_001_000)];
const DEFAULT_POLICY: &str = "PreemptLowerPriority";

/// Sets the priority and the preemption policy of a new pod.
///
/// # Errors
/// Status 403 for a class that does not exist, and for values that differ from those of the class.
pub(super) fn set(store: &Store, kind: &ServedKind, pod: &mut Value) -> Answer<()> {
    if &*kind.storage != "/pods" || !pod.get("spec").is_some_and(Value::is_object) {
        return Ok(());
    }
    let name = metadata::text(pod, "name").to_owned();
    let rejected = |why: &str| Err(Failure::forbidden(kind.resource(), &name, why));
    let class = pod.pointer("/spec/priorityClassName").and_then(Value::as_str);
    let (class, priority, policy) = match class.filter(|class| !class.is_empty()) {
        None => default_class(store),
        Some(class) => match values_of(store, class) {
            Some((priority, policy)) => (class.to_owned(), priority, policy),
            None => return rejected(&format!("no PriorityClass with name {class} was found")),
        },
    };
    let field = |key: &str| pod.get("spec").and_then(|spec| spec.get(key));
    if let Some(found) = field("priority").filter(|it| it.as_i64() != Some(priority)) {
        return rejected(&format!(
            "the integer value of priority ({found}) must not be provided in pod spec; priority admission controller \
             computed {priority} from the given PriorityClass name"
        ));
    }
    if let Some(found) = field("preemptionPolicy").and_then(Value::as_str)
        && found != policy
    {
        return rejected(&format!(
            "the string value of PreemptionPolicy ({found}) must not be provided in pod spec; priority admission \
             controller computed {policy} from the given PriorityClass name"
        ));
    }
    if !class.is_empty() {
        pod["spec"]["priorityClassName"] = class.into();
    }
    pod["spec"]["priority"] = priority.into();
    pod["spec"]["preemptionPolicy"] = policy.into();
    Ok(())
}

/// Returns the priority and the preemption policy of a class.
fn values_of(store: &Store, name: &str) -> Option<(i64, String)> {
    if let Some((_, priority)) = BUILT_IN.iter().find(|(known, _)| *known == name) {
        return Some((*priority, DEFAULT_POLICY.to_owned()));
    }
    Some(values(&store.get(CLASSES, name)?.object()))
}

/// Returns the class of pods that name none: of those that are marked, the one with the lowest priority.
fn default_class(store: &Store) -> (String, i64, String) {
    let classes = store.list(CLASSES, "").map(|(_, stored)| stored.object());
    let marked = classes.filter(|class| class.get("globalDefault") == Some(&json!(true)));
    let lowest = marked.min_by_key(|class| values(class).0);
    lowest.map_or_else(
        || (String::new(), 0, DEFAULT_POLICY.to_owned()),
        |class| {
            let (priority, policy) = values(&class);
            (metadata::text(&class, "name").to_owned(), priority, policy)
        },
    )
}

fn values(class: &Value) -> (i64, String) {
    let priority = class.get("value").and_then(Value::as_i64).unwrap_or_default();
    let policy = class.get("preemptionPolicy").and_then(Value::as_str).unwrap_or(DEFAULT_POLICY);
    (priority, policy.to_owned())
}
