//! Printed: is a key that somebody typed into a file or a command told by any error, warning or log, or kept in history?

use serde_json::json;

use super::kit;
use super::terminal::{Said, Terminal};

/// Two keys that nobody may read again: one is known by its form, one by its name alone.
const SECRETS: [&str; 2] = ["sk-proj-0123456789abcdefABCDEF", "correct-horse-7"];

/// Lines of a world's `[config]` into which somebody typed a key in the place of its name, or nearly.
const CONFIG: [&str; 20] = [
    r#""llm.small" = { base_url = "http://127.0.0.1:9/v1", model = "m", key = "SECRET" }"#,
    r#""llm.small" = { base_url = "http://127.0.0.1:9/v1", model = "m", key = 'SECRET' }"#,
    r#""llm.small" = { base_url = "http://127.0.0.1:9/v1", model = "m", key = "SECRET", temperature = 1 }"#,
    r#""llm.small" = { base_url = "http://127.0.0.1:9/v1", model = "m", api_key = "SECRET" }"#,
    r#""llm.small" = { base_url = "http://127.0.0.1:9/v1", model = "m", apiKey = "SECRET" }"#,
    r#""llm.small" = { base_url = "http://127.0.0.1:9/v1", model = "m", token = "SECRET" }"#,
    r#""llm.small" = { base_url = "http://127.0.0.1:9/v1", model = "m", password = "SECRET" }"#,
    r#""llm.small" = { base_url = "http://127.0.0.1:9/v1", model = "m", secret = "SECRET" }"#,
    r#""llm.small" = { base_url = "http://127.0.0.1:9/v1", model = "m", headers = { Authorization = "Bearer SECRET" } }"#,
    r#""llm.small" = { base_url = "http://ada:SECRET@127.0.0.1:9/v1", model = "m" }"#,
    r#""llm.small" = { base_url = "http://127.0.0.1:9/v1", model = 7, key = "SECRET" }"#,
    r#""llm.small" = { base_url = 7, model = "m", key = "SECRET" }"#,
    r#""llm.small" = { base_url = "http://127.0.0.1:9/v1", model = "m", key = ["SECRET"] }"#,
    r#""llm.small" = { base_url = "http://127.0.0.1:9/v1", model = "m", key = "SECRET }"#,
    r#""llm.small" = { base_url = "http://127.0.0.1:9/v1", model = "m" key = "SECRET" }"#,
    r#""llm.small.key" = "SECRET""#,
    r#""llm.key" = "SECRET""#,
    r#"OPENAI_API_KEY = "SECRET""#,
    r#"api_key = "SECRET""#,
    r#""llm.small" = { key = "SECRET" }"#,
];

/// The commands that read a source, each as it is typed.
const READING: [&str; 11] = [
    "check w",
    "check w --json",
    "check w --strict",
    "run w --moments 0 --data other",
    "apply w",
    "test w",
    "measure w",
    "replay --with w",
    "usage --estimate w",
    "sweep sweep.json --out swept",
    "fork forked --change w",
];

/// Whether what was said keeps a secret, and what it was said about tells of it at all.
fn keeps(said: &Said, secret: &str, of: &str) {
    assert!(!said.out.contains(secret) && !said.err.contains(secret), "{of}\n{}{}", said.out, said.err);
    assert!(!said.err.contains("panicked"), "{of}\n{}", said.err);
}

/// Whether no file of a folder holds a secret, but for those into which it was typed.
fn is_nowhere(terminal: &Terminal, folder: &str, secret: &str) {
    let found = terminal.shell(&format!("grep -rl -e '{secret}' {folder} 2>/dev/null"));
    assert_eq!(found.out, "", "the secret is kept");
}

/// Each secret in each line.
fn inputs() -> impl Iterator<Item = (&'static str, &'static str)> {
    CONFIG.iter().flat_map(|line| SECRETS.iter().map(move |secret| (*secret, *line)))
}

fn source(terminal: &Terminal, config: &str) {
    terminal.write("w/world.toml", &format!("name = \"w\"\nseed = 1\nstart = \"2026-03-02T08:00:00\"\n[config]\n{config}\n"));
}

#[test]
fn no_command_that_reads_a_source_tells_the_key_that_was_typed_into_it() {
    let (mut tried, mut refused) = (0, 0);
    for (secret, line) in inputs().step_by(kit::size(13, 1)) {
        tried += 1;
        let terminal = Terminal::new();
        source(&terminal, "");
        terminal.types("run w --moments 0 --quiet").ok();
        source(&terminal, &line.replace("SECRET", secret));
        terminal.write("sweep.json", r#"{"source": "w", "arms": [{"name": "as-is"}], "for": "1s"}"#);
        for command in READING {
            keeps(&terminal.types(command), secret, &format!("{command}: {line}"));
        }
        let checked = terminal.types("check w");
        if checked.code == 1 {
            refused += 1;
            keeps(&terminal.types("serve w --data served --port 0"), secret, line);
            is_nowhere(&terminal, "world other served swept forked", secret);
        }
    }
    assert!(refused * 2 > tried, "{refused} of {tried} inputs are refused");
}

#[test]
fn a_setting_that_cannot_be_set_is_told_by_its_own_line() {
    let terminal = Terminal::new();
    source(&terminal, "\"brakes.depth\" = 4\n\"llm.small\" = { base_url = 7, model = \"m\" }");
    terminal.types("check w").fails(1).warns(&["w/world.toml:6:28: cannot set llm.small"]);
}

#[test]
fn what_is_set_by_an_act_is_neither_told_nor_kept_where_it_holds_a_key() {
    for secret in SECRETS {
        let terminal = Terminal::with_world("court", 0);
        let connection = |value: serde_json::Value| json!({ "key": "llm.small", "value": value });
        let acts = [
            connection(json!({ "base_url": "http://127.0.0.1:9/v1", "model": "m", "key": secret })),
            connection(json!({ "base_url": format!("http://ada:{secret}@127.0.0.1:9/v1"), "model": "m" })),
            json!({ "key": "llm.small.key", "value": secret }),
        ];
        for args in acts {
            let said = terminal.types(&format!("do / config.set '{args}'")).fails(1);
            keeps(&said, secret, &args.to_string());
            assert!(said.err.contains("key = \"env:NAME\""), "{}", said.err);
            keeps(&terminal.types(&format!("do / config.set '{args}' --json")), secret, &args.to_string());
        }
        is_nowhere(&terminal, "world", secret);
    }
}

#[test]
fn tables_cards_experiments_and_instruments_tell_no_key_either() {
    for secret in SECRETS {
        let terminal = Terminal::with_world("court", 0);
        source(&terminal, "[[population]]\nof = \"p.csv\"\nname = \"{name}\"\nrole = \"free\"\nquality.t.key = \"{key}\"");
        terminal.write("w/p.csv", &format!("name,key,password\nada,{secret},{secret},{secret}\n"));
        terminal
            .write("card.json", &json!({ "spec": "chara_card_v2", "api_key": secret, "data": { "name": 7, "token": secret } }).to_string());
        let experiment =
            json!({ "source": "w", "arms": [{ "name": "a", "change": [format!("setting:llm.small.key={secret}")] }], "key": secret });
        terminal.write("experiment.json", &experiment.to_string());
        terminal.write("mood.json", &json!({ "api_key": secret, "ask": [{ "key": secret }] }).to_string());
        for command in [
            "check w",
            "run w --moments 0 --data other",
            "source card card.json",
            "sweep experiment.json --out out",
            "survey mood.json --out mood.csv",
            &format!("fork f --change setting:llm.small.key={secret}"),
            &format!("fork f --change 'setting:llm.small={{\"key\":\"{secret}\"}}'"),
        ] {
            let said = terminal.types(command);
            assert_ne!(said.code, 0, "{command}: {}", said.out);
            keeps(&said, secret, command);
        }
    }
}
