//! Endpoint: the machine that a connection really leads to, and whether it may.
//!
//! The author of a configuration must not reach by it what only this machine can: its own services, its neighbours, the address at
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

/// Judges an address, with what may be reached though it is not public. In this order: it is an address of http or https without credentials; its name resolves; at least one
/// address of it is public, or named by that list, or this machine's own and named as such; plain http only to this machine or what is allowed.
pub(super) async fn endpoint(address: &str, allow: &[Text]) -> Result<Endpoint, Code> {
    let url = Url::parse(address).map_err(|_| Code::EndpointRefused)?;
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
    let at = judged(&host, is_http, &found, allow)?;
    Ok(Endpoint { url: url.into(), host, at })
}

/// The address of a model that is asked: what the dialect adds stands before the query of the base address.
pub(super) fn address(connection: &Connection) -> String {
    let (path, query) =
        connection.base_url.split_once('?').map_or((connection.base_url.as_ref(), None), |(path, query)| (path, Some(query)));
    let address = (connection.dialect.url)(path.trim_end_matches('/'));
    query.map_or_else(|| address.clone(), |query| format!("{address}?{query}"))
}

/// Those of the addresses of a host that may be reached.
pub fn judged(host: &str, is_http: bool, found: &[SocketAddr], allow: &[Text]) -> Result<Vec<SocketAddr>, Code> {
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
pub fn bare(host: &str) -> &str {
    host.trim_start_matches('[').trim_end_matches(']')
}
