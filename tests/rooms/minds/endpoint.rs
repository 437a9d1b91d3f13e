//! Tests of `src/minds/endpoint.rs`.

use reelm::fact::{Code, Text};
use reelm::minds::endpoint::*;
use reqwest::Url;
use std::net::SocketAddr;

/// The verdict on a host that leads to these addresses.
fn says(base: &str, leads_to: &[&str], allow: &[&str]) -> Result<usize, Code> {
    let url = Url::parse(base).unwrap();
    let found: Vec<SocketAddr> = leads_to.iter().map(|ip| SocketAddr::new(ip.parse().unwrap(), 443)).collect();
    let allow: Vec<Text> = allow.iter().map(|text| Text::from(*text)).collect();
    judged(bare(url.host_str().unwrap()), url.scheme() == "http", &found, &allow).map(|at| at.len())
}

#[test]
fn what_only_this_machine_can_reach_is_refused_unless_it_is_allowed_by_name() {
    for (base, leads_to, allow, said) in [
        ("https://api.example", &["93.184.216.34"] as &[&str], &[] as &[&str], Ok(1)),
        ("http://api.example", &["93.184.216.34"], &[], Err(Code::EndpointPlain)),
        ("http://api.example", &["93.184.216.34"], &["api.example"], Ok(1)),
        ("https://api.example", &["10.1.2.3"], &[], Err(Code::EndpointPrivate)),
        ("https://api.example", &["10.1.2.3"], &["10.0.0.0/8"], Ok(1)),
        ("http://api.example", &["10.1.2.3"], &["10.0.0.0/8"], Ok(1)),
        ("https://api.example", &["11.1.2.3"], &["10.0.0.0/8"], Ok(1)),
        ("http://api.example", &["11.1.2.3"], &["10.0.0.0/8"], Err(Code::EndpointPlain)),
        // The address at which clouds tell secrets, also in the shapes of version 6.
        ("https://169.254.169.254", &["169.254.169.254"], &[], Err(Code::EndpointPrivate)),
        ("https://x.example", &["::ffff:169.254.169.254"], &[], Err(Code::EndpointPrivate)),
        ("https://x.example", &["64:ff9b::a9fe:a9fe"], &[], Err(Code::EndpointPrivate)),
        ("https://x.example", &["2002:a9fe:a9fe::1"], &[], Err(Code::EndpointPrivate)),
        ("https://x.example", &["fd00:ec2::254"], &[], Err(Code::EndpointPrivate)),
        ("https://x.example", &["fe80::1"], &[], Err(Code::EndpointPrivate)),
        // Loopback only where it is called so.
        ("http://127.0.0.1:8080", &["127.0.0.1"], &[], Ok(1)),
        ("http://localhost:8080", &["127.0.0.1", "::1"], &[], Ok(2)),
        ("http://[::1]:8080", &["::1"], &[], Ok(1)),
        // Every spelling of it is alike.
        ("http://127.1:8080", &["127.0.0.1"], &[], Ok(1)),
        ("http://2130706433:8080", &["127.0.0.1"], &[], Ok(1)),
        ("http://0x7f000001:8080", &["127.0.0.1"], &[], Ok(1)),
        ("http://0177.0.0.1:8080", &["127.0.0.1"], &[], Ok(1)),
        ("http://127.0.0.2:8080", &["127.0.0.2"], &[], Ok(1)),
        ("http://[::ffff:127.0.0.1]:8080", &["::ffff:127.0.0.1"], &[], Ok(1)),
        ("http://[::ffff:7f00:2]:8080", &["::ffff:127.0.0.2"], &[], Ok(1)),
        ("http://[0:0:0:0:0:0:0:1]:8080", &["::1"], &[], Ok(1)),
        ("http://localhost.:8080", &["127.0.0.1"], &[], Ok(1)),
        ("http://LocalHost:8080", &["127.0.0.1"], &[], Ok(1)),
        // No address at all is not one of them, nor in any spelling.
        ("http://0.0.0.0:8080", &["0.0.0.0"], &[], Err(Code::EndpointPrivate)),
        ("http://0:8080", &["0.0.0.0"], &[], Err(Code::EndpointPrivate)),
        ("http://[::]:8080", &["::"], &[], Err(Code::EndpointPrivate)),
        ("http://[::ffff:0.0.0.0]:8080", &["::ffff:0.0.0.0"], &[], Err(Code::EndpointPrivate)),
        // A name that only leads there is none of them, and they lead nowhere else.
        ("http://localhost.example", &["127.0.0.1"], &[], Err(Code::EndpointPrivate)),
        ("http://localhost..", &["127.0.0.1"], &[], Err(Code::EndpointPrivate)),
        ("http://localhost:8080", &["10.0.0.1"], &[], Err(Code::EndpointPrivate)),
        ("http://rebinding.example", &["127.0.0.1"], &[], Err(Code::EndpointPrivate)),
        ("https://rebinding.example", &["::ffff:127.0.0.1"], &[], Err(Code::EndpointPrivate)),
        ("https://rebinding.example", &["::"], &[], Err(Code::EndpointPrivate)),
        ("https://rebinding.example", &["0.0.0.0"], &[], Err(Code::EndpointPrivate)),
        // Of many addresses only those that may be reached.
        ("https://mixed.example", &["10.0.0.1", "93.184.216.34"], &[], Ok(1)),
        ("https://x.example", &["192.168.1.9"], &["192.168.1.9"], Ok(1)),
        ("https://x.example", &["192.168.1.9"], &["192.168.1.0/33"], Err(Code::EndpointPrivate)),
        ("https://x.example", &["192.168.1.9"], &["nonsense/8"], Err(Code::EndpointPrivate)),
        ("https://x.example", &["192.168.1.9"], &["0.0.0.0/0"], Ok(1)),
        ("https://x.example", &["192.168.1.9"], &["192.168.1.200/24"], Ok(1)),
        ("https://x.example", &["192.168.1.9"], &["192.168.1.9/"], Err(Code::EndpointPrivate)),
        ("https://x.example", &["192.168.1.9"], &["192.168.1.9/32/32"], Err(Code::EndpointPrivate)),
        ("https://x.example", &["192.168.1.9"], &["192.168.1.9/256"], Err(Code::EndpointPrivate)),
        ("https://x.example", &["192.168.1.9"], &["192.168.1.9/-8"], Err(Code::EndpointPrivate)),
        ("https://x.example", &["192.168.1.9"], &["192.168.1.9 /32"], Err(Code::EndpointPrivate)),
        ("https://x.example", &["192.168.1.9"], &["192.168.1.0/+24"], Ok(1)),
        // Version 4 in the shape of version 6, as an address and as a network, is version 4.
        ("https://x.example", &["::ffff:192.168.1.9"], &["192.168.0.0/16"], Ok(1)),
        ("https://x.example", &["192.168.1.9"], &["::ffff:192.168.1.9"], Ok(1)),
        ("https://x.example", &["192.168.1.9"], &["::ffff:192.168.0.0/16"], Ok(1)),
        ("https://x.example", &["192.168.1.9"], &["::ffff:192.168.0.0/112"], Err(Code::EndpointPrivate)),
        ("https://x.example", &["192.168.1.9"], &["::/0"], Err(Code::EndpointPrivate)),
        // Version 6 itself, with brackets or without.
        ("https://x.example", &["fd00::9"], &["fd00::/8"], Ok(1)),
        ("https://x.example", &["fd00::9"], &["[fd00::]/8"], Ok(1)),
        ("https://x.example", &["fd00::9"], &["[fd00::9]"], Ok(1)),
        ("https://x.example", &["fd00::9"], &["fd00::/129"], Err(Code::EndpointPrivate)),
        ("https://x.example", &["fd00::9"], &["0.0.0.0/0"], Err(Code::EndpointPrivate)),
        ("https://x.example", &[], &[], Err(Code::EndpointUnresolved)),
    ] {
        assert_eq!(says(base, leads_to, allow), said, "{base} {leads_to:?} {allow:?}");
    }
}
