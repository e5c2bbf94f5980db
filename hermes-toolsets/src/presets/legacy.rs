//! Names that old configurations use. They are no toolsets: only a selection knows them.

/// Old names with the tools that each stands for, sorted by name.
pub const LEGACY_NAMES: &[(&str, &[&str])] = &[
    (
        "browser_tools",
        &[
            "browser_navigate",
            "browser_snapshot",
            "browser_click",
            "browser_type",
            "browser_scroll",
            "browser_back",
            "browser_press",
            "browser_get_images",
            "browser_vision",
            "browser_console",
        ],
    ),
    ("cronjob_tools", &["cronjob"]),
    (
        "file_tools",
        &["read_file", "write_file", "patch", "search_files"],
    ),
    ("image_tools", &["image_generate"]),
    (
        "skills_tools",
        &["skills_list", "skill_view", "skill_manage"],
    ),
    ("terminal_tools", &["terminal"]),
    ("tts_tools", &["text_to_speech"]),
    ("vision_tools", &["vision_analyze"]),
    ("web_tools", &["web_search", "web_extract"]),
];

/// The tools that an old name stands for.
pub(crate) fn legacy(name: &str) -> Option<(&'static str, &'static [&'static str])> {
    let index = LEGACY_NAMES
        .binary_search_by_key(&name, |(old, _)| old)
        .ok()?;
    Some(LEGACY_NAMES[index])
}
