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
    /// The beat: `assign`, `think` or `momentum`.
    pub beat: &'static str,
    /// The field of the frame.
    pub field: &'static str,
    /// What was recorded.
    pub recorded: String,
    /// What came out.
    pub computed: String,
}

/// The first field that differs, in the order of the beats.
pub(super) fn compare(recorded: &Draft, computed: &Draft) -> Option<Difference> {
    if recorded == computed {
        return None;
    }
    macro_rules! fields {
        ($($beat:literal $field:ident),* $(,)?) => {
            $(if recorded.$field != computed.$field {
                return Some(difference(recorded, $beat, stringify!($field), &recorded.$field, &computed.$field));
            })*
        };
    }
    fields!(
        "intake" world, "intake" wake, "intake" attempt, "intake" driver, "intake" cognition, "intake" opened, "intake" opened_at, "intake" offset,
        "assign" stack, "assign" worn,
        "think" thought, "think" call,
        "momentum" closing, "momentum" facts,
        "stamp" n, "stamp" prev, "stamp" prev_seq, "stamp" seq, "stamp" at, "stamp" intent,
    );
    None
}

fn difference<T: serde::Serialize>(draft: &Draft, beat: &'static str, field: &'static str, recorded: &T, computed: &T) -> Difference {
    let show = |value: &T| serde_json::to_string(value).unwrap_or_default();
    Difference { seq: draft.seq, being: draft.being, n: draft.n, beat, field, recorded: show(recorded), computed: show(computed) }
}
