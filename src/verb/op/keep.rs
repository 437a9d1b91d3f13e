//! Keep: what a being wants to have before it always, in its own words.

use crate::fact::{Code, Fact, Reason, Text, Value};
use crate::world::{Change, KEPT};

use super::super::right::Rule;
use super::super::short::tokens_of;
use super::deed::{Core, Deed};
use super::quality::check;

pub(super) const OPS: &[Core] = &[Core {
    name: "keep",
    target: &["being"],
    about: "keeps words before oneself always, in place of those before",
    told: &["keeps words before itself"],
    schema: r#"{"type":"object","required":["content"],"additionalProperties":false,"properties":{"content":{"type":"string"}}}"#,
    rule: Rule::Oneself,
    draft: keep,
}];

fn keep(deed: &Deed<'_>) -> Result<Vec<Fact>, Reason> {
    let (being, content) = (deed.being()?, deed.required("content")?);
    let (tokens, most) = (tokens_of(&content), deed.world.count_setting("tokens.keep", being));
    if tokens > most {
        return Err(Reason::new(Code::ArgsLength, format!("/content, {tokens} tokens of at most {most}")));
    }
    let (of, path) = (deed.target, Text::from(KEPT));
    if content.trim().is_empty() {
        return Ok(vec![Fact::QualityUnset { of, path }]);
    }
    let value = Value::Text(content);
    check(deed, &path, &Change::Set(&value))?;
    Ok(vec![Fact::QualitySet { of, path, value: value.into() }])
}
