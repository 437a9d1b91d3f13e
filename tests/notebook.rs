//! Notebook: does the notebook of the docs run from its first cell to its last, and does it come to a plot and to the numbers of its worlds?
//!
//! `tests/install.py notebook` puts the Python that it needs into target/notebook.

use std::path::Path;
use std::process::Command;

use super::parts::NOTEBOOK;
use super::terminal::REELM;

#[test]
#[ignore = "long: a notebook, with packages of its own"]
fn the_notebook_runs_a_sweep_and_plots_it() {
    let Some(python) = NOTEBOOK.place() else { return };
    let (root, out) = (Path::new(env!("CARGO_MANIFEST_DIR")), tempfile::tempdir().unwrap());
    let ran = Command::new(python)
        .arg(root.join("tests/notebook/run.py"))
        .arg(root.join("docs/notebook/sweep.ipynb"))
        .env("REELM", REELM)
        .env("OUT", out.path())
        .env("MPLBACKEND", "Agg")
        .output()
        .unwrap();
    let (said, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{said}\n{err}");
    assert!(said.contains("first apart: @p-") && said.contains("signal:lab.contagion"), "{said}");
    let plot = std::fs::read(out.path().join("contagion.png")).unwrap();
    assert!(plot.starts_with(b"\x89PNG") && plot.len() > 10_000);
    // Of nine runs each has a row for each of eleven samples.
    let series = std::fs::read_to_string(out.path().join("runs/series.csv")).unwrap();
    assert_eq!(series.lines().count(), 1 + 9 * 11, "{series}");
}
