//! `apply_patch`: patches of every format, all or nothing.

use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use crate::support::{Client, Place};

#[tokio::test]
async fn every_format_lands() {
    let place = Place::with(&[("a.txt", "one\ntwo\nthree\n"), ("gone.txt", "x\n"), ("old.txt", "y\n")]);
    let mut client = Client::connect(place.server()).await;
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -90,7 +90,7 @@\n one\n-two\n+2\n three\n";
    client.call("apply_patch", json!({"patch": diff})).await.success();
    let block = "<<<<<<< SEARCH\nthree\n=======\n3\n>>>>>>> REPLACE\n";
    client.call("apply_patch", json!({"input": block, "path": "a.txt"})).await.success();
    let envelope = "*** Begin Patch\n*** Add File: new.txt\n+new\n*** Delete File: gone.txt\n\
                    *** Update File: old.txt\n*** Move to: moved.txt\n@@\n-y\n+z\n*** End Patch\n";
    let report = client.call("apply_patch", json!({"patch": envelope})).await.success();
    assert_eq!(report["status"], "applied");
    assert_eq!(place.text("a.txt"), "one\n2\n3\n");
    assert_eq!((place.text("new.txt"), place.text("moved.txt")), ("new\n".to_owned(), "z\n".to_owned()));
    assert!(!place.path("gone.txt").exists() && !place.path("old.txt").exists());
}

#[tokio::test]
async fn modes_change_and_come_back() {
    let place = Place::with(&[("run.sh", "echo\n")]);
    let mut client = Client::connect(place.server()).await;
    let can_run = || std::fs::metadata(place.path("run.sh")).unwrap().permissions().mode() & 0o100 != 0;
    let patch = "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n";
    let report = client.call("apply_patch", json!({"patch": patch})).await.success();
    assert_eq!((&report["edits"][0]["changed"], can_run()), (&json!(true), true));
    client.call("undo", json!({})).await.success();
    assert!(!can_run());
    let link = patch.replace("100755", "120000");
    client.call("apply_patch", json!({"patch": link})).await.failure("parse");
}

#[tokio::test]
async fn a_patch_that_fails_in_part_does_nothing() {
    let place = Place::with(&[("a.txt", "one\n"), ("b.txt", "two\n")]);
    let mut client = Client::connect(place.server()).await;
    let patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+1\n*** Add File: b.txt\n+over it\n*** End Patch\n";
    client.call("apply_patch", json!({"patch": patch})).await.failure("exists");
    client.call("apply_patch", json!({"patch": "no patch at all"})).await.failure("parse");
    let outside = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: ../c.txt\n@@\n-one\n+1\n*** End Patch\n";
    client.call("apply_patch", json!({"patch": outside})).await.failure("outside_root");
    assert_eq!((place.text("a.txt"), place.text("b.txt")), ("one\n".to_owned(), "two\n".to_owned()));
}
