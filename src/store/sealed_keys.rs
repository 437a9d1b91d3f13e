//! Sealed keys: the keystore of a world in a file that one other machine alone can open, by the sealed box of NaCl (X25519).
//!
//! A machine's key follows from the secret of whoever runs the program there, which leaves it never. The file says for which world and for
//! which machine it is; its sender is known by nothing, but the keys in it must be those that the world's own root key names.

use std::path::Path;

use crypto_box::aead::OsRng;
use crypto_box::{PublicKey, SecretKey};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use crate::fact::{Hash, WorldId};

use super::error::StoreError;
use super::keystore::Keystore;
use super::replace::keep_secret;
use super::world_file::WorldFile;

/// For what a machine's secret is drawn from that of its user.
const CONTEXT: &str = "reelm 1 machine key";

/// A machine that can open what is sealed to it.
pub struct MachineKey(SecretKey);

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SealedFile {
    format: u32,
    world: WorldId,
    to: Hash,
    sealed: String,
}

impl MachineKey {
    /// That of whoever runs the program here; nothing where there is no place for a secret.
    pub fn here() -> Option<Self> {
        let user = Keystore::of_user(true)?;
        let secret = Zeroizing::new(blake3::derive_key(CONTEXT, &*user.master));
        Some(Self(SecretKey::from_bytes(*secret)))
    }

    /// Its public part, by which others name it.
    pub fn public(&self) -> Hash {
        Hash(*self.0.public_key().as_bytes())
    }

    /// The keys in a file that was sealed to this machine, if they are those of a world.
    pub fn open(&self, file: &Path, world: &WorldFile) -> Result<Keystore, StoreError> {
        let bad = |what: String| StoreError::Sealed { file: file.to_owned(), what };
        let text = std::fs::read_to_string(file).map_err(|error| StoreError::io("read", file, error))?;
        // The usual error would show the text.
        let found: SealedFile = toml::from_str(&text).map_err(|_| bad("expected keys that `reelm keys seal` has sealed".to_owned()))?;
        if found.to != self.public() {
            return Err(bad(format!("it is sealed to the machine {}, and this one is {}", found.to, self.public())));
        }
        if found.world != world.world {
            return Err(bad(format!("it holds the keys of the world {}, and this one is {}", found.world, world.world)));
        }
        let sealed =
            data_encoding::HEXLOWER.decode(found.sealed.as_bytes()).map_err(|_| bad("expected hex digits in `sealed`".to_owned()))?;
        let opened =
            self.0.unseal(&sealed).map(Zeroizing::new).map_err(|_| bad("it was changed, or sealed by something else".to_owned()))?;
        let master: [u8; 32] = opened.as_slice().try_into().map_err(|_| bad("it holds no master secret".to_owned()))?;
        let keystore = Keystore { master: Zeroizing::new(master) };
        keystore.fits(file, world)?;
        Ok(keystore)
    }
}

/// Seals the keys of a world to a machine.
pub fn seal_keys(keystore: &Keystore, world: WorldId, to: Hash, file: &Path) -> Result<(), StoreError> {
    let bad = |what: String| StoreError::Sealed { file: file.to_owned(), what };
    let sealed = PublicKey::from_bytes(to.0).seal(&mut OsRng, keystore.master.as_slice()).map_err(|error| bad(error.to_string()))?;
    let file_text = SealedFile { format: 1, world, to, sealed: data_encoding::HEXLOWER.encode(&sealed) };
    let text = toml::to_string(&file_text).map_err(|error| bad(error.to_string()))?;
    keep_secret(file, text.as_bytes()).map_err(|error| StoreError::io("write", file, error))
}
