//! Tools that the presets name and no pack has yet.

/// Reserves names of tools that toolsets list before a pack brings them.
///
/// It makes `pub const RESERVED_TOOLS`, the names as they are written. The static check
/// accepts a reserved name in a toolset, and reports a reservation whose tool exists by now.
///
/// ```
/// hermes_toolsets::reserved_tools! {
///     "web_extract",
///     "web_search",
/// }
///
/// assert_eq!(RESERVED_TOOLS, ["web_extract", "web_search"]);
/// ```
#[macro_export]
macro_rules! reserved_tools {
    ($($name:literal),* $(,)?) => {
        /// Names of tools that toolsets list and no pack has yet.
        pub const RESERVED_TOOLS: &[&str] = &[$($name),*];
    };
}

reserved_tools! {
    "browser_back",
    "browser_cdp",
    "browser_click",
    "browser_console",
    "browser_dialog",
    "browser_exec",
    "browser_get_images",
    "browser_navigate",
    "browser_press",
    "browser_scroll",
    "browser_snapshot",
    "browser_type",
    "browser_vision",
    "clarify",
    "close_terminal",
    "computer_use",
    "cronjob",
    "delegate_task",
    "discord",
    "discord_admin",
    "execute_code",
    "feishu_doc_read",
    "feishu_drive_add_comment",
    "feishu_drive_list_comment_replies",
    "feishu_drive_list_comments",
    "feishu_drive_reply_comment",
    "ha_call_service",
    "ha_get_state",
    "ha_list_entities",
    "ha_list_services",
    "image_generate",
    "kanban_attach",
    "kanban_attach_url",
    "kanban_attachments",
    "kanban_block",
    "kanban_comment",
    "kanban_complete",
    "kanban_create",
    "kanban_heartbeat",
    "kanban_link",
    "kanban_list",
    "kanban_request_changes",
    "kanban_request_review",
    "kanban_show",
    "kanban_unblock",
    "memory",
    "open_preview",
    "project_create",
    "project_list",
    "project_switch",
    "read_terminal",
    "session_search",
    "skill_manage",
    "skill_view",
    "skills_list",
    "spotify_albums",
    "spotify_devices",
    "spotify_library",
    "spotify_playback",
    "spotify_playlists",
    "spotify_queue",
    "spotify_search",
    "text_to_speech",
    "todo",
    "video_analyze",
    "video_generate",
    "vision_analyze",
    "web_extract",
    "web_search",
    "x_search",
    "xai_video_edit",
    "xai_video_extend",
    "yb_query_group_info",
    "yb_query_group_members",
    "yb_search_sticker",
    "yb_send_dm",
    "yb_send_sticker",
}
