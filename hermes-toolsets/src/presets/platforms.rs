//! What messaging platforms start with: the core list, and tools of the platform itself.

use hermes_tools::toolset;

toolset! {
    name: "hermes-telegram",
    description: "Conversations on Telegram.",
    core: true,
}

toolset! {
    name: "hermes-discord",
    description: "Conversations on Discord.",
    tools: ["discord", "discord_admin"],
    core: true,
}

toolset! {
    name: "hermes-whatsapp",
    description: "Conversations on WhatsApp.",
    core: true,
}

toolset! {
    name: "hermes-slack",
    description: "Conversations on Slack.",
    core: true,
}

toolset! {
    name: "hermes-signal",
    description: "Conversations on Signal.",
    core: true,
}

toolset! {
    name: "hermes-bluebubbles",
    description: "Conversations on BlueBubbles.",
    core: true,
}

toolset! {
    name: "hermes-homeassistant",
    description: "Conversations in Home Assistant.",
    core: true,
}

toolset! {
    name: "hermes-email",
    description: "Conversations by email.",
    core: true,
}

toolset! {
    name: "hermes-mattermost",
    description: "Conversations on Mattermost.",
    core: true,
}

toolset! {
    name: "hermes-matrix",
    description: "Conversations on Matrix.",
    core: true,
}

toolset! {
    name: "hermes-dingtalk",
    description: "Conversations on DingTalk.",
    core: true,
}

toolset! {
    name: "hermes-feishu",
    description: "Conversations on Feishu.",
    tools: [
        "feishu_doc_read", "feishu_drive_add_comment", "feishu_drive_list_comment_replies",
        "feishu_drive_list_comments", "feishu_drive_reply_comment",
    ],
    core: true,
}

toolset! {
    name: "hermes-weixin",
    description: "Conversations on Weixin.",
    core: true,
}

toolset! {
    name: "hermes-qqbot",
    description: "Conversations on QQ.",
    core: true,
}

toolset! {
    name: "hermes-wecom",
    description: "Conversations on WeCom.",
    core: true,
}

toolset! {
    name: "hermes-wecom-callback",
    description: "Conversations on WeCom that arrive by callback.",
    core: true,
}

toolset! {
    name: "hermes-yuanbao",
    description: "Conversations on Yuanbao.",
    tools: [
        "yb_query_group_info", "yb_query_group_members", "yb_search_sticker", "yb_send_dm",
        "yb_send_sticker",
    ],
    core: true,
}

toolset! {
    name: "hermes-sms",
    description: "Conversations by SMS.",
    core: true,
}

toolset! {
    name: "hermes-gateway",
    description: "What any messaging platform has.",
    includes: [
        "hermes-telegram", "hermes-discord", "hermes-whatsapp", "hermes-slack", "hermes-signal",
        "hermes-bluebubbles", "hermes-homeassistant", "hermes-email", "hermes-sms",
        "hermes-mattermost", "hermes-matrix", "hermes-dingtalk", "hermes-feishu", "hermes-wecom",
        "hermes-wecom-callback", "hermes-weixin", "hermes-qqbot", "hermes-webhook",
        "hermes-yuanbao",
    ],
}
