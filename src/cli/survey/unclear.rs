//! Unclear: how many replies of a survey are no answers, and the questions to which there are too many of them.

use std::collections::BTreeMap;

use crate::fact::in_a_line;

use super::answer::UNCLEAR;

/// The outcome of one question.
pub(in crate::cli) struct GivenReply<'r> {
    /// Which question.
    pub(in crate::cli) item: &'r str,
    /// Why there is no answer; empty where there is one.
    pub(in crate::cli) refusal: &'r str,
    /// The reply, letter for letter.
    pub(in crate::cli) raw: &'r str,
}

/// The replies of a survey, counted.
#[derive(Default)]
pub(in crate::cli) struct ReplyCounts {
    /// How many were said and are no answer.
    pub(in crate::cli) unclear: usize,
    /// How many say nothing.
    pub(in crate::cli) unsaid: usize,
    items: BTreeMap<String, ItemReplies>,
}

/// The replies to one question.
#[derive(Default)]
struct ItemReplies {
    all: usize,
    unclear: usize,
    examples: Vec<String>,
}

/// How many examples stand in a warning, and how long each is at most, in letters.
const EXAMPLES: usize = 3;
const EXAMPLE_MAX: usize = 60;

impl ReplyCounts {
    /// Counts some.
    pub(in crate::cli) fn of<'r>(replies: impl Iterator<Item = GivenReply<'r>>) -> Self {
        let mut counts = Self::default();
        replies.for_each(|reply| counts.add(&reply));
        counts
    }

    fn add(&mut self, reply: &GivenReply<'_>) {
        let item = self.items.entry(reply.item.to_owned()).or_default();
        item.all += 1;
        if reply.refusal == UNCLEAR {
            self.unclear += 1;
            item.unclear += 1;
            if item.examples.len() < EXAMPLES {
                item.examples.push(in_a_line(reply.raw).chars().take(EXAMPLE_MAX).collect());
            }
        } else if !reply.refusal.is_empty() {
            self.unsaid += 1;
        }
    }

    /// A sentence for each question to which more than a tenth of the replies are unclear.
    pub(in crate::cli) fn warnings(&self) -> Vec<String> {
        let vague = self.items.iter().filter(|(_, item)| item.unclear * 10 > item.all);
        vague
            .map(|(name, ItemReplies { all, unclear, examples })| {
                format!(
                    "`{name}`: {unclear} of {all} answers are unclear, such as `{}`; say in its text how it is to be answered",
                    examples.join("`, `")
                )
            })
            .collect()
    }
}
