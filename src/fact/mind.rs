//! Mind: the small closed lists that facts, roles and frames share: cognition, orientation, rank, trigger, respond mode, the verbs.

use super::words::words;

words! {
    /// The kind of mind that turns a being's face into a thought.
    Cognition, "cognition" {
        /// A language model.
        0 => Llm = "llm",
        /// A person.
        1 => Human = "human",
        /// A Rhai script.
        2 => Script = "script",
        /// Something outside: it is asked by a summons, and answers with what came.
        3 => Bridge = "bridge",
        /// Other beings, whom it asks for their votes.
        4 => Panel = "panel",
    }
}

words! {
    /// The material that a moment folds in.
    Orientation, "orientation" {
        /// The world.
        0 => Forward = "forward",
        /// The world and causal recall of the being's own acts.
        1 => Half = "half",
        /// The being's own acts only.
        2 => Inward = "inward",
    }
}

words! {
    /// How urgent a wake is; an earlier rank is always taken first.
    Rank, "rank" {
        /// A person waits.
        0 => Person = "person",
        /// Before everything but people.
        1 => Urgent = "urgent",
        /// The default of a summons.
        2 => Normal = "normal",
        /// When nothing else is to do.
        3 => Background = "background",
    }
}

words! {
    /// A kind of event that may wake a being that wears, or may come to wear, a role.
    Trigger, "trigger" {
        /// A summons.
        0 => Message = "message",
        /// Something said in the space.
        1 => Hear = "hear",
        /// Coming into a space.
        2 => Enter = "enter",
        /// Somebody else coming into the space.
        3 => Arrival = "arrival",
        /// A change by which it wears something else. Scripts are woken so unasked.
        4 => Change = "change",
        /// A signal that its flow reads.
        5 => Signal = "signal",
        /// A schedule of its own.
        6 => Schedule = "schedule",
        /// The condition that the role watches for.
        7 => Watch = "watch",
        /// Its world being opened again.
        8 => Boot = "boot",
    }
}

words! {
    /// Whether the one who summons awaits an answer.
    RespondMode, "respond mode" {
        /// The answer comes in its own time.
        0 => Async = "async",
        /// No answer is given.
        1 => None = "none",
    }
}

words! {
    /// Whether whoever summons wants an answer.
    Answering, "kind of answer" {
        /// It is waited for.
        0 => Wanted = "wanted",
        /// None is: it was said to be known.
        1 => None = "none",
    }
}

words! {
    /// The four doors.
    Verb, "verb" {
        /// Read.
        0 => See = "see",
        /// Change a thing by an operation.
        1 => Do = "do",
        /// Speak to a being.
        2 => Summon = "summon",
        /// Bind an identity: birth, end, inhabit, release.
        3 => Be = "be",
    }
}

impl Trigger {
    /// The triggers of a role that names none.
    pub const USUAL: [Self; 4] = [Self::Message, Self::Signal, Self::Schedule, Self::Watch];

    /// Whether it is something that happens where one is, to all who are there.
    pub const fn is_of_a_place(self) -> bool {
        matches!(self, Self::Hear | Self::Arrival)
    }
}

impl Cognition {
    /// Whether who is born with it lets the seals of a world that seals in batches answer for its frames: a person signs for themselves.
    pub fn delegates(self) -> bool {
        self != Self::Human
    }

    /// Whether whatever it reads may persuade it: a model, and a panel, which may have models among its members.
    pub fn is_persuadable(self) -> bool {
        match self {
            Self::Llm | Self::Panel => true,
            Self::Script | Self::Human | Self::Bridge => false,
        }
    }

    /// Whether somebody outside is asked in its moments, over a connection: a language model, or what a bridge reaches.
    pub fn is_asked_outside(self) -> bool {
        match self {
            Self::Llm | Self::Bridge => true,
            Self::Script | Self::Human | Self::Panel => false,
        }
    }

    /// Whether what it did and heard is kept for it: a model and a person remember; what else thinks keeps in its qualities what it needs.
    pub fn remembers(self) -> bool {
        match self {
            Self::Llm | Self::Human => true,
            Self::Script | Self::Panel | Self::Bridge => false,
        }
    }
}
