//! Toolsets of one capability each.

use hermes_tools::toolset;

toolset! {
    name: "web",
    description: "Search the web and read pages.",
    tools: ["web_extract", "web_search"],
}

toolset! {
    name: "search",
    description: "Search the web without reading pages.",
    tools: ["web_search"],
}

toolset! {
    name: "x_search",
    description: "Search posts on X.",
    tools: ["x_search"],
}

toolset! {
    name: "vision",
    description: "Answer questions about images.",
    tools: ["vision_analyze"],
}

toolset! {
    name: "video",
    description: "Answer questions about videos.",
    tools: ["video_analyze"],
}

toolset! {
    name: "image_gen",
    description: "Make images from a description.",
    tools: ["image_generate"],
}

toolset! {
    name: "video_gen",
    description: "Make, edit and extend videos.",
    tools: ["video_generate", "xai_video_edit", "xai_video_extend"],
}

toolset! {
    name: "computer_use",
    description: "See the desktop and control its pointer and keyboard.",
    tools: ["computer_use"],
}

toolset! {
    name: "terminal",
    description: "Run commands and look after the processes they start.",
    tools: ["process", "terminal"],
}

toolset! {
    name: "skills",
    description: "Read, write and manage skill documents.",
    tools: ["skill_manage", "skill_view", "skills_list"],
}

toolset! {
    name: "browser",
    description: "Drive a browser; web search is lent for finding addresses.",
    tools: [
        "browser_back", "browser_cdp", "browser_click", "browser_console", "browser_dialog",
        "browser_exec", "browser_get_images", "browser_navigate", "browser_press", "browser_scroll",
        "browser_snapshot", "browser_type", "browser_vision", "web_search",
    ],
    lent: ["web_search"],
}

toolset! {
    name: "cronjob",
    description: "Schedule jobs that run later or repeatedly.",
    tools: ["cronjob"],
}

toolset! {
    name: "file",
    description: "Read, write, edit and search files in the workspace.",
    tools: ["patch", "read_file", "search_files", "write_file"],
}

toolset! {
    name: "tts",
    description: "Turn text into speech.",
    tools: ["text_to_speech"],
}

toolset! {
    name: "todo",
    description: "Keep the list of tasks of a session.",
    tools: ["todo"],
}

toolset! {
    name: "memory",
    description: "Keep notes that outlive a session.",
    tools: ["memory"],
}

toolset! {
    // check-toolsets: allow(empty-toolset): its tools are registered at run time.
    name: "context_engine",
    description: "Tools of the active context engine, which registers them at run time.",
}

toolset! {
    name: "session_search",
    description: "Search earlier conversations.",
    tools: ["session_search"],
}

toolset! {
    name: "project",
    description: "List, create and switch the projects of the desktop application.",
    tools: ["project_create", "project_list", "project_switch"],
}

toolset! {
    name: "desktop_ui",
    description: "Work with the panes of the desktop application; only its sessions have them.",
    tools: ["close_terminal", "open_preview", "read_terminal"],
}

toolset! {
    name: "clarify",
    description: "Ask the user a question.",
    tools: ["clarify"],
}

toolset! {
    name: "code_execution",
    description: "Run a script that calls tools.",
    tools: ["execute_code"],
}

toolset! {
    name: "delegation",
    description: "Hand a task to a sub-agent.",
    tools: ["delegate_task"],
}

toolset! {
    name: "homeassistant",
    description: "Read and control the devices of a Home Assistant.",
    tools: ["ha_call_service", "ha_get_state", "ha_list_entities", "ha_list_services"],
}

toolset! {
    name: "kanban",
    description: "Work on a task board that agents share.",
    tools: [
        "kanban_attach", "kanban_attach_url", "kanban_attachments", "kanban_block",
        "kanban_comment", "kanban_complete", "kanban_create", "kanban_heartbeat", "kanban_link",
        "kanban_list", "kanban_request_changes", "kanban_request_review", "kanban_show",
        "kanban_unblock",
    ],
}

toolset! {
    name: "discord",
    description: "Read and take part in Discord channels.",
    tools: ["discord"],
}

toolset! {
    name: "discord_admin",
    description: "Manage a Discord server.",
    tools: ["discord_admin"],
}

toolset! {
    name: "yuanbao",
    description: "Ask about Yuanbao groups, send messages and stickers.",
    tools: [
        "yb_query_group_info", "yb_query_group_members", "yb_search_sticker", "yb_send_dm",
        "yb_send_sticker",
    ],
}

toolset! {
    name: "feishu_doc",
    description: "Read Feishu documents.",
    tools: ["feishu_doc_read"],
}

toolset! {
    name: "feishu_drive",
    description: "Read and write comments in Feishu Drive.",
    tools: [
        "feishu_drive_add_comment", "feishu_drive_list_comment_replies",
        "feishu_drive_list_comments", "feishu_drive_reply_comment",
    ],
}

toolset! {
    name: "spotify",
    description: "Control playback and manage the library on Spotify.",
    tools: [
        "spotify_albums", "spotify_devices", "spotify_library", "spotify_playback",
        "spotify_playlists", "spotify_queue", "spotify_search",
    ],
}
