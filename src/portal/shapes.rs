//! Shapes: the schemas of types from lower rooms, for the description of the API alone.
//!
//! Those rooms know nothing of the API. Nothing is ever made of these types; every answer that a test gets is held against them, so that
//! none of them says what is not so.

#![expect(dead_code, reason = "they are there to be described, and nobody makes one")]

use utoipa::ToSchema;

use crate::fact::Value;

/// A code, and a place where it is about.
#[derive(ToSchema)]
#[schema(as = Reason)]
pub struct ReasonShape {
    /// The code, such as `gate-role` or `script-throw`.
    code: String,
    /// An address, a JSON path, or a file and line; empty where there is none.
    at: String,
}

/// A point of a grid, or its size.
#[derive(ToSchema)]
#[schema(as = Coords)]
pub struct CoordsShape {
    /// Along the first axis.
    x: i64,
    /// Along the second.
    y: i64,
    /// Along the third axis; 0 on a flat grid.
    z: i64,
}

/// So many calls and tokens; money in millionths of the world's currency.
#[derive(ToSchema)]
#[schema(as = Spend)]
pub struct SpendShape {
    /// Requests that were sent.
    calls: u64,
    /// Tokens of prompts.
    input: u64,
    /// Tokens of replies.
    output: u64,
    /// Bytes that left by bridges and came back; nothing where there are none.
    bytes: Option<u64>,
    /// In millionths of the currency.
    money: u64,
}

/// The cost of asking a model in one moment; money in millionths of the world's currency.
#[derive(ToSchema)]
#[schema(as = Cost)]
pub struct CostShape {
    /// The connection that answered, or was asked last.
    connection: String,
    /// The model, as it was served.
    model: String,
    /// Requests that were sent.
    calls: u64,
    /// Tokens of prompts.
    input: u64,
    /// Tokens of replies.
    output: u64,
    /// Bytes that left by bridges and came back; nothing where there are none.
    bytes: Option<u64>,
    /// In millionths of the currency.
    money: u64,
    /// How much of that went to calls ahead in vain; none where there were none.
    vain: Option<SpendShape>,
    /// How long the answer took, in milliseconds of the wall clock.
    ms: u64,
}

/// A sum of costs so far.
#[derive(ToSchema)]
#[schema(as = Sum)]
pub struct SumShape {
    /// Moments in which a model was asked.
    moments: u64,
    /// Requests that were sent.
    calls: u64,
    /// Tokens of prompts.
    input: u64,
    /// Tokens of replies.
    output: u64,
    /// Bytes that left by bridges and came back; nothing where there are none.
    bytes: Option<u64>,
    /// In millionths of the currency.
    money: u64,
    /// How much of that went to calls ahead in vain.
    vain: SpendShape,
    /// How long the answers took in all, in milliseconds of the wall clock.
    ms: u64,
    /// Moments of which nobody heard the end: what was reserved for them counts as spent.
    unanswered: u64,
}

/// One moment, in short.
#[derive(ToSchema)]
#[schema(as = Report, rename_all = "camelCase")]
pub struct ReportShape {
    /// The frame.
    seq: u64,
    /// When, in world time.
    at: i64,
    /// The same, as people read it.
    time: String,
    /// The being, by name.
    being: String,
    /// Where it stood when it acted, before what it did moved it.
    place: String,
    /// The roles that it wore, the primary first.
    stack: Vec<String>,
    /// The clause that chose each role.
    clauses: Vec<Option<u16>>,
    /// Why it wears that, where it wore something else before.
    why: Option<String>,
    /// Why the moment opened.
    wake: String,
    /// How it closed: act, see, refused, failed, requeued, dead-letter or ended.
    closing: ClosingWord,
    /// Why, where there is a reason.
    reason: Option<ReasonShape>,
    /// Its deed, in a line.
    deed: String,
    /// The sentence that tells it, behind the name of whoever did it.
    told: Vec<PartShape>,
    /// Why it was done, as a sentence behind *because*; only where that was asked for and frames say it.
    #[schema(required = false)]
    because_of: Vec<PartShape>,
    /// The signal that it published, as a sentence of its own.
    #[schema(required = false)]
    turn: Vec<PartShape>,
    /// The words said.
    said: Option<String>,
    /// The space where it stood when the moment closed.
    space: String,
    /// Where on that space's grid.
    coords: Option<CoordsShape>,
    /// The cause that woke it, in words.
    because: String,
    /// The fact that woke it, as `seq.index`: for an answer, the summons that it answers.
    cause: String,
    /// The summons that what it says answers, as `seq.index`.
    in_reply_to: Option<String>,
    /// The verb by which it acted.
    verb: Option<VerbShape>,
    /// The operation that it called.
    action: Option<String>,
    /// The target.
    target: Option<String>,
    /// With which arguments, where they are at hand and one may read all of it.
    #[schema(required = false)]
    args: serde_json::Value,
    /// The being that drove it, as an address.
    driver: Option<String>,
    /// The kind of mind that thought.
    cognition: String,
    /// The cost of asking a model; null where none was asked, or where one may not know it.
    cost: Option<CostShape>,
    /// The notes of its scripts for whoever watches; no seal holds them.
    #[schema(required = false)]
    notes: Vec<String>,
    /// Hints: the right way to write what was refused, and what may not be meant in what was done; no seal holds them.
    #[schema(required = false)]
    hints: Vec<String>,
}

/// A piece of a sentence: words, the name of a thing, or what somebody said.
#[derive(ToSchema)]
#[schema(as = Part, rename_all = "camelCase")]
pub struct PartShape {
    /// Its words; of what was said without quotation marks.
    text: String,
    /// The address of the thing, the place or the being that it names.
    #[schema(required = false, nullable = false)]
    to: Option<String>,
    /// Whether somebody said it.
    #[schema(required = false)]
    is_said: bool,
    /// Whether it names whoever did what is told.
    #[schema(required = false)]
    is_who: bool,
    /// Whether it says why it was not done.
    #[schema(required = false)]
    is_why: bool,
}

/// A role that is worn, and the clause of the flow that chose it; none: the default role, or the one asked for.
#[derive(ToSchema)]
#[schema(as = Worn)]
pub struct WornShape {
    /// The role.
    role: String,
    /// The clause's place in the flow.
    clause: Option<u16>,
    /// The space whose flow it is; none: the being's own.
    space: Option<String>,
}

/// Why a stack is what it is.
#[derive(ToSchema)]
#[schema(as = Trace)]
pub struct TraceShape {
    /// The roles worn, the primary first.
    stack: Vec<ChoiceShape>,
    /// The role that the summoner asked for.
    requested: Option<RoleTraceShape>,
    /// Every clause, in order.
    clauses: Vec<ClauseTraceShape>,
    /// The default role.
    fallback: Option<RoleTraceShape>,
    /// The roles that the flows of the spaces around stack on it, the nearest first.
    #[schema(required = false)]
    spaces: Vec<SpaceTraceShape>,
}

/// The outcome of the flow of one space around.
#[derive(ToSchema)]
#[schema(as = SpaceTrace)]
pub struct SpaceTraceShape {
    /// The space.
    space: String,
    /// Its address.
    address: String,
    /// Every clause, in order.
    clauses: Vec<ClauseTraceShape>,
}

/// One role of a stack, and why.
#[derive(ToSchema)]
#[schema(as = Choice)]
pub struct ChoiceShape {
    /// The role.
    role: String,
    /// Why it is worn.
    by: ByShape,
}

/// Why a role is worn.
#[derive(ToSchema)]
#[schema(as = By, rename_all = "kebab-case")]
pub enum ByShape {
    /// The clause of this index matched.
    Clause(u16),
    /// It is the default role.
    Default,
    /// The summoner asked for it.
    Requested,
    /// A clause of the flow of a space around matched.
    Space {
        /// The space.
        space: String,
        /// The clause.
        clause: u16,
    },
}

/// A role considered beside the clauses.
#[derive(ToSchema)]
#[schema(as = RoleTrace)]
pub struct RoleTraceShape {
    /// The role.
    role: String,
    /// The outcome; nothing where it was not needed.
    outcome: Option<ClauseOutcomeShape>,
    /// The conditions of its own `when`, where they were asked.
    #[schema(required = false)]
    guard: Vec<ConditionShape>,
}

/// The outcome of a clause, or of a role considered beside the clauses.
#[derive(ToSchema)]
#[schema(as = ClauseOutcome, rename_all = "kebab-case")]
pub enum ClauseOutcomeShape {
    /// It is the primary.
    Primary,
    /// It was added to the stack.
    Stacked,
    /// Its conditions do not all hold.
    NoMatch,
    /// It matches, but the primary was found before.
    Shadowed,
    /// Its role is not registered.
    UnknownRole,
    /// Its role requires another cognition.
    WrongCognition {
        /// The cognition.
        required: String,
    },
    /// Its role guards itself, and what it asks for does not hold.
    RoleWhen,
    /// Its role is worn already.
    AlreadyWorn,
    /// It matches, but there is no primary to stack on.
    NoPrimary,
    /// Neither the flow nor the default names the role that was asked for.
    NotNamed,
}

/// A clause, and its outcome.
#[derive(ToSchema)]
#[schema(as = ClauseTrace)]
pub struct ClauseTraceShape {
    /// Its place in the flow, from 0.
    index: u16,
    /// Its role.
    role: String,
    /// Whether it is stacked.
    stack: bool,
    /// Its outcome.
    outcome: ClauseOutcomeShape,
    /// Its conditions, each with what it saw.
    conditions: Vec<ConditionShape>,
    /// The conditions of the role's own `when`, where they were asked.
    #[schema(required = false)]
    guard: Vec<ConditionShape>,
}

/// One condition or group of conditions.
#[derive(ToSchema)]
#[schema(as = Condition)]
pub struct ConditionShape {
    /// Where it is written.
    place: String,
    /// The path that it asks about; nothing for a group.
    path: Option<String>,
    /// The operator, or `and`, `or`, `not`.
    operator: String,
    /// The operand as it was written.
    #[schema(required = false)]
    operand: Value,
    /// The value at the operand's own path.
    #[schema(required = false)]
    found: Value,
    /// The value at the path.
    saw: Value,
    /// Whether it held.
    held: bool,
    /// The members of a group.
    #[schema(required = false, no_recursion)]
    inside: Vec<ConditionShape>,
}

/// The cause for which a being woke, or waits to.
#[derive(ToSchema)]
#[schema(as = Wake, rename_all = "camelCase")]
pub struct WakeShape {
    /// Its kind.
    kind: String,
    /// The fact that caused it, as `seq.index`.
    cause: String,
    /// When it may open, in world time.
    due: i64,
    /// The being that summoned, came or was heard.
    from: Option<String>,
    /// The message.
    #[schema(required = false)]
    content: Value,
    /// The intent of a summons.
    intent: Option<String>,
    /// The role in which it was summoned.
    caller_role: Option<String>,
    /// The summons that this one answers.
    in_reply_to: Option<String>,
    /// The signal that changed.
    path: Option<String>,
    /// The schedule that was due.
    name: Option<String>,
    /// The space that it came into.
    space: Option<String>,
    /// The deed for which it watches.
    action: Option<String>,
    /// The target.
    target: Option<String>,
    /// Where.
    place: Option<String>,
    /// How often.
    count: Option<i64>,
    /// The newest frame that it tells of.
    frame: Option<u64>,
    /// The roles that it wore before.
    wore: Option<Vec<String>>,
    /// The wake about which the members of a panel are asked.
    #[schema(value_type = Option<Object>)]
    about: Option<Value>,
    /// How they have voted.
    #[schema(value_type = Option<Vec<Object>>)]
    ballots: Option<Vec<Value>>,
    /// The end of the wait, in world time.
    until: Option<i64>,
    /// The verbs that may be used for it, where they are not all.
    only: Option<Vec<String>>,
    /// none, where it is only to be known.
    answer: Option<String>,
}

/// How a moment closed.
#[derive(ToSchema)]
#[schema(as = ClosingWord, rename_all = "kebab-case")]
#[expect(dead_code, reason = "it only describes the words that a moment tells")]
pub enum ClosingWord {
    Act,
    See,
    Refused,
    Failed,
    Requeued,
    DeadLetter,
    Ended,
}

/// A verb.
#[derive(ToSchema)]
#[schema(as = Verb, rename_all = "kebab-case")]
#[expect(dead_code, reason = "it only describes the words that a moment tells")]
pub enum VerbShape {
    See,
    Do,
    Summon,
    Be,
}

/// One deed of one moment.
#[derive(ToSchema)]
#[schema(as = Call)]
pub struct CallShape {
    /// The verb.
    verb: VerbShape,
    /// The address of the thing it is done to, as the mind wrote it.
    target: String,
    /// The operation of a do or a be; empty for see and summon.
    action: String,
    /// The operation's arguments, or a summons' content and options.
    args: Value,
    /// The words said alongside.
    content: Option<String>,
}

/// How a moment closed its wake.
#[derive(ToSchema)]
#[schema(as = Closing)]
pub struct ClosingShape {
    /// act, see, refused, failed, requeued, dead-letter or ended.
    r#as: String,
    /// The error's code, where there was an error.
    code: Option<String>,
    /// Where.
    at: Option<String>,
}

/// One message that a model was sent.
#[derive(ToSchema)]
#[schema(as = Message)]
pub struct MessageShape {
    /// The speaker.
    role: String,
    /// The text.
    content: String,
}

/// The size of a part of a prompt.
#[derive(ToSchema)]
#[schema(as = PromptPart)]
pub struct PromptPartShape {
    /// Its title: `who`, `abilities`, that of a block, `now`, `wake` or `tools`.
    part: String,
    /// About how many tokens: a token is four bytes here, whatever the model counts.
    tokens: u64,
}

/// A request to a model, and its raw reply.
#[derive(ToSchema)]
#[schema(as = Exchange)]
pub struct ExchangeShape {
    /// The complete request.
    request: Value,
    /// The raw reply.
    reply: Value,
}

/// A setting that a moment went by.
#[derive(ToSchema)]
#[schema(as = UsedSetting)]
pub struct UsedShape {
    /// Its key.
    key: String,
    /// The value that it had.
    value: Value,
    /// Where that came from; nowhere: it is the default.
    from: Vec<String>,
    /// Where something else was said that did not count.
    overruled: Vec<String>,
}

/// The ruling of a rule that was asked about a deed.
#[derive(ToSchema)]
#[schema(as = Ruling, rename_all = "kebab-case")]
pub enum RulingShape {
    /// It has nothing against the deed.
    Silent,
    /// It refuses the deed.
    Refuses,
    /// It failed, which refuses the deed too.
    Fails,
}

/// A rule that was asked about a deed, with what it saw.
#[derive(ToSchema)]
#[schema(as = RuleAsked)]
pub struct RuleAskedShape {
    /// Its name, with that of its extension.
    rule: String,
    /// The action that it was asked about.
    action: String,
    /// The target of that action.
    target: String,
    /// The ruling.
    verdict: RulingShape,
    /// Its sentence, or why it failed.
    sentence: Option<String>,
    /// Its conditions, each with what it saw.
    conditions: Vec<ConditionShape>,
}

/// One moment, with everything that led to it.
#[derive(ToSchema)]
#[schema(as = MomentPage, rename_all = "camelCase")]
pub struct ExplainedShape {
    /// The frame.
    seq: u64,
    /// The being, as an address.
    being: String,
    /// Its place on the being's reel.
    n: u64,
    /// The frame's hash.
    hash: String,
    /// The signer that answers for it: `being`, or `world`, whose seal covers it.
    signed_by: String,
    /// When it opened.
    opened_at: String,
    /// The moment in short.
    report: ReportShape,
    /// The wake; null where the world of that time does not hold it any more.
    wake: Option<WakeShape>,
    /// The same as a sentence.
    woken_by: Vec<PartShape>,
    /// Why it wore what it wore.
    trace: Option<TraceShape>,
    /// The view that it was given at once.
    #[schema(required = false)]
    face: Value,
    /// The settings that it went by.
    settings: Option<Vec<UsedShape>>,
    /// The request to a model, and its reply.
    thought: Option<ExchangeShape>,
    /// The prompt that a model was sent, message by message.
    prompt: Option<Vec<MessageShape>>,
    /// The size of each part of that.
    split: Vec<PromptPartShape>,
    /// The tokens that the model counted of that.
    counted: Option<u64>,
    /// The rules that were asked about its act.
    rules: Vec<RuleAskedShape>,
    /// The roles that it wore.
    stack: Vec<WornShape>,
    /// The call that it made.
    call: Option<CallShape>,
    /// How it closed.
    closing: ClosingShape,
    /// The facts that it stamped: each with its kind, and the fields that `docs/FORMAT.md` lists for it.
    #[schema(value_type = Vec<Object>)]
    facts: Vec<Value>,
}

/// One part of one thing that differs between two points.
#[derive(ToSchema)]
#[schema(as = DiffLine)]
pub struct DiffLineShape {
    /// being, space, matter, claim, role, script, rule, extension, setting or signal.
    kind: String,
    /// The subject: an address, or a name.
    of: String,
    /// The part of it, such as `position` or `qualities.t.n`; empty for the whole.
    what: String,
    /// As it was; null where it was not there.
    was: Value,
    /// As it is; null where it is not there.
    is: Value,
    /// How many lines of a text differ.
    lines: Option<usize>,
}

/// One moment of a chain of causes.
#[derive(ToSchema)]
#[schema(as = Link)]
pub struct LinkShape {
    /// Its seq.
    seq: u64,
    /// Its name, as `@ada/7`.
    moment: String,
    /// When.
    time: String,
    /// The cause that woke its being, in words.
    because: String,
    /// The moment that did; null where nobody's deed but a person's own or time's is behind it.
    cause: Option<u64>,
    /// Where the chain begins with it: person, schedule, time or genesis.
    begins: Option<String>,
    /// The deed, in a line.
    deed: String,
    /// The sentence that tells it, behind the name of whoever did it.
    told: Vec<PartShape>,
    /// The verb.
    verb: Option<VerbShape>,
    /// The operation that was called.
    action: Option<String>,
    /// The target.
    target: Option<String>,
    /// The words said.
    said: Option<String>,
    /// How it closed.
    closing: ClosingWord,
    /// Why, where there is a reason.
    reason: Option<ReasonShape>,
    /// How many wakes lie between it and the moment that was asked about.
    depth: u32,
}

/// One fact that made something what it is.
#[derive(ToSchema)]
#[schema(as = Making)]
pub struct MakingShape {
    /// Its frame.
    seq: u64,
    /// The place among the frame's facts, from 0.
    index: u32,
    /// How many facts the frame has.
    of: usize,
    /// The moment, as `@ada/7`.
    moment: String,
    /// When.
    time: String,
    /// The being that drove its author.
    driver: Option<String>,
    /// The cause that woke its author, in words.
    because: String,
    /// The operation.
    action: Option<String>,
    /// The target, as it was called then.
    target: Option<String>,
    /// The effect of the fact, such as `set`, `pushed` or `set through t`.
    how: String,
    /// The value; null where there is none.
    value: Value,
}

/// A finding of lint: something that may not be meant, or is refused.
#[derive(ToSchema)]
#[schema(as = Warning)]
pub struct WarningShape {
    /// Where it is written.
    place: String,
    /// The kind of warning.
    code: String,
    /// The finding.
    what: String,
    /// A guess at what was meant.
    hint: Option<String>,
}

/// A place at which what would stand there differs from what does.
#[derive(ToSchema)]
#[schema(as = DraftChange)]
pub struct DraftChangeShape {
    /// Where, such as `/canDo/2`; empty for the whole.
    place: String,
    /// The value that stands there; null where nothing does.
    is: Value,
    /// The value that would.
    would: Value,
}

/// A limit of a budget; money in the currency itself, as the configuration has it.
#[derive(ToSchema)]
#[schema(as = Limit)]
pub struct LimitShape {
    /// How many calls.
    calls: Option<f64>,
    /// How many tokens.
    tokens: Option<f64>,
    /// How many bytes of bridges.
    bytes: Option<f64>,
    /// How much of the world's currency.
    money: Option<f64>,
}

/// The operand that an operator takes.
#[derive(ToSchema)]
#[schema(as = Takes, rename_all = "lowercase")]
pub enum TakesShape {
    /// Any value.
    Value,
    /// A list of values.
    List,
    /// A value that can be more or less.
    Order,
    /// Whether it is so.
    Truth,
    /// Text.
    Text,
}
