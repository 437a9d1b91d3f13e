//! Rate: how often somebody may ask: whoever is logged in for themselves, all others of one address together. The world's own socket is its
//! owner's, and is not counted.

use std::num::NonZeroU32;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::fact::BeingId;

use super::origin::Origin;

/// How often in a second, for as long as it likes.
const PER_SECOND: NonZeroU32 = NonZeroU32::MIN.saturating_add(199);
/// How often at once, by whoever has been silent for a while.
pub const BURST: NonZeroU32 = NonZeroU32::MIN.saturating_add(999);
/// How many are remembered before those are forgotten that have been silent.
const REMEMBERED: usize = 10_000;

/// The key by which requests are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Counted {
    /// Everybody of an address who is not logged in.
    Address(Origin),
    /// A person, in however many browsers.
    Person(BeingId),
}

/// Counts what each asks.
pub struct Rate(DefaultKeyedRateLimiter<Counted>);

impl Default for Rate {
    fn default() -> Self {
        Self(RateLimiter::keyed(Quota::per_second(PER_SECOND).allow_burst(BURST)))
    }
}

impl Rate {
    /// Counts a request; whether it may be made.
    pub fn may(&self, who: &Counted) -> bool {
        if self.0.len() > REMEMBERED {
            self.0.retain_recent();
        }
        self.0.check_key(who).is_ok()
    }
}
