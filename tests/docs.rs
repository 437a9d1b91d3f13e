//! Docs: do the links in the project's Markdown lead anywhere, and do the docs name what the code has?
//!
//! Follows relative links only, whatever stands outside of code; the web is not asked.

mod names;
mod replay;

use std::fs;
use std::path::{Component, Path, PathBuf};

use reelm::verb::{BE_OPERATIONS, Rule, core_operations};

/// Every Markdown file under a folder, in order, but for hidden folders and what the build or a run leaves at the root.
fn markdown(dir: &Path, root: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_left_over = path == root.join("target") || path == root.join("world");
        if path.is_dir() {
            if !name.starts_with('.') && name != "node_modules" && !is_left_over {
                markdown(&path, root, found);
            }
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// The relative targets of a text's links, each with its line: `[…](target "title")`, `![…](target)` and `[name]: target`.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut fence = None;
    let mut is_list = false;
    let mut links = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        // Four spaces make code, but inside a list they go on with it.
        is_list = if start.is_empty() || line.starts_with(' ') {
            is_list
        } else {
            start.starts_with(['-', '*', '+']) || start.starts_with(|c: char| c.is_ascii_digit())
        };
        if fence.is_some() || mark.is_some() || (line.starts_with("    ") && !is_list) {
            continue;
        }
        let prose = without_code(line);
        let named = start
            .strip_prefix('[')
            .filter(|rest| !rest.starts_with('^'))
            .and_then(|rest| rest.split_once(']'))
            .and_then(|(_, rest)| rest.strip_prefix(": "));
        let inline = prose.match_indices("](").filter_map(|(at, mark)| prose[at + mark.len()..].split(')').next());
        let targets = inline.chain(named).map(target).filter(|target| is_relative(target));
        links.extend(targets.map(|target| (at + 1, target.to_owned())));
    }
    links
}

/// A line without its `code`.
fn without_code(line: &str) -> String {
    let parts: Vec<&str> = line.split('`').collect();
    let is_code = |at: usize| at % 2 == 1 && at + 1 < parts.len();
    parts.iter().enumerate().map(|(at, part)| if is_code(at) { "" } else { part }).collect()
}

/// A link's file: without `<…>`, title and `#section`.
fn target(link: &str) -> &str {
    let link = link.trim();
    let path = match link.strip_prefix('<') {
        Some(rest) => rest.split('>').next(),
        None => link.split_whitespace().next(),
    };
    path.and_then(|path| path.split('#').next()).unwrap_or_default()
}

fn is_relative(target: &str) -> bool {
    !target.is_empty() && !target.contains("://") && !target.starts_with("mailto:")
}

/// Whether a link written in this folder leads to something inside the project.
fn leads_somewhere(root: &Path, dir: &Path, link: &str) -> bool {
    let mut path = dir.to_path_buf();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => _ = path.pop(),
            Component::CurDir => {}
            Component::Normal(name) => path.push(name),
            // Where a machine's root is, no reader of the project knows.
            Component::RootDir | Component::Prefix(_) => return false,
        }
        if !path.starts_with(root) {
            return false;
        }
    }
    path.exists()
}

#[test]
fn every_relative_link_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    markdown(root, root, &mut files);
    assert!(files.iter().any(|file| file.ends_with("docs/CONTRIBUTING.md")), "the project's own docs were not read");
    let mut broken = Vec::new();
    for file in files {
        let dir = file.parent().unwrap();
        for (line, link) in links(&fs::read_to_string(&file).unwrap()) {
            if !leads_somewhere(root, dir, &link) {
                broken.push(format!("{}:{line}: `{link}` leads nowhere in the project", file.strip_prefix(root).unwrap().display()));
            }
        }
    }
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

#[test]
fn every_file_that_the_docs_name_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["TOUR.md", "DESIGN.md", "FORMAT.md", "REPLAY.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root.join("docs").join(name)).unwrap();
        let named = text.split('`').skip(1).step_by(2).filter(|code| ["src/", "tests/"].iter().any(|dir| code.starts_with(dir)));
        for path in named {
            assert!(root.join(path).exists(), "docs/{name} names `{path}`, which is not there");
        }
    }
}

/// The text between fences of a kind.
fn fenced<'a>(text: &'a str, kind: &str) -> Vec<&'a str> {
    text.split(&format!("```{kind}\n")).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn the_roles_and_flows_that_the_docs_show_are_read_without_a_doubt() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ROLES.md")).unwrap();
    let (roles, flows) = (fenced(&text, "markdown"), fenced(&text, "json"));
    assert!(!roles.is_empty() && !flows.is_empty());
    for role in roles {
        let spec = reelm::role::Spec::from_markdown("ROLES.md", role).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(reelm::role::lint_spec(&spec), []);
    }
    for flow in flows {
        let written: reelm::fact::Value = serde_json::from_str(flow).unwrap();
        let flow = reelm::role::Flow::compile(&written).unwrap_or_else(|error| panic!("{error}"));
        let known = reelm::role::Basis {
            roles: &|_| Some(reelm::role::Guards::default()),
            signals: None,
            cognition: None,
            default_role: None,
            role_names: &[],
        };
        assert_eq!(reelm::role::lint(&flow, &known), []);
    }
}

#[test]
fn the_roles_page_lists_what_every_operation_asks_for() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ROLES.md")).unwrap();
    let words = |row: &str| row.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    for rule in Rule::ALL {
        let row = text.lines().find_map(|line| line.strip_prefix(&format!("| {} | ", rule.about())));
        let listed = words(row.unwrap_or_else(|| panic!("no row `{}`", rule.about())));
        let asking: Vec<String> = core_operations().filter(|core| core.rule == *rule).map(|core| core.name.to_owned()).collect();
        assert_eq!(listed, asking, "{}", rule.about());
    }
    for (operation, ..) in BE_OPERATIONS {
        assert!(text.contains(&format!("\n| `{operation}` | ")), "{operation}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        links(text).into_iter().map(|(line, link)| format!("{line}:{link}")).collect()
    }

    #[test]
    fn a_link_is_found_with_its_line() {
        assert_eq!(
            found("see [a](docs/A.md#x),\n![b](b.png \"B\") and [c](<c d.md>)\n\n[e]: ../E.md"),
            ["1:docs/A.md", "2:b.png", "2:c d.md", "4:../E.md"]
        );
        assert_eq!(found("- one\n\n    two [a](a.md)\n"), ["3:a.md"]);
    }

    #[test]
    fn the_web_a_section_and_code_are_left_alone() {
        assert_eq!(found("[a](https://a) [b](#b) [c](mailto:c@d) `[e](e.md)` [^f]: f\n"), Vec::<String>::new());
        assert_eq!(found("```\n[a](a.md)\n```\n~~~text\n```\n[b](b.md)\n~~~\n\n    [c](c.md)\n"), Vec::<String>::new());
        assert_eq!(found("a ` b [c](c.md)"), ["1:c.md"]);
    }

    #[test]
    fn a_link_leads_to_a_file_or_folder_inside_the_project() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let leads = |link: &str| leads_somewhere(root, &root.join("docs"), link);
        assert!(leads("CONTRIBUTING.md") && leads("../Cargo.toml") && leads("../src/") && leads("./../tests/docs.rs"));
        assert!(!leads("NOWHERE.md") && !leads("../../") && !leads("/") && !leads("../nowhere/../Cargo.lock.md"));
    }
}
