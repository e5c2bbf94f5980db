//! Pieces decode to what the whole decodes to; what is given out early stays, but for keys that are
//! sent twice and wrappers.
#![no_main]

mod schemas;

use hermes_tools::args::{ArgumentStream, RawArguments};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((schema, rest)) = schemas::choose(data) else {
        return;
    };
    let Some((step, bytes)) = rest.split_first() else {
        return;
    };
    let mut stream = ArgumentStream::new(schema);
    let mut early = Vec::new();
    for piece in bytes.chunks(1 + usize::from(*step % 16)) {
        early.extend(stream.push(piece));
    }
    let text = String::from_utf8_lossy(bytes);
    let streamed = stream.finish(None);
    assert_eq!(streamed, schema.decode(RawArguments::new(&text)));
    let Ok(decoded) = streamed else { return };
    let untouched = |what: &str| !what.contains("twice") && !what.contains("wrapper");
    if decoded.repairs.iter().all(|repair| untouched(repair.what)) {
        for parameter in early {
            assert_eq!(
                decoded.arguments.get(&parameter.name),
                Some(&parameter.value)
            );
        }
    }
});
