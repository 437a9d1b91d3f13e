//! Reins: how whoever watches a run holds it: stop, pause, one round at a time, another pace. They are taken up between two rounds.
//!
//! Only two things reach into a round: a stop, and the press of somebody who has waited for it too long. Both end its scripts, and
//! nothing of the round is kept.

use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::fact::Millis;

use super::breaks::{Breakpoint, Broken, Lookout};
use super::clock::Pace;

/// The reins of one run; any thread may pull them, and each may have a handle of its own.
#[derive(Clone, Debug, Default)]
pub struct Reins(Arc<Harness>);

#[derive(Debug, Default)]
struct Harness {
    state: Mutex<Orders>,
    pulled: Condvar,
    reached: AtomicI64,
}

#[derive(Debug, Default)]
struct Orders {
    stopped: bool,
    paused: bool,
    steps: u64,
    pace: Option<Pace>,
    knocked: bool,
    /// How long a stop waits for answers, where somebody has said.
    grace: Option<Duration>,
    /// Behind which moments it stands still, and behind which one it does.
    breaks: Arc<[Breakpoint]>,
    broken: Option<Broken>,
    /// Whether it ends there: nobody is there who could let it go on.
    ends_at_breaks: bool,
    /// The flag that ends the scripts of the run.
    scripts: Option<Arc<AtomicBool>>,
    /// Whether they are to come to their end although it is stopped.
    finishes: bool,
    /// Whether the round that runs may be given up.
    yields: bool,
    /// How often it was, since the last one closed.
    given_up: u32,
}

/// A run whose scripts a stop ends, as long as it is held.
#[must_use]
pub struct Bond<'a>(&'a Reins);

impl Drop for Bond<'_> {
    fn drop(&mut self) {
        if let Some(scripts) = self.0.lock().scripts.take() {
            scripts.store(false, Ordering::Relaxed);
        }
    }
}

/// A part of a run whose scripts come to their end, as long as this is held, although it is stopped.
#[must_use]
pub(super) struct Finishing<'a>(&'a Reins);

impl Drop for Finishing<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.finishes = false;
        if let Some(scripts) = &state.scripts {
            scripts.store(state.stopped, Ordering::Relaxed);
        }
    }
}

/// A part of a round that somebody may press to give up, as long as this is held: what is pressed later ends nothing.
#[must_use]
pub struct Yielding<'a>(&'a Reins);

impl Yielding<'_> {
    /// The round has closed: the next one is given up as soon as any.
    pub fn closed(self) {
        self.0.lock().given_up = 0;
    }
}

impl Drop for Yielding<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.yields = false;
        if let Some(scripts) = &state.scripts {
            scripts.store(state.stopped && !state.finishes, Ordering::Relaxed);
        }
    }
}

/// The next step of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// Ends at this border.
    Stop,
    /// Goes on at another pace.
    Pace(Pace),
    /// Stands still until the reins are pulled again.
    Hold,
    /// Takes one round at once.
    Step,
    /// Goes on.
    Go,
}

impl Reins {
    /// How long a stop waits for the answers under way, where nobody says otherwise.
    pub const GRACE: Duration = Duration::from_secs(30);
    /// How long somebody who may press waits for a round.
    pub const PATIENCE: Duration = Duration::from_secs(2);

    fn pull<T>(&self, change: impl FnOnce(&mut Orders) -> T) -> T {
        let before = change(&mut self.lock());
        self.0.pulled.notify_all();
        before
    }

    /// The run stands at an instant of world time now.
    pub(super) fn reach(&self, at: Millis) {
        self.0.reached.store(at, Ordering::Relaxed);
    }

    /// The instant of world time at which the run stood last, for whoever shows how far it has come.
    pub fn reached(&self) -> Millis {
        self.0.reached.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Orders> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the run at the last border: scripts that run are ended with their round. Whether that was asked for before.
    pub fn stop(&self) -> bool {
        self.pull(|state| {
            if let Some(scripts) = state.scripts.as_ref().filter(|_| !state.finishes) {
                scripts.store(true, Ordering::Relaxed);
            }
            std::mem::replace(&mut state.stopped, true)
        })
    }

    /// Lets a stop end the scripts of a run, by what they heed.
    pub fn bind(&self, scripts: &Arc<AtomicBool>) -> Bond<'_> {
        let mut state = self.lock();
        scripts.store(state.stopped, Ordering::Relaxed);
        (state.scripts, state.yields, state.given_up) = (Some(scripts.clone()), false, 0);
        Bond(self)
    }

    /// Has a stop wait so long for the answers of models that are under way.
    pub fn set_grace(&self, grace: Duration) {
        self.lock().grace = Some(grace);
    }

    pub(super) fn grace(&self) -> Duration {
        self.lock().grace.unwrap_or(Self::GRACE)
    }

    /// Lets scripts come to their end from here on, although the run is stopped.
    pub(super) fn finishing(&self) -> Finishing<'_> {
        let mut state = self.lock();
        state.finishes = true;
        if let Some(scripts) = &state.scripts {
            scripts.store(false, Ordering::Relaxed);
        }
        Finishing(self)
    }

    /// Lets whoever presses give up what the run does from here on.
    pub fn yielding(&self) -> Yielding<'_> {
        self.lock().yields = true;
        Yielding(self)
    }

    /// Gives up the round that runs, where it may be given up, for somebody who has waited so long; whether it is.
    ///
    /// A round that was given up has twice as long before it is again, so whoever acts all the time does not hold up the world.
    pub fn press(&self, waited: Duration) -> bool {
        let mut state = self.lock();
        let patience = Self::PATIENCE.saturating_mul(1 << state.given_up.min(16));
        let Some(scripts) = state.scripts.clone().filter(|_| state.yields && waited >= patience) else { return false };
        scripts.store(true, Ordering::Relaxed);
        (state.yields, state.given_up) = (false, state.given_up + 1);
        true
    }

    /// Has the world stand still behind the round of whichever moment one of some conditions comes to hold with, in place of those before.
    pub fn set_breaks(&self, breaks: Vec<Breakpoint>) {
        self.lock().breaks = breaks.into();
    }

    /// Has a run end where it would stand still for a break: nobody is there who could let it go on.
    pub fn end_at_breaks(&self) {
        self.lock().ends_at_breaks = true;
    }

    /// Behind which moments it stands still.
    pub fn breaks(&self) -> Arc<[Breakpoint]> {
        self.lock().breaks.clone()
    }

    /// Behind which moment it stands still, until it goes on.
    pub fn broken(&self) -> Option<Broken> {
        let state = self.lock();
        state.broken.clone().filter(|_| state.paused && state.steps == 0)
    }

    /// Behind which moment it is to end.
    pub(super) fn ends_behind(&self) -> Option<Broken> {
        let state = self.lock();
        state.broken.clone().filter(|_| state.ends_at_breaks)
    }

    /// Lets it stand still behind what was found, if anything was.
    pub(super) fn look_out(&self, lookout: Lookout) {
        let Some(broken) = lookout.into_broken() else { return };
        self.pull(|state| {
            if !state.ends_at_breaks {
                tracing::warn!("the world stands still behind {broken}");
            }
            (state.paused, state.steps, state.broken) = (true, 0, Some(broken));
        });
    }

    /// Lets the world stand still.
    pub fn pause(&self) {
        self.pull(|state| (state.paused, state.steps, state.broken) = (true, 0, state.broken.take().filter(|_| state.paused)));
    }

    /// Lets it go on.
    pub fn go_on(&self) {
        self.pull(|state| (state.paused, state.broken) = (false, None));
    }

    /// Pauses if it runs, else goes on.
    pub fn toggle(&self) {
        self.pull(|state| (state.paused, state.steps, state.broken) = (!state.paused, 0, None));
    }

    /// Lets it take one round, and stand still again.
    pub fn step(&self) {
        self.pull(|state| (state.paused, state.steps, state.broken) = (true, state.steps + 1, None));
    }

    /// Takes back that an order was carried out: its round was given up.
    pub fn give_back(&self, order: Order) {
        let mut state = self.lock();
        if order == Order::Step && state.paused {
            state.steps += 1;
        }
    }

    /// Changes how fast world time passes.
    pub fn set_pace(&self, pace: Pace) {
        self.pull(|state| state.pace = Some(pace));
    }

    /// Lets whoever runs it look up, because somebody waits to be heard.
    pub fn knock(&self) {
        self.pull(|state| state.knocked = true);
    }

    /// Whether the run is to end.
    pub fn is_stopped(&self) -> bool {
        self.lock().stopped
    }

    /// Whether it stands still.
    pub fn is_paused(&self) -> bool {
        self.lock().paused
    }

    pub fn order(&self) -> Order {
        let mut state = self.lock();
        // A knock after this point ends the next wait at once: every wait checks it first.
        state.knocked = false;
        if state.stopped {
            return Order::Stop;
        }
        if let Some(pace) = state.pace.take() {
            return Order::Pace(pace);
        }
        match (state.paused, state.steps) {
            (false, _) => Order::Go,
            (true, 0) => Order::Hold,
            (true, _) => {
                state.steps -= 1;
                Order::Step
            }
        }
    }

    /// Waits so long, or until the reins are pulled; whether the time has passed.
    pub fn wait(&self, time: Duration) -> bool {
        let is_still = |state: &mut Orders| !state.stopped && !state.paused && state.pace.is_none() && !state.knocked;
        let waited = self.0.pulled.wait_timeout_while(self.lock(), time, is_still).unwrap_or_else(PoisonError::into_inner);
        waited.1.timed_out()
    }

    /// Waits until the run is to end.
    pub fn until_stopped(&self) {
        drop(self.0.pulled.wait_while(self.lock(), |state| !state.stopped).unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits until somebody knocks or the run is to end; whether it is to end. Other orders are taken up later.
    pub(super) fn listen(&self) -> bool {
        let is_still = |state: &mut Orders| !state.stopped && !state.knocked;
        let mut state = self.0.pulled.wait_while(self.lock(), is_still).unwrap_or_else(PoisonError::into_inner);
        state.knocked = false;
        state.stopped
    }

    /// Waits until somebody knocks, for so long at most.
    pub(super) fn linger(&self, time: Duration) {
        let is_still = |state: &mut Orders| !state.knocked;
        let waited = self.0.pulled.wait_timeout_while(self.lock(), time, is_still).unwrap_or_else(PoisonError::into_inner);
        let (mut state, _) = waited;
        state.knocked = false;
    }

    /// Waits until the reins are pulled or somebody knocks: nothing can happen before.
    pub(super) fn idle(&self) {
        let is_still = |state: &mut Orders| !state.stopped && !state.paused && state.pace.is_none() && !state.knocked;
        drop(self.0.pulled.wait_while(self.lock(), is_still).unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits while the world stands still.
    pub fn hold(&self) {
        let is_held = |state: &mut Orders| !state.stopped && state.paused && state.steps == 0 && state.pace.is_none() && !state.knocked;
        drop(self.0.pulled.wait_while(self.lock(), is_held).unwrap_or_else(PoisonError::into_inner));
    }
}
