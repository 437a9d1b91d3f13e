//! Split: what each part of a prompt takes, read from the messages as they were sent.

use serde::Serialize;

use crate::verb::{TOKEN, tokens_of};

use super::abilities::MAY;
use super::prompt::IT_IS;

/// A part of what a model was told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PromptPart {
    /// Its title: `who` it is, the `words` of what it wears, `abilities`, each block's own, `now`, `wake` and `tools`.
    pub part: String,
    /// About how many tokens it takes.
    pub tokens: usize,
}

impl PromptPart {
    fn of(part: &str, text: &str) -> Self {
        Self { part: part.to_owned(), tokens: tokens_of(text) as usize }
    }
}

/// The tokens of each part of a request, from its messages (role and text) and the size of its body in bytes. No item of a block begins a
/// line with `[`, so a title is always ours.
pub fn split(messages: &[(String, String)], body: usize) -> Vec<PromptPart> {
    let mut parts = Vec::new();
    for (role, content) in messages {
        if role == "system" { system(content, &mut parts) } else { parts.push(PromptPart::of("wake", content)) }
    }
    let told: usize = messages.iter().map(|(_, content)| content.len()).sum();
    parts.push(PromptPart { part: "tools".to_owned(), tokens: body.saturating_sub(told).div_ceil(TOKEN) });
    parts.retain(|part| part.tokens > 0);
    parts
}

fn system(content: &str, parts: &mut Vec<PromptPart>) {
    let (told, now) = content.split_at(content.rfind(IT_IS).unwrap_or(content.len()));
    // The being's line comes first; the text behind it, up to the next part, tells the role that it wears.
    let (who, mut rest) = told.split_at(told.find('\n').map_or(told.len(), |end| end + 1));
    parts.push(PromptPart::of("who", who));
    let mut title = "words".to_owned();
    let mut next = |text: &str, then: &str| parts.push(PromptPart::of(&std::mem::replace(&mut title, then.to_owned()), text));
    while let Some((at, then)) = begins(rest) {
        let (text, behind) = rest.split_at(at);
        next(text, then);
        // The mark that begins a part begins no second one.
        let line = behind.len().min(2);
        rest = behind.get(line..).unwrap_or_default();
    }
    next(rest, "now");
    next(now, "");
}

/// Where the next part begins, and its title.
fn begins(text: &str) -> Option<(usize, &str)> {
    let abilities = text.find(MAY).map(|at| (at, "abilities"));
    let block = text.match_indices("\n[").find_map(|(at, _)| {
        let line = text.get(at + 2..)?.split('\n').next()?;
        Some((at, line.strip_suffix(']')?))
    });
    abilities.into_iter().chain(block).min()
}
