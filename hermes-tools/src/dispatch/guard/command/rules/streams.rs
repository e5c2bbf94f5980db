//! What programs print, as far as that matters to those behind them.

use super::super::eval::Eval;
use super::super::field::{Field, Stream, Taint};
use super::super::options::{Options, Style};
use super::super::program::taint;
use super::network::{CONNECTORS, DOWNLOADERS};

impl Eval<'_> {
    pub(super) fn stream(&mut self, name: &str, arguments: &[Field], input: &Stream) -> Stream {
        let has = |words: &[&str]| arguments.iter().any(|it| words.contains(&it.text.as_str()));
        let decoded = Stream::unknown(input.taint.with(Taint::ENCODED));
        if DOWNLOADERS.contains(&name) || CONNECTORS.contains(&name) {
            return Stream::unknown(Taint::REMOTE);
        }
        match name {
            "cat" | "tac" | "tee" | "sponge" | "pv" | "buffer" | "stdbuf" => {
                self.through(name, arguments, input)
            }
            "head" | "tail" | "grep" | "egrep" | "sort" | "uniq" | "cut" | "awk" | "gawk"
            | "sed" | "fold" | "strings" | "less" | "more" | "iconv" | "dos2unix" => {
                // Of one line they show that line or nothing.
                let text = input.text.as_deref().unwrap_or("");
                if text.lines().count() == 1
                    && matches!(name, "head" | "tail" | "grep" | "egrep" | "sort" | "uniq")
                {
                    return input.clone();
                }
                let files = self.through("cat", arguments, input);
                Stream::unknown(files.taint.with(input.taint))
            }
            "base64" | "base32" | "base16" | "basenc" | "base58"
                if has(&["-d", "-D", "--decode", "-di", "-id"]) =>
            {
                decoded
            }
            "xxd"
                if arguments
                    .iter()
                    .any(|it| it.is_option() && it.text.contains('r')) =>
            {
                decoded
            }
            "openssl" | "gpg" | "age"
                if has(&["-d", "-D", "--decrypt", "-decrypt", "-a", "-A"])
                    || has(&["base64", "enc"]) =>
            {
                decoded
            }
            "openssl" if has(&["s_client"]) => Stream::unknown(Taint::REMOTE),
            "tr" | "rev" | "uudecode" | "zcat" | "gzcat" | "bzcat" | "xzcat" | "zstdcat"
            | "lz4cat" | "gunzip" | "bunzip2" | "unxz" | "unzstd" | "ascii85" | "qprint" => decoded,
            "gzip" | "bzip2" | "xz" | "zstd" | "lz4" | "lzma" | "brotli"
                if arguments
                    .iter()
                    .any(|it| it.is_option() && it.text.contains('d')) =>
            {
                decoded
            }
            "tar" | "unzip"
                if arguments.iter().any(|it| {
                    it.is_option() && (it.text.contains('O') || it.text.contains('p'))
                }) =>
            {
                decoded
            }
            "printenv" => Stream::unknown(Taint::SECRET),
            "pgrep" | "pidof" | "lsof" | "fuser" => Stream::unknown(Taint::PROCESSES),
            // One line stands for all, which are the same.
            "yes" => {
                let words: Vec<String> = arguments.iter().map(Field::plain).collect();
                let is_known = arguments.iter().all(Field::is_known) && !words.is_empty();
                let line = is_known.then(|| words.join(" ") + "\n");
                Stream::of(line, taint(arguments))
            }
            "basename" => match arguments.first().and_then(Field::known) {
                Some(path) => Stream::known(path.rsplit('/').next().unwrap_or("").to_owned()),
                None => Stream::unknown(Taint::NONE),
            },
            "pass" | "security" | "op" | "bw" | "vault" | "secret-tool" => {
                Stream::unknown(Taint::SECRET)
            }
            _ => Stream::unknown(input.taint.with(taint(arguments))),
        }
    }

    /// The files that a program shows, or else what it reads.
    fn through(&mut self, name: &str, arguments: &[Field], input: &Stream) -> Stream {
        let options = Options::of(arguments, Style::default());
        let shows_files = name == "cat" || name == "tac";
        if !shows_files || options.operands.is_empty() {
            return input.clone();
        }
        let mut output = Stream::known("");
        for operand in &options.operands {
            let next = if operand.text == "-" {
                input.clone()
            } else {
                self.read(operand)
            };
            output = output.then(next);
        }
        if name == "tac" {
            Stream::unknown(output.taint)
        } else {
            output
        }
    }
}
