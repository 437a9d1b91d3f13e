//! stub
use super::contract::Entries;
use super::error::StoreError;
use super::layout::Chain;
use super::record::Position;
use crate::fact::{BeingId, Hash, N, Seq};
use std::path::Path;

/// x
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexReport {}

pub(super) struct Notes {
    pub position: Position,
    pub seq: Seq,
    pub frames: Vec<(BeingId, N)>,
    pub blobs: Vec<Hash>,
}
impl Notes {
    pub(super) fn new(position: Position, seq: Seq) -> Self {
        Self { position, seq, frames: Vec::new(), blobs: Vec::new() }
    }
}
pub(super) struct Index {}
impl Index {
    pub(super) fn open(_dir: &Path, _chain: &Chain) -> Option<Self> {
        None
    }
    pub(super) fn rebuild(_dir: &Path, _e: Entries<'_>) -> Result<Self, StoreError> {
        Err(StoreError::Index { what: "stub".into() })
    }
    pub(super) fn push(&self, _n: Notes) {}
    pub(super) fn near(&self, _seq: Seq) -> Option<Position> {
        None
    }
    pub(super) fn blob(&self, _hash: &Hash) -> Option<Option<Position>> {
        None
    }
    pub(super) fn reel(&self, _b: BeingId, _n: N) -> Option<Vec<Seq>> {
        None
    }
    pub(super) fn close(self, _c: &Chain) -> Result<(), StoreError> {
        Ok(())
    }
    pub(super) fn verify(&self, _e: Entries<'_>) -> Result<IndexReport, StoreError> {
        Ok(IndexReport {})
    }
}
