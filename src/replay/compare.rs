//! Compare: the recorded draft against the one that came out again, field by field, in the order of the beats.

use crate::fact::{BeingId, Draft, Seq};

/// The first moment that comes out differently.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Difference {
    /// The frame.
    pub seq: Seq,
    /// Whose moment.
    pub being: BeingId,
    /// Its n.
    pub n: u64,
    /// The beat: `intake`, `assign`, `think`, `momentum` or `stamp`.
    pub beat: &'static str,
    /// The field of the frame.
    pub field: &'static str,
    /// What was recorded.
    pub recorded: String,
    /// What came out.
    pub computed: String,
}

/// The first field that differs, in the order of the beats. Every field of a draft stands in the list: a new one has to.
pub(super) fn compare(recorded: &Draft, computed: &Draft) -> Option<Difference> {
    macro_rules! fields {
        ($($beat:literal: $($field:ident),*;)*) => {{
            let Draft { $($($field,)*)* } = recorded;
            $($(if *$field != computed.$field {
                return Some(*differs(recorded, $beat, stringify!($field), $field, show(&computed.$field)));
            })*)*
        }};
    }
    fields!(
        "intake": being, world, wake, attempt, driver, cognition, opened, opened_at, offset;
        "assign": stack, worn;
        "think": thought, call;
        "momentum": closing, facts;
        "stamp": n, prev, prev_seq, seq, at, intent;
    );
    None
}

/// The difference in one field: its recorded value and the computed one.
pub(super) fn differs<T: serde::Serialize>(
    draft: &Draft,
    beat: &'static str,
    field: &'static str,
    recorded: &T,
    computed: impl Into<String>,
) -> Box<Difference> {
    let (seq, being, n) = (draft.seq, draft.being, draft.n);
    Box::new(Difference { seq, being, n, beat, field, recorded: show(recorded), computed: computed.into() })
}

fn show<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
