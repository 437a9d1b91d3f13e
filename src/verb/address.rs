//! Addresses: how anybody names a thing. What an address is and what it names to whom, the world says, which finds the target of an act by it.

pub use crate::world::{ADDRESS_MAX, Address, AddressError, Named};
