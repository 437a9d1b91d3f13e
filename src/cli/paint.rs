//! Paint: the lines of moments in colour, on a terminal that shows it.
//!
//! Only our own lines are painted, after whatever could take hold of a terminal in them is made visible.

use std::borrow::Cow;
use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};

/// The number of a moment, and a look, which changes nothing.
const FAINT: Style = Style::new().dimmed();
/// Who.
const NAME: Style = Style::new().bold();
/// The style of refusals and failures.
const TROUBLE: Style = AnsiColor::Red.on_default();

/// Whether the answers of a command are read on a terminal that shows colour: one that is not dumb, and nobody wants none (`NO_COLOR`).
pub fn shows_colour() -> bool {
    let is_wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    is_wanted && std::env::var_os("TERM").is_some_and(|kind| kind != "dumb") && std::io::stdout().is_terminal()
}

/// How many signs a line has room for on the terminal that shows the answers; none where no terminal does.
pub fn columns() -> Option<usize> {
    let (wide, _) = terminal_size::terminal_size_of(std::io::stdout())?;
    Some(usize::from(wide.0))
}

/// A text whose moments are painted.
pub fn painted(text: &str) -> String {
    text.split_inclusive('\n').map(|line| moment(line).map_or(Cow::Borrowed(line), Cow::Owned)).collect()
}

/// A line that tells a moment: `#12 03-02 09:00:00 @ada in /hall as clerk > do …`.
fn moment(line: &str) -> Option<String> {
    let (head, rest) = line.split_once(" @")?;
    let number = head.strip_prefix('#')?.split(' ').next()?;
    if number.is_empty() || !number.chars().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let (name, rest) = rest.split_once(' ')?;
    let who = format!("{FAINT}{head}{FAINT:#} {NAME}@{name}{NAME:#} ");
    let marks = [(" ! ", TROUBLE), (" . ", FAINT)].into_iter();
    let marked = marks.filter_map(|(mark, style)| Some((rest.find(mark)?, style))).min_by_key(|(at, _)| *at);
    // An act may have such signs in what it says.
    match marked.filter(|(at, _)| rest.find(" > ").is_none_or(|act| act > *at)) {
        None => Some(who + rest),
        Some((at, style)) => {
            let (before, told) = rest.split_at_checked(at)?;
            let end = told.trim_end_matches('\n');
            Some(format!("{who}{before}{style}{end}{style:#}{}", told.get(end.len()..).unwrap_or_default()))
        }
    }
}
