//! Every page, with texts that the page shows without a loss.

use encoding_rs::{BIG5, EUC_KR, GBK, SHIFT_JIS, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252};
use fuzzy_code_pages::restore;
use proptest::prelude::*;

proptest! {
    #![proptest_config(fuzzy_testkit::texts::config())]

    #[test]
    fn an_edit_as_a_page_shows_it_is_restored(
        lines in prop::collection::vec("[a-z =]{0,8}[éüñß漢字データ한글прив→“”]{1,6}[a-z();]{0,8}", 2..6),
        which in 0..7_usize,
        at in 0..6_usize,
        added in "[a-z]{1,5}",
    ) {
        let file = lines.join("\n");
        let page = [GBK, SHIFT_JIS, EUC_KR, BIG5, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252][which];
        let old = lines[at % lines.len()].clone();
        let new = format!("{old}\n{added}");
        let show = |text: &str| {
            let shown = page.decode_without_bom_handling_and_without_replacement(text.as_bytes())?.into_owned();
            // Programs drop characters of private use.
            (!shown.contains(|c| ('\u{e000}'..='\u{f8ff}').contains(&c))).then_some(shown)
        };
        if let (Some(shown_old), Some(shown_new)) = (show(&old), show(&new)) {
            prop_assume!(!file.contains(&shown_old) && lines.iter().filter(|line| line.trim() == old.trim()).count() == 1);
            let restored = restore(&file, &shown_old, &shown_new);
            let restored = restored.map(|restored| (restored.old, restored.new, restored.lost));
            // Two lines of the file may be shown alike only if bytes are lost, which `show` excludes.
            prop_assert_eq!(restored, Some((old, new, None)));
        }
    }
}
