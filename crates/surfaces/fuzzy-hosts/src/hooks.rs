//! The events of a host that call us, in its settings.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use crate::host::{Hook, Host};
use crate::item::{Entry, Item, Parts, Site};

impl Host {
    /// Returns the events that call us: with turns, those before and after all tools and those of turns. The calls of
    /// tools are recorded by the same process that repairs or explains an edit.
    pub(crate) fn hooks(&self, parts: Parts) -> Vec<Hook> {
        let Some(turns) = self.turns.as_ref().filter(|_| parts.turns) else {
            return if parts.repair { self.repair_hooks.to_vec() } else { Vec::new() };
        };
        let before = if parts.repair && turns.repairs { "tool-before" } else { "tool-before --only-record" };
        let notes = parts.repair && (self.failures.is_some() || self.reads.is_some());
        let after = if notes { "tool-after" } else { "tool-after --only-record" };
        let hooks = turns.tool_before.iter().map(|event| (*event, before));
        let hooks = hooks.chain(turns.tool_after.iter().map(|event| (*event, after))).chain(turns.events());
        hooks.map(|(event, ours)| (event, None, ours)).collect()
    }

    /// Returns the hooks in the format of Claude Code and others: a list of groups for each event, each with a list of
    /// commands. `timeout` is in the unit of the host.
    pub(crate) fn groups(&self, site: &Site, parts: Parts, timeout: u64) -> Vec<Entry> {
        let group = |(event, matcher, ours): Hook| {
            let command = site.call(self.name, ours);
            let mut group = json!({ "hooks": [{ "type": "command", "command": command, "timeout": timeout }] });
            if let Some(matcher) = matcher {
                group["matcher"] = matcher.into();
            }
            Entry::element(&["hooks", event], group)
        };
        self.hooks(parts).into_iter().map(group).collect()
    }

    /// Returns a file of ours with the hooks, each a list of one command, beside other settings; none without hooks.
    /// `command` makes a command from its command line.
    pub(crate) fn own_file(
        &self,
        path: PathBuf,
        (site, parts): (&Site, Parts),
        mut settings: Value,
        command: impl Fn(String) -> Value,
    ) -> Option<Item> {
        let hook = |(event, _, ours): Hook| (event.to_owned(), json!([command(site.call(self.name, ours))]));
        let hooks: Map<_, _> = self.hooks(parts).into_iter().map(hook).collect();
        if hooks.is_empty() {
            return None;
        }
        settings["hooks"] = Value::Object(hooks);
        Some(Item::File { path, text: format!("{settings:#}\n"), executable: false })
    }
}
