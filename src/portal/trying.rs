//! Trying: the acts that its source proposes in a world, as far as one may do them now.

use serde::Serialize;
use utoipa::ToSchema;

use crate::fact::{Call, Thing, Value, Verb};
use crate::tell::{does, plain_text};
use crate::verb::{Named, could_act};
use crate::world::TRIES;

use super::now::SAID_MAX;
use super::sight::Sight;

/// Something that one may try now.
#[derive(Serialize, ToSchema)]
#[schema(as = Try)]
pub struct TryTold {
    /// The effect of it, as a sentence.
    say: String,
    /// The label of the button: the deed and what it is done to.
    button: String,
    verb: TryVerb,
    /// The thing it is done to, or the being that is summoned.
    target: String,
    /// The operation to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<String>,
    /// All that it does, as a sentence.
    does: String,
    /// The arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    args: Option<Value>,
    /// The words of a summons, or those said beside a deed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<serde_json::Value>)]
    content: Option<Value>,
}

/// The verb by which one tries something.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TryVerb {
    /// An operation is done.
    Do,
    /// Somebody is summoned.
    Summon,
}

impl TryTold {
    /// All that one may try now; of the past nothing, which is over.
    pub fn all(sight: &Sight) -> Vec<Self> {
        let said = if sight.is_past { &[] } else { sight.world.registry().page(TRIES) };
        said.iter().filter_map(|said| Self::read(said, sight)).filter(|told| told.may_be_done(sight)).collect()
    }

    fn read(said: &Value, sight: &Sight) -> Option<Self> {
        let text = |key: &str| said.get(key).and_then(Value::as_str).map(str::to_owned);
        let verb = if text("verb")? == Verb::Do.word() { TryVerb::Do } else { TryVerb::Summon };
        let (args, content) = (said.get("args").cloned(), said.get("content").cloned());
        let (target, action) = (text("target")?, text("action"));
        let call = match verb {
            TryVerb::Do => Call::doing(&target, action.as_deref().unwrap_or_default(), args.clone().unwrap_or_default()),
            TryVerb::Summon => Call::summon(&target, Value::map([("content", content.clone().unwrap_or_default())])),
        };
        let does = plain_text(&does(&call, &sight.being.name, &sight.world), SAID_MAX);
        Some(Self { say: text("say")?, button: text("button")?, verb, target, action, does, args, content })
    }

    /// Whether the gate lets whoever asks do it now, as far as it can say before it is done.
    fn may_be_done(&self, sight: &Sight) -> bool {
        let Ok(Named::Thing(thing)) = sight.named(&self.target) else { return false };
        let asker = sight.asker();
        match (self.verb, self.action.as_deref(), thing) {
            (TryVerb::Do, Some(action), _) => {
                let args = self.args.clone().unwrap_or_default();
                asker.may_do(action, thing, &args).and_then(|()| could_act(&asker, action, thing)).is_ok()
            }
            (TryVerb::Summon, _, Thing::Being(_)) => asker.may_reach(Verb::Summon, thing).is_ok(),
            (TryVerb::Do, None, _) | (TryVerb::Summon, _, Thing::Space(_) | Thing::Matter(_)) => false,
        }
    }
}
