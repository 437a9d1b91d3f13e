//! Streams: the only chance there is. A stream follows from the world's seed, a being's name, how many moments it has had and a purpose,
//! and from nothing else: whatever else is in the world, its draws stay the same.

/// A stream of random draws; the same four origins give the same draws on any machine.
pub struct Stream {
    reader: blake3::OutputReader,
}

impl Stream {
    /// The stream of the `n`th moment of the being of that name, for a purpose.
    pub fn of(seed: &[u8; 32], name: &str, n: u64, purpose: &str) -> Self {
        let mut hasher = blake3::Hasher::new_keyed(seed);
        // Names are of any length: without it, one name and purpose could be read as another.
        hasher.update(&(name.len() as u64).to_be_bytes()).update(name.as_bytes()).update(&n.to_be_bytes()).update(purpose.as_bytes());
        Self { reader: hasher.finalize_xof() }
    }

    /// 64 random bits.
    pub fn next_u64(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.reader.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    /// A number below `n`, each as likely as the other; 0 for 0.
    pub fn below(&mut self, n: u64) -> u64 {
        if n == 0 {
            return 0;
        }
        // Draws from the incomplete last run of n numbers are thrown away, so that none is likelier.
        let fair = u64::MAX - u64::MAX % n;
        loop {
            let draw = self.next_u64();
            if draw < fair {
                return draw % n;
            }
        }
    }

    /// A number from 0 up to but not 1, on a grid of 2^53.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}
