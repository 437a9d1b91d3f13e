//! English: are the README, the docs and the comments sentences that one reads once?

use std::fs;
use std::path::PathBuf;

use super::codes::sources;
use super::terminal::package;

/// Words with which a clause begins that says who or what is meant before it says what they do.
const RELATIVE: [&str; 7] = ["Who", "What", "Whoever", "Whatever", "Whose", "Whom", "Which"];
/// The most words of a sentence.
const WORDS_MAX: usize = 25;

/// The sentences of a document, without code, tables and headings.
fn sentences(text: &str) -> Vec<String> {
    let (mut paragraphs, mut fenced) = (vec![String::new()], false);
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
            continue;
        }
        let is_prose = !fenced && !["    ", "\t", "|", "#", "!["].iter().any(|mark| line.starts_with(mark));
        let item = line.strip_prefix("- ").or_else(|| line.split_once(". ").filter(|(n, _)| n.parse::<u8>().is_ok()).map(|(_, rest)| rest));
        if !is_prose || line.trim().is_empty() || item.is_some() {
            paragraphs.push(String::new());
        }
        if is_prose {
            let open = paragraphs.last_mut().unwrap();
            open.push(' ');
            open.push_str(item.unwrap_or(line).trim());
        }
    }
    paragraphs.iter().flat_map(|paragraph| split(&plain(paragraph))).collect()
}

/// A paragraph in which each piece of code is one word, and each link its text.
fn plain(text: &str) -> String {
    let code: String = text.split('`').enumerate().map(|(at, part)| if at % 2 == 1 { "CODE" } else { part }).collect();
    let mut plain = String::new();
    let mut rest = code.as_str();
    while let Some((before, behind)) = rest.split_once("](") {
        plain += before;
        rest = behind.split_once(')').map_or("", |(_, rest)| rest);
    }
    (plain + rest).replace('[', "")
}

fn split(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (mut sentences, mut open) = (Vec::new(), Vec::new());
    for (at, word) in words.iter().enumerate() {
        open.push(*word);
        let begins = |next: &&str| next.starts_with(|sign: char| sign.is_ascii_uppercase() || "*@".contains(sign));
        let ends = word.trim_end_matches(['*', ')', '”']).ends_with(['.', '!', '?']);
        if ends && words.get(at + 1).is_none_or(begins) {
            sentences.push(open.join(" "));
            open.clear();
        }
    }
    sentences.push(open.join(" "));
    sentences.retain(|sentence| sentence.split(' ').count() > 3);
    sentences
}

/// Whether a sentence begins with a relative clause.
fn is_relative(sentence: &str) -> bool {
    let first = sentence.split(' ').next().unwrap_or_default().trim_matches(['*', '(']);
    RELATIVE.contains(&first) && !sentence.ends_with('?')
}

fn documents() -> Vec<PathBuf> {
    let docs = fs::read_dir(package().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut documents: Vec<PathBuf> = docs.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    documents.push(package().join("README.md"));
    documents.sort();
    documents
}

#[test]
fn in_the_readme_and_the_docs_hardly_a_sentence_is_long_or_begins_with_a_relative_clause() {
    let mut faults = String::new();
    for path in documents() {
        let sentences = sentences(&fs::read_to_string(&path).unwrap());
        let long: Vec<&String> = sentences.iter().filter(|sentence| sentence.split(' ').count() > WORDS_MAX).collect();
        let relative: Vec<&String> = sentences.iter().filter(|sentence| is_relative(sentence)).collect();
        if relative.len() * 100 > sentences.len() || long.len() * 10 > sentences.len() {
            faults += &format!("{}: {long:#?} {relative:#?}\n", path.display());
        }
    }
    assert!(faults.is_empty(), "{faults}");
}

/// The comments of a file: each run of lines is a paragraph or more.
fn comments(source: &str) -> String {
    let mark = |line: &str| line.trim_start().strip_prefix("//").map(|rest| rest.trim_start_matches(['/', '!']).trim().to_owned());
    source.lines().map(|line| mark(line).unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

#[test]
fn in_the_comments_hardly_a_sentence_begins_with_a_relative_clause() {
    for folder in ["src", "tests"] {
        let (mut count, mut relative) = (0, Vec::new());
        let mut found = Vec::new();
        sources(&package().join(folder), &mut found);
        for path in found {
            for sentence in sentences(&comments(&fs::read_to_string(&path).unwrap())) {
                count += 1;
                relative.extend(is_relative(&sentence).then(|| format!("{}: {sentence}", path.display())));
            }
        }
        assert!(count > 1000 && relative.len() * 100 < count, "{} of {count} in {folder}: {relative:#?}", relative.len());
    }
}

#[test]
fn a_sentence_is_judged_as_a_reader_would() {
    let told = sentences(
        "# Who\n\nWhoever asks is told `a. B` now. [Which one](x.md#y) is it is not said.\n\n- Go there.\n- What lies there stays there.\n",
    );
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told.iter().all(|one| is_relative(one)), "{told:?}");
    assert!(!is_relative("What is it that we see?") && is_relative("**Who asks**, pays."));
    assert!(sentences("```\nWhat is code is code here.\n```\n\n    What is code is code here.\n").is_empty());
}
