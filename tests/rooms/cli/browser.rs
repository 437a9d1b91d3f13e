//! Tests of `src/cli/browser.rs`.

use reelm::cli::browser::*;

const ALONE: Surroundings = Surroundings { is_terminal: true, is_ci: false, is_root: false, is_ssh: false, has_display: true };

#[test]
fn a_browser_opens_by_itself_on_a_terminal_with_a_display_and_not_under_ci_as_root_or_over_ssh() {
    let table = [
        (ALONE, true),
        (Surroundings { is_terminal: false, ..ALONE }, false),
        (Surroundings { is_ci: true, ..ALONE }, false),
        (Surroundings { is_root: true, ..ALONE }, false),
        (Surroundings { is_ssh: true, ..ALONE }, false),
        (Surroundings { has_display: false, ..ALONE }, false),
    ];
    for (surroundings, opens) in table {
        assert_eq!(surroundings.opens(), opens, "{surroundings:?}");
    }
}
