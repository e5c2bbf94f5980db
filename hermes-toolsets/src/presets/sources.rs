//! Which toolset a session starts with, by where it comes from.

use hermes_tools::SessionSource;

/// Names of session sources with their default toolset, sorted by name.
const DEFAULTS: &[(&str, &str)] = &[
    ("acp", "hermes-acp"),
    ("api_server", "hermes-api-server"),
    ("bluebubbles", "hermes-bluebubbles"),
    ("cli", "hermes-cli"),
    ("cron", "hermes-cron"),
    // A desktop session has what a shell has, and its panes beside it.
    ("desktop", "hermes-cli"),
    ("dingtalk", "hermes-dingtalk"),
    ("discord", "hermes-discord"),
    ("email", "hermes-email"),
    ("feishu", "hermes-feishu"),
    ("homeassistant", "hermes-homeassistant"),
    ("matrix", "hermes-matrix"),
    ("mattermost", "hermes-mattermost"),
    ("qqbot", "hermes-qqbot"),
    ("signal", "hermes-signal"),
    ("slack", "hermes-slack"),
    ("telegram", "hermes-telegram"),
    ("webhook", "hermes-webhook"),
    ("wecom", "hermes-wecom"),
    ("wecom_callback", "hermes-wecom-callback"),
    ("weixin", "hermes-weixin"),
    ("whatsapp", "hermes-whatsapp"),
    ("whatsapp_cloud", "hermes-whatsapp"),
    ("yuanbao", "hermes-yuanbao"),
];

/// The toolset of the panes of the desktop application: the source of a session alone enables it.
pub(crate) const DESKTOP_UI: &str = "desktop_ui";

/// The toolset that a session of this source starts with, or `None` for a messaging platform that
/// is none of ours.
///
/// ```
/// use hermes_tools::SessionSource;
/// use hermes_toolsets::default_toolset;
///
/// assert_eq!(default_toolset(&SessionSource::Editor), Some("hermes-acp"));
/// assert_eq!(default_toolset(&SessionSource::Platform("irc".into())), None);
/// ```
pub fn default_toolset(source: &SessionSource) -> Option<&'static str> {
    let index = DEFAULTS
        .binary_search_by_key(&source.name(), |(name, _)| name)
        .ok()?;
    Some(DEFAULTS[index].1)
}

/// Names of the session sources that have a default toolset, sorted. A plugin may bring further ones.
pub fn sources() -> impl Iterator<Item = &'static str> {
    DEFAULTS.iter().map(|(source, _)| *source)
}

#[cfg(test)]
mod tests {
    use hermes_tools::linked_toolsets;

    use super::*;

    #[test]
    fn every_default_exists_and_is_found() {
        assert!(DEFAULTS.is_sorted());
        for &(source, toolset) in DEFAULTS {
            assert_eq!(
                default_toolset(&SessionSource::from_name(source)),
                Some(toolset)
            );
            assert!(
                linked_toolsets().iter().any(|set| set.name == toolset),
                "{toolset}"
            );
        }
    }
}
