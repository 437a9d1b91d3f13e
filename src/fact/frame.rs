//! Frames: what one moment stamped, proposed (a Draft) and sealed (a Frame).
//!
//! Sealing is the only way from one to the other. A frame's bytes are the array [body, signature]; its hash is BLAKE3 of the body's
//! canonical bytes, its signature Ed25519 over that hash; null stands in its place
//! where a world seals in batches and a script or a model has done it. Instants and seqs that lie close to the frame's own are stored as their
//! distance from it, which keeps a frame small; FORMAT.md draws the bytes.

use serde::Serialize;

use super::act::{Call, Closing, Content, INLINE_MAX, Thought, UNREAD_MAX, WakeId};
use super::canon::{Canon, CanonError, Reader, Writer};
use super::id::{BeingId, Hash, Made, Millis, N, Seq, WorldId};
use super::keys::{KeyError, PublicKey, SecretKey, Signature};
use super::kind::{Birth, Fact, Once};
use super::mind::Cognition;
use super::spend::{Settled, Spend, Spent};
use super::value::Value;
use super::verbs::Verbs;
use super::worn::WornRole;

/// The format of frames that this code writes and reads.
pub const FORMAT: u64 = 1;
/// The key of the configuration that says how frames are sealed; it is fixed when a world begins.
pub const SEALS: &str = "seals";
/// Its value where each frame carries its being's signature.
pub const SEALS_OWN: &str = "own";
/// Its value where the world's seals cover the frames of scripts and models.
pub const SEALS_BATCH: &str = "batch";
/// So many facts, each with at most two values of [`INLINE_MAX`] bytes, fit in any frame.
const SURELY_FITS: usize = 64;
/// The bytes that a frame adds to its body: the array's head and the signature.
const SEAL_SIZE: usize = 1 + 66;
/// The bytes that a fork may add to a draft for the new key of its being.
/// Every draft leaves room for them, so that a fork refuses what its parent does.
const REKEY_SIZE: usize = 40;
/// The first bytes of an encoded signature, and the byte that takes its place where there is none.
const SIGNATURE_HEAD: &[u8] = &[0x58, 64];
const NULL: u8 = 0xf6;
/// The largest frame, in bytes.
pub const FRAME_MAX: usize = 1 << 20;

/// Everything that one moment stamps, before it is sealed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Draft {
    /// The world.
    pub world: WorldId,
    /// The being whose moment it was.
    pub being: BeingId,
    /// Its place on the being's reel.
    pub n: N,
    /// The hash of the frame before it on the reel; for a first frame, of the birth's.
    pub prev: Hash,
    /// The seq of that frame.
    pub prev_seq: Seq,
    /// Its place in the world's order.
    pub seq: Seq,
    /// The moment read the world as of this seq: all frames below it.
    pub opened: Seq,
    /// When the moment opened, in world time.
    pub opened_at: Millis,
    /// When it closed, in world time.
    pub at: Millis,
    /// The zone's UTC offset in force at `opened_at`, in minutes.
    pub offset: i64,
    /// The being that drove this one, if any.
    pub driver: Option<BeingId>,
    /// The kind of mind that thought.
    pub cognition: Cognition,
    /// The number of this attempt at the wake, from 1.
    pub attempt: u32,
    /// Why the moment opened.
    pub wake: WakeId,
    /// The primary, then the modifiers.
    pub stack: Vec<WornRole>,
    /// The hash of the one role composed of them.
    pub worn: Hash,
    /// The mind's answer.
    pub thought: Thought,
    /// The call it made; it is the act if `closing` says so.
    pub call: Option<Call>,
    /// What changed.
    pub facts: Vec<Fact>,
    /// How the wake was closed.
    pub closing: Closing,
    /// Reserved: what a person or foreign being with a key of their own signed.
    pub intent: Option<Value>,
}

/// A sealed draft: its bytes, its hash, its being's signature if it carries one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    draft: Draft,
    hash: Hash,
    signature: Option<Signature>,
    bytes: Vec<u8>,
}

/// Why a frame cannot be sealed or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// The bytes are not a frame in canonical form.
    #[error("not a frame: {0}")]
    Canon(#[from] CanonError),
    /// Another format.
    #[error("the frame has format {found}; this program knows {FORMAT}, so a newer one is needed")]
    Format {
        /// The format found.
        found: u64,
    },
    /// Too large.
    #[error("the frame has {size} bytes; the largest allowed is {FRAME_MAX}")]
    TooLarge {
        /// Its size.
        size: usize,
    },
    /// A value stands where it does not belong: each has one form in a frame.
    #[error("frame {seq} holds {what}")]
    Content {
        /// The frame.
        seq: Seq,
        /// Which.
        what: &'static str,
    },
    /// The signature is not the being's over this hash.
    #[error("the signature of frame {seq} is not valid for the key of {being}")]
    Signature {
        /// The frame.
        seq: Seq,
        /// The being.
        being: BeingId,
        /// Why.
        #[source]
        source: KeyError,
    },
}

/// The facts' values, the call's, the thought's.
macro_rules! contents {
    ($draft:ident, $of_fact:path, $each:ident, $as:ident, $($by:tt)+) => {{
        let thought = match $($by)+ $draft.thought {
            Thought::Model { request, reply } => [Some(request), Some(reply)],
            Thought::None | Thought::Script | Thought::Given => [None, None],
        };
        let call = $draft.call.$as().map(|call| $($by)+ call.args);
        $draft.facts.$each().flat_map($of_fact).chain(call).chain(thought.into_iter().flatten())
    }};
}

impl Draft {
    /// The amount held back for calls, where the frame says so.
    pub fn reserved(&self) -> Option<Spend> {
        self.facts.iter().find_map(|fact| if let Fact::Reserved(spend) = fact { Some(**spend) } else { None })
    }

    /// The cost of its own moment, where it says so.
    pub fn spent(&self) -> Option<&Spent> {
        self.facts.iter().find_map(|fact| if let Fact::Spent(spent) = fact { Some(&**spent) } else { None })
    }

    /// The cost of one moment, where the frame says so: its own thought, or a trial.
    pub fn cost(&self) -> Option<&Spent> {
        self.spent().or_else(|| self.settled().next().map(|settled| &settled.spent))
    }

    /// How many further calls of its reply were left out, if any were.
    pub fn left_out(&self) -> Option<u64> {
        self.facts.iter().find_map(|fact| if let Fact::LeftOut { count } = fact { Some(*count) } else { None })
    }

    /// The summons that it answers.
    pub fn answers(&self) -> Option<Made> {
        self.facts.iter().find_map(|fact| if let Fact::Asked(summons) = fact { summons.in_reply_to } else { None })
    }

    /// The costs of trials that it settles.
    pub fn settled(&self) -> impl Iterator<Item = &Settled> {
        self.facts.iter().filter_map(|fact| if let Fact::Settled(settled) = fact { Some(&**settled) } else { None })
    }

    /// The idempotency key of its act.
    pub fn once(&self) -> Option<Once> {
        self.facts.iter().find_map(|fact| if let Fact::Keyed(once) = fact { Some(*once) } else { None })
    }

    /// The verbs to which it was narrowed, if it was.
    pub fn narrowed(&self) -> Option<Verbs> {
        self.facts.iter().find_map(|fact| if let Fact::Narrowed { only } = fact { Some(*only) } else { None })
    }

    /// The key that its being has from this frame on, in a fork.
    pub fn rekeyed(&self) -> Option<Hash> {
        self.facts.iter().find_map(|fact| if let Fact::Rekeyed { key } = fact { Some(*key) } else { None })
    }

    /// Whether a script or a model alone has done it: only such a frame can be covered by the seals of its world.
    pub fn is_entrusted(&self) -> bool {
        self.driver.is_none() && self.cognition != Cognition::Human && self.thought != Thought::Given
    }

    /// Whether it begins a world that seals in batches.
    pub fn begins_batches(&self) -> bool {
        self.first_config(SEALS).and_then(Value::as_str) == Some(SEALS_BATCH)
    }

    /// The draft without all that follows from the id and keys of its world: a fork does the same in other bytes.
    pub fn of_any_world(&self) -> Self {
        let mut of_any = Self { prev: Hash::default(), world: WorldId::default(), ..self.clone() };
        of_any.facts.retain(|fact| !matches!(fact, Fact::Rekeyed { .. }));
        for fact in &mut of_any.facts {
            if let Fact::Born(birth) = fact {
                (birth.key, birth.delegation) = (Default::default(), None);
            }
        }
        of_any
    }

    /// The beings that it bears, each with its birth.
    pub fn births(&self) -> impl Iterator<Item = (BeingId, &Birth)> {
        (0u32..).zip(&self.facts).filter_map(|(index, fact)| match fact {
            Fact::Born(birth) => Some((BeingId::new(self.seq, index), &**birth)),
            _ => None,
        })
    }

    /// The first value that it sets for a key of the world's configuration, where that value stands in the frame itself.
    pub fn first_config(&self, wanted: &str) -> Option<&Value> {
        self.facts.iter().find_map(|fact| match fact {
            Fact::ConfigSet { key, value: Content::Here(value) } if key.as_ref() == wanted => Some(value),
            _ => None,
        })
    }

    /// The values that may be large, in the order in which their blobs stand before the frame.
    pub fn contents(&self) -> impl Iterator<Item = &Content> {
        contents!(self, Fact::contents, iter, as_ref, &)
    }

    /// The same, where they are replaced by references to blobs.
    pub fn contents_mut(&mut self) -> impl Iterator<Item = &mut Content> {
        contents!(self, Fact::contents_mut, iter_mut, as_mut, &mut)
    }

    /// Replaces each value over [`INLINE_MAX`] by a reference, and returns the blobs that hold them.
    pub fn shed(&mut self) -> Vec<(Hash, Vec<u8>)> {
        let mut blobs = Vec::new();
        for content in self.contents_mut() {
            let Content::Here(value) = content else { continue };
            if value.roughly() <= INLINE_MAX / 2 {
                continue;
            }
            let bytes = value.to_canon();
            if bytes.len() > INLINE_MAX {
                let hash = Hash::of(&bytes);
                *content = Content::There { hash, len: bytes.len() as u64 };
                blobs.push((hash, bytes));
            }
        }
        blobs
    }

    /// Its size as a frame, if that is more than [`FRAME_MAX`]. Few facts with small arguments are known to fit without looking.
    pub fn oversize(&self) -> Option<usize> {
        let args = self.call.as_ref().map_or(0, |call| if let Content::Here(args) = &call.args { args.roughly() } else { 0 });
        if self.facts.len() <= SURELY_FITS && args <= INLINE_MAX * SURELY_FITS {
            return None;
        }
        let mut shed = self.clone();
        shed.shed();
        Some(shed.body().len() + SEAL_SIZE + REKEY_SIZE).filter(|size| *size > FRAME_MAX)
    }

    /// The canonical bytes of the body: what is hashed.
    pub fn body(&self) -> Vec<u8> {
        let mut w = Writer::with(Vec::with_capacity(384));
        self.put(&mut w);
        w.into_bytes()
    }

    /// Signs the draft; it can be changed no more.
    pub fn seal(self, key: &SecretKey) -> Result<Frame, FrameError> {
        let body = self.body();
        let hash = Hash::of(&body);
        self.with(body, hash, Some(key.sign(&hash)))
    }

    /// Puts a recorded signature under the draft, or none; [`Frame::verify`] says whether it holds.
    pub fn sealed_by(self, signature: Option<Signature>) -> Result<Frame, FrameError> {
        let body = self.body();
        let hash = Hash::of(&body);
        self.with(body, hash, signature)
    }

    /// Puts hash and signature, both computed from `body`, under the draft; none where the seals of its world cover it.
    pub fn with(self, body: Vec<u8>, hash: Hash, signature: Option<Signature>) -> Result<Frame, FrameError> {
        let mut w = Writer::with(Vec::with_capacity(body.len() + 70));
        w.array(2);
        let mut bytes = w.into_bytes();
        bytes.extend_from_slice(&body);
        let mut tail = Writer::default();
        signature.put(&mut tail);
        bytes.extend_from_slice(&tail.into_bytes());
        match bytes.len() {
            size if size > FRAME_MAX => Err(FrameError::TooLarge { size }),
            _ => Ok(Frame { draft: self, hash, signature, bytes }),
        }
    }
}

/// Checks that a small value stands in the frame itself and a large one never does.
fn one_form(content: &Content) -> Result<(), &'static str> {
    match content {
        Content::Here(value) if value.roughly() > INLINE_MAX / 2 && value.to_canon().len() > INLINE_MAX => {
            Err("a value that is too large to stand in a frame")
        }
        Content::There { len, .. } if *len <= INLINE_MAX as u64 => Err("the name of a blob that is small enough to stand in a frame"),
        Content::Here(_) | Content::There { .. } | Content::Unread { .. } => Ok(()),
    }
}

impl Frame {
    /// Reads a frame from its bytes; the signature is not checked yet.
    pub fn read(bytes: &[u8]) -> Result<Self, FrameError> {
        if bytes.len() > FRAME_MAX {
            return Err(FrameError::TooLarge { size: bytes.len() });
        }
        let mut r = Reader::new(bytes);
        r.array_of(2)?;
        let start = r.at();
        if let Some(found) = Draft::format(bytes, start).filter(|found| *found != FORMAT) {
            return Err(FrameError::Format { found });
        }
        let draft = Draft::take(&mut r)?;
        let body = bytes.get(start..r.at()).unwrap_or_default();
        let hash = Hash::of(body);
        let signature = <Option<Signature> as Canon>::take(&mut r)?;
        r.end()?;
        for content in draft.contents() {
            one_form(content).map_err(|what| FrameError::Content { seq: draft.seq, what })?;
        }
        Ok(Self { draft, hash, signature, bytes: bytes.to_vec() })
    }

    /// The hash of the frame in these bytes, where it is known already that they are one: nothing of it is read.
    pub fn hash_in(bytes: &[u8]) -> Hash {
        let signed = bytes.len().saturating_sub(SEAL_SIZE - 1);
        let (is_signed, is_null) = (bytes.get(signed..signed + 2) == Some(SIGNATURE_HEAD), bytes.last() == Some(&NULL));
        let body = match (is_signed, is_null) {
            // It looks like either: the last byte of a signature, or bytes of a body, by chance.
            (true, true) => return Self::read(bytes).map(|frame| frame.hash).unwrap_or_default(),
            (true, false) => bytes.get(1..signed),
            (false, _) => bytes.get(1..bytes.len().saturating_sub(1)),
        };
        Hash::of(body.unwrap_or_default())
    }

    /// Checks the signature that the frame carries, if it carries one, strictly.
    pub fn verify(&self, key: &PublicKey) -> Result<(), FrameError> {
        let Some(signature) = &self.signature else { return Ok(()) };
        key.verify(&self.hash, signature).map_err(|source| FrameError::Signature { seq: self.draft.seq, being: self.draft.being, source })
    }

    /// What was stamped.
    pub fn draft(&self) -> &Draft {
        &self.draft
    }

    /// The hash of the body.
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// The being's signature over the hash; none where the seals of its world cover the frame.
    pub fn signature(&self) -> &Option<Signature> {
        &self.signature
    }

    /// The bytes as stored.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes as stored, for good.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// A frame as the world applies it, whoever holds the hash: the draft alone says what changed.
impl AsRef<Draft> for Frame {
    fn as_ref(&self) -> &Draft {
        &self.draft
    }
}

const FIELDS: usize = 22;

impl Draft {
    /// The format that the bytes claim, if they claim one at all.
    fn format(bytes: &[u8], start: usize) -> Option<u64> {
        let mut r = Reader::new(bytes.get(start..)?);
        r.array().ok()?;
        r.uint().ok()
    }
}

impl Canon for Draft {
    fn put(&self, w: &mut Writer) {
        w.array(FIELDS);
        w.uint(FORMAT);
        self.world.put(w);
        self.being.put(w);
        w.uint(self.n);
        self.prev.put(w);
        w.uint(self.seq);
        // Distances wrap rather than overflow, and come back the same; honest ones are small.
        w.uint(self.seq.wrapping_sub(self.prev_seq));
        w.uint(self.seq.wrapping_sub(self.opened));
        w.int(self.at);
        w.int(self.at.wrapping_sub(self.opened_at));
        w.int(self.offset);
        self.driver.put(w);
        self.cognition.put(w);
        self.attempt.put(w);
        w.array(4);
        self.wake.rank.put(w);
        w.int(self.at.wrapping_sub(self.wake.due));
        self.wake.cause.put(w);
        self.wake.kind.put(w);
        self.stack.put(w);
        self.worn.put(w);
        self.thought.put(w);
        self.call.put(w);
        self.facts.put(w);
        self.closing.put(w);
        match &self.intent {
            Some(intent) => vec![intent.clone()].put(w),
            None => w.null(),
        }
    }

    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        let at_item = r.at();
        r.array_of(FIELDS)?;
        let format_at = r.at();
        let format = r.uint()?;
        if format != FORMAT {
            return Err(CanonError::UnknownCode { at: format_at, code: format, of: "frame format" });
        }
        let (world, being, n, prev, seq) = (WorldId::take(r)?, BeingId::take(r)?, r.uint()?, Hash::take(r)?, r.uint()?);
        let prev_seq = seq.wrapping_sub(r.uint()?);
        let opened = seq.wrapping_sub(r.uint()?);
        let at = r.int()?;
        let opened_at = at.wrapping_sub(r.int()?);
        let (offset, driver, cognition, attempt) = (r.int()?, Canon::take(r)?, Cognition::take(r)?, u32::take(r)?);
        r.array_of(4)?;
        let rank = Canon::take(r)?;
        let due = at.wrapping_sub(r.int()?);
        let wake = WakeId { rank, due, cause: Made::take(r)?, kind: Canon::take(r)? };
        let draft = Self {
            world,
            being,
            n,
            prev,
            prev_seq,
            seq,
            opened,
            opened_at,
            at,
            offset,
            driver,
            cognition,
            attempt,
            wake,
            stack: Canon::take(r)?,
            worn: Canon::take(r)?,
            thought: Canon::take(r)?,
            call: Canon::take(r)?,
            facts: Canon::take(r)?,
            closing: Canon::take(r)?,
            intent: take_intent(r)?,
        };
        if draft.misses_a_value() {
            Err(CanonError::WrongType { at: at_item, expected: "a value that was read, in place or in a blob" })
        } else {
            Ok(draft)
        }
    }
}

impl Draft {
    /// Whether a value is left out that must have been read: only arguments of what is no act may be, of a length and without words.
    fn misses_a_value(&self) -> bool {
        let may_be = |call: &Call| {
            let is_long = matches!(call.args, Content::Unread { len, .. } if len > UNREAD_MAX as u64);
            is_long && self.closing != Closing::Act && call.content.is_none()
        };
        let unread = self.contents().filter(|content| matches!(content, Content::Unread { .. })).count();
        unread > usize::from(self.call.as_ref().is_some_and(may_be))
    }
}

fn take_intent(r: &mut Reader<'_>) -> Result<Option<Value>, CanonError> {
    if r.null() {
        return Ok(None);
    }
    r.array_of(1)?;
    Value::take(r).map(Some)
}
