//! A clock on the wall that is set, forward and back by hours, while a client is there.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hermes_tools::audit::AuditLog;
use hermes_tools::testing::FakeClock;
use hermes_tools::{Availability, CheckContext, Selection, Session, ToolRegistry, tool, tools};
use serde_json::{Value, json};

use crate::tools::{Running, builder, registry};
use crate::wire::Wire;

/// What the log says, line by line.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Written {
    fn lines(&self) -> Vec<Value> {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.collect()
    }
}

fn hour(hour: u64) -> SystemTime {
    UNIX_EPOCH + Duration::from_hours(hour)
}

#[tokio::test]
async fn a_call_ends_at_its_limit_whatever_the_clock_is_set_to_meanwhile() {
    let (clock, log) = (FakeClock::new(), Written::default());
    let running: Arc<Running> = Arc::default();
    let session = builder(registry())
        .shared_state(Arc::clone(&running))
        .executor(clock.clone())
        .timeout(Duration::from_mins(1))
        .audit(Arc::new(AuditLog::to(log.clone())))
        .build()
        .unwrap();
    clock.set_wall_clock(hour(1_000));
    let mut wire = Wire::open(session).await;
    for (number, set) in [(1, 1_010), (2, 990)] {
        wire.request(number, "tools/call", &json!({"name": "slow"}))
            .await;
        running.all_begun(usize::try_from(number).unwrap()).await;
        clock.set_wall_clock(hour(set));
        wire.request(10 + number, "ping", &json!({})).await;
        assert_eq!(wire.answer(10 + number).await["result"], json!({}));
        clock.advance(Duration::from_secs(61));
        let answer = wire.answer(number).await;
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        let error: Value = serde_json::from_str(text).unwrap();
        assert_eq!(error["code"], "timeout", "{error}");
        // It ran for as long as time has passed, and no longer and no shorter.
        let line = log.lines().pop().unwrap();
        assert_eq!(line["duration_ms"], 61_000, "{line}");
        assert_eq!(
            line["time"],
            if set == 1_010 {
                "1970-02-12T02:00:00.000Z"
            } else {
                "1970-02-11T06:00:00.000Z"
            }
        );
    }
}

static ASKED: AtomicUsize = AtomicUsize::new(0);

fn counted(_: &CheckContext<'_>) -> Availability {
    ASKED.fetch_add(1, Ordering::SeqCst);
    Availability::Available
}

/// Look.
#[tool(toolset = "test", effect = "read", check = counted, inline)]
fn looked() -> &'static str {
    "seen"
}

#[tokio::test]
async fn what_is_known_of_tools_ages_with_time_and_not_with_the_clock() {
    let clock = FakeClock::new();
    clock.set_wall_clock(hour(1_000));
    let registry = ToolRegistry::of(tools![looked]).unwrap();
    let session = Session::builder(registry, Selection::of(["looked"]))
        .executor(clock.clone())
        .build()
        .unwrap();
    let mut wire = Wire::open(session).await;
    let mut id = 0;
    for (set, passed, asked) in [(1_000, 0, 1), (1_010, 5, 1), (990, 5, 1), (990, 25, 2)] {
        clock.set_wall_clock(hour(set));
        clock.advance(Duration::from_secs(passed));
        id += 2;
        wire.request(id, "tools/list", &json!({})).await;
        let listed = wire.answer(id).await;
        assert_eq!(listed["result"]["tools"][0]["name"], "looked");
        let call = wire.call(id + 1, &json!({"name": "looked"})).await;
        assert_eq!(call["result"]["content"][0]["text"], "seen");
        assert_eq!(ASKED.load(Ordering::SeqCst), asked, "{set}, {passed}");
    }
}
