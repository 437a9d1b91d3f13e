//! Format: does docs/FORMAT.md say what the code does? Its types and reserved codes are compared with the source, its vectors with what comes out.
//!
//! `REMAKE=1 cargo test --test reelm format::` writes the block of types that follow from the code anew.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use reelm::fact::{BeingId, Canon, CanonError, Cognition, Content, DEPTH_MAX, Fact, Frame, Hash, Master, WakeKind, simulated};
use reelm::store::ClockFile;

use super::kit;
use super::terminal::Terminal;

/// Types whose form stands in the document by hand: their bytes are written by hand in the code, too.
const BY_HAND: [&str; 1] = ["wake-id"];

fn document() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/FORMAT.md")
}

/// All that src/fact says.
fn source() -> String {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/fact");
    let mut files: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// The texts between two marks, wherever they stand.
fn between<'a>(text: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    text.split(from).skip(1).filter_map(|rest| Some(rest.split_once(to)?.0)).collect()
}

/// The first of them.
fn first<'a>(text: &'a str, from: &str, to: &str) -> Option<&'a str> {
    between(text, from, to).first().copied()
}

/// A type's name as the document writes it.
fn named(rust: &str) -> String {
    let inside = |of: &str| rust.strip_prefix(of).and_then(|rest| rest.strip_suffix('>'));
    if let Some(inner) = inside("Option<") {
        return format!("{}?", named(inner));
    }
    if let Some(inner) = inside("Vec<") {
        return format!("[* {}]", named(inner));
    }
    if let Some(inner) = inside("Box<") {
        return named(inner);
    }
    match rust {
        "BeingId" => "being".to_owned(),
        "SpaceId" => "space".to_owned(),
        "MatterId" => "matter".to_owned(),
        "Millis" => "i64".to_owned(),
        "Seq" | "N" => "u64".to_owned(),
        "String" => "text".to_owned(),
        "WorldId" => "world".to_owned(),
        _ => {
            let mut name = String::new();
            for (at, letter) in rust.chars().enumerate() {
                if letter.is_uppercase() && at > 0 {
                    name.push('-');
                }
                name.extend(letter.to_lowercase());
            }
            name
        }
    }
}

/// The fields of a struct or of an enum's case, by name: `name: Type,` a line.
fn fields(body: &str) -> BTreeMap<&str, String> {
    let lines = body.lines().map(str::trim).filter(|line| !line.starts_with('/') && !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.trim_start_matches("pub ").trim_end_matches(',').split_once(": "));
    pairs.map(|(name, rust)| (name, named(rust))).collect()
}

fn structs(source: &str, out: &mut BTreeMap<String, String>) {
    for written in between(source, "canon_struct!(", ");") {
        let Some((name, list)) = written.split_once(" {") else { continue };
        let Some(body) = first(source, &format!("pub struct {name} {{\n"), "\n}") else { continue };
        let types = fields(body);
        let items: Vec<String> = list.trim_matches([' ', '}', '\n']).split(", ").map(|field| format!("{field} {}", types[field])).collect();
        out.insert(named(name), format!("{} = [{}]\n", named(name), items.join(", ")));
    }
}

/// The reserved codes behind a macro's cases, and the cases alone.
fn reserved(written: &str) -> (&str, String) {
    let (cases, kept) = written.split_once("reserved {").unwrap_or((written, ""));
    let kept: Vec<String> = kept
        .split(',')
        .filter_map(|one| one.trim().split_once(" => \""))
        .map(|(code, name)| format!("{code} {}", name.split('"').next().unwrap()))
        .collect();
    (cases, kept.join(" | "))
}

fn enums(source: &str, out: &mut BTreeMap<String, String>) {
    for written in between(source, "canon_enum!(", ");") {
        let (cases, kept) = reserved(written);
        let Some((name, cases)) = cases.split_once(" {") else { continue };
        let Some(body) = first(source, &format!("pub enum {name} {{\n"), "\n}") else { continue };
        let mut text = format!("{} =\n", named(name));
        let mut rest = cases;
        while let Some((before, after)) = rest.split_once(" => ") {
            let code = before.rsplit([' ', '\n', ',']).next().unwrap();
            let case: String = after.chars().take_while(|letter| letter.is_alphanumeric()).collect();
            let shape = after.get(case.len()..).unwrap();
            let mut items = vec![format!("{code} {case}")];
            if shape.starts_with(" {") {
                let types = first(body, &format!("    {case} {{\n"), "\n    }").map(fields).unwrap();
                let list = shape.get(2..).unwrap().split_once('}').unwrap().0;
                items.extend(list.trim().split(", ").map(|field| format!("{field} {}", types[field])));
            } else if shape.starts_with('(') {
                items.push(named(first(body, &format!("    {case}("), "),").unwrap()));
            }
            let said = body.split(&format!("\n    {case}")).next().unwrap();
            let said: Vec<&str> = said
                .lines()
                .rev()
                .take_while(|line| line.trim().starts_with("///"))
                .map(|line| line.trim().trim_start_matches("/// "))
                .collect();
            let said: Vec<&str> = said.into_iter().rev().collect();
            writeln!(text, "  | [{}]  -- {}", items.join(", "), said.join(" ").trim_end_matches('.')).unwrap();
            rest = after;
        }
        if !kept.is_empty() {
            writeln!(text, "{} reserved = {kept}", named(name)).unwrap();
        }
        out.insert(named(name), text);
    }
}

fn words(source: &str, out: &mut BTreeMap<String, String>) {
    for written in between(source, "\nwords! {\n", "\n}\n") {
        let (cases, kept) = reserved(written);
        let name = cases.lines().map(str::trim).find(|line| line.ends_with('{')).and_then(|line| line.split_once(',')).unwrap().0;
        let codes = cases.lines().map(str::trim).filter_map(|line| line.split_once(" => "));
        let codes: Vec<String> = codes.map(|(code, word)| format!("{code} {}", word.split('"').nth(1).unwrap())).collect();
        let mut text = format!("{} = {}\n", named(name), codes.join(" | "));
        if !kept.is_empty() {
            writeln!(text, "{} reserved = {kept}", named(name)).unwrap();
        }
        out.insert(named(name), text);
    }
}

/// The types that follow from the code: all that a fact, a call, a thought or a closing is made of.
fn types() -> String {
    let (source, mut found) = (source(), BTreeMap::new());
    structs(&source, &mut found);
    enums(&source, &mut found);
    words(&source, &mut found);
    // Roles name these; no frame does.
    found.retain(|name, _| !BY_HAND.contains(&name.as_str()) && name != "trigger" && name != "respond-mode");
    let fact = found.remove("fact").unwrap();
    found.into_values().chain([fact]).collect()
}

#[test]
fn the_document_has_every_type_and_reserved_code_of_the_source() {
    let text = fs::read_to_string(document()).unwrap();
    let (mark, fence) = ("and a test keeps them so:\n\n```types\n", "```\n");
    let (before, after) = text.split_once(mark).unwrap();
    let (block, behind) = after.split_once(fence).unwrap();
    let right = types();
    if std::env::var_os("REMAKE").is_some() {
        fs::write(document(), format!("{before}{mark}{right}{fence}{behind}")).unwrap();
        return;
    }
    for (line, (found, expected)) in block.lines().zip(right.lines()).enumerate() {
        assert_eq!(found, expected, "line {line} of the types; write them anew: REMAKE=1 cargo test --test reelm format::");
    }
    assert_eq!(block, right, "write them anew: REMAKE=1 cargo test --test reelm format::");
    assert!(right.contains("[0 Born, birth]") && right.contains("[38 Keyed, once]") && right.lines().count() > 60, "{right}");
}

#[test]
fn a_reserved_code_is_refused_by_its_name() {
    let named = |error: CanonError| match error {
        CanonError::Reserved { name, .. } => name,
        other => panic!("{other}"),
    };
    assert_eq!(named(Fact::from_canon(&kit::bytes("82182d80")).unwrap_err()), "PeerSet");
    assert_eq!(Cognition::from_canon(&[3]).unwrap(), Cognition::Bridge);
    assert_eq!(WakeKind::from_canon(&[11]).unwrap(), WakeKind::ReplyDue);
    assert!(matches!(WakeKind::from_canon(&[14]), Err(CanonError::UnknownCode { code: 14, .. })));
    let said = Fact::from_canon(&kit::bytes("82182f80")).unwrap_err().to_string();
    assert!(said.contains("`Erased`") && said.contains("newer"), "{said}");
}

#[test]
fn every_code_that_the_document_reserves_is_refused_by_its_name() {
    let text = fs::read_to_string(document()).unwrap();
    let mut refused = BTreeMap::new();
    for line in text.lines() {
        let Some((of, list)) = line.split_once(" reserved = ") else { continue };
        for (code, name) in list.split(" | ").filter_map(|one| one.split_once(' ')) {
            let number: u8 = code.parse().unwrap();
            let plain = if number < 24 { vec![number] } else { vec![0x18, number] };
            let listed = [&[0x82][..], &plain, &[0x80]].concat();
            let error = match of {
                "fact" => Fact::from_canon(&listed).unwrap_err(),
                "content" => Content::from_canon(&listed).unwrap_err(),
                "cognition" => Cognition::from_canon(&plain).unwrap_err(),
                "wake-kind" => WakeKind::from_canon(&plain).unwrap_err(),
                other => panic!("codes of `{other}` are reserved, and this test does not know how they are written"),
            };
            assert!(error.to_string().contains(&format!("`{name}`")), "{of} {code}: {error}");
            refused.entry(of).or_insert_with(Vec::new).push(number);
        }
    }
    let kept: [(&str, Vec<u8>); 2] = [("content", vec![2, 3]), ("fact", vec![45, 46, 47])];
    assert_eq!(refused.into_iter().collect::<Vec<_>>(), kept);
}

#[test]
fn a_world_of_a_former_format_is_refused_by_its_number_and_told_what_to_do() {
    let former = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/former");
    let (toml, segment) = ("world.toml", "log/0000000000000000.seg");
    let terminal = Terminal::new();
    let lay = |text: &str| {
        fs::create_dir_all(terminal.path("world/log")).unwrap();
        fs::write(terminal.path("world").join(toml), text).unwrap();
        fs::copy(former.join(segment), terminal.path("world").join(segment)).unwrap();
    };
    let text = fs::read_to_string(former.join(toml)).unwrap();
    lay(&text);
    for line in ["run --moments 1", "verify", "replay", "see /", "log", "inspect", "export world.reelm"] {
        terminal.types(line).fails(1).warns(&[
            toml,
            "has format 1, this version reads 2 and none before it",
            "with the version that wrote it",
        ]);
    }
    assert_eq!(fs::read_to_string(terminal.path("world").join(toml)).unwrap(), text, "nothing was changed");
    // A world.toml of today in front of that log.
    let today = text.replace("format = 1", "format = 2");
    let above = today.split("check = ").next().unwrap();
    lay(&format!("{above}check = \"{}\"\n", Hash::of(above.as_bytes())));
    for line in ["verify", "see /", "inspect"] {
        terminal.types(line).fails(1).warns(&["0000000000000000.seg", "has format 1"]);
    }
    assert_eq!(fs::read(terminal.path("world").join(segment)).unwrap(), fs::read(former.join(segment)).unwrap());
}

/// How the document writes a number of the code.
#[derive(Clone, Copy)]
enum Unit {
    Plain,
    Thousands,
    Mib,
    PowerOfTwo,
}

/// A constant of the code, and every sentence of the document that says it.
const NUMBERS: &[(&str, &str, Unit, &[&str])] = &[
    ("src/store/layout.rs", "FORMAT: u32", Unit::Plain, &["the bytes of format {}.", "| the format: {} |", "its format is {};"]),
    ("src/store/segment.rs", "HEADER_LEN: usize", Unit::Plain, &["with a header of {} bytes"]),
    ("src/store/layout.rs", "COMMIT_LEN: usize", Unit::Plain, &["| 3 | commit | {} bytes, see below |", "a commit has {} bytes."]),
    ("src/store/layout.rs", "RECORD_MAX: usize", Unit::PowerOfTwo, &["A length is 1 to {}.", "its length is 1 to {}, its kind"]),
    ("src/store/segment.rs", "SEGMENT_BYTES: u64", Unit::Mib, &["A segment has {} at most"]),
    (
        "src/store/block.rs",
        "BLOCK_BYTES: usize",
        Unit::Thousands,
        &["from 112 on: {} each, the last one", "b is (length - 112) / {}, rounded up"],
    ),
    ("src/store/block.rs", "BLOCK_MAX: usize", Unit::Thousands, &["that needs no other, of 1 to {} bytes;"]),
    ("src/store/export.rs", "WORLD_MAX: u32", Unit::Mib, &["of that length, {} at most"]),
    ("src/fact/frame.rs", "FORMAT: u64", Unit::Plain, &["| 0 | format | {} |", "13. `format` is {},"]),
    ("src/fact/frame.rs", "FRAME_MAX: usize", Unit::Mib, &["`[body, signature]`, {} at most", "11. The frame has {} at most"]),
    (
        "src/fact/act.rs",
        "INLINE_MAX: usize",
        Unit::Thousands,
        &["one value of more than {} bytes, named", "one canonical value, of more than {} bytes", "has a value of {} bytes at most"],
    ),
    ("src/fact/act.rs", "UNREAD_MAX: usize", Unit::Plain, &["`len` is more than {}.", "its words are more than {} bytes"]),
    ("src/fact/value.rs", "DEPTH_MAX: usize", Unit::Plain, &["in a value nest {} deep at most", "which nests {} deep at most"]),
    ("src/past/rung.rs", "FORMAT: u64", Unit::Plain, &["a number of its own, now {};"]),
];

/// The number behind a name and `=` or `:`, as in `1 << 20` and `4096`.
fn number_of(source: &str, name: &str) -> u64 {
    let behind = source.split(name).skip(1).find_map(|rest| {
        rest.strip_prefix(" = ").or_else(|| rest.strip_prefix(": ")).filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    });
    let text = behind.unwrap_or_else(|| panic!("no number `{name}`")).split([';', ',']).next().unwrap();
    let number = |text: &str| text.trim().replace('_', "").parse::<u64>().unwrap_or_else(|_| panic!("`{text}` of `{name}` is no number"));
    match text.split_once("<<") {
        Some((number_shifted, by)) => number(number_shifted) << number(by),
        None => number(text),
    }
}

fn written(number: u64, unit: Unit) -> String {
    match unit {
        Unit::Plain => number.to_string(),
        Unit::Thousands => format!("{},{:03}", number / 1000, number % 1000),
        Unit::Mib => format!("{} MiB", number >> 20),
        Unit::PowerOfTwo => format!("2^{}", number.ilog2()),
    }
}

#[test]
fn every_limit_that_the_document_says_is_the_codes() {
    let text = fs::read_to_string(document()).unwrap();
    let read = |file: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    for (file, name, unit, sentences) in NUMBERS {
        for sentence in *sentences {
            let sentence = sentence.replace("{}", &written(number_of(&read(file), name), *unit));
            assert!(text.contains(&sentence), "{file}, {name}: the document does not say `{sentence}`");
        }
    }
    // The list of facts is the first of those that nest.
    let inside = format!("a value inside a fact nests {} deep", DEPTH_MAX - 1);
    assert!(text.contains(&inside), "{inside}");
    // The calendar, by counting its days from the first of January of the year 1.
    let days = |year: i64| 365 * (year - 1) + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400;
    let begins = |year: i64| (days(year) - days(1970)) * 86_400_000;
    assert_eq!(ClockFile::CALENDAR, begins(1)..=begins(10_000) - 1);
    assert_eq!(text.matches("the years 1 to 9999").count(), 3);
    for (file, said) in [("verify.py", "is such a program: about {} lines"), ("codec.py", "and a codec of {} beside it")] {
        let lines = read(&format!("tests/verifier/{file}")).lines().count();
        let sentence = said.replace("{}", &((lines + 25) / 50 * 50).to_string());
        assert!(text.contains(&sentence), "{file} has {lines} lines: the document does not say `{sentence}`");
    }
}

/// The hex of a block of the document: what stands behind the offset and before the remark of each line.
fn drawn(text: &str) -> Vec<u8> {
    let block = first(text, "```bytes\n", "```").unwrap();
    let mut bytes = Vec::new();
    for line in block.lines().filter(|line| !line.trim().is_empty()) {
        let (offset, rest) = line.trim_start().split_once(' ').unwrap();
        assert_eq!(offset.parse::<usize>().unwrap(), bytes.len(), "the offset of `{line}`");
        let hex: String = rest.split("--").next().unwrap().split_whitespace().collect();
        bytes.extend(kit::bytes(&hex));
    }
    bytes
}

#[test]
fn the_keys_and_the_frame_that_the_document_draws_are_those_that_come_out() {
    let text = fs::read_to_string(document()).unwrap();
    let (master, world) = simulated("small", 1);
    let key = master.key(world, BeingId::new(300, 7));
    let shown = [
        ("world's id ", world.to_string()),
        ("master ", Hash(*master.reveal()).to_string()),
        ("@world [0, 0], public ", master.key(world, BeingId::WORLD).public().to_hash().to_string()),
        ("being [300, 7], public ", key.public().to_hash().to_string()),
        ("[300, 7] over the hash of \"\" ", format!("{:?}", key.sign(&Hash::of(b"")))),
    ];
    for (what, hex) in &shown {
        let line = text
            .lines()
            .find(|line| line.trim_start().starts_with(what) && !line.contains(" = "))
            .unwrap_or_else(|| panic!("no line `{what}`"));
        assert!(line.ends_with(&format!(" {hex}")), "{what}: {line}, expected {hex}");
    }
    assert_eq!(Master::simulated(1).reveal(), master.reveal());
    let record = drawn(&text);
    let crc = {
        let mut crc = crc32fast::Hasher::new();
        [&world.0[..], &record[..4], &record[8..]].iter().for_each(|part| crc.update(part));
        crc.finalize()
    };
    assert_eq!(
        record[..8],
        [((record.len() - 9) as u32).to_le_bytes(), crc.to_le_bytes()].concat(),
        "expected checksum {:02x?}",
        crc.to_le_bytes()
    );
    assert_eq!(record[8..13], [1, 0xac, 2, 7, 0], "a frame's record, and being and n as varints");
    let frame = Frame::read(&record[13..]).unwrap();
    frame.verify(&key.public()).unwrap();
    assert_eq!((frame.draft().being, frame.draft().n, frame.draft().facts.len()), (BeingId::new(300, 7), 0, 2));
}

#[test]
fn the_small_files_that_the_document_shows_close_with_the_right_line() {
    let text = fs::read_to_string(document()).unwrap();
    let blocks = text.split("\n\n").filter(|block| block.lines().all(|line| line.starts_with("    ")) && block.contains("    check = \""));
    let files: Vec<String> = blocks.map(|block| block.lines().map(|line| format!("{}\n", line.trim_start())).collect()).collect();
    assert_eq!(files.len(), 4, "world.toml, clean, clock and keystore");
    for file in files {
        let (above, check) = file.split_once("check = ").unwrap();
        assert_eq!(check, format!("\"{}\"\n", Hash::of(above.as_bytes())), "{file}");
    }
}
