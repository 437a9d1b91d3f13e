//! Touch: what the steps of an extension's operation may change, as its manifest marks it.
//!
//! A mark names the actor, the target or an argument that is an address. `target.position` and `args.<path>.position` are marks of their
//! own: the position of a being is moved only where one of them stands.

/// Which thing a mark names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched<'m> {
    /// Who does the operation.
    Actor,
    /// What it is done to.
    Target,
    /// What the argument at this path names.
    Argument(&'m str),
}

/// One mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch<'m> {
    /// Which thing.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_a_mark_of_its_own_and_an_argument_may_be_called_so() {
        let mark = |of, is_position| Some(Touch { of, is_position });
        for (written, meant) in [
            ("actor", mark(Touched::Actor, false)),
            ("target", mark(Touched::Target, false)),
            ("target.position", mark(Touched::Target, true)),
            ("args.who", mark(Touched::Argument("who"), false)),
            ("args.who.position", mark(Touched::Argument("who"), true)),
            ("args.a.b.position", mark(Touched::Argument("a.b"), true)),
            ("args.position", mark(Touched::Argument("position"), false)),
            ("args.position.position", mark(Touched::Argument("position"), true)),
            ("actor.position", None),
            ("target.qualities", None),
            ("args.", None),
            ("args..position", None),
            ("args", None),
            ("position", None),
            ("", None),
        ] {
            assert_eq!(Touch::parse(written), meant, "{written}");
        }
    }
}
