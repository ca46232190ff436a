//! The languages of generated files: templates of lines, which [`corpus`](super::corpus) fills.
//!
//! | field | becomes |
//! |---|---|
//! | `{n}` | a name, of the few that the file uses |
//! | `{N}` | such a name in the form of a type |
//! | `{v}` | a verb |
//! | `{d}` | a number |
//! | `{w}` | a few words of prose |
//! | `{k}` | a word with two spellings |
//! | `{a}` | two to four arguments |

/// The start and the end of a block; the end is empty if only indentation marks it.
pub(super) type Block = (&'static str, &'static str);

/// A language with templates of its lines.
#[derive(Debug)]
pub(super) struct Language {
    /// One step of indentation.
    pub(super) unit: &'static str,
    /// The separator of names of two words; empty if the second one begins with a capital.
    pub(super) joint: &'static str,
    /// The mark of a comment; empty if there is none.
    pub(super) comment: &'static str,
    pub(super) first: &'static [&'static str],
    pub(super) statements: &'static [&'static str],
    pub(super) blocks: &'static [Block],
    /// The items of the outermost level: functions, types, sections.
    pub(super) items: &'static [Block],
    /// Lists with one entry per line.
    pub(super) tables: &'static [(&'static str, &'static [&'static str], &'static str)],
    /// Whether the last entry of a list ends like the others.
    pub(super) last_comma: bool,
}

pub(super) const LANGUAGES: &[Language] = &[PYTHON, RUST, TYPESCRIPT, C, GO, JSON, YAML, SQL, PROSE];

pub(super) const PYTHON: Language = Language {
    unit: "    ",
    joint: "_",
    comment: "#",
    first: &[
        "import {n}",
        "from {n} import {v}_{n}, {N}",
        "from {n}.{n} import {N}Error",
        "{n} = logging.getLogger(__name__)",
    ],
    statements: &[
        "{n} = {v}_{n}({a})",
        "self.{n} = {n} or {d}",
        "return {v}_{n}({a})",
        "return {n}.{v}({n}, {d})",
        "raise {N}Error(\"{w}\")",
        "{n} = {v}({n}, encoding='{k}')",
        "log.{v}(\"{w}: %s\", {n})",
        "{n}.{v}('{n}').{v}({a})",
        "assert {n} == {d}, \"{w}\"",
        "{n} = [{v}({n}) for {n} in {n}]",
        "{n}[\"{n}\"] = {n}.{v}({d})  # {w}",
        "yield {v}_{n}({a})",
        "print(f\"{w} {n}\\n\")",
        "await self.{v}_{n}({a})",
        "{n} += {d}",
        "if {n} < {d} and {n} > {d}: return {n}",
    ],
    blocks: &[
        ("if {n} > {d}:", ""),
        ("for {n} in {v}_{n}({a}):", ""),
        ("with {v}_{n}({n}) as {n}:", ""),
        ("while not {n}.{v}():", ""),
        ("try:", ""),
    ],
    items: &[
        ("def {v}_{n}({a}):", ""),
        ("def {v}_{n}(self, {a}, {n}={d}):", ""),
        ("async def {v}_{n}({a}):", ""),
        ("class {N}Handler({N}):", ""),
    ],
    tables: &[
        ("{n} = {", &["\"{n}\": {d},", "'{n}': '{w}',", "\"{n}\": {n},", "'{k}': {d},  # {w}"], "}"),
        ("{v}_{n}(", &["{n}={d},", "{n}='{w}',", "{n}={v}({n}),"], ")"),
        ("{n} = [", &["\"{n}\",", "('{n}', {d}),"], "]"),
    ],
    last_comma: true,
};

pub(super) const RUST: Language = Language {
    unit: "    ",
    joint: "_",
    comment: "//",
    first: &["use crate::{n}::{N};", "use std::{n}::{v};", "mod {n};", "const {n}_LIMIT: usize = {d};"],
    statements: &[
        "let {n} = {v}_{n}({a});",
        "let mut {n} = Vec::with_capacity({d});",
        "return Err({N}Error::new(\"{w}\"));",
        "self.{n}.{v}(&{n}, {d})?;",
        "{n}.push({v}({n}));",
        "println!(\"{w}: {}\\n\", {n});",
        "let {n}: &str = {n}.{v}(\"{k}\");",
        "assert_eq!({n}.{v}(), {d});  // {w}",
        "const {n}: u32 = {d};",
        "{n} += {n}.{v}({d});",
        "self.{n} = Some({v}_{n}({a}));",
        "let {n} = &self.{n}[{d}..];",
        "debug!(\"{w}\");",
    ],
    blocks: &[
        ("if {n} > {d} {", "}"),
        ("for {n} in {v}_{n}({a}) {", "}"),
        ("while let Some({n}) = {n}.{v}() {", "}"),
        ("match {n}.{v}() {", "}"),
        ("if let Err({n}) = {v}({n}) && {n} < {d} {", "}"),
    ],
    items: &[
        ("fn {v}_{n}({a}) -> {N} {", "}"),
        ("pub fn {v}_{n}(&self, {a}) -> Result<{N}, Error> {", "}"),
        ("pub(crate) fn {v}_{n}(&mut self) {", "}"),
        ("impl {N}Handler for {N} {", "}"),
    ],
    tables: &[
        ("pub struct {N} {", &["{n}: usize,", "pub {n}: String,", "{n}: Option<{N}>,"], "}"),
        ("let {n} = {N} {", &["{n}: {d},", "{n}: {v}({n}),", "{n},"], "};"),
    ],
    last_comma: true,
};

pub(super) const TYPESCRIPT: Language = Language {
    unit: "  ",
    joint: "",
    comment: "//",
    first: &["import { {N} } from './{n}';", "import {n} from '{n}';", "export * from './{n}';"],
    statements: &[
        "const {n} = {v}{N}({a});",
        "let {n} = this.{n} ?? {d};",
        "return {v}{N}({a});",
        "await this.{v}({a});",
        "throw new Error('{w}');",
        "this.{n} = {n}.{v}(\"{n}\");",
        "console.{v}(`{w}`, {n});",
        "expect({n}.{v}()).toBe({d});",
        "const {n} = {n}.{v}('{k}', '\\n');",
        "{n}.{v}({n} => {n}.{n} < {d});",
        "{n}.{n} = {d}; // {w}",
        "export const {n} = {d};",
        "return {n} && {n}.{v}({d});",
    ],
    blocks: &[
        ("if ({n} > {d}) {", "}"),
        ("for (const {n} of {v}{N}({a})) {", "}"),
        ("{n}.{v}({n} => {", "});"),
        ("describe('{w}', () => {", "});"),
        ("try {", "} finally { {n}.{v}(); }"),
    ],
    items: &[
        ("export function {v}{N}({a}): {N} {", "}"),
        ("async function {v}{N}({a}) {", "}"),
        ("export class {N}Handler extends {N} {", "}"),
        ("it(\"{w}\", async () => {", "});"),
    ],
    tables: &[
        ("const {n} = {", &["{n}: {d},", "{n}: '{w}',", "{n},", "\"{n}\": {v}({n}),"], "};"),
        ("interface {N} {", &["{n}: number;", "{n}?: string;", "readonly {n}: {N};"], "}"),
        ("export const {n} = [", &["'{n}',", "{ {n}: {d} },"], "];"),
    ],
    last_comma: true,
};

pub(super) const C: Language = Language {
    unit: "\t",
    joint: "_",
    comment: "//",
    first: &["#include <{n}.h>", "#include \"{n}.h\"", "#define {n}_MAX {d}", "static int {n};"],
    statements: &[
        "{n} = {v}_{n}({a});",
        "return ({v}_{n}({a}));",
        "return {n};",
        "free({n}->{n});",
        "printf(\"{w}: %d\\n\", {n});",
        "if ({n} == NULL) return -{d};",
        "{n}->{n} = {d}; // {w}",
        "static const int {n} = {d};",
        "{v}({n}, sizeof *{n}, &{n});",
        "log_{v}(\"%s: {w}\", {n});",
        "{n} = '\\0';",
        "memset(&{n}, 0, {d});",
    ],
    blocks: &[
        ("if ({n} < {d}) {", "}"),
        ("for ({n} = 0; {n} < {d}; {n}++) {", "}"),
        ("while ({v}({n}) && {n} > {d}) {", "}"),
        ("switch ({n}) {", "}"),
    ],
    items: &[
        ("static int {v}_{n}({a}) {", "}"),
        ("void {v}_{n}(struct {n} *{n}) {", "}"),
        ("struct {n} *{v}_{n}({a}) {", "}"),
    ],
    tables: &[
        ("static const char *{n}[] = {", &["\"{n}\",", "\"{w}\","], "};"),
        ("struct {n} {", &["int {n};", "const char *{n};", "unsigned {n}: {d};"], "};"),
    ],
    last_comma: true,
};

pub(super) const GO: Language = Language {
    unit: "\t",
    joint: "",
    comment: "//",
    first: &["import \"{n}/{n}\"", "import {n} \"{n}\"", "var {n} = {v}{N}({d})"],
    statements: &[
        "{n}, err := {v}{N}({a})",
        "return {n}.{v}({a})",
        "return nil, fmt.Errorf(\"{w}: %w\", err)",
        "s.{n} = {n}.{v}({d})",
        "log.{v}(\"{w}\", \"{n}\", {n})",
        "defer {n}.{v}()",
        "{n} = append({n}, {v}({n}))",
        "var {n} = \"{k}\"  // {w}",
        "{n} <- {v}{N}(&{n}, {d})",
    ],
    blocks: &[
        ("if {n} > {d} {", "}"),
        ("if err := {v}({n}); err != nil {", "}"),
        ("for _, {n} := range {n}.{v}() {", "}"),
        ("go func() {", "}()"),
    ],
    items: &[
        ("func {v}{N}({n} string, {n} int) (*{N}, error) {", "}"),
        ("func (s *{N}) {v}({n} {N}) error {", "}"),
        ("type {N}Handler interface {", "}"),
    ],
    tables: &[
        ("type {N} struct {", &["{n} int", "{n} *{N}", "{n} map[string]{N}"], "}"),
        ("var {n} = map[string]int{", &["\"{n}\": {d},", "\"{k}\": {d},"], "}"),
    ],
    last_comma: true,
};

pub(super) const JSON: Language = Language {
    unit: "  ",
    joint: "_",
    comment: "",
    first: &[],
    statements: &[],
    blocks: &[],
    items: &[],
    tables: &[
        (
            "\"{n}\": {",
            &[
                "\"{n}\": {d},",
                "\"{n}\": \"{w}\",",
                "\"{n}\": [{d}, {d}],",
                "\"{n}\": true,",
                "\"{n}\": \"{k}\",",
                "\"{v}\": \"{v} --{n} {d} && {v}\",",
            ],
            "},",
        ),
        ("\"{n}\": [", &["\"{n}\",", "{ \"{n}\": {d}, \"{n}\": \"{v}\" },"], "],"),
    ],
    last_comma: false,
};

pub(super) const YAML: Language = Language {
    unit: "  ",
    joint: "-",
    comment: "#",
    first: &["version: {d}", "name: {w}"],
    statements: &[
        "{n}: {d}",
        "{n}: \"{w}\"",
        "{n}: {v}-{n}",
        "{n}: '{k}'  # {w}",
        "- {v}: {n}",
        "- {v} {n} --{n} {d}",
        "{n}: [{a}]",
    ],
    blocks: &[("{n}:", ""), ("- name: {w}", "")],
    items: &[("{n}:", ""), ("{v}-{n}:", "")],
    tables: &[],
    last_comma: true,
};

pub(super) const SQL: Language = Language {
    unit: "  ",
    joint: "_",
    comment: "--",
    first: &["SET {n} = {d};", "BEGIN;"],
    statements: &[
        "SELECT {n}, {n} FROM {n} WHERE {n} > {d};",
        "INSERT INTO {n} ({a}) VALUES ('{w}', {d});",
        "UPDATE {n} SET {n} = {d} WHERE {n} = '{k}';",
        "DELETE FROM {n} WHERE {n} <> {d};",
        "CREATE INDEX {v}_{n} ON {n} ({a});",
        "GRANT {v} ON {n} TO {n};",
    ],
    blocks: &[("IF {n} > {d} THEN", "END IF;"), ("LOOP", "END LOOP;")],
    items: &[("CREATE FUNCTION {v}_{n}({a}) RETURNS {n} AS", "END;")],
    tables: &[(
        "CREATE TABLE {n} (",
        &["{n} INTEGER NOT NULL,", "{n} TEXT DEFAULT '{w}',", "{n} BIGINT REFERENCES {n} ({n}),", "CHECK ({n} < {d}),"],
        ");",
    )],
    last_comma: false,
};

pub(super) const PROSE: Language = Language {
    unit: "  ",
    joint: "-",
    comment: "",
    first: &["# The {n} {v}", "{w}, and {w}."],
    statements: &[
        "We don't {v} the {n} unless {w}.",
        "The {n} isn't {v} by `{n}`; {w}.",
        "It's the {n}'s \"{n}\" that you {v}: {w}.",
        "- `{v} --{n} {d}`: {w}",
        "- {w}, {w}",
        "They're read as {k}, so {w} <{n}> & {w}.",
        "See [{n}]({n}/{v}.md) for {w}...",
        "Version {d} - {w}.",
        "> {w}; you'll {v} {d} of them.",
    ],
    blocks: &[("1. {w}:", ""), ("- {n}:", "")],
    items: &[("## {n} {v}", ""), ("### How to {v} {w}", "")],
    tables: &[("```", &["{v} --{n} {d}", "{n} {v} '{w}'"], "```")],
    last_comma: true,
};
