//! Sight: the world as it is, through the role that a being wears now: what it may see, and what an address names to it.

use std::sync::Arc;

use crate::fact::{BeingId, Code, Millis, Reason, Thing, Verbs};
use crate::moment::{Composer, Opening, open};
use crate::store::WalkCount;
use crate::verb::{Asker, LOOKED_AT, Named};
use crate::world::{Being, Wake, World};

use super::trouble::Trouble;

/// The world through the role that a being wears now.
pub struct Sight {
    /// The world as of the last durable frame.
    pub world: Arc<World>,
    /// When: by the clock as it goes, which is later than that frame. Leases and the hour of the day are judged by it, as an act would be.
    pub at: Millis,
    /// The being that looks.
    pub being: Arc<Being>,
    /// The roles that it wears.
    pub opening: Opening,
    /// Whether the world is one of the past, which is looked at through the role that is worn now: what was worn then gives no right today.
    pub is_past: bool,
    /// Whether it is that of all who are not logged in.
    pub is_visitors: bool,
    /// The count of all that is looked at by this sight.
    pub walked: Arc<WalkCount>,
}

/// How many things are looked at one by one for one answer.
pub const LOOKS: usize = LOOKED_AT;

/// The registers in which stands what others have said to a being.
const LETTERS: [&str; 2] = ["inbox", "dead"];

impl Sight {
    /// A being's sight of a world at an instant.
    pub fn of(world: Arc<World>, being: Arc<Being>, at: Millis) -> Self {
        let wake = Arc::new(Wake::gesture(world.next_seq(), at));
        let opening = open(&world, &being, &wake, at, None, &mut Composer::default());
        Self { world, at, being, opening, is_past: false, is_visitors: false, walked: Arc::default() }
    }

    /// The same with some verbs alone.
    pub fn narrowed(self, only: Verbs) -> Self {
        Self { opening: self.opening.narrowed(only), ..self }
    }

    /// The being as the gate judges it.
    pub fn asker(&self) -> Asker<'_> {
        Asker { world: &self.world, actor: &self.being, worn: &self.opening.worn, caller: None, at: self.at }
    }

    /// Whether it may see what an address names.
    pub fn may_see(&self, named: &Named) -> Result<(), Trouble> {
        self.walked.look(1);
        // All visitors are one being: what is said to one of them is not the others' to read.
        if self.is_visitors
            && let Named::Register { of, register, .. } = named
            && (*of == Thing::Being(self.being.id) && LETTERS.contains(&register.as_ref())
                || matches!(register.as_ref(), "outbox" | "threads"))
        {
            return Err(Trouble::refused(&Reason::new(Code::GateRole, format!("@{}/.{register}", self.being.name))));
        }
        self.asker().may_see(named).map_err(|reason| Trouble::refused(&reason))
    }

    /// The thing or register that an address names, if the being may see it.
    pub fn named(&self, address: &str) -> Result<Named, Trouble> {
        let reason = |reason| Trouble::refused(&reason);
        let parsed: crate::verb::Address = address.parse().map_err(|_| reason(Reason::new(Code::BadAddress, address)))?;
        let named = match parsed.resolve(&self.world, &self.being, self.at) {
            Ok(named) => named,
            // A being that may see little shall not learn by asking what there is.
            Err(found) if found.code == Code::NotFound && !self.sees_all() => return Err(reason(Reason::new(Code::GateRole, address))),
            Err(found) => return Err(reason(found)),
        };
        self.may_see(&named)?;
        Ok(named)
    }

    /// The being of that name, if it may see it.
    pub fn being_named(&self, name: &str) -> Result<Arc<Being>, Trouble> {
        let address = format!("@{}", name.trim_start_matches('@'));
        let Named::Thing(Thing::Being(id)) = self.named(&address)? else { return Err(Trouble::not_found(&address)) };
        self.world.being(id).cloned().ok_or_else(|| Trouble::not_found(&address))
    }

    /// Whether it may read a register of a being, such as `flow`.
    pub fn reads(&self, being: BeingId, register: &str) -> Result<(), Trouble> {
        self.may_see(&Named::Register { of: Thing::Being(being), register: register.into(), entry: "".into() })
    }

    /// Whether its role lists everything, or all places and all beings.
    pub(super) fn sees_all(&self) -> bool {
        self.asker().sees_all()
    }

    /// Whether its role lists anything at all.
    pub fn lists_anything(&self) -> bool {
        let worn = &self.opening.worn;
        !(worn.can_see.is_empty() && worn.can_do.is_empty() && worn.can_summon.is_empty())
    }

    /// The same for one of the root's registers, such as `roles`.
    pub fn register(&self, register: &str) -> Result<(), Trouble> {
        self.named(&format!("/.{register}")).map(drop)
    }
}
