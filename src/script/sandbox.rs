//! Sandbox: one engine and the scripts it has compiled. Built once per worker, never per moment, and shared by nobody.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use rhai::{AST, ASTFlags, CallFnOptions, Dynamic, Engine, OptimizationLevel, Scope, Stmt};

use crate::fact::{Hash, Text, Value};

use super::convert::{to_dynamic, to_value};
use super::dollar::dollars;
use super::doubt::{ScriptDoubt, doubts, offered};
use super::dropped::dropped;
use super::error::{ScriptError, TopName};
use super::library::{Host, Shared, engine};
use super::notes::Notes;
use super::steps::{ScriptStep, StepLog};
use super::stream::Stream;
use super::work::{Work, heavy};
use super::written::{WrittenAddress, WrittenStep, addresses, written};

/// The limits of a script, all of them set: the engine's own defaults differ between builds.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Steps of evaluation of one moment, and work that costs as much.
    pub operations: u64,
    /// Calls within calls.
    pub call_levels: usize,
    /// Expressions within expressions.
    pub expr_depth: usize,
    /// Bytes of text in any one value.
    pub text: usize,
    /// Items of lists in any one value; also how deep lists can nest, which a thread's stack of 2 MiB must bear.
    pub items: usize,
    /// Keys of maps in any one value; the same holds.
    pub keys: usize,
    /// Variables at one time.
    pub variables: usize,
    /// Functions of one script.
    pub functions: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            operations: 50_000,
            call_levels: 32,
            expr_depth: 64,
            text: 64 * 1024,
            items: 2_000,
            keys: 4_000,
            variables: 256,
            functions: 256,
        }
    }
}

impl Limits {
    /// For measures, which are few and may look at many beings.
    pub fn measure() -> Self {
        Self { operations: 1_000_000, items: 10_000, keys: 10_000, ..Self::default() }
    }
}

/// A script by its content.
#[derive(Clone, Debug)]
pub struct Program {
    /// The hash of its text.
    pub hash: Hash,
    /// The file it was read from, for messages.
    pub file: Text,
    /// Its text.
    pub source: Text,
}

/// The longest text that may stand in a script as it is written: it is copied at no cost.
const LITERAL: usize = 8 * 1024;

/// How many compiled scripts are kept.
const KEPT: usize = 1024;

/// An engine, and the scripts it has compiled.
pub struct Sandbox {
    engine: Engine,
    compiled: BTreeMap<Hash, AST>,
    work: Work,
    notes: Notes,
    /// The log of each statement, where somebody tries a script.
    steps: Option<StepLog>,
    text: usize,
}

impl Sandbox {
    /// A sandbox with limits.
    pub fn new(limits: Limits) -> Self {
        Self::heeding(limits, Arc::default())
    }

    /// A sandbox with limits whose scripts end as soon as `stop` is true. The result of a stopped script must not be kept.
    pub fn heeding(limits: Limits, stop: Arc<AtomicBool>) -> Self {
        let (work, notes) = (Work::new(limits.operations, stop), Notes::default());
        let mut engine = engine(&work, &notes);
        engine
            // The engine's own count begins anew in callbacks of native functions: ours does not.
            .set_max_operations(0)
            .set_max_call_levels(limits.call_levels)
            .set_max_expr_depths(limits.expr_depth, limits.expr_depth)
            .set_max_string_size(limits.text)
            .set_max_array_size(limits.items)
            .set_max_map_size(limits.keys)
            .set_max_variables(limits.variables)
            .set_max_functions(limits.functions)
            .set_max_modules(0)
            .set_strict_variables(true)
            // A list that is folded into one constant would be copied at no cost each time it is read.
            .set_optimization_level(OptimizationLevel::None);
        // `**` would use the platform's maths; `pow` does not. A curried function carries values that no limit counts, and `this` is a
        // variable that can be copied without being read as one.
        for symbol in ["eval", "import", "export", "**", "**=", "curry", "this"] {
            engine.disable_symbol(symbol);
        }
        let steps = work.clone();
        engine.on_progress(move |_| (!steps.step()).then_some(Dynamic::UNIT));
        let reads = work.clone();
        #[expect(deprecated, reason = "it is not deprecated, says the engine, but may change with a new version")]
        engine.on_var(move |name, _, context| reads.read(|| context.scope().get(name).and_then(heavy)).map(|()| None));
        Self { engine, compiled: BTreeMap::new(), work, notes, steps: None, text: limits.text }
    }

    /// A sandbox whose scripts are seen as they go, statement by statement. They take what they take unseen.
    pub fn stepping(limits: Limits) -> Self {
        let (mut sandbox, steps) = (Self::new(limits), StepLog::default());
        steps.watch(&mut sandbox.engine);
        Self { steps: Some(steps), ..sandbox }
    }

    /// The statements that were run, and how many were too many to be told of; asked once.
    pub fn steps(&self) -> (Vec<ScriptStep>, u64) {
        self.steps.as_ref().map(StepLog::take).unwrap_or_default()
    }

    /// A moment begins: what its scripts take is counted from here, all of them together, and what they note is theirs.
    pub fn begin(&mut self) {
        self.work.begin();
        self.notes.take();
    }

    /// Whether a stop ends its scripts from here on; each ends at its bound in any case.
    pub fn heed(&mut self, heeds: bool) {
        self.work.heed(heeds);
    }

    /// Whether a stop has ended a script of this moment: nothing that came of it may be kept.
    pub fn was_stopped(&self) -> bool {
        self.work.was_stopped()
    }

    /// The messages of this moment's scripts to watchers; taken once.
    pub fn notes(&mut self) -> Vec<String> {
        self.notes.take()
    }

    /// How many steps the scripts of this moment have begun.
    pub fn taken(&self) -> u64 {
        self.work.steps()
    }

    /// How much the scripts of this moment have taken, in fiftieths of a step.
    pub fn spent(&self) -> u64 {
        self.work.spent()
    }

    /// Compiles a script without keeping it, and checks that it has a function.
    pub fn check(source: &str, file: &str, function: &str, arity: usize) -> Result<(), ScriptError> {
        let ast = Self::new(Limits::default()).parse(source, file)?;
        has(&ast, file, function, arity)
    }

    /// The steps that the script of an operation spells out.
    pub fn written(source: &str, file: &str) -> Result<Vec<WrittenStep>, ScriptError> {
        Self::new(Limits::default()).parse(source, file).map(|ast| written(&ast))
    }

    /// The addresses that a script spells out.
    pub fn addresses(source: &str, file: &str) -> Result<Vec<WrittenAddress>, ScriptError> {
        Self::new(Limits::default()).parse(source, file).map(|ast| addresses(&ast))
    }

    /// Compiles a script without keeping it.
    pub fn compiles(source: &str, file: &str) -> Result<(), ScriptError> {
        Self::new(Limits::default()).parse(source, file).map(drop)
    }

    /// The doubts about a script that compiles.
    pub fn doubts(&mut self, source: &str, file: &str) -> Result<Vec<ScriptDoubt>, ScriptError> {
        let ast = self.parse(source, file)?;
        let mut all = doubts(&self.engine, &ast);
        all.extend(dropped(&ast).into_iter().chain(dollars(&ast, source)));
        all.sort_by_key(|doubt| doubt.line);
        Ok(all)
    }

    /// The names of all functions that a script may call.
    pub fn names(&self) -> Vec<String> {
        offered(&self.engine).into_keys().collect()
    }

    /// The engine, of which a test reads what it offers.
    #[doc(hidden)]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    fn parse(&mut self, source: &str, file: &str) -> Result<AST, ScriptError> {
        self.engine.set_max_string_size(LITERAL);
        let parsed = self.engine.compile(source);
        self.engine.set_max_string_size(self.text);
        parsed.map_err(|error| ScriptError::syntax(&error, file, |name| self.at_top(source, name)))
    }

    /// How a name stands at the top of a script that does not compile, where functions do not see it.
    fn at_top(&mut self, source: &str, name: &str) -> Option<TopName> {
        self.engine.set_strict_variables(false);
        let parsed = self.engine.compile(source);
        self.engine.set_strict_variables(true);
        parsed.ok()?.statements().iter().find_map(|statement| match statement {
            Stmt::Var(declared, flags, _) if declared.0.name == name => {
                Some(if flags.contains(ASTFlags::CONSTANT) { TopName::Constant } else { TopName::Variable })
            }
            _ => None,
        })
    }

    /// Calls a function of a script with values, and gives the value that it returned. Nothing of an earlier call can be seen, but what
    /// it took of the moment's bound. The engine's message about a failure is noted for watchers.
    pub fn call(
        &mut self,
        program: &Program,
        function: &str,
        args: Vec<Value>,
        host: Arc<dyn Host>,
        stream: Stream,
    ) -> Result<Value, ScriptError> {
        let reach = Shared { host, stream: Some(Arc::new(Mutex::new(stream))), work: self.work.clone() };
        self.run(program, function, args, reach).inspect_err(|error| self.notes.hear(&error.to_string()))
    }

    /// The same with a bound of its own in steps, and without chance: for what judges, and may depend on nothing but what it is shown. Says
    /// also how many steps it took.
    pub fn judge(&mut self, program: &Program, args: Vec<Value>, host: Arc<dyn Host>, steps: u64) -> (Result<Value, ScriptError>, u64) {
        self.work.begin_within(steps);
        let reach = Shared { host, stream: None, work: self.work.clone() };
        let said = self.run(program, "judge", args, reach).inspect_err(|error| self.notes.hear(&error.to_string()));
        (said, self.work.steps())
    }

    /// Does something that may fail without the moment failing: it has half of what is left of the moment's bound.
    pub fn sparing<T>(&mut self, attempt: impl FnOnce(&mut Self) -> T) -> T {
        let most = self.work.halve();
        let done = attempt(self);
        self.work.restore(most);
        done
    }

    /// Says something to whoever watches the moment.
    pub fn note(&self, text: &str) {
        self.notes.hear(text);
    }

    fn run(&mut self, program: &Program, function: &str, args: Vec<Value>, reach: Shared) -> Result<Value, ScriptError> {
        self.compile(program)?;
        let Some(ast) = self.compiled.get(&program.hash) else {
            return Err(ScriptError::Missing { file: program.file.to_string(), function: function.to_owned(), arity: args.len() });
        };
        has(ast, &program.file, function, args.len())?;
        if let Some(steps) = &self.steps {
            steps.begin(&program.file, &program.source);
        }
        args.iter().for_each(|arg| self.work.given(arg));
        let args: Vec<Dynamic> = args.into_iter().map(to_dynamic).collect();
        let options = CallFnOptions::new().with_tag(reach);
        // The engine keeps nothing between calls but what it has compiled, so a panic inside it costs this call alone.
        let called =
            catch_unwind(AssertUnwindSafe(|| self.engine.call_fn_with_options::<Dynamic>(options, &mut Scope::new(), ast, function, args)));
        let Ok(result) = called else { return Err(ScriptError::Engine { file: program.file.to_string() }) };
        if self.work.was_stopped() {
            return Err(ScriptError::Stopped { file: program.file.to_string() });
        }
        let dynamic = result.map_err(|error| ScriptError::running(&error, &program.file).cured(|| doubts(&self.engine, ast)))?;
        // A script that catches its own end still does not pass its limit.
        if self.work.is_over() {
            return Err(ScriptError::spent(&program.file));
        }
        to_value(dynamic).map_err(|lost| ScriptError::Result { file: program.file.to_string(), found: lost.found, path: lost.path })
    }

    fn compile(&mut self, program: &Program) -> Result<(), ScriptError> {
        if self.compiled.contains_key(&program.hash) {
            return Ok(());
        }
        if self.compiled.len() >= KEPT {
            self.compiled.clear();
        }
        let ast = self.parse(program.source.as_ref(), &program.file)?;
        self.compiled.insert(program.hash, ast);
        Ok(())
    }
}

fn has(ast: &AST, file: &str, function: &str, arity: usize) -> Result<(), ScriptError> {
    let found = ast.iter_functions().any(|defined| defined.name == function && defined.params.len() == arity);
    if found { Ok(()) } else { Err(ScriptError::Missing { file: file.to_owned(), function: function.to_owned(), arity }) }
}
