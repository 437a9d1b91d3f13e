//! Tests of `src/world/cron.rs`.

use reelm::world::cron::*;

#[test]
fn an_expression_is_taken_as_it_is_in_the_field() {
    for text in [
        "* * * * *",
        "*/5 * * * *",
        "0 6 * * MON-FRI",
        "0 6 * jan,Dec sun",
        "0 9-17/2 * * *",
        "0 0 L * *",
        "0 0 LW * *",
        "0 0 15W * ?",
        "0 0 ? * 5L",
        "0 0 * * MON#2",
        "0 0 * * FRI-SUN",
        "0 0 13 * +FRI",
        "\t0 0\t1,15 * *  ",
        "0,30 0 1 1 7",
        "*/90 * * * *",
        "05 06 * * *",
        "@daily",
        "@Hourly",
        "@midnight",
        "@weekly",
        "@monthly",
        "@yearly",
        "@annually",
        "0 0 29 2 *",
        "0 0 * * 1-5#1",
    ] {
        assert!(cron(text).is_some(), "{text}: {:?}", cron_wrong(text));
        assert_eq!(cron_wrong(text), None, "{text}");
    }
}

#[test]
fn each_mistake_has_its_field_and_its_sentence() {
    for (text, wanted) in [
        ("*/5 * * * * *", "six fields; seconds are said by `every`, and cron has five: minute, hour"),
        ("0 0 6 * * *", "six fields; seconds are said by `every`, and without them this is `0 6 * * *`"),
        ("0 0 0 * *  2027", "six fields, of which the last is a year; an instant of one year is said by `at`"),
        ("0 0 12 1 1 ? 2027", "seven fields; seconds are said by `every`, an instant of one year by `at`"),
        ("0 5 * * 1 /usr/bin/true", "expected five fields, found 6: minute"),
        ("0 5 *", "expected five fields, found 3: minute"),
        ("", "empty: expected five fields"),
        (" \t ", "empty: expected five fields"),
        ("5/15 * * * *", "minute: `5/15` steps from one value; write `5-59/15`"),
        ("/10 * * * *", "minute: `/10` steps from nowhere; write `*/10`"),
        ("*/0 * * * *", "minute: expected a step from 1 to 9999 behind the `/`, found `*/0`"),
        ("*/5/2 * * * *", "minute: expected a step from 1 to 9999 behind the `/`, found `*/5/2`"),
        ("H * * * *", "minute: `H`: nothing is drawn from a name here; write a number"),
        ("H/15 * * * *", "minute: `H/15`: nothing is drawn from a name here"),
        ("0~59 * * * *", "minute: `0~59`: nothing is drawn at random here"),
        ("0 0 * * 5-1", "day of the week: `5-1` runs backwards; write `5-6,0-1`"),
        ("0 22-6 * * *", "hour: `22-6` runs backwards; write `22-23,0-6`"),
        ("0 0 * * FRI-MON", "day of the week: `FRI-MON` runs backwards; write `5-6,0-1`"),
        ("CRON_TZ=America/New_York 0 9 * * *", "`CRON_TZ=America/New_York`: a schedule goes by the world's own zone"),
        ("TZ=UTC 0 9 * * *", "`TZ=UTC`: a schedule goes by the world's own zone"),
        ("60 * * * *", "minute: 60 is more than 59"),
        ("* 24 * * *", "hour: 24 is more than 23; midnight is 0"),
        ("0 0 0 * *", "day of the month: 0 is less than 1"),
        ("0 0 32 * *", "day of the month: 32 is more than 31"),
        ("0 0 1 13 *", "month: 13 is more than 12"),
        ("0 0 1 0 *", "month: 0 is less than 1"),
        ("0 0 * * 8", "day of the week: 8 is more than 7; 0 and 7 are Sunday"),
        ("99999999999999 * * * *", "minute: 99999999999999 is more than 59"),
        ("-5 * * * *", "minute: expected `*`, a number from 0 to 59, a range or a list of them, found `-5`"),
        ("1,,2 * * * *", "minute: nothing stands beside a comma"),
        ("0 0 * JANUARY *", "month: `JANUARY` is written `JAN`"),
        ("0 0 * * Monday", "day of the week: `Monday` is written `MON`"),
        ("0 0 * * MO", "day of the week: `MO` is none of SUN, MON, TUE, WED, THU, FRI, SAT, nor a number from 0 to 7"),
        ("0 MON * * *", "hour: `MON` is a day, which is the fifth field"),
        ("0 0 * MON *", "month: `MON` is a day, which is the fifth field"),
        ("0 0 * * JAN", "day of the week: `JAN` is a month, which is the fourth field"),
        ("? * * * *", "minute: only the two fields of days take `?`; write `*`"),
        ("0 0 * * L", "day of the week: `L`: expected a day before the `L`"),
        ("0 0 5L * *", "day of the month: `5L`: the last day of the month is `L` alone"),
        ("0 0 * * MON#6", "day of the week: expected 1 to 5 behind the `#`"),
        ("0 0 L-3 * *", "day of the month: expected `*`, a number from 1 to 31, a range or a list of them, found `L`"),
        ("０ ６ * * *", "minute: `０`: `０` is none of the plain digits"),
        ("0 0 * * ſun", "day of the week: `ſun`: `ſ` is none of the plain digits"),
        ("@reboot", "`@reboot`: a world that goes on begins nothing anew"),
        ("@every 5m", "`@every 5m`: an interval is said by `every`, here as every = \"5m\""),
        ("@fortnightly", "`@fortnightly` is no name of a schedule; there are @hourly, @daily"),
    ] {
        let said = cron_wrong(text).unwrap_or_default();
        assert!(said.starts_with(wanted), "{text}: {said}");
        assert!(cron(text).is_none(), "{text}");
    }
    let long = cron_wrong(&"0,".repeat(10_000)).unwrap_or_default();
    assert_eq!(long, "expected at most 512 characters, found 20000");
    assert!(cron_wrong(&format!("{} * * * *", "x".repeat(300))).is_some_and(|said| said.len() < 200));
}

#[test]
fn a_step_past_the_end_of_its_field_is_doubted_and_no_other() {
    assert_eq!(
        cron_doubts("*/90 * * * *"),
        ["minute: `*/90` steps past the end of its field, so it means 0 alone; a longer interval is said by `every`"]
    );
    assert_eq!(cron_doubts("10-20/30 */24 */31 */12 */7").len(), 5);
    assert!(cron_doubts("*/59 */23 */30 */11 */6").is_empty());
    assert!(cron_doubts("@daily").is_empty());
}

#[test]
fn what_the_grammar_takes_the_library_takes_too() {
    let parts = [
        "*",
        "?",
        "0",
        "1",
        "7",
        "12",
        "31",
        "60",
        "1-5",
        "5-1",
        "*/2",
        "1-5/2",
        "1/2",
        "L",
        "LW",
        "1W",
        "5L",
        "MON",
        "MON#1",
        "SUN",
        "FRI-SUN",
        "JAN",
        "JAN-MAR",
        "+1",
        "1,2",
        "1-2-3",
        "*-1",
        "L,1",
        "1L,2#3",
        "*/9999",
        "MON-FRI/2",
    ];
    for at in 0..5 {
        for part in parts {
            let mut fields = ["*"; 5];
            if let Some(field) = fields.get_mut(at) {
                *field = part;
            }
            let text = fields.join(" ");
            if five_fields(&text).is_ok() {
                assert!(cron(&text).is_some(), "{text}");
            }
        }
    }
}
