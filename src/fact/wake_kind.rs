//! Wake kind: why a moment opens.

use super::words::words;

words! {
    /// Why a moment opens.
    WakeKind, "kind of wake" {
        /// A summons.
        0 => Summons = "summons",
        /// A signal changed that the flow reads.
        1 => Signal = "signal",
        /// A schedule is due.
        2 => Schedule = "schedule",
        /// The being came into a space.
        3 => Enter = "enter",
        /// Somebody came to where the being is.
        4 => Arrival = "arrival",
        /// Something was said where the being is.
        5 => Hear = "hear",
        /// A condition over time can change now.
        6 => Crossing = "crossing",
        /// The role continues by itself after an act.
        7 => SelfContinue = "self-continue",
        /// A person acts.
        8 => Gesture = "gesture",
        /// The being has ended and writes its last frame.
        9 => End = "end",
        /// Something was done to a thing that the being watches.
        10 => Watch = "watch",
        /// Those whom it asked have answered, or it has waited for them as long as it waits.
        11 => ReplyDue = "reply-due",
        /// A frame has changed what the being wears with no wake.
        12 => Change = "change",
        /// The world was opened again.
        13 => Boot = "boot",
    }
}
