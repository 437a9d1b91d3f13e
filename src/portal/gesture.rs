//! Gesture: how those who answer requests have something done to the living world, and wait until it is durable.

use std::sync::{Arc, PoisonError};
use std::time::Instant;

use axum::http::StatusCode;
use tokio::sync::oneshot;
use tracing::Instrument;

use crate::fact::{BeingId, ClosingKind, Code, Once};
use crate::past::Report;
use crate::run::{Gesture, Living, Reins, RunError};

use super::hall::Hall;
use super::people::now;
use super::refusals::MOST;
use super::trouble::Trouble;
use super::who::Who;

/// How whoever proposes something waits for the world.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum WaitsAs {
    /// In a row with all others.
    InRow,
    /// With a place that is kept.
    Kept,
    /// With a place that is kept, and not long: the round that runs is given up for it.
    Pressing,
}

impl Hall {
    /// Whether somebody may act now: not whoever was refused too often. Visitors' refusals are not sealed, so they are not counted.
    pub fn may_act(&self, who: &Who) -> Result<(), Trouble> {
        let Some(person) = who.being.filter(|_| !who.is_visitor && !who.goes_first()) else { return Ok(()) };
        self.refusals.may(person, Instant::now()).map_err(|wait| {
            let message = format!("the world has refused you {MOST} times within an hour; act again when the first of them is an hour old");
            Trouble::new(StatusCode::TOO_MANY_REQUESTS, Code::TooManyRefusals, message).after(wait.as_secs() + 1)
        })
    }

    /// Has something done to the living world between two rounds, and hears of it when it is durable.
    pub async fn propose(
        &self,
        waits: WaitsAs,
        work: impl FnOnce(&mut Living) -> Result<Vec<Report>, RunError> + Send + 'static,
    ) -> Result<Vec<Report>, Trouble> {
        let (tell, mut heard) = oneshot::channel();
        let hear = move |done| {
            // The caller may have gone meanwhile; the act is done all the same.
            let _ = tell.send(done);
        };
        if !self.seats.propose(waits != WaitsAs::InRow, work, hear) {
            return Err(Trouble::too_many("too many acts wait for the world; try again in a moment", 1));
        }
        let since = Instant::now();
        loop {
            match tokio::time::timeout(Reins::PATIENCE, &mut heard).await {
                Ok(done) => return Ok(done.map_err(|_| Trouble::stopping())??),
                Err(_) if waits != WaitsAs::Pressing => {}
                Err(_) => {
                    self.seats.reins().press(since.elapsed());
                }
            }
        }
    }

    /// Has a person act, or the program that holds a token. The operator does not wait for a round whose scripts do not end.
    pub async fn gesture(&self, gesture: Gesture, token: Option<String>) -> Result<Report, Trouble> {
        let waits = if self.goes_first(&gesture) { WaitsAs::Pressing } else { WaitsAs::InRow };
        let tokens = self.entrance.tokens.clone();
        let is_open = move |token: &str| tokens.lock().unwrap_or_else(PoisonError::into_inner).is_open(token, now());
        // Once a token was taken back, nothing is stamped by it any more.
        let stands = move |_: &Living| token.is_none_or(|token| is_open(&token)).then_some(()).ok_or(RunError::TokenLost);
        self.act(gesture, waits, stands).await
    }

    /// Has who drives a being do what the server does in their name by itself, over and over: no round is given up for that.
    pub async fn upkeep(&self, gesture: Gesture, driver: BeingId, driven: BeingId) -> Result<Report, Trouble> {
        let waits = if self.goes_first(&gesture) { WaitsAs::Kept } else { WaitsAs::InRow };
        // A driver that has given the being back meanwhile does not take it again by a lease that was about to be renewed.
        let stands = move |living: &Living| living.is_driven_by(driven, driver);
        self.act(gesture, waits, stands).await
    }

    /// Whether an act is the operator's, and no program's that is narrowed.
    fn goes_first(&self, gesture: &Gesture) -> bool {
        gesture.only.is_all() && gesture.by.is_none_or(|by| by == self.feed.world().operator())
    }

    /// Has somebody act, if that still stands when the thread that stamps it comes to it.
    async fn act(
        &self,
        gesture: Gesture,
        waits: WaitsAs,
        stands: impl FnOnce(&Living) -> Result<(), RunError> + Send + 'static,
    ) -> Result<Report, Trouble> {
        let (by, metered) = (gesture.by, gesture.metered);
        let work = move |living: &mut Living| {
            stands(living)?;
            living.gesture(gesture).map(|report| vec![report])
        };
        let mut reports = self.propose(waits, work).await?;
        let report = reports.pop().ok_or_else(Trouble::stopping)?;
        if let Some(person) = by.filter(|_| !metered && report.reason.is_some() && report.closing == ClosingKind::Refused) {
            self.refusals.count(person, Instant::now());
        }
        tracing::debug!(moment = %format_args!("@{}:{}", report.being, report.cause), seq = report.seq, "acted");
        Ok(report)
    }

    /// The same; under a key once: a second act of that key is answered as the first, also by a server that was started anew. It goes on
    /// though whoever asked has gone.
    pub async fn gesture_once(self: Arc<Self>, sender: BeingId, gesture: Gesture, token: Option<String>) -> Result<Report, Trouble> {
        let Some(once) = gesture.once else { return self.gesture(gesture, token).await };
        let acting = self.clone();
        self.once((sender, once), |_| true, async move { acting.gesture(gesture, token).await }).await
    }

    /// Has something done under a key once, also though whoever asked has gone: where its answer is one that is kept.
    pub async fn once(
        &self,
        (sender, once): (BeingId, Once),
        keeps: fn(&Report) -> bool,
        acts: impl Future<Output = Result<Report, Trouble>> + Send + 'static,
    ) -> Result<Report, Trouble> {
        let answer = self.acts.answer(sender, once)?;
        let acting = async move {
            let mut answer = answer.lock().await;
            if let Some(report) = answer.as_ref() {
                return Ok(report.clone());
            }
            let report = acts.await?;
            *answer = Some(report.clone()).filter(keeps);
            Ok(report)
        };
        let acting = tokio::spawn(acting.in_current_span());
        acting.await.map_err(Trouble::inside)?
    }
}
