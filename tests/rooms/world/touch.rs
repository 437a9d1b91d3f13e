//! Tests of `src/world/touch.rs`.

use reelm::world::touch::*;

#[test]
fn a_position_is_a_mark_of_its_own_and_an_argument_may_be_called_so() {
    let mark = |of, is_position| Some(Touch { of, is_position });
    for (written, meant) in [
        ("actor", mark(Touched::Actor, false)),
        ("target", mark(Touched::Target, false)),
        ("target.position", mark(Touched::Target, true)),
        ("args.who", mark(Touched::Argument("who"), false)),
        ("args.who.position", mark(Touched::Argument("who"), true)),
        ("args.a.b.position", mark(Touched::Argument("a.b"), true)),
        ("args.position", mark(Touched::Argument("position"), false)),
        ("args.position.position", mark(Touched::Argument("position"), true)),
        ("actor.position", None),
        ("target.qualities", None),
        ("args.", None),
        ("args..position", None),
        ("args", None),
        ("position", None),
        ("", None),
    ] {
        assert_eq!(Touch::parse(written), meant, "{written}");
    }
}
