//! Tests of the files of `src/cli`.

mod survey;
