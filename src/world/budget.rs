//! Budget: how much may be spent on models, and whether a call still has room.
//!
//! Limits stand in the configuration (`llm.budget`: for the world, for each root, for each being, for one named being or space), and in
//! the quality `llm.budget` of a being or a space. Every one that applies must hold, so a quality can only narrow.

use crate::fact::{Code, Millis, Reason, SpaceId, Spend, Value};

use super::being::Being;
use super::ledger::{Account, Period};
use super::wake::Wake;
use super::whole::World;

/// One budget, and what of it is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// For whom, as people name it.
    pub account: String,
    /// For how long.
    pub period: Period,
    /// How much: `calls`, `tokens`, `money`.
    pub limit: Value,
    /// What was spent or is held back in this period.
    pub spent: Spend,
    /// When the next period begins.
    pub turns: Millis,
}

impl World {
    /// Whom a call of a being counts for: the world, the spaces around it, itself, and the root of its wake.
    pub(super) fn accounts(&self, being: &Being, wake: Option<&Wake>) -> Vec<Account> {
        let spaces = self.upward(being.position).map(|space| Account::Space(space.id));
        let root = wake.and_then(|wake| wake.root).map(Account::Root);
        [Account::World, Account::Being(being.id)].into_iter().chain(spaces).chain(root).collect()
    }

    /// Whether every budget has room for a call that costs so much at most; else which has not, as `hour tokens of @ada`.
    pub fn affords(&self, being: &Being, wake: Option<&Wake>, (at, offset): (Millis, i64), most: Spend) -> Result<(), Reason> {
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

    /// Every budget that stands, for whom it stands now and what of it is used: those named, and of those for each being or root the ones
    /// that have used any.
    pub fn budgets(&self, at: Millis, offset: i64) -> Vec<Budget> {
        let configured = self.registry.config.get("llm.budget").and_then(|budget| budget.as_map());
        let named = configured.into_iter().flatten().filter_map(|(name, _)| self.account_named(name));
        let own = |qualities: &super::quality::Qualities| qualities.at("llm.budget").is_some();
        let beings = self.beings().filter(|being| !being.ended && own(&being.qualities)).map(|being| Account::Being(being.id));
        let spaces = self.spaces().filter(|space| own(&space.qualities)).map(|space| Account::Space(space.id));
        let mut accounts: Vec<Account> = named.chain(beings).chain(spaces).chain(self.ledger.accounts()).collect();
        accounts.sort();
        accounts.dedup();
        let mut budgets = Vec::new();
        for account in accounts {
            for limits in self.limits(account) {
                for period in Period::ALL {
                    let Some(limit) = limits.get(period.word()) else { continue };
                    let (spent, turns) = (self.ledger.spent(account, period, at, offset), period.turns(at, offset));
                    budgets.push(Budget { account: self.account_name(account), period, limit: limit.clone(), spent, turns });
                }
            }
        }
        budgets
    }

    fn account_named(&self, name: &str) -> Option<Account> {
        match (name, name.strip_prefix('@')) {
            ("world", _) => Some(Account::World),
            (_, Some(being)) => self.being_named(being).map(|being| Account::Being(being.id)),
            (path, None) if path.starts_with('/') => {
                let mut steps = path.split('/').filter(|name| !name.is_empty());
                steps.try_fold(SpaceId::ROOT, |at, name| self.child_space(at, name)).map(Account::Space)
            }
            _ => None,
        }
    }

    /// Whether any budget of money applies, so that each model asked must have a price.
    pub fn counts_money(&self, being: &Being, wake: Option<&Wake>) -> bool {
        let has_money =
            |limits: &&Value| Period::ALL.iter().any(|period| limits.get(period.word()).is_some_and(|limit| limit.get("money").is_some()));
        self.accounts(being, wake).into_iter().any(|account| self.limits(account).iter().any(has_money))
    }

    /// The limits that stand for an account.
    pub fn limits(&self, account: Account) -> Vec<&Value> {
        let configured = |key: &str| self.registry.config.get("llm.budget").and_then(|budget| budget.get(key));
        match account {
            Account::World => configured("world").into_iter().collect(),
            Account::Root(_) => configured("root").into_iter().collect(),
            Account::Space(id) => {
                let own = self.space(id).and_then(|space| space.qualities.at("llm.budget"));
                configured(&self.path_of(id)).into_iter().chain(own).collect()
            }
            Account::Being(id) => {
                let being = self.being(id);
                let named = being.and_then(|being| configured(&format!("@{}", being.name)));
                let own = being.and_then(|being| being.qualities.at("llm.budget"));
                configured("being").into_iter().chain(named).chain(own).collect()
            }
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

/// Which limit a spend passes.
fn exceeded(limit: &Value, spent: Spend) -> Option<&'static str> {
    // A limit that is no number lets nothing through: it was meant to be one.
    let over = |key: &str, spent: f64| limit.get(key).is_some_and(|most| most.as_float().is_none_or(|most| spent > most));
    if over("calls", spent.calls as f64) {
        Some("calls")
    } else if over("tokens", spent.tokens() as f64) {
        Some("tokens")
    } else if over("money", spent.money as f64 / 1e6) {
        Some("money")
    } else {
        None
    }
}
