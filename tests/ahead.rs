//! Ahead: are models asked while others are waited for, is nobody's world another for it, and is nothing that was paid for forgotten?

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use reelm::cognition::Reply;
use reelm::fact::{Code, Content, Draft, Thought, Value};
use reelm::minds::{Cassette, Minds, Recorder, Tape};
use reelm::run::Living;
use serde_json::json;

use super::faulty::{Does, Faulty};
use super::kit::{Small, args};
use super::mind::{body, tool};
use super::terminal::Terminal;

/// A world of models that wake each minute, each in its room, so many seconds after the minute.
fn world(server: &Faulty, more: &str, minds: &[(&str, &str, u32)]) -> String {
    let rooms: std::collections::BTreeSet<&str> = minds.iter().map(|(_, room, _)| *room).collect();
    let rooms = rooms.iter().map(|room| format!("[[space]]\npath = \"/{room}\"\nallow = [\"say\"]\n"));
    let beings = minds.iter().map(|(name, room, second)| {
        format!(
            "[[being]]\nname = \"{name}\"\nhome = \"/{room}\"\nrole = \"free\"\ncognition = \"llm\"\n\
             [[being.schedule]]\nname = \"t\"\nevery = \"1m\"\noffset = \"{second}s\"\n"
        )
    });
    let connection = format!("\"llm.tiny\" = {{ base_url = \"{}\", model = \"tiny\", parallel = 8, timeout_ms = 20000 }}\n", server.url);
    format!("[config]\n\"llm.connection\" = \"tiny\"\n{connection}{more}{}{}", rooms.collect::<String>(), beings.collect::<String>())
}

fn planted(server: &Faulty, more: &str, minds: &[(&str, &str, u32)]) -> Small {
    let mut small = Small::plant(&world(server, more, minds));
    small.living().asking(ahead());
    small
}

/// The endpoints, asked a minute ahead.
fn ahead() -> Box<dyn Minds> {
    Living::endpoints(None, 60_000).unwrap()
}

fn answer(message: &serde_json::Value) -> Does {
    Does::Says(200, String::new(), body(message).replacen("\"total_tokens\":7", "\"prompt_tokens\":9,\"completion_tokens\":1", 1))
}

fn nothing() -> Does {
    answer(&json!({ "content": "Nothing to do." }))
}

fn says(room: &str) -> Does {
    answer(&tool("do", json!({ "target": format!("/{room}"), "action": "say", "args": { "content": "Hello." } })))
}

const EIGHT: [(&str, &str, u32); 8] = [
    ("ada", "a", 1),
    ("ben", "b", 3),
    ("cyd", "c", 5),
    ("dot", "d", 7),
    ("eve", "e", 9),
    ("fay", "f", 11),
    ("gus", "g", 13),
    ("hal", "h", 15),
];

/// A server that answers nobody before so many ask at one time.
fn together(many: usize) -> Faulty {
    let waiting = Arc::new((Mutex::new(0), Condvar::new()));
    Faulty::new(move |_| {
        let (count, all) = &*waiting;
        let mut count = count.lock().unwrap();
        *count += 1;
        all.notify_all();
        drop(all.wait_while(count, |count| *count % many != 0 && *count < many).unwrap());
        nothing()
    })
}

/// Which attempts of a moment were in vain, and what it has cost.
fn vain(draft: &Draft) -> (usize, u64) {
    let Thought::Model { reply: Content::Here(reply), .. } = &draft.thought else { panic!("{draft:?}") };
    let reply = Reply::from(Value::clone(reply));
    (reply.tried.iter().filter(|one| one.error == Some(Code::Ahead)).count(), draft.spent().unwrap().spend.calls)
}

#[test]
fn no_model_waits_for_another_that_it_cannot_affect() {
    let server = together(8);
    let mut small = planted(&server, "", &EIGHT);
    small.run("1m");
    assert_eq!(server.count(), 8, "one after the other they would wait for ever");
    for (name, _, _) in EIGHT {
        assert_eq!(small.reel(name).iter().map(vain).collect::<Vec<_>>(), [(0, 1)], "@{name}");
    }
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_world_whose_models_were_asked_ahead_is_the_one_whose_models_were_not() {
    let server = Faulty::new(|_| nothing());
    let file = tempfile::NamedTempFile::new().unwrap();
    let source = world(&server, "", &EIGHT);
    let (mut asked, mut played) = (Small::plant(&source), Small::plant(&source));
    asked.living().asking(Box::new(Recorder::new(ahead(), Tape::new(file.path()).unwrap())));
    asked.run("5m");
    played.living().asking(Box::new(Cassette::read(file.path()).unwrap()));
    played.run("5m");
    assert_eq!((asked.world().hash(), asked.head()), (played.world().hash(), played.head()));
    assert_eq!((asked.frames_of("ada").len(), server.count()), (10, 40));
}

#[test]
fn who_is_told_something_else_by_then_is_asked_again_and_both_are_booked() {
    let speaks = Arc::new(AtomicBool::new(true));
    let spoken = speaks.clone();
    let server =
        Faulty::reading(
            move |_, asked| {
                if asked.contains("You are @ada") && spoken.swap(false, Ordering::Relaxed) { says("a") } else { nothing() }
            },
        );
    let mut small = planted(&server, "", &[("ada", "a", 1), ("ben", "a", 3), ("cyd", "c", 5)]);
    // Ada spoke after Ben was asked: he was woken by what he heard, and then by the minute.
    small.run("1m");
    let vain_of_ben = |small: &Small| small.reel("ben").iter().map(vain).collect::<Vec<_>>();
    assert_eq!(vain_of_ben(&small), [(1, 2), (0, 1)]);
    assert_eq!((vain(&small.reel("cyd")[0]), server.count()), ((0, 1), 5));
    let spent = small.reel("ben")[0].spent().unwrap().spend;
    assert_eq!((spent.input, spent.output), (18, 2));
    // He is asked ahead no more as long as another model of his place comes before him.
    speaks.store(true, Ordering::Relaxed);
    small.run("1m");
    assert_eq!(vain_of_ben(&small)[2..], [(0, 1), (0, 1)]);
    // Where he came first it was of use, so he is asked ahead again, whoever comes before him.
    small.operate("@ada", "pause.set", args("{}"));
    small.run("2m");
    small.operate("@ada", "pause.end", args("{}"));
    speaks.store(true, Ordering::Relaxed);
    small.run("1m");
    assert!(vain_of_ben(&small)[6..].contains(&(1, 2)), "{:?}", vain_of_ben(&small));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_reply_to_another_request_is_not_used_though_the_wake_is_the_same() {
    let server = Faulty::new(|_| nothing());
    let sam = "[[being]]\nname = \"sam\"\nhome = \"/b\"\nrole = \"free\"\nscript = \"count\"\n\
               [[being.schedule]]\nname = \"t\"\nevery = \"1m\"\noffset = \"2s\"\n";
    let text = world(&server, "", &[("ada", "a", 1), ("ben", "b", 3)]);
    let mut small = Small::plant(&format!("{text}{sam}"));
    small.living().asking(ahead());
    small.operate("@sam", "pause.set", args("{}"));
    small.operate("@ada", "pause.set", args("{}"));
    small.run("1m");
    assert_eq!((server.count(), small.reel("ada").len()), (1, 0), "who is paused is not asked ahead either");
    small.operate("@ada", "pause.end", args("{}"));
    small.operate("@sam", "pause.end", args("{}"));
    small.run("1m");
    // Sam acted where Ben stands, between the asking and the moment.
    assert_eq!(vain(&small.reel("ben")[1]), (1, 2));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_is_asked_ahead_counts_for_every_budget_and_nobody_is_asked_beyond_the_end() {
    let server = Faulty::new(|_| nothing());
    let mut small = planted(&server, "\"llm.budget\" = { hour = { calls = 5 } }\n", &EIGHT);
    small.run("14s");
    assert_eq!(server.count(), 5, "each asked with room for one attempt at least");
    let spent: u64 =
        EIGHT.iter().flat_map(|(name, ..)| small.reel(name)).filter_map(|moment| moment.spent().map(|spent| spent.spend.calls)).sum();
    assert_eq!(spent, 5);
    let mut small = planted(&server, "", &EIGHT);
    small.run("6s");
    assert_eq!(server.count(), 5 + 3);
}

/// A world on disk of two models. The first answers of some of them never come.
fn on_disk(terminal: &Terminal, hang: &'static [&'static str]) -> Faulty {
    let hung = Mutex::new(Vec::new());
    let server = Faulty::reading(move |_, asked| {
        let mut hung = hung.lock().unwrap();
        let hangs = hang.iter().find(|name| !hung.contains(*name) && asked.contains(&format!("You are @{name}")));
        hung.extend(hangs);
        if hangs.is_some() { Does::Hangs } else { nothing() }
    });
    two(terminal, &server);
    server
}

/// Two models, of whom the second is due half a minute after the first.
fn two(terminal: &Terminal, server: &Faulty) {
    written(terminal, &world(server, "", &[("ada", "a", 1), ("ben", "b", 30)]));
}

fn written(terminal: &Terminal, text: &str) {
    terminal.write("two/world.toml", &format!("name = \"two\"\nseed = 1\nstart = \"2026-03-02T08:00:00\"\n{text}"));
    terminal.write("two/roles/free.md", "---\nname: free\ncanSee: ['**']\ncanDo: ['**']\n---\nYou live here.\n");
}

/// Kills a run once a condition over the directory of its world holds.
fn killed(terminal: &Terminal, line: &str, is_time: impl Fn(Option<&str>) -> bool) {
    let mut run = terminal.command(line).stdout(Stdio::null()).spawn().unwrap();
    let ahead = terminal.path("world/ahead");
    while !is_time(std::fs::read_to_string(&ahead).ok().as_deref()) {
        assert!(run.try_wait().unwrap().is_none(), "it ended before");
        std::thread::yield_now();
    }
    run.kill().unwrap();
    run.wait().unwrap();
}

fn tried(terminal: &Terminal, moment: &str) -> Vec<String> {
    let explained = terminal.types(&format!("explain {moment} --json")).json();
    let tried = explained["thought"]["reply"]["tried"].as_array().cloned().unwrap_or_default();
    tried.iter().map(|one| one["error"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_call_ahead_that_a_crash_cut_off_is_booked_in_the_next_frame_in_which_the_being_is_asked() {
    let terminal = Terminal::new();
    let server = on_disk(&terminal, &["ada", "ben"]);
    killed(&terminal, "run two --for 20m --quiet", |_| server.count() == 2);
    let kept = terminal.read("world/ahead");
    assert!(kept.contains("being = \"@ben\"") && !kept.contains("@ada") && !kept.contains("reply = "), "{kept}");
    terminal.types("run two --for 20m --quiet --ahead 0").ok();
    assert!(!terminal.path("world/ahead").exists());
    assert_eq!(tried(&terminal, "@ben/1"), ["ahead"]);
    assert_eq!(tried(&terminal, "@ben/3"), [""; 0]);
    let told = terminal.types("explain @ben/1").ok();
    assert!(told.contains("  tiny: ahead\n") && told.contains("of which the model counted 9\n"), "{told}");
    terminal.types("replay").ok();
}

#[test]
fn once_a_frame_holds_back_what_a_call_ahead_can_cost_no_file_does() {
    let terminal = Terminal::new();
    let server = on_disk(&terminal, &["ben"]);
    killed(&terminal, "run two --for 20m --quiet", |ahead| server.count() >= 2 && ahead.is_none_or(|ahead| !ahead.contains("@ben")));
    terminal.types("run two --for 20m --quiet").ok();
    terminal.types("log @ben").says(&["requeued (asking)", "failed (unanswered)"]);
    assert_eq!(tried(&terminal, "@ben/3"), [""; 0]);
    terminal.types("replay").ok();
}

#[test]
fn what_was_answered_ahead_is_kept_over_a_stop_and_asked_for_no_second_time() {
    let terminal = Terminal::new();
    let server = on_disk(&terminal, &[]);
    counting(&terminal);
    terminal.types("run two --moments 2 --quiet").ok();
    let kept = terminal.read("world/ahead");
    assert!(kept.contains("being = \"@ben\"") && kept.contains("reply = "), "{kept}");
    terminal.types("run two --moments 1 --quiet --ahead 0").ok();
    assert_eq!((server.count(), terminal.path("world/ahead").exists(), tried(&terminal, "@ben/1").len()), (2, false, 0));
    terminal.types("replay").ok();
}

/// Lets a script act between the two models of a world on disk.
fn counting(terminal: &Terminal) {
    let source = terminal.read("two/world.toml");
    terminal.write("two/scripts/count.rhai", "fn think(face) { act(\"/c\", \"quality.inc\", #{ path: \"t.n\" }) }");
    let sam = "[[being]]\nname = \"sam\"\nhome = \"/c\"\nrole = \"free\"\nscript = \"count\"\n\
               [[being.schedule]]\nname = \"t\"\nevery = \"1m\"\noffset = \"10s\"\n";
    terminal.write("two/world.toml", &format!("{source}[[space]]\npath = \"/c\"\n{sam}"));
}

#[test]
fn nobody_is_asked_ahead_of_a_moment_that_a_run_may_not_come_to() {
    let terminal = Terminal::new();
    let server = on_disk(&terminal, &[]);
    counting(&terminal);
    terminal.types("run two --moments 1 --quiet").ok();
    assert_eq!((server.count(), terminal.path("world/ahead").exists()), (1, false));
}

#[test]
fn a_run_that_may_not_have_the_world_leaves_what_another_asks_ahead_alone() {
    let terminal = Terminal::new();
    let server = on_disk(&terminal, &["ada", "ben"]);
    let mut run = terminal.command("run two --for 20m --quiet").stdout(Stdio::null()).spawn().unwrap();
    while server.count() < 2 {
        assert!(run.try_wait().unwrap().is_none(), "it ended before");
        std::thread::yield_now();
    }
    let kept = terminal.read("world/ahead");
    let refused = terminal.types("run two --for 20m --quiet");
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(refused.fails(1).err.contains("is in use by process"));
    assert_eq!(terminal.read("world/ahead"), kept);
}

#[test]
fn a_run_that_ends_waits_for_what_it_asks_ahead_and_keeps_the_answer() {
    let terminal = Terminal::new();
    let gate = Arc::new((Mutex::new(false), Condvar::new()));
    let opens = gate.clone();
    let server = Faulty::reading(move |_, asked| {
        if asked.contains("You are @ben") {
            let (is_open, opened) = &*opens;
            drop(opened.wait_while(is_open.lock().unwrap(), |is_open| !*is_open).unwrap());
        }
        nothing()
    });
    two(&terminal, &server);
    counting(&terminal);
    let mut run = terminal.command("run two --moments 2 --quiet").stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let said = BufReader::new(run.stderr.take().unwrap()).lines().map_while(Result::ok);
    let is_waiting = said.into_iter().any(|line| line.contains("models are still answering"));
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    run.wait().unwrap();
    assert!(is_waiting, "it ended before");
    let kept = terminal.read("world/ahead");
    assert!(kept.contains("reply = "), "{kept}");
}

#[test]
fn whoever_answered_an_outage_ahead_of_the_moment_is_asked_again_when_it_comes() {
    let terminal = Terminal::new();
    let is_out = Arc::new(AtomicBool::new(true));
    let out = is_out.clone();
    let server = Faulty::reading(move |_, asked| {
        if out.load(Ordering::Relaxed) && asked.contains("You are @ben") {
            Does::Says(503, String::new(), "{}".to_owned())
        } else {
            nothing()
        }
    });
    two(&terminal, &server);
    counting(&terminal);
    terminal.types("run two --moments 2 --quiet --grace 0s").ok();
    is_out.store(false, Ordering::Relaxed);
    terminal.types("run two --moments 1 --quiet --ahead 0").ok();
    terminal.types("log @ben").says(&["requeued (asking)", "see (schedule)"]);
    assert_eq!(tried(&terminal, "@ben/1"), ["", "reply-given-up"]);
    terminal.types("replay").ok();
}

#[test]
fn a_call_that_never_left_costs_nothing_and_nothing_of_it_is_kept() {
    let terminal = Terminal::new();
    let server = Faulty::new(|_| Does::Hangs);
    let both = [("ada", "a", 1), ("ben", "b", 30)];
    written(&terminal, &world(&server, "", &both).replace("parallel = 8", "parallel = 1"));
    let mut run = terminal.command("run two --for 20m --quiet --grace 0s").stdout(Stdio::null()).spawn().unwrap();
    let ahead = terminal.path("world/ahead");
    while server.count() == 0 || !std::fs::read_to_string(&ahead).is_ok_and(|kept| kept.contains("@ben")) {
        assert!(run.try_wait().unwrap().is_none(), "it ended before");
        std::thread::yield_now();
    }
    Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    run.wait().unwrap();
    assert_eq!((server.count(), std::fs::read_to_string(&ahead).ok()), (1, None));
}

#[test]
fn one_call_of_many_is_ahead_where_a_connection_takes_one_at_a_time() {
    let terminal = Terminal::new();
    let server = Faulty::new(|_| Does::Hangs);
    let five = [("ada", "a", 1), ("ben", "b", 3), ("cyd", "c", 5), ("dot", "d", 7), ("eve", "e", 9)];
    written(&terminal, &world(&server, "", &five).replace("parallel = 8", "parallel = 1"));
    killed(&terminal, "run two --for 20m --quiet", |ahead| ahead.is_some());
    assert_eq!(terminal.read("world/ahead").matches("[[call]]").count(), 1);
}

#[test]
fn a_span_that_is_none_a_file_that_is_not_whole_and_models_that_never_share_a_round_are_named() {
    let terminal = Terminal::new();
    on_disk(&terminal, &[]);
    let refused = terminal.types("run two --ahead soon").fails(2);
    assert!(
        refused.err.contains("--ahead") && refused.err.contains("expected a duration such as 30s, or 0, found `soon`"),
        "{}",
        refused.err
    );
    terminal.types("run two --moments 1 --quiet").ok();
    terminal.write("world/ahead", "[[call]]\n");
    let refused = terminal.types("run two --moments 1").fails(3);
    assert!(refused.err.contains("world/ahead") && refused.err.contains("booked nowhere"), "{}", refused.err);
    let checked = terminal.types("check two").ok();
    assert!(checked.contains("2 models wake, and no two at one instant") && checked.contains("`thinks`"), "{checked}");
}
