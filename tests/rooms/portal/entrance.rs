//! Tests of `src/portal/entrance.rs`.

use axum::http::Request;
use axum::http::header::{HOST, ORIGIN};
use reelm::fact::Code;
use reelm::portal::entrance::*;
use std::path::Path;

fn entrance(dir: &Path) -> Entrance {
    Entrance::of(dir, Doors { hosts: vec!["reelm.example".to_owned()], ..Doors::default() }, "").unwrap()
}

#[test]
fn a_request_means_this_server_by_its_name_and_acts_come_from_its_own_page() {
    let dir = tempfile::tempdir().unwrap();
    let entrance = entrance(dir.path());
    let rows = [
        ("localhost", "", None),
        ("localhost:80", "http://localhost:80", None),
        ("127.0.0.2:7777", "https://127.0.0.2:7777", None),
        ("[::1]:7777", "http://[::1]:7777", None),
        ("reelm.example", "https://reelm.example", None),
        ("", "", Some(Code::WrongHost)),
        ("evil.example", "", Some(Code::WrongHost)),
        ("evil@localhost", "", Some(Code::WrongHost)),
        ("localhost.evil.example", "", Some(Code::WrongHost)),
        ("local host", "", Some(Code::WrongHost)),
        ("localhost", "null", Some(Code::WrongOrigin)),
        ("localhost", "localhost", Some(Code::WrongOrigin)),
        ("localhost", "http://localhost:81", Some(Code::WrongOrigin)),
        ("localhost", "http://evil.example", Some(Code::WrongOrigin)),
        ("localhost", "http://localhost@evil.example", Some(Code::WrongOrigin)),
    ];
    for (host, origin, wanted) in rows {
        let mut request = Request::post("/api/do").header(HOST, host);
        if !origin.is_empty() {
            request = request.header(ORIGIN, origin);
        }
        let (parts, ()) = request.body(()).unwrap().into_parts();
        let code = entrance.admits(&parts).err().map(|trouble| trouble.code());
        assert_eq!(code, wanted, "{host} {origin}");
    }
}
