//! Sheets: does a table of personas or ties from any program become beings, or is its file, line and column named with what to write?

use std::path::Path;
use std::process::Command;

use proptest::prelude::*;
use reelm::source::column::ColumnKind;

use super::terminal::{Said, Terminal};

const WORLD: &str = "name = \"c\"\n[[space]]\npath = \"/h\"\nallow = [\"say\"]\n[[population]]\nprefix = \"u\"\npersonas = \"people.csv\"\nhome = \"/h\"\nscript = \"a\"\nrole = \"r\"\n";

/// Checks a source with these personas.
fn check(terminal: &Terminal, personas: impl AsRef<[u8]>) -> Said {
    terminal.write("c/world.toml", WORLD);
    terminal.write("c/roles/r.md", "---\nname: r\ncanDo: [say]\ncanSee: [\"/h\"]\n---\nx\n");
    terminal.write("c/scripts/a.rhai", "fn think(face) { () }");
    std::fs::write(terminal.path("c/people.csv"), personas).unwrap();
    terminal.types("check c")
}

#[test]
fn names_and_headers_are_made_fit_with_a_note() {
    let terminal = Terminal::new();
    check(&terminal, "name,Age (years),What is your age?\nMara Ferry,41,42\nO'Brien,7,8\nada_L,1,2\n").fails(0).warns(&[
        "note: c/people.csv:1: column 2 `Age (years)` becomes quality.persona.age-years",
        "note: c/people.csv:1: column 3 `What is your age?` becomes quality.persona.what-is-your-age",
        "note: c/people.csv:2: `Mara Ferry` is called @mara-ferry, and 1 more are made fit for an address",
    ]);
    terminal.types("run c --moments 0").fails(0).warns(&["`Mara Ferry` is called @mara-ferry"]);
    terminal.types("see @mara-ferry").says(&["age-years", "41"]);
    terminal.types("see @ada_L").says(&["what-is-your-age"]);
    terminal.types("see @o-brien").ok();
    terminal.types("apply c --plan").says(&["nothing to do"]);
    check(&terminal, "Name,age\nmara,41\n")
        .fails(0)
        .warns(&["column 1 `Name` becomes quality.persona.Name; write `name` if it says the being's name"]);
}

#[test]
fn a_file_of_any_program_is_read_where_it_can_be() {
    let terminal = Terminal::new();
    for (what, text) in [
        ("a mark of UTF-8", "\u{feff}name,age\nmara,41\n"),
        ("CR and LF", "name,age\r\nmara,41\r\n"),
        ("CR alone", "name,age\rmara,41\r"),
        ("an empty column", "name,age,,\nmara,41,,\n"),
        ("empty rows", "name,age\n\nmara,41\n,\n\n"),
        ("quotes and breaks", "name,age,\"a word\nor two\"\nmara,41,\"x\n, y\"\n"),
        ("letters of the world", "name,age\njosé,41\nmara,41\n"),
    ] {
        let told = check(&terminal, text);
        assert_eq!(told.code, 0, "{what}: {}", told.err);
    }
    terminal.types("run c --moments 0 --quiet").ok();
    terminal.types("see @mara").says(&["age"]);
}

#[test]
fn another_separator_than_the_comma_is_refused_with_what_to_write() {
    let terminal = Terminal::new();
    for (sign, header, text) in [
        ("`;`", "name;age;town", "name;age;town\nmara;41;x\n"),
        ("`|`", "name|age|town", "\nname|age|town\nmara|41|x\n"),
        ("tabs", "name\\u{9}age\\u{9}town", "\u{feff}name\tage\ttown\nmara\t41\tx\n"),
        ("`;`", "name;\"a, b\";town", "name;\"a, b\";town\nmara;41;x\n"),
    ] {
        let line = if text.starts_with('\n') { 2 } else { 1 };
        check(&terminal, text).fails(1).warns(&[&format!(
            "people.csv:{line}: column 1 `{header}`: expected commas between the columns, found {sign} between 3 columns; write commas, or export"
        )]);
        terminal.types("run c --moments 0").fails(1).warns(&["write commas"]);
        assert!(!terminal.path("world").exists());
    }
}

#[test]
fn what_cannot_be_read_is_named_with_its_line_and_column_and_what_to_write() {
    let terminal = Terminal::new();
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    for (personas, wanted) in [
        (
            b"name,a.b,a\nmara,x,y\n".to_vec(),
            "people.csv:1: column 3 `a`: `a` and column 2 `a.b`, which is `a.b`, are one or lie in each other; rename one",
        ),
        (b"name,Age!,age\nmara,1,2\n".to_vec(), "people.csv:1: column 3 `age`: `age` and column 2 `Age!`, which is `age`, are one"),
        (b"name,age,age\nmara,1,2\n".to_vec(), "people.csv:1: columns 2 and 3 are both called `age`; rename one"),
        ("name,年齢\nmara,1\n".into(), "people.csv:1: column 2 `年齢`: expected a header of the letters a to z"),
        ("name,Größe\nmara,1\n".into(), "people.csv:1: column 2 `Größe`: expected a header of the letters a to z"),
        (b"name,?!\nmara,1\n".to_vec(), "people.csv:1: column 2 `?!`: expected a header of the letters a to z"),
        (b"name,\nmara,1\n".to_vec(), "people.csv:1: column 2 has no header, and line 2 says `1` there; give it one"),
        (
            b"name,age;town\nmara,1;x\n".to_vec(),
            "people.csv:1: column 2 `age;town`: expected fields separated by `,` alone, found `;` too; write commas throughout",
        ),
        (b"name,age\r\nmara,1\r\n\r\nben\r\n".to_vec(), "people.csv:4: expected 2 fields as in the header, found 1"),
        (b"name,age\nmara,1,5\n".to_vec(), "people.csv:2: expected 2 fields as in the header, found 3"),
        (b"name,age\n\"mara,1\nben,2\n".to_vec(), "people.csv:2: expected `\"` at the end of the field that `\"` begins here"),
        (wide("\u{feff}name,age\nmara,1\n"), "people.csv:1: expected UTF-8, found UTF-16; save the file as CSV in UTF-8"),
        (wide("name,age\nmara,1\n"), "people.csv:1: expected UTF-8, found UTF-16"),
        (b"name,age\njos\xe9,1\n".to_vec(), "people.csv:2: expected UTF-8, found the byte 0xe9 behind 3 others of the line"),
        (b"name,age\n".to_vec(), "people.csv:1: expected a row for each being below the header, found none"),
        (b"".to_vec(), "people.csv:1: expected a line of headers, found nothing"),
        (
            b"name\nmara\nworld\n".to_vec(),
            "people.csv:3: column 1 `name`: expected a name of letters and digits that nobody has, found `world`, which means something else",
        ),
        (
            b"name\nBirther\n".to_vec(),
            "people.csv:2: column 1 `name`: expected a name of letters and digits that nobody has, found `Birther`, which is or looks like `birther`",
        ),
        (
            b"name\nMara Ferry\n\nmara-ferry\n".to_vec(),
            "people.csv:4: column 1 `name`: expected a name of letters and digits that nobody has, found `mara-ferry`, which is or looks like `mara-ferry`, which line 2 is called",
        ),
        (
            b"name\n???\n".to_vec(),
            "people.csv:2: column 1 `name`: expected a name of letters and digits that nobody has, found `???`, which has neither",
        ),
        (
            b"name,cognition\nmara,gpt\n".to_vec(),
            "people.csv:2: column 2 `cognition`: expected `llm`, `human`, `script` or `panel`, found `gpt`",
        ),
        (b"name,home\nada,/h\nmara,/nowhere\n".to_vec(), "people.csv:3: cannot give birth to @mara: "),
        (b"name,age\nu-2,1\n,2\n".to_vec(), "people.csv:3: column 1 `name`: expected a name of letters and digits that nobody has"),
    ] {
        check(&terminal, &personas).fails(1).warns(&[wanted]);
    }
    std::fs::remove_file(terminal.path("c/people.csv")).unwrap();
    terminal.types("check c").fails(1).warns(&["personas: there is no file `c/people.csv`"]);
}

#[test]
fn ties_are_between_those_whom_the_personas_name_as_they_name_them() {
    let terminal = Terminal::new();
    check(&terminal, "name\nMara Ferry\nben\n").ok();
    let tied = |ties: &str| {
        terminal.write("c/world.toml", &format!("{WORLD}ties = \"ties.csv\"\n"));
        terminal.write("c/ties.csv", ties);
        terminal.types("check c")
    };
    tied("from,to\nMara Ferry,@ben\n").ok();
    tied("from;to\nMara Ferry;@ben\n")
        .fails(1)
        .warns(&["ties.csv:1: column 1 `from;to`: expected commas between the columns, found `;` between 2 columns; write commas"]);
    tied("from,to\n").ok();
    tied("from,to,weight\nben,mara-ferry,3\n")
        .fails(1)
        .warns(&["ties.csv:1: expected the columns `from` and `to` alone, found `weight`; a tie has no qualities, so take it away"]);
    tied("from,to\nben,mara-ferry\nben,Eve\n").fails(1).warns(&["ties.csv:3: column 2 `to`: `Eve` is not a being of this population"]);
    tied("From,To\nben,mara-ferry\n")
        .fails(1)
        .warns(&["ties.csv:1: expected the columns `from` and `to`, found `From`, `To`; rename them"]);
    tied("from,to\nben,\n").fails(1).warns(&["ties.csv:2: column 2 `to`: expected the name of a being, found ``"]);
}

#[test]
fn a_field_is_a_number_only_if_people_write_numbers_so() {
    let terminal = Terminal::new();
    let fields = "01234 00501 12345678901234567890 9007199254740993 1e3 +5 -0 .5 5. 007 1_000 NaN inf 0x10 1.50 7 -3 2.5 2.0 0.1 0";
    let header: Vec<String> = (0..fields.split(' ').count()).map(|at| format!("c{at}")).collect();
    check(&terminal, format!("name,{}\nmara,{}\n", header.join(","), fields.replace(' ', ","))).ok();
    terminal.types("run c --moments 0 --quiet").ok();
    let told = terminal.types("see @mara --json").json();
    let said: Vec<String> = header.iter().map(|key| told["qualities"]["persona"][key].to_string()).collect();
    let text = |text: &str| format!("\"{text}\"");
    let texts = fields.split(' ').take(14).map(text);
    assert_eq!(said, texts.chain(["1.5", "7", "-3", "2.5", "2", "0.1", "0"].map(str::to_owned)).collect::<Vec<_>>());
}

#[test]
fn a_column_is_of_one_kind() {
    use ColumnKind::{Number, Text, Truth};
    let many = |field: &str, other: &str, times: usize| [vec![field; times], vec![other]].concat().join(" ");
    for (fields, wanted) in [
        ("1 2 3", Number),
        ("1.50 2.5 3 -4 0 0.0", Number),
        ("34.0", Number),
        ("123456789012345", Number),
        ("TRUE true False", Truth),
        ("FALSE", Truth),
        ("", Text),
        ("ann ben", Text),
        ("01234 12345 5", Text),
        ("+4930 4930", Text),
        ("1e5 3", Text),
        ("-0 3", Text),
        ("-0.0 3", Text),
        ("1234567890123456 3", Text),
        ("1,234 56 2,100", Text),
        ("41% 5", Text),
        ("1,5 2", Text),
        ("\u{2212}5 3", Text),
        ("n/a 5", Text),
        ("true 1 0", Text),
        ("true yes", Text),
        (&many("5", "n/a", 98), Text),
        (&many("5", "n/a", 99), Number),
        (&many("true", "n/a", 99), Truth),
        // An id is one however seldom it is.
        (&many("5", "01234", 999), Text),
        ("\u{ff15} 5", Text),
        ("5. 5", Text),
        (".5 5", Text),
        ("inf 5", Text),
        ("5-5 5", Text),
    ] {
        let fields: Vec<&str> = fields.split_whitespace().collect();
        assert_eq!(ColumnKind::of_fields(&fields), wanted, "{:?}", fields.last());
    }
    for (header, key, kind) in [
        ("age:number", "age", Some(Number)),
        ("left: truth", "left: truth", None),
        ("zip:text", "zip", Some(Text)),
        ("smoker :truth", "smoker", Some(Truth)),
        ("number", "number", None),
        ("a:b", "a:b", None),
    ] {
        assert_eq!(ColumnKind::of_header(header), (key, kind), "{header}");
    }
}

#[test]
fn what_is_counted_is_what_the_column_says() {
    let terminal = Terminal::new();
    check(&terminal, "name,smoker,zip,income\nann,TRUE,01234,1.50\nben,FALSE,12345,2.5\ncid,FALSE,5,3\n").fails(0).warns(&[
        "people.csv:2: column 3 `zip`: the column is text, since `01234` is no number as `12345` is; write all of a column alike, or `:number` behind its header to be told of each",
        "people.csv:1: kinds of the columns: `income` number, `smoker` truth, `zip` text",
    ]);
    terminal.types("run c --moments 0 --quiet").ok();
    let persona = |name: &str| terminal.types(&format!("see @{name} --json")).json()["qualities"]["persona"].clone();
    assert_eq!(persona("ann"), serde_json::json!({ "smoker": true, "zip": "01234", "income": 1.5 }));
    assert_eq!(persona("cid"), serde_json::json!({ "smoker": false, "zip": "5", "income": 3 }));
    // A field that breaks a column is named where it stands alone, and an error where the header says the kind.
    let ages = |header: &str, field: &str| {
        format!("name,{header}\n{}last,{field}\n", (0..120).map(|at| format!("p{at},{at}\n")).collect::<String>())
    };
    check(&terminal, ages("age", "n/a"))
        .fails(0)
        .warns(&["people.csv:122: column 2 `age`: `n/a` stays text among numbers; write one, or leave it empty", "`age` number"]);
    check(&terminal, ages("age:number", "n/a"))
        .fails(1)
        .warns(&["people.csv:122: column 2 `age:number`: expected a number such as 34 or 1.50, as its header says, found `n/a`"]);
    check(&terminal, ages("age:number", "")).fails(0).warns(&["kinds of the columns: `age` number"]);
    check(&terminal, "name,left:truth\nann,yes\n")
        .fails(1)
        .warns(&["column 2 `left:truth`: expected TRUE or FALSE, as its header says, found `yes`"]);
    check(&terminal, "name,zip:text,zip\nann,1,2\n").fails(1).warns(&["`zip`"]);
}

#[test]
fn a_quotation_mark_that_nothing_closes_holds_nobody() {
    let terminal = Terminal::new();
    let cure = "expected `\"` at the end of the field that `\"` begins here, found none; close it, or write `\"\"` for the mark itself";
    for (line, text) in
        [(2, "name,note\nada,\"hello\nbob,x\ncyd,y\n"), (1, "name,\"age\nada,3\n"), (3, "name,note\nada,\"a, \"\"b\"\"\"\nbob,\"\"\"\n")]
    {
        check(&terminal, text).fails(1).warns(&[&format!("c/people.csv:{line}: {cure}")]);
    }
    check(&terminal, "name,note\nada,\"a\nb, \"\"c\"\"\"\nbob,5\" tall\n").fails(0);
}

#[test]
fn four_columns_are_no_fading_number() {
    let terminal = Terminal::new();
    for header in ["name,from,to,at,over", "name,trip.over,trip.at,trip.to,trip.from"] {
        check(&terminal, format!("{header}\nmara,1,2,3,4\n"))
            .fails(1)
            .warns(&["c/people.csv:2: the columns `at`, `from`, `over` and `to` alone would be one fading number; rename one"]);
    }
    check(&terminal, "name,from,to,at,over,price\nmara,1,2,3,4,5\n").fails(0);
}

#[test]
fn a_role_that_is_not_there_is_told_with_its_row() {
    let terminal = Terminal::new();
    let told = check(&terminal, "name,role\nmara,r\nada,rr\nbea,rr\n").fails(0);
    assert_eq!(told.out.matches("`rr`").count(), 1, "{}", told.out);
    told.says(&["c/world.toml:5 (c/people.csv:3): @ada: defaultRole: the role `rr` is not registered; did you mean `r`?"]);
}

/// Fields that programs read in many ways. Beside each stands what it is alone in its column; `None` is the text as it is written.
const HARD_FIELDS: &[(&str, Option<&str>)] = &[
    // Numbers as people write them, zeros at the end too.
    ("0", Some("0")),
    ("7", Some("7")),
    ("-3", Some("-3")),
    ("41", Some("41")),
    ("1.5", Some("1.5")),
    ("1.50", Some("1.5")),
    ("34.0", Some("34")),
    ("0.0", Some("0")),
    ("0.000", Some("0")),
    ("0.1", Some("0.1")),
    ("-0.25", Some("-0.25")),
    ("0.000001", Some("1e-6")),
    ("100", Some("100")),
    ("1000000", Some("1000000")),
    ("12345", Some("12345")),
    ("999999999999999", Some("999999999999999")),
    ("-999999999999999", Some("-999999999999999")),
    ("2026", Some("2026")),
    ("3.14159265358979", Some("3.14159265358979")),
    ("72.40", Some("72.4")),
    // Truth values, in any letters.
    ("TRUE", Some("true")),
    ("true", Some("true")),
    ("True", Some("true")),
    ("tRuE", Some("true")),
    ("FALSE", Some("false")),
    ("false", Some("false")),
    ("False", Some("false")),
    // Names of digits: what a number would lose is kept.
    ("01234", None),
    ("00501", None),
    ("007", None),
    ("00", None),
    ("-0", None),
    ("-0.0", None),
    ("-01", None),
    ("0123.5", None),
    ("+5", None),
    ("+4930123456", None),
    ("1e3", None),
    ("1E3", None),
    ("2e-4", None),
    ("12e5", None),
    ("1234567890123456", None),
    ("9007199254740993", None),
    ("12345678901234567890", None),
    (".5", None),
    ("5.", None),
    ("-.5", None),
    // Numbers of other lands and programs, which might mean something else here.
    ("1,234", None),
    ("1,5", None),
    ("1.234,50", None),
    ("1'234", None),
    ("1 234", None),
    ("1_000", None),
    ("41%", None),
    ("$5", None),
    ("5 €", None),
    ("5 km", None),
    ("(5)", None),
    ("5-", None),
    ("\u{2212}5", None),
    ("\u{ff15}", None),
    ("\u{0665}", None),
    ("½", None),
    ("1/2", None),
    ("0x10", None),
    ("0b1", None),
    ("1.2.3", None),
    ("1-2", None),
    ("--5", None),
    // Other programs read these as a number that is none, as nothing, or as a truth.
    ("NaN", None),
    ("nan", None),
    ("inf", None),
    ("-Infinity", None),
    ("n/a", None),
    ("NA", None),
    ("N/A", None),
    ("null", None),
    ("NULL", None),
    ("None", None),
    ("-", None),
    ("yes", None),
    ("No", None),
    ("T", None),
    ("on", None),
    // Instants, formulas, and text with the marks of a table in it.
    ("2026-03-02", None),
    ("02.03.2026", None),
    ("3/2", None),
    ("12:30", None),
    ("12:00:00", None),
    ("=1+1", None),
    ("@ada", None),
    ("5\" tall", None),
    ("a,b", None),
    ("two\nlines", None),
];

#[test]
fn ninety_four_hard_fields_are_what_they_say_in_each_dialect_of_a_table() {
    assert_eq!(HARD_FIELDS.len(), 94);
    let quoted = |field: &str| format!("\"{}\"", field.replace('"', "\"\""));
    let where_it_must = |field: &str| if field.contains(['"', ',', '\n']) { quoted(field) } else { field.to_owned() };
    let header: Vec<String> = (0..HARD_FIELDS.len()).map(|at| format!("c{at}")).collect();
    let row = |written: &dyn Fn(&str) -> String| HARD_FIELDS.iter().map(|(field, _)| written(field)).collect::<Vec<_>>().join(",");
    let terminal = Terminal::new();
    for (what, mark, end, row) in [
        ("lines end with LF, and marks stand where they must", "", "\n", row(&where_it_must)),
        ("lines end with CR and LF behind a mark of UTF-8, and each field is quoted", "\u{feff}", "\r\n", row(&quoted)),
        ("lines end with CR", "", "\r", row(&where_it_must)),
    ] {
        check(&terminal, format!("{mark}name,{}{end}mara,{row}{end}", header.join(","))).ok();
        terminal.types("run c --moments 0 --quiet --anew --yes").ok();
        let persona = &terminal.types("see @mara --json").json()["qualities"]["persona"];
        for (key, (field, wanted)) in header.iter().zip(HARD_FIELDS) {
            let wanted = wanted.map_or_else(|| serde_json::json!(field), |json| serde_json::from_str(json).unwrap());
            assert_eq!(persona[key], wanted, "{field:?}, {what}");
        }
    }
}

/// A column of a random table: its header, and a field for each being.
#[derive(Clone, Debug)]
struct Column {
    header: String,
    fields: Vec<String>,
}

impl Column {
    fn key(&self) -> &str {
        ColumnKind::of_header(&self.header).0
    }

    fn is_empty(&self) -> bool {
        self.fields.iter().all(String::is_empty)
    }

    /// Fields of one sort, or of many, some of them empty; where all are numbers its header may say so.
    fn of(number: usize, rows: usize) -> impl Strategy<Value = Self> {
        let whole = (-1000i64..1000).prop_map(|n| n.to_string());
        let decimal = (-100i64..100, 1i64..10_000).prop_map(|(n, part)| format!("{n}.{part:04}"));
        let truth = prop::sample::select(vec!["TRUE", "false", "True", "FALSE"]).prop_map(str::to_owned);
        let hard = prop::sample::select(HARD_FIELDS).prop_map(|(field, _)| field.to_owned());
        let numbers = prop_oneof![whole.clone(), decimal.clone()];
        let sorts = prop_oneof![
            column_of(whole, rows),
            column_of(decimal, rows),
            column_of(numbers.clone(), rows),
            column_of(truth, rows),
            column_of(hard.clone(), rows),
            column_of(prop_oneof![9 => numbers, 1 => hard], rows),
        ];
        (sorts, any::<bool>()).prop_map(move |(fields, says_kind)| {
            let is_number = fields.iter().all(|field| field.is_empty() || ColumnKind::Number.has(field));
            let kind = if is_number && says_kind { ":number" } else { "" };
            Self { header: format!("c{number}{kind}"), fields }
        })
    }
}

fn column_of(filled: impl Strategy<Value = String> + 'static, rows: usize) -> BoxedStrategy<Vec<String>> {
    prop::collection::vec(prop_oneof![6 => filled, 1 => Just(String::new())], rows).boxed()
}

fn table() -> impl Strategy<Value = Vec<Column>> {
    (1usize..40, 1usize..5).prop_flat_map(|(rows, columns)| (0..columns).map(|number| Column::of(number, rows)).collect::<Vec<_>>())
}

/// A table as a program writes it.
fn written(table: &[Column], quotes_all: bool, end: &str) -> String {
    let field = |text: &String| {
        let must = quotes_all || text.contains(['"', ',', '\n']);
        if must { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.clone() }
    };
    let row = |name: String, fields: Vec<&String>| [name, fields.into_iter().map(field).collect::<Vec<_>>().join(",")].join(",");
    let rows = (0..table[0].fields.len()).map(|at| row(format!("p{at}"), table.iter().map(|column| &column.fields[at]).collect()));
    let header = row("name".to_owned(), table.iter().map(|column| &column.header).collect());
    std::iter::once(header).chain(rows).map(|line| line + end).collect()
}

/// The questions to a column: each measure over it, and how many have a value that stands in it.
fn asked(column: &Column, kind: ColumnKind) -> Vec<serde_json::Value> {
    let functions: &[&str] = if kind == ColumnKind::Truth { &["count"] } else { &["count", "sum", "mean"] };
    let mut asks: Vec<_> = functions.iter().map(|function| serde_json::json!([function, column.header])).collect();
    if let Some(field) = column.fields.iter().find(|field| !field.is_empty()) {
        asks.push(serde_json::json!(["count", column.header, kind.value(field)]));
    }
    asks
}

#[test]
#[ignore = "long: hundreds of tables, each read by DuckDB too"]
fn measures_over_a_table_of_people_are_those_of_duckdb_or_doubted() {
    let Some(python) = super::parts::DUCKDB.place() else { return };
    let terminal = Terminal::new();
    let answers = |question: &serde_json::Value| {
        terminal.write("question.json", &question.to_string());
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/duckdb/answers.py");
        let question = std::fs::File::open(terminal.path("question.json")).unwrap();
        let told = Command::new(&python).arg(script).stdin(question).output().unwrap();
        serde_json::from_slice::<Vec<Option<f64>>>(&told.stdout).unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&told.stderr)))
    };
    let dialect = (any::<bool>(), prop::sample::select(vec!["\n", "\r\n"]));
    proptest!(super::kit::cases(40, 400), |(table in table(), (quotes_all, end) in dialect)| {
        let personas = written(&table, quotes_all, end);
        let told = check(&terminal, &personas);
        prop_assert_eq!(told.code, 0, "{}", told.err);
        let kinds = told.err.lines().find_map(|line| line.split_once("kinds of the columns: ")).map_or("", |(_, kinds)| kinds);
        let kind_of = |column: &Column| {
            let is = |kind: &ColumnKind| kinds.contains(&format!("`{}` {}", column.key(), kind.word())) || column.is_empty();
            [ColumnKind::Number, ColumnKind::Truth].into_iter().find(is).unwrap_or(ColumnKind::Text)
        };
        let asks: Vec<_> = table.iter().flat_map(|column| asked(column, kind_of(column))).collect();
        let expression = |ask: &serde_json::Value| {
            let key = ColumnKind::of_header(ask[1].as_str().unwrap()).0;
            let value = ask.get(2).map_or_else(String::new, |value| format!(", {value}"));
            format!("{}(\"persona.{key}\"{value})", ask[0].as_str().unwrap())
        };
        let measures: String = asks.iter().enumerate().map(|(at, ask)| format!("[[measure]]\nname = \"m{at}\"\nvalue = '''{}'''\n", expression(ask))).collect();
        terminal.write("c/world.toml", &format!("{WORLD}{measures}"));
        let doubts = terminal.types("check c --json").fails(0).out;
        terminal.types("run c --moments 0 --quiet --anew --yes").ok();
        let now = terminal.types("see /.measures --json").json();
        let kinds: serde_json::Map<_, _> =
            table.iter().map(|column| (column.header.clone(), kind_of(column).word().into())).chain([("name".to_owned(), "text".into())]).collect();
        let is_doubted = |at: usize| doubts.lines().any(|line| line.contains(&format!("\"measure m{at}\"")));
        let sure: Vec<usize> = (0..asks.len()).filter(|at| !is_doubted(*at)).collect();
        let sure_asks: Vec<_> = sure.iter().map(|at| asks[*at].clone()).collect();
        let file = terminal.path("c/people.csv");
        let wanted = answers(&serde_json::json!({ "file": file, "kinds": kinds, "asks": sure_asks }));
        for (at, wanted) in sure.into_iter().zip(wanted) {
            let ours = now[at]["now"].as_f64();
            let is_same = match (ours, wanted) {
                (Some(ours), Some(wanted)) => (ours - wanted).abs() <= 1e-9 * wanted.abs().max(1.0),
                (ours, wanted) => ours == wanted,
            };
            prop_assert!(is_same, "{}: {:?} here, {:?} by DuckDB\n{}", asks[at], ours, wanted, personas);
        }
    });
}
