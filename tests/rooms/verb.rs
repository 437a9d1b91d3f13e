//! Tests of the files of `src/verb`.

mod expand;
mod fit;
mod op;
mod repair;
mod short;
