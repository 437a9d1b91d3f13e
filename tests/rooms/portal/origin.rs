//! Tests of `src/portal/origin.rs`.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use reelm::portal::origin::*;
use std::net::IpAddr;

fn trust() -> Trust {
    Trust { proxies: vec!["10.0.0.0/8".parse().unwrap(), "::1/128".parse().unwrap()], user_header: Some("x-user".parse().unwrap()) }
}

fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
    lines.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_bytes(value.as_bytes()).unwrap())).collect()
}

#[test]
fn a_proxy_says_for_whom_it_asks_and_nobody_else_does() {
    let rows: &[(&str, &[&str], &str)] = &[
        ("192.0.2.1", &[], "192.0.2.1"),
        ("192.0.2.1", &["198.51.100.7"], "192.0.2.1"),
        ("10.0.0.1", &[], "10.0.0.1"),
        ("10.0.0.1", &["198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", &["203.0.113.9, 198.51.100.7"], "198.51.100.7"),
        ("10.0.0.1", &["203.0.113.9", "198.51.100.7, 10.2.3.4"], "198.51.100.7"),
        ("10.0.0.1", &["198.51.100.7:4711"], "198.51.100.7"),
        ("10.0.0.1", &["[2001:db8::1]:80"], "2001:db8::"),
        ("10.0.0.1", &["nonsense"], "10.0.0.1"),
        ("::ffff:10.0.0.1", &["198.51.100.7"], "198.51.100.7"),
    ];
    for (peer, lines, wanted) in rows {
        let lines: Vec<_> = lines.iter().map(|line| (FORWARDED, *line)).collect();
        let mut said = HeaderMap::new();
        for (name, value) in &lines {
            said.append(*name, value.parse().unwrap());
        }
        assert_eq!(trust().origin(peer.parse().unwrap(), &said), Origin(wanted.parse().unwrap()), "{peer} {lines:?}");
    }
}

#[test]
fn all_of_this_machine_is_one_origin_and_so_is_a_network_of_64_bits() {
    let origin = |text: &str| Origin::from(text.parse::<IpAddr>().unwrap());
    ["127.0.0.2", "127.255.0.9", "::1", "::ffff:127.0.0.3"].iter().for_each(|one| assert_eq!(origin(one), origin("127.0.0.1"), "{one}"));
    assert_eq!(origin("2001:db8::1"), origin("2001:db8::ffff:1"));
    assert_ne!(origin("2001:db8::1"), origin("2001:db8:0:1::1"));
    assert_ne!(origin("192.0.2.1"), origin("192.0.2.2"));
}

#[test]
fn a_name_is_believed_from_a_proxy_alone_and_only_where_there_is_one() {
    let (proxy, other) = ("10.0.0.1".parse().unwrap(), "192.0.2.1".parse().unwrap());
    let ada = headers(&[("x-user", "ada")]);
    assert_eq!(trust().person(proxy, &ada), Said::Person("ada"));
    assert_eq!(trust().person(other, &ada), Said::Untrusted);
    assert_eq!(trust().person(proxy, &headers(&[("x-user", "zoë")])), Said::Person("zoë"));
    assert_eq!(trust().person(other, &HeaderMap::new()), Said::Nobody);
    let mut two = ada.clone();
    two.append("x-user", "operator".parse().unwrap());
    assert_eq!(trust().person(proxy, &two), Said::Untrusted);
    assert_eq!(Trust::default().person(other, &ada), Said::Nobody, "without the option it is a header like any other");
}
