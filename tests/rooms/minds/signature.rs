//! Signature: is a webhook believed exactly where its signature is of its body, by the secret, and near its instant?

use reelm::cognition::SigningManner;
use reelm::fact::Code;
use reelm::minds::is_signed;

/// The vector that GitHub's documentation gives.
const SECRET: &str = "It's a Secret to Everybody";
const BODY: &[u8] = b"Hello, World!";
const SIGNED: &str = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
/// Of `1700000000.Hello, World!`, by OpenSSL.
const STAMPED: &str = "76c83fd0acdf22faed320674fe8e04d528cfe8a17905e720a9611e40677c03b7";

#[test]
fn a_signature_is_believed_where_it_is_of_the_body_by_the_secret_and_near_its_instant() {
    let github = |signed: &str| format!("sha256={signed}");
    let stripe = |at: &str, signed: &str| format!("t={at},v1={signed}");
    let near = (1_700_000_100, 300);
    let (good, wrong, old) = (Ok(()), Err(Code::HookSignature), Err(Code::HookExpired));
    for (manner, secret, said, body, at, is) in [
        (SigningManner::Github, SECRET, github(SIGNED), BODY, near, good),
        (SigningManner::Github, SECRET, github(&SIGNED.to_uppercase()), BODY, near, good),
        (SigningManner::Github, SECRET, github(SIGNED), b"Hello, World?", near, wrong),
        (SigningManner::Github, "another", github(SIGNED), BODY, near, wrong),
        (SigningManner::Github, SECRET, SIGNED.to_owned(), BODY, near, wrong),
        (SigningManner::Github, SECRET, github(&SIGNED[..62]), BODY, near, wrong),
        (SigningManner::Github, SECRET, github(""), BODY, near, wrong),
        (SigningManner::Github, SECRET, String::new(), BODY, near, wrong),
        (SigningManner::Github, "", github(SIGNED), BODY, near, Err(Code::KeyMissing)),
        (SigningManner::Stripe, SECRET, stripe("1700000000", STAMPED), BODY, near, good),
        (SigningManner::Stripe, SECRET, format!("v0=00, {},v1={SIGNED}", stripe("1700000000", STAMPED)), BODY, near, good),
        (SigningManner::Stripe, SECRET, stripe("1700000000", STAMPED), BODY, (1_699_999_700, 300), good),
        (SigningManner::Stripe, SECRET, stripe("1700000000", STAMPED), BODY, (1_700_000_301, 300), old),
        (SigningManner::Stripe, SECRET, stripe("1700000000", STAMPED), BODY, (1_699_999_699, 300), old),
        (SigningManner::Stripe, SECRET, stripe("1700000001", STAMPED), BODY, near, wrong),
        (SigningManner::Stripe, SECRET, stripe("now", STAMPED), BODY, near, wrong),
        (SigningManner::Stripe, SECRET, format!("v1={STAMPED}"), BODY, near, wrong),
        (SigningManner::Stripe, SECRET, "t=1700000000".to_owned(), BODY, near, wrong),
        (SigningManner::Gitlab, SECRET, SECRET.to_owned(), BODY, near, good),
        (SigningManner::Gitlab, SECRET, SECRET.to_lowercase(), BODY, near, wrong),
        (SigningManner::Gitlab, SECRET, String::new(), BODY, near, wrong),
        (SigningManner::Gitlab, "", String::new(), BODY, near, Err(Code::KeyMissing)),
    ] {
        assert_eq!(is_signed(manner, secret, &said, body, at), is, "{manner:?} {secret:?} {said} at {at:?}");
    }
}
