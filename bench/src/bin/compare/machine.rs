//! Describes the machine of a run, without its host name.

use std::fs;
use std::process::Command;
use std::thread;

/// Returns the processor, the number of cores, the operating system and the version of rustc;
/// `with_server` adds that of Go.
pub(crate) fn description(with_server: bool) -> String {
    let cpu = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let mut parts = vec![
        cpu.unwrap_or_else(|| "an unknown processor".to_owned()),
        format!("{cores} cores"),
        format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
    ];
    parts.extend(output_of(&["rustc", "--version"]));
    if with_server {
        parts.extend(output_of(&["go", "env", "GOVERSION"]));
    }
    parts.join(", ")
}

/// Returns the output of a command up to a parenthesis, such as `rustc 1.95.0`.
fn output_of(command: &[&str]) -> Option<String> {
    let (program, args) = command.split_first()?;
    let output = Command::new(program).args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.split(" (").next().unwrap_or(text).to_owned())
}
