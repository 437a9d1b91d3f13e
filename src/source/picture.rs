//! Picture: the texts that a PNG carries beside its pixels, found without looking at those.
//!
//! Nothing is inflated, so no picture can grow in here: chunks are walked, and of those that hold text the checksum is asked.

/// How a PNG begins.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The overhead of a chunk beside its bytes: a length, a kind, a checksum.
const LENGTH: usize = 4;
const HEAD: usize = 2 * LENGTH;

/// Why a PNG cannot be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// It is cut off in a chunk, or before the last one.
    #[error("expected {wanted} more bytes of the picture from byte {at} on, found {found}: the file is cut off; fetch it again")]
    Cut {
        /// Where what is cut off begins.
        at: usize,
        /// How much has to stand there.
        wanted: usize,
        /// How much stands there.
        found: usize,
    },
    /// A text is not what was written.
    #[error("the chunk `{kind}` at byte {at} does not fit its checksum: the file is damaged; fetch it again")]
    Damaged {
        /// Its kind.
        kind: String,
        /// Where it begins.
        at: usize,
    },
}

/// A text of a picture.
pub(super) struct PictureText<'a> {
    /// The kind of chunk: `tEXt`, or another that is not read.
    pub(super) kind: String,
    /// Under which word it stands there.
    pub(super) keyword: String,
    /// What stands there.
    pub(super) text: &'a [u8],
}

/// Whether a file begins as a PNG does.
pub(super) fn is_picture(bytes: &[u8]) -> bool {
    bytes.starts_with(SIGNATURE)
}

/// The texts of a PNG, in their order, up to its last chunk.
pub(super) fn texts(bytes: &[u8]) -> Result<Vec<PictureText<'_>>, PictureError> {
    let mut texts = Vec::new();
    let mut at = SIGNATURE.len();
    loop {
        let length = number(part(bytes, at, LENGTH)?);
        let body = part(bytes, at + LENGTH, length.saturating_add(LENGTH))?;
        let sum = number(part(bytes, at + HEAD + length, LENGTH)?);
        let (kind, content) = body.split_at(LENGTH);
        let kind = String::from_utf8_lossy(kind).into_owned();
        match kind.as_str() {
            "IEND" => return Ok(texts),
            "tEXt" | "zTXt" | "iTXt" => {
                if crc32fast::hash(body) as usize != sum {
                    return Err(PictureError::Damaged { kind, at });
                }
                let mut halves = content.splitn(2, |byte| *byte == 0);
                let keyword = String::from_utf8_lossy(halves.next().unwrap_or_default()).into_owned();
                texts.push(PictureText { kind, keyword, text: halves.next().unwrap_or_default() });
            }
            _ => {}
        }
        at += HEAD + length + LENGTH;
    }
}

fn part(bytes: &[u8], at: usize, length: usize) -> Result<&[u8], PictureError> {
    let cut = || PictureError::Cut { at, wanted: length, found: bytes.len().saturating_sub(at) };
    at.checked_add(length).and_then(|end| bytes.get(at..end)).ok_or_else(cut)
}

/// Four bytes, the highest first.
fn number(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |number, byte| (number << 8) | usize::from(*byte))
}
