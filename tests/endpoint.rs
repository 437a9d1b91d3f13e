//! Endpoint: who is asked when one does not answer, which machines may be asked at all, and how a model acts that takes no tools?

use reelm::fact::{Call, Canon, Closing, Content, Thought, Value};
use reelm::minds::Endpoints;
use reelm::store::Store;
use serde_json::json;

use super::kit::{Small, args, code};
use super::mind::{WORLD, body, reply_of, serve, tool};

const TINY: &str = "\"llm.tiny\" = { base_url = \"http://127.0.0.1:9/v1\", model = \"tiny\", sampling = { temperature = 0, seed = 7 } }";

/// The small world of models with other connections, after Ada has been spoken to.
fn spoken_to(connections: &str) -> Small {
    assert!(WORLD.contains(TINY));
    let mut small = Small::plant(&WORLD.replace(TINY, connections));
    small.living().asking(Box::new(Endpoints::default()));
    small.act("operator", Call::summon("@ada", args(r#"{"content":"Say hello, Ada."}"#)));
    small.run("500ms");
    small
}

fn spoken() -> String {
    body(&tool("do", json!({ "target": "/hall", "action": "say", "args": { "content": "Hello." } })))
}

#[test]
fn who_does_not_answer_is_followed_by_the_next_and_what_came_of_it_is_recorded() {
    let (busy, busy_served) = serve(vec![(503, "retry-after: 0\r\n", "{}".to_owned()); 3]);
    let (other, other_served) = serve(vec![(200, "", spoken())]);
    let small = spoken_to(&format!(
        "\"llm.tiny\" = {{ base_url = \"{busy}\", model = \"tiny\", failover = [\"gone\", \"unknown\", \"tiny\", \"other\"] }}\n\
         \"llm.gone\" = {{ base_url = \"https://10.9.8.7/v1\", model = \"gone\" }}\n\
         \"llm.other\" = {{ base_url = \"{other}\", model = \"big\", sampling = {{ seed = 9 }} }}"
    ));
    assert_eq!((busy_served.join().unwrap().len(), other_served.join().unwrap().len()), (3, 1));
    let moment = small.reel("ada").remove(0);
    assert_eq!(moment.closing, Closing::Act);
    let reply = reply_of(&small);
    let text = |key: &str| reply.get(key).and_then(Value::as_str).map(str::to_owned);
    assert_eq!((text("connection").as_deref(), text("model").as_deref()), (Some("other"), Some("tiny")), "the model as it was served");
    let tried: Vec<String> = reply.get("tried").unwrap().as_list().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(tried.len(), 4, "{tried:?}");
    assert!(tried[..3].iter().all(|one| one.contains("503") && one.contains("tiny")), "{tried:?}");
    assert!(tried[3].contains("endpoint-private") && tried[3].contains("gone"), "{tried:?}");
    // The request that is recorded is the one that was answered.
    let Thought::Model { request: Content::There { hash, .. }, .. } = &moment.thought else { panic!("{:?}", moment.thought) };
    let request = Value::from_canon(&small.shelf.blob(hash).unwrap().unwrap()).unwrap();
    assert!(request.get("body").and_then(Value::as_str).unwrap().contains("\"seed\":9"));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn another_provider_is_spoken_to_in_its_own_words_and_the_moment_replays() {
    let used = r#"{"type":"tool_use","id":"toolu_1","name":"do","input":{"target":"/hall","action":"say","args":{"content":"Hello."}}}"#;
    let answer = format!(
        r#"{{"type":"message","role":"assistant","model":"tiny-1","content":[{{"type":"text","text":"Well."}},{used}],"stop_reason":"tool_use","usage":{{"input_tokens":9,"cache_read_input_tokens":40,"output_tokens":7}}}}"#
    );
    let (address, served) = serve(vec![(529, "retry-after: 0\r\n", "{}".to_owned()), (200, "", answer)]);
    let small = spoken_to(&format!(
        "\"llm.tiny\" = {{ dialect = \"anthropic\", base_url = \"{address}\", model = \"tiny\", key = \"env:CARGO_PKG_NAME\", strict = true, sampling = {{ max_tokens = 50 }} }}"
    ));
    let heard = served.join().unwrap();
    let (head, sent) = heard[1].split_once("\r\n\r\n").unwrap();
    let (head, sent) = (head.to_lowercase(), serde_json::from_str::<serde_json::Value>(sent).unwrap());
    assert!(head.starts_with("post /v1/messages ") && head.contains("x-api-key: reelm") && head.contains("anthropic-version: 2023-06-01"));
    assert!(!head.contains("authorization"));
    assert_eq!((&sent["max_tokens"], &sent["messages"][0]["role"]), (&json!(50), &json!("user")));
    assert!(sent["tools"].as_array().unwrap().iter().all(|tool| tool["input_schema"]["type"] == "object"), "{}", sent["tools"]);
    let moment = small.reel("ada").remove(0);
    assert_eq!((&moment.closing, moment.call.as_ref().unwrap().content.as_deref()), (&Closing::Act, Some("Well.")));
    let spent = moment.cost().unwrap();
    assert_eq!((spent.spend.input, spent.spend.output, spent.model.as_ref()), (49, 7, "tiny-1"));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_machine_of_this_network_is_not_asked_unless_the_operator_says_so() {
    let (address, served) = serve(vec![(200, "", spoken())]);
    // A name that only leads here, as one does that was bound anew after it was judged.
    for (url, said) in [
        ("http://169.254.169.254/latest", "endpoint-private"),
        ("http://10.0.0.1/v1", "endpoint-private"),
        ("https://[fd00:ec2::254]/v1", "endpoint-private"),
        ("http://[::ffff:10.0.0.1]/v1", "endpoint-private"),
        ("http://93.184.216.34/v1", "endpoint-plain"),
        ("ftp://127.0.0.1/v1", "endpoint-refused"),
        ("http://0.0.0.0/v1", "endpoint-private"),
    ] {
        let small = spoken_to(&format!("\"llm.tiny\" = {{ base_url = \"{url}\", model = \"tiny\" }}"));
        assert_eq!(code(&small.reel("ada")[0]), said, "{url}");
        assert_eq!(reply_of(&small).get("attempts"), Some(&Value::Int(1)), "asking again changes nothing: {url}");
    }
    // Here `0.0.0.0` leads to the server above: it is asked once its network is allowed.
    let here = address.replace("127.0.0.1", "0.0.0.0");
    let small = spoken_to(&format!("\"llm.allow\" = [\"0.0.0.0/8\"]\n\"llm.tiny\" = {{ base_url = \"{here}\", model = \"tiny\" }}"));
    assert_eq!((small.reel("ada").remove(0).closing, served.join().unwrap().len()), (Closing::Act, 1));
}

#[test]
fn a_model_without_tools_answers_with_json_that_is_held_to_a_schema() {
    let said = json!({ "content": json!({ "name": "do", "arguments": { "target": "/hall", "action": "say", "args": { "content": "Hi." } } }).to_string() });
    let (address, served) = serve(vec![(200, "", body(&said))]);
    let small = spoken_to(&format!(
        "\"llm.tiny\" = {{ base_url = \"{address}\", model = \"tiny\", tools = \"json_schema\", sampling = {{ tool_choice = \"required\" }} }}"
    ));
    let heard = served.join().unwrap().remove(0);
    let sent: serde_json::Value = serde_json::from_str(heard.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert!(sent.get("tools").is_none() && sent.get("tool_choice").is_none());
    let names: Vec<&str> = sent["response_format"]["json_schema"]["schema"]["properties"]["act"]["anyOf"]
        .as_array()
        .unwrap()
        .iter()
        .map(|act| act["properties"]["name"]["enum"][0].as_str().unwrap())
        .collect();
    assert_eq!(names, ["see", "do", "summon", "be", "nothing"]);
    assert!(sent["messages"][0]["content"].as_str().unwrap().contains("Answer with one JSON object"));
    assert_eq!(small.reel("ada")[0].closing, Closing::Act);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn a_word_that_is_no_dialect_is_an_error_that_names_the_line_and_those_that_there_are() {
    let text = "name = \"small\"\nseed = 1\n[config]\n\"llm.tiny\" = { dialect = \"opnai\", base_url = \"http://127.0.0.1:9/v1\", model = \"tiny\" }\n";
    let error = reelm::source::Source::parse(std::path::Path::new("."), "world.toml", text).err().unwrap();
    assert_eq!(error.to_string(), "world.toml:4:26: llm.tiny: expected a dialect (`openai`, `anthropic`), found `opnai`");
}
