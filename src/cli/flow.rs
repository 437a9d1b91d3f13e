//! `flow`: the flow of a being or of a space, shown and set; and one tried on a context without any world.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Subcommand;

use crate::fact::{Call, Cognition, Fact, Text, Value};
use crate::past::{Point, Trial};
use crate::role::{Basis, Flow, Guards, JsonContext, JsonWardrobe, Own, Trace, lint};
use crate::source::flow_warnings;
use crate::verb::see;
use crate::world::Wake;

use super::door::{Door, Ended};
use super::door::{json_file, pretty};
use super::given::AtPoint;

/// Flows: show, set, eval, lint
#[derive(Subcommand)]
#[command(after_help = "Example: reelm flow eval judge.json --context court.json")]
pub enum FlowCommand {
    /// Shows the flow of a being or of a space
    #[command(after_help = "Example: reelm flow show /court")]
    Show {
        /// Whose: @ada, or /court
        of: String,
        #[command(flatten)]
        then: AtPoint,
    },
    /// Gives a being or a space another flow, from a file
    #[command(after_help = "Example: reelm flow set /court court.json --as @hal

The flow of a space only stacks roles, on whoever stands inside: each of its clauses says \"stack\": true. What comes by it holds
inside that space alone. An empty list takes it back.")]
    Set {
        /// Whose: @ada, or /court
        of: String,
        /// The flow: a JSON list of clauses
        flow: PathBuf,
        /// The being that sets it: @operator where none is named, or the being of the token
        #[arg(long = "as", value_name = "@BEING")]
        as_being: Option<String>,
    },
    /// Evaluates a flow on a context, or as a being's at a point of the past: the stack, and why
    #[command(after_help = "Example: reelm flow eval judge.json --context court.json --cognition llm --default watcher
         reelm flow eval judge.json --being @judith --at 120

CTX.json maps paths to values, nested or dotted: {\"space.name\": \"court\", \"time\": {\"hour\": 9}}.
ROLES.json maps a role's name to its spec, or to null for \"not registered\"; without it every named role counts as registered.")]
    Eval {
        /// The flow: a JSON list of clauses
        flow: PathBuf,
        /// The context that the conditions read
        #[arg(long, value_name = "CTX.json", required_unless_present = "being")]
        context: Option<PathBuf>,
        /// The being whose flow it would be: the conditions read what is so for it
        #[arg(long, value_name = "@BEING", conflicts_with_all = ["context", "cognition", "default", "requested", "roles"])]
        being: Option<String>,
        #[command(flatten)]
        then: AtPoint,
        /// The effective cognition
        #[arg(long, default_value = "script", value_parser = ["llm", "human", "script"])]
        cognition: String,
        /// The default role
        #[arg(long, value_name = "ROLE")]
        default: Option<String>,
        /// The role that the summoner asks for
        #[arg(long, value_name = "ROLE")]
        requested: Option<String>,
        /// The registered roles
        #[arg(long, value_name = "ROLES.json")]
        roles: Option<PathBuf>,
    },
    /// Warns of what the author of a flow may not have meant; exits with 3 where it does
    #[command(after_help = "Example: reelm flow lint judge.json --data /tmp/court

Where there is a world in --data, its roles are those that a flow may name; without one, every role may be.")]
    Lint {
        /// The flow: a JSON list of clauses
        flow: PathBuf,
    },
}

impl FlowCommand {
    /// Runs.
    pub fn run(self, door: &Door) -> Result<Ended> {
        match self {
            Self::Show { of, then } => show(door, &of, &then.at),
            Self::Set { of, flow, as_being } => {
                let args = Value::map([("flow", json_file(&flow)?)]);
                super::act::written(door, as_being.as_deref(), Call::doing(&of, "flow.set", args))
            }
            Self::Eval { flow, being: Some(being), then, .. } => evaluate_for(door, &flow, &being, &then.at),
            Self::Eval { flow, context, cognition, default, requested, roles, .. } => {
                let flow = compile(&flow)?;
                let context = context.context("expected --context or --being")?;
                let context = JsonContext::read(&json_file(&context)?).context("--context")?;
                let wardrobe = match &roles {
                    Some(file) => JsonWardrobe::read(&file.display().to_string(), &json_file(file)?)?,
                    None => JsonWardrobe::default(),
                };
                let (default, requested) = (default.map(Text::from), requested.map(Text::from));
                let cognition: Cognition = cognition.parse()?;
                let trace =
                    flow.explain(&context, &wardrobe, &Own { default_role: default.as_ref(), cognition, requested: requested.as_ref() });
                say_trace(door, &trace)
            }
            Self::Lint { flow } => {
                let flow = compile(&flow)?;
                let warnings = if door.data.join("world.toml").exists() {
                    flow_warnings(&door.world()?.1, &flow, None)
                } else {
                    lint(
                        &flow,
                        &Basis { roles: &|_| Some(Guards::default()), signals: None, cognition: None, default_role: None, role_names: &[] },
                    )
                };
                door.say(&warnings, || {
                    if warnings.is_empty() {
                        "nothing to warn of".to_owned()
                    } else {
                        warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
                    }
                })?;
                Ok(if warnings.is_empty() { Ended::Well } else { Ended::Differs })
            }
        }
    }
}

/// The stack, and why.
fn say_trace(door: &Door, trace: &Trace) -> Result<Ended> {
    let stack: Vec<&Text> = trace.stack.roles().collect();
    door.say(&serde_json::json!({ "stack": stack, "trace": trace }), || trace.to_string())?;
    Ok(Ended::Well)
}

/// Evaluates a flow as if it were a being's own: the stack that it would wear.
fn evaluate_for(door: &Door, file: &std::path::Path, being: &str, at: &Point) -> Result<Ended> {
    let flow = compile(file)?;
    let (_, world) = door.world_at(at)?;
    let missing = || format!("there is no being `@{}` in that world", being.trim_start_matches('@'));
    let being = world.being_named(being.trim_start_matches('@')).with_context(missing)?.id;
    let wake = Arc::new(Wake::gesture(world.next_seq(), world.now()));
    let set = Fact::FlowSet { being, flow: flow.source().clone().into() };
    let trial = Trial::of(&world, being, &wake, world.now(), None, &[set]).context("that being is not there any more")?;
    say_trace(door, &trial.opening.trace(&trial.world, None))
}

/// The flow as a register of its being or space.
fn show(door: &Door, of: &str, at: &Point) -> Result<Ended> {
    let (_, world) = door.world_at(at)?;
    let operator = world.being(world.operator()).context("this world has no operator")?;
    let address = format!("{}/.flow", of.trim_end_matches('/'));
    let flow = see(&world, operator, &address, world.now()).map_err(|reason| anyhow::anyhow!("cannot see `{address}`: {reason}"))?;
    door.say(&flow, || pretty(&flow))?;
    Ok(Ended::Well)
}

fn compile(file: &std::path::Path) -> Result<Flow> {
    Flow::compile(&json_file(file)?).with_context(|| format!("`{}`", file.display()))
}
