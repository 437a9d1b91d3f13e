//! Page: many items in canonical form, cut so that one item more or less, or another value of one, changes one page only.
//!
//! Where a page ends depends on the names of the items alone, never on how many stand before them. So two pictures of a world that
//! has changed a little share most of their pages.

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
