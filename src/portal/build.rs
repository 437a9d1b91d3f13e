//! Builds the page of the portal beside the binary: its source is copied to the build's own directory and built there by npm, so that
//! nothing appears in the source tree; the files that come out are embedded. Asked for only by the feature `portal`.
//!
//! Without npm a program that is to be used is an error. One for tests gets a page that says how to build it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The page of a program built for tests where there is no npm.
const NO_PAGE: &str = "<!doctype html><html lang=\"en\"><title>Reelm</title><p>This program was built without Node, so it has no page. \
    Install Node 20.19 or newer with npm and build it again; its API is here all the same.";
const WANTED: &str =
    "the page of the portal is built by Node: install Node 20.19 or newer with npm, or build without the page by `--no-default-features`";

/// The files of the source that make the page; those that npm puts beside them do not.
const SOURCE: &[&str] =
    &["package.json", "package-lock.json", "index.html", "vite.config.ts", "svelte.config.js", "tsconfig.json", "src", "public"];

fn main() {
    println!("cargo:rerun-if-changed=src/portal/build.rs");
    // A name that is not there would have the page built anew each time.
    for name in SOURCE.iter().filter(|name| Path::new("src/portal/web").join(name).exists()) {
        println!("cargo:rerun-if-changed=src/portal/web/{name}");
    }
    starts_soon();
    if env::var_os("CARGO_FEATURE_PORTAL").is_none() {
        return;
    }
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    if let Err(error) = build(&root.join("src/portal/web"), &out) {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
}

/// A debug program of Linux lies at one address. Elsewhere 1,300 pages of it would be written anew at each start: 11 of its 16 ms, and tests start it
/// thousands of times.
fn starts_soon() {
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    if is("PROFILE", "debug") && is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu") {
        println!("cargo::rustc-link-arg=-no-pie");
    }
}

fn build(web: &Path, out: &Path) -> Result<(), String> {
    // A published package carries the built files and needs no Node.
    let built = web.join("built");
    let pages = if built.is_dir() {
        built
    } else if is_for_tests() && !has_npm() {
        println!("cargo:warning=no page: {WANTED}");
        without_npm(&out.join("no-page"))?
    } else {
        with_npm(web, &out.join("web"))?
    };
    let mut files = Vec::new();
    list(&pages, &pages, &mut files).map_err(|error| format!("cannot read the built page in `{}`: {error}", pages.display()))?;
    if !files.iter().any(|(name, _)| name == "index.html") {
        return Err(format!("the built page in `{}` has no index.html", pages.display()));
    }
    let mut code = String::from("/// The files of the page, by their paths.\nconst FILES: &[(&str, &[u8])] = &[\n");
    for (name, path) in files {
        let _ = writeln!(code, "    ({name:?}, include_bytes!({:?})),", path.display().to_string());
    }
    code += "];\n";
    fs::write(out.join("page.rs"), code).map_err(|error| format!("cannot write the list of the page's files: {error}"))
}

/// Whether what is built is of a profile that makes no release.
fn is_for_tests() -> bool {
    env::var("PROFILE").is_ok_and(|profile| profile == "debug")
}

fn has_npm() -> bool {
    Command::new("npm").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Writes the page that says how to get one.
fn without_npm(dir: &Path) -> Result<PathBuf, String> {
    let written = fs::create_dir_all(dir).and_then(|()| fs::write(dir.join("index.html"), NO_PAGE));
    written.map_err(|error| format!("cannot write to `{}`: {error}", dir.display())).map(|()| dir.to_owned())
}

/// Copies the source and builds it there.
fn with_npm(web: &Path, work: &Path) -> Result<PathBuf, String> {
    for name in SOURCE {
        let (from, to) = (web.join(name), work.join(name));
        if from.exists() {
            // A file that was removed from the source is built no more.
            let _ = if to.is_dir() { fs::remove_dir_all(&to) } else { fs::remove_file(&to).or(Ok(())) };
            copy(&from, &to).map_err(|error| format!("cannot copy `{}` to `{}`: {error}", from.display(), to.display()))?;
        }
    }
    let lock = fs::read(work.join("package-lock.json")).unwrap_or_default();
    let installed = work.join("installed-lock.json");
    if fs::read(&installed).ok().as_deref() != Some(lock.as_slice()) || !work.join("node_modules").is_dir() {
        npm(work, &["ci", "--no-audit", "--no-fund", "--loglevel=error"])?;
        fs::write(&installed, &lock).map_err(|error| format!("cannot write `{}`: {error}", installed.display()))?;
    }
    npm(work, &["run", "--silent", "build"])?;
    Ok(work.join("dist"))
}

fn npm(work: &Path, args: &[&str]) -> Result<(), String> {
    let output =
        Command::new("npm").args(args).current_dir(work).output().map_err(|error| format!("cannot start npm ({error}); {WANTED}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    Err(format!("`npm {}` failed; {WANTED}\n{}\n{}", args.join(" "), text(&output.stdout), text(&output.stderr)))
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        if let Some(dir) = to.parent() {
            fs::create_dir_all(dir)?;
        }
        return fs::copy(from, to).map(drop);
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// All files below a directory, by their paths in it, sorted.
fn list(root: &Path, dir: &Path, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    let mut paths: Vec<PathBuf> = fs::read_dir(dir)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            list(root, &path, files)?;
        } else if let Ok(name) = path.strip_prefix(root) {
            files.push((name.display().to_string(), path.clone()));
        }
    }
    Ok(())
}
