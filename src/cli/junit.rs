//! Junit: what was tried and what came out, as JUnit XML, which build servers read.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::store::keep;

use super::given::may_replace;

/// One thing that was tried.
pub(super) struct JunitCase {
    /// Where it stands.
    pub place: String,
    /// The name of the test case.
    pub name: String,
    /// How long it took, where that was measured.
    pub took: Option<Duration>,
    /// The differences found; none where it passed.
    pub failures: Vec<String>,
    /// Why nobody knows whether it did.
    pub skipped: Option<String>,
}

/// Writes them into a file, as one suite.
pub(super) fn write_junit(file: &Path, suite: &str, cases: &[JunitCase]) -> Result<()> {
    may_replace(file, &["<?xml"], "a report of tests")?;
    let text = junit(suite, cases);
    // A pipe or a device has no place beside it.
    let is_a_file = std::fs::metadata(file).map_or(true, |found| found.is_file());
    let written = if is_a_file { keep(file, text.as_bytes()) } else { std::fs::write(file, text) };
    written.with_context(|| format!("cannot write `{}`", file.display()))
}

fn junit(suite: &str, cases: &[JunitCase]) -> String {
    let failed = cases.iter().filter(|one| !one.failures.is_empty()).count();
    let skipped = cases.iter().filter(|one| one.skipped.is_some()).count();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let (suite, skipped) = (escaped(suite), if skipped > 0 { format!(" skipped=\"{skipped}\"") } else { String::new() });
    let _ = writeln!(text, "<testsuites><testsuite name=\"{suite}\" tests=\"{}\" failures=\"{failed}\"{skipped}>", cases.len());
    for one in cases {
        let time = one.took.map(|took| format!(" time=\"{:.3}\"", took.as_secs_f64())).unwrap_or_default();
        let _ = writeln!(text, "  <testcase classname=\"{}\" name=\"{}\"{time}>", escaped(&one.place), escaped(&one.name));
        for failure in &one.failures {
            let _ = writeln!(text, "    <failure message=\"{}\"/>", escaped(failure));
        }
        if let Some(skipped) = &one.skipped {
            let _ = writeln!(text, "    <skipped message=\"{}\"/>", escaped(skipped));
        }
        text += "  </testcase>\n";
    }
    text + "</testsuite></testsuites>\n"
}

/// Text as an attribute holds it; what XML cannot hold at all is left out.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\n' => out += "&#10;",
            letter if letter.is_control() => {}
            letter => out.push(letter),
        }
    }
    out
}
