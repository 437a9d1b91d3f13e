//! Many: a space and those in it, short enough for a map of ten thousand: each a number, a name and what it wears.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::fact::{BeingId, Cognition, Coords, SpaceId, Text, Thing};
use crate::store::Interest;
use crate::verb::Named;
use crate::world::Being;

use super::hall::Hall;
use super::pulse::number;
use super::sent::Asked;
use super::shapes::CoordsShape;
use super::sight::{LOOKS, Sight};
use super::spelled::AddressShape;
use super::trouble::{Trouble, Wrong};
use super::who::{Then, Who};

/// How many places are told.
const PLACES: usize = 4096;
/// How many beings a view may have whose beings are told one by one.
const BEINGS: u64 = 100_000;

/// The space to tell.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct WhichCrowd {
    /// The space; without it, the whole world.
    #[serde(rename = "in")]
    #[param(rename = "in", value_type = Option<AddressShape>, inline)]
    view: Option<String>,
}

/// A space and those in it.
#[derive(Serialize, ToSchema)]
#[schema(as = Crowd)]
pub struct CrowdTold {
    /// The roles that the others name by their place here; at 0 stands that nothing is worn.
    #[schema(value_type = Vec<String>)]
    roles: Vec<Text>,
    /// The space and those within it, each before those within it.
    places: Vec<CrowdPlace>,
    /// How many more places there are.
    more: usize,
    /// Whether 250,000 were looked at before all were: there are more than is said here.
    stopped: bool,
}

/// One place, and who stands right in it.
#[derive(Serialize, ToSchema)]
pub struct CrowdPlace {
    /// Its number, by which a pulse names it.
    id: u64,
    /// Its path.
    address: String,
    #[schema(value_type = String)]
    name: Text,
    #[serde(rename = "type")]
    #[schema(value_type = String)]
    kind: Text,
    /// How many steps its grid is wide, deep and high.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<CoordsShape>)]
    size: Option<Coords>,
    /// How many stand right in it.
    count: u64,
    /// How many wear what: `[role, count]`.
    #[schema(value_type = Vec<Vec<u64>>)]
    wears: Vec<(usize, u64)>,
    /// Their names; none in a view of more than 100,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    beings: Option<CrowdBeings>,
}

/// Some beings, one behind the other in each list.
#[derive(Default, Serialize, ToSchema)]
pub struct CrowdBeings {
    /// Their numbers, by which a pulse names them.
    ids: Vec<u64>,
    #[schema(value_type = Vec<String>)]
    names: Vec<Text>,
    /// The role that each wears, as its place in `roles`.
    roles: Vec<usize>,
    /// The kind of mind of each: 0 a script, 1 a model, 2 a person, 3 another.
    minds: Vec<u8>,
    /// Where each stands on the grid, two numbers each; both -1 for who stands nowhere on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    xy: Option<Vec<i64>>,
}

/// A space and those in it, as far as one may see them, short enough for ten thousand
#[utoipa::path(get, path = "/api/crowd", params(WhichCrowd, Then), responses((status = 200, body = CrowdTold), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn crowd(
    State(hall): State<Arc<Hall>>,
    who: Who,
    Asked(around): Asked<WhichCrowd>,
    Asked(asked): Asked<Then>,
) -> Result<Json<CrowdTold>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    let view = around.view.as_deref().unwrap_or("/");
    let Named::Thing(Thing::Space(space)) = sight.named(view)? else {
        return Err(Trouble::bad(format!("expected a space, found `{view}`")).at("in"));
    };
    // Ten thousand are looked at one by one: no other request waits for that.
    hall.looking(&who).work(move |interest| CrowdTelling::of(&sight, interest).told(space)).await.map(Json)
}

/// A crowd while it is told.
struct CrowdTelling<'a> {
    sight: &'a Sight,
    /// Whether it need not be asked of each whether it may be seen.
    sees_all: bool,
    has_names: bool,
    known: BTreeMap<Text, usize>,
    /// How many beings may still be looked at.
    left: usize,
    interest: Interest,
    told: CrowdTold,
}

impl<'a> CrowdTelling<'a> {
    fn of(sight: &'a Sight, interest: Interest) -> Self {
        let nothing = Text::from("");
        let told = CrowdTold { roles: vec![nothing.clone()], places: Vec::new(), more: 0, stopped: false };
        Self { sight, sees_all: sight.sees_all(), has_names: false, known: BTreeMap::from([(nothing, 0)]), left: LOOKS, interest, told }
    }

    fn sees(&self, thing: Thing) -> bool {
        self.sees_all || self.sight.may_see(&Named::Thing(thing)).is_ok()
    }

    fn told(mut self, view: SpaceId) -> CrowdTold {
        let world = &self.sight.world;
        let mut ahead = vec![view];
        let mut within = Vec::new();
        while let Some(space) = ahead.pop() {
            let inner: Vec<SpaceId> = world.spaces_in(space).map(|(_, id)| id).collect();
            ahead.extend(inner.into_iter().rev());
            within.push(space);
        }
        let all: u64 = within.iter().filter_map(|space| world.space(*space)).map(|space| space.count).sum();
        self.has_names = all <= BEINGS;
        for space in within {
            if !self.sees(Thing::Space(space)) {
                continue;
            }
            match self.told.places.len() {
                PLACES.. => self.told.more += 1,
                _ => self.place(space),
            }
        }
        self.told
    }

    fn place(&mut self, id: SpaceId) {
        let world = &self.sight.world;
        let Some(space) = world.space(id) else { return };
        let (mut wears, mut beings, mut xy) = (BTreeMap::<usize, u64>::new(), CrowdBeings::default(), Vec::new());
        let here: Vec<BeingId> = if self.interest.is_gone() { Vec::new() } else { world.beings_in(id).take(self.left).collect() };
        self.left -= here.len();
        self.sight.walked.look(here.len());
        self.told.stopped |= (here.len() as u64) < space.count;
        for being in here.into_iter().filter_map(|id| world.being(id)) {
            if !self.sees(Thing::Being(being.id)) {
                continue;
            }
            let role = self.role(being.id);
            *wears.entry(role).or_default() += 1;
            if self.has_names {
                beings.ids.push(number(being.id.0));
                beings.names.push(being.name.clone());
                beings.roles.push(role);
                beings.minds.push(self.mind(being));
                xy.extend(being.coords.map_or([-1, -1], |Coords { x, y, .. }| [x, y]));
            }
        }
        beings.xy = space.size.map(|_| xy);
        self.told.places.push(CrowdPlace {
            id: number(id.0),
            address: world.path_of(id),
            name: space.name.clone(),
            kind: space.kind.clone(),
            size: space.size,
            count: wears.values().sum(),
            wears: wears.into_iter().collect(),
            beings: self.has_names.then_some(beings),
        });
    }

    /// The primary role of a being, as its place among the roles.
    fn role(&mut self, being: BeingId) -> usize {
        let worn = self.sight.world.wears(being, self.sight.at);
        let Some(role) = worn.first() else { return 0 };
        if let Some(known) = self.known.get(role) {
            return *known;
        }
        let place = self.told.roles.len();
        self.told.roles.push(role.clone());
        self.known.insert(role.clone(), place);
        place
    }

    fn mind(&self, being: &Being) -> u8 {
        match being.cognition_at(self.sight.at) {
            Cognition::Script => 0,
            Cognition::Llm => 1,
            Cognition::Human => 2,
            _ => 3,
        }
    }
}
