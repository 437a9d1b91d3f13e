//! Row: one way of writing, with an example and its reading.

/// One way of writing.
pub struct Spelling {
    /// How it is read.
    pub reads: SpelledAs,
    /// Its name.
    pub name: &'static str,
    /// The pattern of a call, or the marks of anything else; of reasoning first the one that begins it.
    pub marks: &'static [&'static str],
    /// A reply in it.
    pub example: &'static str,
    /// Its reading: a deed, or words.
    pub reading: &'static str,
}

/// How a spelling is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SpelledAs {
    /// A call behind a mark, which counts also at the end of a line.
    Tagged,
    /// A call without a mark of its own, which counts only where it begins a line.
    Untagged,
    /// A call that counts only inside a fence, or inside a tag whose name tells of a call.
    Inside,
    /// The name of a call with what models put around it: an example alone, since such names are known by their shape.
    Name,
    /// Reasoning between its first mark and one of the others, of which one that begins with `^` is not part of it.
    Reasoning,
    /// A mark behind which the answer begins, with one that may end it.
    Answer,
    /// Reasoning as a part of this type of an answer's content, which the dialect leaves out.
    Part,
    /// A header of the being's own turn, which nobody says.
    Header,
    /// The end of the turn: what stands behind it is not the being's.
    End,
    /// The same, where it ends a line: elsewhere it may be meant.
    LineEnd,
    /// The beginning of another's turn, which ends this one.
    Turn,
    /// A whole reply that says nothing.
    Silence,
}
