//! What the front ends that are no messaging platform start with.

use hermes_tools::{Effect, toolset};

toolset! {
    name: "hermes-acp",
    description: "Sessions of an editor.",
    tools: [
        "web_search", "web_extract", "terminal", "process", "read_file", "write_file", "patch",
        "search_files", "vision_analyze", "skills_list", "skill_view", "skill_manage",
        "browser_navigate", "browser_snapshot", "browser_click", "browser_type", "browser_scroll",
        "browser_back", "browser_press", "browser_get_images", "browser_vision", "browser_console",
        "browser_cdp", "browser_dialog", "browser_exec", "todo", "memory", "session_search",
        "execute_code", "delegate_task",
    ],
}

toolset! {
    name: "hermes-api-server",
    description: "Sessions over the HTTP interface.",
    tools: [
        "web_search", "web_extract", "terminal", "process", "read_file", "write_file", "patch",
        "search_files", "vision_analyze", "image_generate", "skills_list", "skill_view",
        "skill_manage", "browser_navigate", "browser_snapshot", "browser_click", "browser_type",
        "browser_scroll", "browser_back", "browser_press", "browser_get_images", "browser_vision",
        "browser_console", "browser_cdp", "browser_dialog", "browser_exec", "todo", "memory",
        "session_search", "execute_code", "delegate_task", "cronjob", "ha_list_entities",
        "ha_get_state", "ha_list_services", "ha_call_service",
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
    tools: ["web_search", "web_extract", "vision_analyze", "clarify"],
    max_effect: Effect::Read,
}
