//! Tests of the files of `src/portal`.

mod act;
mod cbor;
mod crowd;
mod entrance;
mod kept;
mod lines;
mod once;
mod origin;
mod people;
mod rate;
mod refusals;
mod seat;
mod share;
mod tokens;
mod tries;
mod words;
