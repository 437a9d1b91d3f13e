//! Fuzz target: any bytes are canonical and read back the same, or refused.
#![no_main]

#[path = "change.rs"]
mod change;
#[path = "decode.rs"]
mod decode;

libfuzzer_sys::fuzz_target!(|input: &[u8]| decode::check(input));
