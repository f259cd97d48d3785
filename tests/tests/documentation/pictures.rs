//! `docs/images/session.svg`: a terminal session, drawn from what rustc and the command print for the README's kind.
//! `BLESS=pictures cargo test -p crd-tests --test documentation pictures` draws it anew.

use std::fmt::Write as _;
use std::fs;

use crd_cli::Registry;
use serde_json::json;

use crate::readme::Site;

const PICTURE: &str = "../docs/images/session.svg";

/// The width of a character and the height of a line, in pixels.
const CHARACTER: usize = 8;
const LINE: usize = 18;
const MARGIN: usize = 16;

/// Runs a command in an empty directory that has the manifest and an object, and returns what it prints.
fn printed(command: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("crds")).unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let run = |args: Vec<String>| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        Registry::new().crd::<Site>().run_to(args.into_iter().map(Into::into), &mut out, &mut err);
        crate::plain(&out) + &crate::plain(&err)
    };
    run(["crd", "crds", "--out", &path("crds")].map(str::to_owned).to_vec());
    let object = json!({
        "apiVersion": "example.com/v1", "kind": "Site", "metadata": {"name": "blog"},
        "spec": {"host": "example.com", "minReplicas": 3, "maxReplicas": 2, "source": {"git": {"url": "."}, "image": "a"}},
    });
    fs::write(directory.path().join("blog.yaml"), object.to_string()).unwrap();
    let args = command
        .split(' ')
        .map(|word| if word.contains(['/', '.']) { path(word) } else { word.to_owned() });
    run(args.collect()).replace(&path(""), "")
}

/// Returns a drawing of the lines.
fn drawing(session: &str) -> String {
    let lines: Vec<&str> = session.lines().map(str::trim_end).collect();
    let columns = lines.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let (width, height) = (columns * CHARACTER + 2 * MARGIN, lines.len() * LINE + 2 * MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"ui-monospace, monospace\" font-size=\"13\">\n\
         <title>cargo check, crd check and crd validate in a terminal</title>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#0d1117\"/>\n"
    );
    for (index, line) in lines.iter().enumerate() {
        let color = match line.trim_start() {
            text if text.starts_with("$ ") => "#7ee787",
            text if text.starts_with("error") || text.contains("^^") => "#ff7b72",
            text if text.starts_with("help:") => "#79c0ff",
            _ => "#e6edf3",
        };
        let text = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let length = line.chars().count() * CHARACTER;
        let y = MARGIN + (index + 1) * LINE - 5;
        if !text.is_empty() {
            writeln!(
                svg,
                "<text x=\"{MARGIN}\" y=\"{y}\" fill=\"{color}\" textLength=\"{length}\" \
                 lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\">{text}</text>"
            )
            .unwrap();
        }
    }
    svg + "</svg>\n"
}

#[test]
fn the_session_is_what_the_programs_print() {
    let rustc = fs::read_to_string("ui/fail/readme.stderr").unwrap();
    let rustc = rustc.replace("ui/fail/readme.rs", "src/lib.rs");
    let mut session = format!("$ cargo check\n{}\n", rustc.trim_end());
    for command in ["crd check crds/", "crd validate crds/ blog.yaml"] {
        write!(session, "\n$ {command}\n{}\n", printed(command).trim()).unwrap();
    }
    let picture = drawing(&session);
    if crd_tests::blesses("pictures") {
        fs::create_dir_all("../docs/images").unwrap();
        return fs::write(PICTURE, picture).unwrap();
    }
    let written = fs::read_to_string(PICTURE).unwrap_or_default();
    assert_eq!(written, picture, "BLESS=pictures draws {PICTURE} anew");
}
