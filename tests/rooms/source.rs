//! Tests of the files of `src/source`.

mod changing;
mod macros;
mod said;
