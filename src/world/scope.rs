//! Scope: where the extensions of a world hold. Where one does not, what it offers is as if it were not there: its roles are not worn, its
//! operations not done, its resolvers show nothing.
//!
//! The rules of an extension have no scope: they are asked everywhere while it is enabled.

use crate::fact::{Seq, SpaceId, Value};

use super::registry::{Extension, RoleVersion};
use super::whole::World;

/// The setting that says which extensions hold in a space and those inside it.
pub const EXTENSIONS: &str = "extensions";

/// The extension that a role, an operation or a resolver of that name is of, if it is of any.
pub fn extension_of(name: &str) -> Option<&str> {
    name.split_once(':').map(|(extension, _)| extension)
}

/// Whether what is said on the way to a place lets an extension through: nothing blocks it, and where only some are let through it is one.
fn lets(said: &Value, extension: &str) -> bool {
    let is_named = |list: &Value| names(list, extension);
    !said.get("blocked").is_some_and(is_named) && said.get("only").is_none_or(is_named)
}

fn names(list: &Value, extension: &str) -> bool {
    list.as_list().unwrap_or_default().iter().any(|one| one.as_str() == Some(extension))
}

impl World {
    /// Whether an extension holds in a space: it is enabled, nothing blocks it on the way up to the world, and each list of those that alone
    /// hold names it. Any other name has no scope, and holds everywhere.
    pub fn in_scope(&self, extension: &str, space: SpaceId) -> bool {
        let known = self.registry.extensions.get(extension);
        let lets_it = || self.held_in(space).value(EXTENSIONS).is_none_or(|said| lets(said, extension));
        known.is_none_or(|known| known.enabled && lets_it())
    }

    /// Whether an operation can be done in a space: its extension holds there, is not restricted to what it shows, and if it is confined, some
    /// place on the way allows it.
    pub fn operates(&self, operation: &str, space: SpaceId) -> bool {
        let Some(extension) = extension_of(operation) else { return true };
        let said = self.held_in(space).value(EXTENSIONS);
        let says = |key: &str| said.and_then(|said| said.get(key)).is_some_and(|list| names(list, extension));
        let is_confined = self.registry.extensions.get(extension).is_some_and(Extension::is_confined);
        self.in_scope(extension, space) && !says("restricted") && (!is_confined || says("allowed"))
    }

    /// The seq of the last frame that changed a scope.
    pub fn scoped_at(&self) -> Seq {
        self.aside.scoped
    }

    /// Whether any extension can be out of scope anywhere: in most worlds none is.
    pub(super) fn has_scopes(&self) -> bool {
        self.is_scoped_anywhere() || self.registry.extensions.values().any(|extension| !extension.enabled)
    }

    /// Whether a role or a resolver of that name can be used in a space.
    pub fn offers(&self, name: &str, space: SpaceId) -> bool {
        extension_of(name).is_none_or(|extension| self.in_scope(extension, space))
    }

    /// A role as it is in force in a space: the version of the nearest space upward that has its own, else the world's. One that is out of
    /// scope there is as if it were not registered.
    pub fn role_at(&self, name: &str, space: SpaceId) -> Option<&RoleVersion> {
        self.version_at(name, space).filter(|_| self.offers(name, space))
    }

    /// The same, wherever it is in scope.
    pub fn version_at(&self, name: &str, space: SpaceId) -> Option<&RoleVersion> {
        let places = self.registry.local_roles.get(name);
        let local = places.and_then(|places| self.upward(space).find_map(|space| places.get(&space.id)));
        local.or_else(|| self.registry.roles.get(name))
    }
}
