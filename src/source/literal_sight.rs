//! LiteralSight: what a measure looks at by `see` with an address in quotes, and which quality it reads there.
//!
//! An address in a variable and a key in brackets stay unread.

use std::collections::BTreeSet;

/// One look at something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LiteralSight {
    pub(super) address: String,
    /// The quality behind it, such as `t.n`; none where it reads something else.
    pub(super) quality: Option<String>,
}

impl LiteralSight {
    /// All looks in an expression, each once.
    pub(super) fn all(expression: &str) -> BTreeSet<Self> {
        expression.split("see(").skip(1).filter_map(Self::read).collect()
    }

    /// Reads what stands behind `see(`.
    fn read(behind: &str) -> Option<Self> {
        let quoted = behind.trim_start();
        let quote = quoted.chars().next().filter(|quote| matches!(quote, '"' | '`'))?;
        let (address, rest) = quoted.get(1..)?.split_once(quote)?;
        // An address that is put together is none in quotes.
        let rest = rest.trim_start().strip_prefix(')').filter(|_| !address.contains("${"))?;
        let keys = keys(rest);
        let quality = keys.split_first().filter(|(first, path)| **first == "qualities" && !path.is_empty());
        Some(Self { address: address.to_owned(), quality: quality.map(|(_, path)| path.join(".")) })
    }
}

/// The keys that stand one behind the other, as in `.qualities?.t.n`, without a method at the end.
fn keys(mut rest: &str) -> Vec<&str> {
    let mut keys = Vec::new();
    while let Some(behind) = rest.strip_prefix("?.").or_else(|| rest.strip_prefix('.')) {
        let end = behind.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(behind.len());
        let (key, further) = behind.split_at(end);
        if key.is_empty() || further.starts_with('(') {
            break;
        }
        keys.push(key);
        rest = further;
    }
    keys
}
