//! YAML is read as go-yaml reads it: verdicts, values and error messages, which are recorded from it.

use crd_runtime::yaml;
use crd_tests::yaml as samples;

#[test]
fn recorded_texts_are_read_as_go_yaml_reads_them() {
    let cases = samples::recorded();
    assert!(cases.len() > 100, "{}", cases.len());
    let differences: Vec<_> = cases
        .iter()
        .filter_map(|(text, answer)| {
            let difference = answer.difference(text)?;
            Some(format!("{:?}: {difference}", String::from_utf8_lossy(text)))
        })
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn no_generated_text_panics() {
    let texts = samples::generated(5_000, 1);
    let files: Vec<Vec<u8>> = samples::recorded().into_iter().map(|(text, _)| text).collect();
    for text in texts.iter().chain(&samples::changed(5_000, 1, &files)) {
        if let Ok(Some(document)) = yaml::document(text) {
            let written = yaml::to_string(&document.value);
            assert!(yaml::document(written.as_bytes()).is_ok(), "{written:?}");
        }
    }
}
