//! Tests of the files of `src/store`.

mod ahead;
mod block;
mod checkpoints;
mod clock;
mod compression;
mod copies;
mod damage;
mod forged;
mod index;
mod keystore;
mod pending_file;
mod power_cut;
mod replace;
mod suite;
