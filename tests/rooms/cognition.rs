//! Tests of the files of `src/cognition`.

mod block;
mod reply;
mod understand;
