//! Tests of the files of `src/cli`.

mod browser;
mod speech;
mod survey;
