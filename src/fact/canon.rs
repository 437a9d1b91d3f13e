//! Canonical bytes: the only encoder, and the only decoder, of anything that is hashed, signed or stored.
//!
//! The form is RFC 8949 §4.2.1 (core deterministic encoding): shortest heads, definite lengths, map keys sorted by their encoded
//! bytes and never twice. Structs are arrays in field order and enums are arrays that begin with their code, so no field name is
//! ever written. The decoder checks each head against its one right form while it reads, so whatever it accepts encodes to the
//! same bytes again. It takes hostile input: it never panics, never recurses deeper than [`DEPTH_MAX`], and never reserves memory
//! that the input has not paid for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use ciborium_ll::{Decoder, Encoder, Header, simple};

use super::id::{BeingId, Hash, Made, MatterId, SpaceId, Thing, WorldId};
use super::value::{DEPTH_MAX, Map, Text, Value};

/// Why some bytes are not the canonical form of what was expected; `at` is the byte offset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CanonError {
    /// The input ends inside an item.
    #[error("the bytes end at {at}, inside an item")]
    Truncated {
        /// Where.
        at: usize,
    },
    /// Bytes stand behind the item.
    #[error("{count} bytes stand behind the item that ends at {at}")]
    Trailing {
        /// Where.
        at: usize,
        /// How many.
        count: usize,
    },
    /// A head is not in its shortest form, or a length is not definite.
    #[error("the item at {at} is not in canonical form: {what}")]
    NonCanonical {
        /// Where.
        at: usize,
        /// The rule that it breaks.
        what: &'static str,
    },
    /// A map holds a key twice.
    #[error("the map key at {at} stands twice")]
    DuplicateKey {
        /// Where.
        at: usize,
    },
    /// Map keys are not sorted by their encoded bytes.
    #[error("the map key at {at} stands out of order")]
    KeyOrder {
        /// Where.
        at: usize,
    },
    /// Lists and maps nest too deep.
    #[error("the item at {at} nests deeper than {DEPTH_MAX}")]
    TooDeep {
        /// Where.
        at: usize,
    },
    /// Another type stands there.
    #[error("expected {expected} at {at}")]
    WrongType {
        /// Where.
        at: usize,
        /// What was expected.
        expected: &'static str,
    },
    /// An array or a byte string has the wrong length, or a number is out of range.
    #[error("expected {expected} at {at}, found {found}")]
    WrongLength {
        /// Where.
        at: usize,
        /// What was expected.
        expected: usize,
        /// What was found.
        found: usize,
    },
    /// An enum's code is not one that this version knows.
    #[error("the code {code} at {at} is not a known {of}")]
    UnknownCode {
        /// Where.
        at: usize,
        /// The code.
        code: u64,
        /// The enum.
        of: &'static str,
    },
    /// An enum's code is kept for something that a newer version makes.
    #[error("the code {code} at {at} is reserved for the {of} `{name}`, which this program does not know; use a newer one")]
    Reserved {
        /// Where.
        at: usize,
        /// The code.
        code: u64,
        /// The name of the case that it is kept for.
        name: &'static str,
        /// The enum.
        of: &'static str,
    },
    /// Text that is not UTF-8.
    #[error("the text at {at} is not UTF-8")]
    NotUtf8 {
        /// Where.
        at: usize,
    },
}

/// A type with one canonical form in bytes.
pub trait Canon: Sized {
    /// Writes the canonical form.
    fn put(&self, w: &mut Writer);
    /// Reads it back, or says where it is not the canonical form.
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError>;

    /// The canonical form.
    fn to_canon(&self) -> Vec<u8> {
        let mut w = Writer::default();
        self.put(&mut w);
        w.bytes
    }

    /// The whole input as one item, with nothing behind it.
    fn from_canon(bytes: &[u8]) -> Result<Self, CanonError> {
        let mut r = Reader::new(bytes);
        let item = Self::take(&mut r)?;
        r.end()?;
        Ok(item)
    }
}

/// Collects canonical bytes.
#[derive(Default)]
pub struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// A writer that keeps a buffer's memory.
    pub fn with(mut buffer: Vec<u8>) -> Self {
        buffer.clear();
        Self { bytes: buffer }
    }

    /// The bytes so far.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn head(&mut self, header: Header) {
        // Writing to memory cannot fail.
        let _ = Encoder::from(&mut self.bytes).push(header);
    }

    /// An array's head.
    pub fn array(&mut self, len: usize) {
        self.head(Header::Array(Some(len)));
    }

    /// An unsigned number.
    pub fn uint(&mut self, n: u64) {
        self.head(Header::Positive(n));
    }

    /// A signed number.
    pub fn int(&mut self, n: i64) {
        self.head(if n < 0 { Header::Negative(!n as u64) } else { Header::Positive(n as u64) });
    }

    /// A byte string.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.head(Header::Bytes(Some(bytes.len())));
        self.bytes.extend_from_slice(bytes);
    }

    /// Text.
    pub fn text(&mut self, text: &str) {
        self.head(Header::Text(Some(text.len())));
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// Null.
    pub fn null(&mut self) {
        self.head(Header::Simple(simple::NULL));
    }
}

/// Reads canonical bytes.
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    /// A reader at the beginning.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, depth: 0 }
    }

    /// The offset of the next byte.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Refuses bytes behind the item.
    pub fn end(&self) -> Result<(), CanonError> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            count => Err(CanonError::Trailing { at: self.at, count }),
        }
    }

    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// The next head, checked against its one right form.
    fn head(&mut self) -> Result<Header, CanonError> {
        let at = self.at;
        let rest = self.rest();
        if rest.is_empty() {
            return Err(CanonError::Truncated { at });
        }
        let mut decoder = Decoder::from(rest);
        let header = decoder.pull().map_err(|error| match error {
            ciborium_ll::Error::Io(_) => CanonError::Truncated { at },
            ciborium_ll::Error::Syntax(_) => CanonError::NonCanonical { at, what: "no such head" },
        })?;
        let len = decoder.offset();
        let mut right = [0u8; 9];
        let mut room = right.as_mut_slice();
        let pushed = Encoder::from(&mut room).push(header);
        let written = 9 - room.len();
        if pushed.is_err() || right.get(..written) != rest.get(..len) {
            return Err(CanonError::NonCanonical { at, what: "not the shortest form" });
        }
        self.at += len;
        Ok(header)
    }

    /// Whether the next item is null; it is taken if so.
    pub fn null(&mut self) -> bool {
        let is_null = self.rest().first() == Some(&0xf6);
        if is_null {
            self.at += 1;
        }
        is_null
    }

    /// An array's length; each item takes at least a byte, so no length is larger than what is left.
    pub fn array(&mut self) -> Result<usize, CanonError> {
        let at = self.at;
        match self.head()? {
            Header::Array(Some(len)) if len <= self.rest().len() => Ok(len),
            Header::Array(Some(_)) => Err(CanonError::Truncated { at }),
            Header::Array(None) => Err(CanonError::NonCanonical { at, what: "indefinite length" }),
            _ => Err(CanonError::WrongType { at, expected: "an array" }),
        }
    }

    /// An array of exactly this length.
    pub fn array_of(&mut self, expected: usize) -> Result<(), CanonError> {
        let at = self.at;
        match self.array()? {
            found if found == expected => Ok(()),
            found => Err(CanonError::WrongLength { at, expected, found }),
        }
    }

    /// An unsigned number.
    pub fn uint(&mut self) -> Result<u64, CanonError> {
        let at = self.at;
        match self.head()? {
            Header::Positive(n) => Ok(n),
            _ => Err(CanonError::WrongType { at, expected: "a number that is not negative" }),
        }
    }

    /// A signed number.
    pub fn int(&mut self) -> Result<i64, CanonError> {
        let at = self.at;
        let wide = CanonError::WrongType { at, expected: "a number of 64 bits" };
        match self.head()? {
            Header::Positive(n) => i64::try_from(n).map_err(|_| wide),
            Header::Negative(n) => i64::try_from(n).map(|n| !n).map_err(|_| wide),
            _ => Err(CanonError::WrongType { at, expected: "a whole number" }),
        }
    }

    fn slice(&mut self, len: usize) -> Result<&'a [u8], CanonError> {
        let slice = self.rest().get(..len).ok_or(CanonError::Truncated { at: self.at })?;
        self.at += len;
        Ok(slice)
    }

    /// A byte string.
    pub fn raw(&mut self) -> Result<&'a [u8], CanonError> {
        let at = self.at;
        match self.head()? {
            Header::Bytes(Some(len)) => self.slice(len),
            Header::Bytes(None) => Err(CanonError::NonCanonical { at, what: "indefinite length" }),
            _ => Err(CanonError::WrongType { at, expected: "a byte string" }),
        }
    }

    /// A byte string of exactly this length.
    pub fn raw_of<const LEN: usize>(&mut self) -> Result<[u8; LEN], CanonError> {
        let at = self.at;
        let raw = self.raw()?;
        raw.try_into().map_err(|_| CanonError::WrongLength { at, expected: LEN, found: raw.len() })
    }

    /// Text.
    pub fn text(&mut self) -> Result<&'a str, CanonError> {
        let at = self.at;
        match self.head()? {
            Header::Text(Some(len)) => std::str::from_utf8(self.slice(len)?).map_err(|_| CanonError::NotUtf8 { at }),
            Header::Text(None) => Err(CanonError::NonCanonical { at, what: "indefinite length" }),
            _ => Err(CanonError::WrongType { at, expected: "text" }),
        }
    }

    /// Passes over one item, whatever it is.
    pub fn skip(&mut self) -> Result<(), CanonError> {
        let at = self.at;
        match self.head()? {
            Header::Positive(_) | Header::Negative(_) | Header::Float(_) | Header::Simple(_) => Ok(()),
            Header::Text(Some(len)) | Header::Bytes(Some(len)) => self.slice(len).map(drop),
            Header::Array(Some(len)) if len <= self.rest().len() => self.deeper(|r| (0..len).try_for_each(|_| r.skip())),
            Header::Map(Some(len)) if len <= self.rest().len() => self.deeper(|r| (0..2 * len).try_for_each(|_| r.skip())),
            Header::Array(Some(_)) | Header::Map(Some(_)) => Err(CanonError::Truncated { at }),
            Header::Array(None) | Header::Map(None) | Header::Text(None) | Header::Bytes(None) | Header::Tag(_) | Header::Break => {
                Err(CanonError::NonCanonical { at, what: "indefinite length" })
            }
        }
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, CanonError>) -> Result<T, CanonError> {
        if self.depth >= DEPTH_MAX {
            return Err(CanonError::TooDeep { at: self.at });
        }
        self.depth += 1;
        let item = read(self);
        self.depth -= 1;
        item
    }

    fn map(&mut self, len: usize) -> Result<Map, CanonError> {
        let mut map = Map::new();
        let mut last: Option<&'a [u8]> = None;
        for _ in 0..len {
            let start = self.at;
            let key = self.text()?;
            let encoded = self.bytes.get(start..self.at).unwrap_or_default();
            match last.map(|last| last.cmp(encoded)) {
                None | Some(std::cmp::Ordering::Less) => {}
                Some(std::cmp::Ordering::Equal) => {
                    return Err(CanonError::DuplicateKey { at: start });
                }
                Some(std::cmp::Ordering::Greater) => {
                    return Err(CanonError::KeyOrder { at: start });
                }
            }
            last = Some(encoded);
            map.insert(key.into(), Value::take(self)?);
        }
        Ok(map)
    }
}

impl Canon for Value {
    fn put(&self, w: &mut Writer) {
        match self {
            Self::Null => w.null(),
            Self::Bool(b) => w.head(Header::Simple(if *b { simple::TRUE } else { simple::FALSE })),
            Self::Int(n) => w.int(*n),
            Self::Float(x) => w.head(Header::Float(*x)),
            Self::Text(text) => w.text(text),
            Self::List(list) => list.put(w),
            Self::Map(map) => {
                w.head(Header::Map(Some(map.len())));
                // Text keys in order of their encoded bytes: the head holds the length, so shorter comes first.
                let mut pairs: Vec<_> = map.iter().collect();
                pairs.sort_by(|(a, _), (b, _)| a.len().cmp(&b.len()).then_with(|| a.as_bytes().cmp(b.as_bytes())));
                for (key, value) in pairs {
                    w.text(key);
                    value.put(w);
                }
            }
        }
    }

    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        let at = r.at;
        match r.head()? {
            Header::Positive(n) => {
                i64::try_from(n).map(Self::Int).map_err(|_| CanonError::WrongType { at, expected: "a number of 64 bits" })
            }
            Header::Negative(n) => {
                i64::try_from(n).map(|n| Self::Int(!n)).map_err(|_| CanonError::WrongType { at, expected: "a number of 64 bits" })
            }
            Header::Float(x) => match Self::number(x) {
                Some(float @ Self::Float(_)) => Ok(float),
                Some(_) => Err(CanonError::NonCanonical { at, what: "a whole number as a float" }),
                None => Err(CanonError::NonCanonical { at, what: "not a finite number" }),
            },
            Header::Simple(simple::NULL) => Ok(Self::Null),
            Header::Simple(simple::TRUE) => Ok(Self::Bool(true)),
            Header::Simple(simple::FALSE) => Ok(Self::Bool(false)),
            Header::Text(Some(len)) => {
                let text = std::str::from_utf8(r.slice(len)?).map_err(|_| CanonError::NotUtf8 { at })?;
                Ok(Self::Text(text.into()))
            }
            Header::Array(Some(len)) if len <= r.rest().len() => {
                r.deeper(|r| (0..len).map(|_| Self::take(r)).collect::<Result<_, _>>()).map(Self::List)
            }
            Header::Map(Some(len)) if len <= r.rest().len() => r.deeper(|r| r.map(len)).map(Self::Map),
            Header::Array(Some(_)) | Header::Map(Some(_)) => Err(CanonError::Truncated { at }),
            Header::Array(None) | Header::Map(None) | Header::Text(None) | Header::Bytes(None) => {
                Err(CanonError::NonCanonical { at, what: "indefinite length" })
            }
            Header::Bytes(Some(_)) | Header::Simple(_) | Header::Tag(_) | Header::Break => {
                Err(CanonError::WrongType { at, expected: "a value" })
            }
        }
    }
}

impl Canon for u64 {
    fn put(&self, w: &mut Writer) {
        w.uint(*self);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        r.uint()
    }
}

macro_rules! canon_small_uint {
    ($($small:ty),*) => {$(
        impl Canon for $small {
            fn put(&self, w: &mut Writer) {
                w.uint(u64::from(*self));
            }
            fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
                let at = r.at;
                r.uint()?.try_into().map_err(|_| CanonError::WrongType { at, expected: concat!("a ", stringify!($small)) })
            }
        }
    )*};
}
canon_small_uint!(u8, u16, u32);

impl Canon for i64 {
    fn put(&self, w: &mut Writer) {
        w.int(*self);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        r.int()
    }
}

impl Canon for bool {
    fn put(&self, w: &mut Writer) {
        Value::Bool(*self).put(w);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        let at = r.at;
        match r.head()? {
            Header::Simple(simple::TRUE) => Ok(true),
            Header::Simple(simple::FALSE) => Ok(false),
            _ => Err(CanonError::WrongType { at, expected: "true or false" }),
        }
    }
}

impl Canon for Text {
    fn put(&self, w: &mut Writer) {
        w.text(self);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        r.text().map(Into::into)
    }
}

impl Canon for String {
    fn put(&self, w: &mut Writer) {
        w.text(self);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        r.text().map(Into::into)
    }
}

/// Bytes of any length as one byte string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes(pub Arc<[u8]>);

impl Canon for Bytes {
    fn put(&self, w: &mut Writer) {
        w.raw(&self.0);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        r.raw().map(|bytes| Self(bytes.into()))
    }
}

/// A list of pairs; unlike a [`Value`]'s map, whose keys are text.
impl<K: Canon + Ord, V: Canon> Canon for BTreeMap<K, V> {
    fn put(&self, w: &mut Writer) {
        w.array(self.len());
        self.iter().for_each(|(key, item)| {
            w.array(2);
            key.put(w);
            item.put(w);
        });
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        let mut map = Self::new();
        for _ in 0..r.array()? {
            let at = r.at;
            let (key, item) = <(K, V)>::take(r)?;
            if map.last_key_value().is_some_and(|(last, _)| *last >= key) {
                return Err(CanonError::KeyOrder { at });
            }
            map.insert(key, item);
        }
        Ok(map)
    }
}

impl<T: Canon + Ord> Canon for BTreeSet<T> {
    fn put(&self, w: &mut Writer) {
        w.array(self.len());
        self.iter().for_each(|item| item.put(w));
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        let mut set = Self::new();
        for _ in 0..r.array()? {
            let at = r.at;
            let item = T::take(r)?;
            if set.last().is_some_and(|last| *last >= item) {
                return Err(CanonError::KeyOrder { at });
            }
            set.insert(item);
        }
        Ok(set)
    }
}

impl<A: Canon, B: Canon, C: Canon> Canon for (A, B, C) {
    fn put(&self, w: &mut Writer) {
        w.array(3);
        self.0.put(w);
        self.1.put(w);
        self.2.put(w);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        r.array_of(3)?;
        Ok((A::take(r)?, B::take(r)?, C::take(r)?))
    }
}

impl<A: Canon, B: Canon> Canon for (A, B) {
    fn put(&self, w: &mut Writer) {
        w.array(2);
        self.0.put(w);
        self.1.put(w);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        r.array_of(2)?;
        Ok((A::take(r)?, B::take(r)?))
    }
}

impl<T: Canon> Canon for Arc<[T]> {
    fn put(&self, w: &mut Writer) {
        w.array(self.len());
        self.iter().for_each(|item| item.put(w));
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        Vec::take(r).map(Into::into)
    }
}

impl<T: Canon> Canon for Vec<T> {
    fn put(&self, w: &mut Writer) {
        w.array(self.len());
        self.iter().for_each(|item| item.put(w));
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        let len = r.array()?;
        r.deeper(|r| (0..len).map(|_| T::take(r)).collect())
    }
}

/// Null, or the item; no item of ours encodes as null except a [`Value`], which is never optional.
impl<T: Canon> Canon for Option<T> {
    fn put(&self, w: &mut Writer) {
        match self {
            Some(item) => item.put(w),
            None => w.null(),
        }
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        if r.null() { Ok(None) } else { T::take(r).map(Some) }
    }
}

impl<T: Canon> Canon for Box<T> {
    fn put(&self, w: &mut Writer) {
        (**self).put(w);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        T::take(r).map(Box::new)
    }
}

impl<T: Canon> Canon for Arc<T> {
    fn put(&self, w: &mut Writer) {
        (**self).put(w);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        T::take(r).map(Arc::new)
    }
}

macro_rules! canon_bytes {
    ($($name:ident),*) => {$(
        impl Canon for $name {
            fn put(&self, w: &mut Writer) {
                w.raw(&self.0);
            }
            fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
                r.raw_of().map(Self)
            }
        }
    )*};
}
canon_bytes!(Hash, WorldId);

macro_rules! canon_made {
    ($($name:ident),*) => {$(
        impl Canon for $name {
            fn put(&self, w: &mut Writer) {
                self.0.put(w);
            }
            fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
                Made::take(r).map(Self)
            }
        }
    )*};
}
canon_made!(BeingId, SpaceId, MatterId);

/// Implements [`Canon`] for a struct: an array of its fields in the order given.
macro_rules! canon_struct {
    ($name:ident { $($field:ident),* $(,)? }) => {
        impl $crate::fact::canon::Canon for $name {
            fn put(&self, w: &mut $crate::fact::canon::Writer) {
                w.array([$(stringify!($field)),*].len());
                $( $crate::fact::canon::Canon::put(&self.$field, w); )*
            }
            fn take(r: &mut $crate::fact::canon::Reader<'_>) -> Result<Self, $crate::fact::canon::CanonError> {
                r.array_of([$(stringify!($field)),*].len())?;
                Ok(Self { $( $field: $crate::fact::canon::Canon::take(r)? ),* })
            }
        }
    };
}
pub(crate) use canon_struct;

/// Implements [`Canon`] for an enum: an array of its code and the case's fields. Codes are never used twice; those that are kept for
/// later stand behind the cases, and are refused by their name.
macro_rules! canon_enum {
    (
        $name:ident { $($code:literal => $case:ident $( { $($field:ident),* $(,)? } )? $( ( $inner:ident ) )? ),* $(,)? }
        $(, reserved { $($kept:literal => $later:literal),* $(,)? })?
    ) => {
        impl $crate::fact::canon::Canon for $name {
            fn put(&self, w: &mut $crate::fact::canon::Writer) {
                match self {
                    $( Self::$case $( { $($field),* } )? $( ( $inner ) )? => {
                        let fields: &[&str] = &[$($(stringify!($field)),*)? $(stringify!($inner))?];
                        w.array(1 + fields.len());
                        w.uint($code);
                        $( $( $crate::fact::canon::Canon::put($field, w); )* )?
                        $( $crate::fact::canon::Canon::put($inner, w); )?
                    } )*
                }
            }
            fn take(r: &mut $crate::fact::canon::Reader<'_>) -> Result<Self, $crate::fact::canon::CanonError> {
                let at = r.at();
                let len = r.array()?;
                if len == 0 {
                    return Err($crate::fact::canon::CanonError::WrongLength { at, expected: 1, found: 0 });
                }
                match r.uint()? {
                    $( $code => {
                        let fields: &[&str] = &[$($(stringify!($field)),*)? $(stringify!($inner))?];
                        if len != 1 + fields.len() {
                            return Err($crate::fact::canon::CanonError::WrongLength { at, expected: 1 + fields.len(), found: len });
                        }
                        Ok(Self::$case $( { $( $field: $crate::fact::canon::Canon::take(r)? ),* } )? $( ( {
                            let $inner = $crate::fact::canon::Canon::take(r)?;
                            $inner
                        } ) )?)
                    } )*
                    $( $( $kept => Err($crate::fact::canon::CanonError::Reserved { at, code: $kept, name: $later, of: stringify!($name) }), )* )?
                    code => Err($crate::fact::canon::CanonError::UnknownCode { at, code, of: stringify!($name) }),
                }
            }
        }
    };
}
pub(crate) use canon_enum;

/// Implements [`Canon`] for an enum without fields: its code alone.
macro_rules! canon_code {
    ($name:ident { $($code:literal => $case:ident),* $(,)? } $(, reserved { $($kept:literal => $later:literal),* $(,)? })?) => {
        impl $crate::fact::canon::Canon for $name {
            fn put(&self, w: &mut $crate::fact::canon::Writer) {
                w.uint(match self { $( Self::$case => $code ),* });
            }
            fn take(r: &mut $crate::fact::canon::Reader<'_>) -> Result<Self, $crate::fact::canon::CanonError> {
                let at = r.at();
                match r.uint()? {
                    $( $code => Ok(Self::$case), )*
                    $( $( $kept => Err($crate::fact::canon::CanonError::Reserved { at, code: $kept, name: $later, of: stringify!($name) }), )* )?
                    code => Err($crate::fact::canon::CanonError::UnknownCode { at, code, of: stringify!($name) }),
                }
            }
        }
    };
}
pub(crate) use canon_code;

canon_struct!(Made { seq, index });
canon_enum!(Thing { 0 => Being(id), 1 => Space(id), 2 => Matter(id) });
