//! Tests of the files of `src/mcp`.

mod places;
mod way;
