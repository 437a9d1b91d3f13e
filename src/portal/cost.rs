//! Cost: what language models have cost so far, and how much of each budget is used.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde_json::{Value as Json5, json};

use crate::past::{History, Usage};
use crate::run::Since;
use crate::world::{Budget, Local, iso};

use super::hall::Hall;
use super::sent::Asked;
use super::sums::Summed;
use super::trouble::{Trouble, Wrong};
use super::who::{As, Who};

/// The most budgets that are shown.
const BUDGETS: usize = 500;

/// What models have cost, by being, space, model and day, and the budgets that stand
#[utoipa::path(get, path = "/api/cost", params(As), responses((status = 200, body = Object), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong), (status = 500, body = Wrong)))]
pub async fn cost(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<As>) -> Result<Json<Json5>, Trouble> {
    let sight = who.sight(&hall.feed, asked.speaker.as_deref())?;
    sight.register("moments")?;
    sight.register("config")?;
    let world = &sight.world;
    let now = hall.feed.now();
    let offset = Local::of(now, world.zone()).offset;
    let (calls, held) = world.ledger().held_in_all();
    let budgets = world.budgets(now, offset);
    let shown: Vec<Json5> = budgets.iter().take(BUDGETS).map(|budget| shown(budget, offset)).collect();
    let summed = summed(&hall, &who).await?;
    let Usage { total, beings, spaces, models, days, .. } = &summed.usage;
    Ok(Json(json!({
        "currency": world.config_text("llm.currency"), "time": iso(now, offset),
        "total": total, "beings": beings, "spaces": spaces, "models": models, "days": days,
        "held": { "open": calls, "spend": held }, "budgets": shown, "moreBudgets": budgets.len().saturating_sub(BUDGETS),
    })))
}

fn shown(budget: &Budget, offset: i64) -> Json5 {
    let Budget { account, period, limit, spent, turns } = budget;
    json!({ "account": account, "period": period.word(), "limit": limit, "spent": spent, "turns": iso(*turns, offset) })
}

/// The sums up to now. What is not at hand is read from the log, once.
async fn summed<'a>(hall: &'a Arc<Hall>, who: &Who) -> Result<tokio::sync::MutexGuard<'a, Summed>, Trouble> {
    let mut summed = hall.summed.lock().await;
    loop {
        match hall.feed.since(summed.next, usize::MAX) {
            Since::Here(reports) => {
                summed.hear(reports.iter().map(AsRef::as_ref));
                return Ok(summed);
            }
            // No model was ever asked: there is nothing to look for.
            Since::Before(begins) if hall.feed.world().ledger().is_empty() => summed.next = begins,
            Since::Before(begins) => {
                let (dir, from, mut usage) = (hall.dir.clone(), summed.next, summed.usage.clone());
                summed.usage = hall
                    .recall(who, move || {
                        let history = History::of(&dir).map_err(Trouble::inside)?;
                        history.usage(from, Some(begins), &mut usage).map_err(Trouble::inside)?;
                        Ok(usage)
                    })
                    .await?;
                summed.next = begins;
            }
        }
    }
}
