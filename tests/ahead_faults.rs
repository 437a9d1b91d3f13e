//! Ahead's faults: with servers that fail and runs that are killed, does a run that asks ahead still come to what the run does that does not?

use std::process::Stdio;

use reelm::minds::{AheadTerms, Endpoints};
use reelm::store::AheadFile;
use serde_json::{Value as Json, json};

use super::ahead_law::{Came, House, assert_same, content, lived, says};
use super::crash::Dice;
use super::faulty::{Does, Faulty, status};
use super::kit;
use super::mind::body;
use super::terminal::Terminal;

/// A house in which much happens.
const LIVELY: House = House { rooms: 3, each: 3, salt: 7, habits: [15, 15, 10] };

/// Runs of one house with two servers: the first is asked ahead, and the second is not.
fn both([server, other]: [&Faulty; 2], source: impl Fn(&str) -> String) -> [Came; 2] {
    let came = [(server, AheadTerms::default()), (other, AheadTerms::NONE)]
        .map(|(server, terms)| lived(&source(&server.url), Box::new(Endpoints::default()), terms));
    assert_same(&came[0].frames, &came[1].frames);
    came
}

#[test]
fn answers_that_never_come_and_answers_that_come_twice_leave_the_same_frames() {
    let server = || {
        Faulty::reading(|_, asked| {
            let asked = content(asked);
            let (said, twice) = (body(&LIVELY.answers(asked)), body(&json!({ "content": "Heard by nobody." })));
            let stays = |body: &str| format!("HTTP/1.1 200 X\r\ncontent-length: {}\r\n\r\n{body}", body.len());
            match LIVELY.draws("fault", asked) % 6 {
                0 => Does::Hangs,
                1 => Does::Sends([stays(&said), stays(&twice)].concat().into_bytes()),
                _ => says(&LIVELY.answers(asked)),
            }
        })
    };
    let [server, other] = [server(), server()];
    let [ahead, one_by_one] = both([&server, &other], |url| LIVELY.source(url, "").replace("timeout_ms = 20000", "timeout_ms = 300"));
    assert!(one_by_one.frames.iter().any(|draft| kit::code(draft) == "reply-timeout"), "no answer was late");
    ahead.assert_books(server.count());
}

#[test]
fn an_outage_in_the_middle_leaves_the_same_frames() {
    let server =
        Faulty::reading(|number, asked| if (5..14).contains(&number) { status(503) } else { says(&LIVELY.answers(content(asked))) });
    both([&server, &LIVELY.server()], |url| LIVELY.source(url, ""));
    assert!(server.count() > 14, "there was no outage");
}

#[test]
fn a_budget_of_one_call_pays_for_one_call_and_leaves_the_same_frames() {
    let [server, other] = [LIVELY.server(), LIVELY.server()];
    let [ahead, _] = both([&server, &other], |url| LIVELY.source(url, "\"llm.budget\" = { hour = { calls = 1 } }\n"));
    assert_eq!([server.count(), other.count(), ahead.booked], [1, 1, 1]);
}

const ROLE: &str =
    "---\nname: free\ncanSee: ['**']\ncanDo: ['**']\ncanSummon: ['**']\ntriggerOn: [message, schedule, hear, enter]\n---\nYou live here.\n";
const UNTIL: &str = "run house --until 2026-03-02T08:03:00 --quiet";

/// A house on disk, and its server. An answer follows from who is asked, in which minute, and what is said: who is asked again a little
/// later answers the same.
fn on_disk(terminal: &Terminal, salt: u64) -> Faulty {
    let house = House { salt, ..LIVELY };
    let server = Faulty::reading(move |_, asked| {
        let asked = content(asked);
        std::thread::sleep(house.delay(asked));
        let body: Json = serde_json::from_str(asked).unwrap();
        let instant = asked.rsplit_once("It is 2026-").unwrap().1;
        let key = format!("{}|{}", &instant[..11], body["messages"].as_array().unwrap().last().unwrap()["content"]);
        let name = asked.split_once("You are @").unwrap().1.split(',').next().unwrap();
        says(&house.answers_by(asked, &format!("{name}|{key}")))
    });
    let more = "\"attempts.backoff_ms\" = 1\n\"attempts.max\" = 20\n\"brakes.depth\" = 6\n";
    let text = LIVELY.source_by(&server.url, more, |_, place| 1 + 4 * place as u64);
    terminal.write("house/world.toml", &format!("name = \"house\"\nseed = 1\nstart = \"2026-03-02T08:00:00\"\n{text}"));
    terminal.write("house/roles/free.md", ROLE);
    server
}

/// The deeds of the models of a world on disk, without their instants.
fn deeds(terminal: &Terminal) -> Vec<String> {
    let lines = terminal.types("log --json").json_lines();
    let reports = lines.into_iter().map(|line| line["report"].clone()).filter(|report| report["cognition"] == "llm");
    let done = reports.filter(|report| report["closing"] != "requeued" && report["closing"] != "failed");
    done.map(|report| format!("{} {} {} {}", report["being"], report["place"], report["closing"], report["deed"])).collect()
}

/// The deeds of a killed world that goes on with nothing asked ahead, and with nothing left that was. A call that a kill cut off is asked again
/// a little later, so they follow from where the kill fell.
fn one_by_one(killed: &Terminal) -> Vec<String> {
    let copy = Terminal::new();
    copy.shell(&format!("cp -a '{}/.' . && rm -f world/ahead", killed.path(".").display())).ok();
    copy.types(&format!("{UNTIL} --ahead 0")).ok();
    deeds(&copy)
}

#[test]
#[ignore = "long: a run with a model is killed five times"]
fn a_run_that_is_killed_again_and_again_comes_to_the_same_deeds_and_books_every_call_that_the_server_had() {
    let mut dice = Dice::new("ahead");
    let killed = Terminal::new();
    let server = on_disk(&killed, dice.below(u64::MAX));
    let (mut wanted, mut paid) = (one_by_one(&killed), 0);
    for _ in 0..5 {
        let before = server.count();
        let asked = before + 1 + dice.below(9) as usize;
        let mut run = killed.command(UNTIL).stdout(Stdio::null()).spawn().unwrap();
        kit::until("the run asks its model, or ends", || server.count() >= asked || run.try_wait().unwrap().is_some());
        run.kill().unwrap();
        run.wait().unwrap();
        paid += server.count() - before;
        assert_begins(&wanted, &deeds(&killed));
        wanted = one_by_one(&killed);
    }
    let before = server.count();
    killed.types(UNTIL).ok();
    paid += server.count() - before;
    let came = deeds(&killed);
    assert_begins(&wanted, &came);
    assert_eq!(came.len(), wanted.len());
    let booked = killed.types("usage --json").json()["total"]["calls"].as_u64().unwrap() as usize;
    let left = AheadFile::of(&killed.path("world")).unwrap().calls().count();
    assert!(booked + left >= paid, "{booked} are booked and {left} left, the server had {paid}");
    killed.types("replay").ok();
}

/// These deeds are the first of those.
fn assert_begins(wanted: &[String], came: &[String]) {
    let differ = came.iter().zip(wanted).position(|(came, wanted)| came != wanted);
    assert!(differ.is_none() && came.len() <= wanted.len(), "from {differ:?} on:\n{came:#?}\n{wanted:#?}");
}
