//! Path: the closed list of what a condition may ask about a moment.
//!
//! A path is read once, when its flow is compiled; what it finds is answered by a [`Context`](super::seen::Context). A path that is
//! not on the list is kept as [`Path::Unknown`], is missing in every moment, and is a warning of the lint, not an error.

use std::fmt;

use crate::fact::Text;

use super::bygone::Bygone;
use super::name;
use super::party::{Aspect, Party};
use super::requested::Requested;

/// The longest path, in bytes.
const PATH_MAX: usize = 256;

/// Some text is not a path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a path such as `space.name`, found `{found}`: {what}")]
pub struct PathError {
    /// The text as given.
    pub found: String,
    /// The reason why it is no path.
    pub what: &'static str,
}

/// The paths that are a whole word, and those that go on with a part of their own.
macro_rules! paths {
    (
        words { $($(#[doc = $doc:literal])* $case:ident = $text:literal),* $(,)? }
        parts { $($(#[$part_doc:meta])* $part:ident = $prefix:literal, $rest:literal),* $(,)? }
    ) => {
        /// A path that a condition asks about.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Path {
            $($(#[doc = $doc])* $case,)*
            $($(#[$part_doc])* $part(Text),)*
            /// Of a party to a deed; only a rule asks.
            Of(Party, Aspect),
            /// Of the arguments of a deed; only a rule asks.
            Args(Text),
            /// Of a moment that has closed; only a look back asks.
            Moment(Bygone),
            /// Of a request to the outside; only its approval asks.
            Request(Requested),
            /// Not on the list: missing in every moment.
            Unknown(Text),
        }

        impl Path {
            /// Every path that is a whole word.
            pub const WORDS: &[&str] = &[$($text),*];
            /// The same, each with what it asks.
            pub const SAID: &[(&str, &str)] = &[$(($text, concat!($($doc),*))),*];
            /// Every path that goes on with a part of its own, and what that part is.
            pub const PARTS: &[(&str, &str)] = &[$(($prefix, $rest)),*];

            fn of(text: &str) -> Self {
                match text {
                    $($text => return Self::$case,)*
                    _ => {}
                }
                $(if let Some(rest) = text.strip_prefix($prefix) && is_part($prefix, rest) {
                    return Self::$part(rest.into());
                })*
                Self::Unknown(text.into())
            }
        }

        impl fmt::Display for Path {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$case => f.write_str($text),)*
                    $(Self::$part(rest) => write!(f, "{}{rest}", $prefix),)*
                    Self::Of(party, aspect) => write!(f, "{}.{aspect}", party.word()),
                    Self::Args(rest) => write!(f, "args.{rest}"),
                    Self::Moment(asked) => write!(f, "{asked}"),
                    Self::Request(asked) => write!(f, "{asked}"),
                    Self::Unknown(text) => f.write_str(text),
                }
            }
        }
    };
}

paths! {
    words {
        /// The verb of the wake.
        Verb = "verb",
        /// The action of a do.
        Action = "action",
        /// The operation of a be.
        Operation = "operation",
        /// The intent of a summons.
        Intent = "intent",
        /// The name of the being that caused the wake.
        CallerName = "caller.name",
        /// The primary role that the caller wore.
        CallerRole = "caller.role",
        /// The caller's effective cognition.
        CallerCognition = "caller.cognition",
        /// Whether the caller is the being itself.
        CallerIsSelf = "caller.isSelf",
        /// Whether the caller is the being's parent.
        CallerIsParent = "caller.isParent",
        /// Whether the caller is the being's parent or a parent of that one, and so on.
        CallerIsAncestor = "caller.isAncestor",
        /// Whether the being is the caller's ancestor.
        CallerIsDescendant = "caller.isDescendant",
        /// The space that the being is in.
        SpaceName = "space.name",
        /// Its type.
        SpaceType = "space.type",
        /// Its owner's name.
        SpaceOwner = "space.owner",
        /// How many beings are in it, the being itself among them.
        SpaceCount = "space.count",
        /// Where the being stands in it, left to right.
        CoordsX = "coords.x",
        /// Where the being stands in it, front to back.
        CoordsY = "coords.y",
        /// Where the being stands in it, bottom to top.
        CoordsZ = "coords.z",
        /// Whether the space is the being's home.
        InHomeSpace = "inHomeSpace",
        /// The being's own name.
        MeName = "me.name",
        /// Its default role.
        MeDefaultRole = "me.defaultRole",
        /// The primary role that it wore when it last acted; null before.
        MePreviousRole = "me.previousRole",
        /// Its effective cognition.
        MeCognition = "me.cognition",
        /// The name of who drives it, or null.
        MeInhabitedBy = "me.inhabitedBy",
        /// The address of the space that it is in.
        MePosition = "me.position",
        /// The address of its home.
        MeHome = "me.home",
        /// The hour, 0 to 23, in the world's zone.
        TimeHour = "time.hour",
        /// The minute of the hour, 0 to 59.
        TimeMinute = "time.minute",
        /// The day of the week; 0 is Sunday.
        TimeDayOfWeek = "time.dayOfWeek",
        /// The instant as ISO 8601 text with the offset in force.
        TimeIso = "time.iso",
        /// Whole seconds since the being last acted, or since its birth.
        TimeSinceLastMoment = "time.sinceLastMoment",
    }
    parts {
        /// A quality of the space: `<namespace>.<key…>`.
        SpaceQuality = "space.quality.", "<namespace>.<key>",
        /// How many beings in the space wear a role.
        SpaceWearing = "space.wearing.", "<role>",
        /// Whether the being is a descendant of a named being, or that being itself.
        InTreeOf = "inTreeOf.", "<being>",
        /// A quality of the being: `<namespace>.<key…>`.
        MeQuality = "me.quality.", "<namespace>.<key>",
        /// A signal: `<namespace>.<key…>`.
        World = "world.", "<namespace>.<key>",
    }
}

/// Whether the rest of a path fits what its beginning asks for: a signal needs a key, and a name is one part.
fn is_part(prefix: &str, rest: &str) -> bool {
    match prefix {
        "world." => rest.contains('.'),
        "space.wearing." | "inTreeOf." => !rest.contains('.') && !rest.starts_with('@'),
        _ => !rest.is_empty(),
    }
}

impl Path {
    /// Reads a dotted path; one that is well formed but not on the list is [`Path::Unknown`].
    pub fn parse(text: &str) -> Result<Self, PathError> {
        let wrong = |what| Err(PathError { found: text.chars().take(PATH_MAX).collect(), what });
        if text.is_empty() {
            wrong("it is empty")
        } else if text.len() > PATH_MAX {
            wrong("it is longer than 256 bytes")
        } else if text.split('.').any(str::is_empty) {
            wrong("a part between two dots is empty")
        } else if text.contains(|c: char| c.is_control()) {
            wrong("it holds a control character")
        } else {
            Ok(Self::of(text))
        }
    }

    /// Whether it asks about the space in which the being stands.
    pub fn is_of_place(&self) -> bool {
        matches!(
            self,
            Self::SpaceName | Self::SpaceType | Self::SpaceOwner | Self::SpaceCount | Self::SpaceQuality(_) | Self::SpaceWearing(_)
        )
    }

    /// Reads a path of a rule: of a party, of the arguments, of time or of signals. A path that a rule cannot ask is [`Path::Unknown`].
    pub fn parse_ruled(text: &str) -> Result<Self, PathError> {
        if let Some(rest) = text.strip_prefix("args.") {
            return Self::parse(text).map(|_| Self::Args(rest.into()));
        }
        let party = Party::ALL.iter().find_map(|party| Some((*party, text.strip_prefix(party.word())?.strip_prefix('.')?)));
        Ok(match (Self::parse(text)?, party) {
            (_, Some((party, rest))) => Aspect::parse(rest).map_or_else(|| Self::Unknown(text.into()), |aspect| Self::Of(party, aspect)),
            (known, None) if Self::RULED.contains(&text) || matches!(known, Self::World(_)) => known,
            (_, None) => Self::Unknown(text.into()),
        })
    }

    /// Reads a path of a request to the outside, of whoever asks, of time or of signals. Any other is [`Path::Unknown`].
    pub(super) fn parse_requested(text: &str) -> Result<Self, PathError> {
        let parsed = Self::parse(text)?;
        Ok(match Requested::parse(text) {
            Some(asked) => Self::Request(asked),
            None if matches!(parsed, Self::World(_) | Self::TimeHour | Self::TimeMinute | Self::TimeDayOfWeek) => parsed,
            None => Self::Unknown(text.into()),
        })
    }

    /// Reads a path of a look back: one of a flow, or of the moment itself.
    pub(super) fn parse_back(text: &str) -> Result<Self, PathError> {
        Bygone::parse(text).map_or_else(|| Self::parse(text), |asked| Ok(Self::Moment(asked)))
    }

    /// The paths of a flow that a rule can ask too, beside signals.
    pub const RULED: &[&str] = &["verb", "action", "time.hour", "time.minute", "time.dayOfWeek"];

    /// A hint at what may have been meant by a path that a rule cannot ask.
    pub(super) fn suggest_ruled(unknown: &str) -> String {
        if let Some(rest) = unknown.strip_prefix("me.").or_else(|| unknown.strip_prefix("space.").map(|_| unknown)) {
            return format!("a rule has no moment of its own: write `by.{rest}` for whoever acts");
        }
        let of = |party: &Party| Aspect::WORDS.iter().map(|(word, _)| format!("{}.{word}", party.word())).collect::<Vec<_>>();
        let words: Vec<String> = Party::ALL.iter().flat_map(of).chain(Self::RULED.iter().map(|word| (*word).to_owned())).collect();
        let all = "a rule asks about `actor.`, `by.`, `target.`, `to.`, `args.`, `world.`, `time.`, `verb` and `action`";
        name::did_you_mean("", unknown, words.iter().map(String::as_str)).unwrap_or_else(|| all.to_owned())
    }

    /// Whether it asks about what stands in the world and a fact can change: not about the wake, a signal or time, which wake by themselves.
    pub fn is_standing(&self) -> bool {
        self.is_of_place()
            || matches!(
                self,
                Self::CoordsX
                    | Self::CoordsY
                    | Self::CoordsZ
                    | Self::InHomeSpace
                    | Self::InTreeOf(_)
                    | Self::MeDefaultRole
                    | Self::MePreviousRole
                    | Self::MeCognition
                    | Self::MeInhabitedBy
                    | Self::MePosition
                    | Self::MeHome
                    | Self::MeQuality(_)
            )
    }

    /// Whether the wake itself says what stands there, or who caused it: it is the same whenever its moment opens.
    pub fn is_of_wake(&self) -> bool {
        matches!(
            self,
            Self::Verb
                | Self::Action
                | Self::Operation
                | Self::Intent
                | Self::CallerName
                | Self::CallerRole
                | Self::CallerIsSelf
                | Self::CallerIsParent
                | Self::CallerIsAncestor
                | Self::CallerIsDescendant
        )
    }

    /// Whether it is not on the list.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Unknown(_))
    }

    /// The known path that an unknown one most likely stands for.
    pub fn suggest(unknown: &str) -> Option<String> {
        if let Some(near) = name::nearest(unknown, Self::WORDS.iter().copied()) {
            return Some(near.to_owned());
        }
        for (prefix, rest) in Self::PARTS {
            if unknown.starts_with(prefix) || format!("{unknown}.") == **prefix {
                return Some(format!("{prefix}{rest}"));
            }
        }
        Self::PARTS.iter().find_map(|(prefix, _)| {
            let parts = prefix.matches('.').count();
            let border = unknown.match_indices('.').nth(parts.checked_sub(1)?)?.0 + 1;
            let (head, rest) = unknown.split_at_checked(border)?;
            name::nearest(head, [*prefix]).filter(|near| is_part(near, rest)).map(|near| format!("{near}{rest}"))
        })
    }
}

/// Whether one path of nested maps is another, a part of it or what it is part of.
pub fn overlap(one: &str, other: &str) -> bool {
    let within = |whole: &str, part: &str| part.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    within(one, other) || within(other, one)
}
