use super::*;

#[track_caller]
fn parse(text: &str) -> Vec<Operation<'_>> {
    Patch::parse(text).unwrap().operations
}

#[track_caller]
fn refused(text: &str, message: &str) {
    let error = Patch::parse(text).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadPatch);
    assert!(error.to_string().starts_with(message), "{error}");
}

#[test]
fn every_operation_is_read() {
    let text = "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@ hint @@\n c\n-d\n+e\nf\n\n g\n\
                *** Add File: n\n+x\n\n+ y\n*** Delete File: o\n*** Move File: p -> q r\n*** End Patch";
    let hunk = Hunk {
        hints: vec!["hint"],
        lines: vec![
            Line::Context("c"),
            Line::Removed("d"),
            Line::Added("e"),
            Line::Context("f"),
            Line::Bare,
            Line::Context("g"),
        ],
        at_end: false,
    };
    let expected = [
        Operation::Update {
            path: "a",
            moved_to: Some("b"),
            hunks: vec![hunk],
        },
        Operation::Add {
            path: "n",
            text: "x\n\n y\n".to_owned(),
        },
        Operation::Delete { path: "o" },
        Operation::Move {
            path: "p",
            to: "q r",
        },
    ];
    assert_eq!(parse(text), expected);
    assert_eq!(parse(&text.replace('\n', "\r\n")), expected);
    let patch = Patch::parse(text).unwrap();
    let paths: Vec<&str> = patch.paths().collect();
    assert_eq!(paths, ["a", "b", "n", "o", "p", "q r"]);
}

#[test]
fn the_markers_may_be_missing_and_words_stand_around() {
    let bare = "*** Delete File: a";
    let expected = [Operation::Delete { path: "a" }];
    assert_eq!(parse(bare), expected);
    assert_eq!(
        parse(&format!(
            "So:\n\n*** Begin Patch\n{bare}\n*** End Patch\nDone."
        )),
        expected
    );
}

#[test]
fn a_second_patch_is_read_as_well() {
    let text = "*** Begin Patch\n*** Delete File: a\n*** End Patch\nand\n\
                *** Begin Patch\n*** Delete File: b\n*** End Patch";
    assert_eq!(parse(text).len(), 2);
}

#[test]
fn markers_in_a_file_are_its_lines() {
    let text =
        "*** Begin Patch\n*** Add File: f\n+*** Begin Patch\n+*** End Patch\n+after\n*** End Patch";
    let added = Operation::Add {
        path: "f",
        text: "*** Begin Patch\n*** End Patch\nafter\n".to_owned(),
    };
    assert_eq!(parse(text), [added]);
}

#[test]
fn a_new_file_may_be_empty_or_end_without_a_line_feed() {
    let text = |lines: &str| match &parse(&format!("*** Add File: f{lines}"))[..] {
        [Operation::Add { text, .. }] => text.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(text(""), "");
    assert_eq!(text("\n+"), "\n");
    assert_eq!(text("\n+a\n\\ No newline at end of file\n"), "a");
}

#[test]
fn what_is_not_understood_is_refused_with_its_line() {
    refused("", "the patch holds no operation");
    refused(
        "*** Begin Patch\n*** End Patch",
        "the patch holds no operation",
    );
    refused(
        "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n",
        "the patch holds no operation",
    );
    refused("@@\n-one\n+two\n", "the patch holds no operation");
    refused(
        "*** Update File: \n@@\n-a\n+b",
        "line 1: the header has no path",
    );
    refused(
        "*** Update File: a\n*** End Patch",
        "line 1: the update of `a` has no lines",
    );
    refused(
        "*** Update File: a\n@@\n\n@@\n",
        "line 1: the update of `a` has no lines",
    );
    refused("*** Move File: a b", "line 1: a move has two paths: `a b`");
    refused(
        "*** Move File: a -> b -> c",
        "line 1: a move has two paths: `a -> b -> c`",
    );
    refused(
        "*** Add File: a\nx",
        "line 2: every line of a new file begins with `+`: `x`",
    );
    refused(
        "*** Add File: a\n+x\n*** Rename File: b",
        "line 3 is no known header",
    );
    refused(
        "*** Move to: b",
        "line 1: `*** Move to: b` does not belong there",
    );
    refused(
        "*** Update File: a\n@@\n-x\n*** Move to: b",
        "line 4: `*** Move to: b` does not",
    );
    refused(
        "*** Delete File: a\n*** End of File",
        "line 2: `*** End of File` does not",
    );
    refused(
        "*** Begin Patch\n@@\n-a\n*** Delete File: b",
        "line 2 belongs to no file: `@@`",
    );
    refused(
        "*** Move File: a -> b\n@@\n-x\n+y",
        "line 2 belongs to no file: `@@`",
    );
}

#[test]
fn no_path_leads_upwards() {
    for header in [
        "*** Update File: d/../a",
        "*** Add File: ../a",
        "*** Delete File: /w/../a",
        "*** Move File: a -> d/..",
        "*** Move File: ./../a -> b",
        "*** Update File: a\n*** Move to: b/../c",
    ] {
        let error = Patch::parse(header).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutsideWorkspace, "{header}");
    }
    let dots = "*** Delete File: a../...b/..c";
    assert!(Patch::parse(dots).is_ok());
}
