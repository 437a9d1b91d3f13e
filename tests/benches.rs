//! Benches: does every case of `reelm bench` come to its figures, however small it is made?

use super::terminal::Terminal;

/// As small as each case can be made.
const SMALL: &str = "--beings 20 --moments 60 --threads 1 --longest 300 --runs 1 --dir .";

fn measures(case: &str) {
    let told = Terminal::new().types(&format!("bench {case} {SMALL} --json")).json_lines();
    let figures = told.iter().flat_map(|line| line.as_array().cloned().unwrap_or_default()).count();
    assert!(figures > 0, "{case}: {told:?}");
}

#[test]
fn what_is_quick_to_measure_is_measured() {
    ["flow", "setting", "fold", "open", "bytes"].into_iter().for_each(measures);
}

#[test]
#[ignore = "long: every case of the bench, the past and the models that are asked ahead among them"]
fn every_case_comes_to_its_figures() {
    reelm::bench::Case::ALL.into_iter().for_each(|case| measures(case.word()));
}
