//! Tests of the files of `src/dialect`.

mod anthropic;
mod held;
