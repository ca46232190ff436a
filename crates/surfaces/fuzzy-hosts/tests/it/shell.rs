//! The commands of shells.

use std::path::Path;

use fuzzy_hosts::Script;

#[test]
fn commands_are_known_only_to_read_or_may_write() {
    let labelled = include_str!("../commands.txt");
    for line in labelled.lines().filter(|line| !line.starts_with('#')) {
        let (label, command) = line.split_once(' ').expect("a label");
        let only_reads = Script::parse(&command.replace('⏎', "\n")).only_reads();
        assert_eq!(only_reads, label == "reads", "{command}");
    }
}

#[test]
fn words_name_paths_from_the_directory_of_their_command() {
    let cases: &[(&str, &[&str], bool)] = &[
        ("rm -rf f u .env out/ big.bin", &["-rf", ".env", "big.bin", "f", "out", "u"], false),
        ("cd sub && rm a; (cd x; rm b); rm ../c", &["c", "sub/a", "sub/x/b"], false),
        ("echo x > .env", &[".env"], false),
        ("dd if=/dev/zero of=big.bin", &["/dev/zero", "big.bin", "if=/dev/zero", "of=big.bin"], false),
        ("rm out/*.bin \"lib/$X\"", &["lib", "out"], false),
        ("rm *.bin", &[], true),
        ("rm ~/x", &[], true),
        ("cd $X && rm a", &[], true),
        ("git clean -fdx", &["-fdx", "clean"], true),
        ("git -C sub clean -X", &["-C", "-X", "clean", "sub"], true),
        ("bash -c 'rm .env'", &["-c", ".env", "rm .env"], false),
        ("python3 -c \"os.remove('.env')\"", &["-c", ".env", "os.remove('.env')"], false),
        ("ls .env; cat out", &[], false),
    ];
    for (command, paths, all) in cases {
        let named = Script::parse(command).named(Path::new("/w"));
        let found: Vec<String> =
            named.paths.iter().map(|path| path.strip_prefix("/w").unwrap_or(path).display().to_string()).collect();
        let mut found: Vec<&str> = found.iter().map(String::as_str).filter(|path| !path.is_empty()).collect();
        found.sort_unstable();
        for path in *paths {
            assert!(found.contains(path), "{command}: {path} in {found:?}");
        }
        assert!(named.all == *all, "{command}: {named:?}");
    }
}
