//! Places: addresses as resources: `reelm:///` and the address, which shows what the being sees there.

use rmcp::ErrorData;
use rmcp::model::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};

use super::guest::{Guest, MayNow};
use super::way::escaped;

/// What stands before an address.
const SCHEME: &str = "reelm:///";
/// As what it is read.
const JSON: &str = "application/json";

/// An address as a URI.
pub fn uri_of(address: &str) -> String {
    format!("{SCHEME}{}", escaped(address.trim_start_matches('/'), true))
}

/// The address that a URI names.
pub fn address_of(uri: &str) -> Result<String, ErrorData> {
    let wrong = || ErrorData::invalid_params(format!("expected `{SCHEME}` and an address, such as `{SCHEME}@ada`, found `{uri}`"), None);
    let address = unescaped(uri.strip_prefix(SCHEME).ok_or_else(wrong)?).ok_or_else(wrong)?;
    Ok(if address.starts_with('@') { address } else { format!("/{address}") })
}

/// Text out of a part of an address of the web.
fn unescaped(part: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), part.as_bytes());
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let (digits, after) = rest.split_at_checked(2).filter(|(digits, _)| digits.iter().all(u8::is_ascii_hexdigit))?;
        bytes.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}

/// What can be named without searching: the being, its inbox, and what is near.
pub(super) fn resources(may: &MayNow) -> Vec<Resource> {
    let one = |address: &str| Resource::new(uri_of(address), address).with_mime_type(JSON);
    let inbox = format!("{}/.inbox", may.being);
    let own = one(&inbox).with_description("what waits for you, each entry with the `wake` by which it is answered");
    std::iter::once(own).chain(may.near.iter().map(|address| one(address))).collect()
}

/// How any address is read.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let any = ResourceTemplate::new(format!("{SCHEME}{{+address}}"), "address");
    vec![
        any.with_mime_type(JSON)
            .with_description("what is seen at an address: of a space `a/b`, of a being `@name`, of a register `@name/.inbox`"),
    ]
}

/// What a guest sees there.
pub(super) async fn read(guest: &Guest, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let answer = guest.look(&guest.address(&address_of(uri)?)).await;
    if !answer.is_ok() {
        return Err(answer.told());
    }
    // What is seen is true for so long as nothing happens.
    Ok(ReadResourceResult::new(vec![ResourceContents::text(answer.body.to_string(), uri).with_mime_type(JSON)]).with_ttl_ms(0))
}
