//! Tests of `src/portal/cookies.rs`.

use axum::http::HeaderMap;
use axum::http::header::COOKIE;
use reelm::portal::cookies::*;
use std::fs;

#[test]
fn a_cookie_is_read_as_it_was_set() {
    let set = cookie("reelm_session_abcdefgh", "token", 60).unwrap();
    let mut parts: Vec<&str> = set.to_str().unwrap().split("; ").collect();
    parts.sort_unstable();
    assert_eq!(parts, ["HttpOnly", "Max-Age=60", "Path=/", "SameSite=Strict", "reelm_session_abcdefgh=token"]);
    let mut headers = HeaderMap::new();
    for line in ["", "=; ;;x", "reelm_session_other=1; reelm_session_abcdefgh=first", "reelm_session_abcdefgh=second"] {
        headers.append(COOKIE, line.parse().unwrap());
    }
    let names = CookieNames::ending_in("abcdefgh");
    assert_eq!((cookie_of(&headers, &names.session).as_deref(), cookie_of(&headers, &names.browser)), (Some("first"), None));
}

#[test]
fn each_directory_has_names_of_its_own_that_stay_where_it_stays_or_is_moved_and_not_where_it_is_copied() {
    let parent = tempfile::tempdir().unwrap();
    let [one, two, moved] = ["one", "two", "moved"].map(|name| parent.path().join(name));
    [&one, &two].iter().for_each(|dir| fs::create_dir(dir).unwrap());
    let names = CookieNames::of(&one).unwrap();
    let letters = names.session.strip_prefix("reelm_session_").unwrap();
    assert!(is_drawn(letters) && names.browser == format!("reelm_browser_{letters}"));
    assert_eq!(CookieNames::of(&one).unwrap(), names);
    fs::copy(one.join("cookies"), two.join("cookies")).unwrap();
    assert_ne!(CookieNames::of(&two).unwrap(), names, "a copy made by hand");
    fs::rename(&one, &moved).unwrap();
    assert_eq!(CookieNames::of(&moved).unwrap(), names);
    for spoilt in [r#"{"letters":"abc","path":"","inode":0}"#, r#"{"letters":"a; b=cde","path":"","inode":0}"#] {
        fs::write(moved.join("cookies"), spoilt.replace(r#""path":"""#, &format!(r#""path":{:?}"#, moved.canonicalize().unwrap())))
            .unwrap();
        let drawn = CookieNames::of(&moved).unwrap();
        assert!(is_drawn(drawn.session.strip_prefix("reelm_session_").unwrap()), "{spoilt}");
    }
}
