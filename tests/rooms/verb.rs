//! Tests of the files of `src/verb`.

mod fit;
mod op;
mod repair;
mod short;
