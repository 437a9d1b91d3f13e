//! Ledger: the spend on models in this hour and this day, for each account of a budget, and the reservations for calls under way.
//!
//! It is a fold: a frame that reserves adds to every account of its being, the frame that closes the same wake puts what was spent in
//! place of that. Where no such frame came, a crash lay between, and what was reserved stays spent.

use std::ops::Bound;
use std::sync::Arc;

use imbl::OrdMap;

use crate::fact::canon::{canon_code, canon_enum, canon_struct};
use crate::fact::{BeingId, Made, Millis, Rank, Seq, SpaceId, Spend, Text, WakeId, WakeKind};

/// The account that a budget limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Account {
    /// Everything in the world.
    World,
    /// Everybody who stands in a space, or in one inside it.
    Space(SpaceId),
    /// One being.
    Being(BeingId),
    /// Everything that goes back to one fact.
    Root(Made),
}

/// How long a budget lasts, in world time, counted from where the clock of the world's zone turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Period {
    /// An hour.
    Hour,
    /// A day.
    Day,
}

impl Period {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Hour, Self::Day];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
        }
    }

    const fn millis(self) -> Millis {
        match self {
            Self::Hour => 3_600_000,
            Self::Day => 24 * 3_600_000,
        }
    }

    /// The number of the period that an instant lies in, by an offset from UTC in minutes.
    pub fn number(self, at: Millis, offset: i64) -> i64 {
        number_of(self.millis(), at, offset)
    }

    /// When the next one begins.
    pub fn turns(self, at: Millis, offset: i64) -> Millis {
        turn_of(self.millis(), at, offset)
    }
}

/// The number of the window of so many milliseconds that an instant lies in, by an offset from UTC in minutes.
pub(super) fn number_of(window: Millis, at: Millis, offset: i64) -> i64 {
    at.saturating_add(offset.saturating_mul(60_000)).div_euclid(window)
}

/// When the next one begins.
pub(super) fn turn_of(window: Millis, at: Millis, offset: i64) -> Millis {
    let next = number_of(window, at, offset).saturating_add(1).saturating_mul(window);
    next.saturating_sub(offset.saturating_mul(60_000))
}

/// The spend and the reservations of one account in one period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spending {
    pub number: i64,
    pub spend: Spend,
    /// How much of it went to calls ahead in vain: that hangs on how long models took, so it is no part of the world's hash.
    pub vain: Spend,
}

impl Spending {
    /// The start of a period.
    fn begun(number: i64) -> Self {
        Self { number, spend: Spend::default(), vain: Spend::default() }
    }

    /// The same without what was in vain.
    pub(super) fn of_use(self) -> Self {
        Self { spend: self.spend.minus(self.vain), vain: Spend::default(), ..self }
    }
}

/// A reservation for a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reservation {
    pub spend: Spend,
    pub at: Millis,
    pub offset: i64,
    pub accounts: Vec<Account>,
    /// The roles worn in the moment of which the model is asked; nothing for a trial.
    pub stack: Arc<[Text]>,
    /// How many of them are of its own flow; those that spaces lend stand behind.
    pub own: u64,
}

canon_enum!(Account { 0 => World, 1 => Space(space), 2 => Being(being), 3 => Root(root) });
canon_code!(Period { 0 => Hour, 1 => Day });
canon_struct!(Spending { number, spend, vain });
canon_struct!(Reservation { spend, at, offset, accounts, stack, own });

/// All accounts of a world.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    pub(super) counts: OrdMap<(Account, Period), Spending>,
    pub(super) held: OrdMap<(BeingId, WakeId), Reservation>,
}

impl Ledger {
    /// The spend and the reservations of an account in the period that an instant lies in.
    pub fn spent(&self, account: Account, period: Period, at: Millis, offset: i64) -> Spend {
        let number = period.number(at, offset);
        self.counts.get(&(account, period)).filter(|count| count.number == number).map(|count| count.spend).unwrap_or_default()
    }

    /// The reservation for a call that was begun for this wake and whose end is unknown.
    pub fn held(&self, being: BeingId, wake: &WakeId) -> Option<Spend> {
        self.held.get(&(being, wake.clone())).map(|held| held.spend)
    }

    /// The roles that a being wears in its open moment, while its model is asked.
    pub(super) fn asked_as(&self, being: BeingId) -> Option<&Arc<[Text]>> {
        self.asked(being).map(|held| &held.stack)
    }

    /// The same, but for what spaces lend it.
    pub(super) fn asked_in_own(&self, being: BeingId) -> Option<&[Text]> {
        self.asked(being).map(|held| held.stack.get(..held.own as usize).unwrap_or_default())
    }

    /// Whether its model is asked now.
    pub fn is_asked(&self, being: BeingId) -> bool {
        self.asked(being).is_some()
    }

    fn asked(&self, being: BeingId) -> Option<&Reservation> {
        if self.held.is_empty() {
            return None;
        }
        let lowest = WakeId { rank: Rank::Person, due: Millis::MIN, cause: Made { seq: 0, index: 0 }, kind: WakeKind::Summons };
        let own = self.held.range((Bound::Included((being, lowest)), Bound::Unbounded)).take_while(|((other, _), _)| *other == being);
        own.map(|(_, held)| held).find(|held| !held.stack.is_empty())
    }

    /// Whether anything is held back for anybody.
    pub(super) fn holds_any(&self) -> bool {
        !self.held.is_empty()
    }

    /// The sum of the reservations for all of a being's wakes.
    pub fn held_by(&self, being: BeingId) -> Option<Spend> {
        let own = self.held.iter().filter(|((other, _), _)| *other == being).map(|(_, held)| held.spend);
        own.reduce(Spend::plus)
    }

    /// Everything that is held back, and for how many calls.
    pub fn held_in_all(&self) -> (usize, Spend) {
        (self.held.len(), self.held.values().fold(Spend::default(), |sum, held| sum.plus(held.spend)))
    }

    /// Whether no model was ever asked.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Every account for which a model was ever asked.
    pub fn accounts(&self) -> impl Iterator<Item = Account> {
        let mut accounts: Vec<Account> = self.counts.keys().map(|(account, _)| *account).collect();
        accounts.dedup();
        accounts.into_iter()
    }

    /// Holds back what a call can cost.
    pub(super) fn reserve(&mut self, being: BeingId, wake: WakeId, held: Reservation) {
        self.add(&held, held.spend);
        self.held.insert((being, wake), held);
    }

    /// Puts what was spent, and how much of that in vain, in place of what was held back; without a word of it, what was held back stays spent.
    pub(super) fn settle(&mut self, being: BeingId, wake: &WakeId, spent: Option<(Spend, Spend)>) {
        let Some(held) = self.held.remove(&(being, wake.clone())) else { return };
        let Some((spend, vain)) = spent else { return };
        for account in &held.accounts {
            for period in Period::ALL {
                let number = period.number(held.at, held.offset);
                // An hour that is over is nobody's limit any more.
                if let Some(count) = self.counts.get_mut(&(*account, period)).filter(|count| count.number == number) {
                    count.spend = count.spend.minus(held.spend).plus(spend);
                    count.vain = count.vain.plus(vain);
                }
            }
        }
    }

    /// Gives back all that is held back, as if nobody had been asked.
    pub(super) fn release(&mut self) {
        for (being, wake) in self.held.keys().cloned().collect::<Vec<_>>() {
            self.settle(being, &wake, Some(<(Spend, Spend)>::default()));
        }
    }

    fn add(&mut self, held: &Reservation, spend: Spend) {
        for account in &held.accounts {
            for period in Period::ALL {
                let number = period.number(held.at, held.offset);
                let count = self.counts.entry((*account, period)).or_insert(Spending::begun(number));
                if count.number != number {
                    *count = Spending::begun(number);
                }
                count.spend = count.spend.plus(spend);
            }
        }
    }

    /// The wake for which the frame of that seq held something back.
    pub fn held_at(&self, being: BeingId, seq: Seq) -> Option<&WakeId> {
        self.held
            .keys()
            .find(|(other, wake)| *other == being && wake.kind == WakeKind::Gesture && wake.cause.seq == seq)
            .map(|(_, wake)| wake)
    }

    /// Forgets the calls of a being that nobody will close any more: for wakes that are not open, and for trials of yesterday.
    pub(super) fn tidy(&mut self, being: BeingId, at: Millis, is_open: impl Fn(&WakeId) -> bool) {
        let is_tried =
            |wake: &WakeId, held: &Reservation| wake.kind == WakeKind::Gesture && at.saturating_sub(held.at) < Period::Day.millis();
        let is_over =
            |((other, wake), held): &(&(BeingId, WakeId), &Reservation)| *other == being && !is_open(wake) && !is_tried(wake, held);
        let of: Vec<(BeingId, WakeId)> = self.held.iter().filter(is_over).map(|(key, _)| key.clone()).collect();
        for key in of {
            self.held.remove(&key);
        }
    }

    /// Forgets all calls of a being that has ended.
    pub(super) fn end(&mut self, being: BeingId) {
        let of: Vec<(BeingId, WakeId)> = self.held.keys().filter(|(other, _)| *other == being).cloned().collect();
        for key in of {
            self.held.remove(&key);
        }
    }

    /// Forgets the accounts of something that will never be asked for again.
    pub(super) fn forget(&mut self, account: Account) {
        let range = (Bound::Included((account, Period::Hour)), Bound::Included((account, Period::Day)));
        let keys: Vec<(Account, Period)> = self.counts.range(range).map(|(key, _)| *key).collect();
        for key in keys {
            self.counts.remove(&key);
        }
    }
}
