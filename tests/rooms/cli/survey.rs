//! Tests of the files of `src/cli/survey`.

mod answer;
