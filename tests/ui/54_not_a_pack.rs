hermes_tools::link!(serde_json);

fn main() {}
