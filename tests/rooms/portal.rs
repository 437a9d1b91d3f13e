//! Tests of the files of `src/portal`.

mod act;
mod cbor;
mod cookies;
mod crowd;
mod enter;
mod entrance;
mod few;
mod fork_place;
mod kept;
mod lines;
mod once;
mod origin;
mod people;
mod pulse;
mod rate;
mod refusals;
mod seat;
mod share;
mod token_rate;
mod tokens;
mod tries;
mod words;
