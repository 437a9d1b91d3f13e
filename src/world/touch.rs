//! Touch: the marks in a manifest of the things that an extension's operation may change.
//!
//! A mark names the actor, the target or an argument that is an address. `target.position` and `args.<path>.position` are marks of their
//! own: the position of a being is moved only where one of them stands.

/// The thing that a mark names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched<'m> {
    /// The being that does the operation.
    Actor,
    /// The target of the operation.
    Target,
    /// The thing that the argument at this path names.
    Argument(&'m str),
}

/// One mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch<'m> {
    /// The thing.
    pub of: Touched<'m>,
    /// Whether only its position is meant.
    pub is_position: bool,
}

impl<'m> Touch<'m> {
    /// The mark, if it is one.
    pub fn parse(mark: &'m str) -> Option<Self> {
        let (of, is_position) = match mark {
            "actor" => (Touched::Actor, false),
            "target" => (Touched::Target, false),
            "target.position" => (Touched::Target, true),
            mark => {
                let path = mark.strip_prefix("args.")?;
                let (path, is_position) = path.strip_suffix(".position").map_or((path, false), |path| (path, true));
                (Touched::Argument(Some(path).filter(|path| !path.is_empty())?), is_position)
            }
        };
        Some(Self { of, is_position })
    }
}
