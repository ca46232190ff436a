#[test]
fn probe() {
    let file = "int f(int p)\n{\n\tint m = 0;\n\tif (p & 4)\n\t\tm |= CTRL;\n\tother(m);\n\treturn (m);\n}\n";
    let c = fuzzy_carry_over::carry_over(file, 0..file.len(), "\tif (p & 4)\n\t\tm |= CTRL;\n\t// ...\n}", "\tif (p & 4)\n\t\tm |= CTRL;\n\tif (p & 8)\n\t\tm |= ESC;\n\t// ...\n}").unwrap();
    println!("{}", c.text);
    let file = "a(1);\nlet x = paths.len() == 1\n        && go();\n    end();\n";
    let c = fuzzy_carry_over::carry_over(file, 0..file.len(), "a(1);\n// (rest unchanged)\n        && go();\n    end();", "a(1);\n// (rest unchanged)\n        // note\n        // See: http\n        && go();\n   end();").unwrap();
    println!("{}", c.text);
}
