//! Tests of the files of `src/world`.

mod address;
mod chapter;
mod cron;
mod density;
mod diary;
mod judges;
mod look;
mod quality;
mod register;
mod registry;
mod setting;
mod stems;
mod touch;
