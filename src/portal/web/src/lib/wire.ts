// What the server is sent and answers, written from its own description: `REMAKE=1 cargo test --test reelm -- described` writes it anew.
// Nothing here is changed by hand.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonMap = { [key: string]: Json };

/** The operations that a being may do now, verb by verb. */
export type Abilities = {
  /** The being that may do them. */
  being: string;
  /** A hash that changes where it wears something else, or may do other operations. */
  hash: string;
  /** The addresses near it that it may see, the nearest first. */
  near: string[];
  /** The verbs of which its role lists anything. */
  verbs: Ability[];
  /** The world's display name. */
  world: string;
  /** The worn roles: the primary, then the modifiers. */
  worn: string[];
};

/** The operations of one verb that may be done now. */
export type Ability = {
  /** The lines that tell it: what it reaches, or each operation with its arguments. */
  lines: string[];
  /** The operations, of a do and a be. */
  operations: string[];
  /** see, do, summon or be. */
  verb: string;
};

/** The events that lie ahead. */
export type Ahead = {
  /** The next of it, the nearest first; 64 at most. */
  due: Due[];
  /** How much more there is until then. Of one calendar expression 1,000 instants are counted. */
  more: number;
  /** Whether 25,000 crossings or instants of schedules were judged before all were: there may be more than is said here. */
  stopped: boolean;
  /** The end of the span; where it was stopped, the instant until which all crossings are known. */
  until: string;
};

/** Where two worlds go apart. */
export type Apart = {
  one?: Report | null;
  /** The cost of models in this world since. */
  oneCost: Sum;
  other?: Report | null;
  /** And in the other. */
  otherCost: Sum;
  /** The first seq at which they differ. */
  seq: number;
};

/** A moment to be tried with a draft flow or draft roles. */
export type Attempt = {
  /** The being. */
  being: string;
  /** The flow to be tried; without it, the one it had. */
  flow?: JsonMap[] | null;
  /** How many replies of a model, at most 4; without it 1. */
  replies?: number | null;
  /** Roles to be tried, by name. */
  roles?: JsonMap | null;
  /** The moment; without it, the being's last. */
  seq?: number | null;
};

/** The roles that would have been worn in a being's last moments, the newest first. */
export type Backtest = {
  /** The number of moments in which it would have been something else. */
  differ: number;
  moments: Backtested[];
};

/** A moment, and what would have been worn in it. */
export type Backtested = {
  /** Whether the two differ. */
  differs: boolean;
  /** The moment. */
  seq: number;
  /** When. */
  time: string;
  /** The roles that were worn. */
  was: string[];
  /** The roles that would have been worn. */
  would: string[];
};

/** A be. */
export type BeCall = {
  /** The being that acts; without it, one's own. */
  as?: string | null;
  /** birth, end, inhabit or release. */
  operation: string;
  /** Its payload. */
  payload?: JsonMap | null;
  /** The wake of one's inbox that this answers. */
  wake?: string | null;
};

/** The inside of a being, for those who may read its flow. */
export type BeingInside = {
  children?: string[];
  /** The connection that thinks for it now. */
  connection?: string | null;
  /** The view that it would be given now. */
  face?: Json;
  flow?: Json;
  /** The hash of the flow as it is now: what one made of it is built on. */
  flowHash?: string;
  grants?: string[];
  out?: ConnectionOut | null;
  schedules?: JsonMap;
  /** The script that thinks for it. */
  script?: string | null;
  /** The kind of model that its role asks for. */
  slot?: string | null;
  worn?: WornNow;
};

/** Everything that one may know of a being. */
export type BeingPage = BeingInside & {
  /** The being as a see shows it. */
  being: JsonMap;
  /** For those who may read its inbox. */
  inbox?: InboxEntry[] | null;
  may: MayAll;
  /** Whether one may give it a password, a first one or another. */
  mayGivePassword: boolean;
  /** Its last moments, for those who may read them. */
  moments?: Report[] | null;
  /** The questions that it has asked as a person and that were heard without an answer, for the same. */
  unanswered?: UnansweredQuestion[] | null;
};

/** An operation on identity. */
export type BindingWord = {
  of: Whose;
  says: string;
  word: string;
};

/** The least and the most that are taken. */
export type Bounds = {
  max: number;
  min: number;
};

/** The moment behind which the world stands still. */
export type Broken = {
  /** Its name: `@ada/7`. */
  moment: string;
  seq: number;
  /** The breakpoint. */
  when: string;
};

/** One part of a span. */
export type Bucket = {
  /** How many failed, or were given up. */
  failed: number;
  /** How many moments it has. In spans of more than 8,192 frames they are counted by 256. */
  moments: number;
  /** How many of them were refused. */
  refused: number;
  /** The first seq behind it: `at` that seq the world is as it was at its end. */
  seq: number;
  /** When it begins. */
  time: string;
};

/** A budget, and how much of it is used. */
export type Budget = {
  /** The account that it limits. */
  account: string;
  /** The address at which it is set; none: it comes of several. */
  at?: string | null;
  /** The setting that it is. */
  key: string;
  limit: Limit;
  /** The period: hour or day. */
  period: string;
  spent: Spend;
  /** When the next period begins. */
  turns: string;
};

/** The accounts and the periods of budgets. */
export type BudgetWords = {
  of: Word[];
  periods: string[];
};

/** Why a role is worn. */
export type By = {
  /** The clause of this index matched. */
  clause: number;
} | 'default' | 'requested' | {
  /** A clause of the flow of a space around matched. */
  space: {
    /** The clause. */
    clause: number;
    /** The space. */
    space: string;
  };
};

/** One deed of one moment. */
export type Call = {
  /** The operation of a do or a be; empty for see and summon. */
  action: string;
  /** The operation's arguments, or a summons' content and options. */
  args: Json;
  /** The words said alongside. */
  content?: string | null;
  /** The address of the thing it is done to, as the mind wrote it. */
  target: string;
  /** The verb. */
  verb: Verb;
};

/** A moment, what lies behind it, and what it woke. */
export type Causes = {
  /** Its causes, the nearest first. */
  causes: Link[];
  /** The moments that it woke, and those that they woke, the oldest first. */
  effects: Link[];
  moment: Link;
  /** Whether more lies behind the last of those. */
  moreCauses: boolean;
  /** Whether there may be more. */
  moreEffects: boolean;
};

/** One role of a stack, and why. */
export type Choice = {
  /** Why it is worn. */
  by: By;
  /** The role. */
  role: string;
};

/** A claim: until then nobody but its holder changes the thing, or what lies in it. */
export type Claimed = {
  /** Its holder. */
  by: string;
  /** The thing that is claimed. */
  on: string;
  /** Since when, in the world's zone. */
  since: string;
  /** Until when, in the world's zone. */
  until: string;
  /** The purpose, in the holder's words; it may be empty. */
  why: string;
};

/** The outcome of a clause, or of a role considered beside the clauses. */
export type ClauseOutcome = 'primary' | 'stacked' | 'no-match' | 'shadowed' | 'unknown-role' | {
  /** Its role requires another cognition. */
  'wrong-cognition': {
    /** The cognition. */
    required: string;
  };
} | 'role-when' | 'already-worn' | 'no-primary' | 'not-named';

/** A clause, and its outcome. */
export type ClauseTrace = {
  /** Its conditions, each with what it saw. */
  conditions: Condition[];
  /** The conditions of the role's own `when`, where they were asked. */
  guard?: Condition[];
  /** Its place in the flow, from 0. */
  index: number;
  /** Its outcome. */
  outcome: ClauseOutcome;
  /** Its role. */
  role: string;
  /** Whether it is stacked. */
  stack: boolean;
};

/** How the world's clock goes. */
export type Clock = {
  /** Behind which moments it stands still, as `when` that are asked of the past; told to whoever holds the clock. */
  breaks?: string[] | null;
  broken?: Broken | null;
  /** `paced 60`, or `real`. */
  pace: string;
  /** running, paused, quiet or waits. */
  state: string;
  /** The connections to models that do not answer now; told to whoever may see `/.health`. */
  waits?: ConnectionWait[];
  /** The person that the world waits for. */
  waitsFor?: string | null;
};

/** A command to the clock: one of these. */
export type ClockCall = {
  /** Behind which moments it stands still, each a `when` that may ask about the moment, in place of those before; at most 16. */
  breaks?: string[] | null;
  /** pause, go or step. */
  do?: string | null;
  /** So many times the speed of the wall clock, within the bounds that `/api/words` tells; or `real`. */
  pace?: Json;
};

/** The event `clock` of a stream. */
export type ClockEvent = Clock & {
  numbers?: Numbers | null;
};

/** How a moment closed its wake. */
export type Closing = {
  /** act, see, refused, failed, requeued, dead-letter or ended. */
  as: string;
  /** Where. */
  at?: string | null;
  /** The error's code, where there was an error. */
  code?: string | null;
};

/** How a moment closed. */
export type ClosingWord = 'act' | 'see' | 'refused' | 'failed' | 'requeued' | 'dead-letter' | 'ended';

/** Why something was refused, failed or goes on. */
export type CodeWord = {
  code: string;
  kind: string;
  /** Its meaning. */
  sentence: string;
  /** The remedy. */
  todo: string;
};

/** One condition or group of conditions. */
export type Condition = {
  /** The value at the operand's own path. */
  found?: Json;
  /** Whether it held. */
  held: boolean;
  /** The members of a group. */
  inside?: Condition[];
  /** The operand as it was written. */
  operand?: Json;
  /** The operator, or `and`, `or`, `not`. */
  operator: string;
  /** The path that it asks about; nothing for a group. */
  path?: string | null;
  /** Where it is written. */
  place: string;
  /** The value at the path. */
  saw: Json;
};

/** A connection that cannot be asked now: whoever thinks by it waits, and loses no attempt. */
export type ConnectionOut = {
  /** The provider's sentence, where it turns the connection away, for whoever may read the being's moments. */
  said?: string | null;
  /** How many seconds it has not answered. */
  seconds: number;
  /** A status, or a code of the list. */
  why: string;
};

/** A connection to a model that does not answer now. */
export type ConnectionWait = {
  /** The beings that wait for it, as far as one may see them; 64 at most. */
  beings: string[];
  connection: string;
  /** Since when, by the world's own time. */
  since: string;
  /** A status, or a code of the list. */
  why: string;
};

/** The settings of a connection to a model. */
export type ConnectionWords = {
  parallel: Bounds;
  /** Keys under `llm` that are no connection's name. */
  reserved: string[];
  /** The keys of a request's body that are written from the moment: no sampling sets them. */
  sampling: string[];
  timeoutMs: Bounds;
  tools: Word[];
};

/** A point of a grid, or its size. */
export type Coords = {
  /** Along the first axis. */
  x: number;
  /** Along the second. */
  y: number;
  /** Along the third axis; 0 on a flat grid. */
  z: number;
};

/** A server of the copy. */
export type CopyServer = {
  /** Where its monitor answers. */
  address: string;
  /** Whether it answered when it was asked last. */
  answers: boolean;
};

/** The cost of asking a model in one moment; money in millionths of the world's currency. */
export type Cost = {
  /** Bytes that left by bridges and came back; nothing where there are none. */
  bytes?: number | null;
  /** Requests that were sent. */
  calls: number;
  /** The connection that answered, or was asked last. */
  connection: string;
  /** Tokens of prompts. */
  input: number;
  /** The model, as it was served. */
  model: string;
  /** In millionths of the currency. */
  money: number;
  /** How long the answer took, in milliseconds of the wall clock. */
  ms: number;
  /** Tokens of replies. */
  output: number;
  vain?: Spend | null;
};

/** The cost of models so far. */
export type CostPage = {
  /** By the being that was to answer. */
  beings: Record<string, Sum>;
  budgets: Budget[];
  /** The world's currency. */
  currency?: string | null;
  /** By the day in the world's zone. */
  days: Record<string, Sum>;
  held: HeldBack;
  /** By the model as it was served. */
  models: Record<string, Sum>;
  /** How many more budgets there are. */
  moreBudgets: number;
  /** By the space where it stood. */
  spaces: Record<string, Sum>;
  /** The time up to which the costs are summed. */
  time: string;
  total: Sum;
};

/** A space and those in it. */
export type Crowd = {
  /** How many more places there are. */
  more: number;
  /** The space and those within it, each before those within it. */
  places: CrowdPlace[];
  /** The roles that the others name by their place here; at 0 stands that nothing is worn. */
  roles: string[];
  /** Whether 250,000 were looked at before all were: there are more than is said here. */
  stopped: boolean;
};

/** Some beings, one behind the other in each list. */
export type CrowdBeings = {
  /** Their numbers, by which a pulse names them. */
  ids: number[];
  /** The kind of mind of each: 0 a script, 1 a model, 2 a person, 3 another. */
  minds: number[];
  names: string[];
  /** The role that each wears, as its place in `roles`. */
  roles: number[];
  /** Where each stands on the grid, two numbers each; both -1 for who stands nowhere on it. */
  xy?: number[] | null;
};

/** One place, and who stands right in it. */
export type CrowdPlace = {
  /** Its path. */
  address: string;
  beings?: CrowdBeings | null;
  /** How many stand right in it. */
  count: number;
  /** Its number, by which a pulse names it. */
  id: number;
  name: string;
  size?: Coords | null;
  type: string;
  /** How many wear what: `[role, count]`. */
  wears: number[][];
};

/** A wake that nobody will open unless it is requeued. */
export type DeadLetter = {
  /** When it was given up, in world time. */
  at: number;
  being: string;
  /** The fact that caused it, as `seq.index`. */
  cause: string;
  kind: string;
  reason: Reason;
  wake: Wake;
};

/** One kind of deed of a being. */
export type Deed = DeedEnds & {
  /** How often it was done in all. */
  all: number;
  /** The being. */
  being: string;
  /** The first that comes out otherwise. */
  first?: number | null;
  /** Its sentence. */
  sentence: string;
};

/** How moments come out, each kind by itself. */
export type DeedEnds = {
  /** They would fail, and did not. */
  failed: number;
  /** Something else would be done. */
  otherwise: number;
  /** They would be refused, and were not. */
  refused: number;
  /** A model would be asked something else; its recorded reply comes to the same. */
  unknown: number;
  /** Something else would be worn. */
  worn: number;
};

/** The differences between two points. */
export type Diff = {
  apart?: Apart | null;
  differences: DiffLine[];
  is: Stood;
  /** How many more there are. */
  more: number;
  was: Stood;
};

/** One part of one thing that differs between two points. */
export type DiffLine = {
  /** As it is; null where it is not there. */
  is: Json;
  /** being, space, matter, claim, role, script, rule, extension, setting or signal. */
  kind: string;
  /** How many lines of a text differ. */
  lines?: number | null;
  /** The subject: an address, or a name. */
  of: string;
  /** As it was; null where it was not there. */
  was: Json;
  /** The part of it, such as `position` or `qualities.t.n`; empty for the whole. */
  what: string;
};

/** A do. */
export type DoCall = {
  /** The operation. */
  action: string;
  /** Its arguments. */
  args?: JsonMap | null;
  /** The being that acts; without it, one's own. */
  as?: string | null;
  /** The words said alongside. */
  content?: string | null;
  /** The address of the thing. */
  target: string;
  /** The wake of one's inbox that this answers. */
  wake?: string | null;
};

/** That something was done, of which there is nothing more to say. */
export type Done = JsonMap;

/** A place at which what would stand there differs from what does. */
export type DraftChange = {
  /** The value that stands there; null where nothing does. */
  is: Json;
  /** Where, such as `/canDo/2`; empty for the whole. */
  place: string;
  /** The value that would. */
  would: Json;
};

/** A draft, and what would become of the world if its holder published it now. */
export type DraftReview = {
  /** The operation that publishing it does. */
  action: string;
  /** Where it is. */
  address: string;
  /** The arguments. */
  args: JsonMap;
  /** Its author. */
  by?: string | null;
  /** The hash by which it is published. */
  hash: string;
  /** The being that may publish it. */
  holder?: string | null;
  outlook?: Outlook | null;
  refused?: Reason | null;
  /** The target; empty for an operation on identity. */
  target: string;
};

/** The being that is driven, and the tab from which. */
export type Driven = {
  /** The being, such as `@ada`. */
  being: string;
  /** The tab's name for itself: one person may drive a being from several. */
  tab?: string | null;
};

/** The beings that one drives. */
export type Drives = {
  /** All of it. */
  drives: string[];
  /** How many other tabs of oneself drive the same being. */
  tabs: number;
};

/** Something that is due. */
export type Due = {
  /** The same as people read it, in milliseconds. */
  at: number;
  kind: DueKind;
  time: string;
  /** The schedule's name; of a crossing the role that begins, or the one that ends. */
  what: string;
  /** The being that it concerns, as an address. */
  who: string;
};

/** Why something is due. */
export type DueKind = 'schedule' | 'crossing';

/** A request to a model, and its raw reply. */
export type Exchange = {
  /** The raw reply. */
  reply: Json;
  /** The complete request. */
  request: Json;
};

/** Why a draft would be refused. */
export type Fault = {
  /** Where it is written. */
  place: string;
  what: string;
};

/** The flow of a being, and its versions. */
export type FlowPage = {
  flow: Json;
  hash: string;
  /** Its versions, the newest first, for those who may read the world's moments. */
  history: FlowVersion[];
  /** Whether there may be older ones: 65,536 frames are looked at, the newest of those that may hold one. */
  stopped: boolean;
};

/** One flow that a being had. */
export type FlowVersion = Version & {
  flow?: Json;
};

/** A draft whose effect is asked for: another flow of a being, or other roles. */
export type ForeseeAsked = {
  /** The being whose flow it is. */
  being?: string | null;
  /** The flow. */
  flow?: JsonMap[] | null;
  /** Roles by name; null for one that would be taken back. */
  roles?: JsonMap | null;
  /** The space in which the roles would hold; without it everywhere. */
  space?: string | null;
};

/** How the newest moments would have come out. */
export type Foreseen = DeedEnds & {
  /** The gravest, three at most. */
  deeds: Deed[];
  /** Where the span begins that was lived, and where it ends. */
  from: string;
  /** Whether that is a whole day, or all that there is of it; else there were too many moments, or it took too long. */
  isWhole: boolean;
  /** How many moments of those whom it concerns were lived. */
  moments: number;
  /** How many more kinds of deeds come out otherwise. */
  more: number;
  /** All of it in sentences. */
  sentences: string[];
  to: string;
};

/** A fork that was made. It stands still until somebody lets it go. */
export type Fork = {
  /** The changes, in words. */
  changed: string[];
  /** The link by which its operator comes in, once. */
  link: string;
  name: string;
  /** Where it stands. */
  path: string;
  /** Its first own frame. */
  seq: number;
  /** Its id. */
  world: string;
};

/** The budget of a fork for models. */
export type ForkBudget = {
  /** Bytes of bridges. */
  bytes?: number | null;
  /** Requests. */
  calls?: number | null;
  /** In the world's currency. */
  money?: number | null;
  /** Tokens, of prompts and replies. */
  tokens?: number | null;
};

/** A fork that is wanted. */
export type ForkCall = {
  /** Where it begins, such as `120`, `@ada/7` or `~10m`; without it, now. */
  at?: string | null;
  budget?: ForkBudget | null;
  /** The changes in it: `role:NAME={…}`, `flow:@being=[…]`, `signal:PATH=VALUE`, `setting:KEY=VALUE` or `reply:MOMENT={…}`, each written out. With a reply it begins before that moment asked, and `at` is left out. */
  change?: string[];
  /** Its name, by which it stands below `/w/`: up to 64 letters, digits and `-`. */
  name: string;
};

/** The origin of a fork. */
export type ForkedFrom = {
  /** The parent's name. */
  name: string;
  /** The fork's first own frame. */
  seq: number;
  /** Its id. */
  world: string;
};

/** The being that is given back, and the tab that does so. */
export type GivenBack = {
  /** The being, such as `@ada`. */
  being: string;
  /** Whether the tab only goes away, and may come back: the being is given back unless a heartbeat of the tab comes within ten seconds. */
  leaving?: boolean;
  /** The tab's name for itself; without it, all tabs of oneself let go. */
  tab?: string | null;
};

/** A being, in short. */
export type Glance = {
  address: string;
  claimed?: Claimed | null;
  /** The things that it has claimed itself: it is at them. */
  claims?: Claimed[];
  cognition: string;
  coords?: Coords | null;
  /** The being that drives it. */
  inhabitedBy?: string | null;
  name: string;
  paused: boolean;
  qualities: JsonMap;
  /** Whether its model is asked now. */
  thinks: boolean;
  /** The roles that it wears, the primary first. */
  wearing: string[];
};

/** A piece of matter that another holds. */
export type Held = {
  address: string;
  name: string;
  type: string;
};

/** The amount held back for calls under way. */
export type HeldBack = {
  /** How many calls. */
  open: number;
  spend: Spend;
};

/** An open wake of an inbox. */
export type InboxEntry = Wake & {
  /** How often it was tried and failed. */
  attempts: number;
  /** Whether it may open now. */
  isDue: boolean;
  /** person, urgent, normal or background. */
  rank: string;
  /** All of it as a sentence. */
  sentence: Part[];
  /** The word by which an answer names it. */
  wake: string;
};

/** The kind of a thing. */
export type Kind = 'being' | 'space' | 'matter';

/** A stretch that was not read. */
export type LaneGap = {
  from: string;
  /** How many moments the being had in it. */
  moments: number;
  to: string;
};

/** A moment of a being, and how many others are told by it. */
export type LaneMark = {
  /** The operation that it called. */
  action?: string | null;
  /** How it closed. */
  closing: ClosingWord;
  /** The cost of asking models, in it and the others. */
  cost: Spend;
  /** Its deed, in a line. */
  deed: string;
  /** Its place on the being's reel. */
  n: number;
  /** How many others there were close by. */
  others: number;
  reason?: Reason | null;
  /** The words said, in short. */
  said?: string | null;
  seq: number;
  /** The target. */
  target?: string | null;
  time: string;
  /** The sentence that tells it, behind the name of whoever did it. */
  told: Part[];
  verb?: Verb | null;
  /** Why it opened. */
  wake: string;
};

/** The life of a being in a span of the past. */
export type Lanes = {
  /** The first seq of which nothing is told: what it does from there on comes by the stream. */
  end: number;
  /** The parts that were not read. */
  gaps: LaneGap[];
  /** Whether anything is told in short: a span of more than 8,192 frames is known from checkpoints. */
  isThinned: boolean;
  /** Its moments, the most telling of those that lie close by. */
  marks: LaneMark[];
  /** How many moments it had. */
  moments: number;
  /** Where it stood. */
  stood: StoodBand[];
  /** The stacks that it wore, the oldest first; each band lasts until the next. */
  wore: WoreBand[];
};

/** The outcome of leaving a seat. */
export type Left = Seated | TabsLeft;

/** The rights that the flow of one space lends. */
export type Lent = {
  canDo: Json[];
  canSee: Json[];
  canSummon: Json[];
  role: string;
  /** The address of the space. */
  space: string;
};

/** A limit of a budget; money in the currency itself, as the configuration has it. */
export type Limit = {
  /** How many bytes of bridges. */
  bytes?: number | null;
  /** How many calls. */
  calls?: number | null;
  /** How much of the world's currency. */
  money?: number | null;
  /** How many tokens. */
  tokens?: number | null;
};

/** One moment of a chain of causes. */
export type Link = {
  /** The operation that was called. */
  action?: string | null;
  /** The cause that woke its being, in words. */
  because: string;
  /** Where the chain begins with it: person, schedule, time or genesis. */
  begins?: string | null;
  /** The moment that did; null where nobody's deed but a person's own or time's is behind it. */
  cause?: number | null;
  /** How it closed. */
  closing: ClosingWord;
  /** The deed, in a line. */
  deed: string;
  /** How many wakes lie between it and the moment that was asked about. */
  depth: number;
  /** Its name, as `@ada/7`. */
  moment: string;
  reason?: Reason | null;
  /** The words said. */
  said?: string | null;
  /** Its seq. */
  seq: number;
  /** The target. */
  target?: string | null;
  /** When. */
  time: string;
  /** The sentence that tells it, behind the name of whoever did it. */
  told: Part[];
  verb?: Verb | null;
};

/** The findings of lint in a draft. */
export type Linted = {
  /** For these it would be refused. */
  errors: Fault[];
  /** These are probably not meant. */
  warnings: Warning[];
};

/** How one comes in: with the token of the one-time link, or with a being's name and password. */
export type Login = {
  /** A person's being. */
  being?: string | null;
  /** Its password. */
  password?: string | null;
  /** The token of the link that the server printed. */
  token?: string | null;
};

/** How something is drawn. */
export type Look = {
  /** A word, or `#rrggbb`. */
  colour?: string | null;
  /** Whether it is left out. */
  hidden?: boolean | null;
  /** A word for a shape, or one SVG path of 18 × 18. */
  icon?: string | null;
  /** Whether what is of this type stands in rows. */
  rows?: boolean | null;
};

/** Where a place lies on the map, in units of the map: `[x, y, width, height]`. */
export type Lot = {
  /** The part of its floor that no place in it takes. */
  floor: number[];
  /** All of it, with its walls. */
  whole: number[];
};

/** One fact that made something what it is. */
export type Making = {
  /** The operation. */
  action?: string | null;
  /** The cause that woke its author, in words. */
  because: string;
  /** The being that drove its author. */
  driver?: string | null;
  /** The effect of the fact, such as `set`, `pushed` or `set through t`. */
  how: string;
  /** The place among the frame's facts, from 0. */
  index: number;
  /** The moment, as `@ada/7`. */
  moment: string;
  /** How many facts the frame has. */
  of: number;
  /** Its frame. */
  seq: number;
  /** The target, as it was called then. */
  target?: string | null;
  /** When. */
  time: string;
  /** The value; null where there is none. */
  value: Json;
};

/** The facts that made something what it is. */
export type Makings = {
  /** The facts, the newest first, back to the one that set all of it. */
  made: Making[];
  /** Whether there are more. */
  more: boolean;
  /** Where older ones may lie that were archived, in words. */
  unread?: string | null;
  /** The value, where it is one. */
  value: Json;
};

/** A piece of matter, in short. */
export type MatterGlance = {
  address: string;
  claimed?: Claimed | null;
  coords?: Coords | null;
  /** Its quality `station.does`. */
  does?: string | null;
  /** The first of them, eight at most. */
  held: Held[];
  /** How many pieces it holds. */
  holds: number;
  look?: Look | null;
  name: string;
  type: string;
};

/** Whether one may, and why not. */
export type May = {
  may: boolean;
  why?: Reason | null;
};

/** The verbs and operations that one may use on a thing right now, and why not. */
export type MayAll = {
  be: MayBe[];
  do: MayDo[];
  kind: Kind;
  see: May;
  summon?: May | null;
  /** Its address. */
  target: string;
};

/** An operation on identity, and whether one may use it. */
export type MayBe = May & {
  /** Its purpose, in a sentence. */
  about: string;
  operation: string;
  /** The JSON Schema of its payload. */
  payload: JsonMap;
};

/** An operation on a thing, and whether one may do it. */
export type MayDo = May & {
  /** Its purpose, in a sentence. */
  about: string;
  action: string;
  /** The JSON Schema of its arguments. */
  args: JsonMap;
};

/** Something that is measured of the world. */
export type Measure = {
  /** How often it is sampled; none: at the end of a run. */
  every?: string | null;
  /** Whether that is a warning, by what its source says. */
  isWarning: boolean;
  name: string;
  /** The current value; null where it fails. */
  now: Json;
  /** The display name; the measure's own name where none is given. */
  title: string;
  /** The expression. */
  value: string;
};

/** The values of one measure. */
export type MeasureSeries = {
  name: string;
  /** The display name. */
  title: string;
  /** At each point a number, or null where it came to none. */
  values: (number | null)[];
};

/** The measures at the ends of the parts of the past. */
export type MeasuresThen = {
  /** The points: `at` that seq the world is as it was measured. */
  seqs: number[];
  series: MeasureSeries[];
  /** Whether more of the past would have had to be read than is read for one request: the points behind are null, and asking again goes on. */
  stopped: boolean;
  /** When those parts ended. */
  times: string[];
};

/** One message that a model was sent. */
export type Message = {
  /** The text. */
  content: string;
  /** The speaker. */
  role: string;
};

/** One moment, with everything that led to it. */
export type MomentPage = {
  /** The being, as an address. */
  being: string;
  call?: Call | null;
  /** How it closed. */
  closing: Closing;
  /** The tokens that the model counted of that. */
  counted?: number | null;
  /** The view that it was given at once. */
  face?: Json;
  /** The facts that it stamped: each with its kind, and the fields that `docs/FORMAT.md` lists for it. */
  facts: JsonMap[];
  /** The frame's hash. */
  hash: string;
  /** Its place on the being's reel. */
  n: number;
  /** When it opened. */
  openedAt: string;
  /** The prompt that a model was sent, message by message. */
  prompt?: Message[] | null;
  /** The moment in short. */
  report: Report;
  /** The rules that were asked about its act. */
  rules: RuleAsked[];
  /** The frame. */
  seq: number;
  /** The settings that it went by. */
  settings?: UsedSetting[] | null;
  /** The signer that answers for it: `being`, or `world`, whose seal covers it. */
  signedBy: string;
  /** The size of each part of that. */
  split: PromptPart[];
  /** The roles that it wore. */
  stack: Worn[];
  thought?: Exchange | null;
  trace?: Trace | null;
  wake?: Wake | null;
  /** The same as a sentence. */
  wokenBy: Part[];
};

/** Moments, the newest first. */
export type Moments = {
  /** The seq from which to go on further back; none: there are no more. */
  before?: number | null;
  moments: Report[];
};

/** The nearest call that would be allowed. */
export type Nearest = {
  /** Such as `do sweep on /hall`; none where the verb reaches nothing. */
  nearest?: string | null;
};

/** A new password. */
export type NewPassword = {
  /** The being; without it, one's own. An ancestor gives its descendants theirs. */
  being?: string | null;
  /** At least 8 characters. */
  password: string;
};

/** A token that is wanted. */
export type NewToken = {
  /** The being as which its program acts; only over the socket beside the world's files, else oneself. */
  being?: string | null;
  /** How long it lasts, such as `30d`; without it 90 days. */
  for?: string | null;
  /** Its purpose. */
  name?: string | null;
  /** The verbs that it may be used for: see, do, summon, be; without it, all. */
  only?: string[] | null;
  /** How often it may ask, such as `30/m`: so many requests within a second (`s`), minute (`m`), hour (`h`) or day (`d`). */
  rate?: string | null;
};

/** The state of the world in a sentence. */
export type Now = {
  /** One sentence. */
  say: string;
  /** Whether somebody should look. */
  watch: boolean;
};

/** The first measures and the sentence on the world, all of the same seq. */
export type Numbers = {
  /** The instant of its last frame, in milliseconds. */
  at: number;
  /** The first three measures that are numbers. */
  measures: Measure[];
  now?: Now | null;
  /** The seq that they are of: `/api/world?at=SEQ` says the same. */
  seq: number;
  /** The same, as people read it. */
  time: string;
};

/** A session, as one sees one's own. */
export type OpenSession = {
  /** Whether it is this one. */
  current: boolean;
  /** The id by which it can be closed. */
  id: string;
  /** When it was used last, not to the minute. */
  seen: string;
  /** When it was opened. */
  since: string;
};

/** An operation, with the schema of its arguments. */
export type Operation = {
  /** Its purpose, in a sentence. */
  about: string;
  /** The JSON Schema of its arguments. */
  args: JsonMap;
  name: string;
  /** The kinds of thing it can be done to; none: any. */
  target: string[];
};

/** An operator of conditions. */
export type OperatorWord = {
  /** How it reads where it does not hold, for one that is only true or false. */
  not?: string | null;
  says: string;
  /** The operand that it takes. */
  takes: Takes;
  word: string;
};

/** The outcome of one answer. */
export type Outcome = {
  call?: Call | null;
  closing: ClosingWord;
  cost?: Cost | null;
  /** Its deed, in a line. */
  deed: string;
  /** The facts that it would have stamped. */
  facts: JsonMap[];
  reason?: Reason | null;
  /** A model's raw reply. */
  reply?: Json;
  said?: string | null;
  /** The sentence that tells it, behind the name of whoever would have done it. */
  told: Part[];
};

/** The effect of publishing a draft. */
export type Outlook = {
  /** Where what would stand there differs from what does. */
  changes: DraftChange[];
  /** The last moments of the being that it is about, with the stack it would have worn; the newest first. */
  moments: Backtested[];
  /** The warnings of lint. */
  warnings: Warning[];
  /** The beings that would wear something else now. */
  wear: WouldWear[];
};

/** How slow and how fast a world goes, in times the wall clock. */
export type PaceBounds = {
  max: number;
  min: number;
};

/** A piece of a sentence: words, the name of a thing, or what somebody said. */
export type Part = {
  /** Whether somebody said it. */
  isSaid?: boolean;
  /** Whether it names whoever did what is told. */
  isWho?: boolean;
  /** Whether it says why it was not done. */
  isWhy?: boolean;
  /** Its words; of what was said without quotation marks. */
  text: string;
  /** The address of the thing, the place or the being that it names. */
  to?: string;
};

/** The paths that conditions may name. */
export type Paths = {
  /** Paths with a part that is a name. */
  parts: string[];
  paths: string[];
  /** The signals that are published. */
  signals: string[];
};

/** The size of a part of a prompt. */
export type PromptPart = {
  /** Its title: `who`, `abilities`, that of a block, `now`, `wake` or `tools`. */
  part: string;
  /** About how many tokens: a token is four bytes here, whatever the model counts. */
  tokens: number;
};

/** A count of the moments since the event before it that has an id. */
export type Pulse = {
  /** How many of them acted. */
  acts: number;
  /** When its last moment was, in milliseconds of world time. */
  at: number;
  /** How many failed, or were given up. */
  failed: number;
  /** Whether there were more places or beings than it tells. */
  isCut: boolean;
  /** How many looked. */
  looks: number;
  /** How many moments: all that one may know of, also those that were sent whole without an id. */
  moments: number;
  /** The beings that stand elsewhere in view: `[being, space]`, on a grid `[being, space, x, y]`; numbers as `/api/crowd` tells them. */
  moved: number[][];
  /** The view and the places right in it, each with its moments; the busiest 64. */
  places: Json[][];
  /** How many were refused. */
  refused: number;
  /** The first seq that it does not count. */
  seq: number;
  /** How many frames were not sent whole. */
  skipped: number;
  /** The same, as people read it. */
  time: string;
  /** The beings in view that wear another role: `[being, role]`. */
  worn: Json[][];
};

/** A code, and a place where it is about. */
export type Reason = {
  /** An address, a JSON path, or a file and line; empty where there is none. */
  at: string;
  /** The code, such as `gate-role` or `script-throw`. */
  code: string;
};

/** A moment that was opened again. */
export type Reopened = {
  /** The kind of mind that would think. */
  cognition: string;
  seq: number;
  /** The roles that would be worn. */
  stack: Worn[];
  time: string;
  trace: Trace;
  verdict?: Verdict | null;
  /** The roles that were worn. */
  was: Worn[];
};

/** One moment, in short. */
export type Report = {
  /** The operation that it called. */
  action?: string | null;
  /** With which arguments, where they are at hand and one may read all of it. */
  args?: Json;
  /** When, in world time. */
  at: number;
  /** The cause that woke it, in words. */
  because: string;
  /** Why it was done, as a sentence behind *because*; only where that was asked for and frames say it. */
  becauseOf?: Part[];
  /** The being, by name. */
  being: string;
  /** The fact that woke it, as `seq.index`: for an answer, the summons that it answers. */
  cause: string;
  /** The clause that chose each role. */
  clauses: (number | null)[];
  /** How it closed: act, see, refused, failed, requeued, dead-letter or ended. */
  closing: ClosingWord;
  /** The kind of mind that thought. */
  cognition: string;
  coords?: Coords | null;
  cost?: Cost | null;
  /** Its deed, in a line. */
  deed: string;
  /** The being that drove it, as an address. */
  driver?: string | null;
  /** Hints: the right way to write what was refused, and what may not be meant in what was done; no seal holds them. */
  hints?: string[];
  /** The summons that what it says answers, as `seq.index`. */
  inReplyTo?: string | null;
  /** The notes of its scripts for whoever watches; no seal holds them. */
  notes?: string[];
  /** Where it stood when it acted, before what it did moved it. */
  place: string;
  reason?: Reason | null;
  /** The words said. */
  said?: string | null;
  /** The frame. */
  seq: number;
  /** The space where it stood when the moment closed. */
  space: string;
  /** The roles that it wore, the primary first. */
  stack: string[];
  /** The target. */
  target?: string | null;
  /** The same, as people read it. */
  time: string;
  /** The sentence that tells it, behind the name of whoever did it. */
  told: Part[];
  /** The signal that it published, as a sentence of its own. */
  turn?: Part[];
  verb?: Verb | null;
  /** Why the moment opened. */
  wake: string;
  /** Why it wears that, where it wore something else before. */
  why?: string | null;
};

/** A world of this server. */
export type Resident = {
  /** Whether it is the one that was asked. */
  here: boolean;
  /** Its display name. */
  name: string;
  origin?: ForkedFrom | null;
  /** Where it stands: `/`, or `/w/NAME/`. */
  path: string;
  /** The seq up to which its past is that of the world that was asked, where both come from one. */
  shared?: number | null;
  /** Its id. */
  world: string;
};

/** The outcome of that. */
export type Retried = {
  connection: string;
  /** Whether its provider had turned it away. */
  wasHeld: boolean;
};

/** The connection that is to be asked again */
export type RetryCall = {
  /** Its name: `llm.small` is `small`. */
  connection: string;
};

/** A role, its file and its versions. */
export type RolePage = {
  hash: string;
  /** Its versions, the newest first, for those who may read the world's moments. */
  history: RoleVersion[];
  /** As a file. */
  markdown: string;
  origin: string;
  /** The spaces that have a version of their own. */
  places: RolePlace[];
  /** As it is set. */
  role: JsonMap;
  /** Whether there may be older ones: 65,536 frames are looked at, the newest of those that may hold one. */
  stopped: boolean;
  /** The beings that may come to wear it. */
  users: string[];
  version: number;
};

/** A space's own version of a role. */
export type RolePlace = {
  hash: string;
  markdown: string;
  origin: string;
  role: JsonMap;
  space: string;
  version: number;
};

/** A role in short, and who may come to wear it. */
export type RoleSummary = {
  canBe: Json[];
  canDo: Json[];
  canSee: Json[];
  canSummon: Json[];
  description?: string | null;
  hash: string;
  /** The operations by which others may move its wearer. */
  lets: string[];
  name: string;
  /** The source that it comes from. */
  origin: string;
  /** The spaces that have a version of their own. */
  places: string[];
  requiredCognition?: string | null;
  /** Some of them. */
  someUsers: string[];
  /** How many may come to wear it. */
  users: number;
  version: number;
};

/** A role considered beside the clauses. */
export type RoleTrace = {
  /** The conditions of its own `when`, where they were asked. */
  guard?: Condition[];
  outcome?: ClauseOutcome | null;
  /** The role. */
  role: string;
};

/** One version of a role. */
export type RoleVersion = Version & {
  /** None: taken back. */
  role?: JsonMap | null;
};

/** A rule that was asked about a deed, with what it saw. */
export type RuleAsked = {
  /** The action that it was asked about. */
  action: string;
  /** Its conditions, each with what it saw. */
  conditions: Condition[];
  /** Its name, with that of its extension. */
  rule: string;
  /** Its sentence, or why it failed. */
  sentence?: string | null;
  /** The target of that action. */
  target: string;
  /** The ruling. */
  verdict: Ruling;
};

/** The ruling of a rule that was asked about a deed. */
export type Ruling = 'silent' | 'refuses' | 'fails';

/** A value that is set at one place on the way. */
export type SaidThere = {
  /** Where. */
  at: string;
  /** The being that set it. */
  by: string;
  /** The place whose value overrules it. */
  overruledBy?: string | null;
  value: Json;
};

/** The moment of taking a seat, or of leaving it. */
export type Seated = Report & {
  /** How many other tabs of oneself drive the being. */
  tabs: number;
};

/** A look that is recorded; with a wake of one's inbox and no target, the wake is closed without an act. */
export type SeeCall = {
  /** The being that acts; without it, one's own. */
  as?: string | null;
  /** The address that is looked at. */
  target?: string | null;
  /** The wake of one's inbox that this closes. */
  wake?: string | null;
};

/** The session of the caller. */
export type Session = {
  /** One's own being. */
  being?: string | null;
  /** The beings that it drives now. */
  drives: string[];
  /** Whether the being has a password. */
  hasPassword: boolean;
  /** Whether one may do nothing else before one has set a password: other machines reach this server. */
  passwordFirst: boolean;
  /** Whether one's role lists anything: a visitor whose does not is shown nothing of the world. */
  sees: boolean;
  /** Whether one sees anything of the world's places. */
  seesPlaces: boolean;
  /** Whether nobody is logged in. */
  visitor: boolean;
};

/** A setting at a thing. */
export type Setting = May & {
  /** Its purpose. */
  about: string;
  /** The value that holds where nobody says anything. */
  default: Json;
  /** Where the value comes from; nowhere: it is the default. */
  from: string[];
  key: string;
  /** How the values set on the way come together. */
  merge: string;
  /** The values set on the way, the world first. */
  said: SaidThere[];
  /** The JSON Schema of its value. */
  schema: JsonMap;
  /** The value that holds there. */
  value: Json;
  /** world, space, being: where it may be said. */
  where: string[];
  /** The beings that may set it there. */
  who: string[];
};

/** The signals, and whose flows read each. */
export type Signals = {
  readers: Record<string, string[]>;
  signals: JsonMap;
};

/** A role or a flow to be checked: one of both. */
export type Sketch = {
  /** The being whose flow it would be. */
  being?: string | null;
  /** A flow as it would be set. */
  flow?: JsonMap[] | null;
  /** A role as it would be set. */
  role?: JsonMap | null;
};

/** A space and those in it. */
export type Space = SpaceInside & {
  /** Its path. */
  address: string;
  beings: Glance[];
  ground?: Lot | null;
  matter: MatterGlance[];
  name: string;
  /** Of the whole tree: the frame from which the map is laid as it is. */
  planSince?: number | null;
  spaces: Space[];
  /** Of the whole tree: whether 250,000 were looked at before all were, so there are more than it names. */
  stopped?: boolean;
};

/** The inside of a space that one may see; a space that is only on the way to one that may be seen has none of it. */
export type SpaceInside = {
  claimed?: Claimed | null;
  /** How many beings are in it. */
  count?: number;
  look?: Look | null;
  owner?: string | null;
  paused?: boolean;
  size?: Coords | null;
  /** Its quality `ambient.tone`. */
  tone?: string | null;
  type?: string;
};

/** The outcome of the flow of one space around. */
export type SpaceTrace = {
  /** Its address. */
  address: string;
  /** Every clause, in order. */
  clauses: ClauseTrace[];
  /** The space. */
  space: string;
};

/** So many calls and tokens; money in millionths of the world's currency. */
export type Spend = {
  /** Bytes that left by bridges and came back; nothing where there are none. */
  bytes?: number | null;
  /** Requests that were sent. */
  calls: number;
  /** Tokens of prompts. */
  input: number;
  /** In millionths of the currency. */
  money: number;
  /** Tokens of replies. */
  output: number;
};

/** Where a step leads. */
export type Step = {
  /** The point at which it stands: right behind the moment; where it was if there is none that way. */
  at: number;
  /** Whether there was something that way. */
  found: boolean;
  /** Where to go on looking: up to there nothing was found, and further nobody has looked. */
  further?: number | null;
  moment?: Report | null;
};

/** Where one side of a comparison stands. */
export type Stood = {
  /** All frames below it. */
  seq: number;
  /** When its last frame was. */
  time: string;
};

/** Where a being stood for a while. */
export type StoodBand = {
  /** The moment with which it began; none where only a checkpoint says that it was so. */
  by?: number | null;
  /** The space. */
  space: string;
  /** The time at which it began, as far as it is known. */
  time: string;
};

/** A sum of costs so far. */
export type Sum = {
  /** Bytes that left by bridges and came back; nothing where there are none. */
  bytes?: number | null;
  /** Requests that were sent. */
  calls: number;
  /** Tokens of prompts. */
  input: number;
  /** Moments in which a model was asked. */
  moments: number;
  /** In millionths of the currency. */
  money: number;
  /** How long the answers took in all, in milliseconds of the wall clock. */
  ms: number;
  /** Tokens of replies. */
  output: number;
  /** Moments of which nobody heard the end: what was reserved for them counts as spent. */
  unanswered: number;
  /** How much of that went to calls ahead in vain. */
  vain: Spend;
};

/** A summons. */
export type SummonCall = {
  /** wanted, or none where it is only to be known. */
  answer?: string | null;
  /** The being that acts; without it, one's own. */
  as?: string | null;
  /** The message: text, or any value. */
  content: Json;
  /** The summons that it answers, as `seq.index`. */
  inReplyTo?: string | null;
  /** Its purpose, such as `ask`. */
  intent?: string | null;
  /** The verbs that whoever hears it may use for it: some of see, do, summon, be; without it, all. */
  only?: string[] | null;
  /** forward, half or inward; only a summons to oneself turns otherwise than forward. */
  orientation?: string | null;
  /** person, urgent, normal or background. */
  rank?: string | null;
  /** A role asked for. */
  role?: string | null;
  /** The being that is summoned; without it, whoever the answered wake came from. */
  target?: string | null;
  /** The wake of one's inbox that this answers. */
  wake?: string | null;
};

/** A draft: other roles or another flow for a being. */
export type Supposed = {
  /** The being whose flow it is. */
  being: string;
  /** The flow to be tried; without it, the one it has. */
  flow?: JsonMap[] | null;
  /** How many moments back; without it 50. */
  last?: number | null;
  /** Roles to be tried, by name; null for one that would be taken back. */
  roles?: JsonMap | null;
};

/** How many tabs go on. */
export type TabsLeft = {
  /** How many other tabs of oneself drive the being. */
  tabs: number;
};

/** The answer to a webhook. */
export type TakenIn = {
  /** The seq of the frame in which it was told: the same one, however often it comes. */
  frame: number;
};

/** The operand that an operator takes. */
export type Takes = 'value' | 'list' | 'order' | 'truth' | 'text';

/** How much happened when. */
export type Timeline = {
  /** When its first frame was. */
  began: string;
  /** Its parts, the oldest first. */
  buckets: Bucket[];
  /** When its last was. */
  ended: string;
};

/** A token as it is listed; its secret stands only in the answer to its making. */
export type Token = {
  /** The being as which its program acts. */
  being: string;
  /** The id by which it can be taken back. */
  id: string;
  /** Its purpose. */
  name: string;
  /** The verbs that it may be used for. */
  only: string[];
  /** How often it may ask, such as `30/m`; null where nothing narrows that. */
  rate?: string | null;
  /** The time at which it was made. */
  since: string;
  /** The secret, once: `Authorization: Bearer` and this. */
  token?: string | null;
  /** The time at which it ends. */
  until: string;
  /** When a request came with it last; null where none has come. */
  used?: string | null;
};

/** A look. */
export type Told = {
  /** The address. */
  address: string;
  /** Another one where the address shows something else. */
  hash: string;
  /** being, space, matter or register. */
  kind: string;
  /** Whether there is more than the text tells. */
  more: boolean;
  /** In the words of a prompt. */
  text: string;
};

/** Why a stack is what it is. */
export type Trace = {
  /** Every clause, in order. */
  clauses: ClauseTrace[];
  fallback?: RoleTrace | null;
  requested?: RoleTrace | null;
  /** The roles that the flows of the spaces around stack on it, the nearest first. */
  spaces?: SpaceTrace[];
  /** The roles worn, the primary first. */
  stack: Choice[];
};

/** A moment, thought again with a draft. */
export type Tried = Reopened & {
  /** The connection that was asked. */
  connection?: string | null;
  /** The messages that a model was sent; none where none was asked. */
  prompt?: Message[] | null;
  replies: Outcome[];
};

/** Why a request was not answered as asked. */
export type Trouble = {
  /** A stable word for programs, such as `not-found` or `gate-role`. */
  code: string;
  /** The kind of the code, such as `gate` where a role, a place or lineage forbids. */
  kind: string;
  /** For people: what was expected, what was found, what to do. */
  message: string;
  /** The address, path or key that it is about. */
  place?: string | null;
};

/** Something that one may try now. */
export type Try = {
  /** The operation to do. */
  action?: string | null;
  /** The arguments. */
  args?: JsonMap | null;
  /** The label of the button: the deed and what it is done to. */
  button: string;
  /** The words of a summons, or those said beside a deed. */
  content?: Json;
  /** All that it does, as a sentence. */
  does: string;
  /** The effect of it, as a sentence. */
  say: string;
  /** The thing it is done to, or the being that is summoned. */
  target: string;
  verb: TryVerb;
};

/** The verb by which one tries something. */
export type TryVerb = 'do' | 'summon';

/** A question of a person that was heard and got no answer. */
export type UnansweredQuestion = {
  /** When the moment closed that heard it, in milliseconds of the world's time. */
  at: i64;
  /** The fact that asked it, as `12.0`. */
  cause: string;
  /** looked; did: something else was done; asked: somebody else was asked first, and an answer may still come. */
  how: string;
  /** That moment, as `@ada/7`; null for those who may not read it. */
  moment?: string | null;
  /** The address of whom it was asked. */
  to: string;
  /** All of it as a sentence. */
  words: string;
};

/** A setting that a moment went by. */
export type UsedSetting = {
  /** Where that came from; nowhere: it is the default. */
  from: string[];
  /** Its key. */
  key: string;
  /** Where something else was said that did not count. */
  overruled: string[];
  /** The value that it had. */
  value: Json;
};

/** A verb. */
export type Verb = 'see' | 'do' | 'summon' | 'be';

/** A verb, and the list of a role that lets it through. */
export type VerbWord = {
  list: string;
  says: string;
  word: string;
};

/** How a moment would close without a thought. */
export type Verdict = {
  closing: ClosingWord;
  reason?: Reason | null;
};

/** One version of a role or a flow: when it was set, and by whom. */
export type Version = {
  /** The being that set it. */
  by?: string | null;
  /** Whether there is no such space any more. */
  gone: boolean;
  /** None where it cannot be read. */
  hash?: string | null;
  /** The label that its setter gave it. */
  label?: string | null;
  seq: number;
  /** Where it holds; none: everywhere. */
  space?: string | null;
  time: string;
  /** Its number; null where the versions before it were not looked for and nothing else says it. */
  version?: number | null;
};

/** The cause for which a being woke, or waits to. */
export type Wake = {
  /** The wake about which the members of a panel are asked. */
  about?: JsonMap | null;
  /** The deed for which it watches. */
  action?: string | null;
  /** none, where it is only to be known. */
  answer?: string | null;
  /** How they have voted. */
  ballots?: JsonMap[] | null;
  /** The role in which it was summoned. */
  callerRole?: string | null;
  /** The fact that caused it, as `seq.index`. */
  cause: string;
  /** The message. */
  content?: Json;
  /** How often. */
  count?: number | null;
  /** When it may open, in world time. */
  due: number;
  /** The newest frame that it tells of. */
  frame?: number | null;
  /** The being that summoned, came or was heard. */
  from?: string | null;
  /** The summons that this one answers. */
  inReplyTo?: string | null;
  /** The intent of a summons. */
  intent?: string | null;
  /** Its kind. */
  kind: string;
  /** The schedule that was due. */
  name?: string | null;
  /** The verbs that may be used for it, where they are not all. */
  only?: string[] | null;
  /** The signal that changed. */
  path?: string | null;
  /** Where. */
  place?: string | null;
  /** The space that it came into. */
  space?: string | null;
  /** The target. */
  target?: string | null;
  /** The end of the wait, in world time. */
  until?: number | null;
  /** The roles that it wore before. */
  wore?: string[] | null;
};

/** A finding of lint: something that may not be meant, or is refused. */
export type Warning = {
  /** The kind of warning. */
  code: string;
  /** A guess at what was meant. */
  hint?: string | null;
  /** Where it is written. */
  place: string;
  /** The finding. */
  what: string;
};

/** The source to apply. */
export type Which = {
  /** Its directory, from the root of this machine's files. */
  source: string;
};

/** The subject of an operation on identity: oneself, a being, or one in whose seat a tab sits, for which there is a way of its own. */
export type Whose = 'self' | 'being' | 'seat';

/** A word of a closed list, and what it says. */
export type Word = {
  says: string;
  word: string;
};

/** The closed lists of the language and the bounds of what is typed. */
export type Words = {
  bindings: BindingWord[];
  budget: BudgetWords;
  closings: Word[];
  cognitions: Word[];
  connection: ConnectionWords;
  operators: OperatorWord[];
  orientations: Word[];
  outcomes: Word[];
  pace: PaceBounds;
  password: Bounds;
  relations: Word[];
  /** The defaults of a role, key by key. */
  role: JsonMap;
  triggers: Word[];
  verbs: VerbWord[];
  wakes: Word[];
};

/** The roles a being wore for a while. */
export type WoreBand = {
  /** The moment with which it began; none where only a checkpoint says that it was so. */
  by?: number | null;
  /** The primary role, then the modifiers. */
  stack: string[];
  /** The time at which it began, as far as it is known. */
  time: string;
};

/** How far the copy of the log outside is. */
export type WorldCopy = {
  /** How many groups the copy is behind the log. */
  behind: number;
  /** The epoch in which it does, or did. */
  epoch: number;
  /** The newest fault of the copy. */
  fault?: string | null;
  /** Whether this server owns the world. */
  isOwner: boolean;
  /** The owner in its place. */
  owner?: string | null;
  /** Its servers. */
  servers: CopyServer[];
  /** Why nothing goes on, while the copy is waited for. */
  waits?: string | null;
};

/** The world at a glance. */
export type WorldInfo = WorldInside & {
  /** Its purpose, in its operator's words. */
  about?: string | null;
  /** The same, in milliseconds. */
  at: number;
  clock: Clock;
  copy?: WorldCopy | null;
  name?: string | null;
  /** Whether its keys follow from its seed, so that anyone can compute them. */
  simulated: boolean;
  /** The world's own time, as people read it. */
  time: string;
  /** Its id: the key with which it seals. */
  world: string;
};

/** The inside of a world, for those who may see its root. */
export type WorldInside = {
  /** How many beings live. */
  beings?: number;
  /** How many dead letters there are. */
  dead?: number;
  /** The roles that somebody has worn, each with its place among the hues: of fourteen hues, the place modulo fourteen. They are told to those who may see `/.roles`. */
  hues?: Record<string, number>;
  /** How types of things are drawn. */
  looks?: Record<string, Look>;
  /** Whether one may hold the clock. */
  mayClock?: boolean;
  /** The seq of the world that `measures` and `now` are of: of the living world they may be a second old. */
  measured?: number | null;
  /** The measures; told to those who may see `/.measures`. */
  measures?: Measure[] | null;
  now?: Now | null;
  operator?: string;
  /** Whether one may look at the past: `at`, `/api/timeline` and what goes with them. */
  seesPast?: boolean;
  /** How many frames there are. */
  seq?: number;
  /** How many spaces there are. */
  spaces?: number;
  /** The sentences by which operations are told, behind the name of whoever does them: `lends {{args.book}} to {{target}}`. A report has its own filled in (`told`). */
  told?: Record<string, string>;
  /** The acts that one may try now, as the source says it. */
  tries?: Try[];
  zone?: string | null;
};

/** The worlds of this server that one may know of. */
export type Worlds = {
  /** And the command that makes one elsewhere; it takes `--at POINT` and `--change CHANGE`. */
  forkCommand?: string | null;
  /** Whether whoever asks may make a fork here. */
  mayFork: boolean;
  /** To the operator, where there is no place for forks: why. */
  noPlace?: string | null;
  worlds: Resident[];
};

/** A role that is worn, and the clause of the flow that chose it; none: the default role, or the one asked for. */
export type Worn = {
  /** The clause's place in the flow. */
  clause?: number | null;
  /** The role. */
  role: string;
  /** The space whose flow it is; none: the being's own. */
  space?: string | null;
};

/** The roles that a being wears now. */
export type WornNow = {
  canBe: Json[];
  canDo: Json[];
  canSee: Json[];
  canSummon: Json[];
  /** The rights that the flows of spaces around lend it, for what is inside those. */
  lent: Lent[];
  /** The operations by which others may move it. */
  lets: string[];
  prompt: string;
  /** The primary, then the modifiers. */
  stack: Worn[];
  /** How much world time a thought takes. */
  thinks?: number | null;
  trace: Trace;
};

/** The roles that would be worn now. */
export type WornWith = {
  stack: Worn[];
  trace: Trace;
};

/** A being, and what it would wear. */
export type WouldWear = {
  /** The being. */
  being: string;
  /** The stack that it wears. */
  was: string[];
  /** The stack that it would wear. */
  would: string[];
};

/** An error as it goes over the line. */
export type Wrong = {
  error: Trouble;
};

export type i64 = number;
