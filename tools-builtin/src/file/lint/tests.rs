use super::*;

/// The lines of the new and of the earlier problems.
type Told<'a> = (&'a [usize], &'a [usize]);

#[track_caller]
fn check(path: &str, old: Option<&str>, new: &str, expected: Option<Told>) {
    let lines = |problems: &[Problem]| -> Vec<usize> {
        problems.iter().map(|problem| problem.line).collect()
    };
    let found = lint(path, old, new);
    let found = found.map(|lint| (lines(&lint.new_problems), lines(&lint.earlier_problems)));
    let told = found
        .as_ref()
        .map(|(new, earlier)| (&new[..], &earlier[..]));
    assert_eq!(told, expected, "{path}: {new}");
}

#[track_caller]
fn check_new(path: &str, text: &str, line: usize) {
    check(path, None, text, Some((&[line], &[])));
}

#[track_caller]
fn check_clean(path: &str, text: &str) {
    check(path, None, text, Some((&[], &[])));
}

#[test]
fn files_of_other_languages_are_not_judged() {
    check("a.txt", None, "((((", None);
    check("a.json", None, &" ".repeat(LARGEST + 1), None);
}

#[test]
fn toml_is_judged() {
    check_clean("a.toml", "a.b.c = 1\n\"q r\".s = [1, \"x\", {k = 1}]\n");
    check_clean("a.toml", "");
    check_new("a.toml", "[x\na = 1\n", 1);
    check_new("a.toml", "a = 1\nb = = 2\n", 2);
    check_new("a.toml", "[x]\na = 1\n[x]\nb = 2\n", 3);
    let deep = format!("a = {}1{}", "[".repeat(100_000), "]".repeat(100_000));
    check("a.toml", None, &deep, None);
}

#[cfg(feature = "lint-yaml")]
#[test]
fn yaml_is_judged_by_its_syntax() {
    check_clean(
        "a.yaml",
        "a: !Sub x\na: 2\n---\nb: *a\n".replace("*a", "c").as_str(),
    );
    check_clean("a.yml", "s: |\n  echo \"x\n  a: b: c\nt: >-\n  y\n");
    check_clean("a.yaml", "");
    check_new("a.yaml", "x: 1\na: b: c\n", 2);
    check_new("a.yaml", "a: @x\n", 1);
    for tab in [
        "\ta: 1\n",
        "\t- a\n",
        " \ta: 1\n",
        "\t{x: 1}: 2\n",
        "-\ta: 1\n",
        "?\ta: 1\n",
    ] {
        check_new("a.yaml", tab, 1);
    }
    check_new("a.yaml", "# first\n\n\ta: 1\n", 3);
    check_new("a.yaml", "a: 1\n---\n\t- b\n", 3);
    check_new("a.yaml", "a:\n\tb: 1\n", 2);
    for tab in [
        "\t[\n\ta\n\t]\n",
        "\t{a: 1}\n",
        "\tfree text\n",
        "-\ta\n-\t[b]\n",
        "a: |\n  \tb: 1\n  \t- c\n",
        "a: 1\n\t\n\t# remark\n",
        "a:\n  x\n  \ty\n",
    ] {
        check_clean("a.yaml", tab);
    }
    check("a.yaml", None, &"[".repeat(100_000), None);
    check_clean("a.yaml", "a: *nothing\n*other : [*c, d]\n");
    let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n";
    check_clean("a.yaml", bomb);
}

#[cfg(feature = "lint-yaml")]
#[test]
fn tabs_separate_in_yaml_as_blanks_do() {
    for tab in [
        "a:\t1\n",
        "a:\t\t1\t# remark\n",
        "a:\t-1\n",
        "a:\tb\tc\n",
        "? []:\tx\n",
        "?\tkey\n:\tvalue\n",
        "a:\n-\t1\n-\t2\nb: 1\n",
        "a: [\n \t b: c,\n ]\n",
        "[\n?\tfoo\n bar : baz\n]\n",
        "--- |\n\ttext\n",
    ] {
        check_clean("a.yaml", tab);
    }
    // Behind a tab that separates, what is wrong is found, at its own column.
    let lint = lint("a.yaml", None, "a:\tb: c\n").unwrap();
    let places: Vec<(usize, usize)> = lint
        .new_problems
        .iter()
        .map(|problem| (problem.line, problem.column))
        .collect();
    assert_eq!(places, [(1, 5)]);
    for tab in [
        "a:\n-\t- 1\n",
        "a:\n-\tb: 1\n",
        "a:\n \tb: 1\n",
        "a: |\n\ttext\n",
    ] {
        check_new(
            "a.yaml",
            tab,
            tab.matches('\n').count().min(2) - usize::from(tab.contains('|')),
        );
    }
}

#[cfg(feature = "lint-yaml")]
#[test]
fn yaml_that_most_programs_read_is_right() {
    for text in [
        "a: [\n]\nb: {\n}\n",
        "a:\n  - b: [\n  x,\n  'y'\n]\n  - c\n",
        "a: {\n\tb: 1,\n\tc: [\n\t\td\n\t]\n}\n",
        "a:\n  - b: \"one\n    two \\\"\n  three\"\n    c: 1\n",
        "a:\n  - 'one\n it''s'\n  - b\n",
        "a: \"b\n\tc\"\n",
        "a: 1\n%TAG ! tag:x,2000:\n---\nb: !c d\n",
    ] {
        check_clean("a.yaml", text);
    }
    // What is wrong behind an eased place is found, at its own line.
    check_new("a.yaml", "a: [\n]\nb: c: d\n", 3);
    check_new("a.yaml", "a: 1\n%TAG ! tag:x,2000:\n---\nb: c: d\n", 4);
    check_new("a.yaml", "a: {\n\tb: 1,\n\tc\n}}\n", 4);
    check_new("a.yaml", "a: *x\nb: c: d\n", 2);
}

#[cfg(feature = "lint-python")]
#[test]
fn python_is_judged_by_its_grammar() {
    check_clean(
        "a.py",
        "return 1\nmatch x:\n    case [a, *_]:\n        pass\n",
    );
    check_clean("a.py", "x = 1\r\n\x0cif x:\r\n    f\"{x!r:>{w}}\"\r\n");
    check_new("a.py", "x = 1\n    y = 2\n", 2);
    check_new("a.py", "print 'x'\n", 1);
    check_new("a.py", "a = 'x\nb = 2\n", 1);
    check_new("a.py", "x = [1]\ny = (2\n\n\n", 2);
}

#[cfg(feature = "lint-rust")]
#[test]
fn rust_is_judged_by_its_grammar() {
    check_clean(
        "a.rs",
        "#!/usr/bin/env x\nfn main() { let x = unknown(1)?; }\n",
    );
    check_new("a.rs", "fn a() {}\nfn b( {}\n", 2);
    check_new("a.rs", "fn a() {}\nlet x = 1;\n", 2);
    check_new("a.rs", "fn a() {\n", 1);
}

#[cfg(feature = "lint-rust")]
#[test]
fn deep_rust_is_not_judged() {
    let times = 50_000;
    for (open, middle, close) in [
        ("(", "1", ")"),
        ("!", "1", ""),
        ("|| ", "1", ""),
        ("if x {} else ", "{}", ""),
        ("x = S {} = ", "1", ""),
        ("{", "1", "}"),
        ("return ", "1", ""),
    ] {
        let deep = format!(
            "fn f() {{ {}{middle}{} }}",
            open.repeat(times),
            close.repeat(times)
        );
        check("a.rs", None, &deep, None);
    }
    let long = format!("fn f() {{ {} }}", "if x {} g(1, 2);".repeat(times));
    check_clean("a.rs", &long);
}

#[cfg(feature = "lint-python")]
#[test]
fn deep_python_stops_no_one() {
    for (open, close) in [
        ("(", ")"),
        ("[", "]"),
        ("-", ""),
        ("not ", ""),
        ("lambda: ", ""),
    ] {
        let deep = format!("x = {}1{}\n", open.repeat(50_000), close.repeat(50_000));
        // Whatever is said, it is said.
        let _ = lint("a.py", None, &deep);
    }
}

#[test]
fn what_was_broken_before_is_told_apart() {
    let old = "{\n  \"a\": 1,\n  \"b\": 2,,\n  \"c\": 3\n}\n";
    let new = old.replace("\"a\": 1,", "\"a\": 1,\n  \"a2\": 1,");
    check("a.json", Some(old), &new, Some((&[], &[4])));
    check("a.json", Some(old), old, Some((&[], &[3])));
    let new = old.replace("\"c\": 3", "\"c\": x");
    check("a.json", Some(old), &new, Some((&[4], &[3])));
    check(
        "a.json",
        Some(old),
        &old.replace(",,", ","),
        Some((&[], &[])),
    );
}

#[test]
fn an_edit_may_break_a_line_that_it_did_not_touch() {
    let old = "{\n  \"a\": {\n    \"b\": 1\n  },\n  \"c\": 2\n}\n";
    let new = old.replace("  },\n", "");
    check("a.json", Some(old), &new, Some((&[4, 1], &[])));
}

#[cfg(feature = "lint-yaml")]
#[test]
fn a_problem_that_another_one_hid_is_an_earlier_one() {
    let old = "a: b: c\nd: 1\ne: f: g\n";
    let new = old.replace("a: b: c", "a: b");
    check("a.yaml", Some(old), &new, Some((&[], &[3])));
    let new = "a: b\nd: [1\ne: 2\n";
    let old = "a: b: c\nd: [1]\ne: 2\n";
    let (fresh, earlier) = match lint("a.yaml", Some(old), new) {
        Some(lint) => (lint.new_problems.len(), lint.earlier_problems.len()),
        None => (0, 0),
    };
    assert_eq!((fresh, earlier), (1, 0));
}

#[test]
fn a_session_that_refuses_says_what_is_wrong() {
    let lint = lint("a.json", None, "[1,]");
    assert!(Lint::enforce(lint.as_ref(), LintMode::Warn, "a.json").is_ok());
    let error = Lint::enforce(lint.as_ref(), LintMode::Refuse, "a.json").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DoesNotParse);
    assert_eq!(
        error.to_string(),
        "`a.json` would not parse as json: line 1, column 3: a comma must not stand before the end; \
         nothing was written; correct the text and send it again"
    );
}

#[test]
fn long_messages_and_lists_are_cut() {
    let long = Problem {
        line: 1,
        column: 1,
        message: "é".repeat(300),
    };
    let told = told(vec![long; 12]);
    assert_eq!(told.len(), SHOWN);
    assert_eq!(told[0].message, format!("{} ...", "é".repeat(MESSAGE)));
}
