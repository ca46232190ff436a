//! Settings of the user that contain our name are kept by `init` and `init --remove`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use fuzzy_hosts::{Changes, Host, Installed, SettingsError};
use fuzzy_testkit::texts::config_of;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::CstRootNode;
use serde_json::{Value, json};

use crate::home::{ALL, DEFAULT, Home};

fn host(name: &str) -> &'static Host {
    Host::named(name).expect("a host")
}

/// A value of the user's, with our name in any position.
fn any(random: &mut Rng, depth: usize) -> Value {
    const TEXTS: [&str; 12] = [
        "fuzzy-edit",
        "mcp",
        "fuzzy-edit hook gemini repair",
        "fuzzy-edit hook qwen turn-begin",
        "nice /usr/bin/fuzzy-edit hook codex repair",
        "/usr/local/bin/fuzzy-edit",
        "npx -y fuzzy-edit mcp",
        "lint --fix",
        "# fuzzy-edit",
        "é\n\"\\",
        "",
        "^(apply_patch|Bash)$",
    ];
    match random.usize(..if depth == 0 { 5 } else { 9 }) {
        0 => Value::Null,
        1 => random.bool().into(),
        2 => random.i32(..).into(),
        3 | 4 => random.choice(TEXTS).expect("a text").into(),
        5 | 6 => (0..random.usize(..4)).map(|_| any(random, depth - 1)).collect(),
        _ => (0..random.usize(..4)).map(|_| (name(random), any(random, depth - 1))).collect(),
    }
}

fn name(random: &mut Rng) -> String {
    const NAMES: [&str; 14] = [
        "fuzzy-edit",
        "fuzzy-edit@fuzzy-edit",
        "Fuzzy-Edit",
        "agent",
        "projects",
        "hooks",
        "mcp",
        "mcpServers",
        "servers",
        "command",
        "args",
        "matcher",
        "env",
        "permissions",
    ];
    (*random.choice(NAMES.iter()).expect("a name")).to_owned()
}

/// A server or a hook that a user might enter by hand.
fn by_hand(random: &mut Rng, host: &str) -> Value {
    let call = format!("fuzzy-edit hook {host} repair");
    let options = [
        json!({ "command": "npx", "args": ["-y", "fuzzy-edit", "mcp"] }),
        json!({ "command": "uvx", "args": ["fuzzy-edit", "mcp"] }),
        json!({ "command": "fuzzy-edit", "args": ["mcp"] }),
        json!({ "type": "local", "command": ["fuzzy-edit", "mcp"], "enabled": true }),
        json!({ "command": "/opt/tools/fuzzy-edit", "args": ["mcp", "--root", "."] }),
        json!({ "hooks": [{ "type": "command", "command": call }] }),
        json!({ "hooks": [{ "command": format!("echo; {call}") }, { "command": "mine" }] }),
        json!({ "name": "fuzzy-edit", "matcher": "edit", "command": call }),
        json!("fuzzy-edit"),
    ];
    random.choice(options).expect("a value")
}

/// Settings of the shape of ours, with values of the user instead.
fn shaped(random: &mut Rng, host: &str, ours: &Value) -> Value {
    match ours {
        Value::Object(items) => {
            let mut made = serde_json::Map::new();
            for (name, value) in items {
                if name == "fuzzy-edit" && random.bool() {
                    made.insert(name.clone(), by_hand(random, host));
                } else if name == "version" && random.bool() {
                    made.insert(name.clone(), random.i32(..3).into());
                } else if (value.is_object() || value.is_array()) && name != "fuzzy-edit" && random.u8(..10) > 2 {
                    made.insert(name.clone(), shaped(random, host, value));
                }
            }
            for _ in 0..random.usize(..4) {
                let (name, value) = (name(random), any(random, 4));
                // A list or an object of another shape is an error, which another test has.
                if !items.contains_key(&name) {
                    made.insert(name, value);
                }
            }
            made.into()
        }
        Value::Array(_) => {
            (0..random.usize(..4)).map(|_| if random.bool() { by_hand(random, host) } else { any(random, 3) }).collect()
        }
        _ => any(random, 2),
    }
}

/// The text of settings in one of several styles.
fn text_of(random: &mut Rng, settings: &Value) -> String {
    let text = if random.bool() { format!("{settings:#}") } else { settings.to_string() };
    let before = random.choice(["", "// fuzzy-edit: mine\n", "\u{feff}", "/* { */ "]).expect("a text");
    let after = random.choice(["", "\n", "\r\n", "\n// the end\n"]).expect("a text");
    format!("{before}{text}{after}")
}

/// TOML settings with our name in several positions.
fn toml_of(random: &mut Rng) -> String {
    let parts = [
        "# fuzzy-edit is mine\n",
        "model = 'fuzzy-edit'\n",
        "notify = [\"fuzzy-edit\", \"mcp\"]\n",
        "[projects.\"/srv/fuzzy-edit\"]\ntrust_level   = \"trusted\"\n",
        "[projects.fuzzy-edit]\na = 1 # one\n",
        "[mcp_servers.other]\ncommand='x'\nargs = ['fuzzy-edit']\n",
        "[tools.fuzzy-edit]\nenabled = true\n",
    ];
    let servers = [
        "",
        "[mcp_servers.fuzzy-edit]\ncommand = \"npx\"\nargs = [\"-y\", \"fuzzy-edit\", \"mcp\"]\n",
        "[mcp_servers.\"fuzzy-edit\"]\ncommand = \"fuzzy-edit\"\nargs = [\"mcp\"]\n",
        "[mcp_servers.fuzzy-edit]\ncommand = \"/opt/tools/fuzzy-edit\"\nargs = [\"mcp\"]\nenabled = false\n",
    ];
    let mut text: String = parts.iter().filter(|_| random.bool()).copied().collect();
    text += random.choice(servers).expect("a server");
    text
}

fn value_of(text: &str) -> Value {
    let root = CstRootNode::parse(text.trim_start_matches('\u{feff}'), &ParseOptions::default()).expect("JSON");
    root.to_serde_value().expect("a value")
}

/// Random settings of each host with our name in every position are equal after `init`, `init` and `init --remove`, also
/// if another program wrote the file meanwhile.
#[test]
fn random_settings_with_our_name_are_kept() {
    for (host, project) in Host::all().flat_map(|host| [(host, false), (host, true)]) {
        let needed: Vec<_> =
            Home::needed(host, project).into_iter().filter(|(name, _)| !is_whole(host, name)).collect();
        for seed in 0..u64::from(config_of(12).cases) {
            let random = &mut Rng::with_seed(seed);
            let home = Home::new();
            let mut paths = BTreeMap::new();
            for (name, ours) in &needed {
                let text = if Path::new(name).extension().is_some_and(|kind| kind == "toml") {
                    toml_of(random)
                } else {
                    let settings = shaped(random, host.name, &value_of(ours));
                    text_of(random, &settings)
                };
                paths.insert(home.write(name, &text), text);
            }
            let before = home.tree();
            let about = format!("{} {project} {seed}\n{before:#?}", host.name);
            let parts = if random.bool() { ALL } else { DEFAULT };
            if let Err(SettingsError::Lacking { .. }) = home.add(host, project, parts) {
                continue;
            }
            assert_eq!(home.add(host, project, parts).expect(&about), 0, "{about}");
            for (path, text) in &paths {
                let with = fs::read_to_string(path).expect("text");
                if path.extension().is_some_and(|kind| kind == "json") {
                    assert!(contains(&value_of(&with), &value_of(text)), "{about}\n{with}");
                }
            }
            let is_changed = random.bool();
            if is_changed {
                // Another program writes the file in its own style.
                for path in paths.keys().filter(|path| path.extension().is_some_and(|kind| kind == "json")) {
                    let with = fs::read_to_string(path).expect("text");
                    fs::write(path, format!("{:#}", value_of(&with))).expect("written");
                }
            }
            home.remove(host, project).expect(&about);
            if !is_changed {
                assert_eq!(home.tree(), before, "{about}");
            }
            for (path, text) in &paths {
                let left = fs::read_to_string(path).expect("text");
                if path.extension().is_some_and(|kind| kind == "json") {
                    let (mut left, start) = (value_of(&left), value_of(text));
                    // A number of the format that we added stays with the entries that others added since.
                    if let (Some(left), None) = (left.as_object_mut(), start.get("version")) {
                        left.remove("version");
                    }
                    assert_eq!(left, start, "{about}");
                } else {
                    assert_eq!(&left, text, "{about}");
                }
            }
        }
    }
}

/// Returns whether a file of a host is ours as a whole.
fn is_whole(host: &Host, name: &str) -> bool {
    name.contains("/fuzzy-edit") || host.name == "cline"
}

/// Returns whether settings have everything of others, in the same order.
fn contains(settings: &Value, others: &Value) -> bool {
    match (settings, others) {
        (Value::Object(all), Value::Object(some)) => {
            some.iter().all(|(name, value)| all.get(name).is_some_and(|other| contains(other, value)))
        }
        (Value::Array(all), Value::Array(some)) => all.starts_with(some),
        _ => settings == others,
    }
}

#[test]
fn files_of_the_user_at_our_paths_are_kept() {
    for (host, project) in Host::all().flat_map(|host| [(host, false), (host, true)]) {
        for (name, ours) in Home::needed(host, project).iter().filter(|(name, _)| is_whole(host, name)) {
            let theirs = [
                "fuzzy-edit of mine\n".to_owned(),
                ours.replace("/opt/tools/fuzzy-edit", "fuzzy-edit"),
                format!("{ours}\n"),
                ours.replace("fuzzy-edit", "fuzzy-edit-of-mine"),
            ];
            for text in theirs.iter().filter(|text| *text != ours) {
                let home = Home::new();
                home.write(name, text);
                let before = home.tree();
                home.remove(host, project).expect("nothing is ours");
                assert_eq!(home.tree(), before, "{} {name}", host.name);
                let refused = home.add(host, project, ALL).expect_err("refused");
                assert!(matches!(refused, SettingsError::Taken { .. }), "{} {name}: {refused}", host.name);
                assert_eq!(home.tree(), before, "{} {name}", host.name);
            }
        }
    }
}

#[test]
fn a_file_of_ours_that_the_user_changed_is_kept() {
    let home = Home::new();
    home.add(host("opencode"), false, DEFAULT).expect("added");
    let path = home.site(false).home.join(".config/opencode/plugin/fuzzy-edit.js");
    let changed = fs::read_to_string(&path).expect("text") + "// mine\n";
    fs::write(&path, &changed).expect("written");
    home.remove(host("opencode"), false).expect("nothing is ours");
    assert_eq!(fs::read_to_string(&path).expect("text"), changed);
}

#[test]
fn files_without_a_record_are_ours_if_they_name_an_absolute_path() {
    for (host, project) in Host::all().flat_map(|host| [(host, false), (host, true)]) {
        for program in ["/opt/tools/fuzzy-edit", "/my \"tools\"/it's/fuzzy-edit"] {
            let home = Home::new();
            let site = fuzzy_hosts::Site { program: program.to_owned(), ..home.site(project) };
            let mut changes = Changes::new(&site, None);
            if changes.add(host, ALL).is_err() {
                continue;
            }
            changes.write(&home.state()).expect("written");
            assert_ne!(host.installed(&home.site(project), None).expect("read"), Installed::No, "{}", host.name);
            home.remove(host, project).expect("removed");
            let left: String = home.tree().into_values().collect();
            let is_ours = ["fuzzy-edit\"", "fuzzy-edit hook", "fuzzy-edit' hook"].iter().any(|own| left.contains(own));
            assert!(!is_ours, "{}:\n{left}", host.name);
        }
    }
}

#[test]
fn the_first_change_keeps_a_copy() {
    let home = Home::new();
    let path = home.write(".gemini/settings.json", "{ \"apiKey\": \"secret\" }\n");
    let (site, records) = (home.site(false), home.records());
    let mut copies = Vec::new();
    for _ in 0..2 {
        let mut changes = Changes::new(&site, Some(&records));
        changes.add(host("gemini"), DEFAULT).expect("planned");
        changes.write(&home.state()).expect("written");
        copies.extend(changes.files().filter_map(|file| file.copy.clone()));
        let later = fs::read_to_string(&path).expect("text").replace("secret", "other");
        let mut all = Changes::new(&site, Some(&records));
        all.add(host("gemini"), ALL).expect("planned");
        assert_eq!(all.files().next().expect("a file").copy, None, "the last change is ours");
        fs::write(&path, later.replace("/opt/tools", "/opt")).expect("written");
    }
    let texts: Vec<String> = copies.iter().map(|copy| fs::read_to_string(copy).expect("a copy")).collect();
    assert_eq!(texts.len(), 2);
    assert_eq!(texts[0], "{ \"apiKey\": \"secret\" }\n");
    assert!(texts[1].contains("other"), "a later text has a copy of its own");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&copies[0]).expect("a copy").permissions().mode() & 0o077, 0);
    }
}
