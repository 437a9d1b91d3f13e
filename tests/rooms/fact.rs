//! Tests of the files of `src/fact`.

mod code;
mod duration;
mod english;
mod fading;
mod id;
mod keys;
mod line;
mod masked;
mod page;
mod surrogate;
mod telling;
mod value;
mod verbs;
