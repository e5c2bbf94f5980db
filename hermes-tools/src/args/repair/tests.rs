//! What is certain and what is not, where the vectors say nothing.

use super::{Options, read};

const OPTIONS: Options<'_> = Options {
    close: true,
    prose: true,
    keys: None,
};

fn repaired(text: &str) -> String {
    match read(text, OPTIONS) {
        Ok(reading) => reading.node.to_json(),
        Err(stop) if stop.cut => "cut".to_owned(),
        Err(_) => "refused".to_owned(),
    }
}

#[test]
fn closers_in_the_wrong_order_are_read_in_the_one_way_that_works() {
    assert_eq!(
        repaired(r#"{"a":[{"b":1]},"c":2}"#),
        r#"{"a":[{"b":1}],"c":2}"#
    );
    assert_eq!(repaired(r#"{"a":[{"b":1]}"#), r#"{"a":[{"b":1}]}"#);
    assert_eq!(repaired(r#"{"a":[1,2}"#), r#"{"a":[1,2]}"#);
    assert_eq!(
        repaired(r#"{"a":{"b":1}},"c":2}"#),
        r#"{"a":{"b":1},"c":2}"#
    );
    assert_eq!(repaired(r"{a:1},b:2}"), r#"{"a":1,"b":2}"#);
}

#[test]
fn nothing_that_belongs_to_a_call_is_dropped_with_the_words_around_it() {
    for text in [
        r#""path":"a","opts":{"b":1}}"#,
        r#"{"a":1} "b": 2"#,
        r#"{"s":"a"} b"}"#,
        r#"path="x", opts={"a":1}"#,
        r#"{"a":1}{"a":"#,
        r#"{"a":tru {"b":1}"#,
    ] {
        assert!(
            ["refused", "cut"].contains(&&*repaired(text)),
            "{text}: {}",
            repaired(text)
        );
    }
}

#[test]
fn a_string_ends_where_only_one_reading_is_left() {
    assert_eq!(repaired(r#"{"q":"a 5" disk"}"#), r#"{"q":"a 5\" disk"}"#);
    assert_eq!(repaired(r"{'q':'it's fine'}"), r#"{"q":"it's fine"}"#);
    assert_eq!(
        repaired(r#"{"q":"他说"好"。","n":1,}"#),
        r#"{"q":"他说\"好\"。","n":1}"#
    );
    assert_eq!(repaired(r#"{"code":"""x = "a"\n"""}"#), "refused");
    assert_eq!(
        repaired("{\"code\":\"\"\"x = \"a\"\n\"\"\"}"),
        r#"{"code":"x = \"a\"\n"}"#
    );
    for text in [
        // The quotation may end at the quote, or the string.
        r#"{"cmd":"echo "a","b":"c""}"#,
        // A quote is missing.
        r#"{"path":"a.txt, "content":"hello"}"#,
        r#"{"a":"x", "b" "y"}"#,
        r#"["a""b"]"#,
    ] {
        assert!(
            ["refused", "cut"].contains(&&*repaired(text)),
            "{text}: {}",
            repaired(text)
        );
    }
}

#[test]
fn backslashes_are_kept_only_where_all_of_them_are_meant_as_such() {
    assert_eq!(repaired(r#"{"re":"\d+"}"#), r#"{"re":"\\d+"}"#);
    assert_eq!(repaired(r#"{"re":"\bfoo\d"}"#), "refused");
    assert_eq!(repaired(r#"{"p":"C:\new\dir"}"#), "refused");
    assert_eq!(
        repaired(r#"{"p":"C:\users\me"}"#),
        r#"{"p":"C:\\users\\me"}"#
    );
    assert_eq!(repaired(r#"{"p":"\x1b[0m"}"#), "refused");
    assert_eq!(repaired(r"{'p':'\x41'}"), r#"{"p":"A"}"#);
}

#[test]
fn comments_go_unless_they_may_have_swallowed_something() {
    assert_eq!(
        repaired("{\"a\":1, // one\n# two\n\"b\":/* three */2}"),
        r#"{"a":1,"b":2}"#
    );
    assert_eq!(repaired(r#"{"a":1, // one "b":2}"#), "refused");
    assert_eq!(
        repaired(r#"{"u":"http://x/#y",}"#),
        r#"{"u":"http://x/#y"}"#
    );
}

#[test]
fn hostile_text_takes_bounded_time_and_depth() {
    let long = 1 << 17;
    for text in [
        "[".repeat(long),
        "{\"a\":".repeat(long),
        format!("{{\"a\":\"{}", "\"/*".repeat(long)),
        format!("{{\"a\":\"{}", "\"#".repeat(long)),
        format!("{{\"a\":\"{}", "\"}".repeat(long)),
        format!("{{\"a\":\"{}", "\", \"b".repeat(long)),
        format!("{{\"a\":\"{}\"}}", "\" ".repeat(long)),
        "{".repeat(long),
        "{ {\"".repeat(long),
        "{\"a\":1}".repeat(long),
        format!("{{\"a\":[{}", "1,,".repeat(long)),
        format!("{{\"a\":1{}", "]".repeat(long)),
        "\\\"{".repeat(long),
        format!("{{a:{}1}}", " ".repeat(long)),
        format!("{{\"a\":{},}}", "9".repeat(long)),
    ] {
        // What comes of it is no matter here, only that something does.
        let _ = read(&text, OPTIONS);
    }
}

#[test]
fn a_quote_that_is_written_twice_before_a_letter_may_mean_three_things() {
    assert_eq!(repaired(r"{'q':'it''s'}"), "refused");
    assert_eq!(repaired(r#"{"q":"say ""hi"" now"}"#), "refused");
    assert_eq!(
        repaired(r#"{"q":"print("")","n":1}"#),
        r#"{"q":"print(\"\")","n":1}"#
    );
    assert_eq!(
        repaired(r#"{"q":"end with "it""}"#),
        r#"{"q":"end with \"it\""}"#
    );
}

#[test]
fn an_object_that_begins_behind_the_arguments_is_not_dropped() {
    assert_eq!(repaired("```json\n{\"a\":1}}{\n```"), "refused");
    assert_eq!(repaired("{\"a\":1} {x} done"), "refused");
    assert_eq!(repaired("{\"a\":1}\nas {x} said"), r#"{"a":1}"#);
}
