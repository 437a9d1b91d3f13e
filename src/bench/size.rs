//! Size: how much is measured.

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// Beings in the town.
    pub beings: usize,
    /// Moments of the town in each run.
    pub moments: usize,
    /// Threads.
    pub threads: usize,
    /// The longest reel and the longest history.
    pub longest: usize,
    /// How often; the median is given.
    pub runs: usize,
    /// Whether the system forgets what it has read before each look at a point of the past; only root can have it do that.
    pub cold: bool,
}

impl Default for Size {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self { beings: 10_000, moments: 50_000, threads, longest: 1_000_000, runs: 5, cold: false }
    }
}
