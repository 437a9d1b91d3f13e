//! The tests, in reading order, one question each.

mod house;
mod docs;
