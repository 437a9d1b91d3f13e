//! Tests of the files of `src/verb/op`.

mod models;
