//! Tests of the files of `src/fact`.

mod code;
mod duration;
mod fading;
mod id;
mod keys;
mod line;
mod page;
mod value;
mod verbs;
