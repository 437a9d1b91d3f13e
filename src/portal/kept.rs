//! Kept: what a server remembers of who may come in, in small files beside the keystore, readable by their owner only.

use std::fs;
use std::io;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fact::Hash;
use crate::store::keep_secret;

/// Reads a file; the default where there is none.
pub fn read<T: DeserializeOwned + Default>(file: &Path) -> io::Result<T> {
    match fs::read(file) {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|_| {
            io::Error::other(format!("`{}` cannot be read as what `serve` wrote; take it away and everybody comes in anew", file.display()))
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(T::default()),
        Err(error) => Err(error),
    }
}

/// Puts something in a file's place, whole or not at all.
pub fn write<T: Serialize>(file: &Path, kept: &T) -> io::Result<()> {
    keep_secret(file, &serde_json::to_vec(kept)?)
}

/// A new secret: 256 random bits.
pub fn secret() -> io::Result<String> {
    let mut bytes = [0u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(Hash(bytes).to_string())
}

/// The hash by which a secret is kept, another for each purpose.
pub fn trace(purpose: &str, secret: &str) -> String {
    Hash(blake3::derive_key(purpose, secret.as_bytes())).to_string()
}
