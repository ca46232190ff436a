//! The mechanisms of the search: slips that it undoes, and ways to choose a place.

fuzzy_merge::mechanisms! {
    FENCE "fence" Reading "Markdown fence";
    LINE_NUMBERS "line-numbers" Reading "line numbers";
    NUMBER_SEPARATORS "separators" Reading "separators";
    GUTTER "gutter" Reading "gutter";
    WRITTEN_BREAKS "written-breaks" Reading "line breaks written as \\n";
    ESCAPED_TEXT "escaped-text" Reading "escapes";
    ESCAPED_QUOTES "escaped-quotes" Reading "escaped quotes";
    ESCAPED_BACKSLASHES "escaped-backslashes" Reading "escaped backslashes";
    ESCAPED_BOTH "escaped-both" Reading "escaped quotes and backslashes";
    HTML_ENTITIES "entities" Reading "HTML entities";
    LIST_ORDER "list-order" Repair "order of a list";
    LEADING_SEPARATORS "leading-separators" Repair "separators after the items";
    LAST_ITEM "last-item" Repair "separator of the last item";
    BROKEN_STRINGS "broken-strings" Repair "line breaks in strings";
    TRUNCATED_LINES "truncated-lines" Repair "torn lines";
    REORDERED_ENDS "reordered-ends" Place "the place is extended by lines that the old text has in another order";
}
