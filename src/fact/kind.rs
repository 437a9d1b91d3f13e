//! The kinds of fact: each is one change to one thing, and together they are the only writes there are.
//!
//! A kind's code is its place in the byte format and is never given to another. A fact does not change a field that it leaves out.

use serde::Serialize;

use super::act::Content;
use super::canon::{canon_enum, canon_struct};
use super::id::{BeingId, Hash, Made, MatterId, Millis, Seq, SpaceId, Thing};
use super::keys::Signature;
use super::mind::{Answering, Cognition, Orientation, Rank};
use super::panel::Panel;
use super::spend::{Settled, Spend, Spent};
use super::value::Text;
use super::verbs::Verbs;
use super::wake_kind::WakeKind;
use super::worn::WornRole;

/// A place on a space's grid; each axis counts from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
pub struct Coords {
    /// Along the first axis.
    pub x: i64,
    /// Along the second axis.
    pub y: i64,
    /// Along the third axis; 0 on a flat grid.
    pub z: i64,
}

/// Everything that a being is born with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Birth {
    /// Unique among the living and the ended.
    pub name: Text,
    /// Its parent; only `@world` has none.
    pub parent: Option<BeingId>,
    /// Where it lives, and where it stands at first.
    pub home: SpaceId,
    /// Where on the home's grid it stands.
    pub coords: Option<Coords>,
    /// The kind of mind that turns its face into a thought.
    pub cognition: Cognition,
    /// The script that thinks for it, unless its worn role names another.
    pub script: Option<Text>,
    /// The role it wears when no clause of its flow matches.
    pub default_role: Option<Text>,
    /// Its flow, as written; an empty list wears the default role only.
    pub flow: Content,
    /// The roles it may give to others, as globs.
    pub grants: Vec<Text>,
    /// Its first qualities: a map of namespaces.
    pub qualities: Content,
    /// Its public key: recorded, because it comes from outside.
    pub key: Hash,
    /// The signature that lets the seals of its world answer for its frames; null where each frame carries its own signature.
    pub delegation: Option<Signature>,
}

/// A message by which one being wakes another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Summons {
    /// The being that is summoned.
    pub to: BeingId,
    /// What is said.
    pub content: Content,
    /// Its purpose, such as `ask` or `order`.
    pub intent: Option<Text>,
    /// How urgent it is.
    pub rank: Rank,
    /// The summons that this one answers.
    pub in_reply_to: Option<Made>,
    /// The orientation of the recipient's moment.
    pub orientation: Option<Orientation>,
    /// The role asked for; honoured only if the recipient's flow or default names it.
    pub role: Option<Text>,
    /// The primary that the caller wore.
    pub caller_role: Option<Text>,
    /// All that the caller wore, the primary first: who acts for the caller writes nothing that the caller could not.
    pub stack: Vec<WornRole>,
    /// The verbs to which the recipient's moment is narrowed.
    pub only: Verbs,
    /// Whether an answer is wanted.
    pub answer: Answering,
    /// Until when it is wanted, where that is said.
    pub until: Option<Millis>,
    /// The verbs to which the moment of whoever summons was narrowed: what answers them leads back to these, and not to more.
    pub caller_only: Verbs,
}

/// When a schedule is due.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Timing {
    /// Every so many milliseconds after it was set.
    Every {
        /// The interval, in milliseconds.
        ms: Millis,
        /// How long after the setting the first interval begins, in milliseconds.
        offset: Millis,
    },
    /// At the instants of a cron expression, in the world's zone.
    Cron {
        /// Five fields: minute, hour, day of month, month, day of week.
        expression: Text,
    },
    /// Once.
    At {
        /// The instant.
        at: Millis,
    },
}

/// One change to one thing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "fact", rename_all = "kebab-case")]
pub enum Fact {
    /// A being is born; it is named by this fact.
    Born(Box<Birth>),
    /// A being, space or piece of matter ends.
    Ended {
        /// Which.
        of: Thing,
    },
    /// A space is made; it is named by this fact. The root has no parent.
    SpaceMade {
        /// Its name, unique in its parent.
        name: Text,
        /// Where it lies.
        parent: Option<SpaceId>,
        /// Its type.
        kind: Text,
        /// How far its grid reaches along each axis; none: it has no grid.
        size: Option<Coords>,
        /// Where it lies on its parent's grid.
        coords: Option<Coords>,
        /// Its owner; none: the owner of the nearest owned space above.
        owner: Option<BeingId>,
    },
    /// Matter is made; it is named by this fact.
    MatterMade {
        /// Its name.
        name: Text,
        /// Its type.
        kind: Text,
        /// What holds it.
        place: Thing,
        /// Where on a grid it lies.
        coords: Option<Coords>,
        /// What it is.
        content: Content,
    },
    /// A space or matter is given another name or type.
    Named {
        /// Which.
        of: Thing,
        /// Its name from now on.
        name: Text,
        /// Its type from now on.
        kind: Text,
    },
    /// A space's grid is given another size, or none.
    Sized {
        /// Which.
        space: SpaceId,
        /// How far it reaches.
        size: Option<Coords>,
    },
    /// A thing is moved, along a grid or into another holder.
    Moved {
        /// Which.
        of: Thing,
        /// Its holder from now on.
        to: Thing,
        /// Where on the grid.
        coords: Option<Coords>,
    },
    /// Matter is given other content.
    Filled {
        /// Which.
        matter: MatterId,
        /// Its content from now on.
        content: Content,
    },
    /// A quality is set.
    QualitySet {
        /// Whose.
        of: Thing,
        /// `<namespace>.<key…>`.
        path: Text,
        /// Its value from now on.
        value: Content,
    },
    /// A quality is removed.
    QualityUnset {
        /// Whose.
        of: Thing,
        /// `<namespace>.<key…>`.
        path: Text,
    },
    /// A number is added to a quality; a missing one counts as 0.
    QualityInc {
        /// Whose.
        of: Thing,
        /// `<namespace>.<key…>`.
        path: Text,
        /// The number.
        by: Content,
    },
    /// A value is put at the end of a list.
    QualityPush {
        /// Whose.
        of: Thing,
        /// `<namespace>.<key…>`.
        path: Text,
        /// The value.
        value: Content,
        /// How many of the newest items are kept; none: all.
        keep: Option<u32>,
    },
    /// A signal is published; null takes it back.
    Signalled {
        /// `<namespace>.<key…>`.
        path: Text,
        /// Its value from now on.
        value: Content,
    },
    /// Something is said, for all in the space to hear.
    Said {
        /// Where.
        space: SpaceId,
        /// What.
        content: Text,
    },
    /// A role is given a (new) version; null takes it back.
    RoleSet {
        /// Which.
        name: Text,
        /// Where it comes from: `world` or an extension.
        origin: Text,
        /// The role as written.
        role: Content,
    },
    /// A script is given a (new) version.
    ScriptSet {
        /// Which.
        name: Text,
        /// The file it was read from, for messages.
        file: Text,
        /// Its text.
        source: Content,
    },
    /// An extension is given a (new) version, enabled or disabled.
    ExtensionSet {
        /// Which.
        name: Text,
        /// Whether its operations and resolvers can be used.
        enabled: bool,
        /// The manifest of all that it provides; null keeps the one it has.
        manifest: Content,
    },
    /// The world is given a rule of its own, or another in its place; null takes it back.
    RuleSet {
        /// Which.
        name: Text,
        /// The rule as written, or null.
        rule: Content,
    },
    /// A value of the world's own configuration is set.
    ConfigSet {
        /// Which.
        key: Text,
        /// Its value from now on.
        value: Content,
    },
    /// A setting is said at a space or a being; null takes it back.
    ConfigSetIn {
        /// Where.
        of: Thing,
        /// Which.
        key: Text,
        /// Its value from now on, or null.
        value: Content,
    },
    /// A being is given another flow.
    FlowSet {
        /// Whose.
        being: BeingId,
        /// The flow as written.
        flow: Content,
    },
    /// A being is given another default role.
    DefaultRoleSet {
        /// Whose.
        being: BeingId,
        /// Which.
        role: Option<Text>,
    },
    /// A being is given another cognition or script.
    CognitionSet {
        /// Whose.
        being: BeingId,
        /// Which.
        cognition: Cognition,
        /// The script that thinks for it.
        script: Option<Text>,
    },
    /// A being is given other grants.
    Granted {
        /// Who.
        being: BeingId,
        /// The roles it may give to others, as globs.
        grants: Vec<Text>,
    },
    /// A being is given another home.
    HomeSet {
        /// Whose.
        being: BeingId,
        /// Where.
        home: SpaceId,
    },
    /// A space is given another owner, or none of its own.
    OwnerSet {
        /// Which.
        space: SpaceId,
        /// Who.
        owner: Option<BeingId>,
    },
    /// A being becomes a contributor of a space, or is one no more.
    ContributorSet {
        /// Which.
        space: SpaceId,
        /// Who.
        being: BeingId,
        /// Whether it is one from now on.
        yes: bool,
    },
    /// A space's allow list is replaced.
    AllowSet {
        /// Which.
        space: SpaceId,
        /// The actions that anybody may do on things there, as globs.
        allow: Vec<Text>,
    },
    /// A schedule is set; one of the same name is replaced.
    ScheduleSet {
        /// Whom it wakes.
        being: BeingId,
        /// Its name, unique for the being.
        name: Text,
        /// When it is due.
        timing: Timing,
        /// The content of the wake.
        content: Content,
        /// How urgent its wakes are.
        rank: Rank,
    },
    /// A schedule ends.
    ScheduleEnded {
        /// Whose.
        being: BeingId,
        /// Which.
        name: Text,
    },
    /// A being, a space or, with none, the world pauses.
    Paused {
        /// What.
        of: Option<Thing>,
        /// Whether a space is frozen too: nobody changes anything in it.
        writes: bool,
    },
    /// A being, a space or, with none, the world goes on.
    Resumed {
        /// What.
        of: Option<Thing>,
    },
    /// A being drives a descendant until an instant.
    Inhabited {
        /// Who is driven.
        being: BeingId,
        /// Who drives.
        driver: BeingId,
        /// Until when, unless renewed.
        until: Millis,
    },
    /// A being is driven no more.
    Released {
        /// Which.
        being: BeingId,
    },
    /// A dead letter is opened again.
    Requeued {
        /// Whose.
        being: BeingId,
        /// The wake's cause.
        cause: Made,
        /// The wake's kind.
        kind: WakeKind,
    },
    /// A model is about to be asked: what that can cost at most is held back until the moment closes.
    Reserved(Box<Spend>),
    /// A model has been asked: what it has cost.
    Spent(Box<Spent>),
    /// A role has a version of its own in a space and those inside it, before the world's; null takes it back.
    RoleSetIn {
        /// Where.
        space: SpaceId,
        /// Its name.
        name: Text,
        /// Where it comes from.
        origin: Text,
        /// The role as written, or null.
        role: Content,
    },
    /// The act was sent under a key by which it is known again: it is done once.
    Keyed(Once),
    /// A being is summoned.
    Asked(Box<Summons>),
    /// A thread is cut: what of it is open becomes dead letters.
    Cut {
        /// The fact with which it began.
        root: Made,
        /// The being whose wakes are cut; none: everybody's.
        whose: Option<BeingId>,
    },
    /// A request of a bridge that waited to be approved may leave.
    Approved {
        /// Of which bridge.
        bridge: BeingId,
        /// The cause of its wake.
        wake: Made,
        /// The hash of the bytes.
        request: Hash,
    },
    /// A request of a bridge that waited to be approved may not leave.
    Declined {
        /// Of which bridge.
        bridge: BeingId,
        /// The cause of its wake.
        wake: Made,
        /// The hash of the bytes.
        request: Hash,
        /// Why, in the words of whoever declines.
        why: Text,
    },
    /// A thing is claimed, or a claim on it is renewed: until an instant nobody but the holder changes it, or what lies in it.
    Claimed {
        /// Which.
        of: Thing,
        /// The holder.
        by: BeingId,
        /// Until when, unless renewed.
        until: Millis,
        /// The purpose, in the holder's words.
        why: Text,
    },
    /// A claim ends before its time.
    ClaimEnded {
        /// On which thing.
        of: Thing,
    },
    /// The reply of a model held further calls behind the one that was done: a moment does one.
    LeftOut {
        /// How many.
        count: u64,
    },
    /// The act was judged with these verbs alone of what its being wears.
    Narrowed {
        /// Which.
        only: Verbs,
    },
    /// History that was acknowledged is gone, and the world goes on without it.
    LossAccepted {
        /// The seq of the first frame that is gone; frames that came later have taken its place.
        from: Seq,
        /// How many groups are gone.
        groups: u64,
    },
    /// A process owns the world from now on, whose history a copy outside keeps.
    Owned {
        /// Counts the owners.
        epoch: u64,
        /// The owner: a host and a directory.
        by: Text,
    },
    /// A space is given another flow, which stacks roles on whoever stands inside; an empty one takes it back.
    FlowSetIn {
        /// Whose.
        space: SpaceId,
        /// The flow as written.
        flow: Content,
    },
    /// An act is drawn up, as matter of the type `draft`, to be done by an act of its own; this fact names the matter.
    Drafted {
        /// Who holds it.
        holder: BeingId,
        /// Its name.
        name: Text,
        /// The action, its target and arguments, what it was drawn up against, and the hash of all that.
        content: Content,
    },
    /// A model was asked for a trial, for which an earlier frame of the same being held something back: what it has cost.
    Settled(Box<Settled>),
    /// The being whose frame it is has another key from this frame on: its world is a fork, and this is its first frame there.
    Rekeyed {
        /// The public key.
        key: Hash,
    },
    /// The world was opened again.
    Reopened {
        /// When its last frame before that had closed.
        since: Millis,
    },
    /// A resolver that its role can do without failed, or goes well again.
    Resolved {
        /// Its name.
        resolver: Text,
        /// Whether it failed.
        failed: bool,
    },
    /// A being that thinks by asking others is told whom.
    PanelSet {
        /// Which.
        being: BeingId,
        /// Its members, and how their votes decide.
        panel: Box<Panel>,
    },
}

/// The idempotency key of an act: the act is done once however often it is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Once {
    /// The hash of who sent it and of the key that they gave it.
    pub key: Hash,
    /// The hash of what was asked.
    pub asked: Hash,
}

canon_struct!(Once { key, asked });
canon_struct!(Coords { x, y, z });
canon_struct!(Birth { name, parent, home, coords, cognition, script, default_role, flow, grants, qualities, key, delegation });
impl Summons {
    /// The intent of a receipt: what a moment that acts for its asker tells them at its end. No call can have it.
    pub const RECEIPT: &str = "receipt";

    /// The intent of what a panel asks its members. No call can have it.
    pub const BALLOT: &str = "ballot";

    /// The intent of what a bridge asks whoever has to approve a request. No call can have it.
    pub const PETITION: &str = "approval";

    /// The intents that only the world writes.
    pub const OWN: &[&str] = &[Self::RECEIPT, Self::BALLOT, Self::PETITION];

    /// Words that somebody is told, and that want no answer.
    pub fn told(to: BeingId, content: impl Into<Content>) -> Self {
        Self {
            to,
            content: content.into(),
            intent: None,
            rank: Rank::Normal,
            in_reply_to: None,
            orientation: None,
            role: None,
            caller_role: None,
            stack: Vec::new(),
            only: Verbs::ALL,
            answer: Answering::None,
            until: None,
            caller_only: Verbs::ALL,
        }
    }

    /// Whether a panel asks for a vote.
    pub fn is_ballot(&self) -> bool {
        self.intent.as_deref() == Some(Self::BALLOT)
    }

    /// Whether a bridge asks for an approval.
    pub fn is_petition(&self) -> bool {
        self.intent.as_deref() == Some(Self::PETITION)
    }

    /// Whether it is a receipt.
    pub fn is_receipt(&self) -> bool {
        self.intent.as_deref() == Some(Self::RECEIPT)
    }

    /// Whether whoever summons waits for an answer.
    pub fn wants_answer(&self) -> bool {
        self.answer == Answering::Wanted
    }
}

canon_struct!(Summons { to, content, intent, rank, in_reply_to, orientation, role, caller_role, stack, only, answer, until, caller_only });
canon_enum!(Timing { 0 => Every { ms, offset }, 1 => Cron { expression }, 2 => At { at } });
canon_enum!(Fact {
    0 => Born(birth),
    1 => Ended { of },
    2 => SpaceMade { name, parent, kind, size, coords, owner },
    3 => MatterMade { name, kind, place, coords, content },
    4 => Named { of, name, kind },
    5 => Sized { space, size },
    6 => Moved { of, to, coords },
    7 => Filled { matter, content },
    8 => QualitySet { of, path, value },
    9 => QualityUnset { of, path },
    10 => QualityInc { of, path, by },
    11 => QualityPush { of, path, value, keep },
    12 => Signalled { path, value },
    14 => Said { space, content },
    15 => RoleSet { name, origin, role },
    16 => ScriptSet { name, file, source },
    17 => ExtensionSet { name, enabled, manifest },
    18 => ConfigSet { key, value },
    19 => FlowSet { being, flow },
    20 => DefaultRoleSet { being, role },
    21 => CognitionSet { being, cognition, script },
    22 => Granted { being, grants },
    23 => HomeSet { being, home },
    24 => OwnerSet { space, owner },
    25 => ContributorSet { space, being, yes },
    26 => AllowSet { space, allow },
    27 => ScheduleSet { being, name, timing, content, rank },
    28 => ScheduleEnded { being, name },
    29 => Paused { of, writes },
    30 => Resumed { of },
    31 => Inhabited { being, driver, until },
    32 => Released { being },
    33 => Requeued { being, cause, kind },
    34 => Reserved(spend),
    35 => Spent(spent),
    36 => RoleSetIn { space, name, origin, role },
    37 => Settled(settled),
    38 => Keyed(once),
    39 => ConfigSetIn { of, key, value },
    40 => Asked(summons),
    41 => Claimed { of, by, until, why },
    42 => ClaimEnded { of },
    43 => Approved { bridge, wake, request },
    44 => Declined { bridge, wake, request, why },
    48 => Cut { root, whose },
    49 => Rekeyed { key },
    50 => RuleSet { name, rule },
    51 => FlowSetIn { space, flow },
    52 => Drafted { holder, name, content },
    53 => LossAccepted { from, groups },
    54 => Narrowed { only },
    55 => PanelSet { being, panel },
    56 => Reopened { since },
    57 => Resolved { resolver, failed },
    58 => LeftOut { count },
    59 => Owned { epoch, by },
}, reserved {
    45 => "PeerSet",
    46 => "Landed",
    47 => "Erased",
});

/// The values that a fact carries and that may be large: `&` lends them, `&mut` lets them be replaced.
macro_rules! contents {
    ($fact:expr, $($by:tt)+) => {
        match $fact {
                Self::Born(birth) => vec![$($by)+ birth.flow, $($by)+ birth.qualities],
                Self::Asked(summons) => vec![$($by)+ summons.content],
                Self::MatterMade { content, .. }
                | Self::Drafted { content, .. }
                | Self::Filled { content, .. }
                | Self::ScheduleSet { content, .. } => vec![content],
                Self::QualitySet { value, .. }
                | Self::QualityPush { value, .. }
                | Self::Signalled { value, .. }
                | Self::ConfigSet { value, .. }
                | Self::ConfigSetIn { value, .. } => {
                    vec![value]
                }
                Self::RoleSet { role, .. } | Self::RoleSetIn { role, .. } => vec![role],
                Self::RuleSet { rule, .. } => vec![rule],
                Self::ScriptSet { source, .. } => vec![source],
                Self::ExtensionSet { manifest, .. } => vec![manifest],
                Self::FlowSet { flow, .. } | Self::FlowSetIn { flow, .. } => vec![flow],
                Self::QualityInc { by, .. } => vec![by],
                Self::Ended { .. }
                | Self::SpaceMade { .. }
                | Self::Named { .. }
                | Self::Sized { .. }
                | Self::Moved { .. }
                | Self::QualityUnset { .. }
                | Self::Said { .. }
                | Self::DefaultRoleSet { .. }
                | Self::CognitionSet { .. }
                | Self::PanelSet { .. }
                | Self::Granted { .. }
                | Self::HomeSet { .. }
                | Self::OwnerSet { .. }
                | Self::ContributorSet { .. }
                | Self::AllowSet { .. }
                | Self::ScheduleEnded { .. }
                | Self::Paused { .. }
                | Self::Resumed { .. }
                | Self::Inhabited { .. }
                | Self::Released { .. }
                | Self::Requeued { .. }
                | Self::Cut { .. }
                | Self::Claimed { .. }
                | Self::ClaimEnded { .. }
                | Self::LeftOut { .. }
                | Self::Approved { .. }
                | Self::Declined { .. }
                | Self::Reserved(_)
                | Self::Spent(_)
                | Self::Settled(_)
                | Self::Keyed(_)
                | Self::LossAccepted { .. }
                | Self::Owned { .. }
                | Self::Reopened { .. }
                | Self::Rekeyed { .. }
                | Self::Resolved { .. }
                | Self::Narrowed { .. } => Vec::new(),
        }
    };
}

impl Fact {
    /// The values that it carries and that may be large.
    pub fn contents(&self) -> Vec<&Content> {
        contents!(self, &)
    }

    /// The same, where they are replaced by references to blobs.
    pub fn contents_mut(&mut self) -> Vec<&mut Content> {
        contents!(self, &mut)
    }
}
