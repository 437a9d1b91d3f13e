//! Tests of the files of `src/cli`.

mod speech;
mod survey;
