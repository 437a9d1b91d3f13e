//! Reelm runs worlds of beings: every act a signed fact, every moment replayable. The rooms, ground first.

pub mod fact;
pub mod store;
