//! Reads arbitrary bytes as a stream of YAML. Every document must survive writing and reading.

#![no_main]

use crd_engine::{json, yaml};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    for document in yaml::documents(&text) {
        let document = match document {
            Ok(document) => document,
            Err(error) => {
                drop(error.to_string());
                continue;
            }
        };
        let written = yaml::to_string(&document.value);
        let mut back = yaml::documents(&written);
        match back.next() {
            Some(Ok(read)) => assert_eq!(
                json::to_go_string(&read.value),
                json::to_go_string(&document.value),
                "written as {written:?}"
            ),
            Some(Err(error)) => panic!("written as {written:?}: {error}"),
            None => assert!(document.value.is_null(), "written as {written:?}: nothing"),
        }
        assert!(back.next().is_none(), "written as {written:?}: two documents");
    }
});
