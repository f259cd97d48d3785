//! A client of the oracle in `tests/kube`: a program that runs the API server's own code on requests in JSON lines.

use std::io::{self, BufRead as _, BufReader, BufWriter, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use serde_json::Value;

/// A running oracle.
#[derive(Debug)]
pub struct Oracle {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Oracle {
    /// Starts the oracle at `program`, which answers up to `jobs` requests concurrently.
    ///
    /// # Errors
    /// If the program cannot be started.
    pub fn start(program: &Path, jobs: usize) -> io::Result<Self> {
        let mut child = Command::new(program)
            .args(["-jobs", &jobs.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or_else(|| io::Error::other("no standard output"))?;
        Ok(Self { child, stdin, stdout: BufReader::new(stdout) })
    }

    /// Sends many requests at once, and returns the answers in the same order.
    ///
    /// # Errors
    /// If the oracle has ended, or an answer is not JSON.
    pub fn ask(&mut self, questions: &[Value]) -> io::Result<Vec<Value>> {
        let lines: Vec<String> = questions.iter().map(ToString::to_string).collect();
        self.ask_lines(&lines)
    }

    /// Like [`Oracle::ask`], for requests that are JSON text already.
    ///
    /// # Errors
    /// If the oracle has ended, or an answer is not JSON.
    pub fn ask_lines(&mut self, questions: &[String]) -> io::Result<Vec<Value>> {
        let stdin = self.stdin.as_mut().ok_or_else(|| io::Error::other("already closed"))?;
        let stdout = &mut self.stdout;
        // The oracle answers while it reads. A thread of its own writes, because otherwise both pipes could fill up.
        thread::scope(|scope| {
            let writer = scope.spawn(move || -> io::Result<()> {
                let mut out = BufWriter::new(stdin);
                for question in questions {
                    out.write_all(question.as_bytes())?;
                    out.write_all(b"\n")?;
                }
                out.flush()
            });
            let mut answers = Vec::with_capacity(questions.len());
            let mut line = String::new();
            for _ in questions {
                line.clear();
                if stdout.read_line(&mut line)? == 0 {
                    return Err(io::Error::other("the oracle ended early"));
                }
                // Makes the answers of different runs comparable.
                answers.push(serde_json::from_str(&without_addresses(&without_numbers(&line)))?);
            }
            writer.join().map_err(|_| io::Error::other("the writer panicked"))??;
            Ok(answers)
        })
    }
}

/// Replaces the numbers in the names of object types, such as `selfType12`, by `N`: they differ from run to run.
pub fn without_numbers(text: &str) -> String {
    const NAME: &str = "selfType";
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(NAME) {
        let (before, after) = rest.split_at(at + NAME.len());
        out.push_str(before);
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() < after.len() {
            out.push('N');
        }
    }
    out.push_str(rest);
    out
}

/// Replaces the addresses of pointers in Go's syntax, such as `(*bool)(0xc00061e0f8)`, by `0xc000000000`, the address
/// that `crd-runtime` prints for each pointer.
pub fn without_addresses(text: &str) -> String {
    const BEFORE: &str = ")(0x";
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(BEFORE) {
        let (before, after) = rest.split_at(at + BEFORE.len());
        out.push_str(before);
        rest = after.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        out.push_str(if rest.starts_with(')') {
            "c000000000"
        } else {
            &after[..after.len() - rest.len()]
        });
    }
    out.push_str(rest);
    out
}

impl Drop for Oracle {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.child.wait();
    }
}
