//! Places: addresses as resources: `reelm:///` and the address; a read shows what the being sees there.

use rmcp::ErrorData;
use rmcp::model::{CompleteRequestParams, CompletionInfo, ReadResourceResult, Reference, Resource, ResourceContents, ResourceTemplate};

use super::guest::{Guest, MayNow};
use super::way::escaped;

/// The part of a resource's URI before the address.
const SCHEME: &str = "reelm:///";
/// How every address is written as a resource, and how the part of it is called that differs.
const TEMPLATE: &str = "reelm:///{+address}";
const ARGUMENT: &str = "address";
/// The media type of its content.
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

/// The resources that are listed without a search: the being, its inbox, and what is near.
pub(super) fn resources(may: &MayNow) -> Vec<Resource> {
    let one = |address: &str| Resource::new(uri_of(address), address).with_mime_type(JSON);
    let inbox = format!("{}/.inbox", may.being);
    let own = one(&inbox).with_description("what waits for you, each entry with the `wake` by which it is answered");
    std::iter::once(own).chain(may.near.iter().map(|address| one(address))).collect()
}

/// How any address is read.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let any = ResourceTemplate::new(TEMPLATE, ARGUMENT);
    vec![
        any.with_mime_type(JSON)
            .with_description("what is seen at an address: of a space `a/b`, of a being `@name`, of a register `@name/.inbox`"),
    ]
}

/// Reads a resource as the caller sees it.
pub(super) async fn read(guest: &Guest, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let answer = guest.look(&guest.address(&address_of(uri)?)).await;
    if !answer.is_ok() {
        return Err(answer.told());
    }
    // The content may change with the next moment.
    Ok(ReadResourceResult::new(vec![ResourceContents::text(answer.body.to_string(), uri).with_mime_type(JSON)]).with_ttl_ms(0))
}

/// The addresses that begin as a client has written: what is near, the inbox, and what is in the place that is written already.
pub(super) async fn completed(guest: &Guest, asked: &CompleteRequestParams) -> Result<CompletionInfo, ErrorData> {
    let is_known = matches!(&asked.r#ref, Reference::Resource(resource) if resource.uri == TEMPLATE) && asked.argument.name == ARGUMENT;
    if !is_known {
        return Err(ErrorData::invalid_params(format!("addresses are completed: `{ARGUMENT}` of the resource `{TEMPLATE}`"), None));
    }
    let written = asked.argument.value.trim_start_matches('/');
    let may = guest.may().await?;
    let mut found: Vec<String> = std::iter::once(format!("{}/.inbox", may.being)).chain(may.near).collect();
    if let Some((place, _)) = written.rsplit_once('/') {
        found.extend(inside(guest, place).await);
    }
    let begins = |address: &String| address.trim_start_matches('/').starts_with(written);
    let mut fitting: Vec<String> = Vec::new();
    for address in found.into_iter().filter(begins).map(|address| address.trim_start_matches('/').to_owned()) {
        if !fitting.contains(&address) {
            fitting.push(address);
        }
    }
    let total = u32::try_from(fitting.len()).ok();
    fitting.truncate(CompletionInfo::MAX_VALUES);
    let has_more = total.is_some_and(|total| total as usize > fitting.len());
    CompletionInfo::with_pagination(fitting, total, has_more).map_err(|error| ErrorData::internal_error(error, None))
}

/// The addresses of what is in a place, as far as the guest sees it.
async fn inside(guest: &Guest, place: &str) -> Vec<String> {
    let place = if place.starts_with('@') { place.to_owned() } else { format!("/{place}") };
    let answer = guest.look(&guest.address(&place)).await;
    let list = |key: &str| answer.body.get(key).and_then(serde_json::Value::as_array).into_iter().flatten();
    let spaces = list("spaces").filter_map(|name| Some(format!("{place}/{}", name.as_str()?)));
    let things =
        ["matter", "holds"].into_iter().flat_map(list).filter_map(|thing| Some(format!("{place}/{}", thing.get("name")?.as_str()?)));
    spaces.chain(things).collect()
}
