//! Sheets: does a table of personas or ties from any program become beings, or is its file, line and column named with what to write?

use super::terminal::{Said, Terminal};
use reelm::source::column::ColumnKind;

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
