//! Closing: momentum. A thought becomes a call, the call passes the gate or is refused, and the moment's draft is ready to be sealed.

use std::sync::Arc;

use crate::fact::{
    BeingId, Call, Closing, Code, Cognition, Content, Draft, Fact, Hash, KeyOf, Millis, Once, Reason, Seq, SpaceId, Spent, Summons, Text,
    Thing, Thought, Value, Verb, Verbs, WakeKind, WornRole, has_known_secret,
};
use crate::role::Worn;
use crate::verb::{Actor, Admitted, DRAFT_MAKE, Hands, Named, Performed};
use crate::world::{Being, Body, OpenContext, REPEAT, World, address_of};

use super::acting::{actor, behalf};
use super::open::{Composer, Opening, failed, is_last_attempt};
use super::poll::poll;
use super::receipt::{braked, cut_off, left_behind, receipt};

/// The answer of a mind.
#[derive(Clone, Debug)]
pub struct Answer {
    /// How it is recorded.
    pub thought: Thought,
    /// The call, with its target bound at opening; none: the being only looked.
    pub call: Option<(Call, Result<Named, Reason>)>,
    /// Why there is no call that could be judged.
    pub failure: Option<Reason>,
    /// Whether another attempt would fail alike.
    pub is_final: bool,
    /// The members of a panel that are to be asked before there is a call.
    pub asks: Vec<BeingId>,
    /// Whether the mind goes on with the same wake once it has seen what it looks at.
    pub goes_on: bool,
    /// How many further calls its reply held, which are left out.
    pub left: u64,
    /// Whether it answered in words that reach nobody, though somebody waits for an answer.
    pub unspoken: bool,
    /// The cost of asking, where somebody outside was asked.
    pub spent: Option<Spent>,
    /// The idempotency key of the act, where its sender gave one.
    pub once: Option<Once>,
    /// The resolvers that may fail and were asked.
    pub resolved: Vec<AskedResolver>,
    /// The request that has to be approved before it leaves.
    pub petition: Option<Box<Summons>>,
}

/// A resolver that may fail and was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedResolver {
    /// Its name.
    pub name: Text,
    /// Whether it failed.
    pub failed: bool,
}

/// The terms that a sender gives beside an act.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms {
    /// Its idempotency key.
    pub once: Option<Once>,
    /// The verbs to which it is narrowed.
    pub only: Verbs,
}

impl Answer {
    /// Nothing was asked of any mind.
    pub fn none() -> Self {
        Self {
            thought: Thought::None,
            call: None,
            failure: None,
            is_final: false,
            asks: Vec::new(),
            goes_on: false,
            left: 0,
            unspoken: false,
            spent: None,
            once: None,
            resolved: Vec::new(),
            petition: None,
        }
    }
}

/// A moment's draft of which nothing is known yet but how it was opened.
pub(super) fn blank(opening: &Opening, world: &World, at: Millis, thought: Thought) -> Draft {
    let being = world.being(opening.being.id).unwrap_or(&opening.being);
    Draft {
        world: world.id(),
        being: opening.being.id,
        n: being.next_n,
        prev: Hash::NOTHING,
        prev_seq: being.last_seq,
        seq: world.next_seq(),
        opened: opening.opened,
        opened_at: opening.opened_at,
        at,
        offset: opening.offset,
        driver: opening.driver,
        cognition: opening.cognition,
        attempt: opening.wake.failed + 1,
        wake: opening.wake.id.clone(),
        stack: opening.stack.clone(),
        worn: opening.worn.hash,
        thought,
        call: None,
        facts: Vec::new(),
        closing: Closing::See,
        intent: None,
    }
}

/// Closes a moment at an instant, on the world as it is: the draft has everything but its previous hash.
pub fn close(opening: &Opening, answer: Answer, world: &World, at: Millis, key_of: KeyOf<'_>, closer: &mut Closer) -> Draft {
    let mut draft = blank(opening, world, at, answer.thought);
    let (unspoken, left) = (answer.unspoken, answer.left);
    let unfit = answer.call.as_ref().and_then(|(call, _)| unfit(call));
    let own = matches!(opening.wake.id.kind, WakeKind::Gesture | WakeKind::End);
    let is_gone = !own && world.inbox().get(opening.being.id, &opening.wake.id).is_none();
    draft.closing = match (&opening.verdict, unfit, answer.failure, answer.call) {
        // Taken back, replaced or answered while a model thought: there is nothing left to act for, but what it cost is to be said.
        _ if is_gone => Closing::Requeued(Reason::new(Code::WakeGone, "")),
        (Some(verdict), ..) => verdict.clone(),
        // Nothing of such a call is recorded: the thought that made it can be thought again.
        (None, Some(reason), ..) => refused(opening, world, &draft.thought, reason),
        // No attempt was made that could have failed.
        (None, None, Some(reason), _) if reason.code == Code::Budget => Closing::Failed(reason),
        // Nobody is asked for it, now or later.
        (None, None, Some(reason), _) if reason.code == Code::BrakeCalls => Closing::DeadLetter(reason),
        // Nobody could be asked now: the wake waits, as it is.
        (None, None, Some(reason), _) if matches!(reason.code, Code::Outage | Code::ConnectionHeld | Code::GivenUp) => {
            Closing::Requeued(reason)
        }
        // The same would be said again.
        (None, None, Some(reason), _) if answer.is_final => Closing::DeadLetter(reason),
        (None, None, Some(reason), call) => {
            draft.call = call.map(|(call, _)| call);
            failed(world, world.being(opening.being.id).unwrap_or(&opening.being), &opening.wake, reason)
        }
        (None, None, None, None) if !answer.asks.is_empty() => asked(opening, &answer.asks, world, (&mut draft, key_of), closer),
        (None, None, None, None) => answer.petition.map_or(Closing::See, |asked| submitted(asked, world, &mut draft.facts)),
        (None, None, None, Some(called)) => {
            let (closing, call) = acted(opening, called, answer.goes_on, world, (&mut draft.facts, at, key_of), closer);
            draft.call = Some(call);
            judged(closing, opening, world, &draft.thought)
        }
    };
    end_repeats(opening, world, &mut draft);
    let spent = answer.spent.or_else(|| unheard(opening, world, &draft.closing));
    // Last, so that nothing that the moment makes is named otherwise for it.
    draft.facts.extend(spent.map(|spent| Fact::Spent(Box::new(spent))));
    draft.facts.extend(answer.once.map(Fact::Keyed));
    draft.facts.extend(Some(opening.worn.only).filter(|only| !only.is_all()).map(|only| Fact::Narrowed { only }));
    draft.facts.extend(resolved(opening, answer.resolved));
    draft.facts.extend(left_out(&draft.closing, left));
    if draft.facts.iter_mut().flat_map(Fact::contents_mut).any(|content| too_deep(content)) {
        draft.facts.retain(stands);
        draft.closing = refused(opening, world, &draft.thought, Reason::new(Code::ValueDepth, DEPTH.to_string()));
        end_repeats(opening, world, &mut draft);
    }
    draft.facts.extend(receipt(opening, world, &draft, unspoken, &mut closer.composer));
    draft.facts.extend(braked(opening, world, &draft));
    draft.facts.extend(cut_off(opening, world, &draft));
    draft.facts.extend(left_behind(opening, world, &draft));
    if let Some(size) = draft.oversize() {
        draft.facts.retain(stands);
        draft.closing = refused(opening, world, &draft.thought, Reason::new(Code::FrameSize, size.to_string()));
        end_repeats(opening, world, &mut draft);
        draft.facts.extend(receipt(opening, world, &draft, unspoken, &mut closer.composer));
    }
    draft.facts.extend(rekeyed(opening, world, key_of));
    draft
}

/// Gives a wake up whose being would make the same call with the same end once too often in its thread.
fn end_repeats(opening: &Opening, world: &World, draft: &mut Draft) {
    if world.root_of(draft.being, &opening.wake).is_some_and(|root| world.is_one_too_many(root, draft)) {
        draft.facts.retain(stands);
        draft.closing = Closing::DeadLetter(Reason::new(Code::BrakeRepeat, REPEAT));
    }
}

/// How a moment closes whose call is refused: a model hears why and tries again with the same wake, as long as it has attempts left.
fn refused(opening: &Opening, world: &World, thought: &Thought, reason: Reason) -> Closing {
    let being = world.being(opening.being.id).unwrap_or(&opening.being);
    let is_model = opening.cognition != Cognition::Bridge;
    let tries_again = is_model && matches!(thought, Thought::Model { .. }) && !is_last_attempt(world, being, &opening.wake);
    if tries_again { Closing::refused_try(&reason) } else { Closing::Refused(reason) }
}

/// How a moment closes whose call was judged. A bridge asks once, whoever drives it by now and whatever it may wear.
fn judged(closing: Closing, opening: &Opening, world: &World, thought: &Thought) -> Closing {
    match closing {
        Closing::Refused(reason) => refused(opening, world, thought, reason),
        Closing::Requeued(reason) if opening.cognition == Cognition::Bridge => Closing::DeadLetter(reason),
        closing => closing,
    }
}

/// The key of a being that has none yet in the fork that its world is; behind all else, so that a fork names things as its parent does.
pub(super) fn rekeyed(opening: &Opening, world: &World, key_of: KeyOf<'_>) -> Option<Fact> {
    let being = world.being(opening.being.id).unwrap_or(&opening.being);
    world.lacks_key(being).then(|| Fact::Rekeyed { key: key_of(being.id).key })
}

/// The closing of a call, and the call as it is recorded.
fn acted(
    opening: &Opening,
    (call, bound): (Call, Result<Named, Reason>),
    goes_on: bool,
    world: &World,
    (facts, at, key_of): (&mut Vec<Fact>, Millis, KeyOf<'_>),
    closer: &mut Closer,
) -> (Closing, Call) {
    let behalf = behalf(opening, world, &mut closer.composer);
    let (judged, is_read) = match actor(opening, &call, world, at, (key_of, behalf.as_deref())) {
        Ok(actor) => match actor.admit(&call, &bound) {
            Ok(admitted) => (judge(&actor, &admitted, opening, (&call, &bound), closer), call.verb != Verb::See),
            Err(reason) => (Err(reason), false),
        },
        Err(reason) => (Err(reason), false),
    };
    let closing = match judged {
        Ok(Performed::Seen) if goes_on => Closing::Requeued(Reason::new(Code::Looked, call.target.clone())),
        Ok(Performed::Seen) => Closing::See,
        Ok(Performed::Facts(done)) => {
            *facts = done;
            Closing::Act
        }
        Err(reason) => unmade(reason, opening, &call, world, at),
    };
    // A call that a rule read is kept whole; of any other, the unread parts are kept as a hash.
    (closing, if is_read { call } else { call.unread() })
}

/// Asks the members of a panel; the moment is requeued, or fails where they cannot be asked.
fn asked(opening: &Opening, members: &[BeingId], world: &World, (draft, key_of): (&mut Draft, KeyOf<'_>), closer: &mut Closer) -> Closing {
    match poll(opening, members, world, draft.at, key_of, (&mut closer.hands, &mut closer.composer)) {
        Ok(facts) => {
            draft.facts = facts;
            Closing::Requeued(Reason::new(Code::Asking, ""))
        }
        Err(reason) if reason.code == Code::DriverChanged => Closing::Requeued(reason),
        Err(reason) => failed(world, world.being(opening.being.id).unwrap_or(&opening.being), &opening.wake, reason),
    }
}

/// How a moment closes whose call came to nothing. Where a scope has changed since it opened, or the being was moved into another, what is out
/// of it now counts as a role that has changed, and who has nothing to wear any more keeps its wake. That somebody whom the call would
/// move had nothing to wear there is a refusal as any other.
fn unmade(reason: Reason, opening: &Opening, call: &Call, world: &World, at: Millis) -> Closing {
    let plain = |reason: Reason| if reason.code == Code::DriverChanged { Closing::Requeued(reason) } else { Closing::Refused(reason) };
    let Some(being) = world.being(opening.being.id).filter(|being| !being.ended) else { return plain(reason) };
    if world.scoped_at() < opening.opened && being.position == opening.being.position {
        return plain(reason);
    }
    if opening.wake.id.kind != WakeKind::Gesture && world.is_undressed(being, Some(&opening.wake), at) {
        return Closing::Requeued(Reason::new(Code::Undressed, world.path_of(being.position)));
    }
    plain(if reason.code == Code::GateScope { Reason::new(Code::RoleChanged, &call.action) } else { reason })
}

/// Asks somebody to approve a request, and has it wait for them.
fn submitted(petition: Box<Summons>, world: &World, facts: &mut Vec<Fact>) -> Closing {
    let whom = address_of(world, Thing::Being(petition.to));
    facts.push(Fact::Asked(petition));
    Closing::Requeued(Reason::new(Code::Approval, whom))
}

/// The cost of calls whose end nobody heard: a crash or a stop lay between, or the being has ended.
fn unheard(opening: &Opening, world: &World, closing: &Closing) -> Option<Spent> {
    let (ledger, being) = (world.ledger(), opening.being.id);
    let held = if *closing == Closing::Ended { ledger.held_by(being) } else { ledger.held(being, &opening.wake.id) };
    held.map(Spent::unheard)
}

/// The record of the calls that were left out behind one that was done.
fn left_out(closing: &Closing, count: u64) -> Option<Fact> {
    let is_done = match closing {
        Closing::Act | Closing::See => true,
        Closing::Requeued(reason) => reason.code == Code::Looked,
        Closing::Failed(_) | Closing::Refused(_) | Closing::DeadLetter(_) | Closing::Ended => false,
    };
    (is_done && count > 0).then_some(Fact::LeftOut { count })
}

/// The record of the resolvers that were asked: which failed, and which go well again.
fn resolved(opening: &Opening, asked: Vec<AskedResolver>) -> impl Iterator<Item = Fact> {
    let told = asked.into_iter().filter(|asked| asked.failed || opening.being.brakes.resolvers.contains_key(&asked.name));
    told.map(|AskedResolver { name, failed }| Fact::Resolved { resolver: name, failed })
}

/// Whether a fact stands even where the act fails: the cost of asking, the idempotency key, the narrowing and what became of resolvers do.
fn stands(fact: &Fact) -> bool {
    matches!(fact, Fact::Spent(_) | Fact::Keyed(_) | Fact::Narrowed { .. } | Fact::Resolved { .. })
}

/// The deepest value that a call or a fact may carry: well below what any reader of frames takes, since frames wrap values.
const DEPTH: usize = 24;
/// The longest target, action and words of a call, in bytes.
const NAME_MAX: usize = 1024;
const WORDS_MAX: usize = 64 * 1024;

fn too_deep(content: &Content) -> bool {
    matches!(content, Content::Here(value) if value.depth() > DEPTH)
}

/// The keys of a connection or a bridge that name a secret where it lies.
const SECRETS: [&str; 2] = ["key", "secret"];

/// Whether a call would write a secret into history: a key of a connection is named where it lies, and no address carries one.
fn tells_a_secret(call: &Call) -> bool {
    let Content::Here(args) = &call.args else { return false };
    if call.action.as_ref() == DRAFT_MAKE {
        let action = args.get("action").and_then(Value::as_str).unwrap_or_default();
        return action != DRAFT_MAKE && tells_a_secret(&Call::doing("", action, args.get("args").cloned().unwrap_or_default()));
    }
    if call.action.as_ref() != "config.set" {
        return false;
    }
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let setting = text(args.get("key")).unwrap_or_default();
    // A connection is one setting. To set its key by itself would be refused, and the refusal would keep the key.
    let is_outside = ["llm.", "bridge."].iter().any(|family| setting.starts_with(family));
    let is_secret = |value: Option<&Value>| text(value).is_some_and(|value| !value.starts_with("env:"));
    let is_key = is_outside && SECRETS.iter().any(|name| setting.ends_with(&format!(".{name}"))) && is_secret(args.get("value"));
    if is_key || has_known_secret(&args.to_string()) {
        return true;
    }
    let connection = args.get("value").filter(|_| is_outside);
    let key = SECRETS.iter().any(|name| is_secret(connection.and_then(|value| value.get(name))));
    let mut urls = ["base_url", "url"].iter().filter_map(|name| text(connection.and_then(|value| value.get(name))));
    key || urls.any(|url| url.split('/').nth(2).is_some_and(|host| host.contains('@')))
}

/// Why a call cannot stand in a frame at all, if it cannot. The proposal of a person or a program is checked before its moment opens.
pub fn unfit(call: &Call) -> Option<Reason> {
    let too_long =
        call.target.len() > NAME_MAX || call.action.len() > NAME_MAX || call.content.as_ref().is_some_and(|text| text.len() > WORDS_MAX);
    if tells_a_secret(call) {
        return Some(Reason::new(Code::Secret, "/value"));
    }
    match (too_deep(&call.args), too_long) {
        (true, _) => Some(Reason::new(Code::ArgsDepth, DEPTH.to_string())),
        (false, true) => Some(Reason::new(Code::CallLength, "")),
        (false, false) => None,
    }
}

/// The state that closing keeps from one moment to the next.
pub struct Closer {
    /// Schemas and the sandbox for operations.
    pub hands: Hands,
    /// For a stack that must be computed again.
    pub composer: Composer,
}

/// The gate, with the role worn at opening; and again with the role worn now, if what binds the being has changed meanwhile.
fn judge(
    actor: &Actor<'_>,
    admitted: &Admitted<'_>,
    opening: &Opening,
    (call, bound): (&Call, &Result<Named, Reason>),
    closer: &mut Closer,
) -> Result<Performed, Reason> {
    let (world, being, at) = (actor.world, actor.being, actor.at);
    let gesture = matches!(opening.wake.body, Body::Gesture).then_some(call);
    let outcome = match still_worn(actor, opening, gesture, &mut closer.composer)? {
        None => admitted.perform(&mut closer.hands)?,
        Some((fallen, rest)) => {
            let now = Actor { worn: &rest, ..*actor };
            // A call that the whole stack would not have allowed either has a reason of its own.
            let missing =
                |closer: &mut Closer| admitted.perform(&mut closer.hands).err().unwrap_or_else(|| Reason::new(Code::GateRoleWhen, fallen));
            now.perform(call, bound, &mut closer.hands).map_err(|_| missing(closer))?
        }
    };
    let is_new = |worn: &WornRole| world.role_at(&worn.role, being.position).is_none_or(|role| role.made.seq >= opening.opened);
    // Where spaces have versions of their own, an older one may have come into force by a step, or by a newer being taken back.
    let is_other = |composer: &mut Composer| composer.worn(world, being.position, &opening.stack).hash != opening.worn.hash;
    let is_lent_no_more = |worn: &WornRole| worn.space.is_some_and(|space| !still_lends(world, being, space, opening.opened));
    let roles_changed = opening.stack.iter().any(|worn| is_new(worn) || is_lent_no_more(worn))
        || (!world.registry().local_roles.is_empty() && is_other(&mut closer.composer));
    if being.bound_at >= opening.opened || roles_changed {
        let context = OpenContext::new(world, being, &opening.wake, at, gesture);
        let (_, worn) = closer.composer.dress(world, being, &context, &opening.wake);
        let worn = worn.narrow(opening.worn.only);
        let now = Actor { worn: &worn, ..*actor };
        if now.perform(call, bound, &mut closer.hands).is_err() {
            let place = if call.verb == Verb::See { call.target.clone() } else { call.action.clone() };
            return Err(Reason::new(Code::RoleChanged, place));
        }
    }
    Ok(outcome)
}

/// The role whose own `when` holds no more, and what is worn without those of which that is so; nothing where all still hold.
type Fallen = (Text, Arc<Worn>);

/// Asks the roles of the stack that guard themselves once more; without the primary nothing is done.
fn still_worn(actor: &Actor<'_>, opening: &Opening, gesture: Option<&Call>, composer: &mut Composer) -> Result<Option<Fallen>, Reason> {
    let (world, being) = (actor.world, actor.being);
    let guard = |worn: &WornRole| world.role_at(&worn.role, being.position).and_then(|role| role.spec.when.as_ref());
    if opening.stack.iter().all(|worn| guard(worn).is_none()) {
        return Ok(None);
    }
    let context = OpenContext::new(world, being, &opening.wake, actor.at, gesture);
    let holds = |worn: &&WornRole| guard(worn).is_none_or(|guard| guard.holds(&context));
    let Some(fallen) = opening.stack.iter().find(|worn| !holds(worn)).map(|worn| worn.role.clone()) else { return Ok(None) };
    if opening.stack.first().is_none_or(|primary| !holds(&primary)) {
        return Err(Reason::new(Code::GateRoleWhen, fallen));
    }
    let rest: Vec<WornRole> = opening.stack.iter().filter(holds).cloned().collect();
    let worn = composer.worn(world, being.position, &rest).narrow(opening.worn.only);
    Ok(Some((fallen, Arc::new(worn))))
}

/// Whether a space still lends what its flow lent when a moment opened: the being stands inside, and the flow is the same.
fn still_lends(world: &World, being: &Being, space: SpaceId, opened: Seq) -> bool {
    let is_inside = world.upward(being.position).any(|around| around.id == space);
    let flow = world.space(space).and_then(|space| space.flow.as_ref());
    is_inside && flow.is_some_and(|flow| flow.made.seq < opened)
}
