//! Bridge: what is said of the bridge that a being is, and who they are who send something in by it.

use std::sync::Arc;

use crate::fact::{BeingId, Call, Cognition, Text, Value, Verb};

use super::being::Being;
use super::whole::World;

/// The setting of a being that names its bridge; what stands under it with a point says what that reaches.
const BRIDGE: &str = "bridge";
pub(super) const BRIDGES: &str = "bridge.";
/// The kind of a bridge that sends and hears webhooks.
pub const HOOK: &str = "hook";

impl World {
    /// The setting that says what a being reaches that is a bridge: its key, and what is said.
    pub fn bridge_of(&self, being: &Being) -> Option<(Text, &Arc<Value>)> {
        let name = self.setting(BRIDGE, being);
        let key = Text::from(format!("{BRIDGE}.{}", name.as_str()?));
        let said = self.registry().config.get(&key)?;
        Some((key, said))
    }

    /// The bridge of that name: what is said of it, and the being that is it.
    pub fn bridge_named(&self, name: &str) -> Option<(&Arc<Value>, Option<&Arc<Being>>)> {
        let said = self.registry().config.get(&Text::from(format!("{BRIDGE}.{name}")))?;
        let is_it = |being: &&Arc<Being>| being.cognition == Cognition::Bridge && self.setting(BRIDGE, being).as_str() == Some(name);
        Some((said, self.living().find(is_it)))
    }

    /// The role that a being wears when something comes in by it: that of whoever sends it, where its bridge hears them. They are nobody here.
    pub fn sender_role(&self, being: &Being, cognition: Cognition) -> Option<Text> {
        let said = (cognition == Cognition::Bridge).then(|| self.bridge_of(being)).flatten()?.1;
        let is_hook = said.get("kind").and_then(Value::as_str) == Some(HOOK);
        let role = said.get("wears").and_then(Value::as_text).cloned();
        is_hook.then(|| role.unwrap_or_else(|| "arrival".into()))
    }

    /// Whether a call is one that comes in by a being: its bridge hears, and says to whom that is told.
    pub fn comes_in_by(&self, being: &Being, cognition: Cognition, call: &Call) -> bool {
        let said = self.bridge_of(being).filter(|_| cognition == Cognition::Bridge && being.id != BeingId::WORLD);
        let whom = said.as_ref().and_then(|(_, said)| said.get("deliver")).and_then(Value::as_str);
        call.verb == Verb::Summon && whom == Some(call.target.as_ref())
    }
}
