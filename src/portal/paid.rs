//! Paid: a model's replies to a draft. The caller pays, and all that they can cost is held back before.

use std::sync::Arc;

use axum::http::StatusCode;
use tokio::sync::oneshot;
use tracing::Instrument;

use crate::cognition::{Reply, Request};
use crate::fact::{Call, Code, Reason, Spend, Spent, Text, Value};
use crate::minds::{Heard, Minds};
use crate::run::Gesture;

use super::hall::Hall;
use super::trouble::Trouble;
use super::who::Who;

/// Asks a model for several replies; whoever tries pays, and what it can cost at most is held back before.
pub async fn ask(hall: Arc<Hall>, who: Who, being: &Text, request: Request, many: usize) -> Result<Vec<(Request, Reply)>, Trouble> {
    let own = who.being.and_then(|own| hall.feed.world().being(own).map(|being| being.name.clone())).ok_or_else(Trouble::stopping)?;
    if who.is_visitor {
        return Err(Trouble::new(StatusCode::UNAUTHORIZED, Code::NotLoggedIn, "log in first: visitors cannot spend"));
    }
    // Charging the cost is an act of the caller.
    hall.may_act(&who)?;
    let world = hall.feed.world();
    let counts_money = who.being.and_then(|own| world.being(own)).is_some_and(|own| world.counts_money(own, None));
    if let Some(model) = request.unpriced().filter(|_| counts_money) {
        return Err(Trouble::refused(&Reason::new(Code::NoPrice, model)));
    }
    let place = hall.trials.clone().try_acquire_owned();
    let place = place.map_err(|_| Trouble::too_many("too many drafts are tried now; try again in a moment", 1))?;
    let target = format!("@{being}");
    let act = move |hall: Arc<Hall>, action: &'static str, args: Value| {
        let (call, by) = (Call::doing(&target, action, args), who.being.filter(|_| !who.is_owner));
        let gesture = Gesture { being: own.clone(), call: Some(call), wake: None, by, metered: false, once: None, only: who.only };
        let token = who.token.clone();
        async move {
            let report = hall.gesture(gesture, token).await?;
            match &report.reason {
                Some(reason) => Err(Trouble::refused(reason)),
                None => Ok(report.seq),
            }
        }
    };
    // It goes on though whoever asked has gone: what was spent is to be said.
    let asking = async move {
        let requests: Vec<Request> = (0..many).map(|index| request.varied(index as u64)).collect();
        let most = requests.iter().fold(Spend::default(), |sum, request| sum.plus(request.reserve()));
        let of = act(hall.clone(), "model.reserve", spend_args(most)).await?;
        let heard: Vec<oneshot::Receiver<Reply>> = requests.iter().map(|request| begin(&hall, request.clone())).collect();
        let mut replies = Vec::with_capacity(many);
        for reply in heard {
            replies.push(reply.await.map_err(|_| Trouble::stopping())?);
        }
        let spent: Vec<Spent> = requests.iter().zip(&replies).map(|(request, reply)| request.spent(reply)).collect();
        let sum = spent.iter().fold(Spend::default(), |sum, spent| sum.plus(spent.spend));
        let mut args = spend_args(sum);
        if let (Value::Map(args), Some(first)) = (&mut args, spent.first()) {
            let ms = spent.iter().map(|spent| spent.ms).max().unwrap_or(0);
            args.extend([
                ("of".into(), Value::Int(i64::try_from(of).unwrap_or(i64::MAX))),
                ("connection".into(), Value::from(&first.connection)),
                ("model".into(), Value::from(&first.model)),
                ("ms".into(), Value::Int(i64::try_from(ms).unwrap_or(i64::MAX))),
            ]);
        }
        // The replies that were paid for are shown, whatever becomes of the bill: what was held back then stays spent.
        if act(hall, "model.settle", args).await.is_err() {
            tracing::warn!(of, "what a trial has cost could not be settled");
        }
        drop(place);
        Ok(requests.into_iter().zip(replies).collect())
    };
    tokio::spawn(asking.in_current_span()).await.map_err(Trouble::inside)?
}

/// Begins to ask for one reply.
fn begin(hall: &Hall, request: Request) -> oneshot::Receiver<Reply> {
    let (tell, heard) = oneshot::channel();
    let hears = Heard::new(move |reply| {
        // The caller may have gone.
        let _ = tell.send(reply);
    });
    hall.minds().begin(request, hears);
    heard
}

fn spend_args(spend: Spend) -> Value {
    let number = |number: u64| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
    Value::map([
        ("calls", number(spend.calls)),
        ("input", number(spend.input)),
        ("output", number(spend.output)),
        ("money", number(spend.money)),
    ])
}
