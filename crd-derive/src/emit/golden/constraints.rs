fn constraints() {
    schema.minimum(1f64).default(crd_runtime::__private::json(&1i64));
    schema.pattern("^[a-z]+$").max_length(10i64);
    schema
        .list_type("map")
        .list_map_keys(&["name"])
        .items(|schema| schema.max_properties(3i64));
    schema;
}
