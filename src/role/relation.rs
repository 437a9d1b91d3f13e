//! Relation: the closed list of relations to a being that an entry may name, each with its word and what it says to people.
//!
//! The gate finds the things in a relation at a moment: `related` in `world/standpoint.rs` answers for each.

macro_rules! relations {
    ($($(#[$doc:meta])* $case:ident = $word:literal, $says:literal);* $(;)?) => {
        /// A relation to the being.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Rel { $($(#[$doc])* $case),* }

        impl Rel {
            /// Every relation, in order.
            pub const ALL: &[Self] = &[$(Self::$case),*];
            /// The words for them.
            pub const WORDS: &[&str] = &[$($word),*];

            /// The word for it.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$case => $word),* }
            }

            /// The beings and things in it, as a form says them.
            pub const fn says(self) -> &'static str {
                match self { $(Self::$case => $says),* }
            }

            /// The relation of that word.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$case),)* _ => None }
            }
        }
    };
}

relations! {
    /// The space that it is in, and what is there.
    Here = "here", "whatever is here";
    /// Itself.
    SelfRel = "self", "itself";
    /// Its home.
    Home = "home", "its home";
    /// Its parent.
    Parent = "parent", "its parent";
    /// All its children.
    Children = "children", "its children";
    /// Any one of its children.
    AnyChild = "any-child", "any child of its";
    /// The being that caused this moment.
    Caller = "caller", "whoever woke it";
    /// The sibling born before it.
    Predecessor = "predecessor", "the sibling born before it";
}
