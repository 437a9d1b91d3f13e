//! Tests of the files of `src/run`.

mod given_up;
mod logs;
mod reins;
mod tally;
mod until;
