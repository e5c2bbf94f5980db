//! Decoding never panics; what it gives fits the schema, and its canonical form decodes to itself.
#![no_main]

mod schemas;

use hermes_tools::args::{RawArguments, canonical};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((schema, rest)) = schemas::choose(data) else {
        return;
    };
    let text = String::from_utf8_lossy(rest);
    let Ok(decoded) = schema.decode(RawArguments::new(&text)) else {
        let cut = RawArguments::new(&text).finish_reason("length");
        assert!(
            schema.decode(cut).is_err(),
            "less is certain when the model was cut off"
        );
        return;
    };
    assert!(
        schema.accepts(&decoded.arguments),
        "the result does not fit"
    );
    let form = decoded.arguments.canonical();
    assert_eq!(canonical(&form).as_deref(), Ok(&*form));
    let again = schema
        .decode(RawArguments::new(&form))
        .expect("the canonical form decodes");
    assert_eq!(again.arguments.canonical(), form);
    if decoded.repairs.is_empty()
        && let Ok(sent) = canonical(&text)
        && !matches!(&*sent, "null")
        && !sent.contains("null")
    {
        assert_eq!(sent, form, "changed without a word");
    }
});
