//! Tests of the files of `src/role`.

mod compose;
mod entry;
mod fade;
mod glob;
mod inquiry;
mod judge;
mod laws;
mod name;
mod narrow;
mod operator;
mod path;
mod seen;
mod shape;
mod source;
mod spec;
mod template;
mod time;
mod words;
