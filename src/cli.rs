//! Cli: the command line (floor 12): one file a command, each a small struct of what may be said and a `run` that does it.
//!
//! Exit codes: 0 done; 1 it could not be done, and why; 2 the command line was wrong; 3 a replay differs, history is damaged, or a lint warns;
//! 4 the act was refused by the world (and the refusal recorded).

mod act;
mod anchor;
mod anew;
mod apply;
mod archive;
mod argument;
mod ask;
mod backup;
mod bench;
mod bisect;
#[doc(hidden)]
pub mod browser;
mod bundle;
mod chat;
mod check;
mod completions;
mod compare;
mod copied;
mod copies;
mod damage;
mod debug;
mod door;
mod diff;
mod difference;
mod draft;
mod du;
mod explain;
#[doc(hidden)]
pub mod excerpt;
mod export;
mod extension;
mod find;
mod flow;
mod fork;
mod given;
mod ground;
mod import;
mod inbox;
mod inspect;
mod interview;
mod jobs;
mod junit;
mod keys;
mod line;
mod lines;
mod log;
mod mcp;
mod measure;
mod model;
mod moment_line;
mod new;
mod outbox;
#[doc(hidden)]
pub mod outline;
#[doc(hidden)]
pub mod paint;
mod placed;
mod progress;
mod prove;
mod rehearse;
mod replay;
mod role;
mod run;
mod samples;
mod schema;
mod scratch;
mod screen;
mod see;
mod serve;
mod source;
#[doc(hidden)]
pub mod speech;
mod steer;
#[doc(hidden)]
pub mod survey;
mod sweep;
mod test;
mod token;
mod upgrade;
mod usage;
mod why;
mod with;

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};

use door::{Door, Ended};

/// Runs worlds of beings: every act a signed fact, every moment replayable.
#[derive(Parser)]
#[command(name = "reelm", version, about, arg_required_else_help = true, after_help = EXIT_CODES)]
struct Reelm {
    #[command(flatten)]
    door: Door,
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str =
    "Exit codes: 0 done · 1 it could not be done · 2 wrong command line · 3 a replay differs, history is damaged, or a lint warns · 4 the act was refused

Example: reelm run skateco --for 1d";

macro_rules! commands {
    ($($(#[$mark:meta])* $name:ident($type:ty),)*) => {
        #[derive(Subcommand)]
        enum Command {
            $($(#[$mark])* $name($type),)*
            Completions(completions::Completions),
        }

        impl Command {
            fn run(self, door: &Door) -> Result<Ended> {
                match self {
                    $(Self::$name(command) => command.run(door),)*
                    Self::Completions(command) => command.run(door, Reelm::command()),
                }
            }
        }
    };
}

commands! {
    Serve(serve::Serve),
    New(new::New),
    Run(run::Run),
    Apply(apply::Apply),
    Check(check::Check),
    See(see::See),
    Do(act::Do),
    Summon(act::Summon),
    Ask(ask::Ask),
    Tell(ask::Tell),
    Guide(ask::Guide),
    Chat(chat::Chat),
    Be(act::Be),
    Inbox(inbox::Inbox),
    Outbox(outbox::Outbox),
    Mcp(mcp::Mcp),
    Log(log::Log),
    Find(find::Find),
    Explain(explain::Explain),
    Bisect(bisect::Bisect),
    Try(rehearse::TryScript),
    Debug(debug::Debug),
    Diff(diff::Diff),
    Compare(compare::Compare),
    Why(why::WhyAsked),
    Prove(prove::Prove),
    Anchor(anchor::Anchor),
    Replay(replay::Replay),
    Verify(replay::Verify),
    Inspect(inspect::Inspect),
    Fork(fork::Fork),
    Interview(interview::Interview),
    Survey(survey::Survey),
    Sweep(sweep::Sweep),
    Backup(backup::Backup),
    Archive(archive::Archive),
    Export(export::Export),
    Import(import::Import),
    Restore(copied::Restore),
    #[command(subcommand)]
    Keys(keys::Keys),
    Upgrade(upgrade::Upgrade),
    Copies(copies::Copies),
    Du(du::Du),
    Measure(measure::Measure),
    Test(test::Test),
    Usage(usage::Usage),
    #[command(subcommand)]
    Source(source::SourceCommand),
    #[command(subcommand)]
    Token(token::Token),
    #[command(subcommand)]
    Model(model::Model),
    #[command(subcommand)]
    Role(role::Role),
    #[command(subcommand)]
    Flow(flow::FlowCommand),
    #[command(subcommand)]
    Draft(draft::DraftCommand),
    #[command(subcommand)]
    Extension(extension::ExtensionCommand),
    Schema(schema::SchemaAsked),
    Bench(bench::Bench),
}

/// Reads the command line and runs the command.
pub fn main() -> ExitCode {
    let filter = tracing_subscriber::EnvFilter::try_from_env("REELM_LOG").unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(speech::tame_stderr);
    // A log that cannot be written is no reason to end.
    let logs = logs.log_internal_errors(false);
    if std::env::var("REELM_LOG_FORMAT").is_ok_and(|format| format == "json") {
        logs.json().init();
    } else {
        logs.init();
    }
    if std::env::args_os().len() < 2 {
        return greet();
    }
    let Reelm { door, command } = Reelm::parse();
    heed_limits();
    match command.run(&door) {
        Ok(Ended::Well) => ExitCode::SUCCESS,
        Ok(Ended::Differs) => ExitCode::from(3),
        Ok(Ended::Refused) => ExitCode::from(4),
        // The reader of our output has gone; that is no failure of ours.
        Err(error) if door::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            door.complain(&error);
            ExitCode::from(if damage::is_damage(&error) { 3 } else { 1 })
        }
    }
}

/// The three things that one can do, for somebody who says nothing.
const GREETING: &str = "Reelm runs worlds of beings: every act a signed fact, every moment replayable.

    reelm serve skateco    a skateboard factory that lives in your browser
    reelm new mine         a small world of your own, in a folder `mine`
    reelm --help           all commands; `reelm run --help` says more of one
";

/// Prints the greeting. A write error is ignored: it means that the reader has gone.
fn greet() -> ExitCode {
    let _ = std::io::Write::write_all(&mut std::io::stdout(), GREETING.as_bytes());
    ExitCode::SUCCESS
}

/// The signal sent to a process that writes a file beyond the limit of `ulimit -f` (SIGXFSZ): its number on Linux and the BSDs.
const FILE_TOO_LARGE: i32 = 25;

/// Lets a write beyond the largest size of a file fail as any write does, with the file's name, instead of ending the process.
fn heed_limits() {
    // The handler stays when the runtime is gone. Without one the process ends there, as it would have.
    if let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_io().build() {
        let _entered = runtime.enter();
        let _ = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::from_raw(FILE_TOO_LARGE));
    }
}
