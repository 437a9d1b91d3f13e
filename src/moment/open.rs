//! Opening: intake, assign, fold. The world as of `opened` becomes the face of one being.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::fact::{
    BeingId, Call, Canon, Closing, Code, Cognition, Hash, Millis, Orientation, Reason, RespondMode, Seq, SpaceId, Summons, Thing, Value,
    Verb, Verbs, WakeKind, WornRole,
};
use crate::role::{Choice, Spec, Stack, Trace, Worn, compose};
use crate::verb::{Asker, Named, TOKEN, WORDS, bind_target, describe_being, time_value};
use crate::world::{ApprovalAnswer, Being, Body, OpenContext, Wake, World, address_of};

/// One moment, opened: what was read of the world, and what the being wears.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The being as it was.
    pub being: Arc<Being>,
    /// Why it woke.
    pub wake: Arc<Wake>,
    /// The being that caused the wake.
    pub caller: Option<BeingId>,
    /// The world was read as of this seq.
    pub opened: Seq,
    /// When.
    pub opened_at: Millis,
    /// The zone's UTC offset then, in minutes.
    pub offset: i64,
    /// The being that drives it, if any.
    pub driver: Option<BeingId>,
    /// The kind of mind that thinks.
    pub cognition: Cognition,
    /// The roles that it wears, and the clauses that chose them.
    pub stack: Vec<WornRole>,
    /// The one role composed of that.
    pub worn: Arc<Worn>,
    /// The orientation of the face.
    pub orientation: Orientation,
    /// How the moment closes without any thought: a brake holds, nothing can be worn, or the being has ended.
    pub verdict: Option<Closing>,
}

/// The mind that thinks in a moment: the run, replay, a trial and the history view all use this one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thinker {
    /// Nobody is asked: the moment closes by itself.
    Nobody,
    /// A person, who acts by a gesture or an answer.
    Person,
    /// A script, at once.
    Script,
    /// Somebody outside: a language model, or what a bridge reaches.
    Outside,
    /// Other beings, who are asked for their votes.
    Panel,
}

/// Dresses beings: evaluates flows into one stack that is reused, and composes each stack of role versions once.
#[derive(Default)]
pub struct Composer {
    stack: Stack,
    worn: BTreeMap<Vec<Hash>, Arc<Worn>>,
}

/// How many compositions are kept.
const WORN_MAX: usize = 4096;

impl Composer {
    /// The one role composed of a stack of roles as they are in force in a space.
    pub(super) fn worn(&mut self, world: &World, at: SpaceId, roles: &[WornRole]) -> Arc<Worn> {
        let registered: Vec<_> = roles.iter().filter_map(|worn| Some((world.role_at(&worn.role, at)?, worn.space))).collect();
        let place = |space: SpaceId| Hash::of(&space.to_canon());
        let key: Vec<Hash> = registered.iter().flat_map(|(role, space)| [Some(role.hash), space.map(place)]).flatten().collect();
        if let Some(worn) = self.worn.get(&key) {
            return worn.clone();
        }
        let specs: Vec<&Spec> = registered.iter().filter(|(_, space)| space.is_none()).map(|(role, _)| role.spec.as_ref()).collect();
        let own = compose(&specs).unwrap_or_else(Worn::nothing);
        let lent = registered.iter().filter_map(|(role, space)| Some((role.spec.as_ref(), (*space)?)));
        let worn = Arc::new(lent.fold(own, |worn, (spec, space)| worn.lend(space, spec)));
        if self.worn.len() >= WORN_MAX {
            self.worn.clear();
        }
        self.worn.insert(key, worn.clone());
        worn
    }

    /// Evaluates the flow and composes what it chose.
    pub(super) fn dress(&mut self, world: &World, being: &Being, context: &OpenContext<'_>, wake: &Wake) -> (Vec<WornRole>, Arc<Worn>) {
        // A sender of a webhook is nobody here, and wears what the setting of the bridge says; the flow of the bridge is its own.
        let sender = (wake.id.kind == WakeKind::Gesture).then(|| world.sender_role(being, context.cognition())).flatten();
        if let Some(role) = sender {
            let stack = vec![WornRole { role, clause: None, space: None }];
            let worn = self.worn(world, being.position, &stack);
            return (stack, worn);
        }
        let requested = wake.summons().and_then(|summons| summons.role.as_ref());
        world.dress(being, context, requested, &mut self.stack);
        let worn = |choice: &Choice| WornRole { role: choice.role.clone(), clause: choice.clause(), space: choice.space() };
        let stack: Vec<WornRole> = self.stack.choices().iter().map(worn).collect();
        let worn = self.worn(world, being.position, &stack);
        (stack, worn)
    }
}

/// Opens one moment of a being on the world as it is. A person's own act brings its call, which conditions may read.
pub fn open(world: &World, being: &Arc<Being>, wake: &Arc<Wake>, at: Millis, call: Option<&Call>, composer: &mut Composer) -> Opening {
    let wake = &world.rooted(being, wake);
    let context = OpenContext::new(world, being, wake, at, call);
    let (driver, cognition) = (being.driver_at(at), being.cognition_at(at));
    let (stack, worn) =
        if being.ended { (Vec::new(), composer.worn(world, being.position, &[])) } else { composer.dress(world, being, &context, wake) };
    let worn = narrowed(worn, wake.only());
    let verdict = verdict(world, being, wake, &context, &stack).or_else(|| unseen(world, being, wake, &worn, at));
    Opening {
        being: being.clone(),
        wake: wake.clone(),
        caller: wake.caller(),
        opened: world.next_seq(),
        opened_at: at,
        offset: context.local().offset,
        driver,
        cognition,
        orientation: wake.orientation().unwrap_or(worn.default_orientation),
        stack,
        worn,
        verdict,
    }
}

/// How a moment closes whose request nobody approved: it was declined, or not answered in time.
fn unapproved(world: &World, wake: &Wake, at: Millis) -> Option<Closing> {
    let approval = wake.approval.as_ref()?;
    match &approval.said {
        Some(ApprovalAnswer::Yes { .. }) => None,
        Some(ApprovalAnswer::No { by, why }) => Some(Closing::Refused(Reason::new(Code::ApprovalDeclined, declined(world, *by, why)))),
        None if at < approval.until => None,
        None => Some(Closing::DeadLetter(Reason::new(Code::ApprovalExpired, address_of(world, Thing::Being(approval.by))))),
    }
}

/// The being that declined a request, and why, as the place of the reason.
fn declined(world: &World, by: BeingId, why: &str) -> String {
    let by = address_of(world, Thing::Being(by));
    if why.is_empty() { by } else { format!("{by}: {why}") }
}

fn narrowed(worn: Arc<Worn>, only: Verbs) -> Arc<Worn> {
    if only.is_all() { worn } else { Arc::new(worn.narrow(only)) }
}

/// Why a moment closes before any mind is asked: in this order, the end of the being, a call that nobody heard the end of, the brakes,
/// nothing to wear.
fn verdict(world: &World, being: &Being, wake: &Wake, context: &OpenContext<'_>, stack: &[WornRole]) -> Option<Closing> {
    if being.ended || wake.id.kind == WakeKind::End {
        return Some(Closing::Ended);
    }
    // It was for whoever drove it then.
    if wake.quiet && context.cognition() == Cognition::Llm {
        return Some(Closing::See);
    }
    // A driver, or another mind from now on, may take up what its model has left.
    match context.cognition() {
        Cognition::Llm if world.ledger().held(being.id, &wake.id).is_some() => {
            return Some(failed(world, being, wake, Reason::new(Code::Unanswered, "")));
        }
        // A request of a bridge may have changed something: nobody makes it again unseen.
        Cognition::Bridge if world.ledger().held(being.id, &wake.id).is_some() => {
            return Some(Closing::DeadLetter(Reason::new(Code::Unanswered, "")));
        }
        _ => {}
    }
    let unapproved = || unapproved(world, wake, context.at());
    if let Some(unapproved) = (context.cognition() == Cognition::Bridge).then(unapproved).flatten() {
        return Some(unapproved);
    }
    let cap = |key: &str| world.count_setting(key, being);
    let brake = |code: Code, key: &str| Some(Closing::DeadLetter(Reason::new(code, key)));
    if u64::from(wake.depth) > cap("brakes.depth") {
        return brake(Code::BrakeDepth, "brakes.depth");
    }
    if wake.root.and_then(|root| world.root_count(root)).is_some_and(|count| count.moments >= cap("brakes.moments")) {
        return brake(Code::BrakeMoments, "brakes.moments");
    }
    let (continued, continues_max) = world.continued(being.id, wake.root);
    if wake.about().id.kind == WakeKind::SelfContinue && continued >= continues_max {
        return brake(Code::BrakeContinue, "brakes.continue");
    }
    if stack.is_empty() {
        return Some(bare(world, being, wake, context));
    }
    None
}

/// Judges a watch again when its moment opens: a being that may not see the thing by then has nothing to think about.
/// For a thing that is gone, the place where it lay is judged.
fn unseen(world: &World, being: &Being, wake: &Wake, worn: &Worn, at: Millis) -> Option<Closing> {
    let Body::Watch { target, place, .. } = &wake.about().body else { return None };
    let is_there = match target {
        Thing::Being(id) => world.being(*id).is_some_and(|being| !being.ended),
        Thing::Space(id) => world.space(*id).is_some(),
        Thing::Matter(id) => world.matter(*id).is_some(),
    };
    let thing = if is_there { *target } else { Thing::Space(*place) };
    let asker = Asker { world, actor: being, worn, caller: wake.caller(), at };
    asker.may_reach(Verb::See, thing).err().map(|_| Closing::See)
}

/// How a moment closes in which nothing can be worn: who would have something, were it in scope, keeps its wake.
fn bare(world: &World, being: &Being, wake: &Wake, context: &OpenContext<'_>) -> Closing {
    let requested = wake.summons().and_then(|summons| summons.role.as_ref());
    let undressed = || Reason::new(Code::Undressed, world.path_of(being.position));
    match (world.is_undressed_in(being, context, requested), wake.id.kind) {
        (false, _) => failed(world, being, wake, Reason::new(Code::NoRole, "")),
        // An act of one's own has no wake that could wait.
        (true, WakeKind::Gesture) => Closing::Refused(undressed()),
        (true, _) => Closing::Requeued(undressed()),
    }
}

/// A failed attempt; after the last one, a dead letter.
pub(super) fn failed(world: &World, being: &Being, wake: &Wake, reason: Reason) -> Closing {
    if is_last_attempt(world, being, wake) { Closing::DeadLetter(reason) } else { Closing::Failed(reason) }
}

/// Whether nothing is tried again for a wake if this attempt comes to nothing.
pub(super) fn is_last_attempt(world: &World, being: &Being, wake: &Wake) -> bool {
    u64::from(wake.failed) + 1 >= world.count_setting("attempts.max", being).max(1)
}

impl Opening {
    /// The same moment with some verbs alone of what is worn.
    pub fn narrowed(self, only: Verbs) -> Self {
        Self { worn: narrowed(self.worn, only), ..self }
    }

    /// The mind that thinks in it; nobody where the verdict is known already.
    pub fn thinker(&self) -> Thinker {
        match (&self.verdict, self.cognition) {
            (Some(_), _) => Thinker::Nobody,
            (None, Cognition::Human) => Thinker::Person,
            (None, Cognition::Script) => Thinker::Script,
            (None, Cognition::Llm) => Thinker::Outside,
            (None, Cognition::Bridge) if self.wake.summons().is_some_and(|summons| !summons.is_receipt()) => Thinker::Outside,
            (None, Cognition::Bridge) => Thinker::Nobody,
            (None, Cognition::Panel) => Thinker::Panel,
        }
    }

    /// Binds a call's target to a thing of the world as it was at opening.
    pub fn bind(&self, world: &World, call: &Call) -> Result<Named, Reason> {
        bind_target(world, &self.being, call, self.caller, self.opened_at)
    }

    /// Whether whoever woke it waits for an answer: a summons may say that none is wanted, and a role that it gives none.
    pub fn is_awaited(&self) -> bool {
        self.wake.summons().is_some_and(Summons::wants_answer) && self.worn.respond_mode == RespondMode::Async
    }

    /// Whether it is asked for its vote, and speaks to nobody else by it.
    pub fn votes(&self) -> bool {
        self.wake.summons().is_some_and(Summons::is_ballot)
    }

    /// The summons that an answer to its wake answers.
    pub fn answers(&self) -> Option<crate::fact::Made> {
        self.wake.answers()
    }

    /// The facts that the mind is given at once: who it is, what it wears, why it woke, what time it is.
    pub fn face(&self, world: &World) -> Value {
        let since = self.opened_at.saturating_sub(self.being.counted_from).max(0) / 1000;
        let me = world.being(self.being.id);
        Value::map([
            ("me", me.map_or(Value::Null, |me| describe_being(world, me, self.stack.iter().map(|worn| &worn.role), self.opened_at))),
            ("role", Value::from(&self.worn.name)),
            ("stack", Value::List(self.stack.iter().map(|worn| Value::from(&worn.role)).collect())),
            ("wake", world.told(&self.wake)),
            ("time", time_value(world, self.opened_at, since)),
            ("orientation", Value::from(self.orientation.word())),
        ])
    }

    /// The worn role's own words with their places filled in, within their budget.
    pub fn words(&self, world: &World) -> Result<String, Reason> {
        let context = OpenContext::new(world, &self.being, &self.wake, self.opened_at, None);
        let tokens = usize::try_from(world.count_setting(WORDS, &self.being)).unwrap_or(usize::MAX);
        self.worn.fit(&context.to_value(), tokens.saturating_mul(TOKEN))
    }

    /// Why the being wears what it wears: every clause, every condition, and the value it saw.
    pub fn trace(&self, world: &World, call: Option<&Call>) -> Trace {
        let context = OpenContext::new(world, &self.being, &self.wake, self.opened_at, call);
        let requested = self.wake.summons().and_then(|summons| summons.role.as_ref());
        world.explain_dress(&self.being, &context, requested)
    }
}
