//! What runs elsewhere, what is published, and the shells of Windows.

use super::super::category::Category;
use super::super::eval::Eval;
use super::super::field::Field;

impl Eval<'_> {
    #[expect(clippy::too_many_lines, reason = "a row for each family of programs")]
    pub(super) fn infrastructure(&mut self, name: &str, arguments: &[Field]) {
        self.verbs_of(name, arguments);
        let words: Vec<&str> = arguments
            .iter()
            .filter(|it| !it.is_option())
            .map(|it| it.text.as_str())
            .collect();
        let first = words.first().copied().unwrap_or("");
        let has = |options: &[&str]| {
            arguments
                .iter()
                .any(|it| options.contains(&it.text.as_str()))
        };
        let any = |verbs: &[&str]| words.iter().any(|word| verbs.contains(word));
        let removing = |word: &&str| {
            let word = word.rsplit(':').next().unwrap_or(word);
            [
                "delete",
                "terminate",
                "destroy",
                "remove",
                "deregister",
                "purge",
                "disable",
                "revoke",
                "detach",
                "stop",
                "reset",
                "uninstall",
            ]
            .iter()
            .any(|verb| {
                word == *verb
                    || word
                        .strip_prefix(verb)
                        .is_some_and(|rest| rest.starts_with('-'))
            })
        };
        let dry = has(&["--dry-run", "--dryrun", "--help"]);
        let destroys = match name {
            "terraform" | "tofu" | "terragrunt" => {
                any(&["destroy", "taint", "force-unlock"])
                    || first == "state" && any(&["rm"])
                    || first == "workspace" && any(&["delete"])
                    || has(&["-destroy", "--destroy", "-auto-approve", "--auto-approve"])
            }
            "pulumi" | "cdk" | "cdktf" | "vagrant" | "nomad" | "eksctl" | "kops" | "sst"
            | "copilot" | "sam" => any(&["destroy", "delete", "stop", "rm", "remove"]),
            "helm" | "helmfile" => any(&["uninstall", "delete", "destroy", "rollback"]),
            "serverless" | "sls" => any(&["remove"]),
            "virsh" | "lxc" | "incus" | "multipass" | "qm" | "vboxmanage" => any(&[
                "destroy",
                "undefine",
                "delete",
                "shutdown",
                "stop",
                "purge",
                "unregistervm",
            ]),
            "aws" => {
                words.iter().skip(1).any(removing)
                    || words.iter().skip(1).any(|it| matches!(*it, "rm" | "rb"))
                    || first == "s3" && (any(&["rm", "rb"]) || has(&["--delete"]))
            }
            "gcloud" | "az" | "doctl" | "oci" | "ibmcloud" | "linode-cli" | "hcloud" | "scw"
            | "exo" | "aliyun" | "flyctl" | "fly" | "heroku" | "railway" | "render"
            | "supabase" | "planetscale" | "pscale" | "wrangler" | "netlify" | "vercel"
            | "firebase" | "cf" => words.iter().any(removing) || any(&["rm", "rb"]),
            "gh" | "glab" | "hub" | "tea" => {
                words
                    .iter()
                    .skip(1)
                    .any(|it| matches!(*it, "delete" | "archive" | "remove" | "transfer"))
                    || first == "api" && {
                        let joined = |it: &Field| {
                            it.text == "DELETE"
                                || it.text.ends_with("=DELETE")
                                || it.text == "-XDELETE"
                        };
                        arguments.iter().any(joined)
                    }
            }
            "gsutil" | "s3cmd" | "mc" | "rclone" | "azcopy" | "s5cmd" => {
                any(&[
                    "rm",
                    "rb",
                    "del",
                    "delete",
                    "purge",
                    "remove",
                    "deletefile",
                    "cleanup",
                    "rmdirs",
                    "sync",
                ]) && (first != "sync"
                    || has(&["-d", "--delete-removed", "--delete"])
                    || name == "rclone")
            }
            "etcdctl" | "consul" | "vault" | "zkcli" => {
                any(&["del", "delete", "destroy", "deleteall", "rmr"])
            }
            "rails" | "rake" | "artisan" => words.iter().any(|it| {
                it.contains("db:drop") || it.contains("db:reset") || it.contains("migrate:fresh")
            }),
            "prisma" | "sequelize" | "knex" | "alembic" | "flyway" | "liquibase" | "dbmate" => {
                any(&["reset", "drop", "clean", "db:drop", "rollback", "drop-all"])
            }
            "kafka-topics" | "kafka-topics.sh" | "rabbitmqctl" | "rabbitmqadmin" => {
                has(&["--delete"])
                    || any(&[
                        "delete",
                        "reset",
                        "purge",
                        "delete_queue",
                        "purge_queue",
                        "delete_vhost",
                        "stop",
                    ])
            }
            _ => false,
        };
        if destroys && !dry {
            self.ask(Category::Infrastructure);
        }
    }

    /// Verbs of package managers.
    pub(in super::super) fn verbs(&mut self, arguments: &[Field]) {
        self.verbs_of("uv", arguments);
    }

    #[expect(clippy::match_same_arms, reason = "a row for each family of programs")]
    fn verbs_of(&mut self, name: &str, arguments: &[Field]) {
        let first = arguments
            .iter()
            .find(|it| !it.is_option())
            .map_or("", |it| it.text.as_str());
        let dry = arguments
            .iter()
            .any(|it| matches!(it.text.as_str(), "--dry-run" | "-n" | "--help"));
        let publishes = match name {
            "npm" | "pnpm" | "yarn" | "bun" | "lerna" => {
                matches!(first, "publish" | "unpublish" | "deprecate")
                    || first == "npm" && arguments.iter().any(|it| it.text == "publish")
            }
            "cargo" => matches!(first, "publish" | "yank" | "owner"),
            "poetry" | "uv" | "flit" | "hatch" | "pdm" | "maturin" | "vsce" | "ovsx"
            | "wasm-pack" => matches!(first, "publish" | "upload"),
            "twine" => first == "upload",
            "gem" => matches!(first, "push" | "yank"),
            "mvn" => arguments
                .iter()
                .any(|it| it.text == "deploy" || it.text.starts_with("release:")),
            "gradle" | "gradlew" => arguments.iter().any(|it| it.text.starts_with("publish")),
            "dotnet" | "nuget" => arguments
                .iter()
                .any(|it| it.text == "push" || it.text == "delete"),
            "helm" | "oras" => first == "push",
            "fastlane" => !first.is_empty(),
            "luarocks" => first == "upload",
            "mix" => first == "hex.publish",
            "clojars" | "sbt" => arguments.iter().any(|it| it.text.contains("publish")),
            _ => false,
        };
        if publishes && !dry {
            self.ask(Category::Publish);
        }
    }

    /// Programs of Windows.
    #[expect(clippy::match_same_arms, reason = "a row for each family of programs")]
    pub(super) fn windows(&mut self, name: &str, arguments: &[Field]) {
        let lower: Vec<String> = arguments
            .iter()
            .map(|it| it.text.to_ascii_lowercase())
            .collect();
        let has = |words: &[&str]| lower.iter().any(|it| words.contains(&it.as_str()));
        let deletes = match name {
            "cmd" => has(&["/c", "/k", "/r"]),
            "del" | "erase" | "rd" => !lower.is_empty(),
            "remove-item" | "clear-content" | "format-volume" | "clear-disk"
            | "initialize-disk" | "stop-computer" | "restart-computer" | "invoke-expression"
            | "iex" => true,
            "format" | "diskpart" | "cipher" | "vssadmin" | "wbadmin" | "takeown" | "icacls" => {
                lower.iter().any(|it| it.ends_with(':'))
                    || has(&["/s", "delete", "/w", "/grant", "/f", "shadows"])
                    || lower
                        .iter()
                        .any(|it| it.starts_with("/w:") || it.contains("everyone:"))
            }
            "reg" => has(&["delete", "add", "import"]),
            "taskkill" => has(&["/f"]),
            "schtasks" => has(&["/delete", "/create", "/change"]),
            "wmic" => has(&["delete", "call"]),
            "wsl" => has(&["--unregister", "--shutdown"]),
            "mshta" | "regsvr32" | "rundll32" | "certutil" | "bitsadmin" | "cscript"
            | "wscript" => !lower.is_empty(),
            _ => false,
        };
        if deletes {
            self.ask(Category::WindowsDelete);
        }
    }
}
