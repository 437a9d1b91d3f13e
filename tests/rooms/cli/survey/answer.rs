//! Tests of `src/cli/survey/answer.rs`.

use reelm::cli::survey::answer::*;
use reelm::fact::Value;
use std::collections::BTreeMap;

fn read(kind: &str, said: &str) -> Option<String> {
    kind.parse::<AnswerKind>().unwrap().read(&Value::text(said)).map(|answer| answer.to_string())
}

/// Spellings of an answer on a scale from 1 to 7, and what each says; none where anything but one number was said.
const ON_A_SCALE: &[(&str, Option<&str>)] = &[
    ("4", Some("4")),
    (" 4 ", Some("4")),
    ("4.", Some("4")),
    ("\n4\n", Some("4")),
    ("4!", Some("4")),
    ("**4**", Some("4")),
    ("*4*", Some("4")),
    ("__4__", Some("4")),
    ("`4`", Some("4")),
    ("```\n4\n```", Some("4")),
    ("\"4\"", Some("4")),
    ("'4.'", Some("4")),
    ("“4”", Some("4")),
    ("„4“", Some("4")),
    ("«4»", Some("4")),
    ("(4)", Some("4")),
    ("[4]", Some("4")),
    ("4/7", Some("4")),
    ("4 / 7", Some("4")),
    ("4/7.", Some("4")),
    ("4 out of 7", Some("4")),
    ("**4 out of 7**", Some("4")),
    ("4  OUT of\n7!", Some("4")),
    ("<think>2 or 3?</think>4", Some("4")),
    ("<think>2</think>\n\n4/7", Some("4")),
    ("2 and 3 weigh.</think>6</s>", Some("6")),
    ("<reasoning>5</reasoning> 7", Some("7")),
    ("[THINK]1[/THINK]2", Some("2")),
    ("1", Some("1")),
    ("7<|im_end|>", Some("7")),
    ("4/10", None),
    ("4 out of 5", None),
    ("7/4", None),
    ("4 of 7", Some("4")),
    ("4 out of seven", None),
    ("4/7/7", None),
    ("8/7", None),
    ("I would say 6!", None),
    ("I would say 6 out of 7.", None),
    ("My answer: 6/7", Some("6")),
    ("My answer: 2", Some("2")),
    ("Answer: 6", Some("6")),
    ("6. I feel content.", None),
    ("6 - content", None),
    ("6, content", None),
    ("6 (content)", None),
    ("between 2 and 3", None),
    ("2 or 3", None),
    ("2-3", None),
    ("2–3", None),
    ("4, 5", None),
    ("4\n5", None),
    ("4 4", None),
    ("8", None),
    ("0", None),
    ("-4", None),
    ("- 4", Some("4")),
    ("4.5", None),
    ("4,5", None),
    (".4", None),
    ("5.5 maybe 6", None),
    ("1. I feel content.\n2. The work is good.\n\nAnswer: 6", None),
    ("1) content\n2) tired", None),
    ("There are 5 reasons. 6", None),
    ("four", None),
    ("4?", None),
    ("~4", None),
    ("~~4~~", None),
    ("4%", None),
    ("4th", None),
    (">4", None),
    ("+4", Some("4")),
    ("4e0", None),
    ("{\"answer\": 4}", Some("4")),
    ("\\boxed{4}", Some("4")),
    ("<answer>4</answer>", Some("4")),
    ("4 \u{1f642}", None),
    ("4\u{fe0f}\u{20e3}", Some("4")),
    ("٤", Some("4")),
    ("99999999999999999999", None),
    ("not 4", None),
    ("<think>4", None),
    ("<think>4</think>", None),
    ("", None),
    (".", None),
    ("/7", None),
    ("4/", None),
    ("６", Some("6")),
    ("۶", Some("6")),
    ("६", Some("6")),
    ("６／７", Some("6")),
    ("６/７", Some("6")),
    ("+6", Some("6")),
    ("＋6", Some("6")),
    ("6.0", Some("6")),
    ("6.00", Some("6")),
    ("6,0", Some("6")),
    ("6.0/7", Some("6")),
    ("6,000", None),
    ("6.000", None),
    ("6 OF 7.", Some("6")),
    ("(6 of 7)", Some("6")),
    ("answer: 6", Some("6")),
    ("Answer = 6", Some("6")),
    ("**Answer:** 6", Some("6")),
    ("**Answer**: 6", Some("6")),
    ("**Answer: 6**", Some("6")),
    ("Final answer: 6.", Some("6")),
    ("The answer: 6", Some("6")),
    ("# 6", Some("6")),
    ("## Answer: 6", Some("6")),
    ("### 6", Some("6")),
    ("$6$", Some("6")),
    ("$\\boxed{6}$", Some("6")),
    ("\\boxed{\\text{6}}", Some("6")),
    ("\\(6\\)", Some("6")),
    ("Answer: \\boxed{6}", Some("6")),
    ("<final>6</final>", Some("6")),
    ("<response>6</response>", Some("6")),
    ("<answer>\n6\n</answer>", Some("6")),
    ("{\"mood\": 6}", None),
    ("{\"confidence\": 6}", None),
    ("{\"answer\": 6, \"answer\": 3}", None),
    ("{\"rating\":6}", Some("6")),
    ("[ ] 6", None),
    ("{\"answer\": \"6\"}", Some("6")),
    ("{\"answer\": \"6/7\"}", Some("6")),
    ("```json\n{\"answer\": 6}\n```", Some("6")),
    ("```text\n6\n```", Some("6")),
    ("* 6", Some("6")),
    ("• 6", Some("6")),
    ("- **6**", Some("6")),
    ("> 6", None),
    ("{\"answer\": 6, \"sure\": 4}", None),
    ("{\"answer\": null}", None),
    ("{\"answer\": [6, 7]}", None),
    ("[6, 7]", None),
    ("Answer: 6 or 7", None),
    ("Answer: not 6", None),
    ("Answer:", None),
    ("Answer 6", None),
    ("Question: 6", None),
    ("answering: 6", None),
    ("<answer>6</answer> or 7", None),
    ("<answer>6</answer><answer>7</answer>", None),
    ("\\boxed{6} \\boxed{7}", None),
    ("\\boxed{6", None),
    ("6.5.0", None),
    ("6.05", None),
    ("6.", Some("6")),
    ("6,", Some("6")),
    ("++6", None),
    ("+-6", None),
    ("6+", None),
    ("6 of 10", None),
    ("6 of", None),
    ("of 7", None),
    ("6 of 7 of 7", None),
    ("six of seven", None),
    ("@6", Some("6")),
    ("#6", None),
    ("½", None),
    ("Ⅵ", None),
    ("六", None),
    ("6\u{200b}7", None),
    ("6 7", None),
    ("6\n\nThat is my answer.", None),
    ("6 because the work is good", None),
    ("6: rather", None),
];

/// The same of a choice among `yes`, `no`, `not sure` and `sure`.
const OF_A_CHOICE: &[(&str, Option<&str>)] = &[
    ("yes", Some("yes")),
    ("Yes.", Some("yes")),
    ("YES!", Some("yes")),
    (" yes\n", Some("yes")),
    ("\"yes\"", Some("yes")),
    ("**Yes**", Some("yes")),
    ("- yes", Some("yes")),
    ("* yes", Some("yes")),
    ("• **Yes**,", Some("yes")),
    ("yes,", Some("yes")),
    ("\"Yes.\"", Some("yes")),
    ("(yes", Some("yes")),
    ("Not  sure", Some("not sure")),
    ("not\nsure.", Some("not sure")),
    ("sure", Some("sure")),
    ("<thinking>no</thinking>Yes", Some("yes")),
    ("[THINK]no?[/THINK]Yes.<|im_end|>", Some("yes")),
    ("Not yes.", None),
    ("I would never say yes.", None),
    ("I can't say yes", None),
    ("Yes, certainly.", None),
    ("Yes, I do not mind.", None),
    ("yes?", None),
    ("yes yes", None),
    ("yes/no", None),
    ("yes or no", None),
    ("~~yes~~", None),
    ("~~yes~~ no", None),
    ("yes \u{1f44e}", None),
    ("yesterday", None),
    ("I am not sure, yes", None),
    ("1. yes", None),
    ("- yes\n- no", None),
    ("yes;", None),
    ("-yes", None),
    ("answer: yes", Some("yes")),
    ("<thinking>yes would be bold</thinking>I would not.", None),
    ("<thinking>yes", None),
    ("", None),
    ("Answer: **Not sure**.", Some("not sure")),
    ("**Answer:** no", Some("no")),
    ("@yes", Some("yes")),
    ("{\"answer\": \"Not sure\"}", Some("not sure")),
    ("```\nyes\n```", Some("yes")),
    ("```json\n{\"choice\": \"no\"}\n```", Some("no")),
    ("<answer>yes</answer>", Some("yes")),
    ("\\boxed{\\text{yes}}", Some("yes")),
    ("# Yes", Some("yes")),
    ("[ ] yes", None),
    ("- [ ] yes", None),
    ("[x] no", Some("no")),
    ("{\"no\":\"yes\"}", None),
    ("{\"answer\": true}", None),
    ("Answer: yes or no", None),
    ("Answer: not yes", None),
    ("<answer>yes</answer> no", None),
    ("No comment.", None),
    ("I have no idea.", None),
    ("Yes? Never.", None),
    ("The answer is not yes", None),
];

#[test]
fn an_answer_is_one_only_where_it_stands_alone() {
    assert!(ON_A_SCALE.len() + OF_A_CHOICE.len() >= 100);
    for (said, answer) in ON_A_SCALE {
        assert_eq!(read("scale=1..7", said).as_deref(), *answer, "{said}");
    }
    for (said, answer) in OF_A_CHOICE {
        let answer = answer.map(|answer| format!("\"{answer}\""));
        assert_eq!(read("choice=yes,no,not sure,sure", said), answer, "{said}");
    }
}

/// The same of a choice among `C`, `C++`, `C#`, `A`, `A*` and `+`.
const WITH_SIGNS: &[(&str, Option<&str>)] = &[
    ("C", Some("C")),
    ("c++", Some("C++")),
    ("C++.", Some("C++")),
    ("- **C++**", Some("C++")),
    ("`C#`!", Some("C#")),
    ("A", Some("A")),
    ("*A*", Some("A")),
    ("**A**", Some("A")),
    ("A*", Some("A*")),
    ("A*.", Some("A*")),
    ("**A***", Some("A*")),
    ("\"A*\"", Some("A*")),
    ("* A*", Some("A*")),
    ("+", Some("+")),
    ("- +", Some("+")),
    // One sign too many leaves both.
    ("A**", None),
    ("\"A*", None),
    ("C+", None),
    ("C and C++", None),
    ("A *", None),
    ("*", None),
];

#[test]
fn options_that_only_signs_tell_apart_are_told_apart() {
    for (said, answer) in WITH_SIGNS {
        let answer = answer.map(|answer| format!("\"{answer}\""));
        assert_eq!(read("choice=C,C++,C#,A,A*,+", said), answer, "{said}");
    }
    // A sign that counts for nothing in an answer tells no options apart.
    for text in ["choice=A,A.", "choice=A,*A*", "choice=A,(a)", "choice=A,- A", "choice=A,.", "choice=yes,Yes"] {
        assert!(text.parse::<AnswerKind>().is_err_and(|error| error.contains("differ in more than case")), "{text}");
    }
}

#[test]
fn a_scale_may_lie_below_zero_and_a_step_may_be_said_by_its_label() {
    for (said, answer) in
        [("-2", Some("-2")), ("\u{2212}2.", Some("-2")), ("- 2", None), ("-4", None), ("3/3", Some("3")), ("-1/3", Some("-1"))]
    {
        assert_eq!(read("scale=-3..3", said).as_deref(), answer, "{said}");
    }
    assert_eq!("scale=1..7".parse::<AnswerKind>().unwrap().read(&Value::Int(5)), Some(Value::Int(5)));
    let labelled = AnswerKind::scale(1, 2, BTreeMap::from([(1, "Not at all".to_owned()), (2, "Very much".to_owned())])).unwrap();
    assert_eq!(labelled.read(&Value::text("very much.")), Some(Value::Int(2)));
    assert_eq!(labelled.read(&Value::text("not very much.")), None);
}

/// Answers on a scale from 1 to 7 with labels for 1, 4 and 7.
const LABELLED: &[(&str, Option<&str>)] = &[
    ("1: not at all", Some("1")),
    ("1 - not at all", Some("1")),
    ("1 – not at all", Some("1")),
    ("1 = not at all", Some("1")),
    ("1. not at all", Some("1")),
    ("1) Not at all.", Some("1")),
    ("7 (wholly)", Some("7")),
    ("**7** (wholly)", Some("7")),
    ("**7 (wholly)**", Some("7")),
    ("7, wholly", Some("7")),
    ("wholly (7)", Some("7")),
    ("wholly: 7", Some("7")),
    ("wholly - 7", Some("7")),
    ("7/7 (wholly)", Some("7")),
    ("7 of 7: wholly", Some("7")),
    ("Answer: 7 (wholly)", Some("7")),
    ("{\"answer\": \"7: wholly\"}", Some("7")),
    ("so so", Some("4")),
    ("4 so so", Some("4")),
    ("6", Some("6")),
    ("7: not at all", None),
    ("1 (wholly)", None),
    ("6: rather", None),
    ("6 (wholly)", None),
    ("7 not wholly", None),
    ("7: wholly, not at all", None),
    ("not wholly", None),
    ("1: not at all\n7: wholly", None),
];

#[test]
fn a_step_may_stand_beside_its_own_label_and_beside_no_other() {
    let labels = [(1, "not at all"), (4, "so so"), (7, "wholly")].map(|(step, label)| (step, label.to_owned()));
    let scale = AnswerKind::scale(1, 7, BTreeMap::from(labels)).unwrap();
    for (said, answer) in LABELLED {
        assert_eq!(scale.read(&Value::text(said)).map(|answer| answer.to_string()).as_deref(), *answer, "{said}");
    }
    let times = [(1, "0 times"), (2, "5 times")].map(|(step, label)| (step, label.to_owned()));
    let often = AnswerKind::scale(1, 5, BTreeMap::from(times)).unwrap();
    for (said, answer) in [("10 times", None), ("25 times", None), ("5 times", Some(2)), ("2: 5 times", Some(2))] {
        assert_eq!(often.read(&Value::text(said)), answer.map(Value::Int), "{said}");
    }
    let labels = [(-2, "bad"), (2, "good")].map(|(step, label)| (step, label.to_owned()));
    let scale = AnswerKind::scale(-2, 2, BTreeMap::from(labels)).unwrap();
    for (said, answer) in [("-2 (bad)", Some(-2)), ("bad: -2", Some(-2)), ("2 - bad", None), ("good - 2", Some(2)), ("- 2", None)] {
        assert_eq!(scale.read(&Value::text(said)), answer.map(Value::Int), "{said}");
    }
}

#[test]
fn what_is_no_kind_says_what_was_expected() {
    for text in ["", "opne", "open=1", "scale=7..1", "scale=1", "scale=a..b", "choice", "choice=yes", "choice=yes,Yes", "choice=yes,,no"] {
        assert!(text.parse::<AnswerKind>().is_err_and(|error| error.starts_with("expected ")), "{text}");
    }
}

#[test]
fn words_of_reasoning_are_no_answer() {
    assert_eq!(read("open", "<think>hm").as_deref(), None);
    assert_eq!(read("open", "<think>hm</think> Ada. ").as_deref(), Some("\"Ada.\""));
}
