//! Land: a large world with a long past: two hundred spaces with a people each, and a role of which a new version comes again and again.

use std::fmt::Write as _;
use std::path::Path;

use crate::fact::{Call, ClosingKind, Text, Value};
use crate::run::{Course, Living, Pace, Reins, Until};

use super::drawn;
use super::figure::Figure;
use super::ground::{BenchError, Ground};
use super::size::Size;

/// How many spaces it has, and how many versions of its role there are.
const SPACES: usize = 200;
const VERSIONS: usize = 100;

const HEAD: &str = "name = \"land\"\nzone = \"UTC\"\nstart = \"2026-01-01T08:00:00\"\nseed = 1\nabsence = \"skip\"\n";

/// Looks at points of its past.
pub(super) fn measure(size: &Size, ground: &Ground) -> Result<Vec<Figure>, BenchError> {
    let dir = ground.place("land");
    ground.clear("land");
    grown(size, ground, &dir)?;
    let figures = drawn::measure(&dir, ground, size.cold)?;
    ground.leave("land")?;
    Ok(figures)
}

/// Plants it, and has it live until its history is as long as asked for.
fn grown(size: &Size, ground: &Ground, dir: &Path) -> Result<(), BenchError> {
    let mut living = Living::plant(&ground.land(&world(size.beings))?, None, dir, size.threads)?;
    for version in 0..VERSIONS {
        let until = Until { moments: Some((size.longest / VERSIONS) as u64), ..Until::default() };
        living.run(Course { pace: Pace::Virtual, until, reins: &Reins::default(), watch: None, measures: None })?;
        publish(&mut living, version)?;
    }
    living.stop()?;
    Ok(())
}

/// The source of so many beings, as many in each space.
fn world(beings: usize) -> String {
    let mut text = HEAD.to_owned();
    for space in 1..=SPACES {
        let (path, count) = (format!("/quarter-{space}"), (beings / SPACES).max(1));
        // A text grows without fail.
        let _ = write!(
            text,
            "\n[[space]]\npath = \"{path}\"\nsize = [256, 256]\n\n[[population]]\nprefix = \"citizen-{space}\"\ncount = {count}\n"
        );
        let _ = write!(
            text,
            "home = \"{path}\"\nrole = \"citizen\"\nscript = \"citizen\"\n\n[[population.schedule]]\nname = \"day\"\nevery = \"10s\"\nspread = true\n"
        );
    }
    text
}

/// A new version of the role that all wear.
fn publish(living: &mut Living, version: usize) -> Result<(), BenchError> {
    let role = living.world().registry().roles.get("citizen").map(|role| role.spec.to_value());
    let spec = role.as_ref().and_then(Value::as_map).ok_or(BenchError::Nothing("the land has no role"))?;
    let described = |(key, value): (&Text, &Value)| {
        let is_description = &**key == "description";
        (key.clone(), if is_description { Value::from(format!("Lives in the land, in its year {version}.")) } else { value.clone() })
    };
    let args = Value::map([("name", Value::from("citizen")), ("role", Value::map(spec.iter().map(described)))]);
    match living.act("operator", Call::doing("/", "role.set", args))?.closing {
        ClosingKind::Act => Ok(()),
        _ => Err(BenchError::Nothing("no version of the role was published")),
    }
}
