//! Our hooks in the settings of hosts.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use fuzzy_hosts::{Changes, Host, Installed, Parts, SettingsError, Site};
use fuzzy_testkit::assert_snapshot;
use fuzzy_testkit::snapshot::folded;

use crate::home::{ALL, DEFAULT, Home, add_entries};

const REPAIR: Parts = Parts { repair: true, turns: false, mcp: false };
const TURNS: Parts = Parts { repair: false, turns: true, mcp: false };
const SERVER: Parts = Parts { repair: false, turns: false, mcp: true };

fn integrations() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../integrations")
}

fn host(name: &str) -> &'static Host {
    Host::named(name).expect("a host")
}

/// A file with the text of a package in `integrations`, or of an earlier file, only names it.
#[test]
fn the_settings_of_every_host() {
    let mut known = BTreeMap::new();
    add_entries(&integrations(), "integrations/", &mut known);
    let mut known = known.into_iter().map(|(name, text)| (text, name)).collect::<BTreeMap<_, _>>();
    let mut listed = String::new();
    for project in [true, false] {
        let home = Home::new();
        for host in Host::all() {
            match home.add(host, project, ALL) {
                Ok(_) => {}
                Err(SettingsError::Lacking { .. }) => assert_eq!((host.name, project), ("vscode", false)),
                Err(error) => panic!("{}: {error}", host.name),
            }
        }
        for (name, text) in home.tree().into_iter().filter(|(name, _)| !name.ends_with('/')) {
            const PROGRAM: &str = "/opt/tools/fuzzy-edit";
            let _ = if let Some(same) = known.get(&text) {
                writeln!(listed, "{name}: as {same}")
            } else if let Some(package) = known.get(&text.replace(PROGRAM, "fuzzy-edit")) {
                writeln!(listed, "{name}: as {package}, with {} paths", text.matches(PROGRAM).count())
            } else {
                writeln!(listed, "{name}\n{}", folded(&text))
            };
            known.entry(text).or_insert(name);
        }
    }
    assert_snapshot!("settings", listed);
}

#[test]
fn adding_twice_changes_nothing_and_removing_restores_every_byte() {
    for parts in [DEFAULT, REPAIR, TURNS, SERVER, ALL] {
        for (host, project) in Host::all().flat_map(|host| [(host, false), (host, true)]) {
            let home = Home::new();
            home.write(".gemini/settings.json", "{\n  // mine\n  \"hooks\": { \"BeforeTool\": [] , },\n}");
            home.write(".codex/config.toml", "# mine\nmodel   =  'm'\n[mcp_servers.other]\ncommand='x'\n");
            home.write(".cursor/hooks.json", "{\"hooks\":{},\"version\":1}\r\n");
            home.write("project/.qwen/settings.json", "");
            let before = home.tree();
            let changed = match home.add(host, project, parts) {
                Err(SettingsError::Lacking { .. }) => continue,
                changed => changed.expect("added"),
            };
            let name = host.name;
            assert!(changed > 0, "{name} {parts:?}");
            assert_eq!(home.add(host, project, parts).expect("added"), 0, "{name} {parts:?}");
            let Installed::Current(found) = host.installed(&home.site(project), Some(&home.records())).expect("read")
            else {
                panic!("{name}")
            };
            // A host may lack a part.
            let is_subset = [(parts.repair, found.repair), (parts.turns, found.turns), (parts.mcp, found.mcp)];
            let is_subset = is_subset.iter().all(|(wanted, found)| *wanted || !found);
            assert!(is_subset, "{name}: {parts:?}, {found:?}");
            assert_eq!(home.remove(host, project).expect("removed"), changed, "{name} {parts:?}");
            assert_eq!(home.tree(), before, "{name} {parts:?}");
            assert_eq!(home.remove(host, project).expect("nothing is there"), 0, "{name} {parts:?}");
        }
    }
}

#[test]
fn a_part_is_added_to_the_configured_ones() {
    let home = Home::new();
    home.add(host("gemini"), false, DEFAULT).expect("added");
    home.add(host("gemini"), false, SERVER).expect("added");
    assert_eq!(
        host("gemini").installed(&home.site(false), Some(&home.records())).expect("read"),
        Installed::Current(ALL)
    );
}

#[test]
fn entries_of_others_are_kept_if_the_settings_changed() {
    let home = Home::new();
    let path = home.write(
        ".gemini/settings.json",
        "{\n  // mine\n  \"hooks\": {\n    \"BeforeTool\": [\n      { \"hooks\": [{ \"command\": \"mine\" }] }\n    ]\n  }\n}\n",
    );
    let before = fs::read_to_string(&path).expect("text");
    home.add(host("gemini"), false, DEFAULT).expect("added");
    let text = fs::read_to_string(&path).expect("text").replace("// mine", "// mine, later");
    fs::write(&path, text).expect("written");
    home.remove(host("gemini"), false).expect("removed");
    assert_eq!(fs::read_to_string(&path).expect("text"), before.replace("// mine", "// mine, later"));
}

#[test]
fn entries_of_another_path_of_our_command_are_replaced() {
    let home = Home::new();
    let path = home.write(".qwen/settings.json", "{ \"mine\": \"fuzzy-edit\" }\n");
    let old = Site { program: "/old tools/fuzzy-edit".to_owned(), ..home.site(false) };
    let mut changes = Changes::new(&old, None);
    changes.add(host("qwen"), DEFAULT).expect("planned");
    changes.write(&home.state()).expect("written");
    assert_eq!(host("qwen").installed(&home.site(false), None).expect("read"), Installed::Outdated);
    home.add(host("qwen"), false, DEFAULT).expect("added");
    let text = fs::read_to_string(&path).expect("text");
    assert!(!text.contains("/old") && text.contains("/opt/tools/fuzzy-edit hook qwen tool-after"), "{text}");
    let installed = host("qwen").installed(&home.site(false), Some(&home.records())).expect("read");
    assert_eq!(installed, Installed::Current(DEFAULT));
    home.remove(host("qwen"), false).expect("removed");
    let left = fs::read_to_string(&path).expect("text");
    assert!(left.contains("\"mine\": \"fuzzy-edit\"") && !left.contains(" hook "), "{left}");
}

#[test]
fn settings_that_cannot_be_parsed_are_not_changed() {
    let home = Home::new();
    for text in
        ["{ \"hooks\": ", "[]", "{ \"hooks\": 7 }", "{ \"hooks\": { \"BeforeTool\": {} } }", "{ \"a\": 1 \"b\": 2 }"]
    {
        let path = home.write(".gemini/settings.json", text);
        let error = home.add(host("gemini"), false, DEFAULT).expect_err("refused");
        assert!(matches!(&error, SettingsError::Unreadable { path: about, .. } if *about == path), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("text"), text);
    }
    let path = home.write(".codex/config.toml", "[mcp_servers\n");
    home.add(host("codex"), false, ALL).expect_err("refused");
    assert_eq!(fs::read_to_string(&path).expect("text"), "[mcp_servers\n");
    assert!(!home.tree().keys().any(|name| name.contains("hooks.json")), "all files or none");
}

#[test]
fn a_hook_of_the_user_with_the_name_of_ours_is_not_changed() {
    let home = Home::new();
    let path = home.write(".cline/hooks/PreToolUse.sh", "#!/bin/sh\nexit 0\n");
    let error = home.add(host("cline"), false, DEFAULT).expect_err("refused");
    assert!(matches!(&error, SettingsError::Taken { .. }), "{error}");
    home.remove(host("cline"), false).expect("nothing is ours");
    assert_eq!(fs::read_to_string(path).expect("text"), "#!/bin/sh\nexit 0\n");
}

#[test]
#[cfg(unix)]
fn a_link_to_the_settings_is_followed() {
    let home = Home::new();
    let real = home.write("dotfiles/gemini.json", "{}\n");
    let link = home.write(".gemini/settings.json", "");
    fs::remove_file(&link).expect("removed");
    std::os::unix::fs::symlink(&real, &link).expect("linked");
    home.add(host("gemini"), false, DEFAULT).expect("added");
    assert!(link.is_symlink());
    assert!(fs::read_to_string(&real).expect("text").contains("hook gemini tool-before"));
    home.remove(host("gemini"), false).expect("removed");
    assert_eq!(fs::read_to_string(&real).expect("text"), "{}\n");
}

#[test]
fn two_hosts_with_one_directory_keep_their_hooks() {
    let home = Home::new();
    home.add(host("vscode"), true, DEFAULT).expect("added");
    home.add(host("copilot"), true, DEFAULT).expect("added");
    home.remove(host("vscode"), true).expect("removed");
    assert!(matches!(
        host("copilot").installed(&home.site(true), Some(&home.records())).expect("read"),
        Installed::Current(DEFAULT)
    ));
    assert_eq!(host("vscode").installed(&home.site(true), Some(&home.records())).expect("read"), Installed::No);
}

#[test]
fn a_path_with_a_blank_is_quoted_for_the_shell() {
    let home = Home::new();
    let site = Site { program: "/my tools/fuzzy-edit".to_owned(), ..home.site(false) };
    let mut changes = Changes::new(&site, None);
    changes.add(host("codex"), DEFAULT).expect("added");
    let text = changes.files().next().and_then(|file| file.after.clone()).expect("a file");
    let quoted = if cfg!(windows) { r#"\"/my tools/fuzzy-edit\" hook"# } else { "'/my tools/fuzzy-edit' hook" };
    assert!(text.contains(quoted), "{text}");
}

/// The packages in `integrations` have the hooks that `init` writes for a command on the path.
#[test]
fn the_packages_of_the_hosts_have_the_same_hooks() {
    const PACKAGES: &[(&str, &str, &str)] = &[
        ("claude-code", ".claude/skills/fuzzy-edit", "claude-code"),
        ("gemini", ".gemini/settings.json", "gemini/hooks/hooks.json"),
        ("opencode", ".opencode/plugin/fuzzy-edit.js", "opencode/index.js"),
    ];
    let home = Home::new();
    let site = Site { program: "fuzzy-edit".to_owned(), ..home.site(true) };
    let project = site.project.clone().expect("a project");
    for (name, written, package) in PACKAGES {
        let mut changes = Changes::new(&site, None);
        changes.add(host(name), DEFAULT).expect("added");
        for file in changes.files() {
            let rest = file.path.strip_prefix(project.join(written)).expect("a file of the package");
            let path = integrations().join(package).components().chain(rest.components()).collect::<PathBuf>();
            let expected = file.after.as_deref().expect("a new file");
            if std::env::var_os("WRITE_INTEGRATIONS").is_some() {
                fs::create_dir_all(path.parent().expect("a directory")).expect("made");
                fs::write(&path, expected).expect("written");
            }
            let found = fs::read_to_string(&path).unwrap_or_default();
            let path = path.display();
            assert!(found == expected, "{path}: run this test with WRITE_INTEGRATIONS=1, which writes:\n{expected}");
        }
    }
}
