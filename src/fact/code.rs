//! Codes: the closed list of why something was refused, failed or goes on, with a sentence for each.
//!
//! A code is sealed as its word. Nothing else decides by a reason: the place beside it is for people, and what an engine or a server said
//! stays outside the seal. The docs, `/api/codes` and the page are made from this list.

use std::fmt;
use std::str::FromStr;

use super::canon::{Canon, CanonError, Reader, Writer};
use super::value::Text;
use super::words::UnknownWord;

/// The class of a code; callers that treat several codes alike match on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CodeKind {
    /// The gate said no: a role, a place, lineage, grants, or who drives.
    Gate,
    /// The call cannot be carried out as it is written, or on the world as it is.
    Call,
    /// The arguments do not fit.
    Args,
    /// A script or a template failed.
    Script,
    /// No mind could be asked.
    Mind,
    /// A brake holds.
    Brake,
    /// An endpoint was not reached, so nothing was spent.
    Endpoint,
    /// A model or a bridge was asked, and the reply is of no use.
    Reply,
    /// No fault: how a moment goes on.
    Beat,
    /// A surface turned a request away; nothing of it is recorded.
    Door,
}

impl CodeKind {
    /// The advice for people on codes of this kind.
    pub const fn todo(self) -> &'static str {
        match self {
            Self::Gate => "wear a role that lists it, act where there is a right to, or ask somebody who may",
            Self::Call => "look at what it names as it is now, and call again",
            Self::Args => "look at which arguments the operation takes, and call again",
            Self::Script => "mend the script or the template; `reelm explain` opens the moment again",
            Self::Mind => "look at the being's flow, its connection and its budgets",
            Self::Brake => "begin a new chain by a gesture, or set the brake higher",
            Self::Endpoint => "look at the connection: its address, its key, and the hosts that may be reached",
            Self::Reply => "look at the raw reply in the moment; the wake is tried again as often as `attempts.max` says",
            Self::Beat => "nothing: the wake goes on by itself",
            Self::Door => "do what the message says, and ask again",
        }
    }
}

macro_rules! codes {
    ($($word:literal => $case:ident, $kind:ident, $sentence:literal;)*) => {
        /// Why something was refused, failed or goes on.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Code { $(#[doc = $sentence] $case),* }

        impl Code {
            /// Every code, in the order of the list.
            pub const ALL: &[Self] = &[$(Self::$case),*];

            /// The word for it, as it is sealed.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$case => $word),* }
            }

            /// Its meaning, as a sentence for people.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$case => $sentence),* }
            }

            /// Its class.
            pub const fn kind(self) -> CodeKind {
                match self { $(Self::$case => CodeKind::$kind),* }
            }
        }

        impl FromStr for Code {
            type Err = UnknownWord;
            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                match text {
                    $($word => Ok(Self::$case),)*
                    _ => Err(UnknownWord { list: "code", found: text.to_owned(), known: "those in docs/CODES.md".to_owned() }),
                }
            }
        }
    };
}

codes! {
    "gate-role" => GateRole, Gate, "the role that is worn does not list this";
    "gate-role-when" => GateRoleWhen, Gate, "a role of the stack guards itself, what it asks for holds no more, and without it this is not allowed";
    "gate-narrowed" => GateNarrowed, Gate, "the token, or whoever asks, allows other verbs only than this one";
    "gate-place" => GatePlace, Gate, "there is no right at this place: whoever acts neither owns it nor contributes to it, and the place does not allow this to everybody";
    "gate-owner" => GateOwner, Gate, "only the owner of the ground may do this; taking it back is also for the owner of the ground above";
    "gate-lineage" => GateLineage, Gate, "only an ancestor of the being may do this";
    "gate-oneself" => GateOneself, Gate, "only the being itself may do this";
    "gate-holder" => GateHolder, Gate, "only whoever holds the thing may do this";
    "gate-grants" => GateGrants, Gate, "one's own grants do not cover this role";
    "gate-clause" => GateClause, Gate, "a being has this role only by a clause of its flow, and the new clause asks for less than that one";
    "gate-author" => GateAuthor, Gate, "who has no right at the root writes into a role only what they wear themselves, or may give";
    "gate-operator" => GateOperator, Gate, "only the operator of the world may do this";
    "gate-authority" => GateAuthority, Gate, "authority is changed only by its own operations, never by a step of another";
    "gate-draft" => GateDraft, Gate, "who acts for others and thinks with a model draws this up and does not do it: `draft.make` on whoever asked gives them a draft, which they publish themselves";
    "gate-frozen" => GateFrozen, Gate, "the place is frozen: nothing in it is changed until somebody who may pause it lets it go on with `pause.end`; one may walk out";
    "gate-claimed" => GateClaimed, Gate, "somebody else has claimed it, or what is around it or in it: wait until then, take the free one if one is named, or have a role `watch` it to be woken when it is done; its holder, those above that and the owners of the place end it with `claim.end`";
    "gate-approver" => GateApprover, Gate, "a request is approved by whoever its bridge asks, or by the operator";
    "gate-thread" => GateThread, Gate, "the operator and whoever began a thread cut all of it; anybody else cuts wakes of their own in it, and none of those is open";
    "gate-scope" => GateScope, Gate, "the extension is disabled, or does not hold where whoever acts stands or where this is done";
    "gate-touches" => GateTouches, Gate, "the operation would change something that its manifest does not mark";
    "gate-lets" => GateLets, Gate, "no role of its own that the being wears lists the operation under `lets`, so nobody moves it by that";
    "gate-setting" => GateSetting, Gate, "only the operator may say this, or one who stands above: whoever owns a place may narrow what holds there and never widen it";
    "gate-needs" => GateNeeds, Gate, "a step is an operation of an extension that the manifest does not say it needs";
    "role-changed" => RoleChanged, Gate, "what the being wears changed between the opening of the moment and its close, and no longer allows this";
    "driven" => Driven, Gate, "somebody else drives this being now";
    "driver-not-human" => DriverNotHuman, Gate, "only a person whom nobody drives, or a program that acts for one, drives a being";
    "not-claimed" => NotClaimed, Call, "nobody has claimed this now; `see /.claims` lists what is claimed";
    "not-driven" => NotDriven, Gate, "whoever asks does not drive this being now";
    "driver-changed" => DriverChanged, Beat, "who drives the being changed while the thought was made; the wake stays open";
    "wake-gone" => WakeGone, Beat, "the wake was taken back, replaced or answered while a model thought";
    "looked" => Looked, Beat, "the being looked and goes on with the same wake";
    "refused" => Refused, Beat, "a model's call was refused; its wake stays open, and the model is told why in its next moment";
    "asking" => Asking, Beat, "a model is about to be asked, and the most that it can cost is held back; or the members of a panel have been asked, and the wake waits for them";
    "unspoken" => Unspoken, Beat, "the model answered in words, and its role may not summon whoever asked";
    "outage" => Outage, Beat, "the model's endpoint does not answer now; the wake waits, and no attempt is used up";
    "connection-held" => ConnectionHeld, Beat, "the provider answers nobody over this connection: its key, its money, its address or its model is not as it should be; the wake waits, and no attempt is used up";
    "given-up" => GivenUp, Beat, "the run was stopped before the model had answered; the wake stays open, and no attempt is used up";
    "ended" => Ended, Call, "the being has ended";
    "freeze-place" => FreezePlace, Call, "only a place inside the world can be frozen: pause the world, or a being, without `writes`";
    "limit-claims" => LimitClaims, Call, "a being claims so many things at once and no more: end some with `claim.end`";
    "limit-things" => LimitThings, Call, "as many things lie there as may: end some, or take back the narrowest `limits.things` on the way up to the world";
    "approval-none" => ApprovalNone, Call, "no request of this bridge waits under this wake; `see /.outbox` lists those that do";
    "approval-changed" => ApprovalChanged, Call, "this is not the hash of the request that waits; look at it again, and name what stands there now";
    "thread-ended" => ThreadEnded, Call, "nothing is open that goes back to this fact: the thread has ended, or never was; `see /.threads` lists those that are";
    "not-found" => NotFound, Call, "there is no such thing";
    "no-target" => NoTarget, Call, "there is nobody to do this to";
    "bad-address" => BadAddress, Call, "this is no address; one looks like `/a/b`, `@ada` or `/.roles/x`";
    "gone" => Gone, Call, "the thing was there when the moment opened and is not any more";
    "no-steward" => NoSteward, Call, "a space is summoned by way of its steward, and it has none: whoever owns it names one, as `reelm do / config.set '{\"key\":\"steward\",\"value\":\"@ada\"}'`";
    "steward-ended" => StewardEnded, Call, "the space's steward has ended: whoever owns the space says another in the setting `steward`";
    "inbox-full" => InboxFull, Call, "as many wakes of it are open as may be, or a quarter of that from one sender; summon it once it has taken some up";
    "unheard" => Unheard, Call, "no role that it may come to wear lists `message` in triggerOn, so nothing that is said to it wakes it";
    "wrong-target" => WrongTarget, Call, "this cannot be done to a thing of that kind";
    "unknown-operation" => UnknownOperation, Call, "there is no such operation";
    "unknown-question" => UnknownQuestion, Call, "a script cannot ask this";
    "unknown-script" => UnknownScript, Call, "there is no such script";
    "not-here" => NotHere, Call, "it does not stand there";
    "off-grid" => OffGrid, Call, "the place lies outside the space's grid";
    "inside-itself" => InsideItself, Call, "nothing can be moved into itself";
    "name-taken" => NameTaken, Call, "the name is taken";
    "name-alike" => NameAlike, Call, "the name looks like that of another being";
    "name-reserved" => NameReserved, Call, "the name means something else in a world";
    "bad-type" => BadType, Call, "a type is a name, or names with `:` between them; each has at most 64 bytes, and all of it at most 64 characters";
    "owner-epoch" => OwnerEpoch, Call, "an owner of a world begins an epoch later than the one before";
    "bad-name" => BadName, Call, "a name is letters, marks and digits of any script, `-` and `_`, at most 64 bytes; a mark stands behind a letter";
    "bad-glob" => BadGlob, Call, "this is no pattern";
    "bad-zone" => BadZone, Call, "this is no time zone; one looks like `Europe/Berlin`";
    "bad-cron" => BadCron, Call, "this is no cron expression";
    "bad-duration" => BadDuration, Call, "this is no length of time that may stand here; one looks like `90s` or `2h`";
    "never-due" => NeverDue, Call, "the schedule would never come";
    "in-the-past" => InThePast, Call, "the instant lies in the past";
    "not-empty" => NotEmpty, Call, "something still lies in it";
    "needed" => Needed, Call, "the world cannot do without it";
    "extension-needs" => ExtensionNeeds, Call, "the extension needs another one, which is not enabled or has another version";
    "extension-needed" => ExtensionNeeded, Call, "another extension needs this one as it is; `force` disables that one too";
    "extension-circle" => ExtensionCircle, Call, "extensions need each other in a circle";
    "role-worn" => RoleWorn, Call, "a flow, a default role or grants name this role; `force` takes it back all the same";
    "draft-action" => DraftAction, Call, "this is not drafted but done: a draft is of what changes authority, or of a signal";
    "draft-hash" => DraftHash, Call, "this is not the hash of the draft: read what it says now (`reelm draft show`), and publish it by the hash that stands there";
    "draft-fixed" => DraftFixed, Call, "matter of the type `draft` is made by `draft.make` alone and stays as it was made; make another";
    "base-version" => BaseVersion, Call, "somebody published another version meanwhile; look at that one, and begin from there";
    "clock-not-real" => ClockNotReal, Call, "the world does not go by the wall clock";
    "config-fixed" => ConfigFixed, Call, "this is fixed when a world begins";
    "setting-unknown" => SettingUnknown, Call, "there is no such setting";
    "setting-place" => SettingPlace, Call, "the setting may not stand at a thing of this kind";
    "setting-enforce" => SettingEnforce, Call, "only a setting of which the nearest holds can be enforced";
    "setting-offered" => SettingOffered, Call, "there is no connection of that name, or the operator does not offer it here";
    "setting-count" => SettingCount, Call, "no more settings can be said at one thing";
    "setting-not-quality" => SettingNotQuality, Call, "what decides who thinks and what it may cost is a setting, said by `config.set`, and no quality";
    "orientation" => Orientation, Call, "only a summons to oneself may choose another orientation than forward";
    "intent" => Intent, Call, "only a receipt, the question of a panel or a request to be approved has this intent, and the world writes it by itself";
    "trial" => Trial, Call, "what a trial costs is told by whoever makes it, never by a mind";
    "secret" => Secret, Call, "it would write a secret into history; write `key = \"env:NAME\"`, with the name of the environment variable that holds it";
    "role-malformed" => RoleMalformed, Call, "the role is malformed";
    "role-too-long" => RoleTooLong, Call, "the words of the role take more tokens than `tokens.words` lets them";
    "role-name" => RoleName, Call, "the name does not fit the role";
    "flow-malformed" => FlowMalformed, Call, "the flow is malformed";
    "quality-path" => QualityPath, Call, "this is no path of a quality";
    "quality-depth" => QualityDepth, Call, "the qualities would nest too deep";
    "quality-size" => QualitySize, Call, "the qualities of one thing would grow too large";
    "quality-kind" => QualityKind, Call, "the quality holds another kind of value than this change needs";
    "quality-range" => QualityRange, Call, "the number would grow past what a number can hold";
    "quality-fading" => QualityFading, Call, "a fading number is {from, to, at, over}: two numbers of whole thousandths, an instant and a time";
    "rule" => Rule, Call, "a rule of the world or of an extension says no; `/.rules` shows what it asks";
    "rule-malformed" => RuleMalformed, Call, "the rule is malformed, or asks for something that there is not";
    "rule-many" => RuleMany, Call, "more rules would be asked about one action than may";
    "call-malformed" => CallMalformed, Call, "the mind's answer is not a call: a map of verb, target, action, args and content";
    "call-length" => CallLength, Call, "an address, an action or the words are too long";
    "value-depth" => ValueDepth, Call, "a value nests too deep";
    "frame-size" => FrameSize, Call, "the act does not fit into a frame";
    "too-many-facts" => TooManyFacts, Call, "the operation makes more facts than one act may have";
    "step-malformed" => StepMalformed, Call, "a step of the operation is malformed";
    "step-depth" => StepDepth, Call, "operations are steps of operations too deep";
    "too-many-summons" => TooManySummons, Call, "an act summons once at most";
    "operation-refused" => OperationRefused, Call, "the operation itself said no";
    "args-blob" => ArgsBlob, Args, "the arguments are not there";
    "args-size" => ArgsSize, Args, "the arguments are larger than a call may carry";
    "args-depth" => ArgsDepth, Args, "the arguments nest too deep";
    "args-json" => ArgsJson, Args, "the arguments cannot be written as JSON";
    "args-required" => ArgsRequired, Args, "an argument that is required is missing";
    "args-type" => ArgsType, Args, "an argument is of the wrong kind";
    "args-enum" => ArgsEnum, Args, "an argument is none of the values that are possible";
    "args-const" => ArgsConst, Args, "an argument is not the one value that is possible";
    "args-format" => ArgsFormat, Args, "an argument is not written in the form that is expected";
    "args-pattern" => ArgsPattern, Args, "an argument does not match the pattern that is expected";
    "args-minimum" => ArgsMinimum, Args, "an argument is too small";
    "args-maximum" => ArgsMaximum, Args, "an argument is too large";
    "args-multiple" => ArgsMultiple, Args, "an argument is not a multiple of what is expected";
    "args-length" => ArgsLength, Args, "a text is too short or too long";
    "args-items" => ArgsItems, Args, "a list has too few or too many items, or one twice";
    "args-keys" => ArgsKeys, Args, "a map has too few or too many keys, or one that must not stand there";
    "args-unknown" => ArgsUnknown, Args, "there is an argument that the action does not know";
    "args-oneOf" => ArgsOneOf, Args, "exactly one of several possible forms is expected";
    "args-anyOf" => ArgsAnyOf, Args, "one of several possible forms is expected";
    "only-verbs" => OnlyVerbs, Args, "`only` names at least one of see, do, summon and be, and nothing else; leave it out where all of them hold";
    "args-schema" => ArgsSchema, Args, "the arguments do not fit the action's schema";
    "schema-broken" => SchemaBroken, Args, "the action's schema itself is broken";
    "script-syntax" => ScriptSyntax, Script, "the script cannot be compiled";
    "script-function" => ScriptFunction, Script, "the script lacks the function that is called";
    "script-throw" => ScriptThrow, Script, "the script threw";
    "script-failed" => ScriptFailed, Script, "the script failed";
    "script-engine" => ScriptEngine, Script, "the script engine failed; write the script another way";
    "script-result" => ScriptResult, Script, "the script returned something that is no value";
    "script-limit" => ScriptLimit, Script, "the script needs more than it may have";
    "script-limit-operations" => ScriptLimitOperations, Script, "the script takes more steps than it may";
    "script-limit-depth" => ScriptLimitDepth, Script, "the script calls itself too deep";
    "script-limit-size" => ScriptLimitSize, Script, "a value of the script grows too large";
    "script-unknown-variable" => ScriptUnknownVariable, Script, "the script names a variable that is not there";
    "script-unknown-property" => ScriptUnknownProperty, Script, "the script names a property that is not there";
    "script-unknown-function" => ScriptUnknownFunction, Script, "the script calls a function that is not there";
    "script-type" => ScriptType, Script, "the script uses a value of the wrong kind";
    "script-bounds" => ScriptBounds, Script, "the script reaches outside a list or a text";
    "script-arithmetic" => ScriptArithmetic, Script, "the script's arithmetic overflows or divides by nothing";
    "rule-failed" => RuleFailed, Script, "a rule failed while it was asked, so the act is refused";
    "template" => Template, Script, "the role's prompt cannot be filled in";
    "template-size" => TemplateSize, Script, "the role's prompt is too long once it is filled in";
    "undressed" => Undressed, Mind, "all that it could wear is out of scope where it stands, or asks for something that does not hold; its wakes wait";
    "paused" => Paused, Mind, "the world, its place or the being itself is paused, so nobody is asked; `pause.end` lets it go on";
    "no-role" => NoRole, Mind, "no clause and no default gave it a role to wear";
    "no-connection" => NoConnection, Mind, "no model is configured for it";
    "bridge-unset" => BridgeUnset, Mind, "it is a bridge, and no setting says what it reaches";
    "bridge-request" => BridgeRequest, Mind, "what the bridge was asked is no request of its kind";
    "bridge-host" => BridgeHost, Mind, "the bridge does not reach that host";
    "bridge-method" => BridgeMethod, Mind, "the bridge does not ask by that method";
    "approval" => Approval, Mind, "the request waits to be approved; `reelm outbox` shows what would leave";
    "approval-declined" => ApprovalDeclined, Mind, "whoever was asked to approve the request has declined it";
    "approval-expired" => ApprovalExpired, Mind, "nobody approved the request in time";
    "no-price" => NoPrice, Mind, "there is a budget of money, and the model that would be asked has no price";
    "no-budget" => NoBudget, Mind, "the world is a fork that has no budget of its own, or it has spent all of it; `reelm run --budget calls=10` gives it one";
    "budget" => Budget, Mind, "a budget has no room for it";
    "panel-member" => PanelMember, Mind, "a panel asks between 1 and 64 living beings: one of its members is unknown or has ended, or there are none or too many; `cognition.set` names others";
    "panel-circle" => PanelCircle, Mind, "a panel comes to ask itself, by way of its members; leave one of them out";
    "no-quorum" => NoQuorum, Mind, "too few of a panel's members answered in time, or none with a call that it could make; they are asked anew as often as `attempts.max` says";
    "unanswered" => Unanswered, Mind, "the server stopped before there was a reply";
    "brake-depth" => BrakeDepth, Brake, "the chain of causes grew too long";
    "brake-moments" => BrakeMoments, Brake, "the chain of causes had too many moments";
    "brake-calls" => BrakeCalls, Brake, "all that began with one deed has cost as many calls of models as it may";
    "brake-tripped" => BrakeTripped, Brake, "it was refused, failed or woke more often than it may within an hour or a minute; its wakes wait until the next";
    "brake-repeat" => BrakeRepeat, Brake, "the same was done again and again with the same end in all that began with one deed";
    "cut" => Cut, Brake, "somebody cut all that began with one deed";
    "brake-continue" => BrakeContinue, Brake, "it went on by itself too often";
    "endpoint-refused" => EndpointRefused, Endpoint, "the address of the endpoint is none that may be asked";
    "endpoint-unreachable" => EndpointUnreachable, Endpoint, "the endpoint refused the connection, or no way leads there";
    "endpoint-unresolved" => EndpointUnresolved, Endpoint, "the name of the endpoint cannot be resolved (DNS)";
    "endpoint-tls" => EndpointTls, Endpoint, "the endpoint makes no secure connection (TLS) that can be trusted";
    "endpoint-timeout" => EndpointTimeout, Endpoint, "the endpoint took too long to accept the connection";
    "endpoint-private" => EndpointPrivate, Endpoint, "the endpoint lies in a private network that is not on the list of hosts that may be reached";
    "endpoint-plain" => EndpointPlain, Endpoint, "the endpoint is plain http, and its host is not on the list of hosts that may be reached";
    "key-reference" => KeyReference, Endpoint, "the connection's key is not written as `env:NAME`";
    "key-missing" => KeyMissing, Endpoint, "the environment variable that holds the connection's key is not set";
    "no-client" => NoClient, Endpoint, "the client for the model's endpoint cannot be made";
    "no-runtime" => NoRuntime, Endpoint, "the server cannot ask models at all";
    "reply-lost" => ReplyLost, Reply, "nobody heard the reply";
    "reply-timeout" => ReplyTimeout, Reply, "the reply took too long";
    "reply-broken" => ReplyBroken, Reply, "the reply broke off";
    "reply-too-large" => ReplyTooLarge, Reply, "the reply is too large";
    "reply-binary" => ReplyBinary, Reply, "the reply is no text";
    "reply-redirects" => ReplyRedirects, Reply, "the reply leads on too often, or to no address";
    "reply-given-up" => ReplyGivenUp, Reply, "the run was stopped while the reply was waited for";
    "ahead" => Ahead, Reply, "the model was asked ahead of its moment, and by then the request was another, or nobody knows what came of it";
    "reply-error" => ReplyError, Reply, "the model's endpoint answered with an error inside a reply of status 200";
    "reply-status" => ReplyStatus, Reply, "the model's endpoint answered with an error";
    "reply-rejected" => ReplyRejected, Reply, "the model's provider does not take the request, so it is asked once";
    "reply-malformed" => ReplyMalformed, Reply, "the model's reply cannot be understood";
    "reply-unvoted" => ReplyUnvoted, Reply, "a member of a panel was asked for its vote, and answered in words alone";
    "reply-cut" => ReplyCut, Reply, "the model's reply was cut off before its end";
    "reply-refused" => ReplyRefused, Reply, "the model refused";
    "reply-arguments" => ReplyArguments, Reply, "the model's arguments cannot be understood";
    "left-out" => LeftOut, Reply, "the reply held more than one call, and only the first was done";
    "reply-unknown-tool" => ReplyUnknownTool, Reply, "the model called something that it does not have";
    "bad-request" => BadRequest, Door, "the request cannot be understood";
    "too-large" => TooLarge, Door, "the body is too large";
    "too-slow" => TooSlow, Door, "the body did not come in time";
    "too-many" => TooMany, Door, "too much is asked at one time; try again in a moment";
    "stopping" => Stopping, Door, "the world is stopping or has stopped";
    "failed" => Failed, Door, "the server failed";
    "wrong-host" => WrongHost, Door, "the request names another host";
    "wrong-origin" => WrongOrigin, Door, "the request was made by a page of another server";
    "wrong-login" => WrongLogin, Door, "that is not a person's name and password here";
    "password-first" => PasswordFirst, Door, "other machines reach this server; set a password before anything else";
    "wrong-proxy" => WrongProxy, Door, "a header that is believed only from a trusted proxy came from elsewhere, or names two people";
    "no-person" => NoPerson, Door, "no person here has the name that the proxy says";
    "hook-signature" => HookSignature, Door, "the webhook is not signed by the secret of its bridge";
    "hook-expired" => HookExpired, Door, "the signature of the webhook is too old, or of a time to come";
    "bad-token" => BadToken, Door, "the token is unknown, has ended or was taken back";
    "too-many-refusals" => TooManyRefusals, Door, "the world has refused whoever asks too often within an hour; act again later";
    "not-logged-in" => NotLoggedIn, Door, "log in first";
    "not-yours" => NotYours, Door, "whoever asks may not act as this being";
    "answered" => Answered, Door, "the wake was answered already";
    "not-due" => NotDue, Door, "the wake is not due yet";
    "conflict" => Conflict, Door, "the Idempotency-Key was used for another act";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl serde::Serialize for Code {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.word())
    }
}

impl<'de> serde::Deserialize<'de> for Code {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        <String as serde::Deserialize>::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Canon for Code {
    fn put(&self, w: &mut Writer) {
        w.text(self.word());
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        let at = r.at();
        Text::take(r)?.parse().map_err(|_| CanonError::WrongType { at, expected: "a code of the list in docs/CODES.md" })
    }
}
