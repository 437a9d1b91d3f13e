//! Hands: what the one who closes moments keeps from one to the next.

use crate::script::Sandbox;

use super::schema::Schemas;

/// Compiled schemas, and the sandbox for extensions' operations.
pub struct Hands {
    pub(super) schemas: Schemas,
    pub(super) sandbox: Sandbox,
}

impl Hands {
    /// Hands with a sandbox of their own.
    pub fn new(sandbox: Sandbox) -> Self {
        Self { schemas: Schemas::default(), sandbox }
    }

    /// Whether a stop ends the scripts of operations, while moments of a round are closed.
    pub fn heed(&mut self, heeds: bool) {
        self.sandbox.heed(heeds);
    }

    /// Whether a stop has ended the script of the last operation: nothing that came of it may be kept.
    pub fn was_stopped(&self) -> bool {
        self.sandbox.was_stopped()
    }

    /// What the script of the last operation has said to whoever watches; asked once.
    pub fn notes(&mut self) -> Vec<String> {
        self.sandbox.notes()
    }
}
