//! Tests of `src/source/heard.rs`.

use reelm::source::heard::mentions;

#[test]
fn a_text_mentions_a_signal_by_its_path_or_by_what_it_is_part_of() {
    for text in [
        "signal(\"t.a.b\")",
        "signal(\"t.a\").b",
        "signal(\"t\")",
        "signal(\"t.\" + face.me.name)",
        "signal(`t.${x}`)",
        "{\"when\":{\"world.t.a\":1}}",
        "signal(\"t.a.b.c\")",
    ] {
        assert!(mentions(text, "t.a.b"), "{text}");
    }
    for text in ["signal(\"start\")", "signal(\"t.b\")", "{\"when\":{\"world.s.t\":1}}", ""] {
        assert!(!mentions(text, "t.a.b"), "{text}");
    }
}
