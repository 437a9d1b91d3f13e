//! Tests of the files of `src/bench`.

mod figure;
mod oracle;
