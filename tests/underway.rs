//! Under way: what becomes of a fork where its parent was killed while it asked a model?

use std::process::Stdio;

use reelm::fact::Seq;
use reelm::past::History;

use super::faulty::{Does, Faulty, good};
use super::fork::{drafts, replays};
use super::outage::until_asked;
use super::terminal::Terminal;

/// Mia thinks by a model each five minutes, and Ben by a script each minute.
const HALL: &str = r#"
name = "hall"
[config]
"llm.connection" = "tiny"
"llm.tiny" = { base_url = "URL", model = "tiny", timeout_ms = 600000 }
[[space]]
path = "/hall"
[[being]]
name = "mia"
home = "/hall"
role = "guest"
cognition = "llm"
schedule = [{ name = "turn", every = "5m" }]
[[being]]
name = "ben"
home = "/hall"
role = "guest"
script = "says"
schedule = [{ name = "turn", every = "1m" }]
"#;

/// The hall, killed while Mia was being asked for the third time; the frame in which she asks is its last.
fn killed() -> (Terminal, Faulty, Seq) {
    let server = Faulty::new(|nth| if nth == 2 { Does::Hangs } else { good() });
    let terminal = Terminal::new();
    terminal.write("hall/world.toml", &HALL.replace("URL", &server.url));
    terminal.write("hall/roles/guest.md", "---\nname: guest\ncanSee: ['**']\ncanDo: ['**']\ncanSummon: ['**']\n---\nYou are kind.\n");
    terminal.write("hall/scripts/says.rhai", "fn think(face) { act(\"/hall\", \"say\", #{ content: \"Tick.\" }) }\n");
    let mut run = terminal.command("run hall --for 1h --quiet --ahead 0").stdout(Stdio::null()).spawn().unwrap();
    until_asked(&server, 3);
    run.kill().unwrap();
    run.wait().unwrap();
    let end = History::of(&terminal.path("world")).unwrap().end();
    assert_eq!(held(&terminal, "world", end), 1, "what her call can cost is held back");
    (terminal, server, end)
}

/// For how many calls a world holds something back at a point.
fn held(terminal: &Terminal, data: &str, at: Seq) -> usize {
    History::of(&terminal.path(data)).unwrap().world_at(at).unwrap().ledger().held_in_all().0
}

fn hash(terminal: &Terminal, data: &str) -> String {
    terminal.types(&format!("verify --data {data} --json")).json()["worldHash"].as_str().unwrap().to_owned()
}

/// Lives on in a fork: its model is asked anew, and no attempt is lost.
fn goes_on(terminal: &Terminal, server: &Faulty, fork: &str, at: Seq) {
    let asked = server.count();
    terminal.types(&format!("run --data {fork} --for 6m --budget calls=9 --quiet")).ok();
    assert!(server.count() > asked, "{fork}");
    let own = drafts(&terminal.path(fork)).split_off(at as usize);
    assert!(own.iter().all(|draft| draft.closing.word() != "failed" && draft.attempt == 1), "{fork}");
    replays(terminal, fork);
}

#[test]
fn a_checkpoint_at_the_point_that_holds_a_call_is_not_the_forks() {
    let (terminal, server, end) = killed();
    let rungs = |data: &str| History::of(&terminal.path(data)).unwrap().checkpoints();
    terminal.types(&format!("fork plain --at {end} --name f")).ok();
    // A run that lets nobody move writes a checkpoint, in which the call is still held.
    terminal.types("run --moments 0 --quiet").ok();
    assert_eq!((rungs("world"), held(&terminal, "world", end)), (vec![end], 1));
    terminal.types(&format!("fork shared --at {end} --name f")).ok();
    assert_eq!((rungs("shared"), held(&terminal, "shared", end)), (vec![], 0), "its call is released, and no checkpoint says otherwise");
    assert_eq!(hash(&terminal, "shared"), hash(&terminal, "plain"));
    // Behind the point it serves as well as any other.
    terminal.types("run --for 2m --quiet --ahead 0").ok();
    terminal.types(&format!("fork later --at {}", end + 2)).ok();
    assert_eq!((rungs("later"), held(&terminal, "later", end + 2)), (vec![end], 0));
    replays(&terminal, "later");
    ["plain", "shared"].into_iter().for_each(|fork| goes_on(&terminal, &server, fork, end));
}

#[test]
fn no_fork_begins_where_an_archive_ends_with_a_call_under_way() {
    let (terminal, server, end) = killed();
    terminal.types("backup twin").ok();
    let archived = terminal.types("archive old --before now --json").json();
    assert_eq!((archived["to"].as_u64(), held(&terminal, "world", end)), (Some(end), 1));
    let refused = |data: &str| {
        let first = end + 1;
        let said = [format!("expected a point at or behind frame {first}, found {end}"), "what was archived cannot be gone on from".into()];
        terminal.types(&format!("fork none --data {data} --at {end}")).fails(1).warns(&said.each_ref().map(String::as_str));
        assert!(!terminal.path("none").exists());
    };
    refused("world");
    // Also once it has gone on; from the next frame on a fork begins.
    terminal.types("run --for 2m --quiet --ahead 0").ok();
    refused("world");
    terminal.types(&format!("fork next --at {}", end + 1)).ok();
    terminal.types("verify --data next").ok();
    terminal.types("run --data next --for 2m --quiet").ok();
    replays(&terminal, "next");
    // Where the archive was brought back, a fork begins there as in a world that never archived.
    terminal.types("import old").ok();
    for (fork, data) in [("back", "world"), ("never", "twin")] {
        terminal.types(&format!("fork {fork} --data {data} --at {end} --name f")).ok();
        assert_eq!(held(&terminal, fork, end), 0);
    }
    assert_eq!(hash(&terminal, "back"), hash(&terminal, "never"));
    goes_on(&terminal, &server, "back", end);
}
