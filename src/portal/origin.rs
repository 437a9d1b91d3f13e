//! Origin: from where a request comes: the address of its connection, or the one that a trusted proxy names; and who is trusted.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use ipnet::IpNet;

/// The header to which a proxy adds the address of its client.
pub const FORWARDED: &str = "x-forwarded-for";

/// Where somebody asks from, as far as shares and counts go by it: all of this machine is one, and so is an IPv6 network of 64 bits,
/// which is what one customer gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(pub IpAddr);

impl From<IpAddr> for Origin {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            address if address.is_loopback() => Self(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            IpAddr::V6(address) => Self(IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64))),
            address => Self(address),
        }
    }
}

/// The trusted proxies, and what they are trusted with.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    /// The networks from which a proxy may say for whom it asks.
    pub proxies: Vec<IpNet>,
    /// The header by which a proxy names the person who is logged in with it.
    pub user_header: Option<HeaderName>,
}

/// The value of the header for users.
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

    /// The address from which a request over a connection from `peer` comes: the last one in the proxies' header that is no proxy's
    /// own. Addresses that a client wrote in front of it are ignored.
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
