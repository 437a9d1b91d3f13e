//! Budget: how much may be spent on models, and whether a call still has room.
//!
//! Limits are settings: `llm.budget` of the world, of all who stand in a space, of one being; `llm.budget.being` for each being by itself, and
//! `llm.budget.root` for each root. Every one that applies must hold, so that none can widen another. `llm.budget.total` is for all of one
//! world's life, and names that world: a fork begins without.

use std::sync::Arc;

use crate::fact::{Code, Millis, Reason, SpaceId, Spend, Text, Thing, Value};

use super::being::Being;
use super::ledger::{Account, Period, Reservation};
use super::paid::PaidBy;
use super::setting::OwnSettings;
use super::wake::Wake;
use super::whole::World;

/// The limit of the world, of all who stand in a space, or of one being; the next two are of each being and of each root.
const BUDGET: &str = "llm.budget";
const BUDGET_BEING: &str = "llm.budget.being";
const BUDGET_ROOT: &str = "llm.budget.root";
const BUDGET_TOTAL: &str = "llm.budget.total";
/// The span of such a budget, as a refusal names it before what is spent: `total calls of /`.
const TOTAL: &str = "total";
/// The key of a total that names the world it is for.
const OF: &str = "of";

/// One budget, and how much of it is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// For whom, as people name it.
    pub account: String,
    /// The setting that it is.
    pub key: &'static str,
    /// Where it is said, as an address; nothing where it comes of what several places say.
    pub at: Option<String>,
    /// For how long.
    pub period: Period,
    /// How much: `calls`, `tokens`, `bytes`, `money`.
    pub limit: Value,
    /// The spend and the reservations in this period.
    pub spent: Spend,
    /// When the next period begins.
    pub turns: Millis,
}

/// Whether a call was refused because what a world may spend in its whole life is spent.
pub fn is_of_total(reason: &Reason) -> bool {
    reason.code == Code::Budget && reason.at.split(' ').next() == Some(TOTAL)
}

impl World {
    /// The accounts that a call of a being counts for: the world, the spaces around it, itself, and the root of its wake.
    pub(super) fn accounts(&self, being: &Being, wake: Option<&Wake>) -> Vec<Account> {
        let spaces = self.upward(being.position).map(|space| Account::Space(space.id));
        let root = wake.and_then(|wake| wake.root).map(Account::Root);
        [Account::World, Account::Being(being.id)].into_iter().chain(spaces).chain(root).collect()
    }

    /// Counts what a call can cost at most that is to stand in no frame yet.
    pub fn set_aside(&mut self, being: &Being, wake: &Wake, (at, offset): (Millis, i64), spend: Spend) {
        let accounts = self.accounts(being, Some(wake));
        self.ledger.reserve(being.id, wake.id.clone(), Reservation { spend, at, offset, accounts, stack: Arc::default(), own: 0 });
    }

    /// Whether every budget has room for a call that costs so much at most; else which has not, as `hour tokens of @ada`.
    pub fn affords(&self, being: &Being, wake: Option<&Wake>, (at, offset): (Millis, i64), most: Spend) -> Result<(), Reason> {
        if let Some(what) = self.passes_total(most) {
            return Err(Reason::new(Code::Budget, format!("{TOTAL} {what} of {}", self.account_name(Account::World))));
        }
        for account in self.accounts(being, wake) {
            for limits in self.limits(account) {
                for period in Period::ALL {
                    let Some(limit) = limits.get(period.word()) else { continue };
                    let spent = self.ledger.spent(account, period, at, offset).plus(most);
                    if let Some(what) = exceeded(limit, spent) {
                        return Err(Reason::new(Code::Budget, format!("{} {what} of {}", period.word(), self.account_name(account))));
                    }
                }
            }
        }
        Ok(())
    }

    /// The limits of this world's whole life; none where nothing is said of them, or it is said of the world from which this one forked off.
    fn total(&self) -> Option<&Value> {
        let total = self.world_said(BUDGET_TOTAL)?;
        (total.get(OF).and_then(Value::as_str) == Some(self.id().to_string().as_str())).then_some(total)
    }

    /// The spend since the first frame of all, with what is held back.
    fn spent_in_all(&self) -> Spend {
        self.paid.of(PaidBy::All, &Text::from("")).spend.plus(self.ledger.held_in_all().1)
    }

    /// The limit of its life that the world would pass by a call that costs so much; a fork without any passes each.
    fn passes_total(&self, most: Spend) -> Option<&'static str> {
        match self.total() {
            Some(limit) => exceeded(limit, self.spent_in_all().plus(most)),
            None => self.is_fork().then_some("calls"),
        }
    }

    /// Whether any model may be asked at all: a fork asks none before it has a budget of its own, and no world once all of that is spent.
    pub fn may_ask_models(&self) -> bool {
        self.passes_total(Spend { calls: 1, ..Spend::default() }).is_none()
    }

    /// The setting that gives the world so much to spend beyond what it and those from which it comes have spent: its key, and what it says.
    pub fn total_beyond(&self, budget: &Value) -> (&'static str, Value) {
        let spent = self.spent_in_all();
        let own = |key: &str| budget.get(key).and_then(Value::as_float);
        let count = |key: &str, spent: u64| own(key).and_then(|most| Value::number(most + spent as f64));
        let limits = [
            ("calls", count("calls", spent.calls)),
            ("tokens", count("tokens", spent.tokens())),
            ("bytes", count("bytes", spent.bytes)),
            ("money", own("money").and_then(|most| Value::number(most + spent.money as f64 / 1e6))),
        ];
        let of = (OF, Value::from(self.id().to_string()));
        (BUDGET_TOTAL, Value::map(std::iter::once(of).chain(limits.into_iter().filter_map(|(key, limit)| Some((key, limit?))))))
    }

    /// Every budget that stands, for whom it stands now and what of it is used: those named, and of those for each being or root the ones
    /// that have used any.
    pub fn budgets(&self, at: Millis, offset: i64) -> Vec<Budget> {
        let own = |settings: &OwnSettings| settings.get(BUDGET).is_some();
        let beings = self.beings().filter(|being| !being.ended && own(&being.settings)).map(|being| Account::Being(being.id));
        let spaces = self.spaces().filter(|space| own(&space.settings)).map(|space| Account::Space(space.id));
        let mut accounts: Vec<Account> =
            std::iter::once(Account::World).chain(beings).chain(spaces).chain(self.ledger.accounts()).collect();
        accounts.sort();
        accounts.dedup();
        let mut budgets = Vec::new();
        for account in accounts {
            for (key, place, limits) in self.allowed(account) {
                let place = place.map(|place| self.place_name(place));
                for period in Period::ALL {
                    let Some(limit) = limits.get(period.word()) else { continue };
                    let (spent, turns) = (self.ledger.spent(account, period, at, offset), period.turns(at, offset));
                    let (account, at) = (self.account_name(account), place.clone());
                    budgets.push(Budget { account, key, at, period, limit: limit.clone(), spent, turns });
                }
            }
        }
        budgets
    }

    /// Whether any budget of money applies, so that each model asked must have a price.
    pub fn counts_money(&self, being: &Being, wake: Option<&Wake>) -> bool {
        let has_money =
            |limits: &&Value| Period::ALL.iter().any(|period| limits.get(period.word()).is_some_and(|limit| limit.get("money").is_some()));
        let in_all = self.total().is_some_and(|total| total.get("money").is_some());
        in_all || self.accounts(being, wake).into_iter().any(|account| self.limits(account).any(|limits| has_money(&limits)))
    }

    /// The limits that stand for an account.
    pub fn limits(&self, account: Account) -> impl Iterator<Item = &Value> {
        self.allowed(account).into_iter().map(|(_, _, limits)| limits)
    }

    /// The same, each with the setting that it is and the thing at which it is said.
    fn allowed(&self, account: Account) -> Vec<(&'static str, Option<Thing>, &Value)> {
        let root = Thing::Space(SpaceId::ROOT);
        let said = |key: &'static str, at: Thing| self.said_at(key, at).map(|limits| (key, Some(at), limits));
        let limits = match account {
            Account::World => [said(BUDGET, root), None],
            Account::Root(_) => [said(BUDGET_ROOT, root), None],
            // A setting of the root counts for the world.
            Account::Space(SpaceId::ROOT) => [None, None],
            Account::Space(id) => [said(BUDGET, Thing::Space(id)), None],
            Account::Being(id) => {
                let each = self.being(id).map(|being| self.setting_at(BUDGET_BEING, being.position)).filter(|limits| !limits.is_null());
                let at = |limits: &Value| Some(root).filter(|_| self.world_said(BUDGET_BEING) == Some(limits));
                [each.map(|limits| (BUDGET_BEING, at(limits), limits)), said(BUDGET, Thing::Being(id))]
            }
        };
        limits.into_iter().flatten().collect()
    }

    fn place_name(&self, place: Thing) -> String {
        match place {
            Thing::Space(id) => self.account_name(Account::Space(id)),
            Thing::Being(id) => self.account_name(Account::Being(id)),
            Thing::Matter(id) => id.to_string(),
        }
    }

    /// An account as people name it.
    pub fn account_name(&self, account: Account) -> String {
        match account {
            Account::World => "the world".to_owned(),
            Account::Space(id) => self.path_of(id),
            Account::Being(id) => self.being(id).map_or_else(|| id.to_string(), |being| format!("@{}", being.name)),
            Account::Root(made) => format!("root {made}"),
        }
    }

    /// When a wake that no budget had room for is due again: when the period turns that its reason names.
    pub(super) fn budget_turns(reason: &Reason, at: Millis, offset: i64) -> Option<Millis> {
        let period = Period::ALL.into_iter().find(|period| reason.at.starts_with(period.word()))?;
        (reason.code == Code::Budget).then(|| period.turns(at, offset))
    }
}

/// The limit that a spend passes, if any.
pub fn exceeded(limit: &Value, spent: Spend) -> Option<&'static str> {
    // A limit that is no number lets nothing through: it was meant to be one.
    let over = |key: &str, spent: f64| limit.get(key).is_some_and(|most| most.as_float().is_none_or(|most| spent > most));
    if over("calls", spent.calls as f64) {
        Some("calls")
    } else if over("tokens", spent.tokens() as f64) {
        Some("tokens")
    } else if over("bytes", spent.bytes as f64) {
        Some("bytes")
    } else if over("money", spent.money as f64 / 1e6) {
        Some("money")
    } else {
        None
    }
}
