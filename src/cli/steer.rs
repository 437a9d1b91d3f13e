//! Steer: how whoever sits before a run holds it: signals, and what is typed.

use std::io::Write;

use anyhow::{Context, Result};

use crate::run::{Pace, Reins};

/// Set by Ctrl-C or SIGTERM: the run stops at the next border. A second Ctrl-C ends the process at once, which loses nothing durable.
pub(super) fn stop_on_signal(reins: Reins) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot listen for signals")?;
    std::thread::spawn(move || {
        runtime.block_on(async {
            let Ok(mut terminate) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) else { return };
            loop {
                tokio::select! {
                    heard = tokio::signal::ctrl_c() => if heard.is_err() { return },
                    _ = terminate.recv() => {}
                }
                if reins.stop() {
                    std::process::exit(130);
                }
            }
        });
    });
    Ok(())
}

/// Takes up what is typed while a world runs on a terminal.
pub(super) fn steer(reins: Reins) {
    say("Enter pauses and goes on, s takes one step, a number such as 120 sets the pace, q stops.");
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            if !obey(&reins, line.trim()) {
                let (least, most) = (Pace::SLOWEST, Pace::FASTEST);
                say(&format!("Enter, s, q, or a pace at least {least} and at most {most}; found `{}`", line.trim()));
            }
        }
    });
}

/// A terminal that is gone is no reason to end.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Whether what was typed means anything.
fn obey(reins: &Reins, line: &str) -> bool {
    match (line, line.trim_start_matches('x').parse::<f64>()) {
        ("", _) => {
            reins.toggle();
            say(if reins.is_paused() { "paused" } else { "going on" });
        }
        ("s", _) => reins.step(),
        ("q", _) => drop(reins.stop()),
        (_, Ok(times)) => match Pace::times(times) {
            Some(pace) => reins.set_pace(pace),
            None => return false,
        },
        _ => return false,
    }
    true
}
