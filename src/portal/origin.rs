//! Origin: from where a request comes: the address of its connection, or the one that a trusted proxy names; and who is trusted.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use ipnet::IpNet;

/// What a proxy adds the address of its client to.
const FORWARDED: &str = "x-forwarded-for";

/// Where somebody asks from, as far as shares and counts go by it: all of this machine is one, and so is an IPv6 network of 64 bits,
/// which is what one customer gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(IpAddr);

impl From<IpAddr> for Origin {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            address if address.is_loopback() => Self(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            IpAddr::V6(address) => Self(IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64))),
            address => Self(address),
        }
    }
}

/// Which proxies are trusted, and with what.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// The networks from which a proxy may say for whom it asks.
    pub proxies: Vec<IpNet>,
    /// The header by which a proxy names the person who is logged in with it.
    pub user_header: Option<HeaderName>,
}

/// What a request says in the header for users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said<'a> {
    /// Nothing.
    Nobody,
    /// A name.
    Person(&'a str),
    /// It comes from where nobody is believed, or says more than one name.
    Untrusted,
}

impl Trust {
    /// Whether an address is a proxy's.
    pub fn is_proxy(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.proxies.iter().any(|network| network.contains(&address))
    }

    /// From where a request comes that came over a connection from `peer`: the last address in the proxies' header that is no proxy's
    /// own. What a client wrote in front of it is not looked at.
    pub fn origin(&self, peer: IpAddr, headers: &HeaderMap) -> Origin {
        let mut nearest = peer;
        let lines: Vec<&str> = headers.get_all(FORWARDED).iter().filter_map(|line| line.to_str().ok()).collect();
        for named in lines.iter().rev().flat_map(|line| line.rsplit(',')) {
            if !self.is_proxy(nearest) {
                break;
            }
            let Some(address) = read(named.trim()) else { break };
            nearest = address;
        }
        nearest.into()
    }

    /// The person whom a proxy names.
    pub fn person<'a>(&self, peer: IpAddr, headers: &'a HeaderMap) -> Said<'a> {
        let Some(header) = &self.user_header else { return Said::Nobody };
        let mut said = headers.get_all(header).iter();
        // Names have letters of any script, and a proxy sends them as it has them.
        let name = |value: &'a HeaderValue| std::str::from_utf8(value.as_bytes());
        match (said.next().map(name), said.next()) {
            (None, _) => Said::Nobody,
            (Some(Ok(name)), None) if self.is_proxy(peer) && name.is_empty() => Said::Nobody,
            (Some(Ok(name)), None) if self.is_proxy(peer) => Said::Person(name),
            // Two names: one of them is the client's own.
            (Some(_), _) => Said::Untrusted,
        }
    }
}

/// An address as proxies write it: with a port, or without.
fn read(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    bare.parse().ok().or_else(|| text.parse().ok().map(|address: SocketAddr| address.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ["127.0.0.2", "127.255.0.9", "::1", "::ffff:127.0.0.3"]
            .iter()
            .for_each(|one| assert_eq!(origin(one), origin("127.0.0.1"), "{one}"));
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
}
