use super::Strategy::{Escape, Exact, Indentation, LineEnds, TrailingSpace, Unicode, WhiteSpace};
use super::*;

#[track_caller]
fn check(text: &str, old: &str, new: &str, result: &str, strategy: Strategy) {
    let replaced = replace(text, old, new, false, &Cancel::never()).unwrap();
    let found = (&*replaced.text, replaced.count, replaced.strategy);
    assert_eq!(found, (result, 1, strategy));
    // What is outside the part that changed is as it was.
    let Range { start, end } = replaced.changed;
    let tail = &text[end..];
    assert!(replaced.text.starts_with(&text[..start]) && replaced.text.ends_with(tail));
}

#[track_caller]
fn check_all(text: &str, old: &str, new: &str, result: &str, count: usize) {
    let replaced = replace(text, old, new, true, &Cancel::never()).unwrap();
    assert_eq!((&*replaced.text, replaced.count), (result, count));
}

#[track_caller]
fn check_lines(text: &str, old: &str, lines: &[usize]) {
    let refusal = replace(text, old, "something else", false, &Cancel::never());
    assert_eq!(
        refusal,
        Err(Refusal::Ambiguous {
            lines: lines.to_vec()
        })
    );
}

#[track_caller]
fn check_absent(text: &str, old: &str) {
    for all in [false, true] {
        let refusal = replace(text, old, "x", all, &Cancel::never());
        assert!(
            matches!(refusal, Err(Refusal::NoMatch { .. })),
            "{refusal:?}"
        );
    }
}

#[test]
fn a_passage_may_lie_anywhere() {
    check(
        "#!/bin/sh\necho hi\n",
        "#!/bin/sh",
        "#!/bin/bash",
        "#!/bin/bash\necho hi\n",
        Exact,
    );
    check("one\ntwo\n", "one\ntwo\n", "three\n", "three\n", Exact);
    check(
        "🎉 launch = no\n",
        "launch = no",
        "launch = yes",
        "🎉 launch = yes\n",
        Exact,
    );
    check("x\ny\nz\n", "y\n", "", "x\nz\n", Exact);
    check("x\0y\n", "x\0y", "xy", "xy\n", Exact);
    check(
        "name: old\n",
        "old",
        r"\1 $1 & ${x} {}",
        "name: \\1 $1 & ${x} {}\n",
        Exact,
    );
}

#[test]
fn the_strictest_strategy_that_finds_anything_decides() {
    check(
        "go() \ngo()\n",
        "go()\n",
        "stop()\n",
        "go() \nstop()\n",
        Exact,
    );
}

#[test]
fn nothing_to_find_and_nothing_to_change_are_refused_first() {
    let refusal = |text: &str, old: &str, new: &str| {
        replace(text, old, new, true, &Cancel::never()).unwrap_err()
    };
    assert_eq!(refusal("", "", "x"), Refusal::EmptyOld);
    assert_eq!(refusal("abc", "zzz", "zzz"), Refusal::Identical);
    assert_eq!(refusal("a  \n", "a\t\n", "a  \n"), Refusal::Identical);
}

#[test]
fn more_than_one_place_is_refused_with_its_lines() {
    check_lines("a\nb\na\n", "a", &[1, 3]);
    check_lines("item1\nitem10\n", "item1", &[1, 2]);
    check_lines("ababa", "aba", &[1, 1]);
    check_lines("x\r\ny\nx\r\ny\r\n", "x\ny", &[1, 3]);
    check_lines("p \nq\np\t\nq\n", "p\nq", &[1, 3]);
    check_lines("p \np \np \n", "p\np", &[1, 2]);
}

#[test]
fn all_places_are_those_that_do_not_overlap() {
    check_all("aaaaa", "aa", "b", "bba", 2);
    check_all("a,b,c,\n", ",", "", "abc\n", 3);
    check_all("p \np \np \np \np \n", "p\np", "q", "q\nq\np \n", 2);
    check_all("x\r\ny\nx\r\ny\r\n", "x\ny", "z", "z\nz\r\n", 2);
}

#[test]
fn line_ends_of_the_text_are_kept() {
    check("one\r\ntwo\r\n", "two", "2", "one\r\n2\r\n", Exact);
    check("p\r\nq", "q", "q\nr", "p\r\nq\r\nr", Exact);
    check("a\r\nb\nc\nd\n", "c", "C\nC", "a\r\nb\nC\nC\nd\n", Exact);
    check("a\rb\nc\n", "c", "d", "a\rb\nd\n", Exact);
    check("one\r\ntwo\r\n", "one\ntwo", "1\n2", "1\r\n2\r\n", LineEnds);
    check("one\ntwo\n", "one\r\ntwo", "1\r\n2", "1\n2\n", LineEnds);
    check(
        "xone\r\ntwox\r\n",
        "one\ntwo",
        "1\n2",
        "x1\r\n2x\r\n",
        LineEnds,
    );
    check("a\r\nb\nc\r\n", "a\nb\nc\n", "d\n", "d\r\n", LineEnds);
    // Where they differ within the passage, each line keeps its own.
    let mixed = "a\r\nb\nc\r\nd\n";
    let check = |old, new, result| check(mixed, old, new, result, LineEnds);
    check("a\nb\nc", "a\nB\nc", "a\r\nB\nc\r\nd\n");
    check("a\nb\nc\n", "a\nc\n", "a\r\nc\r\nd\n");
    check("a\nb\nc\n", "a\nx\nb\ny\nc\n", "a\r\nx\r\nb\ny\nc\r\nd\n");
    check("b\nc\nd", "x\nb\nc\nd", "a\r\nx\nb\nc\r\nd\n");
}

#[test]
fn line_ends_that_are_quoted_may_be_changed() {
    check("a\r\nb\r\n", "a\r\n", "a\n", "a\nb\r\n", Exact);
    check(
        "a\r\nb\r\n",
        "a\r\nb",
        "a\r\nsplit(\"\\r\")",
        "a\r\nsplit(\"\\r\")\r\n",
        Exact,
    );
}

#[test]
fn white_space_at_line_ends_may_differ() {
    check(
        "1st   \n2nd\t\n3rd\n",
        "1st\n2nd",
        "a\nb",
        "a\nb\n3rd\n",
        TrailingSpace,
    );
    check(
        "1st\n2nd\n3rd\n",
        "1st  \n2nd ",
        "a\nb",
        "a\nb\n3rd\n",
        TrailingSpace,
    );
    check(
        "a\r\n \r\nb\r\n",
        "a\n\nb",
        "a\nb",
        "a\r\nb\r\n",
        TrailingSpace,
    );
    check("a \nb\n", "a\n", "", "b\n", TrailingSpace);
}

#[test]
fn a_quoted_line_feed_may_be_missing_at_the_end() {
    check("alpha\nomega", "omega\n", "end\n", "alpha\nend", LineEnds);
}

#[test]
fn words_may_not_differ() {
    check_absent("version = \"1.4.2\"\n", "version = \"1.4.1\"");
    check_absent("apple\nbanana\n", "banana\napple");
    check_absent("one\n", "one\ntwo\nthree");
    check_absent("alpha beta\n", "alpha\nbeta");
    check_absent("aa\n\n  bb\n", "aa bb");
    check_absent("", "anything");
}

#[test]
fn white_space_alone_stands_for_nothing_else() {
    check_absent("first\n\nlast", "   ");
    check_absent("a\n\nb", "\t");
    check_absent("a\n \n \nb", "\n\t\n");
}

#[test]
fn an_edit_that_is_done_already_is_told() {
    let refusal = replace(
        "a\nlet x = compute();\n",
        "let x = old();",
        "let x = compute();",
        false,
        &Cancel::never(),
    );
    let Err(Refusal::NoMatch { applied, .. }) = refusal else {
        panic!("{refusal:?}")
    };
    assert_eq!(applied, Some(2));
}

#[test]
fn many_places_on_one_line_take_one_look_at_its_end() {
    // With a look at the rest of the line for each place this takes minutes.
    let text = format!("{}\r\n", "q".repeat(4_000_000));
    let replaced = replace(&text, "q", "r\n", true, &Cancel::never()).unwrap();
    assert_eq!(replaced.count, 4_000_000);
    assert_eq!(replaced.text, format!("{}\r\n", "r\r\n".repeat(4_000_000)));
}

#[test]
fn a_cancelled_call_replaces_nothing() {
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(
        replace("a\n", "a", "b", true, &cancel),
        Err(Refusal::Cancelled)
    );
}

#[test]
fn a_text_that_would_fill_the_memory_is_refused() {
    let (text, new) = ("q".repeat(1 << 20), "r".repeat(1 << 10));
    assert_eq!(
        replace(&text, "q", &new, true, &Cancel::never()),
        Err(Refusal::TooLarge { size: 1 << 30 })
    );
}

#[test]
fn indentation_may_differ_and_is_that_of_the_text() {
    check(
        "class T:\n    def m(self):\n        return 1\n",
        "def m(self):\n    return 1",
        "def m(self):\n    x = 1\n    return x",
        "class T:\n    def m(self):\n        x = 1\n        return x\n",
        Indentation,
    );
    check(
        "func f() {\n\topen()\n\tclose()\n}\n",
        "    open()\n    close()",
        "    open()\n    flush()\n    close()",
        "func f() {\n\topen()\n\tflush()\n\tclose()\n}\n",
        Indentation,
    );
    check(
        "x:\n    foo\n    bar\n    baz\n",
        "foo\nbar\n",
        "FOO\nBAR\n",
        "x:\n    FOO\n    BAR\n    baz\n",
        Indentation,
    );
    check("a\n    b\nc\n", "\tb", "", "a\n\nc\n", Indentation);
    check(
        "top\n      gone()\nend\n",
        "\tgone()\n",
        "",
        "top\nend\n",
        Indentation,
    );
    check(
        "  a\r\n  b\r\n",
        "\ta\n\tb\n",
        "\tc\n\td\n",
        "  c\r\n  d\r\n",
        Indentation,
    );
}

#[test]
fn white_space_between_words_may_differ() {
    check(
        "total  =  a  +  b\n",
        "total = a + b",
        "total = a - b",
        "total = a - b\n",
        WhiteSpace,
    );
    check(
        "f(alpha,   beta, c)\n",
        "alpha, beta",
        "beta, alpha",
        "f(beta, alpha, c)\n",
        WhiteSpace,
    );
    check(
        "\tf(a,  b); g()\n",
        "    f(a, b);",
        "    f(b);",
        "\tf(b); g()\n",
        WhiteSpace,
    );
    check("x =  a  b  c\n", "a b ", "d ", "x =  d  c\n", WhiteSpace);
    check(
        "a  b\n  c\n",
        "a b\n  c",
        "a b\n  d",
        "a b\n  d\n",
        WhiteSpace,
    );
}

#[test]
fn a_passage_does_not_begin_or_end_within_a_word() {
    check_absent("max =  5\n", "x = 5");
    check_absent("x =  55\n", "x = 5");
    check_absent("ab  c\n", " b c");
    check_absent("a  bc\n", "a b ");
}

#[test]
fn typographic_characters_stay_where_they_are_not_changed() {
    check(
        "say “hello” now\n",
        "say \"hello\" now",
        "say \"bye\" now",
        "say “bye” now\n",
        Unicode,
    );
    check(
        "\tmsg = “hi”\n",
        "    msg = \"hi\"",
        "    msg = \"yo\"",
        "\tmsg = “yo”\n",
        Unicode,
    );
    check("x—y\n", "x--y", "x-y", "x-y\n", Unicode);
    check(
        "— a\r\n— b\r\n",
        "-- a\n-- b\n",
        "-- a\n-- c\n",
        "— a\r\n— c\r\n",
        Unicode,
    );
    check_all("“a” then “a”\n", "\"a\"", "\"b\"", "“b” then “b”\n", 2);
    check_absent("a—b\n", "a-");
}

#[test]
fn escape_sequences_are_undone_on_both_sides() {
    check("a()\nb()\nc()\n", "a()\\nb()", "a()", "a()\nc()\n", Escape);
    check("\tfoo()\n", "\\tfoo()", "\\tbar()", "\tbar()\n", Escape);
    check("a\r\nb\r\n", "a\\nb", "a\\nc", "a\r\nc\r\n", Escape);
    check(
        "p = \"x\\n\"\n",
        "\"x\\n\"",
        "\"y\\n\"",
        "p = \"y\\n\"\n",
        Exact,
    );
    let refusal = replace(
        "print('it')\n",
        "print(\\'it\\')",
        "print(\\'at\\')",
        false,
        &Cancel::never(),
    );
    assert_eq!(refusal, Err(Refusal::EscapeDrift { line: 1 }));
}

#[test]
fn an_edit_that_holds_the_old_passage_is_done_once() {
    let again = |text: &str, old: &str, new: &str| replace(text, old, new, false, &Cancel::never());
    let applied = Err(Refusal::Applied { line: 2 });
    assert_eq!(
        again("# Log\n- one\n- two\n", "- one", "- one\n- two"),
        applied
    );
    assert_eq!(again("a\n  x()\n  y()\n", "\tx()", "\tx()\n\ty()"), applied);
    assert_eq!(again("a\r\nb\r\nc\r\n", "b\n", "b\nc\n"), applied);
    check("b\na\n", "b", "b\nc", "b\nc\na\n", Exact);
    check_all("nn", "n", "nn", "nnnn", 2);
}

#[test]
fn a_place_of_another_kind_does_not_make_a_strict_one_ambiguous() {
    check(
        "go() + 1\n  go()\n",
        "\tgo()",
        "\tstop()",
        "go() + 1\n  stop()\n",
        Indentation,
    );
}

#[test]
fn a_text_of_many_chunks_is_searched_whole() {
    // Every word is common, so that all of it is folded; the one place lies across two chunks.
    let line = "    call(a,  b);\n";
    let filler = line.repeat((128 << 10) / line.len() - 1);
    let text = format!("{filler}  x\n  y\n{filler}{filler}");
    for shift in 0..4 {
        let text = format!("{}{text}", line.repeat(shift));
        let replaced = replace(&text, "x\ny\ncall(a, b);", "z", false, &Cancel::never()).unwrap();
        assert_eq!(replaced.strategy, WhiteSpace);
        assert_eq!(
            replaced.text,
            text.replacen(&format!("  x\n  y\n{line}"), "  z\n", 1)
        );
    }
    let all = replace(&text, "call(a, b);", "c();", true, &Cancel::never()).unwrap();
    assert_eq!(all.count, text.matches("call").count());
    assert_eq!(all.text, text.replace("call(a,  b);", "c();"));
    // And the same with one word that is nowhere else.
    let text = text.replace("  x\n", "  xylophone\n");
    let replaced = replace(&text, "xylophone\ny\n", "", false, &Cancel::never()).unwrap();
    assert_eq!(replaced.text, text.replace("  xylophone\n  y\n", ""));
}
