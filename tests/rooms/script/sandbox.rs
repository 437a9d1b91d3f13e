//! Tests of `src/script/sandbox.rs`.

use reelm::fact::{Hash, Value};
use reelm::script::Host;
use reelm::script::ScriptError;
use reelm::script::Stream;
use reelm::script::sandbox::*;
use std::sync::Arc;

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
    let body = "[floor(3), round(3.5), pow(2, 0.5) == sqrt(2), pow(2.0, 2), log(8, 2), log10(100), hypot(3, 4), chance(1), min(1, 2.5)]";
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
