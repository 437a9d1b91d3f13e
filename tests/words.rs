//! Words: are the words of a past found as if all of it were read, though what has none of them is passed over?

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use reelm::fact::Seq;
use reelm::past::{APART, History, Sought};
use reelm::world::CHAPTER;

use super::checkpoint::{files, go_on, go_on_unkept, unkept};
use super::kit;
use super::past::{count_folded, folds};
use super::served::Served;
use super::terminal::Terminal;

/// Words as somebody may type them, of which some stand nowhere.
const QUERIES: [&str; 14] = [
    "zebra",
    "good MORNING",
    "orni",
    "/den-first",
    "gate-roles",
    "'\"content\":\"good'",
    "zebra or warden",
    "yak zebra or heron",
    "second draft",
    "…",
    "@citizen-9 yard",
    "citizen-9,zebra",
    "ﬁrst",
    "or",
];

/// A town with two whole chapters and more, whose commits lie near each other.
fn town() -> &'static Terminal {
    static TOWN: LazyLock<Terminal> = LazyLock::new(|| {
        let terminal = Terminal::with_world("town", 50);
        terminal.types("do / say '{\"content\":\"good morning, warden of the second draft\"}'").ok();
        (0..9).for_each(|_| drop(terminal.types("run --moments 1000 --quiet").ok()));
        terminal
    });
    &TOWN
}

/// The files of words beside a world, each with the seq at which its frames end.
fn all_words_of(dir: &Path) -> Vec<(Seq, PathBuf)> {
    let ends = |path: &PathBuf| path.file_name()?.to_str()?.strip_suffix(".words")?.parse().ok();
    let files = if dir.join("checkpoints").exists() { files(dir) } else { Vec::new() };
    files.into_iter().filter_map(|path| Some((ends(&path)?, path))).collect()
}

/// The whole chapters whose words lie beside a world.
fn words_of(dir: &Path) -> Vec<PathBuf> {
    all_words_of(dir).into_iter().filter(|(end, _)| end.is_multiple_of(CHAPTER)).map(|(_, path)| path).collect()
}

/// The stretches behind whole chapters whose words lie beside a world.
fn open_words_of(dir: &Path) -> Vec<(Seq, PathBuf)> {
    all_words_of(dir).into_iter().filter(|(end, _)| !end.is_multiple_of(CHAPTER)).collect()
}

/// The newest checkpoint of a world.
fn newest(dir: &Path) -> Seq {
    History::of(dir).unwrap().checkpoints()[0]
}

/// A copy of the town that was made as an import makes it.
fn imported() -> Terminal {
    let terminal = Terminal::new();
    let town = town().path("world").display().to_string();
    terminal.types(&format!("export town.reelm --data {town}")).ok();
    terminal.types("import town.reelm").ok();
    terminal
}

/// Goes on with a world for more than a moment, while something is typed, until all its words are there.
fn serves(terminal: Terminal, typed: &[String]) -> Terminal {
    let dir = terminal.path("world");
    let lacking = words_of(&dir)[0].clone();
    fs::remove_file(&lacking).unwrap();
    let served = Served::begin(terminal, "serve --paused --port 0 --json");
    kit::until("words come", || lacking.exists());
    typed.iter().for_each(|line| drop(served.terminal.types(line).ok()));
    served.stop()
}

/// Whether a command reads the first frames of a world.
fn reads_its_beginning(terminal: &Terminal, line: &str) -> bool {
    folds(terminal, line).0.contains(&0)
}

#[test]
#[ignore = "long: 9,000 moments of a town"]
fn words_are_found_as_if_all_were_read_and_a_chapter_without_them_is_not() {
    let terminal = Terminal::new();
    let town = town().path("world").display().to_string();
    terminal.types(&format!("export town.reelm --data {town}")).ok();
    terminal.types("import town.reelm --data again").ok();
    let dir = terminal.path("again");
    let end = History::of(&dir).unwrap().end();
    let words = words_of(&dir);
    assert_eq!(words.len() as u64, end / CHAPTER);
    assert_eq!(open_words_of(&dir).len(), 1);
    let found = |query: &str| terminal.types(&format!("find {query} --json --data again")).out;
    let is_brief = |query: &str| !reads_its_beginning(&terminal, &format!("find --raw {query} --data again"));
    assert!(is_brief("zebra") && is_brief("zebra --last 3") && is_brief("citizen-9,zebra"));
    let with = QUERIES.map(found);
    let whole = words.iter().map(|path| fs::read(path).unwrap()).collect::<Vec<_>>();
    for damage in [flip, cut] {
        damage(&words[0]);
        assert!(!is_brief("zebra"));
        fs::write(&words[0], &whole[0]).unwrap();
        assert!(is_brief("zebra"));
    }
    // The words of another chapter are none of this one.
    fs::write(&words[0], &whole[1]).unwrap();
    assert!(!is_brief("zebra"));
    fs::remove_file(&words[0]).unwrap();
    assert!(!is_brief("zebra") && QUERIES.map(found) == with);
}

fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(path, bytes).unwrap();
}

fn cut(path: &Path) {
    let bytes = fs::read(path).unwrap();
    fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
}

#[test]
#[ignore = "long: 9,000 moments of a town"]
fn what_a_past_lacks_of_checkpoints_and_words_comes_about_beside_whoever_goes_on() {
    let terminal = Terminal::new();
    let town = town().path("world").display().to_string();
    terminal.types(&format!("backup world --data {town}")).ok();
    let dir = terminal.path("world");
    fs::remove_dir_all(dir.join("checkpoints")).unwrap();
    let end = History::of(&dir).unwrap().end();
    assert!(count_folded(&terminal, "see /") >= end);
    let served = Served::begin(terminal, "serve --paused --port 0 --json");
    kit::until("words come", || words_of(&dir).len() as u64 == end / CHAPTER);
    let terminal = served.stop();
    let history = History::of(&dir).unwrap();
    let mut seqs = history.checkpoints();
    seqs.push(0);
    assert!(seqs.windows(2).all(|two| two[0] - two[1] <= APART), "{seqs:?}");
    assert!(count_folded(&terminal, &format!("see / --at {}", end / 2)) <= APART);
    assert!(!reads_its_beginning(&terminal, "find zebra"));
    terminal.types("verify").ok();
    terminal.types("replay").says(&["identical"]);
}

#[test]
#[ignore = "long: 9,000 moments of a town"]
fn a_fork_has_the_words_of_its_past_and_none_of_what_did_not_happen_in_it() {
    let terminal = Terminal::new();
    let town = town().path("world").display().to_string();
    terminal.types(&format!("export town.reelm --data {town}")).ok();
    terminal.types("import town.reelm").ok();
    let dir = terminal.path("world");
    let rungs = History::of(&dir).unwrap().checkpoints();
    let [.., second, first] = rungs.as_slice() else { panic!("{rungs:?}") };
    assert!((CHAPTER..2 * CHAPTER - 9).contains(first) && *second >= 2 * CHAPTER, "{rungs:?}");
    terminal.types(&format!("fork early --at {}", first + 9)).ok();
    assert_eq!(words_of(&terminal.path("early")).len(), 1);
    terminal.types(&format!("fork late --at {}", second + 9)).ok();
    assert_eq!(words_of(&terminal.path("late")).len() as u64, second / CHAPTER);
    // Behind the last whole chapter it looks from the checkpoint before it on.
    let folded = folds(&terminal, "find zebra --data late").0;
    assert!(folded.iter().all(|from| from >= first), "{folded:?} with {rungs:?} of {:?}", files(&dir));
}

#[test]
#[ignore = "long: 9,000 moments of a town"]
fn after_the_end_of_a_run_what_stands_nowhere_is_sought_behind_the_newest_checkpoint_alone() {
    let terminal = imported();
    let dir = terminal.path("world");
    let [(first, _)] = open_words_of(&dir)[..] else { panic!("{:?}", files(&dir)) };
    assert_eq!(first, newest(&dir));
    terminal.types("backup copy").ok();
    let terminal = serves(terminal, &["do / say '{\"content\":\"one yak\"}'".to_owned()]);
    let end = History::of(&dir).unwrap().end();
    let ends = |dir: &Path| open_words_of(dir).into_iter().map(|(end, _)| end).collect::<Vec<_>>();
    assert!(end > first && newest(&dir) == end);
    assert_eq!(ends(&dir), [end], "the words up to {first} were not taken away");
    terminal.types("backup copy").ok();
    assert_eq!(ends(&terminal.path("copy")), [end]);
    for query in ["find zebra", "find zebra --last 3", "find zebra --closing act --last 3", "find zebra --data copy"] {
        assert_eq!(folds(&terminal, query).0, Vec::<Seq>::new(), "{query}");
    }
    assert_eq!(folds(&terminal, "find zebra --closing act").0, [end], "the world as it is says which chapters could have it");
    terminal.types("find --raw yak").says(&["one yak"]);
    // The frames that a killed process had written have no checkpoint yet.
    go_on_unkept(&dir, 20);
    assert_eq!((newest(&dir), ends(&dir)), (end, vec![end]));
    let folded = folds(&terminal, "find zebra").0;
    assert!(!folded.is_empty() && folded.iter().all(|from| *from == end), "{folded:?}");
    // A brief command leaves the words as they are, and the checkpoint that proves them.
    for n in 0..3 {
        terminal.types(&format!("do / say '{{\"content\":\"gnu {n}\"}}'")).ok();
    }
    let folded = folds(&terminal, "find zebra").0;
    assert!(newest(&dir) > end && folded.iter().all(|from| *from >= ends(&dir)[0]), "{folded:?} with {:?}", files(&dir));
    terminal.types("find gnu --count").says(&["3"]);
    // The words of the whole chapter are there instead, once it has ended.
    while History::of(&dir).unwrap().end() / CHAPTER == end / CHAPTER {
        go_on(&dir, 1000);
    }
    let _terminal = serves(terminal, &[]);
    let ended = newest(&dir);
    assert_eq!(all_words_of(&dir).len() as u64, ended.div_ceil(CHAPTER), "{:?}", files(&dir));
    assert_eq!(ends(&dir), [ended]);
}

#[test]
#[ignore = "long: 9,000 moments of a town"]
fn the_newest_words_of_another_past_or_with_damage_do_not_count_and_are_replaced() {
    let (terminal, other) = (imported(), imported());
    let say = |terminal: &Terminal, said: &str| terminal.types(&format!("do / say '{{\"content\":\"{said}\"}}'")).ok();
    say(&terminal, "one yak");
    say(&other, "one gnu");
    let (terminal, other) = (serves(terminal, &[]), serves(other, &[]));
    let dir = terminal.path("world");
    let ([(end, own)], [(same, others)]) = (&open_words_of(&dir)[..], &open_words_of(&other.path("world"))[..]) else { panic!() };
    assert_eq!(end, same);
    let whole = fs::read(own).unwrap();
    let looks = || folds(&terminal, "find zebra").0;
    assert!(looks().is_empty());
    for damage in [flip, cut, |path: &Path| flip_at(path, 60)] {
        damage(own);
        assert!(looks().iter().any(|from| *from <= end / CHAPTER * CHAPTER));
        fs::write(own, &whole).unwrap();
    }
    fs::write(own, fs::read(others).unwrap()).unwrap();
    assert!(!looks().is_empty());
    terminal.types("find --raw yak").says(&["one yak"]);
    let terminal = serves(terminal, &[]);
    assert_eq!(fs::read(own).unwrap(), whole);
    // Checkpoints of another past, with their words.
    fs::remove_dir_all(dir.join("checkpoints")).unwrap();
    fs::rename(other.path("world/checkpoints"), dir.join("checkpoints")).unwrap();
    terminal.types("find --raw yak").says(&["one yak"]);
    terminal.types("find gnu --count").says(&["0"]);
}

#[test]
fn a_checkpoint_stays_as_long_as_words_end_there() {
    let stays = |is_worded: bool| {
        let terminal = Terminal::with_world("court", 60);
        let dir = terminal.path("world");
        let seq = newest(&dir);
        if is_worded {
            fs::write(dir.join(format!("checkpoints/{seq:020}.words")), "").unwrap();
        }
        (0..60).for_each(|_| go_on(&dir, 1));
        History::of(&dir).unwrap().checkpoints().contains(&seq)
    };
    assert!(stays(true) && !stays(false));
}

#[test]
#[ignore = "long: 9,000 moments of a town"]
fn the_words_of_a_chapter_that_was_archived_in_part_are_not_gathered() {
    let terminal = imported();
    let dir = terminal.path("world");
    let said = terminal.types("find second draft --json").json()["seq"].as_u64().unwrap();
    terminal.types(&format!("archive old.reelm --before {}", said + 1)).ok();
    assert_eq!(History::of(&dir).unwrap().begins(), said + 1);
    all_words_of(&dir).into_iter().for_each(|(_, path)| fs::remove_file(path).unwrap());
    // However fast the machine is, one of these runs is not brief.
    let is_kept = |power: u32| (go_on(&dir, 1 << power), open_words_of(&dir).len() == 1).1;
    assert!((10..18).any(is_kept), "no words came");
    assert!(!words_of(&dir).is_empty() && all_words_of(&dir)[0].0 > CHAPTER, "{:?}", files(&dir));
    terminal.types("import old.reelm").ok();
    terminal.types("find --raw second draft").says(&["good morning"]);
}

fn flip_at(path: &Path, at: usize) {
    let mut bytes = fs::read(path).unwrap();
    bytes[at] ^= 1;
    fs::write(path, bytes).unwrap();
}

/// So many words are said once each, in some of these pasts.
const RARE: usize = 14;

/// A town with words up to its newest checkpoint and more frames behind it, and forks of it; each also without any words.
fn pasts() -> &'static [(History, History)] {
    static PASTS: LazyLock<(Terminal, Vec<(History, History)>)> = LazyLock::new(|| {
        let says: Vec<String> = (0..RARE).map(|n| format!("do / say '{{\"content\":\"rare{n:02}\"}}'")).collect();
        let (before, behind) = says.split_at(RARE / 2);
        let terminal = serves(imported(), before);
        let dir = terminal.path("world");
        let end = newest(&dir);
        unkept(&dir, || behind.iter().for_each(|line| drop(terminal.types(line).ok())));
        go_on_unkept(&dir, 40);
        terminal.types(&format!("fork late --at {}", end + 5)).ok();
        terminal.types(&format!("fork early --at {}", end - 3)).ok();
        let pasts = ["world", "late", "early"].map(|name| {
            terminal.types(&format!("backup bare-{name} --data {name}")).ok();
            let bare = terminal.path(&format!("bare-{name}"));
            all_words_of(&bare).into_iter().for_each(|(_, path)| fs::remove_file(path).unwrap());
            (History::of(&terminal.path(name)).unwrap(), History::of(&bare).unwrap())
        });
        assert_eq!(["world", "late", "early"].map(|name| open_words_of(&terminal.path(name)).len()), [1, 1, 0]);
        (terminal, pasts.into())
    });
    &PASTS.1
}

/// The matches among some frames: all of them, and the newest five.
fn found(history: &History, sought: &Sought, within: Range<Seq>) -> [Vec<String>; 2] {
    let mut all = Vec::new();
    history.found(sought, within.clone(), |report| all.push(report.to_string())).unwrap();
    [all, history.newest(sought, within, 5, |report| Some(report.to_string())).unwrap().found]
}

#[test]
#[ignore = "long: 9,000 moments of a town"]
fn what_was_said_once_is_found_before_and_behind_the_newest_words() {
    let told = pasts().iter().map(|(with, without)| {
        let within = with.end() - 100..with.end();
        let all = (0..RARE + 2).map(|n| {
            let sought = Sought { text: Some(format!("rare{n:02}")), ..Sought::default() };
            let [found, without] = [with, without].map(|history| found(history, &sought, within.clone()));
            assert_eq!(found, without, "{n}");
            found[0].len()
        });
        all.sum::<usize>()
    });
    let told: Vec<usize> = told.collect();
    assert!(told[0] == RARE && (RARE / 2..RARE).contains(&told[1]) && told[2] < RARE / 2, "{told:?}");
}

proptest! {
    #![proptest_config(kit::cases(4, 16))]

    #[test]
    #[ignore = "long: 9,000 moments of a town"]
    fn with_the_newest_words_it_finds_what_it_finds_without_any(
        past in 0..3usize, from: Index, len in 1..600u64, near_the_end: bool, word: Index, rare in prop::option::of(0..RARE), acts: bool
    ) {
        let (with, without) = &pasts()[past];
        let from = if near_the_end { with.end() - 1 - from.index(120) as u64 } else { from.index(with.end() as usize) as u64 };
        let (within, mut texts) = (from..(from + len).min(with.end()), Vec::new());
        without.moments(from, Some((from + 3).min(with.end())), |_, report| texts.push(report.to_string())).unwrap();
        let words: Vec<&str> = texts.iter().flat_map(|text| text.split_whitespace()).chain(["zebra", "good or rare03"]).collect();
        let text = Some(rare.map_or_else(|| words[word.index(words.len())].to_owned(), |n| format!("rare{n:02}")));
        let sought = Sought { text, closing: acts.then_some(reelm::fact::ClosingKind::Act), ..Sought::default() };
        prop_assert_eq!(found(with, &sought, within.clone()), found(without, &sought, within), "{:?}", sought);
    }
}
