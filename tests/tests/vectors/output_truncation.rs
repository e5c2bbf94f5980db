//! Cutting long output, both ends kept.

use hermes_tests::{Line, Outcome, VectorFile};
use hermes_tools::output::truncate::{
    Collector, TailRing, bytes_head_tail, halves, head_tail_lines, log_page,
};
use serde::Deserialize;
use serde_json::json;

#[test]
fn output_truncation_vectors() {
    VectorFile::new("output_truncation")
        .kinds(["output_truncation"])
        .run(cut);
}

#[derive(Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case", deny_unknown_fields)]
enum Input {
    Collector {
        max_chars: usize,
        chunks: Vec<String>,
        suffix: String,
        notice: String,
    },
    BytesHeadTail {
        max_bytes: usize,
        text: String,
        notice: String,
    },
    HeadTailLines {
        cap: usize,
        text: String,
    },
    Halves {
        budget: usize,
        text: String,
    },
    TailRing {
        cap: usize,
        chunks: Vec<String>,
    },
    LogPage {
        lines: usize,
        offset: Option<usize>,
        limit: Option<usize>,
    },
}

fn cut(line: &Line) -> Result<Outcome, String> {
    let filled = |notice: &str, omitted: usize, total: usize| {
        notice
            .replace("{omitted}", &omitted.to_string())
            .replace("{total}", &total.to_string())
    };
    let answer = match line.input()? {
        Input::Collector {
            max_chars,
            chunks,
            suffix,
            notice,
        } => {
            let mut collector = Collector::new(max_chars);
            for chunk in &chunks {
                collector.push(chunk);
            }
            let kept = collector.render(&suffix, |omitted, total| filled(&notice, omitted, total));
            json!({"text": kept.text, "truncated": kept.truncated, "total": kept.total})
        }
        Input::BytesHeadTail {
            max_bytes,
            text,
            notice,
        } => {
            let kept = bytes_head_tail(text.as_bytes(), max_bytes, |omitted, total| {
                filled(&notice, omitted, total)
            });
            json!({
                "text": kept.text, "truncated": kept.truncated, "captured": kept.captured,
                "total": kept.total, "omitted": kept.omitted,
            })
        }
        Input::HeadTailLines { cap, text } => {
            let ends = head_tail_lines(&text, cap);
            let mut answer = json!({
                "truncated": ends.truncated, "head": ends.head, "tail": ends.tail,
                "total": ends.total,
            });
            if ends.truncated {
                answer["resume_line"] = ends.resume_line().into();
            }
            answer
        }
        Input::Halves { budget, text } => {
            let ends = halves(&text, budget);
            json!({
                "truncated": ends.truncated, "head": ends.head, "tail": ends.tail,
                "omitted": ends.omitted(),
            })
        }
        Input::TailRing { cap, chunks } => {
            let mut ring = TailRing::new(cap);
            for chunk in &chunks {
                ring.push(chunk);
            }
            json!({"text": ring.text()})
        }
        Input::LogPage {
            lines,
            offset,
            limit,
        } => {
            let log: Vec<String> = (0..lines).map(|number| format!("line {number}")).collect();
            json!({"lines": log_page(&log, offset, limit), "total_lines": lines})
        }
    };
    // A text that is whole has no line to go on with; lines may or may not say so.
    let expected: serde_json::Value = line.expected()?;
    let mut answer = answer;
    if answer.get("truncated") == Some(&false.into())
        && let (Some(line), Some(answer)) = (expected.get("resume_line"), answer.as_object_mut())
    {
        if !line.is_null() {
            return Err(format!("a whole text is to be read on at line {line}"));
        }
        answer.insert("resume_line".to_owned(), serde_json::Value::Null);
    }
    Ok(Outcome::Answer(answer))
}
