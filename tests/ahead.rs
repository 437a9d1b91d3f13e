//! Ahead: are models asked while others are waited for, is nobody's world another for it, and is nothing that was paid for forgotten?

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use reelm::cognition::Reply;
use reelm::fact::{Code, Content, Draft, Spend, Thought, Value};
use reelm::minds::{AheadTerms, Cassette, Minds, Recorder, Tape};
use reelm::run::Living;
use reelm::store::AheadFile;
use serde_json::json;

use super::faulty::{Does, Faulty};
use super::kit::{self, Small, args};
use super::mind::{body, tool};
use super::outage::until_asked;
use super::served::Served;
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

/// The endpoints, asked ahead of their moments.
fn ahead() -> Box<dyn Minds> {
    Living::endpoints(None, AheadTerms::default()).unwrap()
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

/// The number of failed attempts of a moment, and its cost.
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

/// Summons somebody.
fn summons(whom: &str) -> Does {
    answer(&tool("summon", json!({ "target": whom, "content": "Hello." })))
}

/// A server by which the first model summons the second, once: when the second has been asked already.
fn summoning_once() -> Faulty {
    let (speaks, his) = (AtomicBool::new(true), (Mutex::new(false), Condvar::new()));
    Faulty::reading(move |_, asked| {
        if asked.contains("You are @ben") {
            *his.0.lock().unwrap() = true;
            his.1.notify_all();
        }
        let is_hers = asked.contains("You are @ada");
        if !is_hers || !speaks.swap(false, Ordering::Relaxed) {
            return nothing();
        }
        let asked = his.1.wait_timeout_while(his.0.lock().unwrap(), Duration::from_secs(20), |is_asked| !*is_asked).unwrap();
        assert!(!asked.1.timed_out(), "nobody asked Ben ahead");
        summons("@ben")
    })
}

#[test]
fn a_run_says_what_it_asked_ahead_in_vain() {
    let terminal = Terminal::new();
    let server = summoning_once();
    two(&terminal, &server);
    terminal.types("run two --for 1m --quiet").says(&["\nasked ahead: ", " calls, 1 of them in vain (at most 10 tokens)\n"]);
    let ran = terminal.types("run --for 1m --quiet --json").json();
    assert_eq!((&ran["ahead"]["inVain"], &ran["ahead"]["vain"]["calls"]), (&json!(0), &json!(0)), "{ran}");
}

#[test]
fn usage_says_what_calls_ahead_in_vain_have_cost_and_counts_them_in_all() {
    let terminal = Terminal::new();
    let server = summoning_once();
    let prices = "\"llm.prices\" = { tiny = { input = 1.0, output = 2.0 } }\n";
    written(&terminal, &world(&server, prices, &[("ada", "a", 1), ("ben", "b", 30)]));
    let ran = terminal.types("run two --for 1m --quiet --json").json();
    let (asked, vain) = (server.count(), json!({ "calls": 1, "input": 9, "output": 1, "money": 11 }));
    assert_eq!(ran["ahead"]["vain"], vain, "{ran}");
    let is_told = |used: &serde_json::Value| {
        let sums = [&used["total"], &used["beings"]["@ben"], &used["spaces"]["/b"], &used["models"]["tiny"], &used["days"]["2026-03-02"]];
        sums.iter().for_each(|sum| assert_eq!(sum["vain"], vain, "{used}"));
        assert_eq!((&used["total"]["calls"], &used["beings"]["@ada"]["vain"]["calls"]), (&json!(asked), &json!(0)), "{used}");
        assert_eq!(used["total"]["money"], json!(11 * asked), "{used}");
    };
    is_told(&terminal.types("usage --json").json());
    let in_vain = format!("\n{:<28}{:>9}{:>9}{:>12}{:>12}{:>14}\n", "  in vain, at most", "", 1, 9, 1, "0.000011");
    terminal.types("usage").says(&[&in_vain, "no use to it"]);
    // The page reads it from the world, and the line of the moment has it too.
    let costs: Vec<_> =
        terminal.types("log @ben --json").json_lines().into_iter().map(|line| line["report"]["cost"]["vain"].clone()).collect();
    assert_eq!(costs.iter().filter(|cost| !cost.is_null()).collect::<Vec<_>>(), [&vain], "{costs:?}");
    terminal.types("replay").ok();
    let served = Served::begin(terminal, "serve --port 0 --paused --json");
    is_told(&served.get(&served.operator(), "/api/cost").ok());
    served.stop();
}

#[test]
fn a_call_ahead_that_was_given_up_counts_as_the_most_that_it_could_cost_and_in_vain() {
    let is_asked = Arc::new((Mutex::new(false), Condvar::new()));
    let speaks = AtomicBool::new(true);
    // Ben's first request gets no answer. Ada's answer speaks to him meanwhile, so it is given up.
    let server = Faulty::reading(move |_, asked| {
        let (is_ben_asked, knock) = &*is_asked;
        if asked.contains("You are @ben") {
            let is_first = !std::mem::replace(&mut *is_ben_asked.lock().unwrap(), true);
            knock.notify_all();
            std::thread::sleep(std::time::Duration::from_millis(150));
            return if is_first { Does::Hangs } else { nothing() };
        }
        drop(knock.wait_while(is_ben_asked.lock().unwrap(), |is_asked| !*is_asked).unwrap());
        if speaks.swap(false, Ordering::Relaxed) { summons("@ben") } else { nothing() }
    });
    let mut small = planted(&server, "", &[("ada", "a", 1), ("ben", "b", 3)]);
    small.run("3m");
    let frames = small.frames_of("ben");
    let vain: Vec<_> = frames.iter().filter_map(|draft| draft.spent()).filter(|spent| spent.vain.output > 1).collect();
    let most = frames.iter().filter_map(Draft::reserved).map(|most| most.input).max().unwrap();
    assert!(vain.len() == 1 && vain[0].vain.calls == 1 && vain[0].spend.calls == 2, "{vain:?}");
    assert!((most / 4..=most / 3).contains(&vain[0].vain.input), "{most}: {vain:?}");
    let all =
        frames.iter().chain(&small.frames_of("ada")).filter_map(|draft| Some(draft.spent()?.vain)).fold(Spend::default(), Spend::plus);
    let paid = small.world().paid().total();
    assert_eq!((paid.vain, paid.spend.calls), (all, server.count() as u64));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn who_is_told_something_else_by_then_is_asked_again_at_once_and_both_are_booked() {
    let server = summoning_once();
    let mut small = planted(&server, "", &[("ada", "a", 1), ("ben", "b", 3), ("cyd", "c", 5)]);
    // Ada spoke to Ben after he was asked, from another place: he was woken by that, and then by the minute.
    let ran = small.run("1m");
    assert_eq!(ran.ahead.in_vain, 1, "{:?}", ran.ahead);
    let vain_of = |small: &Small, name: &str| small.reel(name).iter().map(vain).collect::<Vec<_>>();
    assert_eq!(vain_of(&small, "ben"), [(1, 2), (0, 1)]);
    // His answer woke her again.
    assert_eq!((vain_of(&small, "cyd"), vain_of(&small, "ada"), server.count()), (vec![(0, 1)], vec![(0, 1), (0, 1)], 6));
    let spent = small.reel("ben")[0].spent().unwrap().spend;
    assert_eq!((spent.input, spent.output), (18, 2));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn who_comes_behind_another_of_the_same_place_is_asked_once_that_one_has_answered_on_a_world_that_heard_it() {
    let server = Faulty::reading(|_, asked| if asked.contains("You are @ada") { says("a") } else { nothing() });
    let mut small = Small::plant(&world(&server, "", &[("ada", "a", 1), ("ben", "a", 3), ("cyd", "a", 5)]));
    let careful = AheadTerms { waste: 0.0, ..AheadTerms::default() };
    small.living().asking(Living::endpoints(None, careful).unwrap());
    small.run("5m");
    let all: Vec<_> = ["ada", "ben", "cyd"].into_iter().flat_map(|name| small.reel(name)).map(|draft| vain(&draft)).collect();
    assert!(all.iter().all(|of| *of == (0, 1)), "{all:?}");
    assert_eq!((all.len(), server.count()), (all.len(), all.len()));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn what_a_script_does_before_a_moment_is_in_what_its_model_is_asked_ahead() {
    let server = Faulty::new(|_| nothing());
    let sam = "[[being]]\nname = \"sam\"\nhome = \"/b\"\nrole = \"free\"\nscript = \"count\"\n\
               [[being.schedule]]\nname = \"t\"\nevery = \"1m\"\noffset = \"2s\"\n";
    let text = world(&server, "", &[("ada", "a", 1), ("ben", "b", 3)]);
    let mut small = Small::plant(&format!("{text}{sam}"));
    small.living().asking(ahead());
    small.operate("@ada", "pause.set", args("{}"));
    small.run("1m");
    assert_eq!((server.count(), small.reel("ada").len()), (1, 0), "who is paused is not asked ahead either");
    small.operate("@ada", "pause.end", args("{}"));
    small.run("1m");
    // Sam acted where Ben stands, between the asking and the moment.
    assert_eq!(vain(&small.reel("ben")[1]), (0, 1));
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
    terminal.write("two/roles/free.md", "---\nname: free\ncanSee: ['**']\ncanDo: ['**']\ncanSummon: ['@*']\n---\nYou live here.\n");
}

/// Kills a run once a condition over the directory of its world holds.
fn killed(terminal: &Terminal, line: &str, is_time: impl Fn(Option<&str>) -> bool) {
    let mut run = terminal.command(line).stdout(Stdio::null()).spawn().unwrap();
    let ahead = terminal.path("world/ahead");
    kit::until("what is asked ahead is as it should be when the run is killed", || {
        assert!(run.try_wait().unwrap().is_none(), "it ended before");
        is_time(std::fs::read_to_string(&ahead).ok().as_deref())
    });
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
    assert!(kept.contains("\"being\":\"@ben\"") && !kept.contains("@ada") && !kept.contains("\"reply\""), "{kept}");
    terminal.types("run two --for 20m --quiet --ahead 0").ok();
    assert!(!terminal.path("world/ahead").exists());
    assert_eq!(tried(&terminal, "@ben/1"), ["ahead"]);
    assert_eq!(tried(&terminal, "@ben/3"), [""; 0]);
    let told = terminal.types("explain @ben/1").ok();
    assert!(told.contains("  tiny: ahead\n") && told.contains("of which the model counted 9\n"), "{told}");
    terminal.types("replay").ok();
}

#[test]
fn a_world_that_waits_for_its_clock_asks_ahead_and_one_that_does_not_asks_in_time() {
    for (pace, is_ahead) in [("--pace 60", true), ("", false)] {
        let terminal = Terminal::new();
        let (file, kept) = (terminal.path("world/ahead"), Arc::new(Mutex::new(Vec::new())));
        let heard = kept.clone();
        let server = Faulty::new(move |_| {
            heard.lock().unwrap().push(std::fs::read_to_string(&file).unwrap_or_default());
            nothing()
        });
        written(&terminal, &world(&server, "", &[("ben", "b", 30)]));
        terminal.types(&format!("run two {pace} --for 40s --quiet")).ok();
        let kept = kept.lock().unwrap();
        assert!(kept.len() == 1 && kept[0].contains("\"being\":\"@ben\"") == is_ahead, "{pace}: {kept:?}");
        assert_eq!(tried(&terminal, "@ben/1"), [""; 0]);
        terminal.types("replay").ok();
    }
}

#[test]
fn in_real_time_a_model_is_asked_ahead_what_it_is_asked_at_its_moment() {
    let terminal = Terminal::new();
    let server = Faulty::new(|_| nothing());
    let minded = world(&server, "", &[("ben", "b", 30)]).replace("every = \"1m\"\noffset = \"30s\"", "every = \"2s\"");
    written(&terminal, &minded);
    let ran = terminal.types("run two --realtime --for 7s --quiet --json").json();
    assert_eq!(ran["ahead"]["inVain"], 0, "{ran}");
    assert!(ran["ahead"]["calls"].as_u64() >= Some(2), "{ran}");
    terminal.types("replay").ok();
}

#[test]
#[ignore = "long: four runs with models, each killed in the middle of its calls"]
fn a_call_that_a_frame_books_is_counted_once_whether_a_crash_left_that_frame_or_not() {
    for _ in 0..4 {
        let terminal = Terminal::new();
        let server = together(8);
        written(&terminal, &world(&server, "", &EIGHT));
        killed(&terminal, "run two --for 9m --quiet", |ahead| ahead.is_some_and(|ahead| ahead.contains("\"booked\":{")));
        // A crash leaves calls of which nobody knows whether the server saw them: each counts, and one of an open moment with all its attempts.
        let cut_off = AheadFile::of(&terminal.path("world")).unwrap().calls().filter(|call| call.reply.is_none()).count() as u64;
        terminal.types("run two --for 9m --quiet --ahead 0").ok();
        assert!(!terminal.path("world/ahead").exists());
        let used = terminal.types("usage --json").json();
        let [calls, moments, unanswered] = ["calls", "moments", "unanswered"].map(|key| used["total"][key].as_u64().unwrap());
        let seen = server.count() as u64;
        assert_eq!(moments, 72 + unanswered, "{used}");
        assert!((seen..=seen + cut_off + 2 * unanswered).contains(&calls), "{seen} calls, {cut_off} cut off: {used}");
        terminal.types("replay").ok();
    }
}

#[test]
fn once_a_frame_holds_back_what_a_call_ahead_can_cost_no_file_does() {
    let terminal = Terminal::new();
    let server = on_disk(&terminal, &["ben"]);
    killed(&terminal, "run two --for 20m --quiet", |ahead| {
        server.count() >= 2 && ahead.is_none_or(|ahead| ahead.contains("\"gone\":{\"being\":\"@ben\""))
    });
    terminal.types("run two --for 20m --quiet").ok();
    terminal.types("log @ben --raw").says(&["requeued (asking)", "failed (unanswered)"]);
    assert_eq!(tried(&terminal, "@ben/3"), [""; 0]);
    terminal.types("replay").ok();
}

/// A world on disk of two models. In its second moment the first does something else, and from then on maybe the second too.
fn in_the_second_minute(
    terminal: &Terminal,
    of_ada: impl Fn() -> Does + Send + Sync + 'static,
    of_ben: impl Fn() -> Does + Send + Sync + 'static,
) -> Faulty {
    let asked = [AtomicUsize::new(0), AtomicUsize::new(0)];
    let server = Faulty::reading(move |_, request| {
        let is_hers = request.contains("You are @ada");
        let is_first = asked[usize::from(is_hers)].fetch_add(1, Ordering::Relaxed) == 0;
        if is_first {
            nothing()
        } else if is_hers {
            of_ada()
        } else {
            of_ben()
        }
    });
    two(terminal, &server);
    server
}

/// Whether the second moment of the first model has come: she was asked ahead of it, and a frame holds that back now.
fn is_second_minute(kept: &str) -> bool {
    kept.contains("\"gone\":{\"being\":\"@ada\"")
}

/// Ends a run by a signal once a condition over the file of what was asked ahead holds.
fn interrupted(terminal: &Terminal, line: &str, is_time: impl Fn(&str) -> bool) {
    let mut run = terminal.command(line).stdout(Stdio::null()).spawn().unwrap();
    let ahead = terminal.path("world/ahead");
    kit::until("what is asked ahead is as it should be when the run is ended", || {
        assert!(run.try_wait().unwrap().is_none(), "it ended before");
        std::fs::read_to_string(&ahead).is_ok_and(|kept| is_time(&kept))
    });
    Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    run.wait().unwrap();
}

#[test]
fn what_was_answered_ahead_is_kept_over_a_stop_and_asked_for_no_second_time() {
    let terminal = Terminal::new();
    let hangs = AtomicBool::new(true);
    let server =
        in_the_second_minute(&terminal, move || if hangs.swap(false, Ordering::Relaxed) { Does::Hangs } else { nothing() }, nothing);
    // A reply stands there at the next look, or at the end.
    interrupted(&terminal, "run two --for 20m --quiet --grace 0s", |kept| {
        is_second_minute(kept) && kept.matches("\"replied\":{\"being\":\"@ben\"").count() > 1
    });
    let (kept, asked) = (terminal.read("world/ahead"), server.count());
    assert!(kept.contains("\"being\":\"@ben\"") && kept.contains("reply"), "{kept}");
    // The first is asked anew, and the second has answered.
    terminal.types("run two --moments 2 --quiet --ahead 0").ok();
    assert_eq!((server.count() - asked, tried(&terminal, "@ben/3").len()), (1, 0));
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
    until_asked(&server, 2);
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
    let gated = |gate: Arc<(Mutex<bool>, Condvar)>| {
        move || {
            let (is_open, opened) = &*gate;
            drop(opened.wait_while(is_open.lock().unwrap(), |is_open| !*is_open).unwrap());
            nothing()
        }
    };
    let server = in_the_second_minute(&terminal, gated(gate.clone()), gated(gate.clone()));
    let mut run = terminal.command("run two --for 20m --quiet").stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    until_asked(&server, 4);
    Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    let said = BufReader::new(run.stderr.take().unwrap()).lines().map_while(Result::ok);
    let is_waiting = said.into_iter().any(|line| line.contains("models are still answering"));
    *gate.0.lock().unwrap() = true;
    gate.1.notify_all();
    run.wait().unwrap();
    assert!(is_waiting, "it ended before");
    let kept = terminal.read("world/ahead");
    assert!(kept.contains("@ben") && kept.contains("reply"), "{kept}");
}

#[test]
fn whoever_answered_an_outage_ahead_of_the_moment_is_asked_again_when_it_comes() {
    let terminal = Terminal::new();
    let [hangs, is_out] = [(); 2].map(|()| Arc::new(AtomicBool::new(true)));
    let (of_ada, of_ben) = (hangs.clone(), is_out.clone());
    let server = in_the_second_minute(
        &terminal,
        move || if of_ada.load(Ordering::Relaxed) { Does::Hangs } else { nothing() },
        move || if of_ben.load(Ordering::Relaxed) { Does::Says(503, String::new(), "{}".to_owned()) } else { nothing() },
    );
    // A call that stands in the file may not have left yet: the server has heard two of each.
    interrupted(&terminal, "run two --for 20m --quiet --grace 0s", |kept| {
        is_second_minute(kept) && kept.contains("@ben/2") && server.count() >= 4
    });
    hangs.store(false, Ordering::Relaxed);
    is_out.store(false, Ordering::Relaxed);
    terminal.types("run two --moments 2 --quiet --ahead 0").ok();
    terminal.types("log @ben --raw").says(&["requeued (asking)", "see (schedule)"]);
    let tried = tried(&terminal, "@ben/3");
    assert_eq!(tried.last().map(String::as_str), Some("reply-given-up"), "{tried:?}");
    terminal.types("replay").ok();
}

#[test]
fn no_more_are_asked_ahead_than_a_connection_answers_beside_those_that_it_is_asked_already() {
    let terminal = Terminal::new();
    let server = Faulty::new(|_| Does::Hangs);
    let five = [("ada", "a", 1), ("ben", "b", 3), ("cyd", "c", 5), ("dot", "d", 7), ("eve", "e", 9)];
    written(&terminal, &world(&server, "", &five).replace("parallel = 8", "parallel = 3"));
    killed(&terminal, "run two --for 20m --quiet", |ahead| ahead.is_some());
    assert_eq!(terminal.read("world/ahead").matches("\"begun\"").count(), 2);
}

#[test]
fn a_number_that_is_none_a_file_that_is_not_whole_and_models_that_never_share_a_round_are_named() {
    let terminal = Terminal::new();
    on_disk(&terminal, &[]);
    for (given, why) in
        [("soon", "expected a number such as 64, or 0, found `soon`"), ("1m", "found `1m`: moments are counted, not their time")]
    {
        let refused = terminal.types(&format!("run two --ahead {given}")).fails(2);
        assert!(refused.err.contains("--ahead") && refused.err.contains(why), "{}", refused.err);
    }
    terminal.types("run two --moments 1 --quiet").ok();
    terminal.write("world/ahead", "{\"begun\":{}}\n");
    let refused = terminal.types("run two --moments 1").fails(3);
    assert!(refused.err.contains("world/ahead") && refused.err.contains("booked nowhere"), "{}", refused.err);
    let checked = terminal.types("check two").ok();
    assert!(checked.contains("2 models wake, and no two at one instant") && checked.contains("`thinks`"), "{checked}");
}

#[test]
fn the_same_source_seed_and_replies_give_one_hash_whatever_was_asked_ahead_in_vain() {
    let (speaks, waits) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicBool::new(true)));
    let his = (Mutex::new(false), Condvar::new());
    let (says, holds) = (speaks.clone(), waits.clone());
    let server = Faulty::reading(move |_, asked| {
        if asked.contains("You are @ben") {
            *his.0.lock().unwrap() = true;
            his.1.notify_all();
        }
        if !asked.contains("You are @ada") || !says.swap(false, Ordering::Relaxed) {
            return nothing();
        }
        if holds.load(Ordering::Relaxed) {
            let asked = his.1.wait_timeout_while(his.0.lock().unwrap(), Duration::from_secs(20), |is_asked| !*is_asked).unwrap();
            assert!(!asked.1.timed_out(), "nobody asked Ben ahead");
        }
        summons("@ben")
    });
    let lived = |is_ahead: bool| {
        speaks.store(true, Ordering::Relaxed);
        waits.store(is_ahead, Ordering::Relaxed);
        let mut small = planted(&server, "", &[("ada", "a", 1), ("ben", "b", 3), ("cyd", "c", 5)]);
        if !is_ahead {
            small.living().asking(Living::endpoints(None, AheadTerms::NONE).unwrap());
        }
        small.run("3m");
        let paid = small.world().paid().total();
        assert_eq!(small.replay().unwrap().difference, None);
        (small.world().hash(), paid.vain.calls, paid.spend.calls - paid.vain.calls)
    };
    let (ahead, plain) = (lived(true), lived(false));
    assert!(ahead.1 > 0 && plain.1 == 0, "{ahead:?} {plain:?}");
    assert_eq!((ahead.0, ahead.2), (plain.0, plain.2), "and counts for nothing in the world");
}
