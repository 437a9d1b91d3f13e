//! Settings: the settings of a thing, where each value comes from, and whether the reader may say otherwise there.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::fact::{Reason, Text, Thing, Value};
use crate::verb::{Named, SaidThere, Shown, may_say};

use super::hall::Hall;
use super::sent::Asked;
use super::thing::{Permission, To};
use super::trouble::{Trouble, Wrong};
use super::who::Who;

/// A value that is set at one place on the way.
#[derive(Serialize, ToSchema)]
#[schema(as = SaidThere)]
#[serde(rename_all = "camelCase")]
pub struct SaidTold {
    /// Where.
    at: String,
    value: Value,
    /// The being that set it.
    #[schema(value_type = String)]
    by: Value,
    /// The place whose value overrules it.
    overruled_by: Option<String>,
}

/// A setting at a thing.
#[derive(Serialize, ToSchema)]
#[schema(as = Setting)]
#[serde(rename_all = "camelCase")]
pub struct SettingTold {
    #[schema(value_type = String)]
    key: Text,
    /// Its purpose.
    #[schema(value_type = String)]
    about: Text,
    /// The value that holds there.
    value: Value,
    /// The value that holds where nobody says anything.
    default: Value,
    /// Where the value comes from; nowhere: it is the default.
    from: Vec<String>,
    /// The values set on the way, the world first.
    said: Vec<SaidTold>,
    /// world, space, being: where it may be said.
    r#where: Vec<&'static str>,
    /// The beings that may set it there.
    #[schema(value_type = Vec<String>)]
    who: Vec<Value>,
    /// How the values set on the way come together.
    merge: &'static str,
    /// The JSON Schema of its value.
    #[schema(value_type = Object)]
    schema: Value,
    #[serde(flatten)]
    reach: Permission,
}

impl SettingTold {
    fn of(shown: Shown<'_>, why: Option<Reason>) -> Self {
        let Shown { key, setting, value, from, said, who, may_stand: _ } = shown;
        let told = |SaidThere { at, value, by, overruled_by }| SaidTold { at, value, by, overruled_by };
        Self {
            key,
            about: setting.about.clone(),
            value,
            default: (*setting.default).clone(),
            from,
            said: said.into_iter().map(told).collect(),
            r#where: setting.stands.iter().map(|stand| stand.word()).collect(),
            who,
            merge: setting.merge.word(),
            schema: (*setting.schema).clone(),
            reach: Permission::of(why),
        }
    }
}

/// Lists the settings of the world, a space or a being, where each comes from, and whether one may say otherwise there
#[utoipa::path(get, path = "/api/settings", params(To), responses((status = 200, body = Vec<SettingTold>), (status = 400, body = Wrong), (status = 401, body = Wrong),
    (status = 403, body = Wrong), (status = 404, body = Wrong)))]
pub async fn settings(State(hall): State<Arc<Hall>>, who: Who, Asked(asked): Asked<To>) -> Result<Json<Vec<SettingTold>>, Trouble> {
    let sight = hall.sight(&who, asked.speaker.as_deref(), asked.at.as_ref()).await?;
    let of = match sight.named(&asked.target)? {
        Named::Thing(of @ (Thing::Being(_) | Thing::Space(_))) => of,
        _ => return Err(Trouble::bad(format!("`{}` has no settings; name the world `/`, a space or a being", asked.target)).at("target")),
    };
    sight.may_see(&Named::Register { of, register: "settings".into(), entry: "".into() })?;
    let (world, asker) = (&sight.world, sight.asker());
    let told = |shown: Shown<'_>| {
        let said = || may_say(world, &sight.being, of, &shown.key);
        let args = Value::map([("key", Value::from(&shown.key))]);
        let why = asker.may_do("config.set", of, &args).and_then(|()| said()).err();
        SettingTold::of(shown, why)
    };
    Ok(Json(Shown::all(world, of).into_iter().map(told).collect()))
}
