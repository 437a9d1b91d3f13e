//! Tests of the files of `src/verb`.

mod op;
mod short;
