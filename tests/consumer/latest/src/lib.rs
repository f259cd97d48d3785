#[path = "../../cache.rs"]
mod cache;

pub use cache::*;

#[cfg(test)]
mod tests {
    use crd_runtime::compiled::CompiledSchema;
    use crd_runtime::{CustomResource as _, admit, definition};
    use serde_json::{Value, json};

    use super::*;

    fn cache(spec: Value) -> Value {
        let metadata = json!({"name": "mine", "namespace": "default"});
        json!({"apiVersion": "cache.example.com/v1alpha1", "kind": "Cache", "metadata": metadata, "spec": spec})
    }

    #[test]
    fn the_server_takes_the_definition_and_an_object() {
        let crd = Cache::definition();
        definition::validate(&crd).into_result().unwrap();
        let schema = CompiledSchema::for_version(&crd, "v1alpha1").unwrap();

        let listeners = json!([{"name": "tcp", "port": 11211}]);
        let admitted = admit::create(&schema, cache(json!({"listeners": listeners}))).unwrap();
        let typed: Cache = admitted.into_typed().unwrap();
        assert_eq!((typed.spec.size, typed.spec.eviction), (1, Eviction::LeastRecent));

        let rejected = admit::create(&schema, cache(json!({"size": 9}))).unwrap_err();
        let text = rejected.message(&schema);
        assert!(text.contains("spec.size in body should be less than or equal to 5"), "{text}");
    }
}
