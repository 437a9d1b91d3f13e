//! Unread: what does an act cost that is refused before anybody reads its arguments, and does replay decide the same without them?

use reelm::fact::{Call, Canon, Closing, Content, Draft, Fact, Frame, Hash, SecretKey, UNREAD_MAX, Value};
use reelm::replay::{Thread, replay};
use reelm::role::Spec;
use reelm::store::Record;

use super::kit::{Small, args, code, source};
use super::law::sealed_again;

/// Hal may make things and look; the hall is not hers. Zed may do whatever there is with identities.
fn world() -> Small {
    let mut source = source(concat!(
        "[[space]]\npath = \"/hall\"\n",
        "[[being]]\nname = \"hal\"\nhome = \"/hall\"\nrole = \"narrow\"\ncognition = \"human\"\n",
        "[[being]]\nname = \"zed\"\nhome = \"/hall\"\nrole = \"binder\"\ncognition = \"human\"\n",
        "[[being]]\nname = \"bob\"\nhome = \"/hall\"\nrole = \"narrow\"\nscript = \"shout\"\n[[being.schedule]]\nname = \"tick\"\nevery = \"10s\"\n",
    ));
    let role = "---\nname: narrow\ncanSee: ['/hall']\ncanDo: ['matter.make', {action: quality.set, ns: mood}]\n---\n";
    source.roles.push(Spec::from_markdown("narrow.md", role).unwrap());
    source.roles.push(Spec::from_markdown("binder.md", "---\nname: binder\ncanBe: ['*']\n---\n").unwrap());
    let shout = r#"fn think(face) { let words = "ha"; words.pad(2000, "!"); act("/hall", "say", #{ content: words }) }"#;
    source.scripts.push(("shout".into(), "scripts/shout.rhai".into(), shout.into()));
    Small::grow(&source, 1, 1)
}

fn large(key: &str) -> Value {
    Value::map([(key, Value::text("x".repeat(950_000)))])
}

/// The size of the log, in bytes.
fn size(small: &Small) -> usize {
    let bytes = |record: &Record| match record {
        Record::Frame { bytes, .. } => bytes.len(),
        Record::Blob { bytes, .. } => bytes.len(),
    };
    small.shelf.groups().iter().flat_map(|group| &group.records).map(bytes).sum()
}

#[test]
fn a_hundred_acts_of_950_kilobytes_that_are_refused_cost_a_few_hundred_bytes_each() {
    let mut small = world();
    let before = size(&small);
    for _ in 0..100 {
        assert_eq!(code(&small.act("hal", Call::doing("/hall", "say", large("content")))), "gate-role");
    }
    let each = (size(&small) - before) / 100;
    assert!(each < 400, "{each} bytes");
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn of_whatever_role_and_target_alone_refuse_only_hash_and_length_are_kept() {
    let mut small = world();
    let words = || Some("w".repeat(60_000).as_str().into());
    let calls = [
        ("hal", "gate-role", Call::doing("/hall", "say", large("content"))),
        ("hal", "gate-role", Call { content: words(), ..Call::doing("/hall", "say", args("{}")) }),
        ("hal", "not-found", Call::doing("/nowhere", "matter.make", large("content"))),
        ("hal", "gate-place", Call::doing("/hall", "matter.make", large("content"))),
        ("hal", "gate-role", Call::be("fly", large("how"))),
        ("zed", "unknown-operation", Call::be("fly", large("how"))),
        ("hal", "gate-role", Call::be("birth", large("qualities"))),
        ("hal", "gate-role", Call::summon("@bob", large("content"))),
        ("hal", "gate-role", Call { args: large("content").into(), ..Call::see("/") }),
        ("hal", "see", Call { args: large("content").into(), ..Call::see("/hall") }),
    ];
    for (name, expected, call) in calls {
        let before = size(&small);
        let draft = small.act(name, call.clone());
        assert_eq!(code(&draft), expected, "{draft:?}");
        let recorded = draft.call.unwrap();
        let Content::Unread { hash, len } = recorded.args else { panic!("{expected}: {:?}", recorded.args) };
        let Content::Here(given) = &call.args else { unreachable!() };
        let whole = (given.clone(), call.content.clone());
        assert_eq!((hash, len), (Hash::of(&canon(&whole)), canon(&whole).len() as u64), "{expected}");
        assert_eq!((recorded.content, &recorded.target, &recorded.action), (None, &call.target, &call.action));
        assert!(size(&small) - before < 400);
    }
    small.run("10s");
    let shouted = small.reel("bob").remove(0);
    assert!(matches!(shouted.call.unwrap().args, Content::Unread { .. }), "a script's too");
    assert_eq!(small.replay().unwrap().difference, None);
    let hash = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), hash);
}

/// The canonical bytes of arguments and words.
fn canon((args, words): &(Value, Option<reelm::fact::Text>)) -> Vec<u8> {
    Value::List(vec![args.clone(), words.as_ref().map_or(Value::Null, Value::from)]).to_canon()
}

#[test]
fn what_a_rule_read_and_what_is_little_is_kept_whole() {
    let mut small = world();
    let text = |draft: &Draft| draft.call.clone().unwrap().args;
    let little = args(r#"{"content":"hello"}"#);
    assert_eq!(text(&small.act("hal", Call::doing("/hall", "say", little.clone()))), Content::Here(little));
    // The role binds a namespace: it read the path.
    let bound = small.act("hal", Call::doing("@hal", "quality.set", Value::map([("path", Value::text("t.n")), ("value", large("x"))])));
    assert_eq!(code(&bound), "gate-role");
    assert!(matches!(text(&bound), Content::There { len, .. } if len > 950_000));
    let unfit = small.act("hal", Call::doing("@hal", "matter.make", large("nose")));
    assert_eq!(code(&unfit), "args-unknown");
    assert!(matches!(text(&unfit), Content::There { len, .. } if len > 950_000));
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn another_hash_or_length_of_what_a_script_proposed_is_a_difference() {
    for alter in [(|len| len + 1, false), (|len| len, true)] as [(fn(u64) -> u64, bool); 2] {
        let mut small = world();
        small.run("10s");
        let bob = small.id_of("bob");
        let mut drafts = small.shelf.drafts();
        let at = drafts.iter().position(|draft| draft.being == bob).unwrap();
        let Some(Call { args: Content::Unread { hash, len }, .. }) = &mut drafts[at].call else { panic!("nothing was left out") };
        *len = alter.0(*len);
        if alter.1 {
            *hash = Hash::of(b"another");
        }
        let shelf = sealed_again(&small, drafts);
        let found = replay(&shelf, small.id, Thread::default(), &mut |_| {}).unwrap().difference.unwrap();
        assert_eq!((found.seq, found.field), (at as u64, "call"));
    }
}

#[test]
fn no_frame_can_leave_out_what_must_have_been_read() {
    let mut small = world();
    let refused = small.act("hal", Call::doing("/hall", "say", large("content")));
    let key = SecretKey::from_bytes(&[7; 32]);
    let reads = |change: &dyn Fn(&mut Draft)| {
        let mut draft = refused.clone();
        change(&mut draft);
        Frame::read(draft.seal(&key).unwrap().bytes()).is_ok()
    };
    let unread = |len: usize| Content::Unread { hash: Hash::of(b""), len: len as u64 };
    assert!(reads(&|_| {}));
    assert!(!reads(&|draft| draft.closing = Closing::Act), "an act");
    assert!(!reads(&|draft| draft.call.as_mut().unwrap().content = Some("words".into())), "words beside it");
    assert!(!reads(&|draft| draft.call.as_mut().unwrap().args = unread(UNREAD_MAX)), "little");
    assert!(!reads(&|draft| draft.facts = vec![Fact::Signalled { path: "t.n".into(), value: unread(5000) }]), "a fact");
}
