//! Tests of the files of `src/cognition`.

mod block;
mod page_text;
mod quoted;
mod reply;
mod spelling;
mod status_means;
mod understand;
mod ways;
