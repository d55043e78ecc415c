//! Builds libterrane from its sources, or links the one in TERRANE_LIB_DIR. Uses the C compiler `cc` (or CC), `ar` (or AR), and for worlds
//! in files `pkg-config`; neither the network nor another crate.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const OPTIONS: [&str; 5] = ["-std=c17", "-O2", "-fPIC", "-D_GNU_SOURCE", "-w"];

fn fail(sentence: &str) -> ! {
    eprintln!("terrane-sys: {}", sentence);
    std::process::exit(1);
}

fn run(command: &mut Command, missing: &str) -> String {
    match command.output() {
        Err(error) => fail(&format!("{:?} could not be started ({}). {}", command.get_program(), error, missing)),
        Ok(output) if !output.status.success() => {
            fail(&format!("{:?} failed:\n{}", command, String::from_utf8_lossy(&output.stderr)))
        }
        Ok(output) => String::from_utf8_lossy(&output.stdout).into_owned(),
    }
}

/// A command of the environment, such as CC="ccache cc".
fn tool(name: &str, default: &str) -> Command {
    let words = env::var(name).unwrap_or_else(|_| default.to_string());
    let mut words = words.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(default));
    command.args(words);
    command
}

/// The folder with the sources: that of the package, or one made from a checkout of Terrane.
fn sources(out: &Path) -> PathBuf {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR").unwrap());
    let packaged = here.join("native");
    if packaged.join("terrane.c").exists() {
        return packaged;
    }
    let script = here.join("../../../tools/native_sources.py");
    if !script.exists() {
        fail("there is no folder native/ with the sources of libterrane. Set TERRANE_LIB_DIR to the folder of a built one.");
    }
    for folder in ["chunks", "mesher", "save", "packages/native", "tools"] {
        println!("cargo:rerun-if-changed={}", here.join("../../..").join(folder).display());
    }
    let folder = out.join("native");
    run(Command::new("python3").arg(script).arg(&folder), "Install python3.");
    folder
}

fn compile(source: &Path, object: &Path, folder: &Path, flags: &[String]) {
    let mut command = tool("CC", "cc");
    command.args(OPTIONS).arg("-I").arg(folder.join("include")).arg("-I").arg(folder.join("save"));
    command.args(flags).arg("-c").arg(source).arg("-o").arg(object);
    run(&mut command, "Install a C compiler, or set CC.");
}

fn build(out: &Path, with_save: bool) {
    let folder = sources(out);
    let mut files = vec![folder.join("terrane.c"), folder.join("inline.c")];
    let mut flags = Vec::new();
    if with_save {
        let mut command = tool("PKG_CONFIG", "pkg-config");
        let advice = "Install pkg-config, libsqlite3-dev, libzstd-dev and libxxhash-dev, or do without the feature `save`.";
        let said = run(command.args(["--cflags", "--libs", "sqlite3", "libzstd", "libxxhash"]), advice);
        for word in said.split_whitespace() {
            match (word.strip_prefix("-l"), word.strip_prefix("-L")) {
                (Some(name), _) => println!("cargo:rustc-link-lib={}", name),
                (_, Some(path)) => println!("cargo:rustc-link-search=native={}", path),
                _ => flags.push(word.to_string()),
            }
        }
        let listed = std::fs::read_dir(folder.join("save")).unwrap_or_else(|_| fail("the sources lack the folder save/."));
        files.extend(listed.flatten().map(|entry| entry.path()).filter(|path| path.extension().map_or(false, |end| end == "c")));
        files.sort();
    }
    let mut archive = tool("AR", "ar");
    let library = out.join("libterrane.a");
    let _ = std::fs::remove_file(&library);
    archive.arg("crs").arg(&library);
    for file in &files {
        let object = out.join(file.file_stem().unwrap()).with_extension("o");
        compile(file, &object, &folder, &flags);
        archive.arg(object);
    }
    run(&mut archive, "Install binutils, or set AR.");
    println!("cargo:rustc-link-search=native={}", out.display());
    println!("cargo:rustc-link-lib=static=terrane");
}

fn main() {
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    for name in ["TERRANE_LIB_DIR", "CC", "AR", "PKG_CONFIG"] {
        println!("cargo:rerun-if-env-changed={}", name);
    }
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=native");
    if let Ok(folder) = env::var("TERRANE_LIB_DIR") {
        let names = ["libterrane.so", "libterrane.dylib", "terrane.lib", "libterrane.a"];
        if !names.iter().any(|name| Path::new(&folder).join(name).exists()) {
            fail(&format!("there is no libterrane in TERRANE_LIB_DIR, {}.", folder));
        }
        println!("cargo:rustc-link-search=native={}", folder);
        println!("cargo:rustc-link-lib=terrane");
        return;
    }
    build(&out, env::var("CARGO_FEATURE_SAVE").is_ok());
    for name in ["m", "pthread"] {
        println!("cargo:rustc-link-lib={}", name);
    }
}
