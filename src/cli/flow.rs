//! `flow`: the flow of a being or of a space, shown and set; and one tried on a context without any world.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Subcommand;

use crate::fact::{Call, Cognition, Text, Value};
use crate::role::{Basis, Flow, Guards, JsonContext, JsonWardrobe, Own, lint};
use crate::source::flow_warnings;
use crate::verb::see;

use super::door::{Door, Ended};
use super::door::{json_file, pretty};

/// Flows: show, set, eval, lint
#[derive(Subcommand)]
#[command(after_help = "Example: reelm flow eval judge.json --context court.json")]
pub enum FlowCommand {
    /// Shows the flow of a being or of a space
    #[command(after_help = "Example: reelm flow show /court")]
    Show {
        /// Whose: @ada, or /court
        of: String,
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
        /// Who sets it: @operator where nothing is said, or the being of the token
        #[arg(long = "as", value_name = "@BEING")]
        as_being: Option<String>,
    },
    /// Evaluates a flow on a context: the stack, and why
    #[command(after_help = "Example: reelm flow eval judge.json --context court.json --cognition llm --default watcher

CTX.json maps paths to values, nested or dotted: {\"space.name\": \"court\", \"time\": {\"hour\": 9}}.
ROLES.json maps a role's name to its spec, or to null for \"not registered\"; without it every named role counts as registered.")]
    Eval {
        /// The flow: a JSON list of clauses
        flow: PathBuf,
        /// What the conditions read
        #[arg(long, value_name = "CTX.json")]
        context: PathBuf,
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
            Self::Show { of } => show(door, &of),
            Self::Set { of, flow, as_being } => {
                let args = Value::map([("flow", json_file(&flow)?)]);
                super::act::written(door, as_being.as_deref(), Call::doing(&of, "flow.set", args))
            }
            Self::Eval { flow, context, cognition, default, requested, roles } => {
                let flow = compile(&flow)?;
                let context = JsonContext::read(&json_file(&context)?).context("--context")?;
                let wardrobe = match &roles {
                    Some(file) => JsonWardrobe::read(&file.display().to_string(), &json_file(file)?)?,
                    None => JsonWardrobe::default(),
                };
                let (default, requested) = (default.map(Text::from), requested.map(Text::from));
                let cognition: Cognition = cognition.parse()?;
                let trace =
                    flow.explain(&context, &wardrobe, &Own { default_role: default.as_ref(), cognition, requested: requested.as_ref() });
                let stack: Vec<&Text> = trace.stack.roles().collect();
                door.say(&serde_json::json!({ "stack": stack, "trace": trace }), || trace.to_string())?;
                Ok(Ended::Well)
            }
            Self::Lint { flow } => {
                let flow = compile(&flow)?;
                let warnings = if door.data.join("world.toml").exists() {
                    flow_warnings(&door.world()?.1, &flow, None)
                } else {
                    lint(&flow, &Basis { roles: &|_| Some(Guards::default()), signals: None, cognition: None, default_role: None })
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

/// The flow as a register of its being or space.
fn show(door: &Door, of: &str) -> Result<Ended> {
    let (_, world) = door.world()?;
    let operator = world.being(world.operator()).context("this world has no operator")?;
    let address = format!("{}/.flow", of.trim_end_matches('/'));
    let flow = see(&world, operator, &address, world.now()).map_err(|reason| anyhow::anyhow!("cannot see `{address}`: {reason}"))?;
    door.say(&flow, || pretty(&flow))?;
    Ok(Ended::Well)
}

fn compile(file: &std::path::Path) -> Result<Flow> {
    Flow::compile(&json_file(file)?).with_context(|| format!("`{}`", file.display()))
}
