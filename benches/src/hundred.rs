//! A hundred linked tools: the two of [`arguments`](crate::arguments), and 98 beside them.

use hermes_tools::tool;

/// How many tools this crate brings.
pub const COUNT: usize = 100;

/// Name of the tool that is called.
pub const ECHO: &str = "echo";

macro_rules! tools {
    ($($name:ident)*) => {
        /// Names of the tools that are only there.
        pub const OTHERS: [&str; COUNT - 2] = [$(stringify!($name)),*];

        $(
            // A text of its own in every tool and parameter, so that the compiler cannot fold the
            // tables of tools that are alike.
            #[doc = concat!("Name the files in which a text stands (", stringify!($name), ").")]
            #[tool(toolset = "bench", effect = "read", inline)]
            fn $name(
                #[doc = concat!("Folder for ", stringify!($name), ", relative to the workspace.")]
                path: String,
                #[doc = concat!("Text that ", stringify!($name), " looks for; every file without it.")]
                pattern: Option<String>,
                #[doc = concat!("How many files ", stringify!($name), " names at most.")]
                #[arg(default = 50, min = 1, max = 1000)]
                limit: u32,
            ) -> String {
                format!("{path} {pattern:?} {limit}")
            }
        )*
    };
}

tools! {
    find_00 find_01 find_02 find_03 find_04 find_05 find_06 find_07 find_08 find_09
    find_10 find_11 find_12 find_13 find_14 find_15 find_16 find_17 find_18 find_19
    find_20 find_21 find_22 find_23 find_24 find_25 find_26 find_27 find_28 find_29
    find_30 find_31 find_32 find_33 find_34 find_35 find_36 find_37 find_38 find_39
    find_40 find_41 find_42 find_43 find_44 find_45 find_46 find_47 find_48 find_49
    find_50 find_51 find_52 find_53 find_54 find_55 find_56 find_57 find_58 find_59
    find_60 find_61 find_62 find_63 find_64 find_65 find_66 find_67 find_68 find_69
    find_70 find_71 find_72 find_73 find_74 find_75 find_76 find_77 find_78 find_79
    find_80 find_81 find_82 find_83 find_84 find_85 find_86 find_87 find_88 find_89
    find_90 find_91 find_92 find_93 find_94 find_95 find_96 find_97
}
