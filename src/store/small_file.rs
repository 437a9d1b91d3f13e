//! The form of the small text files beside the log: TOML, closed by a line with the hash of everything above it.
//!
//! So a flipped byte in them is found like one in the log.

use crate::fact::Hash;

const LINE: &str = "check = \"";

/// The text with its closing line.
pub fn close(mut text: String) -> String {
    let check = Hash::of(text.as_bytes());
    text.push_str(&format!("{LINE}{check}\"\n"));
    text
}

/// Checks that a file is spelled exactly as it would be written: no key more, no remark, no other spelling.
pub(super) fn in_form(found: &[u8], own: &str) -> Result<(), String> {
    if found == own.as_bytes() { Ok(()) } else { Err("it is not in the one form that such a file has".to_owned()) }
}

/// The text above the closing line, or what is wrong with it.
pub(super) fn open(bytes: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| format!("byte {} is not text", error.valid_up_to()))?;
    let at = text.rfind(LINE).ok_or("its closing `check` line is missing")?;
    let (above, line) = text.split_at_checked(at).ok_or("its closing `check` line is missing")?;
    let expected = format!("{LINE}{}\"\n", Hash::of(above.as_bytes()));
    if line == expected {
        Ok(above)
    } else {
        Err(format!("expected the closing line `{}`, found `{}`", expected.trim_end(), line.trim_end()))
    }
}
