//! Changed: the things that are not the same in two worlds of one history. The parts that the two share are not compared.

use std::sync::Arc;

use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use super::being::Being;
use super::space::{Matter, Space};
use super::whole::World;

/// A thing as it was, and as it is; nothing where it was not there, or is not.
pub type Became<'a, T> = (Option<&'a Arc<T>>, Option<&'a Arc<T>>);

fn changed<'a, K: Ord, T: PartialEq>(was: &'a OrdMap<K, Arc<T>>, is: &'a OrdMap<K, Arc<T>>) -> impl Iterator<Item = Became<'a, T>> {
    was.diff(is).map(|item| match item {
        DiffItem::Add(_, is) => (None, Some(is)),
        DiffItem::Update { old: (_, was), new: (_, is) } => (Some(was), Some(is)),
        DiffItem::Remove(_, was) => (Some(was), None),
    })
}

impl World {
    /// The beings that are other than in a world of the same history.
    pub fn beings_changed<'a>(&'a self, was: &'a Self) -> impl Iterator<Item = Became<'a, Being>> {
        changed(&was.beings, &self.beings)
    }

    /// The spaces that are.
    pub fn spaces_changed<'a>(&'a self, was: &'a Self) -> impl Iterator<Item = Became<'a, Space>> {
        changed(&was.spaces, &self.spaces)
    }

    /// The matter that is.
    pub fn matter_changed<'a>(&'a self, was: &'a Self) -> impl Iterator<Item = Became<'a, Matter>> {
        changed(&was.matter, &self.matter)
    }
}
