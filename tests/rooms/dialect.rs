//! Tests of the files of `src/dialect`.

mod answered;
mod anthropic;
mod ends;
mod held;
