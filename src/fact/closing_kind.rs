//! Closing kind: how a moment closed, without why.

use super::words::words;

words! {
    /// How a moment closed, without why.
    ClosingKind, "closing" {
        /// The call passed the gate and is the act.
        0 => Act = "act",
        /// Nothing was done; the being looked.
        1 => See = "see",
        /// The call was judged and refused.
        2 => Refused = "refused",
        /// The mind did not give a call; the wake stays open for another attempt.
        3 => Failed = "failed",
        /// No further attempt is made, or a brake holds.
        4 => DeadLetter = "dead-letter",
        /// The thought is of no use any more; the wake stays open.
        5 => Requeued = "requeued",
        /// The being has ended.
        6 => Ended = "ended",
    }
}
