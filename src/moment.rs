//! Moment: one wake, at most one act (floor 7): the five beats as two pure functions with a mind between them.
//!
//! ```text
//! open   intake    the being's next open wake
//!        assign    open-context as of `opened`; flow → stack; compose → worn role
//!        fold      the face: what the being sees
//! …      ask       only before a model outside is called: what that can cost is sealed first
//! …      think     a mind answers, in microseconds or days, holding nothing
//! close  momentum  thought → call; the gate; the operation on the world as it is now → facts, or a refusal with its reason
//!        stamp     number, chain, hash, sign, append (the run's, or replay's comparison)
//! ```
//!
//! The run and replay call the same [`open()`] and [`close()`]: the one with a mind and keys, the other with what was recorded.

mod acting;
mod ask;
mod close;
mod genesis;
mod open;
mod poll;
mod receipt;

pub use ask::{ask, is_asking};
pub use close::{Answer, AskedResolver, Closer, Terms, close, unfit};
pub use genesis::{ARRIVAL, OPERATOR, SEMANTICS, genesis, operator_role, residents};
pub use open::{Composer, Opening, Thinker, open};
