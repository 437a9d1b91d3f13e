//! Keys and seals: a being's key grows from the world's master secret and the being's own name; seals are strict Ed25519.

use std::fmt;
use std::sync::{Arc, OnceLock};

use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::scalar::Scalar;
use ed25519_dalek::hazmat::ExpandedSecretKey;
use ed25519_dalek::{Digest, Sha512, Signer, SigningKey, VerifyingKey};
use serde::Serialize;
use zeroize::Zeroizing;

use super::canon::{Canon, CanonError, Reader, Writer};
use super::id::{BeingId, Hash, WorldId};

/// Why a key or a signature does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Not a point of the curve, or a weak one.
    #[error("the public key is not a valid Ed25519 key")]
    Key,
    /// Not this key's signature over this hash.
    #[error("the signature does not hold")]
    Signature,
}

/// 64 bytes of Ed25519.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Signature(pub [u8; 64]);

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl Serialize for Signature {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(&format_args!("{self:?}"))
    }
}

impl Canon for Signature {
    fn put(&self, w: &mut Writer) {
        w.raw(&self.0);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        r.raw_of().map(Self)
    }
}

/// The secret from which all keys of a world grow. It is wiped from memory when dropped, and no form of it can be printed.
#[derive(Clone)]
pub struct Master(Zeroizing<[u8; 32]>);

impl Master {
    /// A master from its bytes.
    pub fn new(secret: [u8; 32]) -> Self {
        Self(Zeroizing::new(secret))
    }

    /// The master of a simulated world: anyone who knows the seed can compute it, so its seals prove order, not authorship.
    pub fn simulated(seed: u64) -> Self {
        Self::new(blake3::derive_key("reelm 1 simulated master", &seed.to_be_bytes()))
    }

    /// The key of a being.
    pub fn key(&self, world: WorldId, being: BeingId) -> SecretKey {
        let mut material = Zeroizing::new([0u8; 32 + 16 + 8 + 4]);
        let parts = self.0.iter().chain(&world.0).copied().chain(being.0.seq.to_be_bytes()).chain(being.0.index.to_be_bytes());
        material.iter_mut().zip(parts).for_each(|(to, from)| *to = from);
        let secret = Zeroizing::new(blake3::derive_key("reelm 1 being key", material.as_slice()));
        SecretKey(SigningKey::from_bytes(&secret))
    }

    /// The bytes, for the keystore alone.
    pub fn reveal(&self) -> &[u8; 32] {
        &self.0
    }
}

/// The public key of a being and its delegation, as its birth records them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Credential {
    /// The public key.
    pub key: Hash,
    /// The signature by which it lets the seals of its world answer for its frames, in a world that seals in batches.
    pub delegation: Option<Signature>,
}

/// How the credential of one who is about to be born is asked for: by the name that the birth will give it.
pub type KeyOf<'a> = &'a dyn Fn(BeingId) -> Credential;

impl Master {
    /// The credential of a being that is about to be born. `@world` delegates nothing: the seals are its own.
    pub fn credential(&self, world: WorldId, being: BeingId, delegates: bool) -> Credential {
        let own = self.key(world, being);
        let root = || self.key(world, BeingId::WORLD).public().to_hash();
        let delegation = (delegates && being != BeingId::WORLD).then(|| own.sign(&delegated(world, being, &root())));
        Credential { key: own.public().to_hash(), delegation }
    }
}

/// The hash that a being signs to let the seals of its world answer for its frames; it is no frame's hash and no head.
pub fn delegated(world: WorldId, being: BeingId, root_key: &Hash) -> Hash {
    let mut hasher = blake3::Hasher::new_derive_key("reelm 1 delegation");
    hasher.update(&world.0).update(&being.0.seq.to_be_bytes()).update(&being.0.index.to_be_bytes()).update(&root_key.0);
    Hash(*hasher.finalize().as_bytes())
}

/// The master and the id of a simulated world: both follow from its name and seed.
pub fn simulated(name: &str, seed: u64) -> (Master, WorldId) {
    let hash = blake3::derive_key("reelm 1 simulated world", &[name.as_bytes(), &seed.to_be_bytes()].concat());
    let mut id = [0u8; 16];
    id.iter_mut().zip(hash).for_each(|(to, from)| *to = from);
    (Master::simulated(seed), WorldId(id))
}

impl fmt::Debug for Master {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Master(…)")
    }
}

/// A being's secret key.
#[derive(Clone)]
pub struct SecretKey(SigningKey);

impl SecretKey {
    /// A key from its 32 secret bytes.
    pub fn from_bytes(secret: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(secret))
    }

    /// The public half.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// The seal over a hash.
    pub fn sign(&self, hash: &Hash) -> Signature {
        Signature(self.0.sign(&hash.0).to_bytes())
    }
}

/// The seals over many hashes, each by its own key: the same bytes as one by one, at less cost, since an inversion that each of them needs,
/// a quarter of its work, is done once for all.
pub fn sign_all(signing: &[(&SecretKey, Hash)]) -> Vec<Signature> {
    let expanded: Vec<ExpandedSecretKey> = signing.iter().map(|(key, _)| ExpandedSecretKey::from(key.0.as_bytes())).collect();
    let nonces = expanded.iter().zip(signing).map(|(key, (_, hash))| scalar(&[&key.hash_prefix, &hash.0]));
    let nonces: Zeroizing<Vec<Scalar>> = Zeroizing::new(nonces.collect());
    let points: Vec<EdwardsPoint> = nonces.iter().map(EdwardsPoint::mul_base).collect();
    let points = EdwardsPoint::compress_batch_alloc(&points);
    let mut sealed = Vec::with_capacity(signing.len());
    for (((whose, hash), key), (point, nonce)) in signing.iter().zip(&expanded).zip(points.iter().zip(nonces.iter())) {
        let challenge = scalar(&[point.as_bytes(), whose.0.verifying_key().as_bytes(), &hash.0]);
        let answer = challenge * key.scalar + nonce;
        sealed.push(Signature(ed25519_dalek::Signature::from_components(point.to_bytes(), answer.to_bytes()).to_bytes()));
    }
    sealed
}

/// SHA-512 of some parts, as a scalar of the curve.
fn scalar(parts: &[&[u8]]) -> Scalar {
    Scalar::from_hash(parts.iter().fold(Sha512::new(), |hasher, part| hasher.chain_update(part)))
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(…)")
    }
}

/// The key that a birth has recorded: it becomes a point of the curve, which costs as much as half a signature, when it is first asked to
/// check something.
#[derive(Clone)]
pub struct BirthKey(Arc<(Hash, OnceLock<Result<PublicKey, KeyError>>)>);

impl BirthKey {
    /// One of which it is known that it is a key.
    pub fn of(key: PublicKey) -> Self {
        Self(Arc::new((key.to_hash(), OnceLock::from(Ok(key)))))
    }

    /// One that is a key if whoever wrote it down has looked.
    pub fn said(key: Hash) -> Self {
        Self(Arc::new((key, OnceLock::new())))
    }

    /// The 32 bytes, as the birth records them.
    pub fn to_hash(&self) -> Hash {
        self.0.0
    }

    /// The key itself.
    pub fn point(&self) -> Result<PublicKey, KeyError> {
        let (said, point) = &*self.0;
        point.get_or_init(|| PublicKey::from_hash(said)).clone()
    }

    /// Checks a seal strictly.
    pub fn verify(&self, hash: &Hash, signature: &Signature) -> Result<(), KeyError> {
        self.point()?.verify(hash, signature)
    }
}

impl PartialEq for BirthKey {
    fn eq(&self, other: &Self) -> bool {
        self.to_hash() == other.to_hash()
    }
}

impl Eq for BirthKey {}

impl fmt::Debug for BirthKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BirthKey({})", self.to_hash())
    }
}

impl Canon for BirthKey {
    fn put(&self, w: &mut Writer) {
        self.to_hash().put(w);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, CanonError> {
        Hash::take(r).map(Self::said)
    }
}

/// A being's public key, and its name outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// A key from the 32 bytes that a birth recorded.
    pub fn from_hash(bytes: &Hash) -> Result<Self, KeyError> {
        let key = VerifyingKey::from_bytes(&bytes.0).map_err(|_| KeyError::Key)?;
        // A weak key's signature can be made by anybody, and a point has one spelling.
        let is_canonical = VerifyingKey::from(key.to_edwards()).to_bytes() == bytes.0;
        if key.is_weak() || !is_canonical { Err(KeyError::Key) } else { Ok(Self(key)) }
    }

    /// The 32 bytes, as a birth records them.
    pub fn to_hash(&self) -> Hash {
        Hash(self.0.to_bytes())
    }

    /// Checks a seal strictly: no weak keys, no malleable signatures.
    pub fn verify(&self, hash: &Hash, signature: &Signature) -> Result<(), KeyError> {
        let signature = ed25519_dalek::Signature::from_bytes(&signature.0);
        self.0.verify_strict(&hash.0, &signature).map_err(|_| KeyError::Signature)
    }

    /// The being's name outside the world: did:key, multibase base58btc of the multicodec ed25519-pub.
    pub fn did(&self) -> String {
        let bytes: Vec<u8> = [0xed, 0x01].into_iter().chain(self.0.to_bytes()).collect();
        format!("did:key:z{}", bs58::encode(bytes).into_string())
    }
}
