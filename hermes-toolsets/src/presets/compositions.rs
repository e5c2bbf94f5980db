//! Toolsets that put capabilities together for a way of working.

use hermes_tools::toolset;

toolset! {
    name: "debugging",
    description: "Run commands, with the web and files at hand.",
    tools: ["process", "terminal"],
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
        "browser_back", "browser_cdp", "browser_click", "browser_console", "browser_dialog",
        "browser_exec", "browser_get_images", "browser_navigate", "browser_press", "browser_scroll",
        "browser_snapshot", "browser_type", "browser_vision", "clarify", "delegate_task",
        "execute_code", "memory", "patch", "process", "read_file", "search_files", "session_search",
        "skill_manage", "skill_view", "skills_list", "terminal", "todo", "vision_analyze",
        "web_extract", "web_search", "write_file",
    ],
    posture: true,
}
