//! Interview: can beings be asked at any point of the past, one by one or as an instrument says, so that their world hears nothing of it?

use std::collections::BTreeSet;
use std::process::Stdio;

use reelm::fact::Seq;
use serde_json::{Value, json};

use super::faulty::{Does, Faulty, good, status};
use super::fork::{borders, drafts, replays};
use super::mind::{body, tool};
use super::outage::until_asked;
use super::rehearse::bytes;
use super::served::Served;
use super::terminal::Terminal;

/// Answers what it is asked, as often as it has been told: so what it says differs from point to point.
const ANSWERS: &str = r#"fn think(face) {
    let wake = face.wake;
    if wake.kind != "summons" { return act(face.me.address, "quality.inc", #{ path: "t.n" }); }
    if wake.intent != "interview" { return (); }
    if wake.content.contains("whole number") { return summon(wake.from, `${see(face.me.address).qualities.t.n}.`); }
    if wake.content.contains("in the same words") { return summon(wake.from, "BEN."); }
    if wake.content.contains("Whom") { return summon("@ben", "Who?"); }
    summon(wake.from, "I am " + face.me.name)
}"#;

/// Writes a hall with scripts, a model at an address, a person, and some who do not answer.
pub fn write_hall(terminal: &Terminal, url: &str) {
    let being = |name: &str, role: &str, how: &str| format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"{role}\"\n{how}\n");
    let every = "[[being.schedule]]\nname = \"turn\"\nevery = \"1m\"";
    let beings = [
        being("ada", "guest", &format!("script = \"answers\"\n{every}")),
        being("ben", "guest", &format!("script = \"answers\"\n{every}")),
        being("mia", "thinker", "cognition = \"llm\""),
        being("pat", "guest", "cognition = \"human\""),
        being("mute", "still", "script = \"looks\""),
        being("shy", "shut", "script = \"answers\""),
        being("deaf", "busy", "script = \"answers\""),
    ];
    let model = format!("\"llm.connection\" = \"tiny\"\n\"llm.tiny\" = {{ base_url = \"{url}\", model = \"tiny\", timeout_ms = 2000 }}");
    terminal.write("hall/world.toml", &format!("name = \"hall\"\n[config]\n{model}\n[[space]]\npath = \"/hall\"\n{}", beings.concat()));
    let all = "canSee: ['**']\ncanDo: ['**', {action: signal.set, ns: '*'}]";
    for (name, more) in [
        ("guest", "canSummon: ['**']"),
        ("thinker", "canSummon: ['**']"),
        ("still", "canSummon: ['**']"),
        ("shut", "canSummon: []"),
        ("busy", "canSummon: ['**']\ntriggerOn: [schedule]"),
    ] {
        terminal.write(&format!("hall/roles/{name}.md"), &format!("---\nname: {name}\n{all}\n{more}\n---\nYou are in a test.\n"));
    }
    terminal.write("hall/scripts/answers.rhai", ANSWERS);
    terminal.write("hall/scripts/looks.rhai", "fn think(face) { () }");
}

/// The hall, after it has lived for three minutes, in three runs.
fn hall(terminal: &Terminal, url: &str) {
    write_hall(terminal, url);
    (0..3).for_each(|_| drop(terminal.types("run hall --for 1m --quiet").ok()));
}

/// A server of models that says a number, which follows from what it was asked, as a model does that writes prose or calls a tool.
fn numbers() -> Faulty {
    Faulty::reading(|_, request| number(request))
}

/// The answer of such a server.
pub fn number(request: &str) -> Does {
    let number = request.len() % 7 + 1;
    let message = match number % 2 {
        0 => json!({ "content": format!("**{number}**.") }),
        _ => tool("summon", json!({ "target": "@operator", "content": number.to_string() })),
    };
    Does::Says(200, String::new(), body(&message).replacen("\"total_tokens\":7", "\"prompt_tokens\":9,\"completion_tokens\":1", 1))
}

#[test]
fn a_script_is_asked_in_a_fork_where_nobody_else_moves_and_its_world_hears_nothing() {
    let terminal = Terminal::new();
    hall(&terminal, "http://127.0.0.1:9/v1");
    // Ben is due at the last of the points, at that very instant.
    terminal.types("tell @ben 'The door is open.'").ok();
    let (was, ends) = (bytes(&terminal), borders(&terminal.path("world")));
    let mut said = BTreeSet::new();
    for (at, end) in ends.iter().enumerate().skip(1) {
        let keep = format!("kept-{at}");
        let line = format!("interview @ada 'How many?' --kind scale=0..9 --at {end}");
        let told = terminal.types(&format!("{line} --keep {keep} --json")).json();
        assert_eq!((told["seq"].as_u64(), &told["refusal"], &told["being"]), (Some(*end), &Value::Null, &json!("@ada")), "{told}");
        assert_eq!(told["raw"], format!("{}.", told["answer"]), "{told}");
        said.insert(told["answer"].as_i64().unwrap());
        // The same question leads to the same moment of the same fork, which was thrown away.
        let again = terminal.types(&format!("{line} --json")).json();
        let of = |told: &Value| ["answer", "raw", "moment", "fork", "seq"].map(|key| told[key].clone());
        assert_eq!(of(&told), of(&again));
        // The moment is explained, and whoever replays the fork comes to the same.
        let explained = terminal.types(&format!("explain {} --data {keep} --json", told["moment"].as_str().unwrap())).json();
        assert!(explained["wake"].to_string().contains("How many?"), "{explained}");
        replays(&terminal, &keep);
        let own: Vec<String> =
            drafts(&terminal.path(&keep)).iter().skip(*end as usize).map(|draft| draft.wake.kind.word().to_owned()).collect();
        assert_eq!(own, ["gesture", "summons"], "nobody else has moved");
    }
    assert!(said.len() > 1, "it was asked at other points: {said:?}");
    assert_eq!(bytes(&terminal), was, "nothing is written");
    let left: Vec<String> =
        std::fs::read_dir(terminal.path("")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(left.iter().all(|name| !name.starts_with('.')), "{left:?}");
}

#[test]
fn an_answer_is_read_by_its_kind_and_who_gives_none_is_said_plainly() {
    let terminal = Terminal::new();
    hall(&terminal, "http://127.0.0.1:9/v1");
    terminal.types("interview @ada 'Who are you?'").says(&["@ada: I am ada", "in the moment @ada/", "of a fork"]).fails(0);
    terminal.types("interview ada 'Who is here?' --kind choice=ada,ben").says(&["@ada: ben"]).fails(0);
    // The being that she asks answers her, and she answers nothing then.
    terminal.types("interview @ada Whom").says(&["@ada has not answered"]).fails(4);
    for (being, refusal, sentence) in [
        ("pat", "nobody-there", "nobody is there"),
        ("mute", "silent", "it said nothing"),
        ("shy", "gate-role", "the role that is worn"),
        ("deaf", "unheard", "lists `message`"),
        ("mia", "no-budget", "has no budget"),
    ] {
        let line = format!("interview @{being} 'Who are you?'");
        terminal.types(&line).says(&[&format!("@{being} has not answered"), sentence]).fails(4);
        let told: Value = serde_json::from_str(&terminal.types(&format!("{line} --json")).fails(4).out).unwrap();
        assert_eq!(told["refusal"], refusal, "{told}");
    }
    let told: Value = serde_json::from_str(&terminal.types("interview @ada 'Who are you?' --kind scale --json").fails(0).out).unwrap();
    assert_eq!(told["answer"], drafts_of_turn(&terminal), "{told}");
    terminal.types("interview @ben 'Who are you?' --kind scale=8..9").says(&["no answer of that kind"]).fails(4);
    terminal.types("interview @nobody Who").fails(1).warns(&["no living being `@nobody`"]);
    terminal.types("interview @ada Who --at 5").fails(1).warns(&["expected a point at or behind frame"]);
    terminal.types("interview @ada Who --kind often").fails(2).warns(&["expected open, scale, scale=1..7 or choice=yes,no"]);
    terminal.types("ask --help").says(&["an act in the world", "`reelm interview` asks in a fork"]);
}

/// How often Ada's turn has come.
fn drafts_of_turn(terminal: &Terminal) -> i64 {
    let told = terminal.types("see @ada --json").json();
    told["qualities"]["t"]["n"].as_i64().unwrap()
}

#[test]
fn a_model_is_asked_for_its_budget_and_what_it_wrote_is_told_as_it_came() {
    let terminal = Terminal::new();
    let server = numbers();
    hall(&terminal, &server.url);
    let was = bytes(&terminal);
    terminal.types("interview @mia 'How content are you?' --kind scale").says(&["no-budget"]).fails(4);
    assert_eq!(server.count(), 0);
    let mut raws = BTreeSet::new();
    for question in ["How content are you?", "How content are you really?", "Are you content?", "Content?"] {
        let asked = server.count();
        let line = format!("interview @mia '{question}' --kind scale=1..7 --budget calls=1 --keep 'kept {asked}' --json");
        let told = terminal.types(&line).json();
        assert_eq!((server.count(), &told["refusal"]), (asked + 1, &Value::Null), "{told}");
        assert_eq!(
            (told["spend"]["calls"].as_u64(), told["spend"]["input"].as_u64(), told["spend"]["output"].as_u64()),
            (Some(1), Some(9), Some(1))
        );
        let raw = told["raw"].as_str().unwrap();
        assert!(raw.contains(&told["answer"].to_string()), "{told}");
        raws.insert(raw.contains("summon"));
        let sent = server.asked.lock().unwrap().last().unwrap().clone();
        assert!(sent.contains(question) && sent.contains("one whole number from 1 to 7"), "{sent}");
        replays(&terminal, &format!("'kept {asked}'"));
    }
    assert_eq!(raws.len(), 2, "in prose and by a call");
    assert_eq!(bytes(&terminal), was, "nothing is written");
    // An endpoint that does not answer is no answer, and nothing is tried again.
    let gone = Terminal::new();
    hall(&gone, "http://127.0.0.1:9/v1");
    gone.types("interview @mia How --budget calls=3").says(&["@mia has not answered", "outage"]).fails(4);
    let odd = Faulty::new(|_| good());
    let other = Terminal::new();
    hall(&other, &odd.url);
    other.types("interview @mia How --budget calls=9").says(&["gate-narrowed"]).fails(4);
    assert_eq!(odd.count(), 1);
}

const MOOD: &str = r#"{
    "items": [
        {"id": "mood", "text": "How content are you?", "kind": "scale", "from": 0, "to": 9, "labels": {"0": "not at all", "9": "wholly"}},
        {"id": "who", "text": "Who is here?", "kind": "choice", "options": ["Ada", "Ben"]},
        {"id": "why", "text": "Who are you?"}
    ],
    "whom": ["guest", "/hall@thinker", "@mute"],
    "at": ["~1m", "now"]
}"#;

#[test]
#[ignore = "long: a survey that is planned, asked and explained"]
fn a_survey_is_one_table_whose_moments_can_be_explained_however_many_are_asked_at_once() {
    let terminal = Terminal::new();
    let server = numbers();
    hall(&terminal, &server.url);
    terminal.write("mood.json", MOOD);
    let was = bytes(&terminal);
    terminal.types("survey mood.json").fails(1).warns(&["6 of the answers are a model's", "--budget calls=6"]);
    let plan = terminal.types("survey mood.json --plan --out mood.csv --json").json();
    assert_eq!(
        [&plan["answers"], &plan["scripts"], &plan["models"], &plan["people"]],
        [30, 18, 6, 6].map(Value::from).each_ref(),
        "{plan}"
    );
    assert!(plan["about"]["calls"] == 6 && plan["about"]["input"].as_u64().unwrap() > 600 && !terminal.path("mood.csv").exists(), "{plan}");
    assert_eq!(server.count(), 0);
    terminal.types("survey mood.json --out mood.csv --keep kept --jobs 1 --budget calls=20").says(&["30 new answers", "6 calls"]).fails(0);
    terminal.types("survey mood.json --out again.csv --jobs 4 --budget calls=20").ok();
    assert_eq!(terminal.read("mood.csv"), terminal.read("again.csv"));
    // Without a file the same rows are told, in the same order.
    let told = terminal.types("survey mood.json --budget calls=20 --json").json_lines();
    let table = terminal.read("mood.csv");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let columns: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows: Vec<Vec<String>> = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    assert_eq!((told.len(), rows.len()), (30, 30));
    for (told, row) in told.iter().zip(&rows) {
        let cell = |column: &str| row[columns.iter().position(|name| name == column).unwrap()].as_str();
        for key in ["point", "being", "item", "raw", "fork", "world"] {
            assert_eq!(told[key], cell(key), "{key} of {told}");
        }
        assert_eq!(cell("answer").is_empty(), !cell("refusal").is_empty(), "{row:?}");
        if !cell("moment").is_empty() {
            let explained = terminal.types(&format!("explain {} --data kept/{} --json", cell("moment"), cell("fork"))).json();
            assert_eq!(explained["report"]["being"], cell("being").trim_start_matches('@'), "{explained}");
            assert_eq!((&explained["report"]["stack"][0], &told["role"]), (&json!(cell("role")), &json!(cell("role"))), "{explained}");
        }
    }
    let order: Vec<(String, String, String)> =
        told.iter().map(|told| ["point", "being", "item"].map(|key| told[key].as_str().unwrap().to_owned()).into()).collect();
    let beings = ["@ada", "@ben", "@pat", "@mia", "@mute"];
    let expected = ["~1m", "now"].iter().flat_map(|point| {
        beings.iter().flat_map(move |being| ["mood", "who", "why"].map(|item| (point.to_string(), being.to_string(), item.to_owned())))
    });
    assert_eq!(order, expected.collect::<Vec<_>>());
    assert_eq!(bytes(&terminal), was, "nothing is written");
}

#[test]
#[ignore = "long: surveys that are stopped and gone on with"]
fn the_budget_of_a_survey_holds_for_all_of_it_and_another_run_goes_on_where_it_stopped() {
    let terminal = Terminal::new();
    let server = numbers();
    hall(&terminal, &server.url);
    terminal.write("mood.json", MOOD);
    terminal.types("survey mood.json --out whole.csv --budget calls=20").ok();
    let all = server.count();
    assert_eq!(all, 6);
    for jobs in [1, 4] {
        let line = format!("survey mood.json --out part-{jobs}.csv --jobs {jobs}");
        terminal
            .types(&format!("{line} --budget calls=2"))
            .says(&["26 new answers", "4 are left"])
            .fails(1)
            .warns(&["the budget had no room for 4"]);
        assert_eq!(server.count(), all + 2 + (jobs / 4) * all, "no more than it says");
        // The world has lived on meanwhile: a point stays where it was.
        terminal.types("run hall --for 1m --quiet").ok();
        terminal.types(&format!("{line} --budget calls=9")).says(&["4 new answers", "26 were there already"]).fails(0);
        assert_eq!(server.count(), all + all + (jobs / 4) * all, "nobody is paid twice");
        if jobs == 1 {
            assert_eq!(terminal.read("part-1.csv"), terminal.read("whole.csv"));
        }
        terminal.types(&line).says(&["0 new answers"]).fails(0);
    }
    // A budget of tokens that has no room for a prompt asks nobody.
    let asked = server.count();
    terminal.types("survey mood.json --beings @mia --budget tokens=5").fails(1).warns(&["no room for 6"]);
    assert_eq!(server.count(), asked);
}

#[test]
fn a_model_that_was_not_heard_leaves_no_row_and_the_same_command_asks_it_again() {
    let terminal = Terminal::new();
    // The first question meets a server that is out, the second one that is too slow.
    let server = Faulty::reading(|number, _| match number {
        0..3 => status(503),
        3 => Does::Hangs,
        _ => Does::Says(200, String::new(), body(&json!({ "content": "4" }))),
    });
    hall(&terminal, &server.url);
    terminal
        .write("two.json", r#"{"items": [{"id": "a", "text": "Who?"}, {"id": "b", "text": "Why?", "kind": "scale", "from": 1, "to": 7}]}"#);
    let line = "survey two.json --beings @mia --beings @mute --out two.csv --jobs 1 --budget calls=20 --replies two.jsonl";
    let told = terminal
        .types(&format!("{line} --json"))
        .fails(1)
        .warns(&["2 of the questions reached no model that was heard", "\\n  now @mia a: outage", "\\n  now @mia b: reply-timeout"])
        .out
        .clone();
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((&told["left"], &told["missing"][1]["why"]), (&json!(2), &json!("reply-timeout")), "{told}");
    assert!(!terminal.read("two.csv").contains("@mia"), "no row stands for what nobody heard");
    terminal.types(line).says(&["2 new answers, 2 were there already"]).fails(0);
    assert_eq!(terminal.read("two.csv").matches(",@mia,").count(), 2);
    // The instrument and the replies make the same table again, and no model is asked.
    let asked = server.count();
    for (again, budget) in [("one", "--budget calls=1"), ("none", "")] {
        terminal.types(&format!("survey two.json --beings @mia --beings @mute --out {again}.csv {budget} --replies two.jsonl")).ok();
        assert_eq!((terminal.read(&format!("{again}.csv")), server.count()), (terminal.read("two.csv"), asked));
    }
    // A reply that is not among them is left out, and paid by nobody.
    terminal.write("three.json", r#"{"items": [{"id": "a", "text": "Who?"}, {"id": "c", "text": "Since when?"}]}"#);
    let line = "survey three.json --beings @mia --out three.csv --replies two.jsonl";
    terminal.types(line).fails(1).warns(&["the budget had no room for 1 of the questions", "now @mia c"]);
    assert_eq!((terminal.read("three.csv").matches(",@mia,").count(), server.count()), (1, asked));
}

#[test]
fn an_endpoint_that_refuses_is_asked_again_though_replies_are_kept() {
    let terminal = Terminal::new();
    let server = Faulty::reading(|number, _| match number {
        0 => status(401),
        1 => Does::Says(200, String::new(), "<html>a proxy</html>".to_owned()),
        _ => Does::Says(200, String::new(), body(&json!({ "content": "4" }))),
    });
    hall(&terminal, &server.url);
    terminal.write("one.json", r#"{"items": [{"id": "a", "text": "Who?"}]}"#);
    let line = "survey one.json --beings @mia --out one.csv --budget calls=20 --replies one.jsonl";
    for why in ["connection-held", "reply-malformed"] {
        terminal.types(line).fails(1).warns(&[&format!("now @mia a: {why}")]);
        assert_eq!(terminal.read("one.jsonl"), "", "no model has said anything");
    }
    terminal.types(line).says(&["1 new answers"]).fails(0);
    assert_eq!((server.count(), terminal.read("one.jsonl").lines().count()), (3, 1));
}

/// One who says what a number that fades has come to, and moves every half an hour.
const FADES: &str = "name = \"fades\"\nstart = \"2026-03-02T08:00:00\"\n[[space]]\npath = \"/hall\"\nquality.light = { glow = { from = 8, to = 2, at = \"now\", over = \"2h\" } }\n\
    [[matter]]\nat = \"/hall\"\nname = \"fire\"\ntype = \"fire\"\nquality.heat = { now = { from = 800, to = 200, at = \"now\", over = \"2h\" } }\n\
    [[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"guest\"\nquality.mood = { joy = { from = 80, to = 20, at = \"now\", over = \"2h\" } }\n\
    think = 'if wake.kind == \"summons\" { return summon(wake.from, `${see(me.address).qualities.mood.joy} at ${time.iso}`); } act(me.address, \"quality.inc\", #{ path: \"t.n\" })'\n\
    [[being.schedule]]\nname = \"turn\"\nevery = \"30m\"\n\
    [[measure]]\nname = \"joy\"\nvalue = 'mean(\"mood.joy\")'\nevery = \"10m\"\n\
    [[role]]\nname = \"guest\"\ncanSee = [\"**\"]\ncanDo = [\"quality.inc\"]\ncanSummon = [\"**\"]\nprompt = \"You wait.\"\n";

#[test]
fn between_two_frames_the_world_stands_at_the_instant_of_the_point() {
    let terminal = Terminal::new();
    terminal.write("fades/world.toml", FADES);
    terminal.types("run fades --for 70m --quiet --measures whole.csv").ok();
    let joy = |line: &str| terminal.types(&format!("{line} --json")).json();
    for (point, wanted) in [("2026-03-02T08:20", 70), ("2026-03-02T08:30", 65), ("~10m", 55), ("2026-03-02T09:05", 48), ("now", 45)] {
        // At five minutes past, what has faded is no whole number.
        let wanted = if point.ends_with("09:05") { json!(47.5) } else { json!(wanted) };
        assert_eq!(joy(&format!("see @ada --at {point}"))["qualities"]["mood"]["joy"], wanted, "{point}");
        let told = terminal.types(&format!("interview @ada How? --at {point}")).ok();
        assert!(told.contains(&format!("@ada: {wanted} at 2026-03-02T0")), "{point}: {told}");
    }
    terminal.types("interview @ada How? --at 2026-03-02T08:20").says(&["70 at 2026-03-02T08:20:00"]);
    // Fading values differ: of a being, of a place, of a thing.
    terminal.types("diff 2026-03-02T08:10 2026-03-02T08:20").says(&["75", "70", "7.5", "750", "700"]);
    terminal.types("diff 2026-03-02T08:20 2026-03-02T08:20").says(&["nothing differs"]);
    // Every sample up to the point, and none behind it.
    terminal.types("measure --at 2026-03-02T08:59 --out part.csv").ok();
    let (part, whole) = (terminal.read("part.csv"), terminal.read("whole.csv"));
    assert!(whole.starts_with(&part) && part.trim_end().ends_with("08:50:00Z,joy,55,9"), "{part}\n{whole}");
    // Two instants between the same frames are two points.
    terminal
        .write("one.json", r#"{"items": [{"id": "a", "text": "How?"}], "whom": ["@ada"], "at": ["2026-03-02T08:10", "2026-03-02T08:20"]}"#);
    terminal.types("survey one.json --out one.csv").ok();
    let table = terminal.read("one.csv");
    assert!(table.contains(",75 at 2026-03-02T08:10:00") && table.contains(",70 at 2026-03-02T08:20:00"), "{table}");
    assert!(!table.contains("same as"), "{table}");
    // So does the server, also where it has been at that frame before.
    let served = Served::begin(terminal, "serve --port 0 --realtime --json");
    let operator = served.operator();
    for (at, wanted) in [("2026-03-02T08:10", 75), ("2026-03-02T08:20", 70), ("2026-03-02T08:00", 80)] {
        let seen = served.get(&operator, &format!("/api/see?address=@ada&at={at}")).ok();
        assert_eq!(seen["qualities"]["mood"]["joy"], wanted, "{at}");
    }
    let apart = served.get(&operator, "/api/diff?from=2026-03-02T08:10&to=2026-03-02T08:20").text;
    assert!(apart.contains("75") && apart.contains("70"), "{apart}");
}

#[test]
fn two_names_of_one_point_are_two_rows_and_one_paid_call() {
    let terminal = Terminal::new();
    let server = numbers();
    hall(&terminal, &server.url);
    terminal.write("one.json", r#"{"items": [{"id": "a", "text": "Who are you?"}], "whom": ["@mia", "@ada"], "at": ["now", "~0ms"]}"#);
    terminal.types("survey one.json --plan").says(&["2 answers: 1 of scripts, 1 of models; 2 more are the same by another name"]).fails(0);
    terminal.types("survey one.json --out one.csv --budget calls=5").says(&["4 new answers; 1 calls"]).fails(0);
    assert_eq!(server.count(), 1);
    let table = terminal.read("one.csv");
    let rows: Vec<Vec<String>> =
        csv::Reader::from_reader(table.as_bytes()).records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    let cells: Vec<(&str, &str, &str, &str)> =
        rows.iter().map(|row| (row[0].as_str(), row[3].as_str(), row[8].as_str(), row[16].as_str())).collect();
    assert_eq!(
        cells,
        [("now", "@mia", "1", ""), ("now", "@ada", "0", ""), ("~0ms", "@mia", "0", "same as now"), ("~0ms", "@ada", "0", "same as now")]
    );
    assert_eq!(rows[0][5..8], rows[2][5..8]);
    // A name that is added later costs nothing either.
    terminal
        .types(&format!("survey one.json --at now --at ~0ms --at {} --out one.csv", rows[0][1]))
        .says(&["0 new answers, 6 were there already"])
        .fails(0);
    assert_eq!((server.count(), terminal.read("one.csv").matches("same as now").count()), (1, 4));
    terminal.types("survey one.json --at now --at now").fails(1).warns(&["expected each point once, found `now` again"]);
}

#[test]
fn a_table_says_how_many_answers_were_unclear() {
    let terminal = Terminal::new();
    let server = Faulty::reading(|_, _| Does::Says(200, String::new(), body(&json!({ "content": "I would say 6." }))));
    hall(&terminal, &server.url);
    terminal.write("one.json", r#"{"items": [{"id": "a", "text": "How?", "kind": "scale", "from": 1, "to": 7}], "whom": ["@mia"]}"#);
    terminal
        .types("survey one.json --out one.csv --budget calls=5")
        .says(&["1 new answers, 1 of all are unclear"])
        .fails(0)
        .warns(&["`a`: 1 of 1 answers are unclear, such as `I would say 6.`"]);
    assert!(terminal.read("one.csv").contains(",I would say 6.,unclear,1,"), "the raw reply stands beside it");
    terminal.types("survey one.json --budget calls=5").fails(0).warns(&["1 of 1 answers are unclear"]);
}

#[test]
fn a_survey_that_was_killed_goes_on_and_comes_to_the_same_table() {
    let terminal = Terminal::new();
    // The third question is never answered to whoever asks it first.
    let server = Faulty::reading(move |number, request| {
        let answer = json!({ "content": (3 + request.len() % 2).to_string() });
        if number == 2 { Does::Hangs } else { Does::Says(200, String::new(), body(&answer)) }
    });
    hall(&terminal, &server.url);
    terminal.write("mood.json", MOOD);
    let line = "survey mood.json --out mood.csv --jobs 1 --budget calls=30";
    let mut child = terminal.command(line).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until_asked(&server, 3);
    child.kill().unwrap();
    child.wait().unwrap();
    let part = terminal.read("mood.csv");
    assert!(part.lines().count() > 2, "{part}");
    // It was killed in the middle of a row.
    terminal.write("mood.csv", &format!("{part}now,99,@mia,why,\"It was\nlong, and"));
    terminal.types(line).says(&["were there already"]).fails(0);
    let left: Vec<String> =
        std::fs::read_dir(terminal.path("")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(left.iter().all(|name| !name.starts_with('.')), "what the first has left is gone: {left:?}");
    terminal.types("survey mood.json --out whole.csv --budget calls=30").ok();
    assert_eq!(terminal.read("mood.csv"), terminal.read("whole.csv"));
    // Six for each of the two tables, and the one that nobody heard.
    assert_eq!(server.count(), 13);
    // A row of which only the last letters are missing is cut off as well.
    let whole = terminal.read("mood.csv");
    terminal.write("mood.csv", &whole[..whole.len() - 3]);
    terminal.types(line).says(&["1 new answers", "29 were there already"]).fails(0);
    assert_eq!(terminal.read("mood.csv"), whole);
}

#[test]
fn an_instrument_that_says_something_wrong_is_told_where() {
    let terminal = Terminal::new();
    hall(&terminal, "http://127.0.0.1:9/v1");
    for (text, says) in [
        ("{\n\"items\": [}", "bad.json:2: expected an instrument as JSON"),
        ("[]", "at `/`: expected an object"),
        ("{}", "at `/`: expected `items`, a list of one question at least"),
        (r#"{"items": 7}"#, "at `/items`: expected a list, found 7"),
        (r#"{"item": []}"#, "at `/item`: expected only `items`, `whom`, `at`, found `item`"),
        (r#"{"items": [{"id": "a"}]}"#, "at `/items/0/text`: expected text, found none"),
        (r#"{"items": [{"id": "a", "text": "?"}, {"id": "a", "text": "!"}]}"#, "at `/items/1/id`: expected an id of its own, found `a`"),
        (
            r#"{"items": [{"id": "a", "text": "?", "kind": "rank"}]}"#,
            "at `/items/0/kind`: expected `open`, `scale` or `choice`, found `rank`",
        ),
        (r#"{"items": [{"id": "a", "text": "?", "kind": "scale", "from": 1}]}"#, "at `/items/0/to`: expected a whole number, found none"),
        (r#"{"items": [{"id": "a", "text": "?", "kind": "scale", "from": 5, "to": 1}]}"#, "at `/items/0`: expected a scale whose end"),
        (
            r#"{"items": [{"id": "a", "text": "?", "kind": "scale", "from": 1, "to": 2, "labels": {"x": "y"}}]}"#,
            "at `/items/0/labels`: expected a whole number as a key, found `x`",
        ),
        (
            r#"{"items": [{"id": "a", "text": "?", "kind": "scale", "from": 1, "to": 7, "labels": {"1": "4"}}]}"#,
            "at `/items/0`: expected a label that is no other step, found `4` for 1: it reads as 4",
        ),
        (
            r#"{"items": [{"id": "a", "text": "?", "kind": "scale", "from": 1, "to": 7, "labels": {"1": "1", "2": "*3* of 7."}}]}"#,
            "expected whom to ask",
        ),
        (
            r#"{"items": [{"id": "a", "text": "?", "kind": "scale", "from": 1, "to": 7, "labels": {"2": "3 out of 7."}}]}"#,
            "found `3 out of 7.` for 2: it reads as 3",
        ),
        (
            r#"{"items": [{"id": "a", "text": "?", "kind": "scale", "from": 1, "to": 7, "labels": {"1": "bad", "2": "*Bad*"}}]}"#,
            "at `/items/0`: expected labels of other words each, found `*Bad*` for 1 and for 2",
        ),
        (r#"{"items": [{"id": "a", "text": "?", "kind": "choice", "options": ["x"]}]}"#, "at `/items/0/options`: expected two options"),
        (r#"{"items": [{"id": "a", "text": "?", "kind": "open", "from": 1}]}"#, "at `/items/0/from`: expected only"),
        (r#"{"items": [{"id": "a", "text": "?"}], "whom": ["a/b"]}"#, "at `/whom/0`: expected @ada, @worker-*, a role such as guest"),
        (r#"{"items": [{"id": "a", "text": "?"}], "at": ["soon"]}"#, "at `/at/0`: expected a point such as 120"),
        (r#"{"items": [{"id": "a", "text": "?"}]}"#, "expected whom to ask"),
        (r#"{"items": [{"id": "a", "text": "?"}], "whom": ["nobody"]}"#, "there is nobody at those points whom `nobody` names"),
        (r#"{"items": [{"id": "a", "text": "?"}], "whom": ["@eve"]}"#, "now: there is no living being `@eve` at that point"),
    ] {
        terminal.write("bad.json", text);
        terminal.types("survey bad.json --out t.csv").fails(1).warns(&[says]);
    }
    terminal.types("survey nowhere.json").fails(1).warns(&["cannot read `nowhere.json`"]);
    // A table of other questions is left as it is.
    terminal.write("a.json", r#"{"items": [{"id": "a", "text": "?"}], "whom": ["@ada"]}"#);
    terminal.write("b.json", r#"{"items": [{"id": "a", "text": "Who?"}], "whom": ["@ada"]}"#);
    terminal.types("survey a.json --out a.csv").ok();
    terminal.types("survey b.json --out a.csv").fails(1).warns(&["holds answers to other questions, or of another world"]);
    terminal.write("notes.csv", "a,b\n1,2\n");
    terminal.types("survey a.json --out notes.csv").fails(1).warns(&["`notes.csv` is no table of answers"]);
    assert_eq!(terminal.read("notes.csv"), "a,b\n1,2\n");
    // A table of answers that another program has saved.
    let saved = terminal.read("a.csv").replace(',', ";");
    terminal.write("saved.csv", &saved);
    terminal.types("survey a.json --out saved.csv").fails(1).warns(&["saved.csv:1: column 1 `point;", "found `;` between", "write commas"]);
    assert_eq!(terminal.read("saved.csv"), saved);
}

#[test]
fn those_are_asked_whom_a_pattern_names_at_that_point() {
    let terminal = Terminal::new();
    hall(&terminal, "http://127.0.0.1:9/v1");
    terminal.write("one.json", r#"{"items": [{"id": "a", "text": "Who are you?"}]}"#);
    let asked = |whom: &str| -> Vec<String> {
        let told = terminal.types(&format!("survey one.json --beings {whom} --json")).json_lines();
        told.iter().map(|row| row["being"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(asked("guest"), ["@ada", "@ben", "@pat"]);
    assert_eq!(asked("@*a*t*"), ["@pat"]);
    assert_eq!(asked("@ben --beings guest"), ["@ben", "@ada", "@pat"]);
    assert_eq!(asked("/hall@s*"), ["@mute", "@shy"]);
    assert_eq!(asked("/**@guest"), ["@ada", "@ben", "@pat"]);
    assert_eq!(asked("@operator"), ["@operator"]);
    for place in ["/hall", "/**", "/hall/**"] {
        // All but the model, for whom there is no budget.
        let plan = terminal.types(&format!("survey one.json --beings {place} --plan --json")).json();
        assert_eq!((plan["answers"].as_u64(), plan["models"].as_u64()), (Some(7), Some(1)), "{place}: {plan}");
    }
    // Somebody who was not born yet is nobody there.
    let seq: Seq = drafts(&terminal.path("world")).len() as Seq;
    terminal.types("be birth '{\"name\":\"eve\",\"home\":\"/hall\",\"defaultRole\":\"guest\",\"script\":\"answers\"}'").ok();
    assert_eq!(asked(&format!("guest --at {seq}")), ["@ada", "@ben", "@pat"]);
    assert_eq!(asked("guest"), ["@ada", "@ben", "@pat", "@eve"]);
}

#[test]
fn a_point_stands_where_it_stood_as_the_table_began_also_if_no_row_was_taken_there() {
    let terminal = Terminal::new();
    write_hall(&terminal, "http://127.0.0.1:9/v1");
    terminal.types("run hall --for 5m --quiet").ok();
    terminal.write("n.json", r#"{"items": [{"id": "n", "text": "How often?", "kind": "scale", "from": 0, "to": 99}]}"#);
    let rows = |file: &str, point: &str| -> Vec<String> {
        let told = terminal.read(file);
        told.lines().filter(|line| line.starts_with(&format!("{point},"))).map(str::to_owned).collect()
    };
    terminal.types("survey n.json --beings @ada --at now --at ~2m --out whole.csv").ok();
    // The budget has no room for the model, so its row at that point is still to come.
    terminal.types("survey n.json --beings @mia --at ~2m --out part.csv --budget tokens=1").fails(1).warns(&["no room for 1"]);
    let points: Value = serde_json::from_str(&terminal.read("part.csv.points.json")).unwrap();
    terminal.types("run hall --for 4m --quiet").ok();
    terminal.types("survey n.json --beings @ada --at now --at ~2m --out part.csv").ok();
    assert_eq!(rows("part.csv", "~2m"), rows("whole.csv", "~2m"), "{points}");
    assert_ne!(rows("part.csv", "now"), rows("whole.csv", "now"), "a point that is new stands where it is now");
    let again: Value = serde_json::from_str(&terminal.read("part.csv.points.json")).unwrap();
    assert_eq!((&again["points"]["~2m"], again["points"]["now"].is_object()), (&points["points"]["~2m"], true));
    // A table that begins anew has points of its own, and a plan writes none.
    std::fs::remove_file(terminal.path("part.csv")).unwrap();
    terminal.types("survey n.json --beings @ada --at ~2m --out part.csv").ok();
    assert_ne!(rows("part.csv", "~2m"), rows("whole.csv", "~2m"));
    terminal.types("survey n.json --beings @ada --at ~3m --plan --out plan.csv").ok();
    assert!(!terminal.path("plan.csv.points.json").exists());
    terminal.write("part.csv.points.json", "{bad");
    terminal.types("survey n.json --beings @ada --at ~2m --out part.csv").fails(1).warns(&["part.csv.points.json:1: expected the points"]);
}

#[test]
fn whoever_is_paused_is_asked_nothing_and_has_no_row() {
    let terminal = Terminal::new();
    write_hall(&terminal, "http://127.0.0.1:9/v1");
    terminal.types("run hall --for 2m --quiet").ok();
    terminal.write("n.json", r#"{"items": [{"id": "n", "text": "How often?"}], "whom": ["@ada"]}"#);
    for (target, told) in [("/", "paused at `/`"), ("/hall", "paused at `/hall`"), ("@ada", "paused at `@ada`")] {
        terminal.types(&format!("do {target} pause.set")).ok();
        terminal.types("interview @ada Who?").fails(4).says(&["has not answered", told]);
        terminal.types("survey n.json --out n.csv").fails(1).warns(&["1 of the questions were put to nobody", "now @ada n: paused"]);
        assert_eq!(terminal.read("n.csv").lines().count(), 1, "{target}");
        terminal.types(&format!("do {target} pause.end")).ok();
        std::fs::remove_file(terminal.path("n.csv")).unwrap();
    }
    // Neither is it where somebody is paused whom the question leads to.
    terminal.types("do @ben pause.set").ok();
    terminal.types("interview @ada 'Whom do you like?'").fails(4).says(&["paused at `@ben`"]);
    terminal.types("do @ben pause.end").ok();
    terminal.types("survey n.json --out n.csv").says(&["1 new answers"]).fails(0);
}

#[test]
fn a_survey_that_has_one_call_at_a_time_comes_to_the_table_of_one_go() {
    let terminal = Terminal::new();
    let server = numbers();
    hall(&terminal, &server.url);
    let items = json!([{ "id": "n", "text": "How often?", "kind": "scale", "from": 0, "to": 99 }, { "id": "why", "text": "Why?" }]);
    terminal.write("two.json", &json!({ "items": items, "whom": ["@mia", "@ada"], "at": ["~1m", "now"] }).to_string());
    terminal.types("survey two.json --out whole.csv --budget calls=20").ok();
    let all = server.count();
    let mut rounds = 1;
    // The world lives on between any two of them.
    while terminal.command("survey two.json --out part.csv --budget calls=1").output().unwrap().status.code() != Some(0) {
        terminal.types("run hall --for 1m --quiet").ok();
        rounds += 1;
        assert!(rounds < 9, "{}", terminal.read("part.csv"));
    }
    assert_eq!((rounds, server.count() - all), (all, all), "one call each");
    assert_eq!(terminal.read("part.csv"), terminal.read("whole.csv"));
}
