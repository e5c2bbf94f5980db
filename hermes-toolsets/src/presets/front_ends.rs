//! What the front ends that are no messaging platform start with.

use hermes_tools::{Effect, toolset};

toolset! {
    name: "hermes-acp",
    description: "Sessions of an editor.",
    tools: [
        "browser_back", "browser_cdp", "browser_click", "browser_console", "browser_dialog",
        "browser_exec", "browser_get_images", "browser_navigate", "browser_press", "browser_scroll",
        "browser_snapshot", "browser_type", "browser_vision", "delegate_task", "execute_code",
        "memory", "patch", "process", "read_file", "search_files", "session_search", "skill_manage",
        "skill_view", "skills_list", "terminal", "todo", "vision_analyze", "web_extract",
        "web_search", "write_file",
    ],
}

toolset! {
    name: "hermes-api-server",
    description: "Sessions over the HTTP interface.",
    tools: [
        "browser_back", "browser_cdp", "browser_click", "browser_console", "browser_dialog",
        "browser_exec", "browser_get_images", "browser_navigate", "browser_press", "browser_scroll",
        "browser_snapshot", "browser_type", "browser_vision", "cronjob", "delegate_task",
        "execute_code", "ha_call_service", "ha_get_state", "ha_list_entities", "ha_list_services",
        "image_generate", "memory", "patch", "process", "read_file", "search_files",
        "session_search", "skill_manage", "skill_view", "skills_list", "terminal", "todo",
        "vision_analyze", "web_extract", "web_search", "write_file",
    ],
}

toolset! {
    name: "hermes-cli",
    description: "Sessions in a shell.",
    core: true,
}

toolset! {
    name: "hermes-cron",
    description: "Scheduled runs.",
    core: true,
}

toolset! {
    name: "hermes-webhook",
    description: "Events from outside, whose content is not trusted: reading only.",
    tools: ["clarify", "vision_analyze", "web_extract", "web_search"],
    max_effect: Effect::Read,
}
