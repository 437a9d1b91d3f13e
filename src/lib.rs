//! Reelm runs worlds of beings: every act a signed fact, every moment replayable. The rooms, ground first.

pub mod fact;
pub mod reel;
pub mod role;
pub mod script;
pub mod dialect;
pub mod store;
pub mod world;
pub mod verb;
pub mod extension;
pub mod moment;
pub mod tell;
pub mod cognition;
pub mod past;
pub mod minds;
pub mod source;
pub mod run;
pub mod replay;
pub mod mcp;
pub mod portal;
pub mod bench;
pub mod cli;
