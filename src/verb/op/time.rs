//! Operations on time: schedules, pauses, and wakes that were given up.

use crate::fact::{BeingId, CALENDAR, Code, Cognition, Fact, Made, Rank, Reason, SpaceId, Summons, Thing, Timing, Value, parse_duration};
use crate::world::{Being, address_of, cron, instant, next_due};

use super::super::right::Rule;
use super::deed::{Core, Deed, fit_name};

/// The operation that sets a schedule.
pub const SCHEDULE_SET: &str = "schedule.set";

/// The operation that lets something go on.
pub const PAUSE_END: &str = "pause.end";

pub(super) const OPS: &[Core] = &[
    Core {
        name: SCHEDULE_SET,
        target: &["being"],
        about: "wakes the target being `every` so long, by `cron` (five fields or @daily and its like, in the world's zone) or once `at` an instant (a local time such as 2026-03-02T06:00:00, or milliseconds)",
        told: &[
            "{{oneself}}plans to look again every {{span args.every}}",
            "{{oneself}}plans when to look again",
            "has {{target}} look again every {{span args.every}}",
            "plans when {{target}} looks again",
        ],
        schema: r#"{"type":"object","required":["name"],"additionalProperties":false,"properties":{
            "name":{"type":"string"},"every":{"type":["string","integer"]},"offset":{"type":"integer","minimum":0},"cron":{"type":"string"},"at":{"type":["string","integer"]},"content":{},
            "rank":{"enum":["person","urgent","normal","background"]}}}"#,
        rule: Rule::Lineage,
        draft: set,
    },
    Core {
        name: "schedule.end",
        target: &["being"],
        about: "ends a schedule of the target being",
        told: &[
            "{{oneself}}plans {{last args.name}} no more",
            "takes the schedule {{last args.name}} of {{target}} back",
            "takes a schedule of {{target}} back",
        ],
        schema: r#"{"type":"object","required":["name"],"additionalProperties":false,"properties":{"name":{"type":"string"}}}"#,
        rule: Rule::Lineage,
        draft: |deed| {
            let being = deed.being()?;
            let name = deed.required("name")?;
            if being.schedules.contains_key(&name) {
                Ok(vec![Fact::ScheduleEnded { being: being.id, name }])
            } else {
                Err(Reason::new(Code::NotFound, &name))
            }
        },
    },
    Core {
        name: "pause.set",
        target: &[],
        about: "pauses the target being or space; the root pauses the world; `writes` freezes a space: nobody changes anything in it",
        told: &["freezes {{target}}{{is args.writes=true}}", "pauses {{target}}"],
        schema: r#"{"type":"object","additionalProperties":false,"properties":{"writes":{"type":"boolean"}}}"#,
        rule: Rule::Rein,
        draft: pause,
    },
    Core {
        name: PAUSE_END,
        target: &[],
        about: "lets the target being, space or, for the root, the world go on",
        told: &["lets {{target}} go on"],
        schema: r#"{"type":"object","additionalProperties":false}"#,
        rule: Rule::Rein,
        draft: |deed| Ok(vec![Fact::Resumed { of: pausable(deed)? }]),
    },
    Core {
        name: "wake.requeue",
        target: &["being"],
        about: "opens a dead letter of the target being again",
        told: &["wakes {{target}} once more"],
        schema: r#"{"type":"object","required":["cause","kind"],"additionalProperties":false,"properties":{"cause":{"type":"string"},"kind":{"type":"string"}}}"#,
        rule: Rule::LineageOrRoot,
        draft: requeue,
    },
];

fn set(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let being = deed.being()?;
    let name = deed.required("name")?;
    let name = fit_name(&name)?;
    let rank: Rank = deed.text("rank").and_then(|rank| rank.parse().ok()).unwrap_or(Rank::Normal);
    Ok(vec![Fact::ScheduleSet { being: being.id, name, timing: timing(deed)?, content: deed.value("content").into(), rank }])
}

/// The shortest interval of a schedule, in milliseconds: no being is to fill a world's time alone.
const EVERY_MIN: i64 = 100;

/// A schedule that comes at least once.
fn timing(deed: &Deed<'_>) -> Result<Timing, Reason> {
    let timing = written(deed)?;
    let is_ever = next_due(&timing, deed.at, deed.at, deed.world.zone()).is_some_and(|due| CALENDAR.contains(&due));
    let key = match timing {
        Timing::Every { .. } => "/offset",
        Timing::Cron { .. } => "/cron",
        Timing::At { .. } => "/at",
    };
    if is_ever { Ok(timing) } else { Err(Reason::new(Code::NeverDue, key)) }
}

fn written(deed: &Deed<'_>) -> Result<Timing, Reason> {
    match (deed.args.get("every"), deed.text("cron"), deed.args.get("at")) {
        (Some(every), None, None) => {
            let ms = every.as_int().or_else(|| parse_duration(every.as_str()?)).filter(|ms| *ms >= EVERY_MIN);
            let offset = deed.args.get("offset").and_then(Value::as_int).unwrap_or(0);
            ms.map(|ms| Timing::Every { ms, offset }).ok_or_else(|| Reason::new(Code::BadDuration, "/every"))
        }
        (None, Some(expression), None) => match cron(&expression) {
            Some(_) => Ok(Timing::Cron { expression }),
            None => Err(Reason::new(Code::BadCron, "/cron")),
        },
        (None, None, Some(at)) => {
            let at =
                at.as_int().or_else(|| instant(at.as_str()?, deed.world.zone())).ok_or_else(|| Reason::new(Code::ArgsFormat, "/at"))?;
            if at > deed.at { Ok(Timing::At { at }) } else { Err(Reason::new(Code::InThePast, "/at")) }
        }
        _ => Err(Reason::new(Code::ArgsOneOf, "/every")),
    }
}

/// How many persons hear that a place is frozen.
const HEAR_OF_A_FREEZE: usize = 64;

/// A pause, or a freeze, of which whoever owns the place and the persons who stand there are told.
fn pause(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let (of, writes) = (pausable(deed)?, deed.args.get("writes").and_then(Value::as_bool).unwrap_or_default());
    let paused = Fact::Paused { of, writes };
    match of {
        _ if !writes => Ok(vec![paused]),
        Some(Thing::Space(space)) => Ok(std::iter::once(paused).chain(told_of_freeze(deed, space)).collect()),
        _ => Err(Reason::new(Code::FreezePlace, address_of(deed.world, deed.target))),
    }
}

fn told_of_freeze<'a>(deed: &'a Deed<'_>, frozen: SpaceId) -> impl Iterator<Item = Fact> + use<'a> {
    let world = deed.world;
    let owner = world.upward(frozen).find_map(|space| space.owner).or(Some(world.operator()));
    let is_inside = move |being: &Being| world.upward(being.position).any(|around| around.id == frozen);
    let stands = world.living().filter(move |being| being.cognition == Cognition::Human && owner != Some(being.id) && is_inside(being));
    let content = format!("{} is frozen: nothing in it is changed until it is let go on.", world.path_of(frozen));
    let told = move |being: &std::sync::Arc<Being>| Fact::Asked(Box::new(Summons::told(being.id, Value::from(content.as_str()))));
    let owner = owner.and_then(|owner| world.being(owner)).filter(|owner| !owner.ended);
    let whom = owner.into_iter().chain(stands).filter(move |being| being.id != deed.actor.id && !world.is_full_for(being, deed.actor));
    whom.take(HEAR_OF_A_FREEZE).map(told)
}

fn pausable(deed: &Deed<'_>) -> Result<Option<Thing>, Reason> {
    match deed.target {
        // Nothing that the world itself does would stop with it.
        Thing::Being(BeingId::WORLD) => Err(deed.wrong_target()),
        Thing::Being(_) => Ok(Some(deed.target)),
        Thing::Space(id) => Ok(Some(deed.target).filter(|_| id != SpaceId::ROOT)),
        Thing::Matter(_) => Err(deed.wrong_target()),
    }
}

fn requeue(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let being = deed.being()?.id;
    let (cause, kind) = (deed.required("cause")?, deed.required("kind")?);
    let made: Made = cause.parse().map_err(|_| Reason::new(Code::ArgsFormat, "/cause"))?;
    let kind = kind.parse().map_err(|_| Reason::new(Code::ArgsEnum, "/kind"))?;
    match deed.world.inbox().dead_letter(being, made, kind) {
        Some(_) => Ok(vec![Fact::Requeued { being, cause: made, kind }]),
        None => Err(Reason::new(Code::NotFound, cause)),
    }
}
