fn main() {
    let _ = hermes_tools::tools![read_file(), "read_file"];
}
