//! Endpoint: which machine a connection really leads to, and whether it may.
//!
//! Whoever may write a configuration must not reach by it what only this machine can: its own services, its neighbours, the address at
//! which a cloud tells its machines their secrets. So the name is resolved here, every address of it is judged, and the request goes to
//! the very address that was judged: a name that resolves otherwise a moment later changes nothing.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use ipnet::IpNet;
use reqwest::Url;

use crate::cognition::Connection;
use crate::fact::{Code, Text};

/// An endpoint that may be asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Endpoint {
    /// The address of the request.
    pub url: String,
    /// The host as it is named.
    pub host: String,
    /// Where that leads, by what was judged.
    pub at: Vec<SocketAddr>,
}

/// Judges a connection's address. In this order: it is an address of http or https without credentials; its name resolves; at least one
/// address of it is public, or named by `llm.allow`, or this machine's own and named as such; plain http only to this machine or what is allowed.
pub(super) async fn endpoint(connection: &Connection) -> Result<Endpoint, Code> {
    let url = Url::parse(&address(connection)).map_err(|_| Code::EndpointRefused)?;
    let is_http = url.scheme() == "http";
    let host = url.host_str().unwrap_or_default().to_owned();
    let port = url.port_or_known_default().unwrap_or(443);
    if !(is_http || url.scheme() == "https") || host.is_empty() || !url.username().is_empty() || url.password().is_some() {
        return Err(Code::EndpointRefused);
    }
    let host = bare(&host).to_owned();
    let found: Vec<SocketAddr> = match host.parse::<IpAddr>() {
        Ok(address) => vec![SocketAddr::new(address, port)],
        Err(_) => tokio::net::lookup_host((host.as_str(), port)).await.map_err(|_| Code::EndpointUnresolved)?.collect(),
    };
    let at = judged(&host, is_http, &found, &connection.allow)?;
    Ok(Endpoint { url: url.into(), host, at })
}

/// The address that is asked: what the dialect adds stands before the query of the base address.
fn address(connection: &Connection) -> String {
    let (path, query) =
        connection.base_url.split_once('?').map_or((connection.base_url.as_ref(), None), |(path, query)| (path, Some(query)));
    let address = (connection.dialect.url)(path.trim_end_matches('/'));
    query.map_or_else(|| address.clone(), |query| format!("{address}?{query}"))
}

/// Those of the addresses of a host that may be reached.
fn judged(host: &str, is_http: bool, found: &[SocketAddr], allow: &[Text]) -> Result<Vec<SocketAddr>, Code> {
    let is_allowed_host = allow.iter().any(|allowed| allowed.eq_ignore_ascii_case(host));
    let names_us = names_us(host);
    let is_allowed = |address: IpAddr| is_allowed_host || allow.iter().any(|allowed| is_in(address, allowed));
    let may = |address: IpAddr| (is_us(address) && names_us) || is_allowed(address) || (is_public(address) && !is_http);
    let at: Vec<SocketAddr> = found.iter().copied().filter(|at| may(at.ip())).collect();
    match (at.is_empty(), found.iter().any(|at| is_public(at.ip()))) {
        (false, _) => Ok(at),
        (true, _) if found.is_empty() => Err(Code::EndpointUnresolved),
        (true, true) => Err(Code::EndpointPlain),
        (true, false) => Err(Code::EndpointPrivate),
    }
}

/// Whether a host is a name or an address of this machine alone, however it is spelled.
fn names_us(host: &str) -> bool {
    host.strip_suffix('.').unwrap_or(host).eq_ignore_ascii_case("localhost") || host.parse().is_ok_and(is_us)
}

/// Whether an address leads to this machine alone. `0.0.0.0` is none: it is no address of a machine, though an operating system may take it for one.
fn is_us(address: IpAddr) -> bool {
    plain(address).is_loopback()
}

/// An address without the shape of version 6 around one of version 4.
fn plain(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(six) => six.to_ipv4_mapped().map_or(address, IpAddr::V4),
        IpAddr::V4(_) => address,
    }
}

/// Whether anybody in the world may reach an address: it is neither this machine, nor its network, nor kept for something else.
fn is_public(address: IpAddr) -> bool {
    match plain(address) {
        IpAddr::V4(four) => is_public_four(four),
        IpAddr::V6(six) => is_public_six(six),
    }
}

fn is_public_four(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_kept = matches!(
        (a, b, c),
        (0 | 10 | 127 | 224..=255, ..)
            | (100, 64..=127, _)
            | (169, 254, _)
            | (172, 16..=31, _)
            | (192, 168, _)
            | (192, 0, 0 | 2)
            | (198, 18 | 19, _)
            | (198, 51, 100)
            | (203, 0, 113)
    );
    !is_kept
}

fn is_public_six(address: Ipv6Addr) -> bool {
    let [a, b, c, d, _, _, g, h] = address.segments();
    let four = |high: u16, low: u16| {
        let ([w, x], [y, z]) = (high.to_be_bytes(), low.to_be_bytes());
        is_public_four(Ipv4Addr::new(w, x, y, z))
    };
    match (a, b, c, d) {
        // Ways in which an address of version 4 is carried.
        (0x64, 0xff9b, 0, 0) => four(g, h),
        (0x2002, high, low, _) => four(high, low),
        // Teredo, benchmarks, documentation.
        (0x2001, 0..=0x1ff | 0xdb8, ..) => false,
        // Only this part of the space is given out.
        (0x2000..=0x3fff, ..) => true,
        _ => false,
    }
}

/// Whether an address lies in a network such as `10.0.0.0/8`, or is the one named.
fn is_in(address: IpAddr, network: &str) -> bool {
    net(network).is_some_and(|net| net.contains(&plain(address)))
}

/// The network that a text names; an address alone is a network of one.
fn net(text: &str) -> Option<IpNet> {
    let (address, bits) = text.split_once('/').map_or((text, None), |(address, bits)| (address, Some(bits)));
    // Version 4 in the shape of version 6 is meant as version 4, and so is the length beside it.
    let address = plain(bare(address).parse().ok()?);
    match bits {
        Some(bits) => IpNet::new(address, bits.parse().ok()?).ok(),
        None => Some(address.into()),
    }
}

/// An address of version 6 without the brackets in which a URL writes it.
fn bare(host: &str) -> &str {
    host.trim_start_matches('[').trim_end_matches(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of a host that leads to these addresses.
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
}
