//! Page text: a page of HTML as a reader has it: its words in lines, its links below. One pass over the page, whatever that is; what is
//! computed here is computed again by each replay, so no library decides it.

use std::borrow::Cow;

use html_escape::decode_html_entities;
use url::Url;

/// Elements that stand in lines of their own.
const BLOCKS: &[&str] = &[
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "caption",
    "dd",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "legend",
    "li",
    "main",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "select",
    "summary",
    "table",
    "tbody",
    "tfoot",
    "thead",
    "title",
    "tr",
    "ul",
];
/// Those behind and before which a line is left free.
const APART: &[&str] = &["blockquote", "dl", "h1", "h2", "h3", "h4", "h5", "h6", "ol", "p", "pre", "section", "table", "title", "ul"];
/// Elements whose content is no text of the page.
const UNSEEN: &[&str] = &["script", "style", "template", "svg", "math", "iframe", "object", "noscript"];

/// The text that is written, and what of it is still to come.
#[derive(Default)]
struct PageText {
    text: String,
    /// How many ends of lines are wanted before the next word, and whether a space is.
    breaks: usize,
    space: bool,
    /// How many elements are open in which spaces and lines are kept.
    kept: usize,
    /// Whether a cell of this row was written.
    has_cell: bool,
    /// The address of the link that is open, and those that are written.
    link: Option<String>,
    links: Vec<String>,
}

/// The text of a page at an address.
pub fn page_text(html: &str, at: &str) -> String {
    let base = Url::parse(at).ok();
    // Only letters of ASCII change, so that places are the same.
    let lower = html.to_ascii_lowercase();
    let mut page = PageText::default();
    let mut next = 0;
    while let Some(rest) = html.get(next..).filter(|rest| !rest.is_empty()) {
        let Some(mark) = rest.find('<') else {
            page.words(rest);
            break;
        };
        page.words(rest.get(..mark).unwrap_or_default());
        let begins = next + mark;
        next = match Tag::read(html, begins) {
            // A sign, and no mark.
            None => {
                page.words("<");
                begins + 1
            }
            Some(tag) => {
                page.tag(&tag, base.as_ref());
                if !tag.ends && UNSEEN.contains(&tag.name.as_str()) { tag.unseen(&lower) } else { tag.end }
            }
        };
    }
    page.written()
}

/// A mark of an element, or a comment, which has no name.
struct Tag<'a> {
    name: String,
    ends: bool,
    /// The text behind the name.
    rest: &'a str,
    /// The place behind it.
    end: usize,
}

impl<'a> Tag<'a> {
    /// The mark that begins at a place; none where nothing of a mark stands there.
    fn read(html: &'a str, begins: usize) -> Option<Self> {
        let inside = html.get(begins + 1..)?;
        let behind = |len: usize| begins + 1 + len;
        if let Some(comment) = inside.strip_prefix("!--") {
            let len = comment.find("-->").map_or(inside.len(), |len| len + 6);
            return Some(Self { name: String::new(), ends: false, rest: "", end: behind(len) });
        }
        let (ends, named) = inside.strip_prefix('/').map_or((false, inside), |named| (true, named));
        if !named.starts_with(|letter: char| letter.is_ascii_alphabetic() || (!ends && matches!(letter, '!' | '?'))) {
            return None;
        }
        let name: String = named.chars().take_while(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect();
        let from = usize::from(ends) + name.len();
        let len = closed(inside.get(from..)?);
        let end = inside.len().min(from + len + 1);
        Some(Self { name, ends, rest: inside.get(from..from + len).unwrap_or_default(), end: behind(end) })
    }

    /// The place behind an element whose content is unseen; behind the page where it does not end.
    fn unseen(&self, lower: &str) -> usize {
        let ending = format!("</{}", self.name);
        lower.get(self.end..).and_then(|rest| rest.find(&ending)).map_or(lower.len(), |at| self.end + at)
    }

    /// The value of an attribute.
    fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        let mut rest = self.rest.trim_start();
        while let Some(first) = rest.chars().next() {
            let key = rest.split(|letter: char| letter.is_whitespace() || matches!(letter, '=' | '/')).next().unwrap_or_default();
            // A sign where a key should stand is passed over.
            let len = if key.is_empty() { first.len_utf8() } else { key.len() };
            let behind = rest.get(len..).unwrap_or_default();
            let (value, after) = behind.trim_start().strip_prefix('=').map_or(("", behind), value_of);
            if key.eq_ignore_ascii_case(name) {
                return Some(decode_html_entities(value));
            }
            rest = after.trim_start();
        }
        None
    }
}

/// How long a mark is before the sign that closes it, which does not stand inside quotation marks.
fn closed(inside: &str) -> usize {
    let mut quote = None;
    for (at, letter) in inside.char_indices() {
        match (quote, letter) {
            (None, '>') => return at,
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), letter) if open == letter => quote = None,
            _ => {}
        }
    }
    // Nothing closes it: all that is left belongs to it, and is looked at once.
    inside.len()
}

/// The value behind the sign of an attribute, and what follows.
fn value_of(behind: &str) -> (&str, &str) {
    let behind = behind.trim_start();
    let quoted = |quote: char| behind.strip_prefix(quote).map(|value| value.split_once(quote).unwrap_or((value, "")));
    quoted('"').or_else(|| quoted('\'')).unwrap_or_else(|| {
        let len = behind.find(char::is_whitespace).unwrap_or(behind.len());
        behind.split_at_checked(len).unwrap_or((behind, ""))
    })
}

impl PageText {
    fn tag(&mut self, tag: &Tag<'_>, base: Option<&Url>) {
        let name = tag.name.as_str();
        if BLOCKS.contains(&name) {
            self.breaks = self.breaks.max(1 + usize::from(APART.contains(&name)));
        }
        match (name, tag.ends) {
            ("br", _) => self.breaks = self.breaks.max(1),
            ("tr", _) => self.has_cell = false,
            ("td" | "th", false) if std::mem::replace(&mut self.has_cell, true) => self.put(" | "),
            ("td" | "th", _) => self.space = true,
            ("pre", false) => self.kept += 1,
            ("pre", true) => self.kept = self.kept.saturating_sub(1),
            ("li", false) => self.put("* "),
            ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", false) => {
                let depth = name.as_bytes().get(1).map_or(1, |digit| usize::from(digit.saturating_sub(b'0')));
                self.put(&format!("{} ", "#".repeat(depth)));
            }
            ("img", false) => {
                if let Some(alt) = tag.attribute("alt").filter(|alt| !alt.trim().is_empty()) {
                    self.put(&format!("[{}]", alt.trim()));
                }
            }
            ("a", ends) => {
                self.end_link();
                if !ends {
                    self.begin_link(tag, base);
                }
            }
            _ => {}
        }
    }

    fn begin_link(&mut self, tag: &Tag<'_>, base: Option<&Url>) {
        let Some(link) = tag.attribute("href").filter(|link| !link.trim().is_empty() && !link.trim_start().starts_with('#')) else {
            return;
        };
        let whole = base.and_then(|base| base.join(link.trim()).ok()).map_or_else(|| link.trim().to_owned(), |url| url.to_string());
        self.put("[");
        self.link = Some(whole);
    }

    fn end_link(&mut self) {
        if let Some(link) = self.link.take() {
            self.links.push(link);
            self.space = false;
            self.text.push_str(&format!("][{}]", self.links.len()));
        }
    }

    /// Writes what stands for a mark, in its place.
    fn put(&mut self, text: &str) {
        self.turn();
        self.text.push_str(text);
        self.space = false;
    }

    /// The ends of lines, or the space, that are due before what is written next.
    fn turn(&mut self) {
        if self.text.is_empty() {
            (self.breaks, self.space) = (0, false);
        }
        if self.breaks > 0 {
            self.text.truncate(self.text.trim_end_matches(' ').len());
            self.text.push_str(if self.breaks == 1 { "\n" } else { "\n\n" });
        } else if self.space && !self.text.ends_with([' ', '\n', '[']) {
            self.text.push(' ');
        }
        (self.breaks, self.space) = (0, false);
    }

    fn words(&mut self, text: &str) {
        let text = decode_html_entities(text);
        if self.kept > 0 && !text.is_empty() {
            self.turn();
            self.text.push_str(&text);
            return;
        }
        self.space |= text.starts_with(char::is_whitespace);
        for word in text.split_whitespace() {
            self.turn();
            self.text.push_str(word);
            self.space = true;
        }
        self.space &= text.ends_with(char::is_whitespace);
    }

    fn written(mut self) -> String {
        self.end_link();
        let links: Vec<String> = self.links.iter().enumerate().map(|(at, link)| format!("[{}]: {link}", at + 1)).collect();
        let text = self.text.trim();
        if links.is_empty() { text.to_owned() } else { format!("{text}\n\n{}", links.join("\n")).trim().to_owned() }
    }
}
