//! Cure: what a refusal's code and place leave out: what was written there, and what to write instead.
//!
//! It is made from the call that was refused, for whoever reads of it. A seal holds the code and the place alone.

use crate::fact::{Call, Code, Content, Reason, Value, visible};
use crate::world::{cron_never, cron_wrong};

use super::op::SCHEDULE_SET;

/// The most characters of a text that a sentence repeats.
const SHOWN_MAX: usize = 40;

/// The sentence for a refused call, where there is more to say than its code says.
pub fn cure(call: &Call, reason: &Reason) -> Option<String> {
    let Content::Here(args) = &call.args else { return None };
    if call.action.as_ref() != SCHEDULE_SET {
        return None;
    }
    let said = |key: &str| args.get(key).and_then(Value::as_str);
    match (reason.code, reason.at.as_ref()) {
        (Code::BadCron, "/cron") => {
            let (written, what) = (said("cron")?, cron_wrong(said("cron")?)?);
            // Some sentences begin with what they are about.
            Some(if what.starts_with('`') { what } else { format!("{}: {what}", shown(written)) })
        }
        (Code::NeverDue, "/cron") => cron_never(said("cron")?),
        (Code::ArgsFormat, "/at") => Some(format!(
            "expected an instant that the world's zone has, such as `2026-03-02T06:00:00`, or one in milliseconds, found {}",
            shown(said("at")?)
        )),
        _ => None,
    }
}

fn shown(text: &str) -> String {
    let short: String = text.chars().take(SHOWN_MAX).collect();
    format!("`{}`", visible(&if short.len() < text.len() { short + "…" } else { short }))
}
