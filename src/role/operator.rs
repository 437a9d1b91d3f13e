//! Operator: how a condition compares what it sees; everything that is known of an operator stands in this file.
//!
//! The table gives each its word, what a form says for it and what it takes; [`Operator::holds`] is its answer in a moment, and
//! [`Operator::asks`] is what others may conclude from it without a moment. An operator that a case here omits does not compile.

use std::cmp::Ordering;
use std::fmt;

use crate::fact::Value;

use super::glob::Glob;
use super::operand::Operand;
use super::seen::{Context, Seen};

macro_rules! operators {
    ($($(#[$doc:meta])* $case:ident = $word:literal, $says:literal, $takes:ident);* $(;)?) => {
        /// How what is seen is compared with the operand.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Operator { $($(#[$doc])* $case),* }

        impl Operator {
            /// Every operator, in order.
            pub const ALL: &[Self] = &[$(Self::$case),*];
            /// The words for them.
            pub const WORDS: &[&str] = &[$($word),*];

            /// The word for it.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$case => $word),* }
            }

            /// The words between a path and an operand, as a form says them.
            pub const fn says(self) -> &'static str {
                match self { $(Self::$case => $says),* }
            }

            /// The kind of operand that it takes.
            pub const fn takes(self) -> Takes {
                match self { $(Self::$case => Takes::$takes),* }
            }

            /// The operator of that word.
            pub fn parse(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$case),)* _ => None }
            }
        }
    };
}

operators! {
    /// Is the same value.
    Eq = "eq", "is", Value;
    /// Is not the same value.
    Ne = "ne", "is not", Value;
    /// Is one of a list.
    In = "in", "is one of", List;
    /// Is none of a list.
    NotIn = "notIn", "is none of", List;
    /// Comes after.
    Gt = "gt", "is more than", Order;
    /// Comes after or is the same.
    Gte = "gte", "is at least", Order;
    /// Comes before.
    Lt = "lt", "is less than", Order;
    /// Comes before or is the same.
    Lte = "lte", "is at most", Order;
    /// Is there, or is not there.
    Present = "present", "is known", Truth;
    /// Is a list with that element, or text with that text in it.
    Contains = "contains", "contains", Value;
    /// Is text that begins so.
    StartsWith = "startsWith", "begins with", Text;
    /// Is text that a glob matches.
    Matches = "matches", "matches", Glob;
}

/// The kind of operand that an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    /// Any value.
    Value,
    /// A list.
    List,
    /// A number or a text, which have an order.
    Order,
    /// True or false.
    Truth,
    /// A text.
    Text,
    /// A text that is a glob.
    Glob,
}

impl Takes {
    /// The word for what a form asks for.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::List => "list",
            Self::Order => "order",
            Self::Truth => "truth",
            Self::Text | Self::Glob => "text",
        }
    }
}

/// The question of an operator, by which conditions are judged without a moment: when an answer can change, and what can never hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// To be the operand, or one of its list.
    Same,
    /// To be neither.
    Other,
    /// To come after the operand, or to be the same where that is enough.
    Above { or_same: bool },
    /// To come before it.
    Below { or_same: bool },
    /// To be there, whatever it is.
    Presence,
    /// Something that only text or a list can be asked for; no number answers it.
    Form,
}

impl Operator {
    /// Whether it holds for what was seen.
    pub fn holds<C: Context + ?Sized>(self, saw: Seen<'_>, operand: &Operand, context: &C) -> bool {
        let wanted = || operand.seen(context);
        let order = || saw.order(wanted());
        match self {
            Self::Eq => saw.equals(wanted()),
            Self::Ne => !saw.equals(wanted()),
            Self::In => operand.has(saw, context),
            Self::NotIn => !operand.has(saw, context),
            Self::Gt => order().is_some_and(Ordering::is_gt),
            Self::Gte => order().is_some_and(Ordering::is_ge),
            Self::Lt => order().is_some_and(Ordering::is_lt),
            Self::Lte => order().is_some_and(Ordering::is_le),
            Self::Present => matches!(wanted(), Seen::Bool(wanted) if wanted != saw.is_null()),
            Self::Contains => contains(saw, wanted()),
            Self::StartsWith => matches!((saw, wanted()), (Seen::Text(text), Seen::Text(head)) if text.starts_with(head)),
            Self::Matches => match (saw, operand) {
                (Seen::Text(text), Operand::Glob(glob)) => glob.matches(text),
                (Seen::Text(text), _) => matches!(wanted(), Seen::Text(pattern) if Glob::found_matches(pattern, text)),
                _ => false,
            },
        }
    }

    /// The question that it asks.
    pub const fn asks(self) -> Asks {
        match self {
            Self::Eq | Self::In => Asks::Same,
            Self::Ne | Self::NotIn => Asks::Other,
            Self::Gt => Asks::Above { or_same: false },
            Self::Gte => Asks::Above { or_same: true },
            Self::Lt => Asks::Below { or_same: false },
            Self::Lte => Asks::Below { or_same: true },
            Self::Present => Asks::Presence,
            Self::Contains | Self::StartsWith | Self::Matches => Asks::Form,
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A list has the element, or text has the text in it.
fn contains(saw: Seen<'_>, wanted: Seen<'_>) -> bool {
    match (saw, wanted) {
        (Seen::Value(Value::List(list)), wanted) => list.iter().any(|element| wanted.equals(element.into())),
        (Seen::Text(text), Seen::Text(part)) => text.contains(part),
        _ => false,
    }
}
