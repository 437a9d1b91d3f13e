//! Tests of `src/dialect/ends.rs`.

use reelm::dialect::ends::EndedBy;

#[test]
fn every_word_for_an_end_is_whole_or_calls_or_refuses_or_is_malformed_and_every_other_is_cut() {
    let by = |word: &str| EndedBy::by(Some(word), "/at");
    for word in ["", "stop", "STOP", "end_turn", "eos", "eos_token", "stop_sequence", "COMPLETE"] {
        assert_eq!(by(word), EndedBy::Whole, "{word}");
    }
    for word in ["tool_calls", "function_call", "tool_use"] {
        assert_eq!(by(word), EndedBy::Calling("/at"), "{word}");
    }
    for word in [
        "content_filter",
        "refusal",
        "sensitive",
        "SPII",
        "SAFETY",
        "PROHIBITED_CONTENT",
        "BLOCKLIST",
        "RECITATION",
        "guardrail_intervened",
    ] {
        assert_eq!(by(word), EndedBy::Refused, "{word}");
    }
    for word in ["MALFORMED_FUNCTION_CALL", "malformed_function_call", "UNEXPECTED_TOOL_CALL"] {
        assert_eq!(by(word), EndedBy::Malformed("/at"), "{word}");
    }
    for word in [
        "length",
        "max_tokens",
        "model_length",
        "model_context_window_exceeded",
        "pause_turn",
        "error",
        "abort",
        "timeout",
        "load",
        "who knows",
    ] {
        assert_eq!(by(word), EndedBy::Cut("/at"), "{word}");
    }
    assert_eq!(EndedBy::by(None, "/at"), EndedBy::Whole);
}
