//! Page: what a source tells the page of its world, read and as the world remembers it: how types are drawn, what one may try, and what
//! is going on.

use crate::fact::{Map, Value, plain};
use crate::role::{SIGNAL_SET, or_meant};
use crate::verb::core;
use crate::world::{LOOK, LOOKS, Look, NOW, PAGE, TRIES};

use super::error::SourceError;
use super::going_on::GoingOn;
use super::item::{LookItem, NowItem, OnLine, TryItem};
use super::schema::TRY_VERBS;
use super::written::Source;

/// How much there may be to try.
const TRIES_MAX: usize = 8;
/// How many sentences there may be of what is going on.
const NOW_MAX: usize = 32;
/// The longest sentence, and the longest words on a button, in characters.
const SAY_MAX: usize = 200;
const BUTTON_MAX: usize = 60;

/// Whether an operation changes who may do what, or what holds for everybody: nobody is asked to try it.
pub(super) fn is_authority(action: &str) -> bool {
    action == SIGNAL_SET || core(action).is_some_and(|(core, _)| core.rule.is_authority())
}

/// How a type is drawn, of a table as written.
pub(super) fn look(mut written: Map) -> Result<LookItem, String> {
    let kind = match written.remove("type") {
        Some(Value::Text(kind)) if !kind.is_empty() => kind.to_string(),
        Some(other) => return Err(format!("type: expected the name of a type, found `{other}`")),
        None => {
            return Err(format!(
                "expected `type`, the name of a type{}",
                written.keys().map(|key| or_meant("", key, ["type"])).collect::<String>()
            ));
        }
    };
    let look = Look::read(&Value::Map(written)).map_err(|what| format!("look of `{kind}`: {what}"))?;
    Ok(LookItem { kind, look })
}

/// An error in something to try.
fn wrong_try(TryItem { say, button, verb, target, action, args, .. }: &TryItem) -> Option<String> {
    let is_line = |text: &str, most: usize| !text.trim().is_empty() && text.chars().count() <= most && text.chars().eq(plain(text));
    if !is_line(say, SAY_MAX) {
        return Some(format!("say: expected one line of 1 to {SAY_MAX} characters"));
    }
    if !is_line(button, BUTTON_MAX) {
        return Some(format!("button: expected one line of 1 to {BUTTON_MAX} characters: the deed and what it is done to"));
    }
    if target.is_empty() {
        return Some("target: expected an address such as `@mo` or `/hall`".to_owned());
    }
    match (verb.as_str(), action) {
        ("do", None) => Some("action: expected the operation that is done, such as `say`".to_owned()),
        ("do", Some(action)) if is_authority(action) => Some(format!(
            "action: `{action}` is of authority: who may do it decides for others; let one summon whoever does it, or name another operation"
        )),
        ("do", Some(_)) => None,
        ("summon", Some(action)) => {
            Some(format!("action: a summons does no operation, found `{action}`; write `verb = \"do\"`, or leave it out"))
        }
        ("summon", None) if args.is_some() => Some("args: a summons has none; write what it says as `content`".to_owned()),
        ("summon", None) => None,
        _ => Some(format!("verb: expected `do` or `summon`, found `{verb}`{}", or_meant("", verb, TRY_VERBS))),
    }
}

impl Source {
    /// What cannot be told to a page.
    pub(super) fn page_faults(&self) -> Vec<SourceError> {
        let mut faults = Vec::new();
        let mut wrong = |line: usize, what: String| faults.push(SourceError::wrong(self.file.clone(), line, what));
        for OnLine { item, line, .. } in &self.tries {
            if let Some(what) = wrong_try(item) {
                wrong(*line, format!("try: {what}"));
            }
        }
        for (what, most, over) in
            [("try", TRIES_MAX, line_behind(&self.tries, TRIES_MAX)), ("now", NOW_MAX, line_behind(&self.now, NOW_MAX))]
        {
            if let Some(line) = over {
                wrong(line, format!("{what}: expected at most {most}, found more; keep the best"));
            }
        }
        let measures: Vec<&str> = self.measures.iter().map(|measure| measure.item.name.as_str()).collect();
        for OnLine { item, line, .. } in &self.measures {
            if let Some(Err(what)) = item.warn.as_ref().map(GoingOn::warns_when) {
                wrong(*line, format!("measure `{}`: warn: {what}", item.name));
            }
        }
        for OnLine { item, line, .. } in &self.now {
            if let Err(what) = GoingOn::read(item, &measures) {
                wrong(*line, format!("now: {what}"));
            }
        }
        type ReadLook = fn(&Value) -> Result<Look, String>;
        let places = self.spaces.iter().map(|space| (space.item.qualities(), space.line, Look::read_of_place as ReadLook));
        let things = self.matter.iter().map(|matter| (matter.item.quality.clone(), matter.line, Look::read as ReadLook));
        for (quality, line, read) in places.chain(things) {
            if let Some(Err(what)) = quality.as_ref().and_then(|quality| quality.get(LOOK)).map(read) {
                wrong(line, format!("quality.look: {what}"));
            }
        }
        faults
    }

    /// The lists for the page, as the world remembers them: each by its key, beside the name under which all of them stand.
    pub(super) fn page_said(&self) -> (&'static str, [(&'static str, Value); 3]) {
        let look = |LookItem { kind, look }: &LookItem| {
            let Value::Map(mut map) = look.to_value() else { return Value::Null };
            map.insert("type".into(), Value::text(kind));
            Value::Map(map)
        };
        let text = |key: &'static str, text: &str| (key, Value::text(text));
        let attempt = |TryItem { say, button, verb, target, action, args, content }: &TryItem| {
            let pairs = [text("say", say), text("button", button), text("verb", verb), text("target", target)];
            let given = [
                action.as_ref().map(|action| text("action", action)),
                args.clone().map(|args| ("args", Value::Map(args))),
                Some(content.clone()).filter(|content| !content.is_null()).map(|content| ("content", content)),
            ];
            Value::map(pairs.into_iter().chain(given.into_iter().flatten()))
        };
        let now = |NowItem { when, say, watch }: &NowItem| {
            let given = [when.clone().map(|when| ("when", when)), watch.then_some(("watch", Value::Bool(true)))];
            Value::map([text("say", say)].into_iter().chain(given.into_iter().flatten()))
        };
        let lists = [
            (LOOKS, self.looks.iter().map(|written| look(&written.item)).collect()),
            (TRIES, self.tries.iter().map(|written| attempt(&written.item)).collect()),
            (NOW, self.now.iter().map(|written| now(&written.item)).collect()),
        ];
        (PAGE, lists.map(|(key, list): (&'static str, Vec<Value>)| (key, Value::List(list))))
    }
}

/// Where the first stands that is too many.
fn line_behind<T>(items: &[OnLine<T>], most: usize) -> Option<usize> {
    items.get(most).map(|item| item.line)
}
