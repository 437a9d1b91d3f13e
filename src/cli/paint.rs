//! Paint: the lines of moments in colour, on a terminal that shows it.
//!
//! Only our own lines are painted, after whatever could take hold of a terminal in them is made visible.

use std::borrow::Cow;
use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};

use crate::fact::Code;

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
    let told = |line| moment(line).or_else(|| sentence(line));
    text.split_inclusive('\n').map(|line| told(line).map_or(Cow::Borrowed(line), Cow::Owned)).collect()
}

/// A line that tells a moment as a sentence: `09:04 Rosa served Theo coffee (barista)`.
fn sentence(line: &str) -> Option<String> {
    let (clock, rest) = line.split_once(' ')?;
    let is_clock = clock
        .get(..5)
        .is_some_and(|clock| clock.bytes().enumerate().all(|(at, byte)| if at == 2 { byte == b':' } else { byte.is_ascii_digit() }));
    if !is_clock {
        return None;
    }
    let told = rest.trim_end_matches('\n');
    let style = if is_in_vain(told) { TROUBLE } else { Style::new() };
    Some(format!("{FAINT}{clock}{FAINT:#} {style}{told}{style:#}{}", rest.get(told.len()..).unwrap_or_default()))
}

/// Whether a sentence says behind it by which code nothing came of it; nobody's own words stand there.
fn is_in_vain(told: &str) -> bool {
    let beside = told.strip_suffix(')').and_then(|told| told.rsplit_once(" ("));
    let is_code = |one: &str| one.split(' ').next().is_some_and(|word| word.parse::<Code>().is_ok());
    beside.is_some_and(|(_, beside)| beside.split("; ").any(is_code))
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
