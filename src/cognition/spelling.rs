//! Spelling: every way in which models write calls, reasoning and ends, a row each.
//!
//! A row has its name, the marks by which it is found, and how it is read. The readers stand in [`mod@tagged`] and [`mod@untagged`], and what
//! they give in [`mod@written`]. Each row has its test.

mod pythonic;
pub mod tagged;
pub mod untagged;
pub mod written;

use crate::dialect::REASONING_PARTS;

use written::{CallText, Marked};

/// One way of writing.
pub struct Spelling {
    /// Its name.
    pub name: &'static str,
    /// The marks by which it is found.
    pub marks: &'static [&'static str],
    /// How it is read.
    pub reads: SpelledAs,
}

/// How a spelling is read.
#[derive(Clone, Copy)]
pub enum SpelledAs {
    /// A call behind a mark, which counts also inside a line.
    Tagged(fn(Marked<'_>) -> Option<CallText>),
    /// A call without a mark of its own, which counts only where it begins a line.
    Untagged(fn(Marked<'_>) -> Option<CallText>),
    /// The name of a call without what models put around it.
    Name(fn(&str) -> &str),
    /// Reasoning between its mark and one of these.
    Reasoning {
        /// Marks that belong to it. One of them alone ends reasoning that began before the text.
        closes: &'static [&'static str],
        /// Marks of what follows it.
        stops: &'static [&'static str],
    },
    /// Reasoning as a part of this type of an answer's content, which the dialect leaves out.
    Part,
    /// An end or a header, which nobody says.
    End,
    /// The same, where it ends a line: elsewhere it may be meant.
    LineEnd,
}

const fn tagged(name: &'static str, marks: &'static [&'static str], read: fn(Marked<'_>) -> Option<CallText>) -> Spelling {
    Spelling { name, marks, reads: SpelledAs::Tagged(read) }
}

const fn untagged(name: &'static str, marks: &'static [&'static str], read: fn(Marked<'_>) -> Option<CallText>) -> Spelling {
    Spelling { name, marks, reads: SpelledAs::Untagged(read) }
}

const fn residue(name: &'static str, marks: &'static [&'static str], read: fn(&str) -> &str) -> Spelling {
    Spelling { name, marks, reads: SpelledAs::Name(read) }
}

const fn reasoning(name: &'static str, marks: &'static [&'static str], closes: &'static [&'static str]) -> Spelling {
    Spelling { name, marks, reads: SpelledAs::Reasoning { closes, stops: &[] } }
}

const fn ends(name: &'static str, marks: &'static [&'static str]) -> Spelling {
    Spelling { name, marks, reads: SpelledAs::End }
}

/// Every spelling. Where two have the same mark, the first that can be read counts.
pub static SPELLINGS: &[Spelling] = &[
    tagged("Hermes", &["<tool_call>", "<function_call>", "<|tool_call|>"], tagged::json),
    tagged("Qwen3-Coder", &["<tool_call>", "<function="], tagged::function),
    tagged("GLM", &["<tool_call>"], tagged::keys_and_values),
    tagged("a name before JSON", &["<tool_call>", "<function_call>"], tagged::name_before_json),
    tagged("a function behind a tag", &["<tool_call>", "<|tool_call_start|>"], tagged::python),
    tagged(
        "a dictionary behind a tag",
        &["<tool_call>", "<function_call>", "<|tool_call|>", "<|tool_call_start|>", "[TOOL_CALLS]", "<|python_tag|>"],
        tagged::dictionary,
    ),
    tagged("Llama", &["<|python_tag|>"], tagged::json),
    tagged("Mistral's list", &["[TOOL_CALLS]"], tagged::json),
    tagged("Mistral's name", &["[TOOL_CALLS]"], tagged::args_mark),
    tagged("Mistral's name before JSON", &["[TOOL_CALLS]"], tagged::name_before_json),
    tagged(
        "DeepSeek",
        &["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<|tool▁calls▁begin|>", "<|tool_calls_begin|>", "<|tool_call_begin|>"],
        tagged::separated,
    ),
    tagged("Kimi", &["<|tool_calls_section_begin|>", "<|tool_call_begin|>"], tagged::argument_begin),
    tagged(
        "harmony",
        &["<|start|>assistant<|channel|>commentary to=", "<|start|>assistant to=", "<|channel|>commentary to=", "<|channel|>analysis to="],
        tagged::addressed,
    ),
    tagged(
        "invoke",
        &["<invoke name=", "<function_calls>", "<minimax:tool_call>", "<｜DSML｜function_calls>", "<｜DSML｜invoke name="],
        tagged::invoke,
    ),
    untagged("fenced", &["```"], untagged::fenced),
    untagged("JSON", &["{", "["], untagged::json),
    untagged("Python's dictionary", &["{", "["], untagged::dictionary),
    untagged("Python's functions", &["["], untagged::python),
    residue("a channel behind the name", &["<|"], |name| name.split("<|").next().unwrap_or_default()),
    residue("a number behind the name", &[":0"], |name| match name.trim_end().rsplit_once(':') {
        Some((name, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => name,
    }),
    residue("a namespace before the name", &["functions.", "tools."], |name| name.rsplit(['.', ':', '/']).next().unwrap_or_default()),
    residue("space around the name", &[" "], str::trim),
    reasoning("think", &["<think>"], &["</think>"]),
    reasoning("thinking", &["<thinking>"], &["</thinking>"]),
    reasoning("thought", &["<thought>"], &["</thought>"]),
    reasoning("reasoning", &["<reasoning>"], &["</reasoning>"]),
    reasoning("THINK", &["[think]"], &["[/think]"]),
    reasoning("think in triangles", &["◁think▷"], &["◁/think▷"]),
    reasoning("Seed's think", &["<seed:think>"], &["</seed:think>"]),
    reasoning("Cohere's thinking", &["<|start_thinking|>"], &["<|end_thinking|>"]),
    reasoning("a thought between bars", &["<|begin_of_thought|>"], &["<|end_of_thought|>"]),
    Spelling {
        name: "harmony's analysis",
        marks: &["<|start|>assistant<|channel|>analysis<|message|>", "<|channel|>analysis<|message|>"],
        reads: SpelledAs::Reasoning { closes: &[], stops: &["<|end|>", "<|start|>", "<|channel|>", "<|return|>"] },
    },
    Spelling { name: "a part that is reasoning", marks: REASONING_PARTS, reads: SpelledAs::Part },
    ends("ChatML", &["<|im_end|>", "<|im_start|>assistant"]),
    ends("the end of a text", &["<|endoftext|>", "<|end_of_text|>", "<｜end▁of▁sentence｜>", "<|eos|>"]),
    ends("Llama's ends", &["<|eot_id|>", "<|eom_id|>", "<|start_header_id|>assistant<|end_header_id|>"]),
    ends("Gemma's end", &["<end_of_turn>", "<|end_of_turn|>"]),
    ends("Cohere's ends", &["<|end_of_turn_token|>", "<|start_response|>", "<|end_response|>"]),
    ends("GLM's turns", &["<|observation|>", "<|user|>", "<|assistant|>"]),
    ends(
        "harmony's headers",
        &["<|start|>assistant", "<|channel|>final", "<|channel|>commentary", "<|message|>", "<|return|>", "<|call|>", "<|end|>"],
    ),
    Spelling { name: "the end of a sequence", marks: &["</s>", "<eos>", "[eos]"], reads: SpelledAs::LineEnd },
];
