//! Toolsets that put capabilities together for a way of working.

use hermes_tools::toolset;

toolset! {
    name: "debugging",
    description: "Run commands, with the web and files at hand.",
    tools: ["terminal", "process"],
    includes: ["web", "file"],
}

toolset! {
    name: "safe",
    description: "The web, images and image making, without commands or files.",
    includes: ["web", "vision", "image_gen"],
}

toolset! {
    name: "coding",
    description: "Everything that work on code needs, and nothing that distracts from it.",
    tools: [
        "web_search", "web_extract", "terminal", "process", "read_file", "write_file", "patch",
        "search_files", "vision_analyze", "skills_list", "skill_view", "skill_manage",
        "browser_navigate", "browser_snapshot", "browser_click", "browser_type", "browser_scroll",
        "browser_back", "browser_press", "browser_get_images", "browser_vision", "browser_console",
        "browser_cdp", "browser_dialog", "browser_exec", "todo", "memory", "session_search",
        "clarify", "execute_code", "delegate_task",
    ],
    posture: true,
}
