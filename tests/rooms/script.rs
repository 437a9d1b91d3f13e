//! Tests of the files of `src/script`.

mod convert;
mod sandbox;
mod stream;
mod table;
