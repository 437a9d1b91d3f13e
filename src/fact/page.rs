//! Page: many items in canonical form, cut so that one item more or less, or another value of one, changes one page only.
//!
//! Where a page ends depends on the names of the items alone, never on how many stand before them. So two pictures of a world that
//! has changed a little share most of their pages.

use std::collections::BTreeMap;

use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use super::canon::{Canon, CanonError, Reader, Writer};
use super::id::Made;

/// A page ends before one name in about so many.
const ABOUT: u64 = 256;

/// Writes items, each with the name of the thing that it belongs to, page by page.
pub fn write_pages<T: Canon>(items: impl IntoIterator<Item = (Made, T)>, page: &mut dyn FnMut(Vec<u8>)) {
    let (mut count, mut body) = (0, Writer::default());
    let mut close = |count: usize, body: Writer| {
        let mut head = Writer::default();
        head.array(count);
        let mut bytes = head.into_bytes();
        bytes.append(&mut body.into_bytes());
        page(bytes);
    };
    for (name, item) in items {
        if count > 0 && begins(name) {
            close(std::mem::take(&mut count), std::mem::take(&mut body));
        }
        item.put(&mut body);
        count += 1;
    }
    if count > 0 {
        close(count, body);
    }
}

/// Reads one page, item by item.
pub fn read_page<T: Canon>(bytes: &[u8], mut each: impl FnMut(T)) -> Result<(), CanonError> {
    let mut r = Reader::new(bytes);
    for _ in 0..r.array()? {
        each(T::take(&mut r)?);
    }
    r.end()
}

/// What has become of one thing: this, or nothing is left of it.
struct PageItem<K, V>(K, Option<V>);

impl<K: Canon, V: Canon> Canon for PageItem<K, V> {
    fn put(&self, w: &mut Writer) {
        w.array(1 + usize::from(self.1.is_some()));
        self.0.put(w);
        if let Some(value) = &self.1 {
            value.put(w);
        }
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        let at = r.at();
        match r.array()? {
            1 => Ok(Self(K::take(r)?, None)),
            2 => Ok(Self(K::take(r)?, Some(V::take(r)?))),
            found => Err(CanonError::WrongLength { at, expected: 2, found }),
        }
    }
}

/// What has become of things by name: nothing stands behind those that are gone.
pub type Changes<K, V> = BTreeMap<K, Option<V>>;

/// Writes what differs between a map as it was and as it is, page by page. What the two share costs nothing.
pub fn write_changes<K, V>(was: &OrdMap<K, V>, is: &OrdMap<K, V>, name: impl Fn(&K) -> Made, page: &mut dyn FnMut(Vec<u8>))
where
    K: Canon + Ord + Clone,
    V: Canon + PartialEq + Clone,
{
    let entries = was.diff(is).map(|item| match item {
        DiffItem::Add(key, value) | DiffItem::Update { new: (key, value), .. } => (name(key), PageItem(key.clone(), Some(value.clone()))),
        DiffItem::Remove(key, _) => (name(key), PageItem(key.clone(), None)),
    });
    write_pages(entries, page);
}

/// The same for few things, of which it is not known what they share.
pub fn write_few<K, V>(was: impl Iterator<Item = (K, V)>, is: impl Iterator<Item = (K, V)>, page: &mut dyn FnMut(Vec<u8>))
where
    K: Canon + Ord + Clone,
    V: Canon,
{
    let was: BTreeMap<K, V> = was.collect();
    let is: BTreeMap<K, V> = is.collect();
    let gone = was.keys().filter(|key| !is.contains_key(key)).map(|key| (key.clone(), None));
    let stands = is.iter().filter(|(key, value)| was.get(key).is_none_or(|was| was.to_canon() != value.to_canon()));
    let mut entries: BTreeMap<K, Option<&V>> = gone.collect();
    entries.extend(stands.map(|(key, value)| (key.clone(), Some(value))));
    let mut body = Writer::default();
    body.array(entries.len());
    for (key, value) in &entries {
        body.array(1 + usize::from(value.is_some()));
        key.put(&mut body);
        value.iter().for_each(|value| value.put(&mut body));
    }
    if !entries.is_empty() {
        page(body.into_bytes());
    }
}

/// Reads one page of what has changed.
pub fn read_changes<K: Canon + Ord, V: Canon>(bytes: &[u8], changes: &mut Changes<K, V>) -> Result<(), CanonError> {
    read_page(bytes, |PageItem(key, value)| {
        changes.insert(key, value);
    })
}

/// Whether a page begins with the thing of this name: names are numbered in a row, so they are spread by a multiplication first.
fn begins(name: Made) -> bool {
    let spread = name.seq.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(u64::from(name.index).wrapping_mul(0xD6E8_FEB8_6659_FD93));
    (spread >> 32) % ABOUT == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(items: impl IntoIterator<Item = (u64, u64)>) -> Vec<Vec<u8>> {
        let mut pages = Vec::new();
        write_pages(items.into_iter().map(|(seq, value)| (Made { seq, index: 0 }, value)), &mut |page| pages.push(page));
        pages
    }

    #[test]
    fn what_was_written_is_read_again_in_order() {
        let mut read = Vec::new();
        for page in pages((0..10_000).map(|n| (n, n * n))) {
            read_page(&page, |n: u64| read.push(n)).unwrap();
        }
        assert_eq!(read, (0..10_000).map(|n| n * n).collect::<Vec<u64>>());
    }

    #[test]
    fn a_page_holds_some_hundreds_of_neighbours() {
        let count = pages((0..100_000).map(|n| (n, 0))).len();
        assert!((200..800).contains(&count), "{count} pages");
    }

    #[test]
    fn one_item_less_changes_one_page() {
        let all = pages((0..10_000).map(|n| (n, n)));
        let without = pages((0..10_000).filter(|n| *n != 4_321).map(|n| (n, n)));
        assert_eq!(without.iter().filter(|page| !all.contains(page)).count(), 1);
    }

    #[test]
    fn a_page_with_something_behind_it_is_refused() {
        let mut page = pages([(0, 7)]).remove(0);
        page.push(0);
        assert!(read_page(&page, |_: u64| {}).is_err());
    }
}
