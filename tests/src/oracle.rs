//! A client of the oracle in `tests/kube`: the API server's own code behind JSON lines.

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
    /// Starts a built oracle that answers so many questions side by side.
    ///
    /// # Errors
    /// Where the program cannot be started.
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

    /// Asks many questions at once; the answers come in the same order.
    ///
    /// # Errors
    /// Where the oracle ended, or answered with something else than JSON.
    pub fn ask(&mut self, questions: &[Value]) -> io::Result<Vec<Value>> {
        let lines: Vec<String> = questions.iter().map(ToString::to_string).collect();
        self.ask_lines(&lines)
    }

    /// As [`Oracle::ask`], of questions that are lines of JSON already.
    ///
    /// # Errors
    /// Where the oracle ended, or answered with something else than JSON.
    pub fn ask_lines(&mut self, questions: &[String]) -> io::Result<Vec<Value>> {
        let stdin = self.stdin.as_mut().ok_or_else(|| io::Error::other("already closed"))?;
        let stdout = &mut self.stdout;
        // The oracle answers while it reads: write from a thread of its own, or both pipes fill up.
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
                // The names of object types hold a number that differs from run to run.
                answers.push(serde_json::from_str(&without_numbers(&line))?);
            }
            writer.join().map_err(|_| io::Error::other("the writer panicked"))??;
            Ok(answers)
        })
    }
}

/// The names of object types hold a number that differs from run to run.
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

impl Drop for Oracle {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.child.wait();
    }
}
