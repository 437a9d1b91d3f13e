//! Cookies: has each data directory names of its own for what browsers keep of it, however it came to be?

use serde_json::json;

use super::served::Served;
use super::terminal::Terminal;

/// The names of the cookies that a login sets, one session opened by the link.
fn names(terminal: Terminal, data: &str) -> (Terminal, [String; 2]) {
    let served = Served::begin(terminal, &format!("serve --data {data} --port 0 --paused --json"));
    let token = served.link.as_deref().unwrap().rsplit('/').next().unwrap().to_owned();
    let answer = served.post(&Default::default(), "/api/session", json!({ "token": token }));
    let named = |begin: &str| answer.cookies.iter().map(|(name, _)| name).find(|name| name.starts_with(begin)).unwrap().clone();
    let names = [named("reelm_session_"), named("reelm_browser_")];
    let described = served.get(&Default::default(), "/openapi.json").ok();
    assert_eq!(described["components"]["securitySchemes"]["session"]["name"], names[0].as_str());
    (served.stop(), names)
}

#[test]
fn no_two_data_directories_share_the_names_of_their_cookies_and_each_keeps_its_own() {
    let terminal = Terminal::with_world("court", 20);
    let (terminal, first) = names(terminal, "world");
    let letters = first[0].strip_prefix("reelm_session_").unwrap();
    assert!(letters.len() == 8 && letters.bytes().all(|letter| letter.is_ascii_lowercase()), "{letters}");
    assert_eq!(first[1], format!("reelm_browser_{letters}"));
    // The same source and seed make the same world, under the same id.
    terminal.types("run $worlds/court --moments 20 --quiet --data twin").ok();
    for line in ["fork other", "backup copy", "export whole.reelm", "import whole.reelm --data brought"] {
        terminal.types(line).ok();
    }
    terminal.shell("cp -r world by-hand").ok();
    let mut all = vec![first.clone()];
    let mut terminal = terminal;
    for data in ["twin", "other", "copy", "brought", "by-hand", "world/"] {
        let (again, own) = names(terminal, data);
        terminal = again;
        assert_eq!(all.contains(&own), data == "world/", "{data}: {own:?}");
        all.push(own);
    }
    // A backup that goes on with its copy leaves the copy its own.
    terminal.types("backup copy").ok();
    assert_eq!(names(terminal, "copy").1, all[3]);
}

#[test]
fn two_worlds_of_one_server_and_two_servers_leave_each_others_sessions_alone() {
    let one = Served::begin(Terminal::with_world("court", 20), "serve --data world --worlds forks --port 0 --paused --json");
    let two = Served::paused("court");
    let (mut both, there) = (one.operator(), two.operator());
    both.cookie = Some([both.cookie.unwrap(), there.cookie.unwrap()].join("; "));
    one.post(&both, "/api/fork", json!({ "name": "strict" })).ok();
    for (served, path, is_visitor) in [(&one, "/", false), (&two, "/", false), (&one, "/w/strict/", true)] {
        assert_eq!(served.get(&both, &format!("{path}api/session")).ok()["visitor"], is_visitor);
    }
    // A logout from one world leaves the session in the other.
    two.delete(&both, "/api/session").ok();
    assert_eq!(
        (one.get(&both, "/api/session").ok()["visitor"].clone(), two.get(&both, "/api/session").ok()["visitor"].clone()),
        (json!(false), json!(true))
    );
}
