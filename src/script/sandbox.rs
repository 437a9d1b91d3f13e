//! Sandbox: one engine and the scripts it has compiled. Built once per worker, never per moment, and shared by nobody.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use rhai::{AST, CallFnOptions, Dynamic, Engine, OptimizationLevel, Scope};

use crate::fact::{Hash, Text, Value};

use super::convert::{to_dynamic, to_value};
use super::error::ScriptError;
use super::library::{Host, Shared, engine};
use super::notes::Notes;
use super::steps::{ScriptStep, StepLog};
use super::stream::Stream;
use super::work::{Work, heavy};
use super::written::{WrittenStep, written};

/// What a script may take, all of it set: the engine's own defaults differ between builds.
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
    /// What is seen of each statement, where somebody tries a script.
    steps: Option<StepLog>,
    text: usize,
}

impl Sandbox {
    /// A sandbox with limits.
    pub fn new(limits: Limits) -> Self {
        Self::heeding(limits, Arc::default())
    }

    /// A sandbox with limits whose scripts end as soon as `stop` is true. What comes of a script that was stopped is not to be kept.
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

    /// What the scripts of this moment have said to whoever watches; asked once.
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

    /// Compiles a script without keeping it.
    pub fn compiles(source: &str, file: &str) -> Result<(), ScriptError> {
        Self::new(Limits::default()).parse(source, file).map(drop)
    }

    /// The engine's own list of what it offers.
    #[cfg(test)]
    pub(super) fn functions(&self) -> String {
        self.engine.gen_fn_metadata_to_json(true).unwrap_or_default()
    }

    fn parse(&mut self, source: &str, file: &str) -> Result<AST, ScriptError> {
        self.engine.set_max_string_size(LITERAL);
        let parsed = self.engine.compile(source);
        self.engine.set_max_string_size(self.text);
        parsed.map_err(|error| ScriptError::syntax(&error, file))
    }

    /// Calls a function of a script with values, and gives the value that it returned. Nothing of an earlier call can be seen, but what
    /// it took of the moment's bound. What the engine says of a failure is noted for whoever watches.
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
            steps.begin(&program.file);
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
        let dynamic = result.map_err(|error| ScriptError::running(&error, &program.file))?;
        // Whoever swallows the end of a script does not pass its bound by it.
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

#[cfg(test)]
mod tests {
    use super::*;

    struct Deaf;

    impl Host for Deaf {
        fn ask(&self, what: &str, _: Vec<Value>) -> Result<Value, String> {
            if what == "space" { Ok(Value::from("square")) } else { Err(format!("refused {what}")) }
        }
    }

    fn run(source: &str) -> Result<Value, ScriptError> {
        let program = Program { hash: Hash::of(source.as_bytes()), file: "t.rhai".into(), source: source.into() };
        let stream = Stream::of(&[1; 32], "ada", 0, "think");
        let mut sandbox = Sandbox::new(Limits::default());
        sandbox.begin();
        sandbox.call(&program, "think", vec![Value::map([("n", Value::Int(2))])], Arc::new(Deaf), stream)
    }

    fn code(body: &str) -> &'static str {
        match run(&format!("fn think(face) {{ {body} }}")) {
            Ok(value) => panic!("{body} gave {value}"),
            Err(error) => error.code().word(),
        }
    }

    #[test]
    fn a_call_comes_back_as_a_map() {
        let value = run(r#"fn think(face) { act("/a", "say", #{content: face.n + 0.5}).saying("hm") }"#).unwrap();
        assert_eq!(value.to_string(), r#"{"action":"say","args":{"content":2.5},"content":"hm","target":"/a","verb":"do"}"#);
    }

    #[test]
    fn a_missing_key_is_nothing_and_a_question_reaches_the_host() {
        assert_eq!(run("fn think(face) { face.nothing }"), Ok(Value::Null));
        assert_eq!(run("fn think(face) { space() }"), Ok(Value::from("square")));
        assert_eq!(run("fn think(face) { see(\"/\") }").unwrap_err().thrown(), Some("refused see"));
    }

    #[test]
    fn a_panic_inside_a_call_costs_that_call_alone() {
        struct Breaks;
        impl Host for Breaks {
            fn ask(&self, _: &str, _: Vec<Value>) -> Result<Value, String> {
                panic!("broken")
            }
        }
        let source = "fn think(face) { if face.n == 1 { space() } else { face.n } }";
        let program = Program { hash: Hash::of(source.as_bytes()), file: "t.rhai".into(), source: source.into() };
        let mut sandbox = Sandbox::new(Limits::default());
        let mut call = |n: i64| {
            let stream = Stream::of(&[1; 32], "ada", 0, "think");
            sandbox.begin();
            sandbox.call(&program, "think", vec![Value::map([("n", Value::Int(n))])], Arc::new(Breaks), stream)
        };
        assert_eq!(call(1).unwrap_err().code().word(), "script-engine");
        assert_eq!(call(2), Ok(Value::Int(2)));
    }

    #[test]
    fn every_way_to_take_too_much_ends_as_a_limit() {
        for body in [
            "loop {}",
            "let s = \"xxxxxxxx\"; loop { s += s; }",
            "let a = [1]; loop { a += a; }",
            "let a = []; loop { a.push([1,2,3,4,5,6,7,8]); }",
            "let m = #{}; let i = 0; loop { m[\"k\" + i] = m.len(); i += 1; }",
            "think(face)",
            "let s = \"x\"; s.pad(1000000000, \"y\"); s",
            "let a = []; a.pad(1000000000, 1); a",
            "let n = 0; for i in 0..1000000000000 { n += i % 3; } n",
            "let a = #{}; loop { a = #{k: a}; }",
            "let a = #{}; loop { a = #{k: [a]}; }",
            "let a = []; loop { a = [a]; }",
            "let s = \"x\"; s.pad(60000, \"y\"); s.replace(\"y\", s); s",
            "let a = []; a.pad(1900, \"abcd\"); loop { let b = a == a; }",
            "let a = []; a.pad(1900, \"abcd\"); loop { a.contains(1); }",
            "try { loop {} } catch { 1 }",
            "let a = []; a.pad(1900, 0); a.filter(|x| { let b = []; b.pad(1900, 0); b.filter(|y| true); true })",
            "let a = []; a.pad(1900, 0); a.filter(|x| { let b = []; b.pad(1900, 0); b.filter(|y| { let c = []; c.pad(1900, 0); c.filter(|z| true); true }); true })",
            "let a = [3, 1, 2]; loop { a.sort(|x, y| { let b = [1]; b.map(|z| z); 1 }); }",
            "let m = #{}; for i in 0..500 { m[\"k\" + i] = i; } loop { let b = m; }",
            "let a = []; for i in 0..1900 { a = [a]; } `${a}`",
            "nested(face)",
        ] {
            // A thread has the smallest stack of all that call scripts.
            let code = std::thread::spawn(move || code(&format!("{body} }} fn nested(x) {{ [x].filter(|y| nested(y))"))).join().unwrap();
            assert!(code.starts_with("script-limit"), "{body}: {code}");
        }
    }

    #[test]
    fn nothing_is_padded_with_nothing_and_what_is_replaced_still_works() {
        let body = r#"let a = "abc"; a.pad(10, ""); let b = "ab"; b.pad(5, "xy"); let c = "aXbX"; c.replace("X", "--"); [a, b, c, [1, #{a: 2}] == [1.0, #{a: 2}], 2 in [1, 2], [1, 2].index_of(2)]"#;
        assert_eq!(run(&format!("fn think(face) {{ {body} }}")).unwrap().to_string(), r#"["abc","abxyx","a--b--",true,true,1]"#);
    }

    #[test]
    fn an_anonymous_function_sees_only_its_own_arguments_and_nothing_can_be_curried() {
        let error = run("fn think(face) {\n  let a = 1;\n  [1].filter(|x| x == a)\n}").unwrap_err();
        assert_eq!((error.code().word(), error.line()), ("script-syntax", Some(3)));
        assert_eq!(run("fn think(face) { [1, 2].filter(|x| x > 1) }").unwrap().to_string(), "[2]");
        assert!(run("fn think(face) { let f = |x| x; f.curry(f).call() }").is_err());
    }

    #[test]
    fn maths_takes_whole_numbers_and_a_script_may_fail_with_its_own_reason() {
        let body =
            "[floor(3), round(3.5), pow(2, 0.5) == sqrt(2), pow(2.0, 2), log(8, 2), log10(100), hypot(3, 4), chance(1), min(1, 2.5)]";
        assert_eq!(run(&format!("fn think(face) {{ {body} }}")).unwrap().to_string(), "[3,4,true,4,3,2,5,true,1]");
        let error = run("fn think(face) {\n  fail(\"tired\") }").unwrap_err();
        assert_eq!((error.code().word(), error.thrown(), error.line()), ("script-throw", Some("tired"), Some(2)));
    }

    #[test]
    fn errors_name_file_and_line() {
        let error = run("fn think(face) {\n  let a = 1;\n  a.nothing()\n}").unwrap_err();
        assert_eq!((error.code().word(), error.line()), ("script-unknown-function", Some(3)));
        let error = run("fn think(face) {\n  let a = ;\n}").unwrap_err();
        assert_eq!((error.code().word(), error.line()), ("script-syntax", Some(2)));
        assert_eq!(code("9223372036854775807 + face.n"), "script-arithmetic");
        assert_eq!(code("throw \"no\""), "script-throw");
        assert_eq!(code("|x| x"), "script-result");
    }

    #[test]
    fn there_is_no_clock_no_eval_no_import_and_no_platform_power() {
        for body in ["timestamp()", "eval(\"1\")", "import \"x\" as x; 1", "2 ** 3", "sleep(1)", "unknown_variable"] {
            let code = code(body);
            assert!(["script-unknown-function", "script-syntax"].contains(&code), "{body}: {code}");
        }
    }

    #[test]
    fn the_same_stream_gives_the_same_draws_in_another_sandbox() {
        let body = "fn think(face) { [random(), random_int(1, 6), pick([1, 2, 3]), shuffle([1, 2, 3, 4]), chance(0.5), sin(1)] }";
        assert_eq!(run(body), run(body));
    }
}
