//! Spend: what calls of language models and of bridges cost, reserved before they are made and settled after.

use serde::Serialize;

use super::canon::canon_struct;
use super::id::Seq;
use super::value::Text;

/// So many calls, tokens, bytes, and millionths of the world's currency.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Spend {
    /// Requests that were sent.
    pub calls: u64,
    /// Tokens of prompts.
    pub input: u64,
    /// Tokens of replies.
    pub output: u64,
    /// Bytes that left by bridges and came back.
    #[serde(skip_serializing_if = "is_zero")]
    pub bytes: u64,
    /// In millionths of the currency.
    pub money: u64,
}

/// Whether nothing was spent, which is not told.
fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Spend {
    /// The sum; what is too large to count stays at the largest count.
    pub fn plus(self, other: Self) -> Self {
        self.each(other, u64::saturating_add)
    }

    /// The difference from another, saturating at 0.
    pub fn minus(self, other: Self) -> Self {
        self.each(other, u64::saturating_sub)
    }

    /// So many times as much.
    pub fn times(self, times: u64) -> Self {
        let of = Self { calls: times, input: times, output: times, bytes: times, money: times };
        self.each(of, u64::saturating_mul)
    }

    /// Whether it is nothing at all.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Tokens of both kinds.
    pub fn tokens(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    fn each(self, other: Self, f: fn(u64, u64) -> u64) -> Self {
        Self {
            calls: f(self.calls, other.calls),
            input: f(self.input, other.input),
            output: f(self.output, other.output),
            bytes: f(self.bytes, other.bytes),
            money: f(self.money, other.money),
        }
    }
}

/// The cost of one moment of a model, retries and failover counted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Spent {
    /// The connection that answered, or was asked last.
    pub connection: Text,
    /// The model, as it was served.
    pub model: Text,
    /// How much.
    #[serde(flatten)]
    pub spend: Spend,
    /// How much of that went to calls ahead in vain.
    #[serde(skip_serializing_if = "Spend::is_nothing")]
    pub vain: Spend,
    /// How long the answer took, in milliseconds of the wall clock.
    pub ms: u64,
}

/// The settled cost of a trial.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Settled {
    /// The seq of the frame that held something back for it.
    pub of: Seq,
    /// How much.
    #[serde(flatten)]
    pub spent: Spent,
}

impl Spent {
    /// The cost of calls whose end nobody heard: all that was held back counts as spent.
    pub fn unheard(spend: Spend) -> Self {
        Self { connection: Text::from(""), model: Text::from("unanswered"), spend, vain: Spend::default(), ms: 0 }
    }

    /// Whether anybody heard how the call ended.
    pub fn is_heard(&self) -> bool {
        !self.connection.is_empty()
    }
}

canon_struct!(Spend { calls, input, output, money, bytes });
canon_struct!(Settled { of, spent });
canon_struct!(Spent { connection, model, spend, vain, ms });
