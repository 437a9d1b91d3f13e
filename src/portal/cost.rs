//! Cost: what language models have cost so far, and how much of each budget is used.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::fact::{Spend, Text, Value};
use crate::past::Usage;
use crate::world::{Budget, Local, Paid, Sum, World, iso};

use super::hall::Hall;
use super::sent::Asked;
use super::shapes::{LimitShape, SpendShape, SumShape};
use super::trouble::{Trouble, Wrong};
use super::who::{Then, Who};

/// The most budgets that are shown.
const BUDGETS: usize = 500;

/// The cost of models so far.
#[derive(Serialize, ToSchema)]
#[schema(as = CostPage)]
#[serde(rename_all = "camelCase")]
pub struct Costs {
    /// The world's currency.
    currency: Option<String>,
    /// The time up to which the costs are summed.
    time: String,
    #[schema(value_type = SumShape)]
    total: Sum,
    /// By the being that was to answer.
    #[schema(value_type = BTreeMap<String, SumShape>)]
    beings: BTreeMap<Text, Sum>,
    /// By the space where it stood.
    #[schema(value_type = BTreeMap<String, SumShape>)]
    spaces: BTreeMap<Text, Sum>,
    /// By the model as it was served.
    #[schema(value_type = BTreeMap<String, SumShape>)]
    models: BTreeMap<Text, Sum>,
    /// By the day in the world's zone.
    #[schema(value_type = BTreeMap<String, SumShape>)]
    days: BTreeMap<Text, Sum>,
    held: HeldBack,
    budgets: Vec<Allowance>,
    /// How many more budgets there are.
    more_budgets: usize,
}

/// The amount held back for calls under way.
#[derive(Serialize, ToSchema)]
pub struct HeldBack {
    /// How many calls.
    open: usize,
    #[schema(value_type = SpendShape)]
    spend: Spend,
}

/// A budget, and how much of it is used.
#[derive(Serialize, ToSchema)]
#[schema(as = Budget)]
pub struct Allowance {
    /// The account that it limits.
    account: String,
    /// The setting that it is.
    key: &'static str,
    /// The address at which it is set; none: it comes of several.
    at: Option<String>,
    /// The period: hour or day.
    period: &'static str,
    #[schema(value_type = LimitShape)]
    limit: Value,
    #[schema(value_type = SpendShape)]
    spent: Spend,
    /// When the next period begins.
    turns: String,
}

impl Allowance {
    fn of(budget: &Budget, offset: i64) -> Self {
        let Budget { account, key, at, period, limit, spent, turns } = budget.clone();
        Self { account, key, at, period: period.word(), limit, spent, turns: iso(turns, offset) }
    }
}

/// Sums up the cost of models, by being, space, model and day, and lists the budgets that stand
#[utoipa::path(get, path = "/api/cost", params(Then), responses((status = 200, body = Costs), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn cost(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<Then>) -> Result<Json<Costs>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    sight.register("moments")?;
    sight.register("config")?;
    let world = &sight.world;
    let now = sight.at;
    let offset = Local::of(now, world.zone()).offset;
    let (calls, held) = world.ledger().held_in_all();
    let budgets = world.budgets(now, offset);
    let shown = budgets.iter().take(BUDGETS).map(|budget| Allowance::of(budget, offset)).collect();
    let Usage { total, beings, spaces, models, days, .. } = paid(world);
    Ok(Json(Costs {
        currency: world.world_said("llm.currency").and_then(Value::as_str).map(str::to_owned),
        time: iso(now, offset),
        total,
        beings,
        spaces,
        models,
        days,
        held: HeldBack { open: calls, spend: held },
        budgets: shown,
        more_budgets: budgets.len().saturating_sub(BUDGETS),
    }))
}

/// The sums that a world holds.
fn paid(world: &World) -> Usage {
    let mut usage = Usage::default();
    usage.pay(world.paid(), &Paid::default());
    usage
}
