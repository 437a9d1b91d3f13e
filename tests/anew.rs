//! Anew: is a model asked once more where other code would ask it something else, paid for, judged, and heard by nobody in the world?

use serde_json::{Value, json};

use super::faulty::{Does, Faulty};
use super::mind::{body, tool};
use super::rehearse::bytes;
use super::terminal::Terminal;

/// A server of models: who is told to be curt says one thing and else another, but to what everybody knows; and where it is asked for
/// trouble by a curt one, it breaks down.
fn server() -> Faulty {
    Faulty::reading(|_, request| {
        let is_curt = request.contains("You are curt.");
        let says = match request {
            _ if request.contains("Do you know trouble?") && is_curt => {
                return Does::Says(400, String::new(), r#"{"error":{"message":"no"}}"#.to_owned());
            }
            _ if request.contains("One and one?") => "Two.",
            _ if is_curt => "No.",
            _ => "Gladly, with all my heart.",
        };
        let message = tool("summon", json!({ "target": "@operator", "content": says }));
        Does::Says(200, String::new(), body(&message).replacen("\"total_tokens\":7", "\"prompt_tokens\":9,\"completion_tokens\":1", 1))
    })
}

const QUESTIONS: [&str; 3] = ["Will you help?", "One and one?", "Do you know trouble?"];

/// Mia thinks by a model and has answered three questions; beside the world lies her role, made curt.
fn asked() -> (Terminal, Faulty) {
    let (terminal, server) = (Terminal::new(), server());
    let url = &server.url;
    let model = format!("\"llm.connection\" = \"tiny\"\n\"llm.tiny\" = {{ base_url = \"{url}\", model = \"tiny\", timeout_ms = 2000 }}");
    let being = "[[being]]\nname = \"mia\"\nhome = \"/hall\"\nrole = \"guest\"\ncognition = \"llm\"\n";
    terminal.write("hall/world.toml", &format!("name = \"hall\"\n[config]\n{model}\n[[space]]\npath = \"/hall\"\n{being}"));
    let role = |words: &str| format!("---\nname: guest\ncanSee: ['**']\ncanDo: ['**']\ncanSummon: ['**']\n---\n{words}\n");
    terminal.write("hall/roles/guest.md", &role("You are kind."));
    terminal.write("curt/guest.md", &role("You are curt."));
    terminal.types("run hall --moments 0 --quiet").ok();
    for question in QUESTIONS {
        terminal.types(&format!("tell @mia '{question}'")).ok();
        terminal.types("run --for 1m --quiet").ok();
    }
    assert_eq!(server.count(), QUESTIONS.len());
    (terminal, server)
}

fn moments(told: &Value) -> Vec<String> {
    told.as_array().unwrap().iter().map(|retake| retake["moment"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_model_that_would_be_asked_something_else_is_asked_anew_and_its_answer_is_judged() {
    let (terminal, server) = asked();
    let was = bytes(&terminal);
    // A moment that nobody asks anew is unknown; and nobody is asked for nothing.
    terminal.types("replay --with curt").says(&["0 differ, 3 unknown"]).ok();
    terminal.types("replay --with curt --ask").fails(1).warns(&["--budget calls=10", "--plan"]);
    let plan = terminal.types("replay --with curt --ask --plan --json").json();
    assert_eq!((plan["moments"].as_array().unwrap().len(), &plan["about"]["calls"]), (3, &json!(3)), "{plan}");
    assert!(plan["about"]["input"].as_u64().unwrap() > 300, "{plan}");
    assert_eq!(server.count(), 3, "a plan asks nobody");
    for jobs in [1, 8] {
        let asked = server.count();
        let line = format!("replay --with curt --ask --budget calls=9 --jobs {jobs} --junit out.xml --json");
        let told: Value = serde_json::from_str(&terminal.types(&line).fails(3).out).unwrap();
        assert_eq!(server.count(), asked + 3, "each once");
        assert_eq!([&told["same"], &told["differs"], &told["unknown"]].map(|count| count.as_u64().unwrap())[1..], [1, 1], "{told}");
        assert_eq!(moments(&told["asked"]), plan["moments"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect::<Vec<_>>());
        // The first would have said something else, in the model's own words; the second would have said the same; the third said nothing.
        let [first, second, third] = [0, 1, 2].map(|at| &told["asked"][at]);
        assert_eq!(moments(&told["first"]), [first["moment"].as_str().unwrap()], "{told}");
        assert_eq!(moments(&told["firstUnknown"]), [third["moment"].as_str().unwrap()], "{told}");
        let parts = |retake: &Value| retake["changes"].as_array().unwrap().iter().map(|change| change["part"].clone()).collect::<Vec<_>>();
        assert_eq!(
            (parts(first), parts(second), parts(third)),
            (vec![json!("request"), json!("act"), json!("facts")][..2].to_vec(), vec![json!("request")], vec![json!("request")]),
            "{told}"
        );
        assert!(first["changes"][1]["recorded"].as_str().unwrap().contains("Gladly"), "{told}");
        assert!(first["changes"][1]["would"].as_str().unwrap().contains("No."), "{told}");
        assert!(
            first["anew"]["said"].as_str().unwrap().contains("No.") && second["anew"]["said"].as_str().unwrap().contains("Two."),
            "{told}"
        );
        assert_eq!(first["anew"]["spend"], json!({ "calls": 1, "input": 9, "output": 1, "money": 0 }), "{told}");
        assert_eq!([&first["anew"]["answered"], &third["anew"]["answered"]], [true, false].map(Value::from).each_ref(), "{told}");
        assert_eq!((told["spent"]["calls"].as_u64(), told["spent"]["input"].as_u64()), (Some(3), Some(18)), "{told}");
        let junit = terminal.read("out.xml");
        assert!(junit.contains("failures=\"1\"") && junit.contains("asked anew: ") && junit.contains("No."), "{junit}");
    }
    terminal.types("replay --with curt --ask --budget calls=9").fails(3).says(&[
        "1 differ, 1 unknown",
        "asked anew: 3 moments (@mia/",
        "of whom 1 did not answer; 3 calls",
        "→ summon @operator",
    ]);
    assert_eq!(bytes(&terminal), was, "the world hears nothing of it");
    // Its own code asks nobody anything.
    let asked = server.count();
    terminal.types("replay --with hall --ask --budget calls=9").says(&["0 differ, 0 unknown", "asked anew: no moment; 0 calls"]).ok();
    assert_eq!(server.count(), asked);
}

#[test]
fn what_the_budget_has_no_room_for_is_left_unknown_and_said() {
    let (terminal, server) = asked();
    // The second question alone, so that what was asked comes out as it was.
    let second = terminal.types("find --being @mia --json").json_lines();
    let seqs: Vec<u64> = second.iter().filter(|told| !told["cost"].is_null()).map(|told| told["seq"].as_u64().unwrap()).collect();
    let line = format!("replay --with curt --ask --budget calls=1 --jobs 1 --from {} --json", seqs[1]);
    let left = terminal.types(&line).fails(1).warns(&["the budget had no room"]);
    let told: Value = serde_json::from_str(&left.out).unwrap();
    assert_eq!((told["differs"].as_u64(), told["unknown"].as_u64()), (Some(0), Some(1)), "{told}");
    assert_eq!(server.count(), 4, "one was asked");
    terminal.types("replay --with curt --budget calls=1").fails(2);
    terminal.types("replay --ask").fails(2);
}
