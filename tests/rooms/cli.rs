//! Tests of the files of `src/cli`.

mod browser;
mod excerpt;
mod outline;
mod paint;
mod speech;
mod survey;
