//! Tests of the files of `src/extension`.

mod archive;
mod bundle;
mod load;
mod package;
