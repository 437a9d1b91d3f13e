//! Docs: do the links in the project's Markdown lead anywhere?

use std::fs;
use std::path::{Path, PathBuf};

fn markdown(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "world" {
            markdown(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// The relative targets of a text's links, outside of code.
fn links(text: &str) -> Vec<String> {
    let mut is_code = false;
    let mut links = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code || line.starts_with("    ") {
            continue;
        }
        for (at, _) in line.match_indices("](") {
            let target = line[at + 2..].split(')').next().unwrap_or_default().split('#').next().unwrap_or_default();
            if !target.is_empty() && !target.contains("://") && !target.contains(' ') {
                links.push(target.to_owned());
            }
        }
    }
    links
}

#[test]
fn every_relative_link_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    markdown(root, &mut files);
    assert!(!files.is_empty());
    let mut broken = Vec::new();
    for file in files {
        let dir = file.parent().unwrap();
        for link in links(&fs::read_to_string(&file).unwrap()) {
            if !dir.join(&link).exists() {
                broken.push(format!("{}: {link}", file.strip_prefix(root).unwrap().display()));
            }
        }
    }
    assert!(broken.is_empty(), "\n{}\n", broken.join("\n"));
}

#[test]
fn a_link_is_found_and_code_is_not() {
    assert_eq!(links("see [a](docs/A.md#x) and [b](https://b)\n```\n[c](c.md)\n```\n    [d](d.md)\n"), ["docs/A.md"]);
}
