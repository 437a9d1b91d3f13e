//! Limits: can nobody fill another's inbox, and do dead letters stay as many as are kept?

use reelm::fact::{Call, Closing};

use super::kit::{Small, args, code};

/// A sink that is a person, some who speak to it, and those whom one of them gave birth to.
fn hall(senders: &[(&str, &str)]) -> Small {
    let sender = |(name, parent): &(&str, &str)| {
        let parent = if parent.is_empty() { String::new() } else { format!("parent = \"@{parent}\"\n") };
        format!("[[being]]\nname = \"{name}\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\n{parent}")
    };
    let senders: String = senders.iter().map(sender).collect();
    Small::plant(&format!(
        "[[space]]\npath = \"/hall\"\n[[being]]\nname = \"sink\"\nhome = \"/hall\"\nrole = \"free\"\ncognition = \"human\"\nsettings = {{ \"limits.inbox\" = 8 }}\n{senders}"
    ))
}

fn speaks(small: &mut Small, who: &str) -> String {
    let said = small.act(who, Call::summon("@sink", args(r#"{"content":"And now?"}"#)));
    match &said.closing {
        Closing::Refused(reason) => format!("{} at {}", reason.code, reason.at),
        _ => code(&said),
    }
}

const FULL: &str = "inbox-full at @sink";

#[test]
fn an_inbox_takes_so_many_and_a_quarter_of_that_from_one_sender() {
    let mut small = hall(&[("ann", ""), ("ben", ""), ("cid", ""), ("dot", ""), ("eve", "")]);
    for who in ["ann", "ben", "cid", "dot"] {
        assert_eq!([speaks(&mut small, who), speaks(&mut small, who), speaks(&mut small, who)], ["act", "act", FULL], "{who}");
    }
    assert_eq!(speaks(&mut small, "eve"), FULL, "nobody else has room either");
    // As soon as one is taken up there is room for one.
    let wake = small.world().inbox().of(small.id_of("sink")).next().unwrap().id.clone();
    small.answer("sink", Call::summon("@ann", args(r#"{"content":"Later."}"#)));
    assert!(small.world().inbox().get(small.id_of("sink"), &wake).is_none());
    assert_eq!([speaks(&mut small, "eve"), speaks(&mut small, "ann")], ["act", FULL]);
    assert_eq!(small.replay().unwrap().difference, None);
}

#[test]
fn those_whom_one_gave_birth_to_are_one_sender_with_it() {
    let mut small = hall(&[("ann", ""), ("kid", "ann"), ("kin", "kid"), ("ben", "")]);
    assert_eq!(["kid", "kin", "ann"].map(|who| speaks(&mut small, who)), ["act", "act", FULL]);
    assert_eq!(["ben", "kid"].map(|who| speaks(&mut small, who)), ["act", FULL]);
}

#[test]
fn the_newest_dead_letters_of_a_being_are_kept() {
    let mut small = Small::plant(
        "[[space]]\npath = \"/hall\"\n[[being]]\nname = \"ada\"\nhome = \"/hall\"\nrole = \"free\"\nscript = \"fail\"\nsettings = { \"limits.dead\" = 3, \"attempts.max\" = 1 }\n",
    );
    let mut said = Vec::new();
    for _ in 0..7 {
        said.push(small.act("operator", Call::summon("@ada", args(r#"{"content":"well?"}"#))).seq);
        small.run("10s");
    }
    let kept: Vec<u64> = small.world().inbox().dead().map(|(_, letter)| letter.wake.id.cause.seq).collect();
    assert_eq!(kept, said[4..]);
    assert_eq!(small.reel("ada").iter().filter(|moment| moment.closing.word() == "dead-letter").count(), 7, "history has them all");
    let before = small.world().hash();
    small.reopen();
    assert_eq!(small.world().hash(), before);
    for key in ["limits.dead", "limits.inbox"] {
        let refused = small.act("operator", Call::doing("@ada", "config.set", args(&format!(r#"{{"key":"{key}","value":0}}"#))));
        assert_eq!(code(&refused), "args-minimum", "{key}");
    }
}
