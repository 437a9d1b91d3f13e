//! Bridge: what is said of the bridge that a being is, and who they are who send something in by it.

use std::ops::Bound;
use std::sync::Arc;

use crate::fact::{BeingId, Call, Cognition, Text, Value, Verb};

use super::being::Being;
use super::whole::World;

/// The setting of a being that names its bridge; what stands under it with a point says what that reaches.
pub(super) const BRIDGE: &str = "bridge";
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

    /// The setting of the bridge of that name.
    pub fn bridge_said(&self, name: &str) -> Option<&Arc<Value>> {
        self.registry().config.get(&Text::from(format!("{BRIDGE}.{name}")))
    }

    /// The being that is the bridge of that name: the first of several.
    pub fn bridge_being(&self, name: &str) -> Option<&Arc<Being>> {
        self.living().find(|being| being.cognition == Cognition::Bridge && self.setting(BRIDGE, being).as_str() == Some(name))
    }

    /// Whether any bridge has requests that somebody approves.
    pub(super) fn has_approvals(&self) -> bool {
        let from = Bound::Included(Text::from(BRIDGES));
        let said = self.registry().config.range((from, Bound::Unbounded)).take_while(|(key, _)| key.starts_with(BRIDGES));
        said.into_iter().any(|(_, said)| said.get("approve").is_some())
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
