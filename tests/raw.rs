//! Raw: does a letter of a file that somebody sent take hold of the terminal of whoever looks at it?
//!
//! Each hostile file goes through the real binary, in words and as JSON. The output holds neither control characters nor letters that turn
//! a line round, and nothing in it begins a line that could pass for one of ours.

use super::terminal::Terminal;

/// Letters that seize a terminal: a sequence that clears it, the same in one letter, a bell, a line turned round, a new line of ours.
const HOSTILE: &str = "\u{1b}[2J\u{9b}2J\u{7}\u{7f}\u{8}\u{202e}\u{2066}\u{2028}";

fn seizes(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Checks that the output of a line takes hold of nothing, in words and as JSON; returns it in words.
fn is_tame(terminal: &Terminal, line: &str) -> String {
    let mut words = String::new();
    for form in ["--json", ""] {
        let said = terminal.types(&format!("{line} {form}"));
        let text = format!("{}{}", said.out, said.err);
        assert!(!text.chars().any(seizes), "{line} {form}: {text:?}");
        // A line that begins so is ours: none of what the others wrote does.
        let claims = ["all is well", "fine", "added"].map(|claim| format!("\nreelm: {claim}"));
        assert!(claims.iter().all(|claim| !text.contains(claim)), "{line} {form}: {text}");
        assert!(!text.contains("panicked") && !text.is_empty(), "{line} {form}: {text}");
        words = text;
    }
    words
}

fn chunk(kind: [u8; 4], body: &[u8], sum: u32) -> Vec<u8> {
    let length = (body.len() as u32).to_be_bytes();
    [&length[..], &kind, body, &sum.to_be_bytes()].concat()
}

/// A PNG of these chunks.
fn picture(chunks: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    chunks.iter().for_each(|chunk| bytes.extend(chunk));
    bytes
}

/// A tar archive with one file of this name.
fn tarred(name: &[u8]) -> Vec<u8> {
    let mut head = [0u8; 512];
    head[..name.len()].copy_from_slice(name);
    for (at, text) in [(100, "0000644"), (108, "0000000"), (116, "0000000"), (124, "00000000003"), (136, "00000000000"), (148, "        ")]
    {
        head[at..at + text.len()].copy_from_slice(text.as_bytes());
    }
    head[156] = b'0';
    head[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u32 = head.iter().map(|byte| u32::from(*byte)).sum();
    head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let mut bytes = head.to_vec();
    bytes.extend(b"hi!");
    bytes.resize(512 * 4, 0);
    bytes
}

#[test]
fn no_picture_card_archive_or_manifest_takes_hold_of_a_terminal() {
    let terminal = Terminal::new();
    let put = |name: &str, bytes: &[u8]| std::fs::write(terminal.path(name), bytes).unwrap();
    put("kind.png", &picture(&[chunk(*b"\x1b[2J", b"", 7)]));
    put("keyword.png", &picture(&[chunk(*b"tEXt", b"\x1b[2Jchara\0abc", 7)]));
    put("turned.png", &picture(&[chunk(*b"iTXt", "\u{202e}chara\0abc".as_bytes(), 7)]));
    let quoted = serde_json::to_string(&format!("x{HOSTILE}\nreelm: all is well")).unwrap();
    put(
        "card.json",
        format!(r#"{{"spec":"chara_card_v2","data":{{"name":{quoted},"description":{quoted},"first_mes":{quoted},{quoted}:1}}}}"#)
            .as_bytes(),
    );
    put("cards.json", format!(r#"{{"spec":{quoted},"data":{quoted}}}"#).as_bytes());
    for card in ["kind.png", "keyword.png", "turned.png", "card.json", "cards.json"] {
        is_tame(&terminal, &format!("source from {card} --as cards --to out-{card}"));
    }
    put("path.tar", &tarred(b"\x1b[2J/\xc2\x9b/\xe2\x80\xae.toml"));
    put("up.tar", &tarred("../\u{202e}\u{1b}c\nreelm: added".as_bytes()));
    for archive in ["path.tar", "up.tar"] {
        is_tame(&terminal, &format!("extension add {archive} --data none"));
        is_tame(&terminal, &format!("extension check {archive}"));
    }
    let toml = |text: &str| text.replace("HOSTILE", &HOSTILE.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect::<String>());
    for (at, manifest) in [
        "name = \"xHOSTILE\"\nversion = \"1.0.0\"\n",
        "name = \"x\"\nversion = \"HOSTILE\"\n",
        "name = \"x\"\nversion = \"1.0.0\"\n\"HOSTILE\\nreelm: fine\" = 1\n",
        "name = \"x\"\nversion = \"1.0.0\"\nabout = \"HOSTILE\"\nneeds = { \"HOSTILE\" = \"1\" }\n",
        "name = \"x\"\nversion = \"1.0.0\"\nabout = \"HOSTILE\"\n",
    ]
    .iter()
    .enumerate()
    {
        terminal.write(&format!("ext{at}/manifest.toml"), &toml(manifest));
        is_tame(&terminal, &format!("extension check ext{at}"));
        is_tame(&terminal, &format!("extension show ext{at}"));
        terminal.write(&format!("world{at}/world.toml"), &toml(&manifest.replace("version", "\"HOSTILE\"")));
        is_tame(&terminal, &format!("check world{at}"));
    }
    // The letters stand in a file as they are, and not escaped.
    terminal.write("bare/world.toml", &format!("name = \"bare\"\n{HOSTILE} = 1\n"));
    is_tame(&terminal, "check bare");
    terminal.write("role/world.toml", "name = \"role\"\n");
    terminal.write("role/roles/x.md", &format!("---\nname: x\n\"{HOSTILE}\": [1]\n---\n{HOSTILE}\n"));
    is_tame(&terminal, "check role");
    terminal.write("script/world.toml", "name = \"script\"\n");
    terminal.write("script/scripts/x.rhai", &format!("fn think(face) {{ `{HOSTILE}` + }}"));
    is_tame(&terminal, "check script");
}

#[test]
fn no_proof_anchor_bundle_or_history_of_others_takes_hold_of_a_terminal() {
    let terminal = Terminal::with_world("court", 20);
    let quoted = serde_json::to_string(&format!("{HOSTILE}\nreelm: all is well")).unwrap();
    terminal.write("one.json", &format!("{{{quoted}:1}}"));
    terminal.write("raw.json", &format!("{{\"{HOSTILE}\":1}}"));
    for file in ["one.json", "raw.json"] {
        for line in ["verify --proof", "verify --anchor", "verify", "import", "replay --file", "verify --file", "survey", "sweep"] {
            is_tame(&terminal, &format!("{line} {file}"));
        }
    }
    terminal.types("anchor a.anchor").ok();
    let text = terminal.read("a.anchor");
    terminal.write("more.anchor", &text.replacen('{', &format!("{{{quoted}:1,"), 1));
    is_tame(&terminal, "verify --anchor more.anchor");
    // The letters are said in a world, and stand in a file name.
    let say = quoted.replace('\'', "");
    terminal.types(&format!("do / say '{{\"content\":{say}}}'")).ok();
    terminal.types(&format!("summon @judith '{say}'")).ok();
    terminal.types(&format!("do / quality.set '{{\"path\":\"t.a\",\"value\":{say}}}'")).ok();
    for line in [
        "log --last 6",
        "see /",
        "see @judith",
        "inbox @judith",
        "explain @operator/0",
        "find say",
        "see @operator/.life",
        "why /.t.a",
        "export --lines moments",
    ] {
        is_tame(&terminal, line);
    }
    let named = format!("a{HOSTILE}.reelm");
    std::fs::write(terminal.path(&named), "nothing").unwrap();
    is_tame(&terminal, &format!("verify --file '{named}'"));
    is_tame(&terminal, &format!("import '{named}' --data other"));
}
