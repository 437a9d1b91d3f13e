//! Tests of the files of `src/minds`.

mod endpoint;
