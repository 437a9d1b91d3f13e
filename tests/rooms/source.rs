//! Tests of the files of `src/source`.

mod changing;
mod heard;
mod macros;
mod said;
mod sheet;
