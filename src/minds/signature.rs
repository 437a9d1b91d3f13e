//! Signature: how webhooks are signed and how a signature is checked: in constant time, and where it names its instant, only near it.

use std::time::{SystemTime, UNIX_EPOCH};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::cognition::SigningManner;
use crate::fact::{Code, Hash};

/// The header that carries a signature in a manner.
pub const fn signed_by(manner: SigningManner) -> &'static str {
    match manner {
        SigningManner::Github => "x-hub-signature-256",
        SigningManner::Stripe => "stripe-signature",
        SigningManner::Gitlab => "x-gitlab-token",
    }
}

/// The instant of the wall clock, in seconds since 1970.
pub fn seconds() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64)
}

/// The value of that header for a body at an instant, in seconds since 1970.
pub(super) fn signature(manner: SigningManner, secret: &str, body: &[u8], at: i64) -> String {
    match manner {
        SigningManner::Github => format!("sha256={}", digest(mac(secret, &[body]))),
        SigningManner::Stripe => {
            format!("t={at},v1={}", digest(mac(secret, &[at.to_string().as_bytes(), b".", body])))
        }
        SigningManner::Gitlab => secret.to_owned(),
    }
}

/// Whether a body came from somebody who knows the secret, and not too long before or after an instant.
pub fn is_signed(manner: SigningManner, secret: &str, said: &str, body: &[u8], (at, window): (i64, i64)) -> Result<(), Code> {
    // An empty secret is none.
    if secret.is_empty() {
        return Err(Code::KeyMissing);
    }
    let matches = |parts: &[&[u8]], signature: &str| {
        signature.to_ascii_lowercase().parse().is_ok_and(|Hash(bytes)| mac(secret, parts).verify_slice(&bytes).is_ok())
    };
    let is_so = match manner {
        SigningManner::Github => said.strip_prefix("sha256=").is_some_and(|signature| matches(&[body], signature)),
        SigningManner::Stripe => {
            let parts: Vec<(&str, &str)> = said.split(',').filter_map(|part| part.trim().split_once('=')).collect();
            let stamp = parts.iter().find(|(name, _)| *name == "t").map(|(_, stamp)| *stamp).unwrap_or_default();
            let is_so = parts.iter().any(|(name, signature)| *name == "v1" && matches(&[stamp.as_bytes(), b".", body], signature));
            let is_near = stamp.parse::<i64>().is_ok_and(|stamp| at.abs_diff(stamp) <= window.unsigned_abs());
            if is_so && !is_near {
                return Err(Code::HookExpired);
            }
            is_so
        }
        // Of both the digest is compared, so that neither the length nor a beginning is learned.
        SigningManner::Gitlab => mac(secret, &[said.as_bytes()]).verify(&mac(secret, &[secret.as_bytes()]).finalize().into_bytes()).is_ok(),
    };
    if is_so { Ok(()) } else { Err(Code::HookSignature) }
}

fn mac(secret: &str, parts: &[&[u8]]) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap_or_else(|_| Hmac::<Sha256>::new(&Default::default()));
    parts.iter().for_each(|part| mac.update(part));
    mac
}

/// The digest in hexadecimal digits.
fn digest(mac: Hmac<Sha256>) -> String {
    Hash(mac.finalize().into_bytes().into()).to_string()
}
