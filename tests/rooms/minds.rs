//! Tests of the files of `src/minds`.

mod ahead;
mod endpoint;
mod retry;
mod signature;
