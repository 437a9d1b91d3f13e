//! Fuzz target: a log that was changed in any way opens with what was acknowledged, or is refused.
#![no_main]

#[path = "change.rs"]
mod change;
#[path = "recover.rs"]
mod recover;

libfuzzer_sys::fuzz_target!(|input: &[u8]| recover::check(input));
