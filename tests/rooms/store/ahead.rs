//! Tests of `src/store/ahead.rs`.

use reelm::store::ahead::*;

fn call(being: &str, reply: Option<&str>) -> AheadCall {
    AheadCall {
        being: being.to_owned(),
        moment: format!("{being}:12.0"),
        request: "ab".to_owned(),
        connection: "tiny".to_owned(),
        reply: reply.map(str::to_owned),
        booked: None,
    }
}

fn replied(being: &str, reply: &str) -> AheadLine {
    AheadLine::Replied { being: being.to_owned(), request: "ab".to_owned(), reply: reply.to_owned() }
}

fn gone(being: &str) -> AheadLine {
    AheadLine::Gone { being: being.to_owned(), request: "ab".to_owned() }
}

fn booked(being: &str, n: u64) -> AheadLine {
    AheadLine::Booked { being: being.to_owned(), request: "ab".to_owned(), n }
}

#[test]
fn calls_are_read_as_they_were_written_and_a_file_that_was_changed_is_named() {
    use AheadLine::Begun;
    let dir = tempfile::tempdir().unwrap();
    let read = || AheadFile::of(dir.path()).unwrap().calls().cloned().collect::<Vec<_>>();
    assert_eq!(read(), []);
    let answer = "{\"body\":\"a \\\"b\\\"\\n\"}";
    let with_booking = AheadCall { booked: Some(13), ..call("@ben", Some(answer)) };
    let steps = [
        (vec![Begun(call("@ada", None))], vec![call("@ada", None)]),
        (vec![Begun(call("@ben", None))], vec![call("@ada", None), call("@ben", None)]),
        (
            vec![replied("@ada", answer), Begun(call("@cyd", None))],
            vec![call("@ada", Some(answer)), call("@ben", None), call("@cyd", None)],
        ),
        (vec![gone("@ada"), replied("@ben", answer)], vec![call("@ben", Some(answer)), call("@cyd", None)]),
        (vec![booked("@ben", 13)], vec![with_booking, call("@cyd", None)]),
        (vec![Begun(call("@ben", None))], vec![call("@ben", None), call("@cyd", None)]),
    ];
    for (lines, calls) in steps {
        AheadFile::of(dir.path()).unwrap().note(lines).unwrap();
        assert_eq!(read(), calls);
    }
    let path = dir.path().join(NAME);
    let whole = std::fs::read(&path).unwrap();
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        std::fs::write(&path, changed).unwrap();
        let refused = AheadFile::of(dir.path()).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(refused.contains("ahead") && refused.contains("booked nowhere"), "byte {at}: {refused}");
    }
    // A crash cuts off at the end what was not durable yet, and nothing before it.
    let last = whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    for at in last..whole.len() - 1 {
        std::fs::write(&path, &whole[..at]).unwrap();
        assert!(AheadFile::of(dir.path()).is_ok(), "cut at {at}");
    }
    std::fs::write(&path, &whole).unwrap();
    AheadFile::of(dir.path()).unwrap().note(vec![gone("@ben"), gone("@cyd")]).unwrap();
    assert!(!path.exists());
}

#[test]
fn a_file_to_which_much_is_appended_is_written_anew_and_stays_small() {
    let dir = tempfile::tempdir().unwrap();
    let mut file = AheadFile::of(dir.path()).unwrap();
    file.note(vec![AheadLine::Begun(call("@a", None))]).unwrap();
    for turn in 0..400 {
        let name = format!("@b{turn}");
        file.note(vec![AheadLine::Begun(call(&name, None))]).unwrap();
        file.note(vec![gone(&name)]).unwrap();
    }
    assert_eq!(AheadFile::of(dir.path()).unwrap().calls().cloned().collect::<Vec<_>>(), [call("@a", None)]);
    let lines = std::fs::read_to_string(dir.path().join(NAME)).unwrap().lines().count();
    assert!(lines < 100, "{lines} lines");
}

#[test]
fn what_could_not_be_written_is_written_the_next_time() {
    let dir = tempfile::tempdir().unwrap();
    let mut file = AheadFile::of(dir.path()).unwrap();
    file.note(vec![AheadLine::Begun(call("@a", None))]).unwrap();
    let path = dir.path().join(NAME);
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert!(file.note(vec![AheadLine::Begun(call("@b", None))]).is_err());
    std::fs::remove_dir(&path).unwrap();
    file.note(vec![AheadLine::Begun(call("@c", None))]).unwrap();
    let read: Vec<AheadCall> = AheadFile::of(dir.path()).unwrap().calls().cloned().collect();
    assert_eq!(read, [call("@a", None), call("@b", None), call("@c", None)]);
}
