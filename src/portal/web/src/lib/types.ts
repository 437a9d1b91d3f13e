// What the server sends, as the page reads it. Fields that may be missing are read with care everywhere.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonMap = { [key: string]: Json };

export interface Coords { x: number; y: number; z?: number }
export interface Reason { code: string; place?: string | null; at?: string | null; message?: string | null }

export interface Report {
  seq: number;
  at: number;
  time: string;
  being: string;
  place: string;
  space?: string | null;
  coords?: Coords | null;
  stack: string[];
  clauses?: (number | null)[];
  why?: string | null;
  wake: string;
  /** What woke it, in words. */
  because?: string;
  closing: string;
  reason?: Reason | null;
  deed: string;
  verb?: string | null;
  action?: string | null;
  target?: string | null;
  said?: string | null;
  driver?: string | null;
  cognition?: string | null;
  /** What asking a model has cost; null where none was asked. */
  cost?: Cost | null;
  inReplyTo?: string | null;
  /** The fact that woke it; of a summons it is the question's own. */
  cause?: string | null;
  /** What its scripts said to whoever watches; no seal holds it. */
  notes?: string[];
}

/** Calls and tokens; money in millionths of the world's currency. */
export interface Spend { calls: number; input: number; output: number; money: number }
export interface Cost extends Spend { connection: string; model: string; ms: number }
/** What something has cost so far; of the unanswered moments nobody heard the end. */
export interface Sum extends Spend { moments: number; ms: number; unanswered: number }
/** A limit's money is in the currency itself, as the configuration has it. */
export interface Limit { calls?: number; tokens?: number; money?: number }
export interface Budget { account: string; period: string; limit: Limit; spent: Spend; turns: string }
export interface CostPage {
  currency?: string | null; time: string; total: Sum; beings: Record<string, Sum>; spaces: Record<string, Sum>; models: Record<string, Sum>; days: Record<string, Sum>;
  held: { open: number; spend: Spend }; budgets: Budget[]; moreBudgets?: number;
}

/** `being` is null where nobody is logged in and the world knows no @arrival. */
export interface Session { being: string | null; drives: string[]; visitor: boolean; hasPassword?: boolean }
export interface Clock { pace: string; state: string; waitsFor?: string | null; mayClock?: boolean }
export interface WorldInfo {
  name: string; about?: string | null; world: string; seq?: number; at: number; time: string; zone?: string; simulated?: boolean;
  clock: Clock; beings?: number; spaces?: number; dead?: number; operator?: string; mayClock?: boolean;
}

export interface Glance {
  name: string; address?: string; coords?: Coords | null; cognition: string; wearing: string[]; inhabitedBy?: string | null;
  paused?: boolean; qualities?: JsonMap;
}
export interface MatterGlance { name: string; address?: string; type?: string; coords?: Coords | null; content?: Json; qualities?: JsonMap; holds?: number | Json[] }
export interface Space {
  address: string; name: string; type: string; size?: Coords | null; coords?: Coords | null; owner?: string | null; paused?: boolean;
  count?: number; beings: Glance[]; matter: MatterGlance[]; spaces: Space[];
}

export interface May { may: boolean; why?: Reason | null }
export interface MayDo extends May { action: string; about?: string; args?: JsonMap }
export interface MayBe extends May { operation: string; about?: string; payload?: JsonMap }
export interface MayAll { target: string; kind?: string; do: MayDo[]; summon?: May; see?: May; be?: MayBe[] }

export interface Condition {
  path?: string; operator: string; expected?: Json; operand?: Json; seen?: Json; saw?: Json; found?: Json; held: boolean;
  inside?: Condition[]; place?: string;
}
export interface ClauseTrace {
  clause?: number; index?: number; role: string; stacked?: boolean; stack?: boolean; outcome: Json; held?: boolean; conditions?: Condition[];
}
export interface Trace {
  clauses?: ClauseTrace[];
  requested?: { role: string; outcome?: Json } | null;
  fallback?: { role: string; outcome?: Json } | null;
}
export interface Worn { role: string; clause?: number | null; by?: Json }

export interface InboxEntry {
  wake: Json; kind: string; from?: string | null; content?: Json; intent?: string | null; due?: number; inReplyTo?: string | null;
  cause?: string; path?: string; name?: string; space?: string; callerRole?: string | null; rank?: string;
}

export interface BeingPage {
  being: JsonMap;
  worn?: { stack?: Worn[]; trace?: Trace; canSee?: Json[]; canDo?: Json[]; canSummon?: Json[]; canBe?: Json[]; prompt?: string; reason?: Reason };
  face?: Json;
  flow?: Json;
  /** The hash of the flow as it is now: what one made of it is built on. */
  flowHash?: string;
  inbox?: InboxEntry[];
  children?: string[];
  schedules?: JsonMap;
  moments?: Report[];
  mayInhabit?: May;
  /** Whether one may give it a password, a first one or another. */
  mayGivePassword?: boolean;
  may?: MayAll;
  /** Which connection thinks for it now, and for which kind of model its role asks; told of whoever's flow one may read. */
  connection?: string | null;
  slot?: string | null;
}

export interface MomentPage {
  seq: number; being: string; n?: number; hash?: string; openedAt?: number | string; report: Report; wake?: Json; trace?: Trace; face?: Json;
  thought?: { request?: Json; reply?: Json } | null; prompt?: { role: string; content: Json }[] | null; stack?: Json; call?: Json;
  closing?: Json; facts?: Json[];
}

export interface RoleSummary {
  name: string; origin: string; version: number; hash?: string; users?: number; someUsers?: string[]; requiredCognition?: string | null;
  description?: string | null; canDo?: Json[]; canSee?: Json[]; canSummon?: Json[]; canBe?: Json[]; places?: string[];
}
/** `space` null: everywhere; `gone`: there is no such space any more; `role` null: taken back. */
export interface RoleVersion { version: number; space?: string | null; gone?: boolean; seq: number; time: string; by?: string | null; label?: string | null; hash?: string | null; role?: JsonMap | null }
/** A space with a version of its own. */
export interface RolePlace { space: string; version: number; origin: string; hash?: string; role: JsonMap; markdown?: string }
export interface RolePage { role: JsonMap; origin: string; hash?: string; version: number; users?: string[]; markdown?: string; history?: RoleVersion[]; places?: RolePlace[] }
/** One flow that a being had. */
export interface FlowVersion { version: number; seq: number; time: string; by?: string | null; label?: string | null; hash?: string; flow?: Json }
export interface FlowPage { flow: Json; hash?: string; history: FlowVersion[] }
/** What the lint says about one place: `[1].when` of a flow, a key of a role. */
export interface Remark { place: string; text: string; isError: boolean }
export interface DeadLetter { being: string; kind?: string; cause?: string; wake?: JsonMap; reason?: Json; at?: number }
export interface Operation { name: string; about?: string; args?: JsonMap; target?: string[] }
/** What would become of one answer. */
export interface Outcome { deed: string; said?: string | null; closing: string; reason?: Reason | null; call?: Json; facts?: Json[]; cost?: Cost | null; reply?: Json }
/** A moment thought again with a draft. */
export interface Tried {
  seq: number; time: string; cognition: string; was: Worn[]; stack: Worn[]; trace?: Trace; verdict?: { closing: string; reason?: Reason | null } | null;
  prompt?: { role: string; content: Json }[]; connection?: string; replies: Outcome[];
}
