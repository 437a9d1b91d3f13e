//! Cron: whoever writes a schedule wrong is told the field, what stands there and what to write; what other programs take is taken.

use super::terminal::Terminal;

const ROLE: &str = "---\nname: r\ncanDo: [say]\ncanSee: [\"/h\"]\n---\nx\n";

/// A world with one schedule.
fn with(terminal: &Terminal, cron: &str) {
    let world = format!(
        "name = \"c\"\n[[space]]\npath = \"/h\"\nallow = [\"say\"]\n[[being]]\nname = \"a\"\nhome = \"/h\"\nscript = \"a\"\nrole = \"r\"\n[[being.schedule]]\nname = \"t\"\ncron = \"{cron}\"\n"
    );
    terminal.write("c/world.toml", &world);
    terminal.write("c/roles/r.md", ROLE);
    terminal.write("c/scripts/a.rhai", "fn think(face) { () }");
}

#[test]
fn a_schedule_that_is_written_wrong_is_told_with_its_field_and_what_to_write() {
    let terminal = Terminal::new();
    for (cron, said) in [
        ("*/5 * * * * *", "six fields; seconds are said by `every`"),
        ("5/15 * * * *", "minute: `5/15` steps from one value; write `5-59/15`"),
        ("H * * * *", "minute: `H`: nothing is drawn from a name here"),
        ("0 0 * * 5-1", "day of the week: `5-1` runs backwards; write `5-6,0-1`"),
        ("CRON_TZ=America/New_York 0 9 * * *", "the world's own zone"),
        ("60 * * * *", "minute: 60 is more than 59"),
        ("@every 5m", "an interval is said by `every`"),
        ("", "empty: expected five fields"),
    ] {
        with(&terminal, cron);
        let wanted = format!("c/world.toml:12:8: cannot schedule t of @a: bad-cron at `/cron`: `{}", cron.split(' ').next().unwrap());
        terminal.types("check c").fails(1).warns(&[&wanted, said, "; nothing was written"]);
    }
    with(&terminal, "0 0 31 2 *");
    terminal.types("check c").fails(1).warns(&["never-due at `/cron`: no month of `2` has the day `31`"]);
}

#[test]
fn the_names_of_schedules_are_taken_and_a_step_past_its_field_is_a_warning() {
    let terminal = Terminal::new();
    for name in ["@hourly", "@daily", "@midnight", "@weekly", "@monthly", "@yearly", "@annually"] {
        with(&terminal, name);
        terminal.types("check c --strict").ok();
    }
    with(&terminal, "@hourly");
    terminal.types("run c --for 150m --quiet").ok();
    assert_eq!(terminal.types("log @a --json").json_lines().iter().filter(|moment| moment["report"]["wake"] == "schedule").count(), 2);
    terminal.types("apply c --plan").says(&["nothing to do"]);
    with(&terminal, "*/90 * * * *");
    terminal
        .types("check c --strict")
        .fails(1)
        .says(&["c/world.toml:5: @a: schedule.t.cron: minute: `*/90` steps past the end of its field, so it means 0 alone"]);
}

#[test]
fn a_schedule_by_two_days_is_told_what_it_comes_to_and_how_both_are_said_at_once() {
    let terminal = Terminal::new();
    let told = |cron: &str| {
        with(&terminal, cron);
        terminal.types("check c").fails(0).out
    };
    for (cron, comes, both) in [
        ("0 0 1-7 * MON", "that is `1-7`, and on each day of the week that is `MON`", "`0 0 * * MON#1`"),
        ("30 6 8-14 3 2", "that is `8-14`, and on each day of the week that is `2`", "`30 6 * 3 2#2`"),
        ("0 0 22-28 * TUE,THU", "that is `22-28`", "`0 0 * * TUE#4,THU#4`"),
        ("0 0 13 * FRI", "that is `13`", "`0 0 13 * +FRI`"),
        ("0 0 1-7 * MON-FRI", "that is `1-7`", "`0 0 1-7 * +MON-FRI`"),
        ("0 0 */2 * SUN", "that is `*/2`", "`0 0 */2 * +SUN`"),
        ("0 0 L * FRIL", "that is `L`", "`0 0 L * +FRIL`"),
    ] {
        let told = told(cron);
        let wanted = [comes, &format!("for both at once write {both}, for either of them two schedules")];
        assert!(told.contains("schedule.t.cron: either day is enough: it comes on each day of the month"), "{cron}: {told}");
        assert!(wanted.iter().all(|wanted| told.contains(wanted)), "{cron}: {told}");
        // And what is named instead is taken without a warning.
        let instead = both.trim_matches('`');
        with(&terminal, instead);
        terminal.types("check c --strict").ok();
    }
    for cron in ["0 0 1-7 * *", "0 0 * * MON", "0 0 ? * MON", "0 0 1 * ?", "0 0 * 3 MON#1", "@weekly", "@yearly", "0 0 13 * +FRI"] {
        with(&terminal, cron);
        terminal.types("check c --strict").ok();
    }
    // The first Monday of March 2026 is the second, and it is the only one.
    with(&terminal, "0 0 * * MON#1");
    terminal.write(
        "c/world.toml",
        &std::fs::read_to_string(terminal.path("c/world.toml")).unwrap().replacen('\n', "\nstart = \"2026-03-01T00:00:00\"\n", 1),
    );
    terminal.types("run c --for 30d --quiet").ok();
    assert_eq!(terminal.types("log @a --json").json_lines().iter().filter(|moment| moment["report"]["wake"] == "schedule").count(), 1);
}

#[test]
fn a_living_world_tells_it_too_and_its_seal_holds_the_code_and_the_place_alone() {
    let terminal = Terminal::new();
    with(&terminal, "0 6 * * *");
    terminal.types("run c --moments 1 --quiet").ok();
    let line = r#"do @a schedule.set '{"name":"u","cron":"0 25 * * *"}'"#;
    terminal.types(line).fails(4).says(&["refused: bad-cron at `/cron`", "    | `0 25 * * *`: hour: 25 is more than 23; midnight is 0"]);
    let told: serde_json::Value = serde_json::from_str(&terminal.types(&format!("{line} --json")).out).unwrap();
    assert_eq!(told["reason"], serde_json::json!({ "code": "bad-cron", "at": "/cron" }));
    assert_eq!(told["hints"], serde_json::json!(["`0 25 * * *`: hour: 25 is more than 23; midnight is 0"]));
    terminal.types("log --raw @operator --last 1").says(&["| `0 25 * * *`: hour: 25 is more than 23"]);
    with(&terminal, "0 6 * * 8");
    terminal.types("apply c").fails(1).warns(&["day of the week: 8 is more than 7; 0 and 7 are Sunday"]);
    terminal.types("replay").ok();
}

#[test]
fn a_schedule_once_takes_a_date_as_a_source_does() {
    let terminal = Terminal::new();
    with(&terminal, "0 6 * * *");
    let dated = terminal.read("c/world.toml").replace("name = \"c\"\n", "name = \"c\"\nzone = \"Europe/Berlin\"\n");
    terminal.write("c/world.toml", &dated);
    terminal.types("run c --moments 1 --quiet").ok();
    terminal.types(r#"do @a schedule.set '{"name":"once","at":"2026-01-05T09:30:00"}'"#).ok();
    for (at, said) in [
        ("\"soon\"", "found `soon`"),
        ("\"2026-03-29T02:30:00\"", "expected an instant that the world's zone has"),
        ("\"2026-01-05\"", "found `2026-01-05`"),
        ("\"2025-01-05T09:30:00\"", "in-the-past at `/at`"),
        ("\"+200000-01-05T09:30:00\"", "never-due at `/at`"),
        ("true", "args-type at `/at`"),
    ] {
        terminal.types(&format!("do @a schedule.set '{{\"name\":\"x\",\"at\":{at}}}'")).fails(4).says(&[said]);
    }
    terminal.types("run --until 2026-01-05T10:00:00 --quiet").ok();
    terminal.types("log --raw @a --last 1").says(&["01-05 09:30:00 @a"]);
}
