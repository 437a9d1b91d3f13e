//! Page: what has become of many things by name, in canonical form and in pages of a bounded number of things, which several threads can read.

use std::collections::BTreeMap;

use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use super::canon::{Canon, CanonError, Reader, Writer};

/// Of how many things a page tells at most.
const THINGS: usize = 256;

/// The changed items by name; an item that is gone has no value.
pub type Changes<K, V> = BTreeMap<K, Option<V>>;

/// Writes what differs between a map as it was and as it is, page by page. Nodes that the two maps share are skipped.
pub fn write_changes<K, V>(was: &OrdMap<K, V>, is: &OrdMap<K, V>, page: &mut dyn FnMut(Vec<u8>))
where
    K: Canon + Ord,
    V: Canon + PartialEq,
{
    let changes = was.diff(is).map(|item| match item {
        DiffItem::Add(key, value) | DiffItem::Update { new: (key, value), .. } => (key, Some(value)),
        DiffItem::Remove(key, _) => (key, None),
    });
    write(changes, page);
}

/// The same for few things, of which it is not known what they share.
pub fn write_few<K, V>(was: impl Iterator<Item = (K, V)>, is: impl Iterator<Item = (K, V)>, page: &mut dyn FnMut(Vec<u8>))
where
    K: Canon + Ord,
    V: Canon,
{
    let (was, is): (BTreeMap<K, V>, BTreeMap<K, V>) = (was.collect(), is.collect());
    let mut changes: BTreeMap<&K, Option<&V>> = was.keys().filter(|key| !is.contains_key(key)).map(|key| (key, None)).collect();
    let is_other = |(key, value): &(&K, &V)| was.get(key).is_none_or(|was| was.to_canon() != value.to_canon());
    changes.extend(is.iter().filter(is_other).map(|(key, value)| (key, Some(value))));
    write(changes.into_iter(), page);
}

fn write<'a, K: Canon + 'a, V: Canon + 'a>(mut changes: impl Iterator<Item = (&'a K, Option<&'a V>)>, page: &mut dyn FnMut(Vec<u8>)) {
    loop {
        let things: Vec<_> = changes.by_ref().take(THINGS).collect();
        if things.is_empty() {
            return;
        }
        let mut w = Writer::default();
        w.array(things.len());
        for (key, value) in things {
            w.array(1 + usize::from(value.is_some()));
            key.put(&mut w);
            value.into_iter().for_each(|value| value.put(&mut w));
        }
        page(w.into_bytes());
    }
}

/// Reads one page of what has changed.
pub fn read_changes<K: Canon + Ord, V: Canon>(bytes: &[u8], changes: &mut Changes<K, V>) -> Result<(), CanonError> {
    let mut r = Reader::new(bytes);
    for _ in 0..r.array()? {
        let at = r.at();
        let (key, value) = match r.array()? {
            1 => (K::take(&mut r)?, None),
            2 => (K::take(&mut r)?, Some(V::take(&mut r)?)),
            found => return Err(CanonError::WrongLength { at, expected: 2, found }),
        };
        changes.insert(key, value);
    }
    r.end()
}

/// Reads what a page says of one thing and passes over the others; nothing if it says nothing of it.
pub fn read_change<K: Canon + Ord, V: Canon>(bytes: &[u8], wanted: &K) -> Result<Option<Option<V>>, CanonError> {
    let mut r = Reader::new(bytes);
    for _ in 0..r.array()? {
        let has_value = r.array()? > 1;
        match (K::take(&mut r)? == *wanted, has_value) {
            (true, true) => return V::take(&mut r).map(|value| Some(Some(value))),
            (true, false) => return Ok(Some(None)),
            (false, true) => r.skip()?,
            (false, false) => {}
        }
    }
    Ok(None)
}
