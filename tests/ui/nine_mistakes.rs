use hermes_tools::tool;

/// Does it.
#[tool(toolst = "file", effect = "reed", timeout = 30, max_result = 0)]
pub async fn read(
    path: String,
    /// The line.
    #[arg(defalt = 1)]
    line: u32,
    /// The mode.
    mode: &str,
    /// The pair.
    (a, b): (u32, u32),
    /// The map.
    #[cfg(unix)]
    map: u8,
) -> String {
    format!("{path}{line}{mode}{a}{b}{map}")
}

fn main() {}
