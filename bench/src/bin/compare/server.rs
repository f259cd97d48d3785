//! The API server's own code, which runs in the oracle's process and measures its CPU time itself.

use std::path::Path;

use crd_bench::corpus::Definition;
use serde_json::{Value, json};

use crate::oracle::Oracle;

/// The least time for which the oracle repeats a stage, in milliseconds.
const MILLIS: u64 = 5;

/// A running oracle that knows definitions by number.
#[derive(Debug)]
pub(crate) struct Server {
    oracle: Oracle,
}

impl Server {
    /// Starts the oracle and sends it the definitions, which are numbered from 0.
    pub(crate) fn start<'a>(
        program: &Path,
        definitions: impl Iterator<Item = &'a Definition>,
    ) -> Result<Self, String> {
        let oracle = Oracle::start(program, 1).map_err(|error| format!("the oracle: {error}"))?;
        let mut server = Self { oracle };
        for (number, definition) in definitions.enumerate() {
            let session = number.to_string();
            server.ask(&json!({"op": "session", "session": session, "crd": definition.json}))?;
        }
        Ok(server)
    }

    /// The CPU time of one repetition of a stage (`write`, `rules`, `compile`), in nanoseconds.
    pub(crate) fn nanos(
        &mut self,
        stage: &str,
        definition: usize,
        version: &str,
        object: &Value,
    ) -> Result<f64, String> {
        let answer = self.ask(&json!({
            "op": "bench", "stage": stage, "session": definition.to_string(), "version": version,
            "object": object, "millis": MILLIS,
        }))?;
        answer["cpuNanos"].as_f64().ok_or_else(|| format!("the oracle answers {answer}"))
    }

    fn ask(&mut self, question: &Value) -> Result<Value, String> {
        let answers = self.oracle.ask(std::slice::from_ref(question));
        let answer = answers.map_err(|error| format!("the oracle: {error}"))?.pop();
        let answer = answer.unwrap_or_default();
        match answer.get("failure") {
            Some(failure) => Err(format!("the oracle: {failure}")),
            None => Ok(answer),
        }
    }
}
