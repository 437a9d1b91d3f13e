//! Providers: do the providers' own packages take what their models are sent, and do we take in the replies that those packages write?
//!
//! tests/providers/server.py holds each request to the types of the Python packages `openai` and `anthropic` and answers by their models of
//! a reply. `tests/install.py providers` puts both into target/providers.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value as Json, json};

use super::parts::PROVIDERS;
use super::terminal::Terminal;

/// The server; it ends with the test.
struct Provider {
    process: Child,
    port: String,
}

impl Provider {
    fn new(python: &Path, log: &Path) -> Self {
        let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/providers/server.py");
        let mut process = Command::new(python).arg(server).arg(log).stdout(Stdio::piped()).spawn().unwrap();
        let mut port = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut port).unwrap();
        Self { process, port: port.trim().to_owned() }
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Each way in which a model can be asked: the name of a being and its model, and what its connection says beside where it is.
const WAYS: &[(&str, &str)] = &[
    ("plain", ""),
    (
        "sampled",
        "sampling = { temperature = 0.4, top_p = 0.9, seed = 7, presence_penalty = 0.1, frequency_penalty = 0.2, tool_choice = \"required\", max_tokens = 200 }",
    ),
    ("near", "strict = true"),
    ("held", "tools = \"strict\", sampling = { max_tokens = 300 }"),
    ("schema", "tools = \"json_schema\", sampling = { tool_choice = \"required\" }"),
    ("limited", "answer_limit = \"max_completion_tokens\", sampling = { max_tokens = 400 }"),
    ("message", "dialect = \"anthropic\""),
    ("thinking", "dialect = \"anthropic\", sampling = { max_tokens = 2048, thinking = { type = \"enabled\", budget_tokens = 1024 } }"),
    ("message-near", "dialect = \"anthropic\", strict = true, sampling = { tool_choice = \"required\", stop_sequences = [\"@end\"] }"),
    ("message-held", "dialect = \"anthropic\", tools = \"strict\""),
    ("message-schema", "dialect = \"anthropic\", tools = \"json_schema\""),
];

/// A hall in which each of them is asked every minute.
fn hall(port: &str) -> String {
    let mut text = "name = \"hall\"\n[config]\n".to_owned();
    for (name, says) in WAYS {
        let comma = if says.is_empty() { "" } else { ", " };
        text += &format!(
            "\"llm.{name}\" = {{ base_url = \"http://127.0.0.1:{port}/v1\", model = \"{name}\", key = \"env:KIT_KEY\"{comma}{says} }}\n"
        );
    }
    let prices: Vec<String> = WAYS.iter().map(|(name, _)| format!("\"{name}\" = {{ input = 10, cached = 1, output = 20 }}")).collect();
    text += &format!("\"llm.prices\" = {{ {} }}\n\"llm.budget\" = {{ day = {{ money = 1000 }} }}\n", prices.join(", "));
    text += "[[space]]\npath = \"/hall\"\nallow = [\"say\"]\n";
    for (name, _) in WAYS {
        text += &format!(
            "[[being]]\nname = \"{name}\"\nhome = \"/hall\"\ncognition = \"llm\"\nrole = \"guest\"\nsettings = {{ \"llm.connection\" = \"{name}\" }}\n[[being.schedule]]\nname = \"turn\"\nevery = \"1m\"\ncontent = \"Look around.\"\n"
        );
    }
    text
}

#[test]
#[ignore = "long: the packages of two providers of models"]
fn requests_pass_the_providers_own_packages_and_replies_that_those_write_are_taken_in() {
    let Some(python) = PROVIDERS.place() else { return };
    let terminal = Terminal::new();
    let provider = Provider::new(&python, &terminal.path("asked"));
    terminal.write("hall/world.toml", &hall(&provider.port));
    let role = "---\nname: guest\ncanSee: ['/hall', '@*']\ncanDo: [say]\ncanSummon: ['@*']\ntriggerOn: [message, schedule]\n---\nYou are a guest.\n";
    terminal.write("hall/roles/guest.md", role);
    let said = terminal.shell("KIT_KEY=kit-key $reelm run hall --for 150s --quiet");
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let asked = terminal.read("asked");
    let asked: Vec<Json> = asked.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let wrong: Vec<&Json> = asked.iter().filter(|asked| asked["wrong"] != json!([])).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(asked.len(), 3 * WAYS.len());
    for (name, _) in WAYS {
        // A look goes on at once: it looks, it says something, and a minute later it has nothing to do.
        let moments = terminal.types(&format!("log @{name} --json")).json_lines();
        let heard: Vec<&Json> = moments.iter().map(|moment| &moment["report"]).filter(|report| !report["cost"].is_null()).collect();
        let deeds: Vec<&str> = heard.iter().map(|report| report["deed"].as_str().unwrap()).collect();
        assert_eq!(deeds, ["see /hall", r#"do /hall say {"content":"Good evening."}"#, ""], "@{name}");
        for report in heard {
            // 400 tokens read at the full price, 600 at that of what is kept, and 50 written.
            let cost = &report["cost"];
            assert_eq!([&cost["input"], &cost["output"], &cost["money"]], [&json!(1000), &json!(50), &json!(5_600)], "@{name}: {cost}");
            assert_eq!(cost["model"], format!("{name}-2026"));
        }
    }
    // Thinking is recorded with the reply, and replay needs nobody.
    drop(provider);
    terminal.types("explain @thinking/1").fails(0).says(&["What does the hall need?"]);
    terminal.types("replay").fails(0).says(&["identical"]);
}
