//! The mechanisms of the search: slips that it undoes, and ways to choose a place.

fuzzy_merge::mechanisms! {
    FENCE "fence" Reading "a Markdown fence around the texts";
    LINE_NUMBERS "line-numbers" Reading "line numbers before the lines";
    GUTTER "gutter" Reading "the same mark before every line";
    ESCAPED_TEXT "escaped-text" Reading "texts escaped as a whole, with `\\\\n` for line breaks";
    ESCAPES "escapes" Reading "backslashes before quotes and backslashes";
    HTML_ENTITIES "html-entities" Reading "HTML entities";
    LIST_ORDER "list-order" Repair "another order of the items of a list";
    LAST_ITEM "last-item" Repair "another end of the last item of a sequence";
    TRUNCATED_LINES "truncated-lines" Repair "lines without their beginning or end";
}
