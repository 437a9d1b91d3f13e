//! Worlds: those of one server: the first at `/`, the others below `/w/`, each with people, limits and a clock of its own; and how one more
//! comes to them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::http::request::Parts;
use axum::http::uri::{PathAndQuery, Uri};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json, Router};
use serde::Serialize;
use tower::ServiceExt;
use utoipa::ToSchema;

use crate::fact::{ForkOrigin, Seq};
use crate::store::WorldFile;
use crate::world::World;

use super::fork_place::ForkPlace;
use super::hall::Hall;
use super::made::MadeWorlds;
use super::trouble::{Trouble, Wrong};
use super::who::{Who, person};

/// How many worlds a server has beside the first.
pub const WORLDS_MAX: usize = 16;
/// The path below which they stand.
const BELOW: &str = "/w/";

/// A world of this server: what its people share, and what is where in it.
#[derive(Clone)]
pub struct Resident {
    /// The state that its request handlers share.
    pub hall: Arc<Hall>,
    /// Its routes.
    pub router: Router,
}

/// How the world in a directory is opened under a name and begins to live, standing still where that is wanted; else why it does not.
pub type Opener = Box<dyn Fn(&Path, &str, bool) -> Result<Resident, String> + Send + Sync>;

/// The worlds of one server.
pub struct Worlds {
    /// Where those beside the first lie, and where forks are put.
    pub place: ForkPlace,
    /// Those that this server has made: any other stands still at first.
    pub made: MadeWorlds,
    /// By name; the first has none.
    residents: Mutex<BTreeMap<String, Resident>>,
    opener: OnceLock<Opener>,
    forking: Mutex<()>,
}

impl Worlds {
    /// None yet; those beside the first will lie there.
    pub fn at_place(place: ForkPlace, made: MadeWorlds) -> Self {
        Self { place, made, residents: Mutex::default(), opener: OnceLock::new(), forking: Mutex::default() }
    }

    /// Says once how one is opened.
    pub fn open_by(&self, opener: Opener) {
        let _ = self.opener.set(opener);
    }

    fn residents(&self) -> MutexGuard<'_, BTreeMap<String, Resident>> {
        self.residents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Held by whoever makes a fork: one is made at a time, so that two never take one name.
    pub fn forking(&self) -> MutexGuard<'_, ()> {
        self.forking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there is no room for one more beside the first.
    pub fn is_full(&self) -> bool {
        self.residents().len() > WORLDS_MAX
    }

    /// One more.
    pub fn add(&self, resident: Resident) {
        self.residents().insert(resident.hall.entrance.name.clone(), resident);
    }

    /// One less: it has come to its end.
    pub fn forget(&self, name: &str) {
        self.residents().remove(name);
    }

    /// All of them, the first first.
    pub fn all(&self) -> Vec<Arc<Hall>> {
        self.residents().values().map(|resident| resident.hall.clone()).collect()
    }

    /// The one at a path, as [`path_of`] says it.
    pub fn at(&self, path: &str) -> Option<Arc<Hall>> {
        let name = path.strip_prefix(BELOW).unwrap_or(path).trim_matches('/');
        self.residents().get(name).map(|resident| resident.hall.clone())
    }

    /// Opens the one in a directory that lies beside the others, under the directory's name.
    ///
    /// In order: its name can stand in an address, there is room for one more, and it opens.
    pub fn open(&self, name: &str, is_still: bool) -> Result<Arc<Hall>, String> {
        if !WorldFile::is_name(name) {
            return Err(format!("expected a directory whose name has up to 64 letters, digits and `-`, found `{name}`; rename it"));
        }
        if self.is_full() {
            return Err(format!("at most {WORLDS_MAX} worlds are served beside the first; move one away, or serve it by itself"));
        }
        let (Some(dir), Some(opener)) = (self.place.of_world(name), self.opener.get()) else {
            return Err("this server keeps one world".to_owned());
        };
        let resident = opener(&dir, name, is_still)?;
        let hall = resident.hall.clone();
        self.add(resident);
        Ok(hall)
    }

    /// The world that a path leads to, and the path within it; none where a `/` is missing behind a name.
    fn led(&self, uri: &Uri) -> Option<(Router, Option<Uri>)> {
        let residents = self.residents();
        let below = uri.path().strip_prefix(BELOW).unwrap_or_default();
        let (name, rest) = below.split_once('/').map_or((below, None), |(name, rest)| (name, Some(rest)));
        let Some(resident) = residents.get(name).filter(|_| !name.is_empty()) else {
            // Of any other path the first says what is there, or that nothing is.
            return residents.get("").map(|first| (first.router.clone(), None));
        };
        let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
        let own = PathAndQuery::try_from(format!("/{}{query}", rest?)).ok()?;
        let mut parts = uri.clone().into_parts();
        parts.path_and_query = Some(own);
        Some((resident.router.clone(), Some(Uri::from_parts(parts).ok()?)))
    }
}

/// Where a world of that name stands.
pub fn path_of(name: &str) -> String {
    if name.is_empty() { "/".to_owned() } else { format!("{BELOW}{name}/") }
}

/// Leads a request to the world that it means.
pub async fn lead(State(worlds): State<Arc<Worlds>>, mut request: Request) -> Response {
    let Some((router, own)) = worlds.led(request.uri()) else {
        // The page looks for its files beside itself.
        let name = request.uri().path().rsplit('/').next().unwrap_or_default();
        return (StatusCode::PERMANENT_REDIRECT, [(LOCATION, format!("{name}/"))]).into_response();
    };
    if let Some(own) = own {
        *request.uri_mut() = own;
    }
    request.extensions_mut().insert(worlds);
    router.oneshot(request).await.into_response()
}

/// The origin of a fork.
#[derive(Serialize, ToSchema)]
pub struct ForkedFrom {
    /// The parent's name.
    name: String,
    /// Its id.
    world: String,
    /// The fork's first own frame.
    #[schema(value_type = u64)]
    seq: Seq,
}

/// A world of this server.
#[derive(Serialize, ToSchema)]
#[schema(as = Resident)]
#[serde(rename_all = "camelCase")]
pub struct ResidentTold {
    /// Its display name.
    name: String,
    /// Where it stands: `/`, or `/w/NAME/`.
    path: String,
    /// Its id.
    world: String,
    /// Whether it is the one that was asked.
    here: bool,
    /// Its origin, if it is a fork.
    origin: Option<ForkedFrom>,
    /// The seq up to which its past is that of the world that was asked, where both come from one.
    #[schema(value_type = Option<u64>)]
    shared: Option<Seq>,
}

/// The worlds of this server that one may know of.
#[derive(Serialize, ToSchema)]
#[schema(as = Worlds)]
#[serde(rename_all = "camelCase")]
pub struct WorldsTold {
    worlds: Vec<ResidentTold>,
    /// Whether whoever asks may make a fork here.
    may_fork: bool,
    /// To the operator, where there is no place for forks: why.
    no_place: Option<String>,
    /// And the command that makes one elsewhere; it takes `--at POINT` and `--change CHANGE`.
    fork_command: Option<String>,
}

/// The command that makes a fork of a world; FORK stands for its directory.
fn fork_command(data: &Path) -> String {
    let data = data.canonicalize().unwrap_or_else(|_| data.to_owned()).display().to_string();
    let is_plain = data.chars().all(|letter| letter.is_alphanumeric() || "/._-".contains(letter));
    let quoted = if is_plain { data } else { format!("'{}'", data.replace('\'', r"'\''")) };
    format!("reelm fork FORK --data {quoted}")
}

/// The caller, in any of this server's worlds: each of them knows whether it knows them.
pub struct Caller(pub Parts);

impl<S: Send + Sync> axum::extract::FromRequestParts<S> for Caller {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(parts.clone()))
    }
}

impl Caller {
    /// The caller, as another world knows them: by the session that they have there.
    pub fn known_in(&self, hall: &Hall) -> Result<Who, Trouble> {
        let who = hall.entrance.recognise(&hall.feed.world(), &self.0)?;
        hall.entrance.owes_password(&who).map_or(Ok(who), Err)
    }
}

/// The worlds of this server that one may know of: the operator of all; others of those where they are logged in, or have a password
#[utoipa::path(get, path = "/api/worlds", responses((status = 200, body = WorldsTold), (status = 401, body = Wrong), (status = 403, body = Wrong)))]
pub async fn worlds(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Extension(worlds): Extension<Arc<Worlds>>,
    caller: Caller,
) -> Result<Json<WorldsTold>, Trouble> {
    let sight = hall.sight_now(&who, None)?;
    let own = sight.world.lineage();
    let (name, is_somebody) = (sight.being.name.clone(), !who.is_visitor);
    let is_here = |other: &Hall| other.entrance.name == hall.entrance.name;
    let knows = |other: &Arc<Hall>| {
        let has_password = |world: &World| person(world, &name).is_some_and(|id| other.entrance.people().has_password(&id.to_string()));
        let is_in = || caller.known_in(other).is_ok_and(|there| !there.is_visitor);
        is_here(other) || who.goes_first() || is_in() || is_somebody && has_password(&other.feed.world())
    };
    let told = |other: Arc<Hall>| {
        let world = other.feed.world();
        let lineage = world.lineage();
        let from = |origin: &ForkOrigin| ForkedFrom { name: origin.name.clone(), world: origin.world.to_string(), seq: origin.seq };
        ResidentTold {
            name: called(&world),
            path: path_of(&other.entrance.name),
            world: lineage.world.to_string(),
            here: is_here(&other),
            origin: lineage.origins.last().map(from),
            shared: if is_here(&other) { None } else { own.shared(lineage) },
        }
    };
    let no_place = worlds.place.for_forks().err().filter(|_| who.goes_first());
    let may_fork = who.goes_first() && who.token.is_none() && no_place.is_none();
    let fork_command = no_place.is_some().then(|| fork_command(&hall.dir));
    Ok(Json(WorldsTold { worlds: worlds.all().into_iter().filter(knows).map(told).collect(), may_fork, no_place, fork_command }))
}

/// The display name of a world: a fork's own name, not its parent's.
pub fn called(world: &World) -> String {
    let lineage = world.lineage();
    let set = world.world_setting("name").as_str().filter(|_| lineage.origins.is_empty()).map(str::to_owned);
    set.unwrap_or_else(|| lineage.name.clone())
}
