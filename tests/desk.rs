//! Desk: does the world that ships with its own outside live as its README says, from a complaint to the answer, and replay without any of it?

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::json;

use super::kit::until;
use super::served::{MODEL_KEY, Served};
use super::terminal::Terminal;

/// The shop of the desk: all that lies outside it.
struct Shop {
    child: Child,
    heard: std::sync::mpsc::Receiver<String>,
    port: u16,
}

impl Drop for Shop {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The shop of a desk at a free port, and the desk with it; none where there is no Python.
fn begun() -> Option<(Terminal, Shop)> {
    let terminal = Terminal::new();
    let said = terminal.types("new desk --from desk").ok();
    assert!(said.contains("python3 desk/shop.py") && said.contains("desk/README.md"), "{said}");
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("left out, since there is no Python: the shop of the desk");
        return None;
    }
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for file in ["desk/world.toml", "desk/roles/clerk.md"] {
        terminal.write(
            file,
            &terminal.read(file).replace("127.0.0.1:8765", &format!("127.0.0.1:{port}")).replace("DESK_SECRET", "REELM_TEST_KEY"),
        );
    }
    let mut child = shop(&terminal, port, "").stdout(Stdio::piped()).spawn().unwrap();
    let (tell, heard) = std::sync::mpsc::channel();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    std::thread::spawn(move || lines.map_while(Result::ok).for_each(|line| drop(tell.send(line))));
    let shop = Shop { child, heard, port };
    assert!(shop.heard.recv().unwrap().contains("the shop is open"));
    Some((terminal, shop))
}

fn shop(terminal: &Terminal, port: u16, desk: &str) -> Command {
    let mut command = Command::new("python3");
    command.arg(terminal.path("desk/shop.py")).env("SHOP_PORT", port.to_string()).env("DESK_SECRET", MODEL_KEY).env("DESK_URL", desk);
    command
}

/// The customer complains; what they are told.
fn complains(served: &Served, port: u16) -> String {
    let output = shop(&served.terminal, port, served.url.trim_end_matches('/')).arg("complain").output().unwrap();
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn a_complaint_comes_in_a_person_approves_the_answer_and_it_leaves() {
    let Some((terminal, shop)) = begun() else { return };
    let served = Served::begin(terminal, "serve desk --port 0 --json");
    let operator = served.operator();
    let first = complains(&served, shop.port);
    assert!(first.contains("the desk has taken it: {\"frame\":"), "{first}");
    let waits = || served.get(&operator, "/api/see?address=/.outbox").ok()["list"].clone();
    until("the answer waits", || waits().as_array().is_some_and(|list| list.len() == 1));
    let request = waits()[0].clone();
    assert!(request["bytes"].as_str().unwrap().contains("We pay back 3.50 today."), "{request}");
    assert_eq!(request["asker"], "@clerk");
    assert!(shop.heard.try_recv().is_err(), "nothing has left");
    let args = json!({ "wake": request["wake"], "request": request["request"] });
    served.post(&operator, "/api/do", json!({ "target": "@outlet", "action": "wake.approve", "args": args })).ok();
    let heard = shop.heard.recv_timeout(std::time::Duration::from_secs(60)).unwrap();
    assert!(heard.starts_with("the customer reads: {\"answer\":\"We are sorry about your tea."), "{heard}");
    // The same complaint once more is the same.
    assert_eq!(complains(&served, shop.port), first);
    until("the clerk is done", || {
        let moments = served.get(&operator, "/api/moments?being=clerk").ok();
        moments["moments"][0]["closing"] == "see"
    });
    let terminal = served.stop();
    drop(shop);
    terminal.types("replay").ok();
    assert!(terminal.types("explain @intake/0 --json").ok().contains("customer"));
    assert_eq!(terminal.types("find --raw --closing refused").ok(), "");
}

/// Replay asks nobody: neither a model, nor the web, nor whoever gets the answers.
#[test]
#[ignore = "long: a server, and a replay in a network of its own"]
fn what_the_desk_did_replays_where_there_is_no_network() {
    let Some((terminal, shop)) = begun() else { return };
    let served = Served::begin(terminal, "serve desk --port 0 --json");
    let operator = served.operator();
    complains(&served, shop.port);
    let waits = || served.get(&operator, "/api/see?address=/.outbox").ok()["list"].clone();
    until("the answer waits", || waits().as_array().is_some_and(|list| list.len() == 1));
    let request = waits()[0].clone();
    let args = json!({ "wake": request["wake"], "request": request["request"] });
    served.post(&operator, "/api/do", json!({ "target": "@outlet", "action": "wake.approve", "args": args })).ok();
    shop.heard.recv_timeout(std::time::Duration::from_secs(60)).unwrap();
    let terminal = served.stop();
    // No loopback is up there: whoever asks anybody fails.
    terminal.shell("unshare --user --map-root-user --net $reelm replay").ok();
}
