//! Tests of the files of `src/past`.

mod checkpoint_policy;
mod gauge;
mod point;
mod timeline;
