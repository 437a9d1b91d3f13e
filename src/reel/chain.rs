//! Chain: where each reel of a world stands; the next frame goes on from there, or what is wrong with it is named.
//!
//! It knows no world: a birth fact gives it the child's key and the hash that the child's first frame must name.

use std::sync::Arc;

use imbl::OrdMap;

use crate::fact::canon::canon_struct;
use crate::fact::{
    BeingId, BirthKey, CALENDAR, Changes, Draft, Fact, Hash, KeyError, Lineage, Millis, N, Peaks, PublicKey, Seq, Signature, WorldId,
    write_changes,
};

/// Why a frame does not continue its world.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChainError {
    /// The frame is of another world.
    #[error("frame {seq} belongs to world {found}; this world is {expected}")]
    ForeignWorld {
        /// The frame.
        seq: Seq,
        /// This world.
        expected: WorldId,
        /// Its world.
        found: WorldId,
    },
    /// The frame is not the next of the world.
    #[error("expected frame {expected} next, found {found}")]
    Order {
        /// The seq expected.
        expected: Seq,
        /// The seq found.
        found: Seq,
    },
    /// Nobody of that name was born before.
    #[error("frame {seq} is written by {being}, of whom no birth is known")]
    Unborn {
        /// The frame.
        seq: Seq,
        /// Its writer.
        being: BeingId,
    },
    /// The reel has that n already, with the same frame before it.
    #[error("frame {seq} forks the reel of {being}: n {n} is there already")]
    Forked {
        /// The frame.
        seq: Seq,
        /// Its writer.
        being: BeingId,
        /// Its n.
        n: N,
    },
    /// The reel is not as long as the frame says, or longer.
    #[error("frame {seq} has n {found} of {being}; the reel goes on with {expected}")]
    WrongN {
        /// The frame.
        seq: Seq,
        /// Its writer.
        being: BeingId,
        /// The n expected.
        expected: N,
        /// The n found.
        found: N,
    },
    /// The frame before it on the reel is another one.
    #[error("frame {seq} of {being} (n {n}) does not name the frame before it on its reel")]
    WrongPrev {
        /// The frame.
        seq: Seq,
        /// Its writer.
        being: BeingId,
        /// Its n.
        n: N,
    },
    /// World time went back, or the moment opened after it closed.
    #[error("frame {seq} goes back in time")]
    TimeBack {
        /// The frame.
        seq: Seq,
    },
    /// An instant that the calendar does not have.
    #[error("frame {seq} has an instant that the calendar does not have: expected one of the years 1 to 9999")]
    Calendar {
        /// The frame.
        seq: Seq,
    },
    /// The first frame of a being in a fork does not end with the being's new key, or another frame has one.
    #[error(
        "expected {expected} in frame {seq} of {being}, found {found}: in a fork the first frame of each being gives it a key, as its last fact, and no other frame does"
    )]
    Rekeyed {
        /// The frame.
        seq: Seq,
        /// Its writer.
        being: BeingId,
        /// The expected bearing of the frame.
        expected: &'static str,
        /// The bearing that was found.
        found: &'static str,
    },
    /// A key in a birth is not a key, or a seal does not hold.
    #[error("frame {seq}: {source}")]
    Key {
        /// The frame.
        seq: Seq,
        /// Why.
        #[source]
        source: KeyError,
    },
}

/// Where one reel stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReelHead {
    /// The n of the next frame.
    pub next_n: N,
    /// The hash that the next frame must name.
    pub hash: Hash,
    /// The seq of the frame with that hash.
    pub seq: Seq,
    /// The being's key.
    pub key: BirthKey,
    /// Whether it has delegated to the seals of its world; of `@world`, whether all who are born do.
    pub delegates: bool,
}

canon_struct!(ReelHead { next_n, hash, seq, key, delegates });

/// All reels of one world, and the peaks of its head.
#[derive(Clone, Debug)]
pub struct Chain {
    lineage: Arc<Lineage>,
    reels: OrdMap<BeingId, ReelHead>,
    next: Seq,
    at: Millis,
    peaks: Peaks,
}

impl Chain {
    /// A world before its first frame.
    pub fn new(world: WorldId) -> Self {
        Self::of(Arc::new(Lineage::plain(world)))
    }

    /// The same of a world that is to come to be a fork, or none.
    pub fn of(lineage: Arc<Lineage>) -> Self {
        Self { lineage, reels: OrdMap::new(), next: 0, at: Millis::MIN, peaks: Peaks::default() }
    }

    /// A chain that goes on with frame `next` on the peaks before it, with its reels as a checkpoint has them.
    pub fn going_on(lineage: Arc<Lineage>, next: Seq, at: Millis, peaks: Peaks, reels: Changes<BeingId, ReelHead>) -> Self {
        let reels = reels.into_iter().filter_map(|(being, reel)| Some((being, reel?))).collect();
        Self { lineage, reels, next, at, peaks }
    }

    /// Writes where each reel stands that has gone on since, page by page.
    pub fn write_checkpoint(&self, since: &Self, page: &mut dyn FnMut(Vec<u8>)) {
        write_changes(&since.reels, &self.reels, page);
    }

    /// The seq of the next frame.
    pub fn next(&self) -> Seq {
        self.next
    }

    /// The head over all frames so far; it is made anew at each asking, so it is asked for once a group.
    pub fn head(&self) -> Hash {
        self.peaks.head()
    }

    /// The peaks of the frames so far, from which their head goes on.
    pub fn peaks(&self) -> &Peaks {
        &self.peaks
    }

    /// Where a being's reel stands.
    pub fn reel(&self, being: BeingId) -> Option<&ReelHead> {
        self.reels.get(&being)
    }

    /// Names the frame before it in a draft that is about to be sealed.
    pub fn link(&self, draft: &mut Draft) {
        if let Some(reel) = self.reels.get(&draft.being) {
            (draft.prev, draft.prev_seq) = (reel.hash, reel.seq);
        }
    }

    /// From which worlds it comes.
    pub fn lineage(&self) -> &Arc<Lineage> {
        &self.lineage
    }

    /// Whether a being has no key yet in the fork that the world now is.
    fn lacks_key(&self, being: BeingId) -> bool {
        let began = self.lineage.reign(self.next).began;
        began > 0 && self.reels.get(&being).is_some_and(|reel| reel.seq < began)
    }

    /// The key under which a draft must be sealed: its being's, or the one that it records itself: the very first frame, and in a fork the first
    /// one of each being.
    pub fn key(&self, draft: &Draft) -> Result<BirthKey, ChainError> {
        if let Some(key) = draft.rekeyed().filter(|_| self.lacks_key(draft.being)) {
            return Ok(BirthKey::said(key));
        }
        match (self.reels.get(&draft.being), draft.facts.first()) {
            (Some(reel), _) => Ok(reel.key.clone()),
            (None, Some(Fact::Born(birth))) if draft.seq == 0 => {
                PublicKey::from_hash(&birth.key).map(BirthKey::of).map_err(|source| ChainError::Key { seq: 0, source })
            }
            (None, _) => Err(ChainError::Unborn { seq: draft.seq, being: draft.being }),
        }
    }

    /// Whether the seals of the world cover a draft, so that its frame carries no signature of its own.
    pub fn is_covered(&self, draft: &Draft) -> bool {
        // By its own signature a being takes up its key in a fork, and lets the seals there answer for what follows.
        draft.being != BeingId::WORLD
            && draft.is_entrusted()
            && draft.rekeyed().is_none()
            && self.reels.get(&draft.being).is_some_and(|reel| reel.delegates)
    }

    /// Whether all who are born by a draft have to delegate to the seals of the world.
    pub fn delegates(&self, draft: &Draft) -> bool {
        self.reels.get(&BeingId::WORLD).map_or_else(|| draft.begins_batches(), |world| world.delegates)
    }

    /// Whether a draft that is linked goes on from here; said before it is sealed, and of every frame that is read. Checked in this order:
    /// world, seq, time, writer, n, previous frame.
    pub fn check(&self, draft: &Draft) -> Result<(), ChainError> {
        let (seq, being, n) = (draft.seq, draft.being, draft.n);
        let expected = self.lineage.reign(self.next).world;
        if draft.world != expected {
            return Err(ChainError::ForeignWorld { seq, expected, found: draft.world });
        }
        if let Some(reel) = self.reels.get(&being)
            && n.checked_add(1) == Some(reel.next_n)
            && draft.prev != reel.hash
            && seq == self.next
        {
            return Err(ChainError::Forked { seq, being, n });
        }
        if seq != self.next {
            return Err(ChainError::Order { expected: self.next, found: seq });
        }
        if ![draft.at, draft.opened_at].iter().all(|at| CALENDAR.contains(at)) {
            return Err(ChainError::Calendar { seq });
        }
        if draft.at < self.at || draft.opened_at > draft.at || draft.opened > seq {
            return Err(ChainError::TimeBack { seq });
        }
        if seq == 0 && being == BeingId::WORLD {
            return if draft.prev == Hash::NOTHING && n == 0 && draft.prev_seq == 0 {
                Ok(())
            } else {
                Err(ChainError::WrongPrev { seq, being, n })
            };
        }
        let reel = self.reels.get(&being).ok_or(ChainError::Unborn { seq, being })?;
        if n != reel.next_n {
            return Err(ChainError::WrongN { seq, being, expected: reel.next_n, found: n });
        }
        if draft.prev != reel.hash || draft.prev_seq != reel.seq {
            return Err(ChainError::WrongPrev { seq, being, n });
        }
        self.check_key(draft)
    }

    /// Whether a draft gives its being another key where it has to, as its last fact, and nowhere else.
    fn check_key(&self, draft: &Draft) -> Result<(), ChainError> {
        let said = |is_last| if is_last { "a `Rekeyed` as the last fact" } else { "none" };
        let count = draft.facts.iter().filter(|fact| matches!(fact, Fact::Rekeyed { .. })).count();
        let (due, is_last) = (self.lacks_key(draft.being), matches!(draft.facts.last(), Some(Fact::Rekeyed { .. })));
        if count == usize::from(due) && due == is_last {
            return Ok(());
        }
        let found = if count == usize::from(is_last) { said(is_last) } else { "one that is not last, or several" };
        Err(ChainError::Rekeyed { seq: draft.seq, being: draft.being, expected: said(due), found })
    }

    /// Goes past a frame that is known to be the next one.
    pub fn advance(&mut self, draft: &Draft, hash: Hash) -> Result<(), ChainError> {
        let seq = draft.seq;
        for (being, birth) in draft.births() {
            let key = PublicKey::from_hash(&birth.key).map(BirthKey::of).map_err(|source| ChainError::Key { seq, source })?;
            let delegates = birth.delegation.is_some() || (being == BeingId::WORLD && draft.begins_batches());
            self.reels.insert(being, ReelHead { next_n: 0, hash, seq, key, delegates });
        }
        let key = draft.rekeyed().map(|key| PublicKey::from_hash(&key).map(BirthKey::of)).transpose();
        let key = key.map_err(|source| ChainError::Key { seq, source })?;
        if let Some(reel) = self.reels.get_mut(&draft.being) {
            reel.key = key.unwrap_or_else(|| reel.key.clone());
            (reel.next_n, reel.hash, reel.seq) = (draft.n + 1, hash, seq);
        }
        self.next = seq + 1;
        self.at = draft.at;
        self.peaks.push(hash);
        Ok(())
    }

    /// The key by which `@world` seals the head here: in a fork it does so before it has written anything there itself.
    pub fn seal_key(&self) -> Option<BirthKey> {
        let (reign, own) = (self.lineage.sealer(self.next), self.reels.get(&BeingId::WORLD)?);
        Some(if own.seq < reign.began { BirthKey::said(*reign.root_key) } else { own.key.clone() })
    }

    /// Checks that `@world` sealed a head.
    pub fn verify_seal(&self, head: &Hash, seal: &Signature) -> Result<(), ChainError> {
        let seq = self.next.saturating_sub(1);
        let key = self.seal_key().ok_or(ChainError::Unborn { seq, being: BeingId::WORLD })?;
        key.verify(head, seal).map_err(|source| ChainError::Key { seq, source })
    }
}
