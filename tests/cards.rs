//! Cards: does a character card become a world source that can be checked, planted and lived in, and is whatever is none named?

use data_encoding::BASE64;
use reelm::fact::{Call, Made};
use serde_json::{Value as Json, json};

use super::kit::{Small, back};
use super::mind::Script;
use super::terminal::Terminal;
use super::told::{block, told};

/// A card with everything that becomes something, and some that does not.
fn ada() -> Json {
    json!({ "spec": "chara_card_v2", "spec_version": "2.0", "data": {
        "name": "Ada", "description": "{{char}} binds books in a cellar. {{user}} may sit down.",
        "personality": "Patient {{roll:d6}}.", "scenario": "An evening in the parlour.", "first_mes": "*looks up* Good evening, {{user}}.",
        "alternate_greetings": ["You again?"], "mes_example": "<START>\n{{user}}: Glue?\n{{char}}: Bone glue.",
        "system_prompt": "{{original}}Stay {{char}}.", "post_history_instructions": "Never hurry.",
        "creator": "kit", "character_version": "3", "tags": ["books"], "creator_notes": "For tests.",
        "extensions": { "regex_scripts": [{ "scriptName": "shout" }], "depth_prompt": {} }, "colour": "red",
        "character_book": { "scan_depth": 4, "extensions": {}, "entries": [
            { "keys": ["glue", "paste"], "secondary_keys": ["bone"], "name": "On Glue", "content": "@@depth 4\n{{char}} boils it from bones.", "enabled": true, "insertion_order": 1, "use_regex": true, "extensions": {} },
            { "keys": ["glue"], "comment": "On glue!", "content": "It smells.", "enabled": true, "insertion_order": 2, "extensions": {} },
            { "keys": [], "content": "The cellar is dry.", "enabled": true, "constant": true, "insertion_order": 3, "extensions": {} },
            { "keys": ["secret"], "content": "Nobody knows.", "enabled": false, "insertion_order": 4, "extensions": {} },
        ]},
    }})
}

fn called(name: &str) -> Json {
    json!({ "spec": "chara_card_v3", "spec_version": "3.0", "data": { "name": name, "description": "{{char}} is here." } })
}

fn chunk(kind: &str, bytes: &[u8]) -> Vec<u8> {
    let body = [kind.as_bytes(), bytes].concat();
    [&(bytes.len() as u32).to_be_bytes()[..], &body, &crc32fast::hash(&body).to_be_bytes()].concat()
}

/// A picture of one grey dot with such texts.
fn picture(texts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    bytes.extend(chunk("IHDR", &[0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]));
    texts.iter().for_each(|(keyword, text)| bytes.extend(chunk("tEXt", &[keyword.as_bytes(), &[0], text].concat())));
    bytes.extend(chunk("IDAT", &[0x78, 0x9c, 0x63, 0x68, 0, 0, 0, 0x82, 0, 0x81]));
    bytes.extend(chunk("IEND", &[]));
    bytes
}

fn in_base64(card: &Json) -> Vec<u8> {
    BASE64.encode(card.to_string().as_bytes()).into_bytes()
}

fn put(terminal: &Terminal, name: &str, bytes: impl AsRef<[u8]>) {
    std::fs::write(terminal.path(name), bytes).unwrap();
}

#[test]
fn a_card_becomes_a_world_that_is_checked_planted_and_lives() {
    let terminal = Terminal::new();
    put(&terminal, "ada.json", ada().to_string());
    // A picture may carry both; the newer counts.
    put(
        &terminal,
        "ben.png",
        picture(&[("Comment", b"none"), ("chara", &in_base64(&called("Old Ben"))), ("ccv3", &in_base64(&called("Ben Böhm")))]),
    );
    let said = terminal.types("source from ada.json ben.png --as cards --to guests").fails(0).says(&[
        "wrote the world `guests` with @ada, @ben-böhm to `guests`",
        "not carried over from ada.json: extensions.regex_scripts",
        "extensions.depth_prompt",
        "colour",
        "character_book.scan_depth",
        "character_book.entries: `use_regex`",
        "`@@ decorators`",
        "the entry `secret`, which is not enabled",
        "the macro `{{roll:d6}}`",
    ]);
    let readme = terminal.read("guests/README.md");
    for line in said.out.lines().filter_map(|line| line.strip_prefix("not carried over from ada.json: ")) {
        assert!(readme.contains(&format!("- `ada.json`: {line}\n")), "{readme}");
    }
    assert!(readme.contains("- creator: kit\n") && readme.contains("- creator_notes: For tests.\n"), "{readme}");
    insta::assert_snapshot!(terminal.read("guests/roles/ada.md"), @r#"
    ---
    name: ada
    description: "Ada, from a character card"
    canSee:
      - "/parlour"
      - "/parlour/**"
      - {"rel":"self"}
      - {"rel":"caller"}
    canDo:
      - say
      - keep
    canSummon:
      - {"rel":"caller"}
      - {"rel":"here"}
    see:
      - "shelf(/parlour/ada-lore)"
    triggerOn:
      - message
      - arrival
    ---

    You are Ada.

    Stay Ada.

    Ada binds books in a cellar. {{ caller.name or 'somebody' }} may sit down.

    ## How you are

    Patient roll:d6.

    ## Where you are and why

    An evening in the parlour.

    ## What you know

    The cellar is dry.

    ## How you greet whoever comes

    *looks up* Good evening, {{ caller.name or 'somebody' }}.

    Or:

    You again?

    ## How you talk

    {{ caller.name or 'somebody' }}: Glue?
    Ada: Bone glue.

    ## Keep in mind

    Never hurry.
    "#);
    terminal.types("check guests --strict").fails(0).says(&["guests: 2 beings, 0 warnings"]);
    terminal.types("run guests --for 1m --quiet").ok();
    terminal.types("see /parlour/ada-lore/on-glue").fails(0).says(&["Ada boils it from bones.", "glue, paste, bone"]);
    terminal.types("see /parlour/ada-lore/on-glue-2").fails(0).says(&["It smells."]);
    terminal.types("see @ben-böhm --json").fails(0).says(&["\"cognition\":\"llm\""]);
}

#[test]
fn a_character_is_told_who_it_is_to_whom_it_speaks_and_where_its_lore_lies() {
    let terminal = Terminal::new();
    put(&terminal, "ada.json", ada().to_string());
    terminal.types("source from ada.json --as cards").ok();
    let source = reelm::source::Source::read(&terminal.path("ada")).unwrap();
    let mut small = Small::grow(&source, 1, 1);
    small.operate("@operator", "move", super::kit::args(r#"{"to":"/parlour"}"#));
    let script =
        Script::of(vec![super::mind::tool("do", json!({ "target": "/parlour", "action": "say", "args": { "content": "Good evening." } }))]);
    let (system, user) = told(&mut small, &script, "Is it bone glue?").pop().unwrap();
    assert!(system.contains("Ada binds books in a cellar. operator may sit down."), "{system}");
    assert!(block(&system, "shelf(/parlour/ada-lore)").contains("- on-glue: glue, paste, bone"), "{system}");
    assert!(system.contains("The cellar is dry.") && !system.contains("Nobody knows.") && user.contains("bone glue"), "{system}");
    assert!(small.reel("ada").iter().any(|frame| super::kit::code(frame) == "act"));
}

#[test]
fn a_character_whose_model_answers_in_words_alone_holds_a_conversation() {
    let terminal = Terminal::new();
    put(&terminal, "ada.json", ada().to_string());
    terminal.types("source from ada.json --as cards").ok();
    let mut small = Small::grow(&reelm::source::Source::read(&terminal.path("ada")).unwrap(), 1, 1);
    small.operate("@operator", "move", super::kit::args(r#"{"to":"/parlour"}"#));
    let lines =
        [("Is it bone glue?", "It is, and it smells."), ("May I sit down?", "*nods* Do."), ("What did I ask first?", "About glue.")];
    // She hears that somebody has come before anything is asked.
    small.living().asking(Box::new(Script::default()));
    small.run("1m");
    let script = Script::of(lines.iter().map(|(_, answer)| json!({ "content": answer })).collect());
    small.living().asking(Box::new(script.clone()));
    for (n, (question, answer)) in lines.iter().enumerate() {
        let asked = small.act("operator", Call::summon("@ada", super::kit::args(&json!({ "content": question }).to_string())));
        small.run("1m");
        let answers = back(&small.reel("ada"), Made { seq: asked.seq, index: 0 });
        assert_eq!(
            answers.iter().map(|summons| &summons.content).collect::<Vec<_>>(),
            [&super::kit::args(&json!(answer).to_string()).into()]
        );
        // Each line is one paid call, and she is told all that was said before.
        let prompts = script.prompts();
        assert_eq!(prompts.len(), n + 1);
        let (system, user) = prompts.last().unwrap();
        assert!(lines[..n].iter().all(|(before, said)| system.contains(before) && system.contains(said)), "{system}");
        assert!(user.contains(question), "{user}");
    }
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_is_no_card_is_named_with_what_is_expected_and_nothing_is_written() {
    let terminal = Terminal::new();
    let card = in_base64(&called("Ada"));
    let whole = picture(&[("chara", &card)]);
    let mut damaged = whole.clone();
    damaged[60] ^= 1;
    let zipped = [&whole[..33], &chunk("zTXt", b"chara\0\0x"), &whole[33 + 12 + 6 + card.len()..]].concat();
    let data = |data: Json| json!({ "spec": "chara_card_v2", "data": data }).to_string().into_bytes();
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("text", b"Ada is a binder of books.".to_vec(), "expected a character card as JSON or in a PNG, found neither"),
        ("gif", b"GIF89a{".to_vec(), "found neither"),
        ("empty", Vec::new(), "found neither"),
        ("list", b"[1]".to_vec(), "found neither"),
        ("torn", b"{\"spec\": ".to_vec(), "line 1: expected JSON, found EOF"),
        (
            "other",
            b"{\"name\": \"Ada\"}".to_vec(),
            "/spec: expected `chara_card_v2` or `chara_card_v3`, with the card under `data`, found none; save the card as version 2",
        ),
        ("later", b"{\"spec\": \"chara_card_v9\", \"data\": {}}".to_vec(), "found `chara_card_v9`"),
        ("bare-data", b"{\"spec\": \"chara_card_v2\", \"data\": 3}".to_vec(), "found `chara_card_v2` without `data`"),
        ("number", data(json!({ "name": 3 })), "/data/name: expected text, found a number"),
        (
            "greeting",
            data(json!({ "name": "A", "alternate_greetings": ["", 3] })),
            "/data/alternate_greetings/1: expected text, found a number",
        ),
        (
            "entry",
            data(json!({ "name": "A", "character_book": { "entries": [{ "keys": "glue" }] } })),
            "/data/character_book/entries/0/keys: expected a list, found text",
        ),
        ("bare", picture(&[]), "expected a picture with a card in a tEXt chunk `ccv3` or `chara`, found no text at all"),
        ("remark", picture(&[("Comment", b"hello")]), "found tEXt `Comment`"),
        ("zipped", zipped, "found zTXt `chara`"),
        ("cut", whole[..70].to_vec(), "the file is cut off"),
        ("endless", whole[..whole.len() - 12].to_vec(), "expected 4 more bytes of the picture"),
        ("long", [&whole[..33], &[0xff; 8]].concat(), "the file is cut off"),
        ("damaged", damaged, "the chunk `tEXt` at byte 33 does not fit its checksum"),
        ("no-base64", picture(&[("chara", b"!!!")]), "the chunk `chara`: expected a card in base64"),
        ("no-json", picture(&[("chara", b"aGVsbG8=")]), "found neither"),
        ("no-name", data(json!({})), "which has neither; give another by `--name`"),
        ("star", data(json!({ "name": "★" })), "found `★`, which has neither"),
        ("me", data(json!({ "name": "Me" })), "found `Me`, which means something else in every world"),
        ("arrival", data(json!({ "name": "Arrıval" })), "which is or looks like `arrival`, who is in every world"),
        ("wordy", data(json!({ "name": "A", "description": "x ".repeat(40_000) })), "expected at most 61440 bytes of words in all"),
    ];
    for (name, bytes, wanted) in cases {
        put(&terminal, name, bytes);
        terminal.types(&format!("source from {name} --as cards --to out")).fails(1).warns(&[&format!("`{name}`: "), wanted]);
        assert!(!terminal.path("out").exists(), "{name}");
    }
    std::fs::File::create(terminal.path("huge")).unwrap().set_len(50_000_000).unwrap();
    terminal.types("source from huge --as cards --to out").fails(1).warns(&["expected a card of at most 33554432 bytes, found 50000000"]);
    terminal.types("source from gone --as cards --to out").fails(1).warns(&["cannot read `gone`"]);
    put(&terminal, "ada", called("Ada").to_string());
    put(&terminal, "ada2", called("Аdа").to_string());
    terminal.types("source from ada ada2 --as cards --to out").fails(1).warns(&["is or looks like `ada`, which `ada` is called"]);
    terminal.types("source from ada ada2 --as cards --to out --name Ada --name eve --name x").fails(1).warns(&["found 3 for 2"]);
    terminal.types("source from ada ada2 --as cards --to out --name ada --name eve").fails(0).says(&["@ada, @eve"]);
    terminal.types("source from ada --as cards --to out").fails(1).warns(&["`out` is there already"]);
    terminal.types("source from ada --as cards").fails(1).warns(&["`ada` is there already; choose another directory with --to"]);
    terminal.types("check out --strict").ok();
}

#[test]
fn a_long_card_brings_the_setting_that_its_words_need() {
    let terminal = Terminal::new();
    let long = json!({ "spec": "chara_card_v2", "data": { "name": "Person", "description": "{{char}} talks. ".repeat(800) } });
    put(&terminal, "person.json", long.to_string());
    terminal.types("source from person.json --as cards").ok();
    assert!(terminal.read("person/world.toml").contains("\"tokens.words\" = 2900"), "{}", terminal.read("person/world.toml"));
    // Every world has a role `person`, which stays what it is.
    assert!(terminal.path("person/roles/person-2.md").exists());
    terminal.types("check person --strict").ok();
}
