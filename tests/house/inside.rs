//! Inside: how the files of one room name each other: neither in a circle nor by their own front page.

use std::collections::{BTreeMap, BTreeSet};

use super::File;
use super::source::{modules_around, paths, reads};

/// The imports of a file from next door by `super::`, with the line: the file each leads to, or none where it leads to a front page.
fn next_door(file: &File, names: &BTreeSet<&str>) -> Vec<(usize, Option<String>, String)> {
    let own: Vec<&str> = file.name.trim_end_matches(".rs").split('/').collect();
    let mut found = Vec::new();
    for path in paths(&file.code, "super").into_iter().chain(paths(&file.code, "self")) {
        let supers = path.parts.iter().filter(|part| *part == "super").count();
        // As many lead out of the modules that are written inside the file.
        let Some(out) = supers.checked_sub(modules_around(&file.code, path.at)).filter(|out| *out > 0 && *out < own.len()) else {
            continue;
        };
        let Some(name) = path.parts.iter().find(|part| !matches!(part.as_str(), "super" | "self")) else { continue };
        let place = [&own[..own.len() - out], &[name.as_str()]].concat().join("/");
        let leads_to = [format!("{place}.rs")].into_iter().find(|file| names.contains(file.as_str()));
        found.push((path.line, leads_to, name.clone()));
    }
    found
}

/// Faults of a whole room: who imports from a front page, and which files import each other in a circle.
pub fn faults(files: &[File]) -> Vec<String> {
    let names: BTreeSet<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let mut faults = Vec::new();
    let mut arrows: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for file in files {
        let leads_to = arrows.entry(&file.name).or_default();
        // A file that names a folder inside a room may mean anything in it.
        let folder = format!("{}/", file.name.trim_end_matches(".rs"));
        leads_to.extend(names.iter().filter(|name| name.starts_with(&folder)).map(|name| (*name).to_owned()));
        for (line, to, name) in next_door(file, &names) {
            match to {
                Some(to) if to != file.name => drop(leads_to.insert(to)),
                Some(_) => {}
                None => faults
                    .push(file.fault(line, format_args!("`{name}` comes from a front page; name the file next door that it stands in"))),
            }
        }
    }
    faults.extend(in_circles(arrows));
    let hidden: BTreeSet<String> = files.iter().flat_map(hidden).collect();
    faults.extend(files.iter().flat_map(|file| past_the_page(file, &hidden)));
    faults
}

/// The files that a front page opens to tests alone: `#[doc(hidden)] pub mod …;`.
fn hidden(page: &File) -> Vec<String> {
    const MARK: &[&str] = &["#", "[", "doc", "(", "hidden", ")", "]", "pub", "mod"];
    let marks = (0..page.code.len()).filter(|at| reads(&page.code, *at, MARK));
    marks
        .filter_map(|at| page.code.get(at + MARK.len()))
        .map(|name| format!("{}/{}.rs", page.name.trim_end_matches(".rs"), name.text))
        .collect()
}

/// The faults of imports that reach behind the front page of another room.
fn past_the_page(file: &File, hidden: &BTreeSet<String>) -> Vec<String> {
    let inner = |parts: &[String]| match parts {
        [_, room, inner, _, ..] if *room != file.room() => Some(format!("{room}/{inner}.rs")).filter(|name| hidden.contains(name)),
        _ => None,
    };
    let says = |line, name| file.fault(line, format_args!("src/{name} stands behind the front page of its room; import from there"));
    paths(&file.code, "crate").iter().filter_map(|path| Some(says(path.line, inner(&path.parts)?))).collect()
}

/// The files that are left when whoever imports nobody that is left is taken away, and whoever nobody imports.
fn in_circles(mut arrows: BTreeMap<&str, BTreeSet<String>>) -> Vec<String> {
    loop {
        let left: BTreeSet<String> = arrows.keys().map(|name| (*name).to_owned()).collect();
        arrows.values_mut().for_each(|to| to.retain(|name| left.contains(name)));
        let imported: BTreeSet<String> = arrows.values().flatten().cloned().collect();
        arrows.retain(|name, to| !to.is_empty() && imported.contains(*name));
        if arrows.len() == left.len() {
            break;
        }
    }
    let says = |(name, to): (&str, BTreeSet<String>)| {
        let to: Vec<&str> = to.iter().map(String::as_str).collect();
        format!(
            "src/{name}: stands in a circle: it imports {}, which leads back to it; move what both need to a file below both",
            to.join(", ")
        )
    };
    arrows.into_iter().map(says).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(files: &[(&str, &str)]) -> String {
        let files: Vec<File> = files.iter().map(|(name, code)| File::new(name, &format!("//! X.\n{code}"))).collect();
        faults(&files).join("\n")
    }

    #[test]
    fn files_of_a_room_name_each_other_one_way() {
        assert_eq!(says(&[("role/a.rs", "use super::b::B;"), ("role/b.rs", "use super::c::{C, D};"), ("role/c.rs", "")]), "");
    }

    #[test]
    fn a_circle_is_named_whoever_leads_into_it() {
        let said = says(&[
            ("role/into.rs", "use super::a::A;"),
            ("role/a.rs", "fn f() { super::b::g() }"),
            ("role/b.rs", "use super::{c::C, out};"),
            ("role/c.rs", "use super::a;"),
            ("role/out.rs", ""),
        ]);
        let says = |name: &str, to: &str| format!("src/role/{name}.rs: stands in a circle: it imports role/{to}.rs,");
        assert_eq!(said.lines().count(), 3, "{said}");
        assert!(said.contains(&says("a", "b")) && said.contains(&says("b", "c")) && said.contains(&says("c", "a")), "{said}");
    }

    #[test]
    fn a_folder_inside_a_room_is_no_other_room() {
        let circle = [("verb/op/a.rs", "use super::super::b::B;"), ("verb/b.rs", "use super::op::A;"), ("verb/op.rs", "pub use a::A;")];
        assert_eq!(says(&circle).lines().count(), 3);
        assert_eq!(says(&[("verb/op/a.rs", "use super::super::b::B;"), ("verb/b.rs", "")]), "");
    }

    #[test]
    fn nobody_inside_imports_what_a_front_page_hands_on() {
        let room = [("world.rs", "mod a;\npub use a::A;"), ("world/a.rs", ""), ("world/b.rs", "use super::A;")];
        assert_eq!(says(&room), "src/world/b.rs:2: `A` comes from a front page; name the file next door that it stands in");
    }

    #[test]
    fn tests_and_modules_inside_a_file_may_name_all_of_it() {
        assert_eq!(says(&[("role/a.rs", "fn f() {}\nmod b {\n    use super::f;\n}")]), "");
    }

    #[test]
    fn a_file_of_another_room_is_reached_through_its_front_page() {
        let room = [("role.rs", "#[doc(hidden)]\npub mod glob;\npub use glob::Glob;"), ("role/glob.rs", "pub struct Glob;")];
        let with = |code| says(&[&room[..], &[("world/x.rs", code)]].concat());
        assert_eq!(with("use crate::role::Glob;"), "");
        assert_eq!(
            with("use crate::role::{glob::Glob};"),
            "src/world/x.rs:2: src/role/glob.rs stands behind the front page of its room; import from there"
        );
    }
}
