//! Tests of `src/fact/page.rs`.

use imbl::OrdMap;
use reelm::fact::page::*;

fn pages(was: &OrdMap<u64, u64>, is: &OrdMap<u64, u64>) -> Vec<Vec<u8>> {
    let mut pages = Vec::new();
    write_changes(was, is, &mut |page| pages.push(page));
    pages
}

#[test]
fn what_was_written_is_read_again_and_follows_what_was_read_before() {
    let was: OrdMap<u64, u64> = (0..10_000_u64).map(|n| (n, n)).collect();
    let is = was.clone().without(&7).update(4_321, 0).update(10_000, 1);
    let mut read: Changes<u64, u64> = Changes::new();
    for page in pages(&OrdMap::new(), &was).iter().chain(&pages(&was, &is)) {
        read_changes(page, &mut read).unwrap();
    }
    assert_eq!(read[&7], None);
    // Of one thing alone a page says the same.
    let alone = |key: u64| pages(&was, &is).iter().find_map(|page| read_change::<u64, u64>(page, &key).unwrap());
    assert_eq!([7, 4_321, 10_000, 8].map(alone), [Some(None), Some(Some(0)), Some(Some(1)), None]);
    let stands: OrdMap<u64, u64> = read.into_iter().filter_map(|(key, value)| Some((key, value?))).collect();
    assert_eq!(stands, is);
}

#[test]
fn a_page_tells_of_so_many_things_and_what_is_as_it_was_of_none() {
    let all: OrdMap<u64, u64> = (0..1_000_u64).map(|n| (n, n)).collect();
    assert_eq!(pages(&OrdMap::new(), &all).len(), 4);
    assert!(pages(&all, &all.clone()).is_empty());
    assert_eq!(pages(&all, &all.update(3, 4)).len(), 1);
}

#[test]
fn few_things_are_told_of_in_the_same_form() {
    let map = |pairs: &[(u64, u64)]| pairs.iter().copied().collect::<OrdMap<u64, u64>>();
    let (was, is) = (map(&[(1, 1), (2, 2), (4, 4)]), map(&[(1, 1), (2, 3), (3, 3)]));
    let mut few = Vec::new();
    write_few(was.clone().into_iter(), is.clone().into_iter(), &mut |page| few.push(page));
    assert_eq!(few, pages(&was, &is));
    write_few(is.clone().into_iter(), is.into_iter(), &mut |page| panic!("nothing has changed: {page:?}"));
}

#[test]
fn a_page_that_is_cut_or_has_something_behind_it_is_refused() {
    let page = pages(&OrdMap::new(), &OrdMap::unit(0, 7)).remove(0);
    let refused = |bytes: &[u8]| read_changes::<u64, u64>(bytes, &mut Changes::new()).is_err();
    assert!(!refused(&page) && refused(&page[..page.len() - 1]) && refused(&[page.as_slice(), &[0]].concat()));
}
