//! Tests of `src/minds/ahead.rs`.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reelm::cognition::{Reply, Request};
use reelm::fact::{Call, Code};
use reelm::minds::{Ahead, AheadTerms, AnswerWait, Foresees as _, Heard, Minds};

use crate::kit::{Small, args};
use crate::mind::{WORLD, answered};

/// Keeps what it is asked, and answers nothing.
#[derive(Clone, Default)]
struct Keeps(Arc<Mutex<Vec<Request>>>);

impl Minds for Keeps {
    fn ask(&mut self, requests: &[Request]) -> Vec<Reply> {
        self.0.lock().unwrap().extend_from_slice(requests);
        requests.iter().map(|_| Reply::failed(Code::ReplyLost)).collect()
    }
}

/// A request as a world makes it.
fn request() -> Request {
    let (mut small, keeps) = (Small::plant(WORLD), Keeps::default());
    small.living().asking(Box::new(keeps.clone()));
    small.act("operator", Call::summon("@ada", args(r#"{"content":"hello"}"#)));
    small.run("1s");
    let asked = keeps.0.lock().unwrap();
    asked[0].clone()
}

/// Is answered by another thread, as soon as that can.
struct Elsewhere(Sender<Heard>);

impl Elsewhere {
    fn new() -> Self {
        let (begun, waits): (Sender<Heard>, Receiver<Heard>) = channel();
        std::thread::spawn(move || {
            for heard in waits {
                heard.tell(answered(&serde_json::json!({ "content": "Hm." })));
            }
        });
        Self(begun)
    }
}

impl Minds for Elsewhere {
    fn ask(&mut self, _: &[Request]) -> Vec<Reply> {
        unreachable!("each is begun by itself")
    }

    fn begin(&mut self, _: Request, heard: Heard) {
        self.0.send(heard).unwrap();
    }
}

#[test]
fn an_answer_that_comes_just_as_its_moment_begins_to_wait_for_it_is_heard() {
    let of = request();
    let mut ahead = Ahead::new(Box::new(Elsewhere::new()), AheadTerms::default(), None).unwrap();
    for n in 0..4_000 {
        let request = Request { who: format!("@ada/{n}").as_str().into(), body: format!("{{\"n\":{n}}}"), ..of.clone() };
        ahead.foresee(vec![request.clone()], &AnswerWait::default(), &(Arc::new(|| ()) as _));
        // Now a little sooner, now a little later: at some of them the two meet.
        (0..n * 37 % 3_000).for_each(|_| std::hint::spin_loop());
        let (tell, told) = channel();
        ahead.begin(request, Heard::new(move |reply| drop(tell.send(reply))));
        ahead.ask_again();
        assert!(told.recv_timeout(Duration::from_secs(20)).is_ok(), "the answer of moment {n} was lost");
    }
}
