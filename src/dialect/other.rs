//! Other: a provider that is made up, whose every key is another: what one file says of it is enough for all of the house.

use serde_json::{Value as Json, json};

use crate::fact::{Code, Reason};

use super::record::{Dialect, InnerError, Means, Question, Spoken, TokenCount, Tool, Used};

pub(super) static DIALECT: Dialect = Dialect {
    word: "other",
    ours: &["to", "letter", "may"],
    url: |base| format!("{base}/letters"),
    key: |key| ("x-key", key.to_owned()),
    headers: &[],
    body,
    messages: |body| vec![("letter".to_owned(), body["letter"].as_str().unwrap_or_default().to_owned())],
    longest: |body| body["words"].as_u64().unwrap_or(7),
    varied: |_, _| None,
    fault: |answer| answer.get("fault").map(|_| InnerError::default()),
    hear,
    usage: |answer| Used {
        model: answer["by"].as_str().map(str::to_owned),
        usage: answer["read"].as_u64().zip(answer["wrote"].as_u64()).map(|(input, output)| TokenCount { input, cached: 0, output }),
    },
    says: |text| json!({ "says": text }),
};

fn body(question: &Question<'_>) -> Json {
    let tool = |tool: &Tool| json!([tool.name, tool.about, tool.parameters]);
    let may: Json = match &question.acts {
        Means::Tools(tools) | Means::Held(tools) => tools.iter().map(tool).collect(),
        Means::Schema(schema) => schema.clone(),
    };
    let mut body = json!({ "to": question.model, "letter": format!("{}\n{}", question.system, question.user), "may": may });
    for (key, value) in question.sampling.as_map().into_iter().flatten() {
        body[key.as_ref()] = serde_json::to_value(value).unwrap_or_default();
    }
    body
}

fn hear(answer: &Json) -> Result<Spoken, Reason> {
    let text = answer["says"].as_str().ok_or_else(|| Reason::new(Code::ReplyMalformed, "/says"))?;
    let call = answer.get("does").map(|call| (call.clone(), "/does"));
    Ok(Spoken { call, text: text.to_owned(), ..Spoken::default() })
}
