//! Web: the part of the web that a bridge reaches: its hosts, methods and sizes, and the cost of a request to it.

use url::Url;

use crate::fact::{Code, CodeKind, Reason, Spend, Text, Value};

use super::approval_terms::ApprovalTerms;
use super::hook::Hook;
use super::reply::Asking;

/// The longest address, in bytes.
const ADDRESS_MAX: usize = 2048;
/// The largest response that is read where nothing is said, in bytes.
const USUAL_BYTES: i64 = 262_144;

/// The part of the web that a bridge reaches.
#[derive(Clone, Debug, PartialEq)]
pub struct Web {
    /// The hosts, each as `example.org`, `*.example.org` or `127.0.0.1:8080`.
    hosts: Vec<Text>,
    /// The methods.
    methods: Vec<Text>,
    /// The largest response that is read, in bytes.
    pub max_bytes: usize,
    /// Whether a request that came to nothing is made again, where its method changes nothing.
    pub(super) again: bool,
    /// The price of a call, in millionths of the world's currency.
    price: u64,
    /// Where it sends webhooks, and how it signs them, where that is all that it does.
    pub hook: Option<Hook>,
    /// The approver, and of which requests.
    pub(super) approve: Option<ApprovalTerms>,
}

impl Web {
    /// As a setting says it.
    pub(super) fn read(value: &Value) -> Self {
        let hook = Hook::read(value);
        let usual = if hook.is_some() { "POST" } else { "GET" };
        let methods = Some(texts(value, "methods")).filter(|methods| !methods.is_empty()).unwrap_or_else(|| vec![usual.into()]);
        let host = hook.as_ref().and_then(|hook| authority(hook.url.as_ref()?));
        let price = value.get("price").and_then(Value::as_float).filter(|price| *price >= 0.0).unwrap_or(0.0);
        let most = value.get("max_bytes").and_then(Value::as_int).filter(|most| *most > 0).unwrap_or(USUAL_BYTES);
        Self {
            hosts: texts(value, "hosts").into_iter().chain(host).collect(),
            methods,
            max_bytes: usize::try_from(most).unwrap_or(usize::MAX),
            again: value.get("again").and_then(Value::as_bool).unwrap_or(false),
            price: (price * 1e6).ceil() as u64,
            hook,
            approve: ApprovalTerms::read(value),
        }
    }

    /// Whether this may be asked: an address of http or https without credentials, a host that is listed, a method that is.
    pub fn judge(&self, method: &str, url: &Url) -> Result<(), Reason> {
        let host = url.host_str().unwrap_or_default();
        let is_plain = matches!(url.scheme(), "http" | "https") && url.username().is_empty() && url.password().is_none();
        if !is_plain || host.is_empty() || url.as_str().len() > ADDRESS_MAX {
            return Err(Reason::new(Code::BridgeRequest, "/url"));
        }
        if !self.hosts.iter().any(|listed| is_listed(host, url, listed)) {
            return Err(Reason::new(Code::BridgeHost, url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))));
        }
        if !self.methods.iter().any(|listed| **listed == *method) {
            return Err(Reason::new(Code::BridgeMethod, method));
        }
        Ok(())
    }

    /// Whether it follows no redirect: some of its requests have to be approved, or it sends webhooks.
    pub fn stays(&self) -> bool {
        self.approve.is_some() || self.hook.is_some()
    }

    /// The most that one call can cost.
    pub(super) fn most(&self, body: &str) -> Spend {
        let bytes = body.len().saturating_add(self.max_bytes) as u64;
        Spend { calls: 1, bytes, money: self.price, ..Spend::default() }
    }

    /// The cost of a call by what came of it: nothing where nothing was sent.
    pub(super) fn cost(&self, body: &str, came: &Asking) -> Spend {
        let is_sent = came.status.is_some() || came.error.is_some_and(|error| error.kind() == CodeKind::Reply);
        let bytes = body.len().saturating_add(came.body.as_deref().map_or(0, str::len)) as u64;
        let most = self.most(body);
        if is_sent { Spend { bytes: bytes.min(most.bytes), ..most } } else { Spend::default() }
    }

    /// How it is asked and how far it reaches, in words for whoever may ask it.
    pub(super) fn told(&self) -> String {
        if let Some(Hook { url, .. }) = &self.hook {
            let to = url.as_ref().map_or_else(|| "it sends nothing, and only hears".to_owned(), |url| format!("it is sent to {url}"));
            return format!("summon it with what is to be sent, text or any value; {to}");
        }
        let methods: Vec<String> = self.methods.iter().map(|method| format!("\"{method}\"")).collect();
        let posts = if self.methods.iter().any(|method| **method == *"POST") { ", body?: any" } else { "" };
        format!("summon it with {{url: string, method?: {}{posts}}}; it reaches {}", methods.join("|"), self.hosts.join(" "))
    }
}

/// The host of an address as it is listed.
fn authority(url: &str) -> Option<Text> {
    let url = Url::parse(url).ok()?;
    let host = url.host_str()?;
    Some(url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")).into())
}

/// Whether the host of an address is the one that is listed; without a port in the list, at the usual one alone.
fn is_listed(host: &str, url: &Url, listed: &str) -> bool {
    let (listed, port) = match listed.rsplit_once(':').and_then(|(name, port)| Some((name, port.parse::<u16>().ok()?))) {
        Some((name, port)) if !name.contains(':') || name.ends_with(']') => (name, Some(port)),
        _ => (listed, None),
    };
    let is_port = port.map_or_else(|| url.port().is_none(), |port| url.port_or_known_default() == Some(port));
    let is_host = match listed.strip_prefix("*.") {
        Some(below) => host.len() > below.len() + 1 && host.to_ascii_lowercase().ends_with(&format!(".{}", below.to_ascii_lowercase())),
        None => host.eq_ignore_ascii_case(listed),
    };
    is_port && is_host
}

/// The texts of a list.
pub(super) fn texts(value: &Value, key: &str) -> Vec<Text> {
    value.get(key).and_then(Value::as_list).unwrap_or_default().iter().filter_map(|item| item.as_text().cloned()).collect()
}
