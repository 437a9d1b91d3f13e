//! Register: every setting that a world has of its own, a line each, and where to find one by its key.
//!
//! Everything reads this table: what `config.set` takes, what `see /.settings` shows, the docs, the page. The settings of extensions stand
//! beside it, in their manifests. Genesis records the hash of what of it decides.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::fact::{Canon, Hash, Value};

use super::setting::{Merge, Sayer, Setting, SettingPlace};

/// One setting as written here.
pub struct RegisterLine {
    pub key: &'static str,
    pub about: &'static str,
    pub schema: &'static str,
    pub default: &'static str,
    pub stands: &'static [SettingPlace],
    pub who: Sayer,
    merge: Merge,
}

const WORLD: &[SettingPlace] = &[SettingPlace::World];
const PLACES: &[SettingPlace] = &[SettingPlace::World, SettingPlace::Space];
const BEING: &[SettingPlace] = &[SettingPlace::Being];
const EVERYWHERE: &[SettingPlace] = SettingPlace::ALL;

const COUNT: &str = r#"{"type":"integer","minimum":1,"maximum":1000000000000}"#;
const TOKENS: &str = r#"{"type":"integer","minimum":0,"maximum":1000000}"#;
const TEXT: &str = r#"{"type":"string","maxLength":1000}"#;
const KEYS: &str = r#"{"type":"array","items":{"type":"string","maxLength":128},"maxItems":256}"#;
const NAME: &str = r#"{"type":"string","maxLength":64,"format":"connection"}"#;
const NAME_OF: &str = r#"{"type":"string","pattern":"^[A-Za-z0-9_-]{1,64}$"}"#;
const LIMITS: &str = r#"{"type":"object","additionalProperties":false,"properties":{
    "hour":{"type":"object","additionalProperties":false,"properties":{
        "calls":{"type":"number","minimum":0},"tokens":{"type":"number","minimum":0},"bytes":{"type":"number","minimum":0},"money":{"type":"number","minimum":0}}},
    "day":{"type":"object","additionalProperties":false,"properties":{
        "calls":{"type":"number","minimum":0},"tokens":{"type":"number","minimum":0},"bytes":{"type":"number","minimum":0},"money":{"type":"number","minimum":0}}}}}"#;
const TOTAL: &str = r#"{"type":"object","additionalProperties":false,"required":["of"],"properties":{
    "of":{"type":"string","pattern":"^[0-9a-f]{32}$"},
    "calls":{"type":"number","minimum":0},"tokens":{"type":"number","minimum":0},"bytes":{"type":"number","minimum":0},"money":{"type":"number","minimum":0}}}"#;
const PRICES: &str = r#"{"type":"object","additionalProperties":{"type":"object","additionalProperties":false,"properties":{
    "input":{"type":"number","minimum":0},"cached":{"type":"number","minimum":0},"output":{"type":"number","minimum":0}}}}"#;
const CONNECTION: &str = r#"{"type":"object","required":["base_url","model"],"additionalProperties":false,"properties":{
    "dialect":{"type":"string"},"base_url":{"type":"string"},"model":{"type":"string"},"key":{"type":"string"},
    "timeout_ms":{"type":"integer","minimum":1,"maximum":3600000},"parallel":{"type":"integer","minimum":1,"maximum":1024},
    "strict":{"type":"boolean"},"tools":{"enum":["native","strict","json_schema"]},"sampling":{"type":"object"},
    "rate":{"type":"string","pattern":"^[1-9][0-9]{0,8}[kM]?/[smhd]$","examples":["60/m","5000/d"]},
    "tokens":{"type":"string","pattern":"^[1-9][0-9]{0,8}[kM]?/[smhd]$","examples":["200k/m","2M/h"]},
    "longest":{"type":"integer","minimum":1,"maximum":1000000},
    "answer_limit":{"enum":["max_tokens","max_completion_tokens"]},
    "parallel_calls":{"enum":["unsaid"]},
    "failover":{"type":"array","items":{"type":"string"}},
    "failover_on":{"type":"array","items":{"enum":[400,401,402,403,404,405,406,409,410,413,414,415,422,451,"error","cut","malformed"]}}}}"#;
const BRIDGE: &str = r#"{"type":"object","required":["kind"],"additionalProperties":false,"properties":{
    "kind":{"enum":["web","hook"]},"hosts":{"type":"array","minItems":1,"maxItems":256,"items":{"type":"string","pattern":"^(\\*\\.)?[A-Za-z0-9._-]+(:[0-9]{1,5})?$|^\\[[0-9A-Fa-f:]+\\](:[0-9]{1,5})?$","examples":["example.org","*.example.org","127.0.0.1:8080"],"maxLength":256}},
    "methods":{"type":"array","minItems":1,"items":{"enum":["GET","POST"]}},
    "max_bytes":{"type":"integer","minimum":1,"maximum":524288},"timeout_ms":{"type":"integer","minimum":1,"maximum":600000},
    "parallel":{"type":"integer","minimum":1,"maximum":1024},"key":{"type":"string"},"price":{"type":"number","minimum":0},
    "rate":{"type":"string","pattern":"^[1-9][0-9]{0,8}[kM]?/[smhd]$","examples":["60/m","5000/d"]},
    "again":{"type":"boolean"},"allow":{"type":"array","items":{"type":"string","maxLength":256},"maxItems":256},
    "url":{"type":"string","maxLength":2048,"pattern":"^https?://","examples":["https://example.org/hook"]},"secret":{"type":"string"},"sign":{"enum":["github","stripe","gitlab"]},
    "deliver":{"type":"string","pattern":"^@[^\\s@/]+$","examples":["@clerk"],"maxLength":65},"wears":{"type":"string","maxLength":64},"id":{"type":"string","maxLength":256},"window":{"type":"string","maxLength":32},
    "approve":{"type":"object","required":["by"],"additionalProperties":false,"properties":{
        "by":{"type":"string","pattern":"^(@[^\\s@/]+|owner|asker's parent)$","examples":["@ada","owner","asker's parent"],"maxLength":65},"when":{"type":"object"},"for":{"type":"string","maxLength":32,"examples":["1d","2h"]}}}}}"#;
const SCOPE: &str = r#"{"type":"object","additionalProperties":false,"properties":{
    "blocked":{"type":"array","items":{"type":"string","maxLength":64},"maxItems":256},
    "only":{"type":"array","items":{"type":"string","maxLength":64},"maxItems":256},
    "restricted":{"type":"array","items":{"type":"string","maxLength":64},"maxItems":256},
    "allowed":{"type":"array","items":{"type":"string","maxLength":64},"maxItems":256}}}"#;

const PROFILE: &str = r#"{"type":"object","maxProperties":256,"additionalProperties":{
    "type":"array","items":{"type":"string","maxLength":64},"maxItems":256}}"#;

macro_rules! lines {
    ($($key:literal: $schema:expr, $default:literal, $stands:ident, $who:ident, $merge:ident, $about:literal;)*) => {
        &[$(RegisterLine { key: $key, about: $about, schema: $schema, default: $default, stands: $stands, who: Sayer::$who, merge: Merge::$merge }),*]
    };
}

/// Every setting that is not an extension's: its key, its JSON Schema, its default, where it may stand, who may say it, how what is said
/// comes together, and what it is for.
pub const LINES: &[RegisterLine] = lines! {
    "name": TEXT, "\"world\"", WORLD, Genesis, Nearest, "what the world is called";
    "seed": r#"{"type":"integer"}"#, "0", WORLD, Genesis, Nearest, "where chance begins";
    "simulated": r#"{"type":"boolean"}"#, "false", WORLD, Genesis, Nearest, "whether its keys follow from its seed";
    "semantics": COUNT, "0", WORLD, Genesis, Nearest, "what a replay must know to compute the world alike";
    "register": TEXT, "\"\"", WORLD, Genesis, Nearest, "the hash of this register as the world began with it";
    "rounds.max": COUNT, "8192", WORLD, Genesis, Nearest, "how many moments a round holds at most";
    "seals": r#"{"enum":["own","batch"]}"#, "\"own\"", WORLD, Genesis, Nearest, "whether each frame carries its being's signature (`own`), or the seals of the world cover what scripts and models do (`batch`)";
    "recall.languages": r#"{"type":"array","items":{"type":"string","maxLength":32},"maxItems":18}"#, r#"["english","german"]"#, WORLD, Genesis, Nearest, "in which languages what a being recalls is found by the stems of words too";
    "about": TEXT, "\"\"", WORLD, Operator, Nearest, "what the world is for, in its operator's words";
    "zone": r#"{"type":"string","maxLength":64}"#, "\"UTC\"", WORLD, Operator, Nearest, "the time zone in which hours and days are counted";
    "operator": r#"{"type":"string","maxLength":64}"#, "\"operator\"", WORLD, Operator, Nearest, "the being from whom the operator's rights flow";
    "clock": r#"{"type":"string","pattern":"^(virtual|real|paced [0-9.]+)$"}"#, "\"virtual\"", WORLD, Operator, Nearest, "how world time goes: `virtual`, `real`, or `paced` and how many times as fast";
    "source": r#"{"type":"object"}"#, "null", WORLD, Operator, Nearest, "what the source said when it was last applied";
    "enforce": KEYS, "[]", PLACES, Owner, Gather, "the settings that nothing inside this place overrules, by their keys";
    "extensions": SCOPE, "null", PLACES, Owner, Scope, "which extensions there are here: all that is `blocked` is not, and where `only` stands no other is; of what is `restricted` the operations are not, and a confined one has them where it is `allowed`";
    "profiles": PROFILE, "null", WORLD, Operator, Nearest, "names for some of the world's extensions, which `extension.only` takes for them";
    "absence": r#"{"enum":["skip","wait"]}"#, "\"skip\"", EVERYWHERE, Owner, Nearest, "what happens while a person is not there: `skip` (their wakes wait, time goes on) or `wait` (time waits)";
    "steward": r#"{"type":"string","pattern":"^@","maxLength":65}"#, "null", PLACES, Owner, Nearest, "the being that answers when this place is summoned, as `@ada`";
    "brakes.depth": COUNT, "64", EVERYWHERE, Owner, Narrow, "how many wakes one may cause after the other";
    "brakes.moments": COUNT, "100000", EVERYWHERE, Owner, Narrow, "how many moments all that goes back to one beginning may have";
    "brakes.continue": COUNT, "100", EVERYWHERE, Owner, Narrow, "how often a being goes on by itself in all that goes back to one beginning";
    "brakes.calls": COUNT, "200", EVERYWHERE, Owner, Narrow, "how many calls of models all that goes back to one beginning may cost";
    "brakes.repeat": COUNT, "100", EVERYWHERE, Owner, Narrow, "how often a being may make the same call with the same end in all that goes back to one beginning";
    "brakes.refusals": COUNT, "100", EVERYWHERE, Owner, Narrow, "how often in an hour a being may be refused by the gate, by arguments that do not fit and by scripts that fail, before its wakes wait for the next";
    "brakes.failures": COUNT, "20", EVERYWHERE, Owner, Narrow, "how many thoughts of a being may fail in an hour before its wakes wait for the next";
    "brakes.rate": COUNT, "100000", EVERYWHERE, Owner, Narrow, "how many moments a being may have in a minute before its wakes wait for the next";
    "limits.inbox": COUNT, "1000", EVERYWHERE, Owner, Narrow, "how many wakes of a being may be open before nobody can summon it; a quarter of that for one sender";
    "limits.things": COUNT, "1000000", EVERYWHERE, Owner, Narrow, "how many spaces and pieces of matter may lie in a place, or with a being, at whatever depth";
    "limits.dead": COUNT, "1000", EVERYWHERE, Owner, Narrow, "how many dead letters of a being are kept; the oldest stand in history alone";
    "attempts.max": COUNT, "3", EVERYWHERE, Owner, Narrow, "how often a thought is tried before its wake is given up";
    "attempts.backoff_ms": COUNT, "1000", EVERYWHERE, Owner, Longest, "how long a failed thought waits at first, in milliseconds; it doubles each time";
    "wakes.change": COUNT, "1000", EVERYWHERE, Owner, Longest, "how long after a being last woke because it wears something else it may wake so again, in milliseconds";
    "tokens.words": TOKENS, "2000", EVERYWHERE, Owner, Narrow, "how many tokens a model is told in the words of the roles that it wears";
    "tokens.place": TOKENS, "800", EVERYWHERE, Owner, Narrow, "how many tokens a model is told of the place where it stands";
    "tokens.me": TOKENS, "500", EVERYWHERE, Owner, Narrow, "how many tokens it is told of itself";
    "tokens.keep": TOKENS, "2000", EVERYWHERE, Owner, Narrow, "how many tokens a being may keep before itself always";
    "tokens.see": TOKENS, "3000", EVERYWHERE, Owner, Narrow, "how many tokens it is told of what it has looked at, and of each of its see-resolvers";
    "tokens.recall": TOKENS, "400", EVERYWHERE, Owner, Narrow, "how many tokens one recall may take";
    "llm.connection": NAME, "null", EVERYWHERE, Owner, Nearest, "the connection by which models are asked";
    "llm.slots.": NAME, "null", EVERYWHERE, Owner, Nearest, "the connection for the slot of that name, which a worn role may name";
    "llm.offered": r#"{"type":"array","items":{"type":"string","maxLength":64},"maxItems":256}"#, "[]", PLACES, Owner, Narrow, "the connections that whoever is not the operator may choose among";
    "llm.sampling.temperature": r#"{"type":"number","minimum":0,"maximum":2}"#, "null", EVERYWHERE, Owner, Nearest, "how freely a model chooses its words";
    "llm.sampling.top_p": r#"{"type":"number","minimum":0,"maximum":1}"#, "null", EVERYWHERE, Owner, Nearest, "among how much of what is likely it chooses";
    "llm.sampling.seed": r#"{"type":"integer"}"#, "null", EVERYWHERE, Owner, Nearest, "where its chance begins";
    "llm.sampling.presence_penalty": r#"{"type":"number","minimum":-2,"maximum":2}"#, "null", EVERYWHERE, Owner, Nearest, "how much it avoids what it has said";
    "llm.sampling.frequency_penalty": r#"{"type":"number","minimum":-2,"maximum":2}"#, "null", EVERYWHERE, Owner, Nearest, "how much it avoids what it says often";
    "llm.sampling.tool_choice": r#"{"enum":["auto","none","required"]}"#, "null", EVERYWHERE, Owner, Nearest, "whether it must call a tool";
    "llm.sampling.max_tokens": COUNT, "null", EVERYWHERE, Owner, Narrow, "how long an answer may be, in tokens; the connection's own bound holds too";
    "llm.budget": LIMITS, "null", EVERYWHERE, Owner, Narrow, "what models may cost here an hour or a day: the world, all who stand in a space, or one being";
    "llm.budget.being": LIMITS, "null", PLACES, Owner, Narrow, "what each being by itself may cost here";
    "llm.budget.root": LIMITS, "null", WORLD, Operator, Narrow, "what all may cost together that goes back to one summons or act";
    "llm.budget.total": TOTAL, "null", WORLD, Operator, Nearest, "what models may cost in the whole life of the world whose id it names, the past before it was forked included; without it a fork asks none";
    "llm.allow": r#"{"type":"array","items":{"type":"string","maxLength":256},"maxItems":256}"#, "[]", WORLD, Operator, Nearest, "the hosts and networks that are not public and may be asked all the same";
    "llm.currency": r#"{"type":"string","maxLength":16}"#, "\"\"", WORLD, Operator, Nearest, "the currency of prices and budgets";
    "llm.prices": PRICES, "null", WORLD, Operator, Nearest, "what a million tokens cost, by model";
    "bridge": NAME_OF, "null", BEING, Operator, Nearest, "which of the world's bridges a being of that cognition is";
    "bridge.": BRIDGE, "null", WORLD, Operator, Nearest, "a bridge of that name: what outside it reaches or hears, and how it asks";
    "llm.": CONNECTION, "null", WORLD, Operator, Nearest, "a connection of that name: where a model is, and how it is asked";
};

impl RegisterLine {
    fn setting(&self) -> Setting {
        let json = |text: &str| Arc::new(serde_json::from_str::<Value>(text).unwrap_or_default());
        Setting {
            key: self.key.into(),
            about: self.about.into(),
            schema: json(self.schema),
            default: json(self.default),
            stands: self.stands.to_vec(),
            who: self.who,
            merge: self.merge,
        }
    }
}

/// Every setting that is not an extension's, in the order of the register.
pub fn settings() -> &'static [Setting] {
    static SETTINGS: OnceLock<Vec<Setting>> = OnceLock::new();
    SETTINGS.get_or_init(|| LINES.iter().map(RegisterLine::setting).collect())
}

/// The one of that key, or the one that its beginning names.
pub fn core(key: &str) -> Option<&'static Setting> {
    static BY_KEY: OnceLock<BTreeMap<&'static str, &'static Setting>> = OnceLock::new();
    let by_key = BY_KEY.get_or_init(|| LINES.iter().map(|line| line.key).zip(settings()).collect());
    match by_key.get(key) {
        Some(_) if key.ends_with('.') => None,
        Some(setting) => Some(setting),
        None => key.rsplit_once('.').and_then(|(family, name)| begun(by_key, family, name)),
    }
}

fn begun(by_key: &BTreeMap<&'static str, &'static Setting>, family: &str, name: &str) -> Option<&'static Setting> {
    let setting = by_key.get(format!("{family}.").as_str())?;
    let is_name = !name.is_empty() && name.len() <= 64 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    // `llm.slots` is no connection called `slots`.
    let is_taken = by_key.keys().any(|key| key.strip_prefix(setting.key.as_ref()).is_some_and(|rest| rest.split('.').next() == Some(name)));
    (is_name && !is_taken).then_some(*setting)
}

/// Whether a key is that of a setting of the core.
pub fn is_core(key: &str) -> bool {
    core(key).is_some()
}

/// The words that no connection can be called by: what stands under `llm.` and is none.
pub fn model_words() -> Vec<&'static str> {
    let mut words: Vec<&str> =
        LINES.iter().filter_map(|line| line.key.strip_prefix("llm.")?.split('.').next()).filter(|word| !word.is_empty()).collect();
    words.dedup();
    words
}

/// The hash of what of the register decides: keys, schemas, defaults, where they stand, who says them, how they come together.
pub fn register_hash() -> Hash {
    Hash::of(&Value::List(settings().iter().map(Setting::ruling).collect()).to_canon())
}
